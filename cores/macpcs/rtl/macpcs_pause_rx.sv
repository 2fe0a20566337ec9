// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Finds PAUSE frames (IEEE 802.3 annex 31B) among the received ones: destination 01-80-C2-00-00-01 or `own_address`,
// type 8808, opcode 0001, and a verdict without any error.  It only looks on; the user gets these frames too.
// Latency: `pause` comes 5 cycles after the frame's last beat, whatever LATENCY is.  `quanta` is a register that stays
// as it is until the next pulse.
//
// Assumes: the beats are those before the FCS is taken off; a frame of fewer than 22 bytes is never good
// (MAC_RX_MIN_PKT_LENGTH), so the quanta are never in the last word, nor are they FCS.
module macpcs_pause_rx
  import macpcs_pkg::*;
#(
    parameter int WIDTH   = 32,  // bits of data that a beat holds
    parameter int LATENCY = 1    // of the verdict: cycles from beat.last to status_valid
) (
    input logic clk,
    input logic rst,

    input logic [47:0] own_address,  // first byte in bits 47:40; does not change while frames come

    input beat_t     beat,          // keep is not looked at: only the last word has one, and that is not of interest
    input logic      status_valid,
    input rx_error_t status,

    output logic        pause,
    output logic [15:0] quanta
);
  if (!(WIDTH inside {16, 32})) begin : gen_bad_width
    $error("macpcs_pause_rx: WIDTH must be 16 or 32");
  end
  if (LATENCY < 0 || LATENCY > 3) begin : gen_bad_latency
    $error("macpcs_pause_rx: LATENCY must be 0 to 3");
  end

  // A frame in 16-bit halves, first byte low:  0..2 destination   3..5 source   6 type   7 opcode   8 quanta
  localparam int LANES = WIDTH / 16;
  localparam logic [2:0][15:0] MULTICAST = {16'h0100, 16'h00c2, 16'h8001};
  localparam logic [7:6][15:0] CONTROL = {16'h0100, 16'h0888};
  localparam int WORDS = 8 / LANES + 1;

  // --- 1: which word of its frame
  logic [WORDS-1:0] next_q, at_q, at_2q;  // one-hot; 0 after the quanta
  logic valid_q, last_q, valid_2q, last_2q;
  logic [WIDTH-1:0] data_q;
  logic [15:0] data_2q, data_3q;  // of use where the quanta are
  always_ff @(posedge clk) begin
    valid_q <= beat.valid & ~rst;
    last_q  <= beat.last;
    data_q  <= beat.data[WIDTH-1:0];
    at_q    <= next_q;
    if (beat.valid) next_q <= beat.last ? WORDS'(1) : {next_q[WORDS-2:0], 1'b0};
    if (rst) next_q <= WORDS'(1);
  end

  // --- 2: every compare, on every word
  logic [2:0] not_multicast_q, not_own_q;
  logic [7:6] not_control_q;
  always_ff @(posedge clk) begin
    for (int h = 0; h < 3; h++) begin
      not_multicast_q[h] <= data_q[16*(h%LANES)+:16] != MULTICAST[h];
      not_own_q[h] <= data_q[16*(h%LANES)+:16] != {own_address[32-16*h+:8], own_address[40-16*h+:8]};
    end
    for (int h = 6; h < 8; h++) not_control_q[h] <= data_q[16*(h%LANES)+:16] != CONTROL[h];
    {valid_2q, last_2q, at_2q, data_2q} <= {valid_q & ~rst, last_q, at_q, data_q[15:0]};
  end

  // --- 3: the ones that the place of the word asks for
  logic wrong_multicast, wrong_own, wrong_control;
  logic wrong_multicast_q, wrong_own_q, wrong_control_q, valid_3q, last_3q, first_3q, quanta_3q;
  always_comb begin
    {wrong_multicast, wrong_own, wrong_control} = '0;
    for (int h = 0; h < 3; h++) begin
      wrong_multicast |= at_2q[h/LANES] & not_multicast_q[h];
      wrong_own |= at_2q[h/LANES] & not_own_q[h];
    end
    for (int h = 6; h < 8; h++) wrong_control |= at_2q[h/LANES] & not_control_q[h];
  end
  always_ff @(posedge clk) begin
    {wrong_multicast_q, wrong_own_q, wrong_control_q} <= {wrong_multicast, wrong_own, wrong_control};
    {valid_3q, last_3q, first_3q, quanta_3q} <= {valid_2q & ~rst, last_2q, at_2q[0], at_2q[WORDS-1]};
    data_3q <= data_2q;
  end

  // --- 4: the frame so far
  logic multicast_q, own_q, control_q, complete_q;  // complete: the quanta too
  logic [15:0] quanta_q;
  logic found_q;
  always_ff @(posedge clk) begin
    if (valid_3q) begin
      multicast_q <= (first_3q | multicast_q) & ~wrong_multicast_q;
      own_q       <= (first_3q | own_q) & ~wrong_own_q;
      control_q   <= (first_3q | control_q) & ~wrong_control_q;
      complete_q  <= (~first_3q & complete_q) | quanta_3q;
      if (quanta_3q) quanta_q <= {data_3q[7:0], data_3q[15:8]};
    end
    found_q <= valid_3q & last_3q & ~first_3q & (multicast_q | own_q) & control_q & complete_q & ~rst;
  end

  // --- 5: the verdict
  logic [3-LATENCY:0] good_q;
  always_ff @(posedge clk) begin
    good_q[0] <= status_valid & (status == '0);
    for (int i = 1; i <= 3 - LATENCY; i++) good_q[i] <= good_q[i-1];
    pause <= found_q & good_q[3-LATENCY] & ~rst;
    if (found_q && good_q[3-LATENCY]) quanta <= quanta_q;
  end
endmodule
