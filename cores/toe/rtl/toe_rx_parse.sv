// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Received words to header fields: counts the words, takes the fields out, checks the IP header, knows what is ours.
module toe_rx_parse
  import toe_pkg::*;
#(
    parameter int INTERFACES = 1,  // 1 to 8
    parameter bit FCS = 1'b1       // the MAC delivers it behind the frame
) (
    input logic clk,
    input logic rst,

    input iface_t [INTERFACES-1:0] iface,

    // From macpcs: at most one frame's verdict is outstanding, and comes before the next frame's word 0
    input logic [31:0] s_axis_tdata,
    input logic [ 3:0] s_axis_tkeep,
    input logic        s_axis_tvalid,
    input logic        s_axis_tlast,
    input logic        rx_status_valid,
    input logic        rx_status_good,

    output rx_t rx
);
endmodule
