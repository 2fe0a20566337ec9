// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// An inline packet into the user's data of its completion entry, in dwords 1 to 15.  Dword 0 keeps what the contract has
// there, and the user's 12 bits above it.
//
// Latency: none, combinational.
//
// Operation: bytes after the packet are zeros.  The format is that of the contract, whatever the user says: else the place of
// the colour could be within the packet.  A packet that is not inline keeps what the user says.
module qdma_c2h_inline
  import qdma_tlp_pkg::*;
  import qdma_c2h_pkg::*;
#(
    parameter bit INLINE = 1'b0
) (
    input  logic            is_inline,
    input  logic      [5:0] bytes,      // of the packet, at most INLINE_BYTES
    input  beat_t           data,       // its beat; zeros where it is shorter than `bytes`
    input  c2h_user_t       user,
    output c2h_user_t       entry_user
);
  always_comb begin
    entry_user = user;
    if (INLINE && is_inline) begin
      entry_user.has_user_format = 1'b0;
      for (int i = 0; i < INLINE_BYTES; i++) begin
        entry_user.data[32+8*i+:8] = 6'(i) < bytes ? data[8*i+:8] : '0;
      end
    end
  end

  logic unused;
  assign unused = &{1'b0, is_inline, bytes, data};
endmodule
