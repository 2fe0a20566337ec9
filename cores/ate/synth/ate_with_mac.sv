// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// The engine with macpcs' transmitter behind it, for the synthesis: paths from the engine's block RAM and from the user's
// port go on through the MAC's CRC to the transceiver, and are timed whole.  For nothing else.
module ate_with_mac #(
    parameter bit AMEND = 1'b1,
    parameter int CONNECTIONS = 512
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

    // The MAC
    input  logic        local_fault,
    input  logic        remote_fault,
    input  logic        prbs31,
    input  logic        test_idle,
    output logic        stopped,
    output logic        payload_step,
    output logic        stat_tx_frame,
    output logic [ 2:0] stat_tx_bytes,
    output logic        stat_tx_error,
    output logic        stat_tx_underrun,
    output logic [31:0] pma_tx_data
);
  logic [31:0] m_axis_tdata;
  logic [ 3:0] m_axis_tkeep;
  logic m_axis_tvalid, m_axis_tready, m_axis_tlast, m_axis_tuser;
  logic [31:0] m_axis_tamend;

  ate #(
      .AMEND      (int'(AMEND)),
      .CONNECTIONS(CONNECTIONS)
  ) u_ate (
      .*
  );

  macpcs_tx #(
      .MAC_TX_AMEND_ENABLE(AMEND)
  ) u_mac (
      .s_axis_tdata (m_axis_tdata),
      .s_axis_tkeep (m_axis_tkeep),
      .s_axis_tvalid(m_axis_tvalid),
      .s_axis_tready(m_axis_tready),
      .s_axis_tlast (m_axis_tlast),
      .s_axis_tuser (m_axis_tuser),
      .s_axis_tamend(m_axis_tamend),
      .*
  );
endmodule
