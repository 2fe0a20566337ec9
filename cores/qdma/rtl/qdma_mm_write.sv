// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// AXI4 write master: beats that are in the lanes of their address become bursts; says in order how each has ended.
//
// Latency: 1 cycle from a beat to W; the burst's address leaves with its first beat.  A beat in each cycle, also where every
// burst has one.
//
// Interface: a burst is beats from is_sop to is_eop.  `bytes` counts from lane 0 up to the last byte of the beat.  A burst
// that ends with is_error ends early: the rest of its beats, and that one, enable no byte.  done has is_error or what the
// response says, once for each burst.
//
// Limits: at most BURSTS have no response.  All have the same ID, so responses come in order.
module qdma_mm_write
  import qdma_tlp_pkg::*;
  import qdma_read_pkg::*;
  import qdma_mm_pkg::*;
#(
    parameter int BURSTS = 64
) (
    input logic clk,
    input logic rst,

    input  logic               beat_valid,
    output logic               beat_ready,
    input  beat_t              beat_data,
    input  logic         [6:0] beat_bytes,
    input  logic               beat_sop,
    input  logic               beat_eop,
    input  logic               beat_error,
    input  axi_address_t       beat_burst,
    input  read_error_e        beat_kind,   // with beat_error

    output logic done_valid,
    input logic done_ready,
    output logic done_error,
    output read_error_e done_kind,  // why the burst is not whole; READ_OK: it is

    output logic               aw_valid,
    input  logic               aw_ready,
    output axi_address_t       aw,
    output logic               w_valid,
    input  logic               w_ready,
    output axi_write_t         w,
    input  logic               b_valid,
    output logic               b_ready,
    input  logic         [1:0] b_resp
);
  localparam int BYTES = BEAT_BITS / 8;

  // --- The beat that goes: of the burst, or one that fills it up
  logic fill_q, is_first, is_last, aw_fits, w_fits, may_begin, may_go, goes;
  burst_len_t left_q, left;
  read_error_e kind_q, kind;  // of the error
  logic [BYTES-1:0] enabled;
  assign is_first = beat_sop & ~fill_q;
  assign left = is_first ? beat_burst.len : left_q;
  assign is_last = left == '0;
  assign may_go = w_fits & (~is_first | (aw_fits & may_begin));
  assign goes = may_go & (fill_q | beat_valid);
  assign beat_ready = may_go & ~fill_q;
  assign kind = fill_q ? kind_q : beat_error ? beat_kind : READ_OK;
  always_comb begin
    enabled = ('1 << (is_first ? beat_burst.addr[5:0] : '0)) & ('1 >> (7'(BYTES) - beat_bytes));
    if (fill_q || beat_error) enabled = '0;
  end

  axis_register #(
      .WIDTH($bits(axi_address_t))
  ) address (
      .clk,
      .rst,
      .s_data (beat_burst),
      .s_valid(goes & is_first),
      .s_ready(aw_fits),
      .m_data (aw),
      .m_valid(aw_valid),
      .m_ready(aw_ready)
  );
  axi_write_t line;
  assign line = '{last: is_last, strb: enabled, data: beat_data};
  axis_register #(
      .WIDTH($bits(axi_write_t))
  ) data (
      .clk,
      .rst,
      .s_data (line),
      .s_valid(goes),
      .s_ready(w_fits),
      .m_data (w),
      .m_valid(w_valid),
      .m_ready(w_ready)
  );

  always_ff @(posedge clk) begin
    if (goes) begin
      left_q <= left - 1'b1;
      fill_q <= (fill_q | beat_error) & ~is_last;
      kind_q <= kind;
    end
    if (rst) fill_q <= 1'b0;
  end

  // --- How bursts have ended: what was written of each is known before its response comes
  logic ended_valid, ended_error, answer_valid, answer_error;
  read_error_e ended_kind;
  logic [$clog2(BURSTS):0] bursts_used;
  qdma_small_fifo #(
      .WIDTH(1 + $bits(read_error_e)),
      .DEPTH(BURSTS)
  ) ended (
      .clk,
      .rst,
      .wr_valid(goes & is_last),
      .wr_ready(may_begin),
      .wr_data ({fill_q | beat_error, kind}),
      .rd_valid(ended_valid),
      .rd_ready(done_valid & done_ready),
      .rd_data ({ended_error, ended_kind}),
      .used    (bursts_used)
  );
  axis_register #(
      .WIDTH(1)
  ) answer (
      .clk,
      .rst,
      .s_data(b_resp[1]),  // SLVERR, DECERR
      .s_valid(b_valid),
      .s_ready(b_ready),
      .m_data(answer_error),
      .m_valid(answer_valid),
      .m_ready(done_ready & ended_valid)
  );
  assign done_valid = answer_valid & ended_valid;
  assign done_error = answer_error | ended_error;
  assign done_kind  = ended_kind;

`ifndef SYNTHESIS
  has_cause :
  assert property (@(posedge clk) disable iff (rst) answer_valid |-> ended_valid)
  else $error("qdma_mm_write: a response without a burst");
  ends_in_time :
  assert property (@(posedge clk) disable iff (rst) goes && !fill_q && !beat_error |-> beat_eop == is_last)
  else $error("qdma_mm_write: a burst has not the beats that its address says");
`endif

  logic unused;
  assign unused = &{1'b0, beat_eop, b_resp[0], bursts_used};
endmodule
