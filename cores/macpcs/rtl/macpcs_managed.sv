// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// macpcs with its registers: what software sets, sees and counts is in macpcs_axil (../regs/README.md), all that carries
// data is a port.  Generics, streams and latencies are those of macpcs.
//
// Assumes: axil_clk is any clock.  The path from the MAC address, a register of axil_clk, to both other clocks is a false
// one: software changes it only while no pause is requested and the address filter is off.
module macpcs_managed #(
    parameter int PMA_DATA_WIDTH = 32,
    parameter int MAC_TX_DATA_WIDTH = 32,
    parameter int MAC_RX_DATA_WIDTH = 32,
    // User clock of half the transceiver's, from the same source; 32-bit user words on a 16-bit transceiver.
    parameter bit SYNC_DUAL_CLOCK_TX_ENABLE = 1'b0,
    parameter bit SYNC_DUAL_CLOCK_RX_ENABLE = 1'b0,
    // FIFO to a user clock of any frequency that carries 10G.
    parameter bit DUAL_CLOCK_FIFO_TX_ENABLE = 1'b0,
    parameter bit DUAL_CLOCK_FIFO_RX_ENABLE = 1'b0,
    parameter int DUAL_CLOCK_FIFO_TX_DEPTH = 16,  // user words, a power of two
    parameter int DUAL_CLOCK_FIFO_RX_DEPTH = 16,
    parameter int MAC_TX_CLK_FREQ_KHZ = 322266 * (32 / MAC_TX_DATA_WIDTH),  // user clocks
    parameter int MAC_RX_CLK_FREQ_KHZ = 322266 * (32 / MAC_RX_DATA_WIDTH),
    // Register stages, 0 or 1 each.
    parameter int PCS_TX_LATENCY_MODE = 0,  // before pma_tx_data
    parameter int PCS_RX_LATENCY_MODE = 0,  // after pma_rx_data
    parameter int MAC_TX_LATENCY_MODE = 0,  // after s_axis
    parameter int MAC_RX_LATENCY_MODE = 0,  // before m_axis
    parameter int MAC_RX_CRC32_LATENCY = PMA_DATA_WIDTH == 16 ? 2 : 1,  // cycles from tlast to the verdict, 0 to 2
    parameter bit MAC_RX_CRC32_DISABLE = 1'b0,  // do not check the FCS
    parameter bit MAC_RX_CRC32_REMOVE = 1'b0,  // take the FCS off
    parameter int MAC_RX_MIN_PKT_LENGTH = 64,  // bytes with FCS; shorter is a runt
    parameter int MAC_RX_MAX_PKT_LENGTH = 9622,  // bytes with FCS; longer is oversize, until software sets another
    parameter bit MAC_RX_ERROR_DELAYED_ENABLE = 1'b0,  // a frame with a bad block goes on to its end
    parameter bit MAC_RX_LATE_VERDICT_ENABLE = 1'b0,  // the verdict waits for the block after the frame
    parameter bit MAC_RX_CHECK_PREAMBLE = 1'b0,  // a frame whose preamble is not six times 55 is bad
    parameter bit MAC_RX_CHECK_SFD = 1'b1,  // and one whose start frame delimiter is not d5
    parameter bit MAC_RX_ADDRESS_FILTER_ENABLE = 1'b0,  // build the destination address filter
    parameter bit MAC_TX_CRC32_DISABLE = 1'b0,  // no CRC: the user's last four bytes are the FCS
    parameter bit MAC_TX_CRC32_ADD = 1'b1,  // 0: the FCS is put in place of the user's last four bytes
    parameter bit MAC_TX_CRC32_CORRUPTED_ON_ERROR = 1'b1,  // s_axis_tuser gives a wrong FCS
    parameter bit MAC_TX_AMEND_ENABLE = 1'b0,  // s_axis_tamend changes the word before; 32 bits, no FIFO
    parameter int MAC_TX_PADDING_SIZE = 64,  // bytes with FCS; a shorter frame is padded to them
    parameter int MAC_TX_IFG_COUNT = 12,  // bytes of gap, on average
    parameter int MAC_TX_PAUSE_LENGTH = 0,  // 802.3x: quanta that a PAUSE frame asks for; 0: no pause, either way
    parameter bit PMA_LOOPBACK_ENABLE = 1'b0,  // build the loopback of transceiver words
    parameter bit USER_LOOPBACK_ENABLE = 1'b0  // build the loopback of received frames
) (
    // Registers
    input logic axil_clk,
    input logic axil_rst,

    input  logic [ 8:0] s_axil_awaddr,
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
    input  logic [ 8:0] s_axil_araddr,
    input  logic [ 2:0] s_axil_arprot,
    input  logic        s_axil_arvalid,
    output logic        s_axil_arready,
    output logic [31:0] s_axil_rdata,
    output logic [ 1:0] s_axil_rresp,
    output logic        s_axil_rvalid,
    input  logic        s_axil_rready,

    // Transmit clock domain
    input logic tx_clk,
    input logic tx_rst,

    // User's transmit stream: in tx_clk, or in s_axis_clk with a bridge or FIFO
    input  logic                           s_axis_clk,
    input  logic                           s_axis_rst,
    input  logic [  MAC_TX_DATA_WIDTH-1:0] s_axis_tdata,
    input  logic [MAC_TX_DATA_WIDTH/8-1:0] s_axis_tkeep,
    input  logic                           s_axis_tvalid,
    output logic                           s_axis_tready,
    input  logic                           s_axis_tlast,
    input  logic                           s_axis_tuser,
    input  logic [                   31:0] s_axis_tamend = '0, // with MAC_TX_AMEND_ENABLE: XORed into the word before

    output logic [PMA_DATA_WIDTH-1:0] pma_tx_data,

    input  logic tx_pause_req,  // as CONTROL.pause_request: either keeps the link partner paused
    output logic tx_paused,     // by the link partner
    output logic tx_stopped,    // by a fault or a test pattern: no frame can start

    // Receive clock domain
    input logic rx_clk,
    input logic rx_rst,

    input logic [PMA_DATA_WIDTH-1:0] pma_rx_data,

    // User's receive stream and the verdicts: in rx_clk, or in m_axis_clk with a bridge or FIFO
    input  logic                           m_axis_clk,
    input  logic                           m_axis_rst,
    output logic [  MAC_RX_DATA_WIDTH-1:0] m_axis_tdata,
    output logic [MAC_RX_DATA_WIDTH/8-1:0] m_axis_tkeep,
    output logic                           m_axis_tvalid,
    input  logic                           m_axis_tready,  // obeyed with the FIFO only: a receiver cannot wait
    output logic                           m_axis_tlast,
    output logic                           m_axis_tuser,

    output logic rx_sof,           // a start block has arrived
    output logic rx_status_valid,  // the verdict on a frame:
    output logic rx_status_good,   // no rx_err_*
    output logic rx_err_fcs,
    output logic rx_err_code,
    output logic rx_err_runt,
    output logic rx_err_oversize,

    output logic rx_link_up  // block lock, no high bit error ratio, no fault
);
  logic [47:0] own_address;
  logic tx_ignore_fault, tx_prbs31, tx_test_idle, pause_request;
  logic stat_tx_frame, stat_tx_error, stat_tx_underrun, stat_tx_pause;
  logic [2:0] stat_tx_bytes;
  logic rx_test_prbs31, rx_test_idle, rx_block_lock, rx_hi_ber, rx_local_fault, rx_remote_fault;
  logic [$clog2(PMA_DATA_WIDTH):0] stat_rx_pattern_errors;
  logic [15:0] stat_rx_bytes;
  logic stat_rx_frame, stat_rx_fcs, stat_rx_code, stat_rx_runt, stat_rx_oversize, stat_rx_pause;
  logic rx_watchdog;
  logic stat_rx_bad_header, stat_rx_bad_block, stat_rx_bad_after, stat_rx_lock_lost, stat_rx_overflow, stat_rx_filtered;
  logic pma_loopback, user_loopback, rx_filter_on, rx_filter_pass_group;
  logic [15:0] rx_max_length;

  macpcs #(
      .PMA_DATA_WIDTH(PMA_DATA_WIDTH),
      .MAC_TX_DATA_WIDTH(MAC_TX_DATA_WIDTH),
      .MAC_RX_DATA_WIDTH(MAC_RX_DATA_WIDTH),
      .SYNC_DUAL_CLOCK_TX_ENABLE(SYNC_DUAL_CLOCK_TX_ENABLE),
      .SYNC_DUAL_CLOCK_RX_ENABLE(SYNC_DUAL_CLOCK_RX_ENABLE),
      .DUAL_CLOCK_FIFO_TX_ENABLE(DUAL_CLOCK_FIFO_TX_ENABLE),
      .DUAL_CLOCK_FIFO_RX_ENABLE(DUAL_CLOCK_FIFO_RX_ENABLE),
      .DUAL_CLOCK_FIFO_TX_DEPTH(DUAL_CLOCK_FIFO_TX_DEPTH),
      .DUAL_CLOCK_FIFO_RX_DEPTH(DUAL_CLOCK_FIFO_RX_DEPTH),
      .MAC_TX_CLK_FREQ_KHZ(MAC_TX_CLK_FREQ_KHZ),
      .MAC_RX_CLK_FREQ_KHZ(MAC_RX_CLK_FREQ_KHZ),
      .PCS_TX_LATENCY_MODE(PCS_TX_LATENCY_MODE),
      .PCS_RX_LATENCY_MODE(PCS_RX_LATENCY_MODE),
      .MAC_TX_LATENCY_MODE(MAC_TX_LATENCY_MODE),
      .MAC_RX_LATENCY_MODE(MAC_RX_LATENCY_MODE),
      .MAC_RX_CRC32_LATENCY(MAC_RX_CRC32_LATENCY),
      .MAC_RX_CRC32_DISABLE(MAC_RX_CRC32_DISABLE),
      .MAC_RX_CRC32_REMOVE(MAC_RX_CRC32_REMOVE),
      .MAC_RX_MIN_PKT_LENGTH(MAC_RX_MIN_PKT_LENGTH),
      .MAC_RX_ERROR_DELAYED_ENABLE(MAC_RX_ERROR_DELAYED_ENABLE),
      .MAC_RX_LATE_VERDICT_ENABLE(MAC_RX_LATE_VERDICT_ENABLE),
      .MAC_RX_CHECK_PREAMBLE(MAC_RX_CHECK_PREAMBLE),
      .MAC_RX_CHECK_SFD(MAC_RX_CHECK_SFD),
      .MAC_RX_ADDRESS_FILTER_ENABLE(MAC_RX_ADDRESS_FILTER_ENABLE),
      .MAC_TX_CRC32_DISABLE(MAC_TX_CRC32_DISABLE),
      .MAC_TX_CRC32_ADD(MAC_TX_CRC32_ADD),
      .MAC_TX_AMEND_ENABLE(MAC_TX_AMEND_ENABLE),
      .MAC_TX_CRC32_CORRUPTED_ON_ERROR(MAC_TX_CRC32_CORRUPTED_ON_ERROR),
      .MAC_TX_PADDING_SIZE(MAC_TX_PADDING_SIZE),
      .MAC_TX_IFG_COUNT(MAC_TX_IFG_COUNT),
      .MAC_TX_PAUSE_LENGTH(MAC_TX_PAUSE_LENGTH),
      .PMA_LOOPBACK_ENABLE(PMA_LOOPBACK_ENABLE),
      .USER_LOOPBACK_ENABLE(USER_LOOPBACK_ENABLE)
  ) u_macpcs (
      .tx_clk,
      .tx_rst,
      .s_axis_clk,
      .s_axis_rst,
      .s_axis_tdata,
      .s_axis_tkeep,
      .s_axis_tvalid,
      .s_axis_tready,
      .s_axis_tlast,
      .s_axis_tuser,
      .s_axis_tamend,
      .pma_tx_data,
      .tx_ignore_fault,
      .tx_prbs31,
      .tx_test_idle,
      .tx_stopped,
      .own_address,
      .tx_pause_req(tx_pause_req | pause_request),
      .tx_paused,
      .stat_tx_pause,
      .stat_tx_frame,
      .stat_tx_bytes,
      .stat_tx_error,
      .stat_tx_underrun,
      .pma_loopback,
      .user_loopback,
      .rx_clk,
      .rx_rst,
      .pma_rx_data,
      .m_axis_clk,
      .m_axis_rst,
      .m_axis_tdata,
      .m_axis_tkeep,
      .m_axis_tvalid,
      .m_axis_tready,
      .m_axis_tlast,
      .m_axis_tuser,
      .rx_sof,
      .rx_status_valid,
      .rx_status_good,
      .rx_err_fcs,
      .rx_err_code,
      .rx_err_runt,
      .rx_err_oversize,
      .rx_max_length,
      .rx_filter_on,
      .rx_filter_pass_group,
      .rx_test_prbs31,
      .rx_test_idle,
      .rx_block_lock,
      .rx_hi_ber,
      .rx_watchdog,
      .rx_local_fault,
      .rx_remote_fault,
      .rx_link_up,
      .stat_rx_pattern_errors,
      .stat_rx_frame,
      .stat_rx_bytes,
      .stat_rx_fcs,
      .stat_rx_code,
      .stat_rx_runt,
      .stat_rx_oversize,
      .stat_rx_pause,
      .stat_rx_bad_header,
      .stat_rx_bad_block,
      .stat_rx_bad_after,
      .stat_rx_lock_lost,
      .stat_rx_filtered,
      .stat_rx_overflow
  );

  macpcs_axil #(
      .PMA_DATA_WIDTH(PMA_DATA_WIDTH),
      .MAC_TX_DATA_WIDTH(MAC_TX_DATA_WIDTH),
      .MAC_RX_DATA_WIDTH(MAC_RX_DATA_WIDTH),
      .SYNC_DUAL_CLOCK_TX_ENABLE(SYNC_DUAL_CLOCK_TX_ENABLE),
      .SYNC_DUAL_CLOCK_RX_ENABLE(SYNC_DUAL_CLOCK_RX_ENABLE),
      .DUAL_CLOCK_FIFO_TX_ENABLE(DUAL_CLOCK_FIFO_TX_ENABLE),
      .DUAL_CLOCK_FIFO_RX_ENABLE(DUAL_CLOCK_FIFO_RX_ENABLE),
      .DUAL_CLOCK_FIFO_TX_DEPTH(DUAL_CLOCK_FIFO_TX_DEPTH),
      .DUAL_CLOCK_FIFO_RX_DEPTH(DUAL_CLOCK_FIFO_RX_DEPTH),
      .MAC_TX_CLK_FREQ_KHZ(MAC_TX_CLK_FREQ_KHZ),
      .MAC_RX_CLK_FREQ_KHZ(MAC_RX_CLK_FREQ_KHZ),
      .MAC_RX_CRC32_DISABLE(MAC_RX_CRC32_DISABLE),
      .MAC_RX_CRC32_REMOVE(MAC_RX_CRC32_REMOVE),
      .MAC_RX_MIN_PKT_LENGTH(MAC_RX_MIN_PKT_LENGTH),
      .MAC_RX_MAX_PKT_LENGTH(MAC_RX_MAX_PKT_LENGTH),
      .MAC_RX_ERROR_DELAYED_ENABLE(MAC_RX_ERROR_DELAYED_ENABLE),
      .MAC_RX_LATE_VERDICT_ENABLE(MAC_RX_LATE_VERDICT_ENABLE),
      .MAC_RX_CHECK_PREAMBLE(MAC_RX_CHECK_PREAMBLE),
      .MAC_RX_CHECK_SFD(MAC_RX_CHECK_SFD),
      .MAC_RX_ADDRESS_FILTER_ENABLE(MAC_RX_ADDRESS_FILTER_ENABLE),
      .MAC_TX_CRC32_DISABLE(MAC_TX_CRC32_DISABLE),
      .MAC_TX_CRC32_ADD(MAC_TX_CRC32_ADD),
      .MAC_TX_CRC32_CORRUPTED_ON_ERROR(MAC_TX_CRC32_CORRUPTED_ON_ERROR),
      .MAC_TX_PADDING_SIZE(MAC_TX_PADDING_SIZE),
      .MAC_TX_IFG_COUNT(MAC_TX_IFG_COUNT),
      .MAC_TX_PAUSE_LENGTH(MAC_TX_PAUSE_LENGTH),
      .PMA_LOOPBACK_ENABLE(PMA_LOOPBACK_ENABLE),
      .USER_LOOPBACK_ENABLE(USER_LOOPBACK_ENABLE)
  ) u_axil (
      .axil_clk,
      .axil_rst,
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
      .cfg_mac_address(own_address),
      .cfg_pma_loopback(pma_loopback),
      .cfg_user_loopback(user_loopback),
      .tx_clk,
      .tx_rst,
      .cfg_tx_ignore_fault(tx_ignore_fault),
      .cfg_tx_prbs31(tx_prbs31),
      .cfg_tx_test_idle(tx_test_idle),
      .cfg_tx_pause_req(pause_request),
      .stat_tx_frame,
      .stat_tx_bytes,
      .stat_tx_error,
      .stat_tx_underrun,
      .stat_tx_pause,
      .rx_clk,
      .rx_rst,
      .cfg_rx_test_prbs31(rx_test_prbs31),
      .cfg_rx_test_idle(rx_test_idle),
      .cfg_rx_filter(rx_filter_on),
      .cfg_rx_pass_group(rx_filter_pass_group),
      .cfg_rx_max_length(rx_max_length),
      .rx_block_lock,
      .rx_hi_ber,
      .rx_watchdog,
      .rx_local_fault,
      .rx_remote_fault,
      .rx_link_up,
      .stat_rx_pattern_errors,
      .stat_rx_frame,
      .stat_rx_bytes,
      .stat_rx_fcs,
      .stat_rx_code,
      .stat_rx_runt,
      .stat_rx_oversize,
      .stat_rx_pause,
      .stat_rx_bad_header,
      .stat_rx_bad_block,
      .stat_rx_bad_after,
      .stat_rx_lock_lost,
      .stat_rx_filtered,
      .stat_rx_overflow
  );
endmodule
