// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// The user BAR: an access of a dword becomes one of the user's logic, AXI4-Lite.
//
// Latency: the address is shown 1 cycle after the access is valid, done is 1 cycle after the answer.
//
// Interface: valid and access are held until done, a cycle in which read_data has the answer.  Addresses are those in the
// BAR; m_axil_func is the function whose BAR it is, and holds while an address or data are valid.
//
// Operation: one access at a time.  A read that the user refuses (SLVERR, DECERR) has all ones; refused accesses are
// counted.  The user must answer each access: a BAR waits for it.
module qdma_user_bar
  import qdma_tlp_pkg::*;
  import qdma_pkg::*;
(
    input logic clk,
    input logic rst,

    input  logic           valid,
    input  access_t        access,
    output logic           done,
    output logic    [31:0] read_data,

    output logic [ 7:0] m_axil_func,
    output logic [31:0] m_axil_awaddr,
    output logic        m_axil_awvalid,
    input  logic        m_axil_awready,
    output logic [31:0] m_axil_wdata,
    output logic [ 3:0] m_axil_wstrb,
    output logic        m_axil_wvalid,
    input  logic        m_axil_wready,
    input  logic [ 1:0] m_axil_bresp,
    input  logic        m_axil_bvalid,
    output logic        m_axil_bready,
    output logic [31:0] m_axil_araddr,
    output logic        m_axil_arvalid,
    input  logic        m_axil_arready,
    input  logic [31:0] m_axil_rdata,
    input  logic [ 1:0] m_axil_rresp,
    input  logic        m_axil_rvalid,
    output logic        m_axil_rready,

    output logic [31:0] stat_refused
);
  typedef enum logic [1:0] {
    IDLE,
    ANSWER,  // awaited
    DONE
  } state_e;
  state_e state_q;

  logic answered, refused;
  assign m_axil_func   = access.func;
  assign m_axil_awaddr = 32'(access.addr);
  assign m_axil_araddr = 32'(access.addr);
  assign m_axil_wdata  = access.data;
  assign m_axil_wstrb  = access.strobe;
  assign m_axil_bready = (state_q == ANSWER) & access.is_write;
  assign m_axil_rready = (state_q == ANSWER) & ~access.is_write;
  assign answered      = (m_axil_bready & m_axil_bvalid) | (m_axil_rready & m_axil_rvalid);
  assign refused       = access.is_write ? m_axil_bresp[1] : m_axil_rresp[1];
  assign done          = state_q == DONE;

  always_ff @(posedge clk) begin
    if (m_axil_awready) m_axil_awvalid <= 1'b0;
    if (m_axil_wready) m_axil_wvalid <= 1'b0;
    if (m_axil_arready) m_axil_arvalid <= 1'b0;
    if (answered) begin
      read_data    <= refused ? '1 : m_axil_rdata;
      stat_refused <= stat_refused + 32'(refused);
    end

    case (state_q)
      IDLE:
      if (valid) begin
        m_axil_awvalid <= access.is_write;
        m_axil_wvalid  <= access.is_write;
        m_axil_arvalid <= ~access.is_write;
        state_q        <= ANSWER;
      end
      ANSWER:  if (answered) state_q <= DONE;
      default: state_q <= IDLE;
    endcase
    if (rst) begin
      state_q <= IDLE;
      {m_axil_awvalid, m_axil_wvalid, m_axil_arvalid} <= '0;
      stat_refused <= '0;
    end
  end

  logic unused;
  assign unused = &{1'b0, access.is_user, m_axil_bresp[0], m_axil_rresp[0]};
endmodule
