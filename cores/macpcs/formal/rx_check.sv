// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Proof of macpcs_rx_check, both widths, each latency, for any frames and pauses, and resets at any time: LATENCY
// cycles after the last beat of a frame, and only there, the verdict says
//   fcs        the CRC register after all bytes of the frame is not CRC32_RESIDUE (and the frame was not cut short);
//              with CRC32_DISABLE never
//   runt       fewer bytes than MIN_BYTES
//   oversize   more bytes than max_length, which has any value
// a cycle later `length` is the number of bytes, or 65535 if they are more; and beat_q is the beat of the cycle before.
//
// With that, and asserted on its own below ("silent"): the data of a frame whose FCS is wrong never pass without an
// error flag; whatever the beats, the last one is followed by a verdict that has fcs or code set.  (Not with
// CRC32_DISABLE.)
//
// The reference shifts the last bytes in one bit at a time.  It takes the words before by crc32_word and
// crc32_halfword; crc32_words.sv and tx_fcs_shift.sv prove that these are 32 and 16 serial shifts, and the former that
// the residue means an FCS field that fits.
//
// Assumed: what macpcs_rx_decode gives.  keep is full before the last beat, and there 0 or its lowest ones; what lies
// beyond a word of 16 bits is zero.  max_length is constant: any value with CRC32_DISABLE, which changes nothing about
// lengths and is proved in the same cases; 9622 without it, to spare the solver.
module rx_check
  import macpcs_pkg::*, crc32_pkg::*;
#(
    parameter bit INVARIANTS = 1'b1,
    parameter int WIDTH = 32,
    parameter int LATENCY = 1,
    parameter int MIN_BYTES = 64,
    parameter bit CRC32_DISABLE = 1'b0
) (
    input logic clk,
    input logic rst,
    // Free in every cycle
    input beat_t beat,
    input logic code_error,
    input logic [15:0] max_length  // only in the first one
);
  localparam int BYTES = WIDTH / 8;
  localparam logic [3:0] FULL = 4'hf >> (4 - BYTES);

  beat_t beat_q;
  logic status_valid;
  rx_error_t status;
  logic [15:0] length_seen;
  macpcs_rx_check #(
      .WIDTH        (WIDTH),
      .LATENCY      (LATENCY),
      .MIN_BYTES    (MIN_BYTES),
      .CRC32_DISABLE(CRC32_DISABLE)
  ) dut (
      .clk,
      .rst,
      .max_length,
      .beat,
      .code_error,
      .beat_q,
      .status_valid,
      .status,
      .length(length_seen)
  );

  logic began_q = 1'b0;
  logic [15:0] max_length_q;
  always_ff @(posedge clk) begin
    began_q      <= 1'b1;
    max_length_q <= max_length;
  end
  always_comb begin
    if (!began_q) assume (rst);
    if (began_q) assume (max_length == max_length_q);
    if (!CRC32_DISABLE) assume (max_length == 16'd9622);
    if (beat.last)
      assume (beat.keep inside {4'h0, 4'h1, 4'h3, 4'h7, 4'hf} && beat.keep <= FULL);
      else assume (beat.keep == FULL);
    if (WIDTH == 16) assume (beat.data[31:16] == 0);
  end

  // --- Reference
  logic [31:0] crc_q, crc;
  logic [16:0] length_q;  // bytes before this beat; beyond 65536 it is not counted on
  logic [16:0] length;
  typedef struct packed {
    logic        last;
    logic        wrong;   // the FCS
    rx_error_t   status;
    logic [15:0] length;
  } verdict_t;
  verdict_t [2:0] expected;  // of this cycle's beat, of the one before, and before that
  beat_t given_q;
  always_comb begin
    crc    = crc_q;
    length = length_q;
    for (int i = 0; i < BYTES; i++)
    if (beat.keep[i]) begin
      length = length + 17'd1;
      crc    = crc ^ {24'h0, beat.data[8*i+:8]};
      for (int j = 0; j < 8; j++) crc = (crc >> 1) ^ (crc[0] ? 32'hedb88320 : 32'h0);
    end
    expected[0].last            = beat.valid & beat.last;
    expected[0].wrong           = crc != 32'hdebb20e3;
    expected[0].status.fcs      = expected[0].wrong && !code_error && !CRC32_DISABLE;
    expected[0].status.code     = code_error;
    expected[0].status.runt     = length < 17'(MIN_BYTES);
    expected[0].status.oversize = length > {1'b0, max_length};
    expected[0].length          = length[16] ? 16'hffff : length[15:0];
  end
  always_ff @(posedge clk) begin
    expected[2:1] <= expected[1:0];
    given_q       <= beat;
    if (beat.valid) begin
      crc_q <= beat.last ? 32'hffffffff : WIDTH == 32 ? crc32_word(
          crc_q ^ beat.data
      ) : {16'h0, crc_q[31:16]} ^ crc32_halfword(
          crc_q[15:0] ^ beat.data[15:0]
      );
      length_q <= beat.last ? 17'd0 : length_q[16] ? length_q : length_q + 17'(BYTES);
    end
    if (rst) begin
      crc_q            <= 32'hffffffff;
      length_q         <= 17'd0;
      given_q.valid    <= 1'b0;
      expected[1].last <= 1'b0;
      expected[2].last <= 1'b0;
    end
  end

  // --- The claim, said a cycle late: the invariants then hold already, which spares the solver a sum of sums
  logic verdict_ok, silent_ok, verdict_ok_q = 1'b1, silent_ok_q = 1'b1;
  logic        judged_q = 1'b0;
  logic [15:0] length_wanted_q;
  assign verdict_ok = status_valid == expected[LATENCY].last && (!status_valid || status == expected[LATENCY].status);
  assign silent_ok = CRC32_DISABLE || !(expected[LATENCY].last && expected[LATENCY].wrong)
                     || (status_valid && (status.fcs || status.code));
  always_ff @(posedge clk) begin
    verdict_ok_q    <= verdict_ok | ~began_q;
    silent_ok_q     <= silent_ok | ~began_q;
    judged_q        <= expected[LATENCY].last & began_q;
    length_wanted_q <= expected[LATENCY].length;
  end
  always_comb begin
    assert (verdict_ok_q);
    assert (silent_ok_q);
    if (judged_q) assert (length_seen == length_wanted_q);
    if (began_q) assert (beat_q.valid == given_q.valid);
    if (began_q && beat_q.valid) assert (beat_q == given_q);
  end

  // --- Invariants that make the claim inductive
  logic [16:0] words;
  rx_error_t found;  // what the registers of the last beat amount to
  logic [1:0] found_longer;
  logic [16:0] found_bytes;
  assign found_bytes = {dut.partial_next.words, dut.partial_next.bytes};
  assign words = length_q / 17'(BYTES);
  assign found_longer = dut.partial_next.past | (dut.partial_next.equal & dut.partial_next.beyond);
  assign found.fcs = (dut.partial_next.wrong != 0) & ~dut.partial_next.code;
  assign found.code = dut.partial_next.code;
  assign found.runt = ~found_longer[0];
  assign found.oversize = found_longer[1];
  if (!CRC32_DISABLE) begin : gen_crc
    always_comb
      if (INVARIANTS && began_q) assert (crc_q == (beat_q.valid && beat_q.last ? 32'hffffffff : dut.gen_fcs.crc_next));
  end
  if (WIDTH == 16 && LATENCY != 0) begin : gen_ahead
    always_comb
      if (INVARIANTS && began_q) begin
        assert (dut.gen_ahead.after_q == dut.words_q + 1'b1 && dut.gen_ahead.some_q == (dut.words_q != 0));
        assert (dut.at_limit[0] == (dut.words_q[14:0] == 15'((MIN_BYTES - 1) / 2)));
        assert (dut.at_limit[1] == (dut.words_q[14:0] == max_length[15:1]));
      end
    if (!CRC32_DISABLE && LATENCY == 1) begin : gen_due
      logic [15:0] due;
      always_comb begin
        due = 16'(CRC32_RESIDUE);
        if (beat_q.keep[0]) due = 16'(crc32_unshift(CRC32_RESIDUE, 8)) ^ {8'h0, beat_q.data[7:0]};
        if (beat_q.keep[1]) due = 16'(crc32_unshift(CRC32_RESIDUE, 16)) ^ beat_q.data[15:0];
        if (INVARIANTS && began_q && beat_q.valid) assert (dut.gen_fcs.gen_due_ahead.low_q == due);
      end
    end
  end
  always_comb
    if (INVARIANTS && began_q) begin
      assert (length_q % 17'(BYTES) == 0 && length_q <= 65536);
      assert (dut.words_next == words);
      assert (dut.past_next[0] == (words > (MIN_BYTES - 1) / BYTES));
      assert (dut.past_next[1] == (words > max_length / BYTES));
      assert (expected[1].last == (beat_q.valid && beat_q.last));
      if (expected[1].last && LATENCY != 0) begin
        assert (found == expected[1].status);
        assert (expected[1].length == (found_bytes[16] ? 16'hffff : found_bytes[15:0]));
      end
      for (int i = 1; i <= 2; i++)
      if (!CRC32_DISABLE && expected[i].last && expected[i].wrong)
        assert (expected[i].status.fcs || expected[i].status.code);
    end
endmodule
