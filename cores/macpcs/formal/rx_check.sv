// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Proof of macpcs_rx_check, for any frames and pauses, and resets at any time: with the last beat of a frame, or one
// cycle later, the verdict says
//   fcs        the CRC register after all bytes of the frame is not CRC32_RESIDUE (and the frame was not cut short)
//   runt       fewer bytes than MIN_BYTES
//   oversize   more bytes than MAX_BYTES
//
// The reference shifts the last 0..4 bytes in one bit at a time.  It takes the words before by crc32_word; crc32_words.sv
// proves that this is 32 serial shifts, and that the residue means an FCS field that fits.
//
// Assumed: what macpcs_rx_decode gives.  keep is f before the last beat, and 0, 1, 3, 7 or f there.
module rx_check
  import macpcs_pkg::*, crc32_pkg::crc32_word;
#(
    parameter bit INVARIANTS = 1'b1,
    parameter int LATENCY = 1,
    parameter int MIN_BYTES = 64,
    parameter int MAX_BYTES = 9622
) (
    input logic  clk,
    input logic  rst,
    // Free in every cycle
    input beat_t beat,
    input logic  code_error
);
  beat_t beat_q;
  logic status_valid;
  rx_error_t status;
  macpcs_rx_check #(
      .LATENCY  (LATENCY),
      .MIN_BYTES(MIN_BYTES),
      .MAX_BYTES(MAX_BYTES)
  ) dut (
      .clk,
      .rst,
      .beat,
      .code_error,
      .beat_q,
      .status_valid,
      .status
  );

  logic began_q = 1'b0;
  always_ff @(posedge clk) began_q <= 1'b1;
  always_comb begin
    if (!began_q) assume (rst);
    if (beat.last)
      assume (beat.keep inside {4'h0, 4'h1, 4'h3, 4'h7, 4'hf});
      else assume (beat.keep == 4'hf);
  end

  // --- Reference
  logic [31:0] crc_q, crc;
  logic [15:0] length_q;  // bytes before this beat; beyond 65528 it is not counted on
  logic [16:0] length;
  rx_error_t expected, expected_q;
  logic  last_q;
  beat_t given_q;
  always_comb begin
    crc    = crc_q;
    length = {1'b0, length_q};
    for (int i = 0; i < 4; i++)
    if (beat.keep[i]) begin
      length = length + 17'd1;
      crc    = crc ^ {24'h0, beat.data[8*i+:8]};
      for (int j = 0; j < 8; j++) crc = (crc >> 1) ^ (crc[0] ? 32'hedb88320 : 32'h0);
    end
    expected.fcs      = crc != 32'hdebb20e3 && !code_error;
    expected.code     = code_error;
    expected.runt     = length < 17'(MIN_BYTES);
    expected.oversize = length > 17'(MAX_BYTES);
  end
  always_ff @(posedge clk) begin
    expected_q <= expected;
    last_q     <= beat.valid & beat.last & ~rst;
    given_q    <= beat;
    if (beat.valid) begin
      crc_q    <= beat.last ? 32'hffffffff : crc32_word(crc_q ^ beat.data);
      length_q <= beat.last ? 16'd0 : length_q >= 16'd65528 ? length_q : length_q + 16'd4;
    end
    if (rst) begin
      crc_q    <= 32'hffffffff;
      length_q <= 16'd0;
    end
  end

  // --- The claim
  always_comb
    if (began_q) begin
      assert (status_valid == (LATENCY == 0 ? beat.valid & beat.last : last_q));
      if (status_valid) assert (status == (LATENCY == 0 ? expected : expected_q));
    end

  // --- Invariants that make the claim inductive
  localparam int TOP = MAX_BYTES / 4 + 1;
  logic [15:0] words;
  assign words = length_q >> 2;
  always_comb
    if (INVARIANTS && began_q) begin
      assert (crc_q == (dut.beat_q.valid && dut.beat_q.last ? 32'hffffffff : dut.crc_next));
      assert (length_q[1:0] == 0 && length_q <= 65528);
      assert (dut.words_next == (words > TOP ? TOP : words));
      assert (last_q == (beat_q.valid && beat_q.last));
      if (beat_q.valid) assert (beat_q == given_q);
      if (last_q && LATENCY != 0) assert (status == expected_q);
    end
endmodule
