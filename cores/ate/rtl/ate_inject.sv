// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// What software sends: whole transmit chunks in, frames for the engine out.
//
// A chunk, little-endian, four bytes a word:
//
//   word   31..16                     15..0
//   0      slot                       feedback id          (whoever fetches chunks uses these)
//   1      flags 8, type 8            length: bytes after word 1
//   type 1, raw:
//   2      frame bytes 0-1            2 pad bytes
//   3..    frame bytes 4-5            frame bytes 2-3      and so on
//   type 2, a payload for a connection:
//   2      checksum                   2 pad bytes
//   3      reserved                   connection
//   4-6    reserved
//   7..    payload
//
// The checksum is the sum that payload_csum is, folded to 16 bits, big-endian.
//
// Latency: a frame is offered 6 (raw) to 10 cycles after the last word of its chunk, if nothing is before it.
//
// A chunk that is of no known type, or whose words are not those that length asks for, or that is longer than
// MAX_PAYLOAD (raw: that and all headers) allows, is dropped, and bad_chunk reports it.  s_host_tready is low only
// between chunks.
module ate_inject
  import ate_pkg::*;
#(
    parameter int MAX_PAYLOAD = 1460,
    parameter int DEPTH = 1024  // words
) (
    input logic clk,
    input logic rst,

    input  logic [31:0] s_host_tdata,
    input  logic        s_host_tvalid,
    output logic        s_host_tready,
    input  logic        s_host_tlast,

    output logic bad_chunk,

    output source_t host,
    input  logic    host_ack,
    input  logic    host_refuse
);
  localparam int MAX_FRAME = MAX_PAYLOAD + 58;  // raw, with a VLAN tag
  localparam int LIMIT = (10 + MAX_FRAME + 3) / 4;  // words of a chunk
  localparam logic [7:0] TYPE_RAW = 8'd1;
  localparam logic [7:0] TYPE_TCP = 8'd2;
  localparam int PAD_RAW = 2, PAD_TCP = 20;
  if (DEPTH < LIMIT + 4) begin : gen_shallow
    $error("ate_inject: HOST_DEPTH must hold a chunk of MAX_PAYLOAD bytes");
  end

  // --- Writer: is it a chunk?
  logic [11:0] count_q, words_q;  // words so far, words that length asks for; both less one
  logic ok_q, put, room, last_good;
  logic [15:0] length;
  logic [ 7:0] kind;
  assign length        = s_host_tdata[15:0];
  assign kind          = s_host_tdata[23:16];
  assign put           = s_host_tvalid & s_host_tready;
  // Not beside bad_chunk, so that two of these are two cycles apart: ate_counters.
  assign s_host_tready = (room & ~bad_chunk) | (count_q != 0);
  assign last_good     = ok_q & (count_q == words_q) & (count_q >= 2);
  always_ff @(posedge clk) begin
    if (put) begin
      count_q <= s_host_tlast ? 12'd0 : count_q == 12'(LIMIT) ? count_q : count_q + 1'b1;
      if (count_q == 1) begin
        words_q <= 12'((17'(length) + 17'd7) >> 2);
        ok_q <= (kind == TYPE_RAW && length > 16'(PAD_RAW) && length <= 16'(PAD_RAW + MAX_FRAME))
                || (kind == TYPE_TCP && length >= 16'(PAD_TCP) && length <= 16'(PAD_TCP + MAX_PAYLOAD));
      end
    end
    bad_chunk <= put & s_host_tlast & ~last_good & ~rst;
    if (rst) count_q <= '0;
  end

  logic valid, last, pop;
  logic [31:0] data;
  frame_fifo #(
      .WIDTH(32),
      .DEPTH(DEPTH),
      .NEED (LIMIT + 4)
  ) u_fifo (
      .clk,
      .rst,
      .wr_valid(put & (count_q != 12'(LIMIT) | s_host_tlast)),
      .wr_data (s_host_tdata),
      .wr_last (s_host_tlast),
      .wr_drop (~last_good),
      .room,
      .rd_valid(valid),
      .rd_data (data),
      .rd_last (last),
      .rd_ready(pop)
  );

  // --- Reader
  typedef enum logic [1:0] {
    HEAD,   // words up to the payload, or up to the first bytes of a raw frame
    FIRST,  // the first word is on its way or on offer
    REST,
    FLUSH   // refused
  } state_e;
  state_e state_q;
  logic [2:0] word_q;
  logic [15:0] length_q, conn_q, csum_q, hold_q;
  logic raw_q, held_q;  // held_q: no word of the FIFO belongs to the next one
  logic put_out, end_out, shown_q, last_q, ended_q;
  logic [31:0] data_q;
  // A raw frame's last bytes may be all in hold_q; a payload of no bytes has no word.
  assign end_out     = held_q | (last & ~(raw_q & (length_q[1:0] inside {2'd1, 2'd2})));
  assign put_out     = (state_q inside {FIRST, REST}) & ~ended_q & (~shown_q | host_ack);
  assign pop         = (state_q == HEAD) | (state_q == FLUSH) | (put_out & ~held_q);

  assign host.sof    = (state_q == FIRST) & shown_q;
  assign host.eof    = last_q;
  assign host.len    = length_q[1:0];
  assign host.raw    = raw_q;
  assign host.data   = data_q;
  assign host.conn   = conn_q;
  assign host.length = length_q;
  assign host.csum   = {16'h0, csum_q};

  always_ff @(posedge clk) begin
    if (put_out) begin
      data_q  <= raw_q ? {data[15:0], hold_q} : data;
      last_q  <= end_out;
      ended_q <= end_out;
      hold_q  <= data[31:16];
      held_q  <= last;
    end
    shown_q <= put_out | (shown_q & ~host_ack & ~host_refuse);
    case (state_q)
      HEAD:
      if (valid) begin
        word_q  <= word_q + 1'b1;
        hold_q  <= data[31:16];
        ended_q <= 1'b0;
        case (word_q)
          3'd1: begin
            raw_q    <= data[23:16] == TYPE_RAW;
            length_q <= data[15:0] - (data[23:16] == TYPE_RAW ? 16'(PAD_RAW) : 16'(PAD_TCP));
          end
          3'd2: csum_q <= swap16(data[31:16]);
          3'd3: conn_q <= data[15:0];
          default: ;
        endcase
        if (word_q == (raw_q ? 3'd2 : 3'd6)) begin
          state_q <= FIRST;
          held_q  <= last;
        end
      end
      FIRST, REST: begin
        if (host_refuse) state_q <= ended_q ? HEAD : FLUSH;
        else if (host_ack) state_q <= last_q ? HEAD : REST;
        word_q <= '0;
      end
      default: if (valid && last) state_q <= HEAD;
    endcase
    if (rst) begin
      state_q <= HEAD;
      word_q  <= '0;
      shown_q <= 1'b0;
    end
  end
endmodule
