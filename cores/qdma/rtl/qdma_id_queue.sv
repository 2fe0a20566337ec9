// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// A queue of ids, each in it at most once, with flags that say why.
//
// Latency: 7 cycles from push to pop_valid, alone; then an id every 6 cycles.
//
// Interface: push has no ready: an id is accepted always, at least 3 cycles after the one before.  pop is held until it
// is accepted.  An id that is pushed before the flags of its pop were read adds its flags to them; after that it is
// queued again.  So no push is lost, and none waits for a later one.
//
// Operation: a RAM has the flags of each id.  A push that finds none queues the id; a pop reads and clears them.  As an
// id is queued at most once, the queue never overflows.  formal/id_queue_keeps.sv proves it.
module qdma_id_queue #(
    parameter int IDS   = 2048,
    parameter int FLAGS = 1
) (
    input logic clk,
    input logic rst,

    output logic clearing,  // after a reset, IDS cycles: a push waits, one at most

    input logic                   push_valid,
    input logic [$clog2(IDS)-1:0] push_id,
    input logic [      FLAGS-1:0] push_flags,  // not 0

    output logic                   pop_valid,
    input  logic                   pop_ready,
    output logic [$clog2(IDS)-1:0] pop_id,
    output logic [      FLAGS-1:0] pop_flags
);
  localparam int ID_BITS = $clog2(IDS);
  typedef logic [ID_BITS-1:0] id_t;
  typedef enum logic [2:0] {
    EMPTY,
    HEAD,     // the id comes from the RAM
    REQUEST,  // waits for the RAM of flags
    FLAGGED,  // the flags are on their way
    SHOWN
  } state_e;
  state_e state_q;
  id_t waiting_id_q, head_id, at_id, write_q, read_q;
  logic [FLAGS-1:0] waiting_flags_q, flags_1_q, flags_2_q, at_flags;
  logic waiting_q, enqueue, take;
  logic [1:0] ready, at;
  logic [ID_BITS:0] count_q;  // in the RAM

  qdma_context_ram #(
      .WIDTH(FLAGS),
      .DEPTH(IDS),
      .PORTS(2)
  ) flags (
      .clk,
      .rst,
      .clearing,
      .req_valid({state_q == REQUEST, waiting_q}),
      .req_ready(ready),
      .req_addr ({pop_id, waiting_id_q}),
      .at,
      .at_addr  (at_id),
      .at_word  (at_flags),
      .write    (2'b11),
      .next     ({FLAGS'(0), at_flags | flags_2_q})
  );
  ram_sdp #(
      .WIDTH(ID_BITS),
      .DEPTH(IDS)
  ) ids (
      .clk,
      .wr_en  (enqueue),
      .wr_addr(write_q),
      .wr_data(at_id),
      .rd_en  (take),
      .rd_addr(read_q),
      .rd_data(head_id)
  );
  assign enqueue   = at[0] & (at_flags == '0);
  assign take      = (state_q == EMPTY) & (count_q != '0);
  assign pop_valid = state_q == SHOWN;

  always_ff @(posedge clk) begin
    if (ready[0]) waiting_q <= 1'b0;
    if (push_valid) begin
      waiting_q       <= 1'b1;
      waiting_id_q    <= push_id;
      waiting_flags_q <= push_flags;
    end
    flags_1_q <= waiting_flags_q;
    flags_2_q <= flags_1_q;
    if (enqueue) write_q <= write_q + 1'b1;
    if (take) read_q <= read_q + 1'b1;
    count_q <= count_q + (ID_BITS + 1)'(enqueue) - (ID_BITS + 1)'(take);

    case (state_q)
      EMPTY:   if (take) state_q <= HEAD;
      HEAD: begin
        pop_id  <= head_id;
        state_q <= REQUEST;
      end
      REQUEST: if (ready[1]) state_q <= FLAGGED;
      FLAGGED: begin
        pop_flags <= at_flags;
        if (at[1]) state_q <= SHOWN;
      end
      default: if (pop_ready) state_q <= EMPTY;
    endcase
    if (rst) begin
      waiting_q <= 1'b0;
      write_q   <= '0;
      read_q    <= '0;
      count_q   <= '0;
      state_q   <= EMPTY;
    end
  end

`ifndef SYNTHESIS
  apart :
  assert property (@(posedge clk) disable iff (rst) push_valid |-> !waiting_q || ready[0])
  else $error("qdma_id_queue: a push before the one before was accepted");
`endif
endmodule
