// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Payload to the user: words of 32 bits packed into TCP2USER_DATA_WIDTH, a FIFO for a user who is not ready, passed when it is
// empty (cut-through), or entered as a whole when the verdict is good (store and forward).
module toe_rx_user
  import toe_pkg::*;
#(
    parameter int TCP2USER_DATA_WIDTH = 64,  // 32 (first beat with bytes in the upper half) or 64
    parameter bit STORE_FORWARD = 1'b0,
    parameter int DEPTH_BYTES = 16384,
    parameter int RX_FIFO_PACKET_COUNT = 64,
    parameter int RX_OUTPUT_PIPE_COUNT = 0
) (
    input logic clk,
    input logic rst,

    input  logic        data_valid,
    input  logic [31:0] data_word,
    input  logic [ 3:0] data_keep,
    input  logic        data_first,
    input  logic [15:0] data_length,
    input  logic        data_last,
    input  logic        data_bad,
    input  sid_t        data_sid,
    output logic [15:0] room,        // bytes, with room for a packet more

    output logic [  TCP2USER_DATA_WIDTH-1:0] m_axis_tdata,
    output logic [TCP2USER_DATA_WIDTH/8-1:0] m_axis_tkeep,
    output logic                             m_axis_tvalid,
    input  logic                             m_axis_tready,
    output logic                             m_axis_tlast,
    output logic                             m_axis_tuser,     // with tlast: this segment's bytes do not count
    output sid_t                             m_axis_tdest      // session
);
endmodule
