// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Plays both sides of macpcs from files and records every cycle to files, so that Python is woken once a run and not
// once a cycle. The files are in the directory that the simulation runs in; one line is one cycle, in hexadecimal.
//
//   tx_in.hex    {rst, hold, tvalid, tlast, tuser, tkeep[3:0], tdata[31:0]}; with `hold` the line stays until tready
//   tx_out.hex   {2'b0, stat_tx_frame, stat_tx_error, stat_tx_underrun, rst, tvalid, tready, pma_tx_data[31:0]}
//   rx_in.hex    {rst, pma_rx_data[31:0]}
//   rx_out.hex   {rst, sof, status_valid, good, fcs, code, runt, oversize,
//                 lock, bad_header, bad_block, lock_lost, tuser, 1'b0, tlast, tvalid, 4'h0, tkeep[3:0], tdata[31:0]}
//
// Raise `tx_go` (`rx_go`) to play a file; `tx_done` (`rx_done`) rises when it has been played.
module macpcs_bench #(
    parameter int PCS_TX_LATENCY_MODE = 0,
    parameter int PCS_RX_LATENCY_MODE = 0,
    parameter int MAC_TX_LATENCY_MODE = 0,
    parameter int MAC_RX_LATENCY_MODE = 0,
    parameter int MAC_RX_CRC32_LATENCY = 1,
    parameter bit MAC_RX_CRC32_REMOVE = 1'b0,
    parameter int MAC_RX_MIN_PKT_LENGTH = 64,
    parameter int MAC_RX_MAX_PKT_LENGTH = 9622,
    parameter bit MAC_TX_CRC32_CORRUPTED_ON_ERROR = 1'b1
) (
    input  logic tx_clk,
    input  logic tx_go,
    output logic tx_done,
    input  logic rx_clk,
    input  logic rx_go,
    output logic rx_done
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

  tx_line_t tx;
  rx_line_t rx;
  logic tready;
  logic [31:0] pma_tx_data, m_axis_tdata;
  logic stat_tx_frame, stat_tx_error, stat_tx_underrun;
  logic [3:0] m_axis_tkeep;
  logic m_axis_tvalid, m_axis_tlast, m_axis_tuser;
  logic rx_sof, rx_status_valid, rx_status_good, rx_err_fcs, rx_err_code, rx_err_runt, rx_err_oversize;
  logic rx_block_lock, stat_rx_bad_header, stat_rx_bad_block, stat_rx_lock_lost;

  macpcs #(
      .PCS_TX_LATENCY_MODE            (PCS_TX_LATENCY_MODE),
      .PCS_RX_LATENCY_MODE            (PCS_RX_LATENCY_MODE),
      .MAC_TX_LATENCY_MODE            (MAC_TX_LATENCY_MODE),
      .MAC_RX_LATENCY_MODE            (MAC_RX_LATENCY_MODE),
      .MAC_RX_CRC32_LATENCY           (MAC_RX_CRC32_LATENCY),
      .MAC_RX_CRC32_REMOVE            (MAC_RX_CRC32_REMOVE),
      .MAC_RX_MIN_PKT_LENGTH          (MAC_RX_MIN_PKT_LENGTH),
      .MAC_RX_MAX_PKT_LENGTH          (MAC_RX_MAX_PKT_LENGTH),
      .MAC_TX_CRC32_CORRUPTED_ON_ERROR(MAC_TX_CRC32_CORRUPTED_ON_ERROR)
  ) dut (
      .tx_clk,
      .tx_rst       (tx.rst),
      .s_axis_tdata (tx.tdata),
      .s_axis_tkeep (tx.tkeep),
      .s_axis_tvalid(tx.tvalid),
      .s_axis_tready(tready),
      .s_axis_tlast (tx.tlast),
      .s_axis_tuser (tx.tuser),
      .pma_tx_data,
      .stat_tx_frame,
      .stat_tx_error,
      .stat_tx_underrun,
      .rx_clk,
      .rx_rst       (rx.rst),
      .pma_rx_data  (rx.data),
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
                               pma_tx_data});
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
                               rx_err_oversize, rx_block_lock, stat_rx_bad_header, stat_rx_bad_block, stat_rx_lock_lost,
                               m_axis_tuser, 1'b0, m_axis_tlast, m_axis_tvalid, 4'h0, m_axis_tkeep, m_axis_tdata});
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
