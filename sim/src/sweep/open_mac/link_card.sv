// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// An open MAC and PCS (ttchisholm/10g-low-latency-ethernet, module mac_pcs) in the place of macpcs, with the ports of
// cards/link/rtl/link_card.sv, so that the same bench measures it.  No source of it is in this project:
// `./ullnic measure open-mac` takes the user's own copy.
//
// Latency: none of its own.  rx_sof is that core's start of frame of the PCS (its author's eSoF): the start character at
// the receiver of its MAC.
//
// Limits: 32 bits, no FIFO.  What that core does not have is 0: pause, loopbacks, test patterns, faults, statistics but
// for block lock.  s_axis_tuser is ignored.
module link_card #(
    parameter int PMA_DATA_WIDTH = 32
) (
    input logic tx_clk,
    input logic tx_rst,

    // User's transmit stream, in tx_clk
    input  logic        s_axis_clk,
    input  logic        s_axis_rst,
    input  logic [31:0] s_axis_tdata,
    input  logic [ 3:0] s_axis_tkeep,
    input  logic        s_axis_tvalid,
    output logic        s_axis_tready,
    input  logic        s_axis_tlast,
    input  logic        s_axis_tuser,

    output logic [PMA_DATA_WIDTH-1:0] pma_tx_data,

    // Controls that this core does not have
    input logic        tx_ignore_fault,
    input logic        tx_prbs31,
    input logic        tx_test_idle,
    input logic [47:0] own_address,
    input logic        tx_pause_req,
    input logic        pma_loopback,
    input logic        user_loopback,
    input logic [15:0] rx_max_length,
    input logic        rx_filter_on,
    input logic        rx_filter_pass_group,
    input logic        rx_test_prbs31,
    input logic        rx_test_idle,

    input logic rx_clk,
    input logic rx_rst,

    input logic [PMA_DATA_WIDTH-1:0] pma_rx_data,

    // User's receive stream and the verdict, in rx_clk
    input  logic        m_axis_clk,
    input  logic        m_axis_rst,
    output logic [31:0] m_axis_tdata,
    output logic [ 3:0] m_axis_tkeep,
    output logic        m_axis_tvalid,
    input  logic        m_axis_tready,
    output logic        m_axis_tlast,
    output logic        m_axis_tuser,
    output logic        rx_sof,
    output logic        rx_status_valid,
    output logic        rx_status_good,
    output logic        rx_err_fcs,
    output logic        rx_err_code,
    output logic        rx_err_runt,
    output logic        rx_err_oversize,

    // Status that the bench reads
    output logic rx_link_up,
    output logic tx_stopped,
    output logic stat_tx_frame,
    output logic stat_tx_error,
    output logic stat_tx_underrun,
    output logic stat_rx_bad_header,
    output logic stat_rx_bad_block,
    output logic stat_rx_lock_lost,
    output logic stat_rx_overflow
);
  logic [5:0] good_headers_q;

  mac_pcs #(
      .EXTERNAL_GEARBOX(1'b0)
  ) u_mac_pcs (
      .i_tx_reset                (tx_rst),
      .i_rx_reset                (rx_rst),
      .s00_axis_tdata            (s_axis_tdata),
      .s00_axis_tkeep            (s_axis_tkeep),
      .s00_axis_tvalid           (s_axis_tvalid),
      .s00_axis_tready           (s_axis_tready),
      .s00_axis_tlast            (s_axis_tlast),
      .m00_axis_tdata            (m_axis_tdata),
      .m00_axis_tkeep            (m_axis_tkeep),
      .m00_axis_tvalid           (m_axis_tvalid),
      .m00_axis_tlast            (m_axis_tlast),
      .m00_axis_tuser            (m_axis_tuser),
      .i_xver_rx_clk             (rx_clk),
      .i_xver_rx_data            (pma_rx_data),
      .i_xver_rx_header          (2'b0),
      .i_xver_rx_data_valid      (1'b0),
      .i_xver_rx_header_valid    (1'b0),
      .o_xver_rx_gearbox_slip    (),
      .i_xver_tx_clk             (tx_clk),
      .o_xver_tx_data            (pma_tx_data),
      .o_xver_tx_header          (),
      .o_xver_tx_gearbox_sequence()
  );

  assign rx_sof = u_mac_pcs.u_mac.u_rx.sfd_found;

  // It gives the FCS to the user, and the verdict with the last word.
  assign rx_status_valid = m_axis_tvalid && m_axis_tlast;
  assign rx_status_good = m_axis_tuser;
  assign rx_err_fcs = !m_axis_tuser;
  assign rx_err_code = 1'b0;
  assign rx_err_runt = 1'b0;
  assign rx_err_oversize = 1'b0;

  // That core shows no lock.  64 good headers in a row are one (802.3, 49.2.13.2.2).
  always_ff @(posedge rx_clk) begin
    if (u_mac_pcs.u_pcs.rx_header_valid && !(&good_headers_q)) begin
      good_headers_q <= ^u_mac_pcs.u_pcs.rx_header ? good_headers_q + 1'b1 : '0;
    end
    if (rx_rst) good_headers_q <= '0;
  end
  assign rx_link_up = &good_headers_q;

  assign tx_stopped = 1'b0;
  assign {stat_tx_frame, stat_tx_error, stat_tx_underrun} = '0;
  assign {stat_rx_bad_header, stat_rx_bad_block, stat_rx_lock_lost, stat_rx_overflow} = '0;
endmodule
