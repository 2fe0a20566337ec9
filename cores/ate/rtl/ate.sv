// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Accelerated TCP transmit engine: payload of user logic in, Ethernet frames with IPv4 and TCP headers out, with no cycle
// between them.  Software owns the connections.  See the README of this folder for the rules of each port.
//
// Latency: none.  The first word of a frame is on m_axis in the cycle of tx_sof_net, so the preamble leaves when the bare
// MAC would have sent it.
//
// Everything runs on the clock of the MAC's transmit user (322.265625 MHz).  Byte 0 of a word, bits 7:0, is first on the
// line.
module ate #(
    parameter int AMEND = 1,  // the MAC obeys m_axis_tamend: metadata are due a cycle later
    parameter int HOLD = 0,  // user logic's frames are kept until they are whole: none is aborted
    parameter int CONNECTIONS = 512,  // a power of two, 16 to 65536
    parameter int MAX_PAYLOAD = 1460,  // bytes; a longer payload is refused (MSS)
    parameter int MAX_RAW = 9618,  // bytes of a raw frame of user logic, without FCS
    parameter int MIRROR_DEPTH = 1024,  // words, a power of two
    parameter int HOST_DEPTH = 1024,
    parameter int USER_CHECK = 1  // simulation: stop with a message when a rule of the user's port is broken
) (
    input logic clk,
    input logic rst,

    // User logic
    input  logic [31:0] tx_data_net,
    input  logic        tx_sof_net,
    input  logic        tx_eof_net,
    input  logic [ 1:0] tx_len_net,        // bytes of the last word, 0: four
    input  logic        tx_raw_net,        // with tx_sof_net: a frame as it is, not a payload
    output logic        tx_ack_net,
    output logic        tx_drop_net,       // with tx_ack_net: the word is dropped, no frame has it
    input  logic [15:0] payload_conn_id,
    input  logic [15:0] payload_length,
    input  logic [31:0] payload_csum,
    output logic        window_available,
    output logic [31:0] tx_credit,         // bytes that may still be sent

    // Software's transmit chunks
    input  logic [31:0] s_host_tdata,
    input  logic        s_host_tvalid,
    output logic        s_host_tready,
    input  logic        s_host_tlast,

    // A copy of each accelerated frame
    output logic [31:0] m_mirror_tdata,
    output logic [ 3:0] m_mirror_tkeep,
    output logic        m_mirror_tvalid,
    input  logic        m_mirror_tready,
    output logic        m_mirror_tlast,
    output logic        m_mirror_tuser,   // with tlast: the frame left with a wrong FCS and is no part of the stream

    // Registers
    input  logic [$clog2(CONNECTIONS)+6:0] s_axil_awaddr,
    input  logic [                    2:0] s_axil_awprot,
    input  logic                           s_axil_awvalid,
    output logic                           s_axil_awready,
    input  logic [                   31:0] s_axil_wdata,
    input  logic [                    3:0] s_axil_wstrb,
    input  logic                           s_axil_wvalid,
    output logic                           s_axil_wready,
    output logic [                    1:0] s_axil_bresp,
    output logic                           s_axil_bvalid,
    input  logic                           s_axil_bready,
    input  logic [$clog2(CONNECTIONS)+6:0] s_axil_araddr,
    input  logic [                    2:0] s_axil_arprot,
    input  logic                           s_axil_arvalid,
    output logic                           s_axil_arready,
    output logic [                   31:0] s_axil_rdata,
    output logic [                    1:0] s_axil_rresp,
    output logic                           s_axil_rvalid,
    input  logic                           s_axil_rready,

    // To the MAC
    output logic [31:0] m_axis_tdata,
    output logic [ 3:0] m_axis_tkeep,
    output logic        m_axis_tvalid,
    input  logic        m_axis_tready,
    output logic        m_axis_tlast,
    output logic        m_axis_tuser,
    output logic [31:0] m_axis_tamend   // with AMEND: XORed into the word before
);
  if (!(AMEND inside {0, 1}) || !(HOLD inside {0, 1}) || !(USER_CHECK inside {0, 1})) begin : gen_bad_flag
    $error("ate: AMEND, HOLD and USER_CHECK must be 0 or 1");
  end

  logic armed;
  ate_core #(
      .AMEND(1'(AMEND)),
      .HOLD(1'(HOLD)),
      .CONNECTIONS(CONNECTIONS),
      .MAX_PAYLOAD(MAX_PAYLOAD),
      .MAX_RAW(MAX_RAW),
      .MIRROR_DEPTH(MIRROR_DEPTH),
      .HOST_DEPTH(HOST_DEPTH),
      .USER_CHECK(1'(USER_CHECK))
  ) u_core (
      .tx_clk  (clk),
      .tx_rst  (rst),
      .tx_start(1'b0),
      .tx_armed(armed),
      .*
  );
endmodule
