// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// What proofs take for toe_tx_csum: any checksums.
module toe_tx_csum
  import toe_pkg::*;
(
    input  logic             clk,
    input  logic             step,
    input  logic      [ 3:0] index,
    input  iface_t           iface,
    input  tuple_t           tuple,
    input  settings_t        settings,
    input  logic      [15:0] total,
    input  logic      [31:0] seq,
    input  logic      [31:0] ack,
    input  logic      [ 3:0] offset,
    input  logic      [ 7:0] flags,
    input  logic      [15:0] window,
    input  logic             stamped,
    input  logic      [31:0] stamp,
    input  logic      [31:0] echo,
    input  logic      [15:0] sum_a,
    input  logic      [15:0] sum_b,
    input  logic      [15:0] sum_c,
    output logic      [15:0] ip,
    output logic      [15:0] tcp
);
endmodule
