// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Whether a block of the peer's can be of what is under way, and where: it begins after SND.UNA (a block there or before is
// RFC 2883's, or nonsense), has a byte, and ends at SND.NXT at most.  Combinational, from differences.
module toe_sack_check #(
    parameter int WIDTH = 18
) (
    input logic [     31:0] left,   // from SND.UNA on
    input logic [     31:0] right,
    input logic [WIDTH-1:0] flight, // SND.NXT, from there

    output logic good
);
  assign good = (left != 0) & (left < right) & (right <= 32'(flight));
endmodule
