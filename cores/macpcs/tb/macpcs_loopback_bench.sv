// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// macpcs with both loopbacks between files, as in macpcs_bench: tx_in.hex is the user's script, rx_in.hex the line's
// words; tx_out.hex has lines {7'h0, tx_rst, pma_tx_data[31:0]}, rx_out.hex those of macpcs_bench, without overflow.
// Resets are pins here.  Both clocks are made of `tick`, two in a cycle of 644.53125 MHz.
module macpcs_loopback_bench #(
    parameter int PMA_DATA_WIDTH = 32,
    parameter bit MAC_RX_CRC32_REMOVE = 1'b0,
    parameter int MAC_RX_MAX_PKT_LENGTH = 9622,
    parameter int MAC_TX_PAUSE_LENGTH = 0,
    parameter bit MAC_TX_AMEND_ENABLE = 1'b0
) (
    input  logic tick,
    input  int   tx_ppm,         // so much slower than the tick's clock
    input  int   rx_ppm,
    input  logic tx_rst,
    input  logic rx_rst,
    input  logic pma_loopback,
    input  logic user_loopback,
    input  logic stop,           // tx_test_idle: the transmitter starts no frame
    input  logic pause,          // the link partner
    input  logic noise,          // on pma_rx_data, in place of the file
    input  logic go,
    output logic tx_done,
    output logic rx_done,
    output int   overflows,
    output int   underruns,
    output int   paused_cycles,  // by the link partner
    output logic block_lock,
    output int   locks_lost
);
  typedef struct packed {
    logic [31:0] tamend;
    logic        rst;
    logic        hold;
    logic        tvalid;
    logic        tlast;
    logic        tuser;
    logic [3:0]  tkeep;
    logic [31:0] tdata;
  } tx_line_t;

  // --- Clocks
  localparam int UNIT = 1_000_000;
  localparam int STEP = UNIT / (PMA_DATA_WIDTH / 16);
  logic tx_clk, rx_clk, tx_next, rx_next;
  int tx_phase, rx_phase;
  initial begin
    {tx_clk, rx_clk} = '0;
    tx_phase = 0;
    rx_phase = 0;
  end
  always @(posedge tick) begin
    tx_phase = tx_phase + STEP - tx_ppm / (PMA_DATA_WIDTH / 16);
    rx_phase = rx_phase + STEP - rx_ppm / (PMA_DATA_WIDTH / 16);
    tx_next  = tx_phase >= UNIT ? ~tx_clk : tx_clk;
    rx_next  = rx_phase >= UNIT ? ~rx_clk : rx_clk;
    if (tx_phase >= UNIT) tx_phase = tx_phase - UNIT;
    if (rx_phase >= UNIT) rx_phase = rx_phase - UNIT;
    tx_clk = tx_next;
    rx_clk = rx_next;
  end

  // --- macpcs
  tx_line_t tx;
  logic [31:0] rx;
  logic tready;
  logic [PMA_DATA_WIDTH-1:0] pma_tx_data, m_axis_tdata;
  logic [PMA_DATA_WIDTH/8-1:0] m_axis_tkeep;
  logic m_axis_tvalid, m_axis_tlast, m_axis_tuser, stat_tx_underrun, tx_paused;
  logic rx_sof, rx_status_valid, rx_status_good, rx_err_fcs, rx_err_code, rx_err_runt, rx_err_oversize;
  logic stat_rx_bad_header, stat_rx_bad_block, stat_rx_lock_lost, stat_rx_overflow;
  macpcs #(
      .PMA_DATA_WIDTH      (PMA_DATA_WIDTH),
      .MAC_TX_DATA_WIDTH   (PMA_DATA_WIDTH),
      .MAC_RX_DATA_WIDTH   (PMA_DATA_WIDTH),
      .MAC_RX_CRC32_REMOVE (MAC_RX_CRC32_REMOVE),
      .MAC_TX_PAUSE_LENGTH (MAC_TX_PAUSE_LENGTH),
      .MAC_TX_AMEND_ENABLE (MAC_TX_AMEND_ENABLE),
      .PMA_LOOPBACK_ENABLE (1'b1),
      .USER_LOOPBACK_ENABLE(1'b1)
  ) dut (
      .tx_clk,
      .tx_rst,
      .s_axis_clk            (tx_clk),
      .s_axis_rst            (tx_rst),
      .s_axis_tdata          (tx.tdata[PMA_DATA_WIDTH-1:0]),
      .s_axis_tkeep          (tx.tkeep[PMA_DATA_WIDTH/8-1:0]),
      .s_axis_tvalid         (tx.tvalid),
      .s_axis_tready         (tready),
      .s_axis_tlast          (tx.tlast),
      .s_axis_tuser          (tx.tuser),
      .s_axis_tamend         (tx.tamend),
      .pma_tx_data,
      .tx_ignore_fault       (1'b1),
      .tx_prbs31             (1'b0),
      .tx_test_idle          (stop),
      .tx_stopped            (),
      .own_address           (48'h02a1b2c3d4e5),
      .tx_pause_req          (pause),
      .tx_paused,
      .stat_tx_pause         (),
      .stat_tx_frame         (),
      .stat_tx_bytes         (),
      .stat_tx_error         (),
      .stat_tx_underrun,
      .pma_loopback,
      .user_loopback,
      .rx_clk,
      .rx_rst,
      .pma_rx_data           (rx[PMA_DATA_WIDTH-1:0]),
      .m_axis_clk            (rx_clk),
      .m_axis_rst            (rx_rst),
      .m_axis_tdata,
      .m_axis_tkeep,
      .m_axis_tvalid,
      .m_axis_tready         (1'b1),
      .m_axis_tlast,
      .m_axis_tuser,
      .rx_sof,
      .rx_status_valid,
      .rx_status_good,
      .rx_err_fcs,
      .rx_err_code,
      .rx_err_runt,
      .rx_err_oversize,
      .rx_max_length         (16'(MAC_RX_MAX_PKT_LENGTH)),
      .rx_filter_on          (1'b0),
      .rx_filter_pass_group  (1'b0),
      .rx_test_prbs31        (1'b0),
      .rx_test_idle          (1'b0),
      .rx_block_lock         (block_lock),
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
      .stat_rx_bad_header,
      .stat_rx_bad_block,
      .stat_rx_bad_after     (),
      .stat_rx_lock_lost,
      .stat_rx_filtered      (),
      .stat_rx_overflow
  );
  initial begin
    overflows     = 0;
    underruns     = 0;
    locks_lost    = 0;
    paused_cycles = 0;
  end
  always @(posedge rx_clk) begin
    if (stat_rx_overflow) overflows <= overflows + 1;
    if (stat_rx_lock_lost) locks_lost <= locks_lost + 1;
  end
  always @(posedge tx_clk) begin
    if (stat_tx_underrun) underruns <= underruns + 1;
    if (tx_paused) paused_cycles <= paused_cycles + 1;
  end

  // --- Files
  int tx_in, tx_out, rx_in, rx_out;
  logic busy;
  tx_line_t tx_line;
  logic [31:0] rx_line;
  initial begin
    tx      = '0;
    rx      = '0;
    busy    = 1'b0;
    tx_done = 1'b0;
    rx_done = 1'b0;
    tx_in   = $fopen("tx_in.hex", "r");
    tx_out  = $fopen("tx_out.hex", "w");
    rx_in   = $fopen("rx_in.hex", "r");
    rx_out  = $fopen("rx_out.hex", "w");
  end
  always @(posedge tx_clk) begin
    if (go) begin
      $fwrite(tx_out, "%h\n", {7'h0, tx_rst, 32'(pma_tx_data)});
      busy <= 1'b1;
      if (!(busy && tx.hold && !tready)) begin
        if ($fscanf(tx_in, "%h", tx_line) == 1) tx <= tx_line;
        else begin
          tx      <= '0;
          tx_done <= 1'b1;
        end
      end
    end
  end
  always @(posedge rx_clk) begin
    if (go) begin
      $fwrite(rx_out, "%h\n", {rx_rst, rx_sof, rx_status_valid, rx_status_good, rx_err_fcs, rx_err_code, rx_err_runt,
                               rx_err_oversize, block_lock, stat_rx_bad_header, stat_rx_bad_block, stat_rx_lock_lost,
                               m_axis_tuser, 1'b0, m_axis_tlast, m_axis_tvalid, 4'h0, 4'(m_axis_tkeep),
                               32'(m_axis_tdata)});
      // Zeros follow, which have no valid block header: of a word that stands still some do, and a frame may seem to begin.
      if ($fscanf(rx_in, "%h", rx_line) == 1) rx <= rx_line;
      else begin
        rx      <= '0;
        rx_done <= 1'b1;
      end
      if (noise) rx <= $urandom;
    end
  end
  always @(negedge go) begin
    $fflush(tx_out);
    $fflush(rx_out);
  end
endmodule
