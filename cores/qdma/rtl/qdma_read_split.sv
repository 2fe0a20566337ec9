// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Cuts a read request into chunks that one read TLP each may ask for.
//
// Latency: a request of one chunk is that 1 cycle after it is accepted, if none is being cut; else the first chunk 2 cycles
// after; then one in each cycle, within requests and between.
//
// Interface: request_ready does not depend on chunk_ready, which comes late: the register of the chunk is two deep.
//
// Operation: the cuts are at multiples of MRRS, or of MAX_CHUNK where that is less.  So a chunk is not longer than MRRS,
// does not cross 4 KiB, and all chunks but the first begin at a line, as completions do.
module qdma_read_split
  import qdma_read_pkg::*;
(
    input logic clk,
    input logic rst,

    input logic [2:0] max_read_request,  // 128 << n bytes

    input  logic          request_valid,
    output logic          request_ready,
    input  read_request_t request,

    output logic   chunk_valid,
    input  logic   chunk_ready,
    output chunk_t chunk
);
  localparam int CUT_BITS = $clog2(MAX_CHUNK);

  typedef logic [CUT_BITS-1:0] place_t;

  logic busy_q, fits, advance, is_single;  // is_single: the request is one chunk
  read_request_t left_q;  // what is not cut yet
  chunk_bytes_t to_cut_q;  // bytes of it up to the next cut
  logic is_last_q;  // that is all of it

  // --- Bytes up to the next cut, of a request and of what will be left: looked at a cycle before they are cut
  place_t below_cut;  // address bits that are below a cut
  place_t after_place;
  logic [15:0] after_bytes;
  chunk_bytes_t bytes, of_request, of_rest;
  always_comb begin
    case (max_read_request)
      3'd0:    below_cut = CUT_BITS'(127);
      3'd1:    below_cut = CUT_BITS'(255);
      3'd2:    below_cut = CUT_BITS'(511);
      default: below_cut = CUT_BITS'(1023);
    endcase
    of_request = {1'b0, ~request.addr[CUT_BITS-1:0] & below_cut} + 1'b1;
    of_rest    = {1'b0, ~after_place & below_cut} + 1'b1;
  end
  assign after_place = left_q.addr[CUT_BITS-1:0] + place_t'(to_cut_q);
  assign after_bytes = left_q.bytes - 16'(to_cut_q);
  assign bytes       = ~busy_q ? chunk_bytes_t'(request.bytes) : is_last_q ? chunk_bytes_t'(left_q.bytes) : to_cut_q;

  // What needs no cut passes the register of what is left.
  read_request_t source;
  assign is_single = request.bytes <= 16'(of_request);
  assign source    = busy_q ? left_q : request;

  logic [CUT_BITS+1:0] span;  // from the begin of the first line, rounded up to lines
  assign span          = (CUT_BITS + 2)'(source.addr[5:0]) + (CUT_BITS + 2)'(bytes) + (CUT_BITS + 2)'(LINE_BYTES - 1);

  assign advance       = busy_q & fits;
  assign request_ready = ~busy_q | (advance & is_last_q);

  chunk_t next;
  assign next = '{
          qid: source.qid,
          func: source.func,
          addr: source.addr,
          bytes: bytes,
          lines: chunk_lines_t'(span >> $clog2(LINE_BYTES)),
          is_last: ~busy_q | is_last_q,
          cookie: source.cookie
      };
  axis_register #(
      .WIDTH($bits(chunk_t))
  ) chunks (
      .clk,
      .rst,
      .s_data (next),
      .s_valid(busy_q | (request_valid & is_single)),
      .s_ready(fits),
      .m_data (chunk),
      .m_valid(chunk_valid),
      .m_ready(chunk_ready)
  );

  always_ff @(posedge clk) begin
    if (advance) begin
      left_q.addr  <= left_q.addr + 64'(to_cut_q);
      left_q.bytes <= after_bytes;
      to_cut_q     <= of_rest;
      is_last_q    <= after_bytes <= 16'(of_rest);
    end
    if (request_ready) begin
      busy_q    <= request_valid & ~(~busy_q & is_single & fits);
      left_q    <= request;
      to_cut_q  <= of_request;
      is_last_q <= is_single;
    end
    if (rst) busy_q <= 1'b0;
  end
endmodule
