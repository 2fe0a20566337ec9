// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// What proofs take for toe_tx_header: any header.
module toe_tx_header
  import toe_pkg::*;
(
    input  logic      [ 3:0] index,
    input  logic      [15:0] dmac,
    input  iface_t           iface,
    input  tuple_t           tuple,
    input  settings_t        settings,
    input  logic      [15:0] total,
    input  logic      [31:0] seq,
    input  logic      [31:0] ack,
    input  logic      [ 3:0] offset,
    input  logic      [ 7:0] flags,
    input  logic      [15:0] window,
    input  logic      [15:0] ip,
    input  logic      [15:0] tcp,
    output logic      [31:0] word
);
endmodule
