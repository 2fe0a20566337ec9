// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// macpcs with bridges and FIFOs between files, as in macpcs_bench: tx_in.hex and rx_out.hex belong to the user's clocks,
// rx_in.hex to rx_clk, tx_out.hex, whose lines are {7'h0, tx_rst, pma_tx_data[31:0]}, to tx_clk.  Of rx_out.hex the bits
// of lock and counters are zero.  Resets are pins of their own here; the rst of the files' lines is ignored.
//
// All clocks are made of `tick`, two in a cycle of 644.53125 MHz, in one statement: edges that fall together do so.
module macpcs_cross_bench #(
    parameter int S = 0,  // s_axis_clk: 0 an independent clock, 1 tx_clk, 2 half of tx_clk
    parameter int M = 0,  // m_axis_clk: 0 the same independent clock, 1 tx_clk, 2 half of tx_clk, 3 half of rx_clk
    parameter int PMA_DATA_WIDTH = 32,
    parameter int MAC_TX_DATA_WIDTH = 32,
    parameter int MAC_RX_DATA_WIDTH = 32,
    parameter bit SYNC_DUAL_CLOCK_TX_ENABLE = 1'b0,
    parameter bit SYNC_DUAL_CLOCK_RX_ENABLE = 1'b0,
    parameter bit DUAL_CLOCK_FIFO_TX_ENABLE = 1'b0,
    parameter bit DUAL_CLOCK_FIFO_RX_ENABLE = 1'b0,
    parameter int MAC_TX_CLK_FREQ_KHZ = 322266 * (32 / MAC_TX_DATA_WIDTH),  // of the independent clock
    parameter int MAC_RX_CLK_FREQ_KHZ = 322266 * (32 / MAC_RX_DATA_WIDTH),
    parameter int PCS_RX_LATENCY_MODE = 0,
    parameter int MAC_RX_LATENCY_MODE = 0,
    parameter bit MAC_RX_LATE_VERDICT_ENABLE = 1'b0
) (
    input  logic tick,
    input  int   rx_ppm,     // rx_clk is so much slower than tx_clk
    input  logic tx_rst,
    input  logic s_axis_rst,
    input  logic rx_rst,
    input  logic m_axis_rst,
    input  logic tx_go,
    output logic tx_done,
    input  logic rx_go,
    output logic rx_done,
    output logic overflow    // there was one
);
  typedef struct packed {
    logic        rst;
    logic        hold;
    logic        tvalid;
    logic        tlast;
    logic        tuser;
    logic [3:0]  tkeep;
    logic [31:0] tdata;
  } tx_line_t;
  typedef struct packed {
    logic        rst;
    logic [31:0] data;
  } rx_line_t;

  // --- Clocks
  logic tx_clk, rx_clk, user_clk, half_tx_clk, half_rx_clk, s_axis_clk, m_axis_clk, tx_next, rx_next;
  int rx_phase, user_phase;
  localparam int TICK_KHZ = 1_289_062;
  localparam int PMA_KHZ = TICK_KHZ / 2 / (PMA_DATA_WIDTH / 16);
  initial begin
    {tx_clk, rx_clk, user_clk, half_tx_clk, half_rx_clk, s_axis_clk, m_axis_clk} = '0;
    rx_phase = 0;
    user_phase = 0;
  end
  logic tx_divide;
  initial tx_divide = 1'b0;
  always @(posedge tick) begin
    tx_divide = ~tx_divide;
    tx_next   = (PMA_DATA_WIDTH == 16 || tx_divide) ? ~tx_clk : tx_clk;
    rx_phase  = rx_phase + 2 * PMA_KHZ - 2 * PMA_KHZ * rx_ppm / 1_000_000;
    rx_next   = rx_phase >= TICK_KHZ ? ~rx_clk : rx_clk;
    if (rx_phase >= TICK_KHZ) rx_phase = rx_phase - TICK_KHZ;
    user_phase = user_phase + 2 * MAC_TX_CLK_FREQ_KHZ;
    if (user_phase >= TICK_KHZ) begin
      user_phase = user_phase - TICK_KHZ;
      user_clk   = ~user_clk;
    end
    if (tx_next && !tx_clk) half_tx_clk = ~half_tx_clk;
    if (rx_next && !rx_clk) half_rx_clk = ~half_rx_clk;
    tx_clk     = tx_next;
    rx_clk     = rx_next;
    s_axis_clk = S == 0 ? user_clk : S == 1 ? tx_clk : half_tx_clk;
    m_axis_clk = M == 0 ? user_clk : M == 1 ? tx_clk : M == 2 ? half_tx_clk : half_rx_clk;
  end

  // --- macpcs
  tx_line_t tx;
  rx_line_t rx;
  logic tready, m_axis_tready;
  logic [     PMA_DATA_WIDTH-1:0] pma_tx_data;
  logic [  MAC_RX_DATA_WIDTH-1:0] m_axis_tdata;
  logic [MAC_RX_DATA_WIDTH/8-1:0] m_axis_tkeep;
  logic m_axis_tvalid, m_axis_tlast, m_axis_tuser, stat_rx_overflow;
  logic rx_sof, rx_status_valid, rx_status_good, rx_err_fcs, rx_err_code, rx_err_runt, rx_err_oversize;
  macpcs #(
      .PMA_DATA_WIDTH            (PMA_DATA_WIDTH),
      .MAC_TX_DATA_WIDTH         (MAC_TX_DATA_WIDTH),
      .MAC_RX_DATA_WIDTH         (MAC_RX_DATA_WIDTH),
      .SYNC_DUAL_CLOCK_TX_ENABLE (SYNC_DUAL_CLOCK_TX_ENABLE),
      .SYNC_DUAL_CLOCK_RX_ENABLE (SYNC_DUAL_CLOCK_RX_ENABLE),
      .DUAL_CLOCK_FIFO_TX_ENABLE (DUAL_CLOCK_FIFO_TX_ENABLE),
      .DUAL_CLOCK_FIFO_RX_ENABLE (DUAL_CLOCK_FIFO_RX_ENABLE),
      .MAC_TX_CLK_FREQ_KHZ       (MAC_TX_CLK_FREQ_KHZ),
      .MAC_RX_CLK_FREQ_KHZ       (MAC_RX_CLK_FREQ_KHZ),
      .PCS_RX_LATENCY_MODE       (PCS_RX_LATENCY_MODE),
      .MAC_RX_LATENCY_MODE       (MAC_RX_LATENCY_MODE),
      .MAC_RX_LATE_VERDICT_ENABLE(MAC_RX_LATE_VERDICT_ENABLE)
  ) dut (
      .tx_clk,
      .tx_rst,
      .s_axis_clk,
      .s_axis_rst,
      .s_axis_tdata          (tx.tdata[MAC_TX_DATA_WIDTH-1:0]),
      .s_axis_tkeep          (tx.tkeep[MAC_TX_DATA_WIDTH/8-1:0]),
      .s_axis_tvalid         (tx.tvalid),
      .s_axis_tready         (tready),
      .s_axis_tlast          (tx.tlast),
      .s_axis_tuser          (tx.tuser),
      .pma_tx_data,
      .tx_ignore_fault       (1'b1),
      .tx_prbs31             (1'b0),
      .tx_test_idle          (1'b0),
      .tx_stopped            (),
      .own_address           ('0),
      .tx_pause_req          (1'b0),
      .tx_paused             (),
      .stat_tx_pause         (),
      .stat_tx_bytes         (),
      .stat_tx_frame         (),
      .stat_tx_error         (),
      .stat_tx_underrun      (),
      .pma_loopback          (1'b0),
      .user_loopback         (1'b0),
      .rx_clk,
      .rx_rst,
      .pma_rx_data           (rx.data[PMA_DATA_WIDTH-1:0]),
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
      .rx_max_length         (16'd9622),
      .rx_filter_on          (1'b0),
      .rx_filter_pass_group  (1'b0),
      .rx_test_prbs31        (1'b0),
      .rx_test_idle          (1'b0),
      .rx_block_lock         (),
      .rx_hi_ber             (),
      .rx_watchdog           (),
      .rx_local_fault        (),
      .rx_remote_fault       (),
      .rx_link_up            (),
      .stat_rx_pattern_errors(),
      .stat_rx_frame         (),
      .stat_rx_bytes         (),
      .stat_rx_fcs           (),
      .stat_rx_code          (),
      .stat_rx_runt          (),
      .stat_rx_oversize      (),
      .stat_rx_pause         (),
      .stat_rx_bad_header    (),
      .stat_rx_bad_block     (),
      .stat_rx_bad_after     (),
      .stat_rx_lock_lost     (),
      .stat_rx_filtered      (),
      .stat_rx_overflow
  );
  always @(posedge rx_clk) overflow <= !rx_rst && (overflow || stat_rx_overflow);
  initial overflow = 1'b0;

  // --- Files
  int tx_in, tx_out, rx_in, rx_out;
  logic tx_busy, rx_busy;
  tx_line_t tx_line;
  rx_line_t rx_line;
  initial begin
    tx      = '0;
    rx      = '0;
    tx_done = 1'b0;
    rx_done = 1'b0;
    tx_busy = 1'b0;
    rx_busy = 1'b0;
    tx_in   = $fopen("tx_in.hex", "r");
    tx_out  = $fopen("tx_out.hex", "w");
    rx_in   = $fopen("rx_in.hex", "r");
    rx_out  = $fopen("rx_out.hex", "w");
  end
  always @(posedge s_axis_clk) begin
    if (tx_go && !(tx_busy && tx.hold && !tready && !s_axis_rst)) begin
      if ($fscanf(tx_in, "%h", tx_line) == 1) tx <= tx_line;
      else begin
        tx      <= '0;
        tx_done <= 1'b1;
      end
      tx_busy <= 1'b1;
    end
  end
  always @(posedge tx_clk) if (tx_go) $fwrite(tx_out, "%h\n", {7'h0, tx_rst, 32'(pma_tx_data)});
  always @(posedge rx_clk) begin
    if (rx_go) begin
      if ($fscanf(rx_in, "%h", rx_line) == 1) rx <= rx_line;
      else rx_done <= 1'b1;
      rx_busy <= 1'b1;
    end
  end
  always @(negedge tx_go) $fflush(tx_out);
  always @(negedge rx_go) $fflush(rx_out);
  logic [5:0] waits;  // with a faster clock the user may be busy in some cycles
  initial waits = '0;
  assign m_axis_tready = !(MAC_RX_CLK_FREQ_KHZ > 340000 && M == 0 && waits == 0);
  always @(posedge m_axis_clk) begin
    waits <= waits + 1'b1;
    // The line stays at its last word after its end, and that may look like a frame.  At time 0 the clock may rise while
    // rx_go is not driven yet.
    if (rx_go && !rx_done && $time > 0) begin
      $fwrite(rx_out, "%h\n", {m_axis_rst, rx_sof, rx_status_valid, rx_status_good, rx_err_fcs, rx_err_code,
                               rx_err_runt, rx_err_oversize, 4'h0, m_axis_tuser, 1'b0, m_axis_tlast,
                               m_axis_tvalid & m_axis_tready, 4'h0, 4'(m_axis_tkeep), 32'(m_axis_tdata)});
    end
  end
endmodule
