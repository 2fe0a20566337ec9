// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Frame check sequence of the transmitter, for a last word of any length with one CRC matrix (see crc32_pkg).
// Latency: `fcs` is that of the frame up to and including the word given in the step before.
//
// The register is kept ready for the matrix: already XORed with the data and, for a last word of 1..3 bytes, moved up
// beside them; the bytes of the old register that such a word does not use up wait in `rest_q`.
module macpcs_tx_fcs
  import crc32_pkg::*;
(
    input logic clk,

    input logic        step,
    input logic        first,  // the word is the first of a frame
    input logic [31:0] data,   // unused bytes are zero
    input logic [ 1:0] bytes,  // 1..3 for a shorter last word, else 0
    input logic        poison, // give a wrong FCS: the complement

    output logic [31:0] fcs
);
  logic [31:0] matrix_in_q, rest_q;
  logic [31:0] crc, crc_old;

  assign crc     = crc32_word(matrix_in_q) ^ rest_q;
  assign crc_old = first ? CRC32_INIT : crc;
  assign fcs     = poison ? crc : ~crc;

  always_ff @(posedge clk) begin
    if (step) begin
      case (bytes)
        2'd1: begin
          matrix_in_q <= {crc_old[7:0] ^ data[7:0], 24'h0};
          rest_q      <= {8'h0, crc_old[31:8]};
        end
        2'd2: begin
          matrix_in_q <= {crc_old[15:0] ^ data[15:0], 16'h0};
          rest_q      <= {16'h0, crc_old[31:16]};
        end
        2'd3: begin
          matrix_in_q <= {crc_old[23:0] ^ data[23:0], 8'h0};
          rest_q      <= {24'h0, crc_old[31:24]};
        end
        default: begin
          matrix_in_q <= crc_old ^ data;
          rest_q      <= 32'h0;
        end
      endcase
    end
  end
endmodule
