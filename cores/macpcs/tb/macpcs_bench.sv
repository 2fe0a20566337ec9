// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Plays both sides of macpcs from files and records every cycle to files, so that Python is woken once a run and not
// once a cycle. The files are in the directory that the simulation runs in; one line is one cycle, in hexadecimal.
//
// Both sides have words of PMA_DATA_WIDTH bits; with 16 the upper half of data and of tkeep is not used, and zero.
//
//   tx_in.hex    {tamend[31:0], rst, hold, tvalid, tlast, tuser, tkeep[3:0], tdata[31:0]}; with `hold` the line stays until
//                tready
//   tx_out.hex   {2'b0, stat_tx_frame, stat_tx_error, stat_tx_underrun, rst, tvalid, tready, pma_tx_data[31:0]}
//   rx_in.hex    {rst, pma_rx_data[31:0]}
//   rx_out.hex   {rst, sof, status_valid, good, fcs, code, runt, oversize,
//                 lock, bad_header, bad_block, lock_lost, tuser, overflow, tlast, tvalid, 1'b0, link_up, watchdog, bad_after, tkeep[3:0],
//                 tdata[31:0]}
//
// Raise `tx_go` (`rx_go`) to play a file; `tx_done` (`rx_done`) rises when it has been played.
module macpcs_bench #(
    parameter int PMA_DATA_WIDTH = 32,
    parameter int MAC_TX_DATA_WIDTH = PMA_DATA_WIDTH,
    parameter int MAC_RX_DATA_WIDTH = PMA_DATA_WIDTH,
    parameter int PCS_TX_LATENCY_MODE = 0,
    parameter int PCS_RX_LATENCY_MODE = 0,
    parameter int MAC_TX_LATENCY_MODE = 0,
    parameter int MAC_RX_LATENCY_MODE = 0,
    parameter int MAC_RX_CRC32_LATENCY = PMA_DATA_WIDTH == 16 ? 2 : 1,
    parameter bit MAC_RX_CRC32_DISABLE = 1'b0,
    parameter bit MAC_RX_CRC32_REMOVE = 1'b0,
    parameter int MAC_RX_MIN_PKT_LENGTH = 64,
    parameter int MAC_RX_MAX_PKT_LENGTH = 9622,  // on the port rx_max_length
    parameter bit MAC_RX_ERROR_DELAYED_ENABLE = 1'b0,
    parameter bit MAC_RX_LATE_VERDICT_ENABLE = 1'b0,
    parameter bit MAC_RX_CHECK_PREAMBLE = 1'b0,
    parameter bit MAC_RX_CHECK_SFD = 1'b1,
    parameter bit MAC_TX_CRC32_DISABLE = 1'b0,
    parameter bit MAC_TX_CRC32_ADD = 1'b1,
    parameter bit MAC_TX_CRC32_CORRUPTED_ON_ERROR = 1'b1,
    parameter bit MAC_TX_AMEND_ENABLE = 1'b0,
    parameter int MAC_TX_PADDING_SIZE = 64,
    parameter int MAC_TX_IFG_COUNT = 12
) (
    input  logic tx_clk,
    input  logic tx_go,
    output logic tx_done,
    input  logic rx_clk,
    input  logic rx_go,
    output logic rx_done
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
  typedef struct packed {
    logic        rst;
    logic [31:0] data;
  } rx_line_t;

  tx_line_t tx;
  rx_line_t rx;
  logic tready;
  logic [PMA_DATA_WIDTH-1:0] pma_tx_data;
  logic [MAC_RX_DATA_WIDTH-1:0] m_axis_tdata;
  logic stat_tx_frame, stat_tx_error, stat_tx_underrun;
  logic [MAC_RX_DATA_WIDTH/8-1:0] m_axis_tkeep;
  logic m_axis_tvalid, m_axis_tlast, m_axis_tuser;
  logic rx_sof, rx_status_valid, rx_status_good, rx_err_fcs, rx_err_code, rx_err_runt, rx_err_oversize;
  logic
      rx_link_up,
      rx_watchdog,
      rx_block_lock,
      stat_rx_bad_header,
      stat_rx_bad_block,
      stat_rx_bad_after,
      stat_rx_lock_lost,
      stat_rx_overflow;

  macpcs #(
      .PMA_DATA_WIDTH                 (PMA_DATA_WIDTH),
      .MAC_TX_DATA_WIDTH              (MAC_TX_DATA_WIDTH),
      .MAC_RX_DATA_WIDTH              (MAC_RX_DATA_WIDTH),
      .PCS_TX_LATENCY_MODE            (PCS_TX_LATENCY_MODE),
      .PCS_RX_LATENCY_MODE            (PCS_RX_LATENCY_MODE),
      .MAC_TX_LATENCY_MODE            (MAC_TX_LATENCY_MODE),
      .MAC_RX_LATENCY_MODE            (MAC_RX_LATENCY_MODE),
      .MAC_RX_CRC32_LATENCY           (MAC_RX_CRC32_LATENCY),
      .MAC_RX_CRC32_DISABLE           (MAC_RX_CRC32_DISABLE),
      .MAC_RX_CRC32_REMOVE            (MAC_RX_CRC32_REMOVE),
      .MAC_RX_MIN_PKT_LENGTH          (MAC_RX_MIN_PKT_LENGTH),
      .MAC_RX_ERROR_DELAYED_ENABLE    (MAC_RX_ERROR_DELAYED_ENABLE),
      .MAC_RX_LATE_VERDICT_ENABLE     (MAC_RX_LATE_VERDICT_ENABLE),
      .MAC_RX_CHECK_PREAMBLE          (MAC_RX_CHECK_PREAMBLE),
      .MAC_RX_CHECK_SFD               (MAC_RX_CHECK_SFD),
      .MAC_TX_CRC32_DISABLE           (MAC_TX_CRC32_DISABLE),
      .MAC_TX_CRC32_ADD               (MAC_TX_CRC32_ADD),
      .MAC_TX_CRC32_CORRUPTED_ON_ERROR(MAC_TX_CRC32_CORRUPTED_ON_ERROR),
      .MAC_TX_AMEND_ENABLE            (MAC_TX_AMEND_ENABLE),
      .MAC_TX_PADDING_SIZE            (MAC_TX_PADDING_SIZE),
      .MAC_TX_IFG_COUNT               (MAC_TX_IFG_COUNT)
  ) dut (
      .tx_clk,
      .tx_rst                (tx.rst),
      .s_axis_clk            (tx_clk),
      .s_axis_rst            (tx.rst),
      .s_axis_tdata          (tx.tdata[MAC_TX_DATA_WIDTH-1:0]),
      .s_axis_tkeep          (tx.tkeep[MAC_TX_DATA_WIDTH/8-1:0]),
      .s_axis_tvalid         (tx.tvalid),
      .s_axis_tready         (tready),
      .s_axis_tlast          (tx.tlast),
      .s_axis_tuser          (tx.tuser),
      .s_axis_tamend         (tx.tamend),
      .pma_tx_data,
      .tx_ignore_fault       (1'b1),                               // either side is played alone
      .tx_prbs31             (1'b0),
      .tx_test_idle          (1'b0),
      .tx_stopped            (),
      .own_address           ('0),
      .tx_pause_req          (1'b0),
      .tx_paused             (),
      .stat_tx_pause         (),
      .stat_tx_frame,
      .stat_tx_bytes         (),
      .stat_tx_error,
      .stat_tx_underrun,
      .pma_loopback          (1'b0),
      .user_loopback         (1'b0),
      .rx_clk,
      .rx_rst                (rx.rst),
      .pma_rx_data           (rx.data[PMA_DATA_WIDTH-1:0]),
      .m_axis_clk            (rx_clk),
      .m_axis_rst            (rx.rst),
      .m_axis_tdata,
      .m_axis_tkeep,
      .m_axis_tvalid,
      .m_axis_tready         (1'b0),                               // a receiver without FIFO does not look at it
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
      .rx_block_lock,
      .rx_hi_ber             (),
      .rx_watchdog,
      .rx_local_fault        (),
      .rx_remote_fault       (),
      .rx_link_up,
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
      .stat_rx_bad_after,
      .stat_rx_lock_lost,
      .stat_rx_filtered      (),
      .stat_rx_overflow
  );

  int tx_in, tx_out, rx_in, rx_out;
  bit tx_busy, rx_busy;
  tx_line_t tx_line;
  rx_line_t rx_line;

  initial begin
    tx      = '{rst: 1'b1, default: '0};
    rx      = '{rst: 1'b1, default: '0};
    tx_done = 1'b0;
    rx_done = 1'b0;
    tx_busy = 1'b0;
    rx_busy = 1'b0;
  end

  always @(posedge tx_clk) begin
    if (tx_busy) begin
      $fwrite(tx_out, "%h\n", {2'b0, stat_tx_frame, stat_tx_error, stat_tx_underrun, tx.rst, tx.tvalid, tready,
                               32'(pma_tx_data)});
    end else if (tx_go && !tx_done) begin
      tx_in  = $fopen("tx_in.hex", "r");
      tx_out = $fopen("tx_out.hex", "w");
    end
    if (tx_busy ? !(tx.hold && !tready) : (tx_go && !tx_done)) begin
      if ($fscanf(tx_in, "%h", tx_line) == 1) begin
        tx      <= tx_line;
        tx_busy <= 1'b1;
      end else begin
        $fclose(tx_in);
        $fclose(tx_out);
        tx_busy <= 1'b0;
        tx_done <= 1'b1;
      end
    end
    if (!tx_go) tx_done <= 1'b0;
  end

  always @(posedge rx_clk) begin
    if (rx_busy) begin
      $fwrite(rx_out, "%h\n", {rx.rst, rx_sof, rx_status_valid, rx_status_good, rx_err_fcs, rx_err_code, rx_err_runt,
                               rx_err_oversize, rx_block_lock, stat_rx_bad_header, stat_rx_bad_block,
                               stat_rx_lock_lost, m_axis_tuser, stat_rx_overflow, m_axis_tlast, m_axis_tvalid, 1'b0,
                               rx_link_up, rx_watchdog, stat_rx_bad_after, 4'(m_axis_tkeep), 32'(m_axis_tdata)});
    end else if (rx_go && !rx_done) begin
      rx_in  = $fopen("rx_in.hex", "r");
      rx_out = $fopen("rx_out.hex", "w");
    end
    if (rx_busy || (rx_go && !rx_done)) begin
      if ($fscanf(rx_in, "%h", rx_line) == 1) begin
        rx      <= rx_line;
        rx_busy <= 1'b1;
      end else begin
        $fclose(rx_in);
        $fclose(rx_out);
        rx_busy <= 1'b0;
        rx_done <= 1'b1;
      end
    end
    if (!rx_go) rx_done <= 1'b0;
  end
endmodule
