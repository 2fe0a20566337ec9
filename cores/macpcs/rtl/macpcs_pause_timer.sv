// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Pause timer (IEEE 802.3 annex 31B): `active` for quanta * UNIT_BITS bit times after `load`.
// Latency: active follows load by 2 cycles; then it lasts for quanta * UNIT_BITS / WIDTH cycles with `step`, exactly.
//
// A bit time is that of the MAC, 0.1 ns: one bit of payload.  A transceiver word carries one payload word of WIDTH bits,
// but for one word in 33, the stall: `step` marks the others (macpcs_tx_phase has it).
// A new load counts from then on, whatever is left of the one before; quanta 0 ends the pause at once.
module macpcs_pause_timer #(
    parameter int WIDTH = 32,
    parameter int UNIT_BITS = 512  // bit times of one quantum
) (
    input logic clk,
    input logic rst,

    input logic        load,
    input logic [15:0] quanta,
    input logic        step,

    output logic active
);
  localparam int WORDS_BITS = $clog2(UNIT_BITS / WIDTH);
  if (!(WIDTH inside {16, 32}) || 2 ** WORDS_BITS * WIDTH != UNIT_BITS || WORDS_BITS < 2) begin : gen_bad_unit
    $error("macpcs_pause_timer: WIDTH must be 16 or 32, UNIT_BITS / WIDTH a power of two and at least 4");
  end

  logic load_q, nonzero_q;
  logic [15:0] quanta_q;
  always_ff @(posedge clk) begin
    load_q    <= load & ~rst;
    quanta_q  <= quanta;
    nonzero_q <= quanta != 0;
  end

  logic [WORDS_BITS-1:0] words_q;  // of the present unit
  logic unit_end, unit_end_q;
  logic [15:0] left_q;  // units, this one included; a cycle late, last_q two: a unit has four words at least
  logic last_q;  // left_q is 1
  assign unit_end = step & (&words_q);
  always_ff @(posedge clk) begin
    unit_end_q <= unit_end;
    last_q     <= left_q == 16'd1;
    if (step) words_q <= words_q + 1'b1;
    if (unit_end_q) left_q <= left_q - 16'd1;
    if (unit_end && last_q) active <= 1'b0;
    if (load_q) begin
      words_q    <= '0;
      unit_end_q <= 1'b0;
      left_q     <= quanta_q;
      active     <= nonzero_q;
    end
    if (rst) begin
      words_q    <= '0;
      unit_end_q <= 1'b0;
      left_q     <= '0;
      active     <= 1'b0;
    end
  end
endmodule
