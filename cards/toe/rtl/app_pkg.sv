// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Who serves which sessions of the card, and on which port: groups of a quarter of the sessions each.
package app_pkg;
  import toe_pkg::*;

  typedef enum logic [1:0] {
    ECHO,       // RFC 862
    DISCARD,    // RFC 863
    GENERATOR,  // in the manner of RFC 864: lines of 64 bytes
    HTTP
  } app_e;

  localparam logic [3:0][15:0] PORT = {16'd80, 16'd19, 16'd9, 16'd7};

  // The app of session sid, of 2^bits
  function automatic app_e app_of(input sid_t sid, input int bits);
    return app_e'(2'(sid >> (bits - 2)));
  endfunction
endpackage
