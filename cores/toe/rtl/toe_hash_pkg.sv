// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Where toe_lookup keeps a tuple: a place of 9 bits in each of its ways.  It is the sum (exclusive or) of toe_hash_peer, which
// is all that a stranger chooses, of toe_hash_own, and of the low bits of the local port as they are: so the place and the
// rest of the tuple say what they were, and the table need not hold them.
//
// Both are remainders by a primitive polynomial for each way; what belongs to the peer is mixed with the secret before.
package toe_hash_pkg;
  localparam int MIXED = 48;  // bits of a peer: address and port
  localparam bit [8:0] POLYNOMIAL[4] = '{9'h05f, 9'h0db, 9'h14f, 9'h1cd};  // primitive ones, without their t^9

  typedef bit [8:0][65:0] masks_t;

  // Which bits of x each bit of the remainder of x times t^9 is the sum of, `polynomial` without its t^9.  For a
  // localparam: a simulator would go through the loop at each change otherwise, which took half of a card's time.
  function automatic masks_t masks(input bit [8:0] polynomial);
    bit [8:0] power;  // t^9, t^10, ...
    power = polynomial;
    for (int i = 0; i < 66; i++) begin
      for (int bit_of = 0; bit_of < 9; bit_of++) masks[bit_of][i] = power[bit_of];
      power = {power[7:0], 1'b0} ^ (power[8] ? polynomial : 9'd0);
    end
  endfunction

  function automatic logic [8:0] remainder(input logic [65:0] x, input masks_t mask);
    for (int bit_of = 0; bit_of < 9; bit_of++) remainder[bit_of] = ^(x & mask[bit_of]);
  endfunction
endpackage
