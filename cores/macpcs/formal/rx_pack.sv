// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Proof of macpcs_rx_bridge (with macpcs_rx_pack in it), for any beats at any time, and resets at any time, if each
// frame has a cycle without a beat between the `last` before and its own, and sofs are three cycles apart.  On the fast
// clock, with `second` given: it is high in every other cycle; at the end of such a cycle the user looks.
//   1. The halves that the user gets, in words of two, are those that came in, in order, and so are the ends of frames
//      with keep and status: none lost, repeated or changed.
//   2. Each word is there at the first slow edge after the cycle in which it is complete, or at the one after that if a
//      word before it takes that edge: a word that waits never waits while the user gets none.
//   3. Each sof is high at one slow edge, the first one after its cycle.
module rx_pack
  import macpcs_pkg::*;
#(
    parameter bit INVARIANTS = 1'b1
) (
    input logic      clk,
    input logic      rst,
    input logic      second,
    // Free in every cycle
    input beat_t     beat,
    input rx_error_t status,
    input logic      sof
);
  beat_t out;
  rx_error_t out_status;
  logic out_sof;
  macpcs_rx_bridge dut (
      .clk,
      .rst,
      .second,
      .in       (beat),
      .in_status(status),
      .sof,
      .out,
      .out_status,
      .out_sof
  );

  // --- Environment
  logic began_q = 1'b0, second_q, gap_q;
  logic [1:0] sofs_q;
  always_ff @(posedge clk) begin
    began_q  <= 1'b1;
    second_q <= second;
    gap_q    <= beat.valid ? gap_q & ~beat.last : 1'b1;
    sofs_q   <= {sofs_q[0], sof};
    if (rst) begin
      gap_q  <= 1'b1;
      sofs_q <= 2'b00;
    end
  end
  always_comb begin
    if (!began_q) assume (rst);
    if (began_q) assume (second == !second_q);
    if (beat.valid) assume (beat.last ? gap_q && beat.keep inside {4'h0, 4'h1, 4'h3} : beat.keep == 4'h3);
    if (sof) assume (sofs_q == 0);
  end

  // --- Reference: the halves and ends that the user has not got yet, oldest first
  typedef struct packed {
    logic        last;
    logic [1:0]  keep;    // 0: no half
    logic [15:0] data;
    rx_error_t   status;  // with last
  } half_t;
  localparam int N = 6;
  half_t [N+1:0] queue_q, queue;  // after the user has looked
  logic [3:0] count_q, count;
  logic [2:0] complete_q, complete;  // words that must be on offer; their halves come first
  logic odd_q;  // the newest half has no partner

  // What the user gets: one or two of the queue
  logic got, got_two;
  assign got     = second & out.valid;
  assign got_two = got & ~queue_q[0].last & (count_q >= 2);
  always_comb begin
    queue    = queue_q;
    count    = count_q;
    complete = complete_q;
    if (got) begin
      queue    = got_two ? queue_q >> (2 * $bits(half_t)) : queue_q >> $bits(half_t);
      count    = got_two ? count_q - 4'd2 : count_q - 4'd1;
      complete = complete_q - 3'd1;
    end
  end
  always_ff @(posedge clk) begin
    queue_q    <= queue;
    count_q    <= count;
    complete_q <= complete;
    if (beat.valid) begin
      for (int i = 0; i < N; i++)
      if (count == 4'(i))
        queue_q[i] <= '{last: beat.last, keep: beat.keep[1:0], data: beat.data[15:0], status: status};
      count_q <= count + 4'd1;
      odd_q   <= ~odd_q & ~beat.last;
      if (odd_q || beat.last) complete_q <= complete + 3'd1;
    end
    if (rst) begin
      count_q    <= 4'd0;
      complete_q <= 3'd0;
      odd_q      <= 1'b0;
    end
  end

  function automatic logic same(input half_t half, input logic [1:0] keep, input logic [15:0] data);
    logic [15:0] differs;
    differs = (half.data ^ data) & {{8{keep[1]}}, {8{keep[0]}}};
    return half.keep == keep && differs == 0;
  endfunction

  // --- The claims
  logic sof_due_q;
  always_ff @(posedge clk) sof_due_q <= ~rst & (sof | (sof_due_q & ~second));
  always_comb
    if (began_q && second) begin
      assert (out.valid == (complete_q != 0));
      if (out.valid) begin
        assert (count_q != 0 && same(queue_q[0], out.keep[1:0], out.data[15:0]));
        if (got_two)
          assert (same(queue_q[1], out.keep[3:2], out.data[31:16]));
          else assert (out.keep[3:2] == 0);
        assert (out.last == (got_two ? queue_q[1].last : queue_q[0].last));
        if (out.last) assert (out_status == (got_two ? queue_q[1].status : queue_q[0].status));
      end
      assert (out_sof == sof_due_q);
    end

  // --- Invariants: the queue as the registers hold it
  logic [3:0] out_size, wait_size;
  function automatic logic [3:0] size(input beat_t word, input half_t first);
    return !word.valid ? 4'd0 : first.last ? 4'd1 : 4'd2;
  endfunction
  half_t wait_first, wait_second;
  assign out_size    = size(out, queue_q[0]);
  assign wait_first  = out_size[0] ? queue_q[1] : queue_q[2];
  assign wait_second = out_size[0] ? queue_q[2] : queue_q[3];
  assign wait_size   = size(dut.wait_q, wait_first);
  half_t kept;
  assign kept = queue_q[count_q-4'd1];

  function automatic logic holds(input beat_t word, input rx_error_t flags, input half_t first, input half_t next);
    logic ok;
    ok = same(first, word.keep[1:0], word.data[15:0]);
    if (first.last) ok &= word.last && word.keep[3:2] == 0 && flags == first.status;
    else
      ok &= first.keep == 2'b11 && same(
          next, word.keep[3:2], word.data[31:16]
      ) && word.last == next.last && (!next.last || flags == next.status);
    return ok;
  endfunction

  always_comb
    if (INVARIANTS && began_q) begin
      assert (odd_q == dut.u_pack.kept_q);
      assert (complete_q == {2'b00, out.valid} + {2'b00, dut.wait_q.valid});
      assert (count_q == out_size + wait_size + {3'b000, odd_q});
      if (out.valid) assert (holds(out, out_status, queue_q[0], queue_q[1]));
      if (dut.wait_q.valid) assert (holds(dut.wait_q, dut.wait_status_q, wait_first, wait_second));
      if (odd_q) assert (!kept.last && kept.keep == 2'b11 && kept.data == dut.u_pack.low_q);
      // Why one waiting word is enough
      if (dut.wait_q.valid) assert (out.valid && (second ? !(odd_q && gap_q) : !odd_q && !gap_q));
      assert (out_sof == sof_due_q);
      if (sof_due_q && !second) assert (sofs_q == 2'b01);
    end
endmodule
