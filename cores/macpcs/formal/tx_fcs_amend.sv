// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Proof of macpcs_tx_fcs with AMEND: the FCS of an amended frame is the CRC of the amended frame.
//
// Write F for 32 shifts of the register.  A word w behind a register r gives F(r ^ w), and F(r ^ w ^ a) = F(r ^ w) ^ F(a) if
// it is amended by a, which comes a step later: the register after all words as they leave takes F(a) with the next word.
// The module has taken w by then and adds F(F(F(a))) two words later.  All of it is sums modulo 2, so it is shown in two parts.
//
// SUMS = 1, a proof: F is linear for any two words (six terms at a time, as crc32_pkg adds them: SAT solvers cannot compare
// longer sums), and what AMEND adds is F(F(F(a))) for each byte of any a, and for a the sum of these.  F is written with the
// formula of crc32_pkg; crc32_words.sv proves that it is 32 shifts.
//
// SUMS = 0, bounded: a search of all runs of six cycles with a frame of whole words, which are zeros, the first and last bit
// of any word amended, and pauses of any kind.  Behind each step in which nothing is amended `crc` is the register after the
// words as they leave; `crc` stands still while `step` is low.
//
// Assumed, as macpcs_tx_frame does: nothing is amended with a frame's first word, nor with the step before it.
module tx_fcs_amend
  import crc32_pkg::*;
#(
    parameter bit INVARIANTS = 1'b1,  // there are none
    parameter bit SUMS = 1'b0
) (
    input logic        clk,
    // Free in every cycle
    input logic        step,
    input logic [31:0] amend,
    input logic [31:0] x,      // any two words
    input logic [31:0] y
);
  logic idle_q = 1'b0;  // there was a step without a frame
  logic began_q = 1'b0;  // there was a first word
  logic [31:0] crc;
  macpcs_tx_fcs #(
      .AMEND(1'b1)
  ) dut (
      .clk,
      .step,
      .first(idle_q && !began_q),
      .data (32'h0),
      .bytes(2'd0),
      .amend,
      .crc
  );

  // --- Sums
  function automatic logic [31:0] six(logic [31:0] word, int part);
    for (int i = 0; i < 32; i++)
    six[i] = ^(word & (part == 0 ? CRC32_MATRIX_32_PART0[i] : part == 1 ? CRC32_MATRIX_32_PART1[i]
                                                                          : CRC32_MATRIX_32_PART2[i]));
  endfunction
  function automatic logic is_linear(logic [31:0] a, logic [31:0] b);
    is_linear = 1'b1;
    for (int part = 0; part < 3; part++) if (six(a ^ b, part) != (six(a, part) ^ six(b, part))) is_linear = 1'b0;
  endfunction
  localparam crc32_matrix_t SHIFTS_96 = crc32_matrix(96);
  logic [3:0][3:0][31:0] only;  // the bytes of `amend`, and what 32, 64 and 96 shifts make of them
  logic [3:0] byte_right;
  logic sum_right;
  always_comb
    for (int i = 0; i < 4; i++) begin
      only[0][i] = amend & (32'hff << (8 * i));
      only[1][i] = crc32_word(only[0][i]);
      only[2][i] = crc32_word(only[1][i]);
      for (int j = 0; j < 32; j++) only[3][i][j] = ^(SHIFTS_96[j] & only[0][i]);
      byte_right[i] = only[3][i] == crc32_word(only[2][i]);
    end
  assign sum_right = dut.gen_amend.late == (only[3][0] ^ only[3][1] ^ only[3][2] ^ only[3][3]);

  if (SUMS) begin : gen_sums
    always_comb begin
      assert (is_linear(x, y));
      assert (&byte_right);
      assert (sum_right);
    end
  end else begin : gen_words
    logic step_q, amended_q;
    logic [31:0] right_q, crc_q;
    always_ff @(posedge clk) begin
      step_q <= step;
      crc_q  <= crc;
      if (step) begin
        idle_q    <= 1'b1;
        began_q   <= idle_q;
        amended_q <= amend != 0;
        right_q   <= crc32_word(began_q ? right_q ^ crc32_word(amend) : CRC32_INIT);
      end
    end
    always_comb begin
      assume ((amend & 32'h7ffffffe) == 0);
      if (!began_q) assume (amend == 0);
    end
    always_comb
      if (began_q) begin
        if (!amended_q) assert (crc == right_q);
        if (!step_q) assert (crc == crc_q);
      end
  end
endmodule
