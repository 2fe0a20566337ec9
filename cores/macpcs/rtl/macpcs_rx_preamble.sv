// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Checks the preamble of a frame (CHECK_PREAMBLE): 55 55 55 in the half block that holds the start, 55 55 55 in the one
// after it; and the start frame delimiter d5 that follows (CHECK_SFD).  With neither nothing is built.
// Latency: `bad` comes as soon as a wrong word is in word_q, with 16-bit words one cycle later.
//
// A start in lane 0 has both halves in its own block; after one in lane 4 the second half is the first half of the next
// block, which is looked at only if it is a data block: anything else ends the frame there.
module macpcs_rx_preamble
  import macpcs_pkg::*;
#(
    parameter int WIDTH = 32,
    parameter bit CHECK_PREAMBLE = 1'b0,
    parameter bit CHECK_SFD = 1'b1
) (
    input logic clk,
    input logic rst,

    input logic start,  // a start block: in its second slot, with 16-bit words in its third
    input logic start_lane4,  // with start
    input logic half_of_lane4,  // the word that completes is the last of the preamble after a start in lane 4
    input logic [WIDTH-1:0] word_q,

    output logic bad
);
  localparam logic [7:0] P = PREAMBLE;

  if (WIDTH == 32) begin : gen_32
    logic first_q, second_q;  // word_q is this half
    always_ff @(posedge clk) begin
      first_q  <= ~rst & start & start_lane4;
      second_q <= ~rst & ((start & ~start_lane4) | half_of_lane4);
    end
    assign bad = (CHECK_PREAMBLE & ((start & ~start_lane4) | first_q) & (word_q[31:8] != {P, P, P}))
                 | (CHECK_PREAMBLE & second_q & (word_q[23:0] != {P, P, P}))
                 | (CHECK_SFD & second_q & (word_q[31:24] != SFD));
  end else begin : gen_16
    // How the word before word_q compares.  The words of a block come in successive cycles, so the checks are shift
    // registers: lane 0 from the first word, in the cycle of `start`; lane 4 from the third, two cycles later.
    logic low_q, high_q, sfd_q;
    logic [3:1] lane0_q, lane4_q;  // cycles since start
    logic [2:1] half_q;  // cycles since half_of_lane4
    always_ff @(posedge clk) begin
      low_q   <= word_q[7:0] == P;
      high_q  <= word_q[15:8] == P;
      sfd_q   <= word_q[15:8] == SFD;
      lane0_q <= rst ? '0 : {lane0_q[2:1], start & ~start_lane4};
      lane4_q <= rst ? '0 : {lane4_q[2:1], start & start_lane4};
      half_q  <= rst ? '0 : {half_q[1], half_of_lane4};
    end
    assign bad = (CHECK_PREAMBLE & ((start & ~start_lane4) | lane4_q[2]) & ~high_q)
                 | (CHECK_PREAMBLE & (lane0_q[1] | lane0_q[2] | lane4_q[3] | half_q[1]) & ~(low_q & high_q))
                 | ((lane0_q[3] | half_q[2]) & ((CHECK_PREAMBLE & ~low_q) | (CHECK_SFD & ~sfd_q)));
  end
endmodule
