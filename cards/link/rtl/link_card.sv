// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// The smallest card: one port, one macpcs, whose user streams are the card's.  What is connected to them (a kernel's network
// interface, a capture file, a generator) is the virtual card runtime's business.  Ports and rules are those of macpcs.
module link_card #(
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
    parameter bit MAC_RX_ERROR_DELAYED_ENABLE = 1'b0,  // a frame with a bad block goes on to its end
    parameter bit MAC_RX_LATE_VERDICT_ENABLE = 1'b0,  // the verdict waits for the block after the frame
    parameter bit MAC_RX_CHECK_PREAMBLE = 1'b0,  // a frame whose preamble is not six times 55 is bad
    parameter bit MAC_RX_CHECK_SFD = 1'b1,  // and one whose start frame delimiter is not d5
    parameter bit MAC_RX_ADDRESS_FILTER_ENABLE = 1'b0,  // build the destination address filter
    parameter bit MAC_TX_CRC32_DISABLE = 1'b0,  // no CRC: the user's last four bytes are the FCS
    parameter bit MAC_TX_CRC32_ADD = 1'b1,  // 0: the FCS is put in place of the user's last four bytes
    parameter bit MAC_TX_CRC32_CORRUPTED_ON_ERROR = 1'b1,  // s_axis_tuser gives a wrong FCS
    parameter int MAC_TX_PADDING_SIZE = 64,  // bytes with FCS; a shorter frame is padded to them
    parameter int MAC_TX_IFG_COUNT = 12,  // bytes of gap, on average
    parameter int MAC_TX_PAUSE_LENGTH = 0,  // 802.3x: quanta that a PAUSE frame asks for; 0: no pause, either way
    parameter bit PMA_LOOPBACK_ENABLE = 1'b0,  // build the loopback of transceiver words
    parameter bit USER_LOOPBACK_ENABLE = 1'b0  // build the loopback of received frames
) (
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

    output logic [PMA_DATA_WIDTH-1:0] pma_tx_data,

    input  logic tx_ignore_fault,  // start frames whatever faults the receiver sees
    input  logic tx_prbs31,        // send the PRBS31 test pattern
    input  logic tx_test_idle,     // send nothing but idle
    output logic tx_stopped,       // by a fault or the pattern: no frame can start

    // 802.3x pause, with MAC_TX_PAUSE_LENGTH
    input  logic [47:0] own_address,   // first byte in bits 47:40; must not change while frames pass
    input  logic        tx_pause_req,  // keep the link partner paused
    output logic        tx_paused,     // by the link partner
    output logic        stat_tx_pause, // a PAUSE frame has been sent

    output logic stat_tx_frame,  // a frame ends
    output logic [2:0] stat_tx_bytes,  // of frames, with padding and FCS, in this cycle
    output logic stat_tx_error,  // and its FCS was made wrong
    output logic stat_tx_underrun,  // the user had no word when one was due

    // Loopbacks, if they are built; from any clock
    input logic pma_loopback,  // receive what is transmitted: rx_clk must run at the rate of tx_clk
    input logic user_loopback, // transmit the frames that are received; the user sees none and can send none

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

    input logic [15:0] rx_max_length,  // bytes with FCS; a longer frame is oversize
    input logic rx_filter_on,  // with MAC_RX_ADDRESS_FILTER_ENABLE: drop frames that are not for own_address,
    input logic rx_filter_pass_group,  // for everyone, or, with this, for any group
    input logic rx_test_prbs31,  // the line carries PRBS31: count wrong bits
    input logic rx_test_idle,  // the line carries nothing but idle: count other blocks
    output logic rx_block_lock,
    output logic rx_hi_ber,  // 16 bad headers in 125 us
    output logic rx_watchdog,  // lock, but no sign of a partner for 125 us
    output logic rx_local_fault,  // link faults, 46.3.4
    output logic rx_remote_fault,
    output logic rx_link_up,  // block lock, no high bit error ratio, no watchdog, no fault
    output logic [$clog2(PMA_DATA_WIDTH):0] stat_rx_pattern_errors,  // in this cycle
    output logic stat_rx_frame,  // a frame has come, good or not:
    output logic [15:0] stat_rx_bytes,  // its bytes, with FCS
    output logic stat_rx_fcs,  // and what is wrong with it
    output logic stat_rx_code,
    output logic stat_rx_runt,
    output logic stat_rx_oversize,
    output logic stat_rx_pause,  // a PAUSE frame has come (with MAC_TX_PAUSE_LENGTH)
    output logic stat_rx_bad_header,  // a sync header is neither data nor control, while locked
    output logic stat_rx_bad_after,  // a frame was called good, and the block after it makes it bad
    output logic stat_rx_bad_block,  // a block is unknown or has no place where it stands, while locked
    output logic stat_rx_lock_lost,
    output logic stat_rx_filtered,  // a frame has been dropped by the address filter
    output logic stat_rx_overflow  // the receive FIFO (or that of user_loopback) was full: a frame was cut or lost
);
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
      .pma_tx_data,
      .tx_ignore_fault,
      .tx_prbs31,
      .tx_test_idle,
      .tx_stopped,
      .own_address,
      .tx_pause_req,
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
endmodule
