// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// The queues that may have work, in the order in which they are served: round robin.
//
// Latency: the queue of an event is provided 1 cycle later if none is listed or provided.  A queue that `again` activates is
// provided 3 cycles later then, if no event comes meanwhile.
//
// Interface: a doorbell event activates its queue and never waits, if none came in the cycle before.  `again` activates
// one with valid and ready.  qid is provided with valid, and taken in a cycle with take.  An activation of a queue that is
// listed adds nothing; one that comes after its queue was provided lists it again.
//
// Operation: a FIFO of queues, and a bit a queue that says whether it is in there.  So it cannot overflow, and a queue
// waits for each other queue at most once.  An event that finds the FIFO empty, and nothing on its way into it or out of it,
// passes it by: its queue is provided, so it is not listed.  The bits are cleared after a reset, which takes QUEUES cycles;
// no event may come meanwhile.
//
// formal/active_fair.sv proves: no activation is lost, none is served twice, a queue waits for at most QUEUES others.
module qdma_active #(
    parameter int QUEUES = 2048
) (
    input logic clk,
    input logic rst,

    output logic clearing,

    input  logic                      event_valid,
    input  logic [$clog2(QUEUES)-1:0] event_qid,
    input  logic                      again_valid,
    output logic                      again_ready,
    input  logic [$clog2(QUEUES)-1:0] again_qid,

    output logic                      valid,
    output logic [$clog2(QUEUES)-1:0] qid,
    output logic                      more,   // others are listed after it
    input  logic                      take
);
  localparam int BITS = $clog2(QUEUES);
  typedef logic [BITS-1:0] qid_t;

  logic listed[QUEUES];
  logic [BITS:0] wr_ptr_q, rd_ptr_q;
  qid_t event_qid_q, clear_qid_q, active_qid, write_qid, fetched_qid;
  logic event_q, fetch, fetched_q, unlist, activate, push, pass;

  // --- One activation, or the unlisting of what is to be provided, in a cycle
  assign unlist      = fetched_q & ~valid & ~event_q;
  assign again_ready = ~event_q & ~unlist & ~clearing;
  assign activate    = event_q | (again_valid & again_ready);
  assign active_qid  = event_q ? event_qid_q : again_qid;
  assign push        = activate & ~listed[active_qid];
  assign more        = rd_ptr_q != wr_ptr_q;
  assign fetch       = more & ~fetched_q & (~valid | take);
  assign pass        = event_valid & ~more & ~fetched_q & ~valid & ~activate;

  always_comb begin
    if (clearing) write_qid = clear_qid_q;
    else if (unlist) write_qid = fetched_qid;
    else write_qid = active_qid;
  end

  ram_sdp #(
      .WIDTH(BITS),
      .DEPTH(QUEUES)
  ) fifo (
      .clk,
      .wr_en  (push),
      .wr_addr(wr_ptr_q[BITS-1:0]),
      .wr_data(active_qid),
      .rd_en  (fetch),
      .rd_addr(rd_ptr_q[BITS-1:0]),
      .rd_data(fetched_qid)
  );

  always_ff @(posedge clk) begin
    event_q     <= event_valid & ~pass;
    event_qid_q <= event_qid;
    if (clearing || unlist || activate) listed[write_qid] <= ~clearing & ~unlist;
    if (push) wr_ptr_q <= wr_ptr_q + 1'b1;
    if (fetch) rd_ptr_q <= rd_ptr_q + 1'b1;
    fetched_q <= fetch | (fetched_q & ~unlist);
    valid     <= unlist | pass | (valid & ~take);
    if (unlist) qid <= fetched_qid;
    else if (pass) qid <= event_qid;

    if (clearing) clear_qid_q <= clear_qid_q + 1'b1;
    if (clear_qid_q == '1) clearing <= 1'b0;
    if (rst) begin
      event_q     <= 1'b0;
      wr_ptr_q    <= '0;
      rd_ptr_q    <= '0;
      fetched_q   <= 1'b0;
      valid       <= 1'b0;
      clearing    <= 1'b1;
      clear_qid_q <= '0;
    end
  end
endmodule
