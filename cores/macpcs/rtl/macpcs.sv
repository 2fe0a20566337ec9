// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// 10GBASE-R MAC and PCS on a transceiver's raw parallel interface: no XGMII, no vendor gearbox, no register between the
// user's register and the transceiver word in either direction.  See the README of this folder for the rules of each
// port, latencies and timing diagrams.
//
// Bit 0 of a transceiver word is first on the line; byte 0 (tdata[7:0]) of a user word is first.
// Both clocks run at 322.265625 MHz; rx_clk is the transceiver's recovered clock.  Resets are synchronous.
module macpcs #(
    parameter int PMA_DATA_WIDTH = 32,
    parameter int MAC_TX_DATA_WIDTH = 32,
    parameter int MAC_RX_DATA_WIDTH = 32,
    // Register stages, 0 or 1 each.
    parameter int PCS_TX_LATENCY_MODE = 0,  // before pma_tx_data
    parameter int PCS_RX_LATENCY_MODE = 0,  // behind pma_rx_data
    parameter int MAC_TX_LATENCY_MODE = 0,  // behind s_axis
    parameter int MAC_RX_LATENCY_MODE = 0,  // before m_axis
    parameter int MAC_RX_CRC32_LATENCY = 1,  // cycles from tlast to the verdict, 0 or 1
    parameter bit MAC_RX_CRC32_REMOVE = 1'b0,  // take the FCS off
    parameter int MAC_RX_MIN_PKT_LENGTH = 64,  // bytes with FCS; shorter is a runt
    parameter int MAC_RX_MAX_PKT_LENGTH = 9622,  // bytes with FCS; longer is oversize
    parameter bit MAC_TX_CRC32_CORRUPTED_ON_ERROR = 1'b1  // s_axis_tuser gives a wrong FCS
) (
    // Transmit clock domain
    input logic tx_clk,
    input logic tx_rst,

    input  logic [  MAC_TX_DATA_WIDTH-1:0] s_axis_tdata,
    input  logic [MAC_TX_DATA_WIDTH/8-1:0] s_axis_tkeep,
    input  logic                           s_axis_tvalid,
    output logic                           s_axis_tready,
    input  logic                           s_axis_tlast,
    input  logic                           s_axis_tuser,

    output logic [PMA_DATA_WIDTH-1:0] pma_tx_data,

    output logic stat_tx_frame,    // a frame ends
    output logic stat_tx_error,    // and its FCS was made wrong
    output logic stat_tx_underrun, // the user had no word when one was due

    // Receive clock domain
    input logic rx_clk,
    input logic rx_rst,

    input logic [PMA_DATA_WIDTH-1:0] pma_rx_data,

    output logic [  MAC_RX_DATA_WIDTH-1:0] m_axis_tdata,
    output logic [MAC_RX_DATA_WIDTH/8-1:0] m_axis_tkeep,
    output logic                           m_axis_tvalid,
    output logic                           m_axis_tlast,
    output logic                           m_axis_tuser,

    output logic rx_sof,           // a start block has arrived
    output logic rx_status_valid,  // the verdict on a frame:
    output logic rx_status_good,   // no rx_err_*
    output logic rx_err_fcs,
    output logic rx_err_code,
    output logic rx_err_runt,
    output logic rx_err_oversize,

    output logic rx_block_lock,
    output logic stat_rx_bad_header,  // a sync header is neither data nor control, while locked
    output logic stat_rx_bad_block,   // a block is unknown or has no place where it stands, while locked
    output logic stat_rx_lock_lost
);
  if (PMA_DATA_WIDTH != 32 || MAC_TX_DATA_WIDTH != 32 || MAC_RX_DATA_WIDTH != 32) begin : gen_bad_width
    $error("macpcs: PMA_DATA_WIDTH, MAC_TX_DATA_WIDTH and MAC_RX_DATA_WIDTH must be 32");
  end
  if (!(PCS_TX_LATENCY_MODE inside {0, 1}) || !(PCS_RX_LATENCY_MODE inside {0, 1})
      || !(MAC_TX_LATENCY_MODE inside {0, 1}) || !(MAC_RX_LATENCY_MODE inside {0, 1})) begin : gen_bad_mode
    $error("macpcs: each *_LATENCY_MODE must be 0 or 1");
  end
  if (!(MAC_RX_CRC32_LATENCY inside {0, 1})) begin : gen_bad_crc_latency
    $error("macpcs: MAC_RX_CRC32_LATENCY must be 0 or 1");
  end
  if (MAC_RX_MIN_PKT_LENGTH < 8 || MAC_RX_MAX_PKT_LENGTH < MAC_RX_MIN_PKT_LENGTH
      || MAC_RX_MAX_PKT_LENGTH > 65535) begin : gen_bad_length
    $error("macpcs: 8 <= MAC_RX_MIN_PKT_LENGTH <= MAC_RX_MAX_PKT_LENGTH <= 65535 must hold");
  end

  macpcs_tx #(
      .MAC_TX_LATENCY_MODE            (MAC_TX_LATENCY_MODE),
      .PCS_TX_LATENCY_MODE            (PCS_TX_LATENCY_MODE),
      .MAC_TX_CRC32_CORRUPTED_ON_ERROR(MAC_TX_CRC32_CORRUPTED_ON_ERROR)
  ) u_tx (
      .clk(tx_clk),
      .rst(tx_rst),
      .s_axis_tdata,
      .s_axis_tkeep,
      .s_axis_tvalid,
      .s_axis_tready,
      .s_axis_tlast,
      .s_axis_tuser,
      .pma_tx_data,
      .stat_tx_frame,
      .stat_tx_error,
      .stat_tx_underrun
  );

  macpcs_rx #(
      .PCS_RX_LATENCY_MODE  (PCS_RX_LATENCY_MODE),
      .MAC_RX_LATENCY_MODE  (MAC_RX_LATENCY_MODE),
      .MAC_RX_CRC32_LATENCY (MAC_RX_CRC32_LATENCY),
      .MAC_RX_CRC32_REMOVE  (MAC_RX_CRC32_REMOVE),
      .MAC_RX_MIN_PKT_LENGTH(MAC_RX_MIN_PKT_LENGTH),
      .MAC_RX_MAX_PKT_LENGTH(MAC_RX_MAX_PKT_LENGTH)
  ) u_rx (
      .clk(rx_clk),
      .rst(rx_rst),
      .pma_rx_data,
      .m_axis_tdata,
      .m_axis_tkeep,
      .m_axis_tvalid,
      .m_axis_tlast,
      .m_axis_tuser,
      .rx_sof,
      .rx_status_valid,
      .rx_status_good,
      .rx_err_fcs,
      .rx_err_code,
      .rx_err_runt,
      .rx_err_oversize,
      .rx_block_lock,
      .stat_rx_bad_header,
      .stat_rx_bad_block,
      .stat_rx_lock_lost
  );
endmodule
