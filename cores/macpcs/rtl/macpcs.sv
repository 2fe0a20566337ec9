// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// 10GBASE-R MAC and PCS on a transceiver's raw parallel interface: no XGMII, no vendor gearbox, no register between the
// user's register and the transceiver word in either direction.  See the README of this folder for the rules of each
// port, latencies and timing diagrams.
//
// Bit 0 of a transceiver word is first on the line; byte 0 (tdata[7:0]) of a user word is first.
// tx_clk and rx_clk run at 644.53125 MHz with 16-bit transceiver words, at 322.265625 MHz with 32-bit ones; rx_clk is the
// transceiver's recovered clock.  Resets are synchronous.
module macpcs
  import macpcs_pkg::*;
#(
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
    parameter bit MAC_TX_AMEND_ENABLE = 1'b0,  // s_axis_tamend changes the word before; 32 bits, no FIFO
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
    input  logic [                   31:0] s_axis_tamend = '0, // with MAC_TX_AMEND_ENABLE: XORed into the word before

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

    output logic rx_sof,  // a start block has arrived; one tlast and one verdict follow, if no rx_rst cuts them
    output logic rx_status_valid,  // the verdict on a frame:
    output logic rx_status_good,  // no rx_err_*
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
    output logic stat_rx_bad_block,  // a block is unknown or has no place where it stands, while locked
    output logic stat_rx_bad_after,  // a frame was called good, and the block after it makes it bad (clause 49)
    output logic stat_rx_lock_lost,
    output logic stat_rx_filtered,  // a frame has been dropped by the address filter
    output logic stat_rx_overflow  // the receive FIFO (or that of user_loopback) was full: a frame was cut or lost
);
  // --- What may be combined
  if (!(PMA_DATA_WIDTH inside {16, 32}) || !(MAC_TX_DATA_WIDTH inside {16, 32})
      || !(MAC_RX_DATA_WIDTH inside {16, 32})) begin : gen_bad_width
    $error("macpcs: PMA_DATA_WIDTH, MAC_TX_DATA_WIDTH and MAC_RX_DATA_WIDTH must be 16 or 32");
  end
  if (MAC_TX_DATA_WIDTH < PMA_DATA_WIDTH || MAC_RX_DATA_WIDTH < PMA_DATA_WIDTH) begin : gen_narrow_user
    $error("macpcs: a user word must not be narrower than the transceiver's (PMA_DATA_WIDTH)");
  end
  if ((SYNC_DUAL_CLOCK_TX_ENABLE && DUAL_CLOCK_FIFO_TX_ENABLE)
      || (SYNC_DUAL_CLOCK_RX_ENABLE && DUAL_CLOCK_FIFO_RX_ENABLE)) begin : gen_both
    $error("macpcs: a direction can have SYNC_DUAL_CLOCK_*_ENABLE or DUAL_CLOCK_FIFO_*_ENABLE, not both");
  end
  if ((SYNC_DUAL_CLOCK_TX_ENABLE && MAC_TX_DATA_WIDTH == PMA_DATA_WIDTH)
      || (SYNC_DUAL_CLOCK_RX_ENABLE && MAC_RX_DATA_WIDTH == PMA_DATA_WIDTH)) begin : gen_needless_bridge
    $error("macpcs: SYNC_DUAL_CLOCK_*_ENABLE needs 32-bit user words and PMA_DATA_WIDTH 16");
  end
  if ((MAC_TX_DATA_WIDTH != PMA_DATA_WIDTH && !SYNC_DUAL_CLOCK_TX_ENABLE && !DUAL_CLOCK_FIFO_TX_ENABLE)
      || (MAC_RX_DATA_WIDTH != PMA_DATA_WIDTH && !SYNC_DUAL_CLOCK_RX_ENABLE && !DUAL_CLOCK_FIFO_RX_ENABLE))
  begin : gen_no_crossing
    $error("macpcs: different word widths need SYNC_DUAL_CLOCK_*_ENABLE or DUAL_CLOCK_FIFO_*_ENABLE");
  end
  // 10G is 10e9/WIDTH words a second; without FIFO the clock is given.
  if ((DUAL_CLOCK_FIFO_TX_ENABLE && MAC_TX_CLK_FREQ_KHZ < 10_000_000 / MAC_TX_DATA_WIDTH)
      || (DUAL_CLOCK_FIFO_RX_ENABLE && MAC_RX_CLK_FREQ_KHZ < 10_000_000 / MAC_RX_DATA_WIDTH)) begin : gen_slow_user
    $error("macpcs: MAC_*_CLK_FREQ_KHZ times MAC_*_DATA_WIDTH does not carry 10 Gb/s");
  end
  if (MAC_TX_PAUSE_LENGTH < 0 || MAC_TX_PAUSE_LENGTH > 65535) begin : gen_bad_pause
    $error("macpcs: MAC_TX_PAUSE_LENGTH must be 0 to 65535");
  end
  if (!(PCS_TX_LATENCY_MODE inside {0, 1}) || !(PCS_RX_LATENCY_MODE inside {0, 1})
      || !(MAC_TX_LATENCY_MODE inside {0, 1}) || !(MAC_RX_LATENCY_MODE inside {0, 1})) begin : gen_bad_mode
    $error("macpcs: each *_LATENCY_MODE must be 0 or 1");
  end
  if (!(MAC_RX_CRC32_LATENCY inside {0, 1, 2})) begin : gen_bad_crc_latency
    $error("macpcs: MAC_RX_CRC32_LATENCY must be 0, 1 or 2");
  end
  if (MAC_RX_MIN_PKT_LENGTH < 8 || MAC_RX_MIN_PKT_LENGTH > 65535) begin : gen_bad_length
    $error("macpcs: MAC_RX_MIN_PKT_LENGTH must be 8 to 65535");
  end
  if (MAC_TX_PADDING_SIZE < 16 || MAC_TX_PADDING_SIZE > 256 || MAC_TX_PADDING_SIZE % 4 != 0) begin : gen_bad_padding
    $error("macpcs: MAC_TX_PADDING_SIZE must be 16 to 256 and a multiple of 4");
  end
  if (MAC_TX_IFG_COUNT < 12 || MAC_TX_IFG_COUNT > 255) begin : gen_bad_gap
    $error("macpcs: MAC_TX_IFG_COUNT must be 12 (the least that 802.3 allows) to 255");
  end
  if (MAC_TX_CRC32_DISABLE && !MAC_TX_CRC32_ADD) begin : gen_no_fcs
    $error("macpcs: MAC_TX_CRC32_ADD = 0 has the FCS calculated, which MAC_TX_CRC32_DISABLE leaves out: choose one");
  end
  if ((MAC_TX_PAUSE_LENGTH != 0 || USER_LOOPBACK_ENABLE) && (MAC_TX_CRC32_DISABLE || !MAC_TX_CRC32_ADD))
  begin : gen_needs_fcs
    $error("macpcs: MAC_TX_PAUSE_LENGTH and USER_LOOPBACK_ENABLE need the FCS added to frames (MAC_TX_CRC32_ADD = 1)");
  end
  if (MAC_TX_AMEND_ENABLE && (PMA_DATA_WIDTH != 32 || DUAL_CLOCK_FIFO_TX_ENABLE || MAC_TX_CRC32_DISABLE
                              || !MAC_TX_CRC32_ADD)) begin : gen_bad_amend
    $error("macpcs: MAC_TX_AMEND_ENABLE needs PMA_DATA_WIDTH 32, no FIFO and the FCS added to frames");
  end
  if (USER_LOOPBACK_ENABLE && (MAC_RX_CRC32_DISABLE || !MAC_TX_CRC32_CORRUPTED_ON_ERROR)) begin : gen_needs_check
    $error(
        "macpcs: USER_LOOPBACK_ENABLE makes a new FCS, so the old one must be checked (MAC_RX_CRC32_DISABLE = 0) ",
        "and errors passed on (MAC_TX_CRC32_CORRUPTED_ON_ERROR = 1)"
    );
  end

  if (MAC_RX_LATE_VERDICT_ENABLE && USER_LOOPBACK_ENABLE) begin : gen_late_loopback
    $error("macpcs: USER_LOOPBACK_ENABLE needs the early verdict (MAC_RX_LATE_VERDICT_ENABLE = 0)");
  end

  // With 32-bit words a start is reported to the receive FIFO before all of its type has arrived.  The rest is known a
  // cycle later, which limits the user's clock: macpcs_rx_fifo_sof has 1.9 ns for it at 400 MHz.
  localparam bit RX_EARLY = PMA_DATA_WIDTH == 32 && !MAC_RX_ADDRESS_FILTER_ENABLE && MAC_RX_CLK_FREQ_KHZ <= 400_000;
  // Cycles from the last word to its verdict, with what holds the words back taken off
  localparam int JUDGED = MAC_RX_LATE_VERDICT_ENABLE ? late_cycles(PMA_DATA_WIDTH) : MAC_RX_CRC32_LATENCY;
  localparam int VERDICT_LATENCY = MAC_RX_CRC32_REMOVE || JUDGED < MAC_RX_LATENCY_MODE
      ? 0 : JUDGED - MAC_RX_LATENCY_MODE;

  // --- Transmit
  logic [  PMA_DATA_WIDTH-1:0] user_tdata;
  logic [PMA_DATA_WIDTH/8-1:0] user_tkeep;
  logic user_tvalid, user_tready, user_tlast, user_tuser;
  macpcs_tx_user #(
      .PMA_DATA_WIDTH           (PMA_DATA_WIDTH),
      .MAC_TX_DATA_WIDTH        (MAC_TX_DATA_WIDTH),
      .SYNC_DUAL_CLOCK_TX_ENABLE(SYNC_DUAL_CLOCK_TX_ENABLE),
      .DUAL_CLOCK_FIFO_TX_ENABLE(DUAL_CLOCK_FIFO_TX_ENABLE),
      .DUAL_CLOCK_FIFO_TX_DEPTH (DUAL_CLOCK_FIFO_TX_DEPTH),
      .MAC_TX_CLK_FREQ_KHZ      (MAC_TX_CLK_FREQ_KHZ),
      .FCS_GIVEN                (MAC_TX_CRC32_DISABLE || !MAC_TX_CRC32_ADD)
  ) u_tx_user (
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
      .m_axis_tdata (user_tdata),
      .m_axis_tkeep (user_tkeep),
      .m_axis_tvalid(user_tvalid),
      .m_axis_tready(user_tready),
      .m_axis_tlast (user_tlast),
      .m_axis_tuser (user_tuser)
  );
  logic [  PMA_DATA_WIDTH-1:0] tx_tdata;
  logic [PMA_DATA_WIDTH/8-1:0] tx_tkeep;
  logic tx_tvalid, tx_tready, tx_tlast, tx_tuser;
  rx_t filtered, rx_delivered;  // without the frames that the address filter has dropped; what the user gets
  logic loopback_overflow, fifo_overflow;
  if (USER_LOOPBACK_ENABLE) begin : gen_user_loopback
    macpcs_user_loopback #(
        .WIDTH          (PMA_DATA_WIDTH),
        .VERDICT_LATENCY(VERDICT_LATENCY),
        .FCS_REMOVED    (MAC_RX_CRC32_REMOVE)
    ) u_user_loopback (
        .on           (user_loopback),
        .rx_clk,
        .rx_rst,
        .in           (filtered),
        .out          (rx_delivered),
        .overflow     (loopback_overflow),
        .tx_clk,
        .tx_rst,
        .s_axis_tdata (user_tdata),
        .s_axis_tkeep (user_tkeep),
        .s_axis_tvalid(user_tvalid),
        .s_axis_tready(user_tready),
        .s_axis_tlast (user_tlast),
        .s_axis_tuser (user_tuser),
        .m_axis_tdata (tx_tdata),
        .m_axis_tkeep (tx_tkeep),
        .m_axis_tvalid(tx_tvalid),
        .m_axis_tready(tx_tready),
        .m_axis_tlast (tx_tlast),
        .m_axis_tuser (tx_tuser)
    );
  end else begin : gen_no_user_loopback
    assign {tx_tdata, tx_tkeep, tx_tlast, tx_tuser, tx_tvalid} = {
      user_tdata, user_tkeep, user_tlast, user_tuser, user_tvalid
    };
    assign user_tready = tx_tready;
    assign rx_delivered = filtered;
    assign loopback_overflow = 1'b0;
    logic unused;
    assign unused = user_loopback;
  end
  logic [  PMA_DATA_WIDTH-1:0] mac_tdata;
  logic [PMA_DATA_WIDTH/8-1:0] mac_tkeep;
  logic mac_tvalid, mac_tready, mac_tlast, mac_tuser, tx_step;
  logic [15:0] rx_pause_quanta;
  if (MAC_TX_PAUSE_LENGTH != 0) begin : gen_pause
    macpcs_tx_pause #(
        .WIDTH       (PMA_DATA_WIDTH),
        .PAUSE_LENGTH(MAC_TX_PAUSE_LENGTH)
    ) u_pause (
        .rx_clk,
        .rx_rst,
        .rx_pause     (stat_rx_pause),
        .rx_quanta    (rx_pause_quanta),
        .tx_clk,
        .tx_rst,
        .own_address,
        .tx_pause_req,
        .step         (tx_step),
        .s_axis_tdata (tx_tdata),
        .s_axis_tkeep (tx_tkeep),
        .s_axis_tvalid(tx_tvalid),
        .s_axis_tready(tx_tready),
        .s_axis_tlast (tx_tlast),
        .s_axis_tuser (tx_tuser),
        .m_axis_tdata (mac_tdata),
        .m_axis_tkeep (mac_tkeep),
        .m_axis_tvalid(mac_tvalid),
        .m_axis_tready(mac_tready),
        .m_axis_tlast (mac_tlast),
        .m_axis_tuser (mac_tuser),
        .paused       (tx_paused),
        .stat_tx_pause
    );
  end else begin : gen_no_pause
    assign {mac_tdata, mac_tkeep, mac_tlast, mac_tuser, mac_tvalid} = {
      tx_tdata, tx_tkeep, tx_tlast, tx_tuser, tx_tvalid
    };
    assign tx_tready = mac_tready;
    assign tx_paused = 1'b0;
    assign stat_tx_pause = 1'b0;
    logic unused;
    assign unused = &{own_address, tx_pause_req, tx_step, rx_pause_quanta, stat_rx_pause};
  end

  // While frames of another source leave, the user's port shows the user's next first word.
  logic [31:0] tamend;
  if (MAC_TX_PAUSE_LENGTH != 0 || USER_LOOPBACK_ENABLE) begin : gen_other_sources
    assign tamend = s_axis_tamend & {32{s_axis_tready}};
  end else begin : gen_one_source
    assign tamend = s_axis_tamend;
  end

  logic [1:0] tx_faults;
  cdc_bits #(
      .WIDTH(2)
  ) u_faults (
      .clk(tx_clk),
      .rst(1'b0),
      .d  ({rx_remote_fault, rx_local_fault}),
      .q  (tx_faults)
  );
  macpcs_tx #(
      .WIDTH                          (PMA_DATA_WIDTH),
      .MAC_TX_LATENCY_MODE            (MAC_TX_LATENCY_MODE),
      .PCS_TX_LATENCY_MODE            (PCS_TX_LATENCY_MODE),
      .MAC_TX_CRC32_DISABLE           (MAC_TX_CRC32_DISABLE),
      .MAC_TX_CRC32_ADD               (MAC_TX_CRC32_ADD),
      .MAC_TX_CRC32_CORRUPTED_ON_ERROR(MAC_TX_CRC32_CORRUPTED_ON_ERROR),
      .MAC_TX_AMEND_ENABLE            (MAC_TX_AMEND_ENABLE),
      .MAC_TX_PADDING_SIZE            (MAC_TX_PADDING_SIZE),
      .MAC_TX_IFG_COUNT               (MAC_TX_IFG_COUNT)
  ) u_tx (
      .clk          (tx_clk),
      .rst          (tx_rst),
      .s_axis_tdata (mac_tdata),
      .s_axis_tkeep (mac_tkeep),
      .s_axis_tvalid(mac_tvalid),
      .s_axis_tready(mac_tready),
      .s_axis_tlast (mac_tlast),
      .s_axis_tuser (mac_tuser),
      .s_axis_tamend(tamend),
      .pma_tx_data,
      .local_fault  (tx_faults[0] & ~tx_ignore_fault),
      .remote_fault (tx_faults[1] & ~tx_ignore_fault),
      .prbs31       (tx_prbs31),
      .test_idle    (tx_test_idle),
      .stopped      (tx_stopped),
      .payload_step (tx_step),
      .stat_tx_frame,
      .stat_tx_bytes,
      .stat_tx_error,
      .stat_tx_underrun
  );

  // --- Receive
  rx_t   received;
  logic  rx_likely;
  beat_t rx_user;
  rx_error_t rx_user_status, rx_frame_status;
  logic [PMA_DATA_WIDTH-1:0] pma_data;
  if (PMA_LOOPBACK_ENABLE) begin : gen_pma_loopback
    macpcs_pma_loopback #(
        .WIDTH(PMA_DATA_WIDTH)
    ) u_pma_loopback (
        .tx_clk,
        .tx_rst,
        .tx_data(pma_tx_data),
        .rx_clk,
        .rx_rst,
        .on     (pma_loopback),
        .in     (pma_rx_data),
        .out    (pma_data)
    );
  end else begin : gen_no_pma_loopback
    assign pma_data = pma_rx_data;
    logic unused;
    assign unused = pma_loopback;
  end
  macpcs_rx #(
      .WIDTH                      (PMA_DATA_WIDTH),
      .PCS_RX_LATENCY_MODE        (PCS_RX_LATENCY_MODE),
      .MAC_RX_LATENCY_MODE        (MAC_RX_LATENCY_MODE),
      .MAC_RX_CRC32_LATENCY       (MAC_RX_CRC32_LATENCY),
      .MAC_RX_CRC32_DISABLE       (MAC_RX_CRC32_DISABLE),
      .MAC_RX_CRC32_REMOVE        (MAC_RX_CRC32_REMOVE),
      .MAC_RX_MIN_PKT_LENGTH      (MAC_RX_MIN_PKT_LENGTH),
      .MAC_RX_ERROR_DELAYED_ENABLE(MAC_RX_ERROR_DELAYED_ENABLE),
      .MAC_RX_LATE_VERDICT_ENABLE (MAC_RX_LATE_VERDICT_ENABLE),
      .MAC_RX_CHECK_PREAMBLE      (MAC_RX_CHECK_PREAMBLE),
      .MAC_RX_CHECK_SFD           (MAC_RX_CHECK_SFD),
      .PAUSE                      (MAC_TX_PAUSE_LENGTH != 0)
  ) u_rx (
      .clk                (rx_clk),
      .rst                (rx_rst),
      .pma_rx_data        (pma_data),
      .max_length         (rx_max_length),
      .out                (received),
      .out_likely         (rx_likely),
      .test_prbs31        (rx_test_prbs31),
      .test_idle          (rx_test_idle),
      .block_lock         (rx_block_lock),
      .hi_ber             (rx_hi_ber),
      .watchdog           (rx_watchdog),
      .local_fault        (rx_local_fault),
      .remote_fault       (rx_remote_fault),
      .link_up            (rx_link_up),
      .stat_pattern_errors(stat_rx_pattern_errors),
      .stat_bad_header    (stat_rx_bad_header),
      .stat_bad_block     (stat_rx_bad_block),
      .stat_bad_after     (stat_rx_bad_after),
      .stat_lock_lost     (stat_rx_lock_lost),
      .stat_frame         (stat_rx_frame),
      .stat_frame_status  (rx_frame_status),
      .stat_frame_bytes   (stat_rx_bytes),
      .own_address,
      .pause              (stat_rx_pause),
      .pause_quanta       (rx_pause_quanta)
  );
  if (MAC_RX_ADDRESS_FILTER_ENABLE) begin : gen_filter
    macpcs_rx_filter #(
        .WIDTH          (PMA_DATA_WIDTH),
        .VERDICT_LATENCY(VERDICT_LATENCY)
    ) u_filter (
        .clk          (rx_clk),
        .rst          (rx_rst),
        .on           (rx_filter_on),
        .pass_group   (rx_filter_pass_group),
        .own_address,
        .in           (received),
        .out          (filtered),
        .stat_filtered(stat_rx_filtered)
    );
  end else begin : gen_no_filter
    assign filtered         = received;
    assign stat_rx_filtered = 1'b0;
    logic unused;
    assign unused = &{rx_filter_on, rx_filter_pass_group};
  end
  macpcs_rx_user #(
      .PMA_DATA_WIDTH           (PMA_DATA_WIDTH),
      .MAC_RX_DATA_WIDTH        (MAC_RX_DATA_WIDTH),
      .SYNC_DUAL_CLOCK_RX_ENABLE(SYNC_DUAL_CLOCK_RX_ENABLE),
      .DUAL_CLOCK_FIFO_RX_ENABLE(DUAL_CLOCK_FIFO_RX_ENABLE),
      .DUAL_CLOCK_FIFO_RX_DEPTH (DUAL_CLOCK_FIFO_RX_DEPTH),
      .EARLY                    (RX_EARLY),
      .VERDICT_LATENCY          (VERDICT_LATENCY)
  ) u_rx_user (
      .rx_clk,
      .rx_rst,
      .beat             (rx_delivered.beat),
      .likely           (rx_likely),
      .sof              (rx_delivered.sof),
      .status_valid     (rx_delivered.status_valid),
      .status           (rx_delivered.status),
      .overflow         (fifo_overflow),
      .m_axis_clk,
      .m_axis_rst,
      .user             (rx_user),
      .user_ready       (m_axis_tready),
      .user_bad         (m_axis_tuser),
      .user_sof         (rx_sof),
      .user_status_valid(rx_status_valid),
      .user_status      (rx_user_status)
  );
  assign stat_rx_overflow                                            = fifo_overflow | loopback_overflow;
  assign {stat_rx_fcs, stat_rx_code, stat_rx_runt, stat_rx_oversize} = rx_frame_status & {4{stat_rx_frame}};
  assign m_axis_tdata                                                = rx_user.data[MAC_RX_DATA_WIDTH-1:0];
  assign m_axis_tkeep                                                = rx_user.keep[MAC_RX_DATA_WIDTH/8-1:0];
  assign m_axis_tvalid                                               = rx_user.valid;
  assign m_axis_tlast                                                = rx_user.last;
  assign rx_status_good                                              = rx_user_status == '0;
  assign rx_err_fcs                                                  = rx_user_status.fcs;
  assign rx_err_code                                                 = rx_user_status.code;
  assign rx_err_runt                                                 = rx_user_status.runt;
  assign rx_err_oversize                                             = rx_user_status.oversize;
endmodule
