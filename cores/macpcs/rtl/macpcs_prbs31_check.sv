// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// PRBS31 checker (IEEE 802.3 clause 49.2.12): finds its own place in the pattern and counts the wrong bits of each
// transceiver word.
// Latency: `errors` is that of `data` and `enable` 7 cycles before (WIDTH = 16), 8 (WIDTH = 32).
//
// A wrong bit makes three mismatches, where it comes and where it passes the taps, 28 and 31 bits later.  The standard
// wants one count for each isolated bit error: a mismatch is not counted 28 or 31 bits after one that was.  Errors 28
// or 31 bits apart come out wrong by one or two (three for two, or so); others, if no third is near, are exact.
// On anything else about a quarter of the bits is counted, and never none for long.
//
// All ones satisfies the recurrence of the inverted pattern, but no 32 bits of it are all ones: a line that is stuck
// there counts one error a word.
//
// The history is kept while `enable` is low, so nothing false is counted when it rises on a good line.
module macpcs_prbs31_check #(
    parameter int WIDTH = 32
) (
    input logic clk,

    input logic             enable,
    input logic [WIDTH-1:0] data,    // of the transceiver, bit 0 first

    output logic [$clog2(WIDTH):0] errors  // 0 .. WIDTH
);
  if (!(WIDTH inside {16, 32})) begin : gen_bad_width
    $error("macpcs_prbs31_check: WIDTH must be 16 or 32");
  end

  // --- Mismatches
  logic [30:0] past_q;
  logic [WIDTH-1:0] data_q, mismatch_q;
  logic [WIDTH+30:0] line;
  logic ones_q, ones_before_q;
  assign line = {data_q, past_q};
  always_ff @(posedge clk) begin
    data_q        <= data;
    past_q        <= line[WIDTH+30:WIDTH];
    ones_q        <= &data_q;
    ones_before_q <= ones_q;
    mismatch_q    <= ~(line[31+:WIDTH] ^ line[3+:WIDTH] ^ line[0+:WIDTH]);
  end

  // --- Those that are not the echo of one that was counted
  logic [30:0] past_counted_q;  // the latest is bit 30
  logic [WIDTH-1:0] counted;
  // In whole words, which a simulator likes: the first 28 bits hang on the past alone, the last four on them too.
  if (WIDTH == 16) begin : gen_echoes_16
    assign counted = mismatch_q & ~(past_counted_q[18:3] | past_counted_q[15:0]);
  end else begin : gen_echoes_32
    assign counted[27:0]  = mismatch_q[27:0] & ~(past_counted_q[30:3] | past_counted_q[27:0]);
    assign counted[30:28] = mismatch_q[30:28] & ~(counted[2:0] | past_counted_q[30:28]);
    assign counted[31]    = mismatch_q[31] & ~(counted[3] | counted[0]);
  end
  logic [WIDTH-1:0] count_q;
  logic stuck_q;
  always_ff @(posedge clk) begin
    past_counted_q <= 31'({counted, past_counted_q} >> WIDTH);
    count_q <= counted;
    stuck_q <= ones_q & (ones_before_q | (WIDTH == 32));
  end

  // --- Their sum: a tree of registers, four bits at first, then two sums to one
  localparam int LEVELS = $clog2(WIDTH) - 2;
  logic [WIDTH/4-1:0][2:0] four_q;
  always_ff @(posedge clk) begin
    for (int i = 0; i < WIDTH / 4; i++) begin
      four_q[i] <= 3'(count_q[4*i]) + 3'(count_q[4*i+1]) + 3'(count_q[4*i+2]) + 3'(count_q[4*i+3]);
    end
  end
  for (genvar level = 0; level < LEVELS; level++) begin : gen_level
    localparam int N = WIDTH / 8 >> level;
    localparam int BITS = 3 + level;
    logic [2*N-1:0][BITS-1:0] in;
    logic [  N-1:0][  BITS:0] sum_q;
    if (level == 0) begin : gen_first
      assign in = four_q;
    end else begin : gen_next
      assign in = gen_level[level-1].sum_q;
    end
    always_ff @(posedge clk) begin
      for (int i = 0; i < N; i++) sum_q[i] <= {1'b0, in[2*i]} + {1'b0, in[2*i+1]};
    end
  end

  // --- What goes with it
  logic [LEVELS+3:0] enable_q;
  logic [LEVELS:0] stuck_late_q;
  logic [$clog2(WIDTH):0] sum;
  assign sum = gen_level[LEVELS-1].sum_q;
  always_ff @(posedge clk) begin
    enable_q     <= {enable_q[LEVELS+2:0], enable};
    stuck_late_q <= {stuck_late_q[LEVELS-1:0], stuck_q};
    errors       <= sum;
    if (sum == 0 && stuck_late_q[LEVELS]) errors <= ($clog2(WIDTH) + 1)'(1);
    if (!enable_q[LEVELS+3]) errors <= '0;
  end
endmodule
