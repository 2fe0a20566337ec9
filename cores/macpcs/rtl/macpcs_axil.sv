// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// The registers of macpcs on AXI4-Lite: what ../regs/README.md lists, and the crossings between axil_clk, tx_clk and
// rx_clk.  Any three clocks.
//
// Every access is answered, whether tx_clk and rx_clk run or not: SLVERR where there is no register, or for a write of
// what can only be read.  Alone, a read answers 2 cycles after its address is taken (counters: 3), a write 2 after
// address and data.  Two accesses can be under way.
//
// Latency: a cfg_* output follows its register by two to three of its own domain's cycles, bit by bit (cdc_bits);
// cfg_rx_max_length as a whole (cdc_handshake), by a cycle of axil_clk and four to five of rx_clk, if the change before
// it is some ten cycles ago.
// STATUS follows its input by a cycle of rx_clk and two to three of axil_clk.  Any cycle of a status that STICKY keeps
// is seen, however short, about 10 cycles of the slower clock later.  Inputs of stat_* count a cycle later.
//
// Resets: cfg_rx_max_length is not touched by rx_rst, and goes back to MAC_RX_MAX_PKT_LENGTH with axil_rst, like the
// register.
//
// Assumes: cfg_mac_address comes from axil_clk as it is: whoever uses it needs it to stand still meanwhile, as macpcs
// does, and the path is a false one.  So do the loopback bits, which macpcs synchronises.  At most 65535 bytes and what
// the line carries meanwhile are reported within 32 cycles of rx_clk.
module macpcs_axil #(
    // What the core was built with, as CAPABILITY and its neighbours show it.
    parameter int PMA_DATA_WIDTH = 32,
    parameter int MAC_TX_DATA_WIDTH = 32,
    parameter int MAC_RX_DATA_WIDTH = 32,
    parameter bit SYNC_DUAL_CLOCK_TX_ENABLE = 1'b0,
    parameter bit SYNC_DUAL_CLOCK_RX_ENABLE = 1'b0,
    parameter bit DUAL_CLOCK_FIFO_TX_ENABLE = 1'b0,
    parameter bit DUAL_CLOCK_FIFO_RX_ENABLE = 1'b0,
    parameter int DUAL_CLOCK_FIFO_TX_DEPTH = 16,
    parameter int DUAL_CLOCK_FIFO_RX_DEPTH = 16,
    parameter int MAC_TX_CLK_FREQ_KHZ = 322266,
    parameter int MAC_RX_CLK_FREQ_KHZ = 322266,
    parameter bit MAC_RX_CRC32_DISABLE = 1'b0,
    parameter bit MAC_RX_CRC32_REMOVE = 1'b0,
    parameter int MAC_RX_MIN_PKT_LENGTH = 64,
    parameter int MAC_RX_MAX_PKT_LENGTH = 9622,  // of MAX_LENGTH after a reset
    parameter bit MAC_RX_ERROR_DELAYED_ENABLE = 1'b0,
    parameter bit MAC_RX_LATE_VERDICT_ENABLE = 1'b0,
    parameter bit MAC_RX_CHECK_PREAMBLE = 1'b0,
    parameter bit MAC_RX_CHECK_SFD = 1'b1,
    parameter bit MAC_RX_ADDRESS_FILTER_ENABLE = 1'b0,
    parameter bit MAC_TX_CRC32_DISABLE = 1'b0,
    parameter bit MAC_TX_CRC32_ADD = 1'b1,
    parameter bit MAC_TX_CRC32_CORRUPTED_ON_ERROR = 1'b1,
    parameter int MAC_TX_PADDING_SIZE = 64,
    parameter int MAC_TX_IFG_COUNT = 12,
    parameter int MAC_TX_PAUSE_LENGTH = 0,
    parameter bit PMA_LOOPBACK_ENABLE = 1'b0,
    parameter bit USER_LOOPBACK_ENABLE = 1'b0
) (
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

    // Of axil_clk
    output logic [47:0] cfg_mac_address,   // first byte on the line in bits 47:40
    output logic        cfg_pma_loopback,
    output logic        cfg_user_loopback,

    // Transmit clock domain
    input logic tx_clk,
    input logic tx_rst,

    output logic cfg_tx_ignore_fault,
    output logic cfg_tx_prbs31,
    output logic cfg_tx_test_idle,
    output logic cfg_tx_pause_req,

    input logic       stat_tx_frame,     // a frame ends
    input logic [2:0] stat_tx_bytes,     // in this cycle, 0 to 7
    input logic       stat_tx_error,
    input logic       stat_tx_underrun,
    input logic       stat_tx_pause,

    // Receive clock domain
    input logic rx_clk,
    input logic rx_rst,

    output logic cfg_rx_test_prbs31,
    output logic cfg_rx_test_idle,
    output logic cfg_rx_filter,
    output logic cfg_rx_pass_group,
    output logic [15:0] cfg_rx_max_length,

    input logic rx_block_lock,
    input logic rx_hi_ber,
    input logic rx_watchdog,
    input logic rx_local_fault,
    input logic rx_remote_fault,
    input logic rx_link_up,

    input logic [$clog2(PMA_DATA_WIDTH):0] stat_rx_pattern_errors,  // in this cycle
    input logic                            stat_rx_frame,           // a frame ends:
    input logic [                    15:0] stat_rx_bytes,           // its bytes
    input logic                            stat_rx_fcs,             // what is wrong with it; only with stat_rx_frame
    input logic                            stat_rx_code,
    input logic                            stat_rx_runt,
    input logic                            stat_rx_oversize,
    input logic                            stat_rx_pause,
    input logic                            stat_rx_bad_header,
    input logic                            stat_rx_bad_block,
    input logic                            stat_rx_bad_after,
    input logic                            stat_rx_lock_lost,
    input logic                            stat_rx_filtered,
    input logic                            stat_rx_overflow
);
  if (MAC_RX_MIN_PKT_LENGTH < 1 || MAC_RX_MIN_PKT_LENGTH > 65535 || MAC_RX_MAX_PKT_LENGTH < 1
      || MAC_RX_MAX_PKT_LENGTH > 65535) begin : gen_bad_length
    $error("macpcs_axil: MAC_RX_MIN_PKT_LENGTH and MAC_RX_MAX_PKT_LENGTH must be 1 to 65535");
  end
  if (MAC_TX_PAUSE_LENGTH < 0 || MAC_TX_PAUSE_LENGTH > 65535) begin : gen_bad_pause
    $error("macpcs_axil: MAC_TX_PAUSE_LENGTH must be 0 to 65535");
  end
  if (DUAL_CLOCK_FIFO_TX_DEPTH > 65535 || DUAL_CLOCK_FIFO_RX_DEPTH > 65535) begin : gen_bad_depth
    $error("macpcs_axil: DUAL_CLOCK_FIFO_*_DEPTH must be below 65536");
  end
  if (MAC_TX_PADDING_SIZE < 0 || MAC_TX_PADDING_SIZE > 65535) begin : gen_bad_padding
    $error("macpcs_axil: MAC_TX_PADDING_SIZE must be 0 to 65535");
  end
  if (MAC_TX_IFG_COUNT < 0 || MAC_TX_IFG_COUNT > 255) begin : gen_bad_gap
    $error("macpcs_axil: MAC_TX_IFG_COUNT must be 0 to 255");
  end

  // --- Registers
  macpcs_regs_pkg::macpcs_regs__in_t  to_regs;
  macpcs_regs_pkg::macpcs_regs__out_t regs;

  macpcs_regs u_regs (
      .clk     (axil_clk),
      .rst     (axil_rst),
      .s_axil_awready,
      .s_axil_awvalid,
      .s_axil_awaddr,
      .s_axil_awprot,
      .s_axil_wready,
      .s_axil_wvalid,
      .s_axil_wdata,
      .s_axil_wstrb,
      .s_axil_bready,
      .s_axil_bvalid,
      .s_axil_bresp,
      .s_axil_arready,
      .s_axil_arvalid,
      .s_axil_araddr,
      .s_axil_arprot,
      .s_axil_rready,
      .s_axil_rvalid,
      .s_axil_rdata,
      .s_axil_rresp,
      .hwif_in (to_regs),
      .hwif_out(regs)
  );

  assign to_regs.CAPABILITY.pma_data_width.next = 8'(PMA_DATA_WIDTH);
  assign to_regs.CAPABILITY.mac_tx_data_width.next = 8'(MAC_TX_DATA_WIDTH);
  assign to_regs.CAPABILITY.mac_rx_data_width.next = 8'(MAC_RX_DATA_WIDTH);
  assign to_regs.CAPABILITY.sync_dual_clock_tx.next = SYNC_DUAL_CLOCK_TX_ENABLE;
  assign to_regs.CAPABILITY.sync_dual_clock_rx.next = SYNC_DUAL_CLOCK_RX_ENABLE;
  assign to_regs.CAPABILITY.dual_clock_fifo_tx.next = DUAL_CLOCK_FIFO_TX_ENABLE;
  assign to_regs.CAPABILITY.dual_clock_fifo_rx.next = DUAL_CLOCK_FIFO_RX_ENABLE;
  assign to_regs.CAPABILITY.crc32_remove.next = MAC_RX_CRC32_REMOVE;
  assign to_regs.FIFO_DEPTH.tx.next = 16'(DUAL_CLOCK_FIFO_TX_DEPTH);
  assign to_regs.FIFO_DEPTH.rx.next = 16'(DUAL_CLOCK_FIFO_RX_DEPTH);
  assign to_regs.TX_CLK_FREQ.khz.next = MAC_TX_CLK_FREQ_KHZ;
  assign to_regs.RX_CLK_FREQ.khz.next = MAC_RX_CLK_FREQ_KHZ;
  assign to_regs.CAPABILITY2.tx_ifg_count.next = 8'(MAC_TX_IFG_COUNT);
  assign to_regs.CAPABILITY2.rx_crc32_disable.next = MAC_RX_CRC32_DISABLE;
  assign to_regs.CAPABILITY2.rx_error_delayed.next = MAC_RX_ERROR_DELAYED_ENABLE;
  assign to_regs.CAPABILITY2.rx_late_verdict.next = MAC_RX_LATE_VERDICT_ENABLE;
  assign to_regs.CAPABILITY2.rx_check_preamble.next = MAC_RX_CHECK_PREAMBLE;
  assign to_regs.CAPABILITY2.rx_check_sfd.next = MAC_RX_CHECK_SFD;
  assign to_regs.CAPABILITY2.rx_address_filter.next = MAC_RX_ADDRESS_FILTER_ENABLE;
  assign to_regs.CAPABILITY2.tx_crc32_disable.next = MAC_TX_CRC32_DISABLE;
  assign to_regs.CAPABILITY2.tx_crc32_add.next = MAC_TX_CRC32_ADD;
  assign to_regs.CAPABILITY2.tx_corrupted_on_error.next = MAC_TX_CRC32_CORRUPTED_ON_ERROR;
  assign to_regs.CAPABILITY2.pma_loopback.next = PMA_LOOPBACK_ENABLE;
  assign to_regs.CAPABILITY2.user_loopback.next = USER_LOOPBACK_ENABLE;
  assign to_regs.FRAME_LENGTH.padding.next = 16'(MAC_TX_PADDING_SIZE);
  assign to_regs.FRAME_LENGTH.shortest.next = 16'(MAC_RX_MIN_PKT_LENGTH);
  assign to_regs.PAUSE_LENGTH.quanta.next = 16'(MAC_TX_PAUSE_LENGTH);
  assign to_regs.max_pkt_length = 16'(MAC_RX_MAX_PKT_LENGTH);

  // --- Configuration
  assign cfg_mac_address = {regs.MAC_ADDRESS_HI.bytes.value, regs.MAC_ADDRESS_LO.bytes.value};
  assign cfg_pma_loopback = regs.CONTROL.pma_loopback.value;
  assign cfg_user_loopback = regs.CONTROL.user_loopback.value;

  localparam logic [1:0] PATTERN_PRBS31 = 2'd1;
  localparam logic [1:0] PATTERN_IDLE = 2'd2;
  logic [1:0] tx_pattern, rx_pattern;

  cdc_bits #(
      .WIDTH(4)
  ) cfg_to_tx (
      .clk(tx_clk),
      .rst(1'b0),
      .d  ({regs.CONTROL.tx_pattern.value, regs.CONTROL.ignore_fault.value, regs.CONTROL.pause_request.value}),
      .q  ({tx_pattern, cfg_tx_ignore_fault, cfg_tx_pause_req})
  );
  cdc_bits #(
      .WIDTH(4)
  ) cfg_to_rx (
      .clk(rx_clk),
      .rst(1'b0),
      .d  ({regs.CONTROL.rx_pattern.value, regs.CONTROL.address_filter.value, regs.CONTROL.pass_group.value}),
      .q  ({rx_pattern, cfg_rx_filter, cfg_rx_pass_group})
  );
  assign cfg_tx_prbs31      = tx_pattern == PATTERN_PRBS31;
  assign cfg_tx_test_idle   = tx_pattern == PATTERN_IDLE;
  assign cfg_rx_test_prbs31 = rx_pattern == PATTERN_PRBS31;
  assign cfg_rx_test_idle   = rx_pattern == PATTERN_IDLE;

  // MAX_LENGTH goes over whenever it is not what went over last.  Neither of these registers knows a reset, so they agree.
  logic [15:0] max_length, max_length_new;
  logic max_length_valid, max_length_ready, max_length_here;
  logic [15:0] max_length_sent_q = 16'(MAC_RX_MAX_PKT_LENGTH);
  logic [15:0] max_length_q = 16'(MAC_RX_MAX_PKT_LENGTH);
  assign max_length        = regs.MAX_LENGTH.bytes.value;
  assign max_length_valid  = max_length != max_length_sent_q;
  assign cfg_rx_max_length = max_length_q;
  always_ff @(posedge axil_clk) begin
    if (max_length_ready && !axil_rst) max_length_sent_q <= max_length;
  end
  always_ff @(posedge rx_clk) begin
    if (max_length_here) max_length_q <= max_length_new;
  end
  cdc_handshake #(
      .WIDTH(16)
  ) max_length_to_rx (
      .s_clk  (axil_clk),
      .s_rst  (axil_rst),
      .s_data (max_length),
      .s_valid(max_length_valid),
      .s_ready(max_length_ready),
      .m_clk  (rx_clk),
      .m_rst  (1'b0),
      .m_data (max_length_new),
      .m_valid(max_length_here)
  );

  // --- Status.  What is wrong stays in wrong_q until a handshake has taken it, so no pulse is too short.
  typedef struct packed {
    logic lock_lost;
    logic hi_ber;
    logic local_fault;
    logic remote_fault;
    logic link_down;
    logic bad_after;
    logic watchdog;
  } wrong_t;
  typedef struct packed {
    logic   reset;
    wrong_t status;
  } rx_wrong_t;

  localparam wrong_t NO_LINK = '{
      lock_lost: 1'b1,
      hi_ber: 1'b0,
      local_fault: 1'b0,
      remote_fault: 1'b0,
      link_down: 1'b1,
      bad_after: 1'b0,
      watchdog: 1'b0
  };

  rx_wrong_t rx_wrong_new, rx_wrong_seen;
  wrong_t status_seen;
  logic rx_wrong_ready, rx_wrong_valid;
  wrong_t status_q = NO_LINK;  // as it was in the cycle before
  rx_wrong_t rx_wrong_q = '0;  // outlives a reset
  logic tx_reset_q = 1'b0;
  logic tx_reset_ready, tx_reset_seen, tx_reset_valid;

  assign rx_wrong_new = '{reset: rx_rst, status: status_q};
  always_ff @(posedge rx_clk) begin
    status_q <= '{
        lock_lost: ~rx_block_lock,
        hi_ber: rx_hi_ber,
        local_fault: rx_local_fault,
        remote_fault: rx_remote_fault,
        link_down: ~rx_link_up,
        bad_after: stat_rx_bad_after,
        watchdog: rx_watchdog
    };
    if (rx_rst) status_q <= NO_LINK;
    rx_wrong_q <= (rx_wrong_ready && !rx_rst ? '0 : rx_wrong_q) | rx_wrong_new;
  end
  always_ff @(posedge tx_clk) begin
    tx_reset_q <= (tx_reset_q & ~tx_reset_ready) | tx_rst;
  end

  cdc_handshake #(
      .WIDTH($bits(rx_wrong_t))
  ) rx_wrong_to_axil (
      .s_clk  (rx_clk),
      .s_rst  (rx_rst),
      .s_data (rx_wrong_q),
      .s_valid(rx_wrong_q != '0),
      .s_ready(rx_wrong_ready),
      .m_clk  (axil_clk),
      .m_rst  (axil_rst),
      .m_data (rx_wrong_seen),
      .m_valid(rx_wrong_valid)
  );
  cdc_handshake tx_reset_to_axil (
      .s_clk  (tx_clk),
      .s_rst  (tx_rst),
      .s_data (1'b1),
      .s_valid(tx_reset_q),
      .s_ready(tx_reset_ready),
      .m_clk  (axil_clk),
      .m_rst  (axil_rst),
      .m_data (tx_reset_seen),
      .m_valid(tx_reset_valid)
  );
  cdc_bits #(
      .WIDTH($bits(wrong_t))
  ) status_to_axil (
      .clk(axil_clk),
      .rst(1'b0),
      .d  (status_q),
      .q  (status_seen)
  );

  assign to_regs.STATUS.block_lock.next = ~status_seen.lock_lost;
  assign to_regs.STATUS.hi_ber.next = status_seen.hi_ber;
  assign to_regs.STATUS.local_fault.next = status_seen.local_fault;
  assign to_regs.STATUS.remote_fault.next = status_seen.remote_fault;
  assign to_regs.STATUS.link_up.next = ~status_seen.link_down;
  assign to_regs.STATUS.watchdog.next = status_seen.watchdog;

  wrong_t sticky_set;
  assign sticky_set = status_seen | (rx_wrong_valid ? rx_wrong_seen.status : '0);
  assign to_regs.STICKY.block_lock_lost.hwset = sticky_set.lock_lost;
  assign to_regs.STICKY.hi_ber.hwset = sticky_set.hi_ber;
  assign to_regs.STICKY.local_fault.hwset = sticky_set.local_fault;
  assign to_regs.STICKY.remote_fault.hwset = sticky_set.remote_fault;
  assign to_regs.STICKY.link_down.hwset = sticky_set.link_down;
  assign to_regs.STICKY.bad_after.hwset = sticky_set.bad_after;
  assign to_regs.STICKY.watchdog.hwset = sticky_set.watchdog;
  assign to_regs.STICKY.rx_reset.hwset = rx_wrong_valid & rx_wrong_seen.reset;
  assign to_regs.STICKY.tx_reset.hwset = tx_reset_valid & tx_reset_seen;

  // --- Counters, in the order of the register map.  A register before them, for timing.
  typedef struct packed {
    logic filtered;
    logic bad_block;
    logic bad_header;
    logic hi_ber;
    logic lock_lost;
    logic overflow;
    logic pause;
    logic oversize;
    logic runt;
    logic code;
    logic fcs;
    logic bad;
    logic good;
    logic [$clog2(PMA_DATA_WIDTH):0] pattern_errors;
    logic [15:0] bytes_bad;
    logic [15:0] bytes_good;
  } rx_stat_t;
  typedef struct packed {
    logic pause;
    logic underrun;
    logic error;
    logic frame;
    logic [2:0] bytes;
  } tx_stat_t;

  logic rx_good, rx_bad;
  assign rx_bad  = stat_rx_frame & (stat_rx_fcs | stat_rx_code | stat_rx_runt | stat_rx_oversize);
  assign rx_good = stat_rx_frame & ~(stat_rx_fcs | stat_rx_code | stat_rx_runt | stat_rx_oversize);

  rx_stat_t rx_stat;
  tx_stat_t tx_stat;
  always_ff @(posedge rx_clk) begin
    rx_stat <= '{
        filtered: stat_rx_filtered,
        bad_block: stat_rx_bad_block,
        bad_header: stat_rx_bad_header,
        hi_ber: rx_hi_ber & ~status_q.hi_ber,  // where it begins
        lock_lost: stat_rx_lock_lost,
        overflow: stat_rx_overflow,
        pause: stat_rx_pause,
        oversize: stat_rx_oversize,
        runt: stat_rx_runt,
        code: stat_rx_code,
        fcs: stat_rx_fcs,
        bad: rx_bad,
        good: rx_good,
        pattern_errors: stat_rx_pattern_errors,
        bytes_bad: stat_rx_bytes & {16{rx_bad}},
        bytes_good: stat_rx_bytes & {16{rx_good}}
    };
    if (rx_rst) rx_stat <= '0;
  end
  always_ff @(posedge tx_clk) begin
    tx_stat <= '{
        pause: stat_tx_pause,
        underrun: stat_tx_underrun,
        error: stat_tx_error,
        frame: stat_tx_frame,
        bytes: stat_tx_bytes
    };
    if (tx_rst) tx_stat <= '0;
  end

  localparam int RX_COUNTERS = 16;
  localparam int TX_COUNTERS = 5;

  logic rx_take, rx_busy, tx_take, tx_busy;
  logic [31:0] rx_data, tx_data;

  macpcs_stats #(
      .COUNTERS   (RX_COUNTERS),
      .INC_WIDTH  (16),
      .ROUND_WIDTH({{13{8'd6}}, 8'd11, 8'd17, 8'd17})
  ) rx_stats (
      .clk(rx_clk),
      .rst(rx_rst),
      .inc({
        16'(rx_stat.filtered),
        16'(rx_stat.bad_block),
        16'(rx_stat.bad_header),
        16'(rx_stat.hi_ber),
        16'(rx_stat.lock_lost),
        16'(rx_stat.overflow),
        16'(rx_stat.pause),
        16'(rx_stat.oversize),
        16'(rx_stat.runt),
        16'(rx_stat.code),
        16'(rx_stat.fcs),
        16'(rx_stat.bad),
        16'(rx_stat.good),
        16'(rx_stat.pattern_errors),
        rx_stat.bytes_bad,
        rx_stat.bytes_good
      }),
      .rd_clk(axil_clk),
      .snapshot(rx_take),
      .busy(rx_busy),
      .rd_addr(regs.RX_STATS.addr[6:2]),
      .rd_data(rx_data)
  );
  macpcs_stats #(
      .COUNTERS   (TX_COUNTERS),
      .INC_WIDTH  (3),
      .ROUND_WIDTH({{4{8'd4}}, 8'd7})
  ) tx_stats (
      .clk(tx_clk),
      .rst(tx_rst),
      .inc({3'(tx_stat.pause), 3'(tx_stat.underrun), 3'(tx_stat.error), 3'(tx_stat.frame), tx_stat.bytes}),
      .rd_clk(axil_clk),
      .snapshot(tx_take),
      .busy(tx_busy),
      .rd_addr(regs.TX_STATS.addr[5:2]),
      .rd_data(tx_data)
  );

  // The bit in SNAPSHOT is the request.  A snapshot of before an axil_rst may still be under way: it is waited for, and
  // then one that is newer than the request is taken.
  logic rx_taking_q, tx_taking_q;
  assign rx_take = regs.SNAPSHOT.rx.value & ~rx_taking_q & ~rx_busy;
  assign tx_take = regs.SNAPSHOT.tx.value & ~tx_taking_q & ~tx_busy;
  assign to_regs.SNAPSHOT.rx.hwclr = rx_taking_q & ~rx_busy;
  assign to_regs.SNAPSHOT.tx.hwclr = tx_taking_q & ~tx_busy;

  logic rx_ack_q, tx_ack_q;
  logic [31:0] data_q;
  always_ff @(posedge axil_clk) begin
    rx_taking_q <= rx_take | (rx_taking_q & rx_busy);
    tx_taking_q <= tx_take | (tx_taking_q & tx_busy);
    rx_ack_q <= regs.RX_STATS.req;
    tx_ack_q <= regs.TX_STATS.req;
    data_q <= regs.RX_STATS.req ? rx_data : tx_data;
    if (axil_rst) begin
      rx_taking_q <= 1'b0;
      tx_taking_q <= 1'b0;
      rx_ack_q <= 1'b0;
      tx_ack_q <= 1'b0;
    end
  end
  assign to_regs.RX_STATS.rd_ack  = rx_ack_q;
  assign to_regs.TX_STATS.rd_ack  = tx_ack_q;
  assign to_regs.RX_STATS.wr_ack  = 1'b0;  // writes are refused before they get here
  assign to_regs.TX_STATS.wr_ack  = 1'b0;
  assign to_regs.RX_STATS.rd_data = data_q;
  assign to_regs.TX_STATS.rd_data = data_q;
endmodule
