// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// One AXI4-Lite slave to TARGETS masters, on one clock, one access at a time.
// Latency: alone, address (and data) of an access are at the target 1 cycle after they are there, and its answer is at
// the slave's side 1 cycle after the target has given it.
//
// m_addr holds the address of the access; the user says in `target`, combinational, whose it is: one bit, or none, and
// then the answer is SLVERR.  Writes go before reads.  Address, data and strobes are shared by all masters.
//
// Assumes: each target answers each access.
module axil_demux #(
    parameter int ADDR_WIDTH = 16,
    parameter int TARGETS = 2
) (
    input logic clk,
    input logic rst,

    input  logic [ADDR_WIDTH-1:0] s_axil_awaddr,
    input  logic                  s_axil_awvalid,
    output logic                  s_axil_awready,
    input  logic [          31:0] s_axil_wdata,
    input  logic [           3:0] s_axil_wstrb,
    input  logic                  s_axil_wvalid,
    output logic                  s_axil_wready,
    output logic [           1:0] s_axil_bresp,
    output logic                  s_axil_bvalid,
    input  logic                  s_axil_bready,
    input  logic [ADDR_WIDTH-1:0] s_axil_araddr,
    input  logic                  s_axil_arvalid,
    output logic                  s_axil_arready,
    output logic [          31:0] s_axil_rdata,
    output logic [           1:0] s_axil_rresp,
    output logic                  s_axil_rvalid,
    input  logic                  s_axil_rready,

    output logic [ADDR_WIDTH-1:0] m_addr,  // awaddr and araddr of all
    input  logic [   TARGETS-1:0] target,

    output logic [TARGETS-1:0]       m_axil_awvalid,
    input  logic [TARGETS-1:0]       m_axil_awready,
    output logic [       31:0]       m_axil_wdata,
    output logic [        3:0]       m_axil_wstrb,
    output logic [TARGETS-1:0]       m_axil_wvalid,
    input  logic [TARGETS-1:0]       m_axil_wready,
    input  logic [TARGETS-1:0][ 1:0] m_axil_bresp,
    input  logic [TARGETS-1:0]       m_axil_bvalid,
    output logic [TARGETS-1:0]       m_axil_bready,
    output logic [TARGETS-1:0]       m_axil_arvalid,
    input  logic [TARGETS-1:0]       m_axil_arready,
    input  logic [TARGETS-1:0][31:0] m_axil_rdata,
    input  logic [TARGETS-1:0][ 1:0] m_axil_rresp,
    input  logic [TARGETS-1:0]       m_axil_rvalid,
    output logic [TARGETS-1:0]       m_axil_rready
);
  localparam logic [1:0] SLVERR = 2'b10;

  typedef enum logic [2:0] {
    READY,
    WRITE,  // the target has not answered yet
    READ,
    ANSWER_B,
    ANSWER_R
  } state_e;
  state_e state_q;
  logic address_q, data_q;  // still to be taken by the target
  logic take_write, take_read;

  assign take_write     = (state_q == READY) & s_axil_awvalid & s_axil_wvalid;
  assign take_read      = (state_q == READY) & s_axil_arvalid & ~take_write;
  assign s_axil_awready = take_write;
  assign s_axil_wready  = take_write;
  assign s_axil_arready = take_read;
  assign s_axil_bvalid  = state_q == ANSWER_B;
  assign s_axil_rvalid  = state_q == ANSWER_R;

  assign m_axil_awvalid = target & {TARGETS{(state_q == WRITE) & address_q}};
  assign m_axil_wvalid  = target & {TARGETS{(state_q == WRITE) & data_q}};
  assign m_axil_bready  = target & {TARGETS{state_q == WRITE}};
  assign m_axil_arvalid = target & {TARGETS{(state_q == READ) & address_q}};
  assign m_axil_rready  = target & {TARGETS{state_q == READ}};

  logic [ 1:0] resp;
  logic [31:0] rdata;
  always_comb begin
    resp  = '0;
    rdata = '0;
    for (int i = 0; i < TARGETS; i++) begin
      if (target[i]) resp |= state_q == WRITE ? m_axil_bresp[i] : m_axil_rresp[i];
      if (target[i]) rdata |= m_axil_rdata[i];
    end
  end

  always_ff @(posedge clk) begin
    case (state_q)
      READY: begin
        address_q <= 1'b1;
        data_q    <= 1'b1;
        if (take_write) begin
          m_addr       <= s_axil_awaddr;
          m_axil_wdata <= s_axil_wdata;
          m_axil_wstrb <= s_axil_wstrb;
          state_q      <= WRITE;
        end else if (take_read) begin
          m_addr  <= s_axil_araddr;
          state_q <= READ;
        end
      end
      WRITE: begin
        if (|(m_axil_awvalid & m_axil_awready)) address_q <= 1'b0;
        if (|(m_axil_wvalid & m_axil_wready)) data_q <= 1'b0;
        if (target == '0 || |(m_axil_bready & m_axil_bvalid)) begin
          s_axil_bresp <= target == '0 ? SLVERR : resp;
          state_q      <= ANSWER_B;
        end
      end
      READ: begin
        if (|(m_axil_arvalid & m_axil_arready)) address_q <= 1'b0;
        if (target == '0 || |(m_axil_rready & m_axil_rvalid)) begin
          s_axil_rresp <= target == '0 ? SLVERR : resp;
          s_axil_rdata <= rdata;
          state_q      <= ANSWER_R;
        end
      end
      ANSWER_B: if (s_axil_bready) state_q <= READY;
      default:  if (s_axil_rready) state_q <= READY;
    endcase
    if (rst) state_q <= READY;
  end
endmodule
