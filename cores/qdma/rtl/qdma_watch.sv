// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Finds queues that have work and make no progress.  A tick is the time from a look at a queue to the next look at it.
//
// Latency: stuck is 2 cycles after the look.
//
// Interface: move never waits, and may come in each cycle.  Looks are at least 4 cycles apart.
//
// Operation: each RAM has one writer, so no two meet.  A move makes the queue's bit in `moves` differ from the one in `seen`,
// a look makes them equal again.  A look counts those before it in which the queue had work and had not moved.  A move within
// 2 cycles after a look may count for that look.  So a queue is reported if it has had work, and has not moved, for limit
// ticks less 2 cycles at least, and limit ticks and one more at most (formal/stuck_in_time.sv).
module qdma_watch #(
    parameter int QUEUES = 2048,
    parameter int BITS   = 15
) (
    input logic clk,
    input logic rst,

    input logic                      move,
    input logic [$clog2(QUEUES)-1:0] move_qid,

    input logic                      look,
    input logic [$clog2(QUEUES)-1:0] look_qid,
    input logic                      has_work,
    input logic                      is_fresh,  // it counts from here on
    input logic [          BITS-1:0] limit,     // ticks, 1 or more

    output logic                      stuck,
    output logic [$clog2(QUEUES)-1:0] stuck_qid
);
  typedef logic [$clog2(QUEUES)-1:0] id_t;
  typedef struct packed {
    logic seen;
    logic [BITS-1:0] age;
  } look_t;
  logic move_q, look_q, work_q, fresh_q, seen_of_move, moves_of_look, waits;
  id_t move_qid_q, look_qid_q;
  look_t was, now;

  ram_sdp #(
      .WIDTH(1),
      .DEPTH(QUEUES)
  ) moves (
      .clk,
      .wr_en  (move_q),
      .wr_addr(move_qid_q),
      .wr_data(~seen_of_move),
      .rd_en  (look),
      .rd_addr(look_qid),
      .rd_data(moves_of_look)
  );
  ram_sdp #(
      .WIDTH(1),
      .DEPTH(QUEUES)
  ) seen (
      .clk,
      .wr_en  (look_q),
      .wr_addr(look_qid_q),
      .wr_data(moves_of_look),
      .rd_en  (move),
      .rd_addr(move_qid),
      .rd_data(seen_of_move)
  );
  ram_sdp #(
      .WIDTH($bits(look_t)),
      .DEPTH(QUEUES)
  ) looks (
      .clk,
      .wr_en  (look_q),
      .wr_addr(look_qid_q),
      .wr_data(now),
      .rd_en  (look),
      .rd_addr(look_qid),
      .rd_data(was)
  );

  assign waits = work_q & ~fresh_q & (moves_of_look == was.seen);
  always_comb begin
    now.seen = moves_of_look;
    now.age  = '0;
    if (waits) now.age = (&was.age) ? was.age : was.age + 1'b1;
  end

  always_ff @(posedge clk) begin
    move_q     <= move;
    move_qid_q <= move_qid;
    look_q     <= look;
    look_qid_q <= look_qid;
    work_q     <= has_work;
    fresh_q    <= is_fresh;
    stuck      <= look_q & waits & (now.age >= limit);
    stuck_qid  <= look_qid_q;
    if (rst) {move_q, look_q, stuck} <= '0;
  end
endmodule
