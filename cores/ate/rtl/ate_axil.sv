// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// The engine's registers on AXI4-Lite, in the transmit clock: the connections' window, as the public layout has it, in the
// lower half of the addresses, ours above it (../README.md lists both).
// Latency: alone, a write answers 2 cycles after address and data are there, a read 3 after its address.
//
// SLVERR, and nothing changed: where there is no register, a write of part of a word, a write of what can only be read.
// Writes go before reads; one access is under way at a time, and each ends.
module ate_axil #(
    parameter int CONNECTIONS = 512,
    parameter int MAX_PAYLOAD = 1460
) (
    input logic clk,
    input logic rst,

    input  logic [$clog2(CONNECTIONS)+6:0] s_axil_awaddr,
    input  logic [                    2:0] s_axil_awprot,
    input  logic                           s_axil_awvalid,
    output logic                           s_axil_awready,
    input  logic [                   31:0] s_axil_wdata,
    input  logic [                    3:0] s_axil_wstrb,
    input  logic                           s_axil_wvalid,
    output logic                           s_axil_wready,
    output logic [                    1:0] s_axil_bresp,
    output logic                           s_axil_bvalid,
    input  logic                           s_axil_bready,
    input  logic [$clog2(CONNECTIONS)+6:0] s_axil_araddr,
    input  logic [                    2:0] s_axil_arprot,
    input  logic                           s_axil_arvalid,
    output logic                           s_axil_arready,
    output logic [                   31:0] s_axil_rdata,
    output logic [                    1:0] s_axil_rresp,
    output logic                           s_axil_rvalid,
    input  logic                           s_axil_rready,

    output logic                           table_wr,
    output logic [$clog2(CONNECTIONS)+3:0] table_addr,
    output logic [                   31:0] table_wdata,
    input  logic [                   31:0] table_rdata,
    input  logic                           table_busy,   // SEQ is written by the engine in the next cycle

    output logic        strict,
    output logic [ 3:0] counter,
    input  logic [31:0] count
);
  localparam int BITS = $clog2(CONNECTIONS);
  localparam logic [31:0] ID = 32'h4154_4530;  // "ATE0"
  localparam logic [31:0] VERSION = 32'h0001_0001;
  localparam logic [3:0] RESERVED_WORD = 4'd15;

  typedef enum logic [2:0] {
    READY,
    WRITE,
    READ,
    READ_DATA,
    ANSWER_B,
    ANSWER_R
  } state_e;
  state_e state_q;
  logic [BITS+4:0] addr_q;  // of words
  logic whole_q, own, odd_q;
  logic [31:0] own_data;
  logic own_good, take_write, take_read;
  assign own            = addr_q[BITS+4];
  assign take_write     = (state_q == READY) & s_axil_awvalid & s_axil_wvalid;
  assign take_read      = (state_q == READY) & s_axil_arvalid & ~take_write;
  assign s_axil_awready = take_write;
  assign s_axil_wready  = take_write;
  assign s_axil_arready = take_read;
  assign s_axil_bvalid  = state_q == ANSWER_B;
  assign s_axil_rvalid  = state_q == ANSWER_R;

  assign table_addr     = addr_q[BITS+3:0];
  logic table_good;
  assign table_good = ~own & (addr_q[3:0] != RESERVED_WORD);
  assign table_wr   = (state_q == WRITE) & table_good & whole_q & ~table_busy;
  assign counter    = addr_q[3:0];

  // Ours: words 0 to 3, counters from word 16 on
  logic own_low;  // among the first 32 words
  assign own_low = own & (addr_q[BITS+3:5] == '0);
  always_comb begin
    own_good = own_low;
    case (addr_q[4:0])
      5'd0: own_data = ID;
      5'd1: own_data = VERSION;
      5'd2: own_data = {16'(MAX_PAYLOAD), 16'(CONNECTIONS - 1)};
      5'd3: own_data = {31'h0, strict};
      default: begin
        own_data = count;
        own_good = own_low & addr_q[4];
      end
    endcase
  end

  logic strict_write;
  assign strict_write = own_low & (addr_q[4:0] == 5'd3) & whole_q;

  always_ff @(posedge clk) begin
    case (state_q)
      READY: begin
        odd_q  <= take_write ? |s_axil_awaddr[1:0] : |s_axil_araddr[1:0];
        addr_q <= take_write ? s_axil_awaddr[BITS+6:2] : s_axil_araddr[BITS+6:2];
        if (take_write) begin
          table_wdata <= s_axil_wdata;
          whole_q     <= &s_axil_wstrb & (s_axil_awaddr[1:0] == 0);
          state_q     <= WRITE;
        end else if (take_read) begin
          state_q <= READ;
        end
      end
      WRITE:
      if (!table_busy) begin
        s_axil_bresp <= {~((table_good & whole_q) | strict_write), 1'b0};
        if (strict_write) strict <= table_wdata[0];
        state_q <= ANSWER_B;
      end
      READ:     state_q <= READ_DATA;
      READ_DATA: begin
        s_axil_rdata <= own ? own_data : table_rdata;
        s_axil_rresp <= {~((table_good | own_good) & ~odd_q), 1'b0};
        state_q      <= ANSWER_R;
      end
      ANSWER_B: if (s_axil_bready) state_q <= READY;
      default:  if (s_axil_rready) state_q <= READY;
    endcase
    if (rst) begin
      state_q <= READY;
      strict  <= 1'b0;
    end
  end

  logic unused;
  assign unused = &{s_axil_awprot, s_axil_arprot};
endmodule
