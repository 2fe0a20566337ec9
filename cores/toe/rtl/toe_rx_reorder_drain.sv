// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// From the reorder memory to the user: what RCV.NXT has moved over, in segments of CHUNK bytes at most, the sessions in turn.
// Latency: the first word is out LATENCY + 8 cycles after `put`, then one a cycle.
//
// It has the port while nothing else comes there: `near` says that something may, two cycles or more before, and then the segment
// ends with the next word, its end after it.
module toe_rx_reorder_drain
  import toe_pkg::*;
#(
    parameter int SESSIONS = 64,
    parameter int DEPTH = 16384,
    parameter int CHUNK = 1460,
    parameter int LATENCY = 2,  // of the memory
    localparam int W = $clog2(DEPTH) + 1,
    localparam int AW = $clog2(SESSIONS * DEPTH / 8)
) (
    input logic clk,
    input logic rst,

    input logic        near,
    input logic [15:0] room,

    // A session has something to drain; none that it has here already
    input logic put,
    input sid_t put_sid,
    input logic busy,     // its pointer `in` may be moving

    // Its pointers
    output sid_t         sid,
    input  logic [W-1:0] in,
    input  logic [W-1:0] out,
    output logic         out_wr,
    output logic [W-1:0] out_next,
    output logic         empty,     // with out_wr: it has nothing left here

    output logic          rd_en,
    output logic [AW-1:0] rd_addr,
    input  logic [  63:0] rd_data,

    // As from toe_rx_accept
    output logic        data_valid,
    output logic [31:0] data_word,
    output logic [ 3:0] data_keep,
    output logic        data_first,
    output logic        data_final,
    output logic        data_last
);
  localparam int BITS = $clog2(SESSIONS);
  typedef enum logic [2:0] {
    IDLE,
    LOAD,   // the pointers
    START,  // to read
    RUN,
    LAST,   // the final word is out
    OVER
  } state_e;
  state_e state_q;
  logic [BITS-1:0] sid_q, head;
  logic [W-1:0] pos_q, wait_q, chunk_q, limit_q, left_q, left, bytes, sent_q;
  logic running_q, first, there, go, final_word, again;
  logic waiting;
  logic [31:0] word;

  // --- Sessions, each once
  toe_fifo #(
      .WIDTH(BITS),
      .DEPTH(1 << BITS)
  ) u_turns (
      .clk,
      .rst,
      .wr_valid(put | again),
      .wr_ready(),
      .wr_data (put ? put_sid[BITS-1:0] : sid_q),
      .wr_room (),
      .rd_valid(waiting),
      .rd_ready(state_q == IDLE),
      .rd_data (head)
  );
  assign sid = sid_t'(sid_q);

  // --- Words
  toe_tx_read #(
      .SESSIONS(SESSIONS),
      .RING_BYTES(DEPTH),
      .WIDTH(64),
      .LATENCY(LATENCY)
  ) u_read (
      .clk,
      .rst,
      .step   (rd_en),
      .start  (state_q == START),
      .sid    (sid),
      .seq    (32'(pos_q)),
      .fetched(),
      .first,
      .data   (word),
      .rd_addr,
      .rd_data
  );
  assign there      = first | running_q;
  assign rd_en      = state_q == START | (state_q == RUN & (~there | go));
  assign left       = running_q ? left_q : limit_q;
  assign go         = state_q == RUN & there & (running_q | (~near & (limit_q != 0)));
  assign bytes      = left > W'(running_q ? 4 : 2) ? W'(running_q ? 4 : 2) : left;
  assign final_word = (left == bytes) | near;

  assign out_next   = pos_q + sent_q;
  assign out_wr     = state_q == OVER & ~busy;
  assign empty      = out_next == in;
  assign again      = out_wr & ~empty;
  always_ff @(posedge clk) begin
    data_valid <= go & ~rst;
    data_word  <= word;
    data_keep  <= running_q ? {bytes[2], bytes[2] | (&bytes[1:0]), bytes[2] | bytes[1], 1'b1} : {bytes[1], 3'b100};
    data_first <= go & ~running_q;
    data_final <= go & final_word;
    data_last  <= state_q == LAST & ~rst;
    chunk_q    <= wait_q > W'(CHUNK) ? W'(CHUNK) : wait_q;
    limit_q    <= 17'(chunk_q) > 17'(room) ? W'(room) : chunk_q;
    if (go) begin
      running_q <= 1'b1;
      left_q    <= left - bytes;
      sent_q    <= sent_q + bytes;
    end
    case (state_q)
      IDLE: begin
        sid_q <= head;
        if (waiting) state_q <= LOAD;
      end
      LOAD: begin
        pos_q     <= out;
        wait_q    <= in - out;
        sent_q    <= '0;
        running_q <= 1'b0;
        state_q   <= START;
      end
      START:   state_q <= RUN;
      RUN:     if (go && final_word) state_q <= LAST;
      LAST:    state_q <= OVER;
      default: if (!busy) state_q <= IDLE;
    endcase
    if (rst) state_q <= IDLE;
  end
endmodule
