// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Instantiation template of ate: all of its parameters, at their defaults, and all of its ports.  Copy it and take away
// what is not needed.  It is a module, so that it can be elaborated as it stands.  See ../README.md for each port's rules.
//
// Latency: that of ate; there is no register here.
//
// Assumes: m_axis_* goes to s_axis_* of macpcs or macpcs_managed with 32-bit words on both sides and no FIFO, and clk is
// that core's tx_clk, in which user logic runs, too; that core has MAC_TX_AMEND_ENABLE = 1.
module ate_template (
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
    input  logic [15:0] s_axil_awaddr,
    input  logic [ 2:0] s_axil_awprot,
    input  logic        s_axil_awvalid,
    output logic        s_axil_awready,
    input  logic [31:0] s_axil_wdata,
    input  logic [ 3:0] s_axil_wstrb,
    input  logic        s_axil_wvalid,
    output logic        s_axil_wready,
    output logic [ 1:0] s_axil_bresp,
    output logic        s_axil_bvalid,
    input  logic        s_axil_bready,
    input  logic [15:0] s_axil_araddr,
    input  logic [ 2:0] s_axil_arprot,
    input  logic        s_axil_arvalid,
    output logic        s_axil_arready,
    output logic [31:0] s_axil_rdata,
    output logic [ 1:0] s_axil_rresp,
    output logic        s_axil_rvalid,
    input  logic        s_axil_rready,

    // To the MAC
    output logic [31:0] m_axis_tdata,
    output logic [ 3:0] m_axis_tkeep,
    output logic        m_axis_tvalid,
    input  logic        m_axis_tready,
    output logic        m_axis_tlast,
    output logic        m_axis_tuser,
    output logic [31:0] m_axis_tamend
);
  ate #(
      .AMEND(1),  // 0: the MAC has no s_axis_tamend
      .HOLD(0),  // 1: frames are kept until they are whole, and none is aborted
      .CONNECTIONS(512),
      .MAX_PAYLOAD(1460),
      .MAX_RAW(9618),
      .MIRROR_DEPTH(1024),
      .HOST_DEPTH(1024),
      .USER_CHECK(1)
  ) u_ate (
      .clk,
      .rst,
      .tx_data_net,
      .tx_sof_net,
      .tx_eof_net,
      .tx_len_net,
      .tx_raw_net,
      .tx_ack_net,
      .tx_drop_net,
      .payload_conn_id,
      .payload_length,
      .payload_csum,
      .window_available,
      .tx_credit,
      .s_host_tdata,
      .s_host_tvalid,
      .s_host_tready,
      .s_host_tlast,
      .m_mirror_tdata,
      .m_mirror_tkeep,
      .m_mirror_tvalid,
      .m_mirror_tready,
      .m_mirror_tlast,
      .m_mirror_tuser,
      .s_axil_awaddr,
      .s_axil_awprot,
      .s_axil_awvalid,
      .s_axil_awready,
      .s_axil_wdata,
      .s_axil_wstrb,
      .s_axil_wvalid,
      .s_axil_wready,
      .s_axil_bresp,
      .s_axil_bvalid,
      .s_axil_bready,
      .s_axil_araddr,
      .s_axil_arprot,
      .s_axil_arvalid,
      .s_axil_arready,
      .s_axil_rdata,
      .s_axil_rresp,
      .s_axil_rvalid,
      .s_axil_rready,
      .m_axis_tdata,
      .m_axis_tkeep,
      .m_axis_tvalid,
      .m_axis_tready,
      .m_axis_tlast,
      .m_axis_tuser,
      .m_axis_tamend
  );
endmodule
