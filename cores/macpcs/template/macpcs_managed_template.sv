// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Instantiation template of macpcs_managed, which is macpcs with AXI4-Lite registers: all of its parameters, at their
// defaults, and all of its ports.  Copy it and take away what is not needed.  It is a module, so that it can be
// elaborated as it stands: one port with 32-bit words, the user in the transceiver's clocks, nothing optional built.
// See ../README.md for each port's rules, ../regs/README.md for the registers, and ../../../docs/integrating.md for the
// transceiver, clocks, resets and constraints.
//
// Latency: that of macpcs; there is no register here.
//
// Assumes: tx_rst and rx_rst are released when the transceiver's direction is ready and its clock is stable; axil_rst
// is synchronous to axil_clk, which may be any clock.
module macpcs_managed_template (
    // Registers: 512 bytes of addresses, in axil_clk
    input  logic        axil_clk,
    input  logic        axil_rst,
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

    // Transceiver: TX and RX user clock (322.265625 MHz with 32 bits), parallel words
    input  logic        tx_clk,
    input  logic        tx_rst,
    output logic [31:0] pma_tx_data,
    input  logic        rx_clk,       // the recovered clock
    input  logic        rx_rst,
    input  logic [31:0] pma_rx_data,

    // Frames to send, in tx_clk: from registers
    input  logic [31:0] s_axis_tdata,
    input  logic [ 3:0] s_axis_tkeep,
    input  logic        s_axis_tvalid,
    output logic        s_axis_tready,
    input  logic        s_axis_tlast,
    input  logic        s_axis_tuser,

    // Frames received, in rx_clk: there is no waiting
    output logic [31:0] m_axis_tdata,
    output logic [ 3:0] m_axis_tkeep,
    output logic        m_axis_tvalid,
    output logic        m_axis_tlast,
    output logic        rx_status_valid,
    output logic        rx_status_good,

    output logic rx_link_up,
    output logic tx_stopped
);
  // Outputs that nobody looks at stay open: macpcs.vlt waives it for Verilator in a file of this name.
  macpcs_managed #(
      // Widths: 16 bits at 644.53125 MHz or 32 at 322.265625
      .PMA_DATA_WIDTH                 (32),
      .MAC_TX_DATA_WIDTH              (32),
      .MAC_RX_DATA_WIDTH              (32),
      // User clock: none of these, the transceiver's own; SYNC, half of 644 MHz; FIFO, any that carries 10G
      .SYNC_DUAL_CLOCK_TX_ENABLE      (1'b0),
      .SYNC_DUAL_CLOCK_RX_ENABLE      (1'b0),
      .DUAL_CLOCK_FIFO_TX_ENABLE      (1'b0),
      .DUAL_CLOCK_FIFO_RX_ENABLE      (1'b0),
      .DUAL_CLOCK_FIFO_TX_DEPTH       (16),
      .DUAL_CLOCK_FIFO_RX_DEPTH       (16),
      .MAC_TX_CLK_FREQ_KHZ            (322266),  // matters with a FIFO
      .MAC_RX_CLK_FREQ_KHZ            (322266),
      // Registers: each 1 costs a cycle.  16 bits: PCS_RX_LATENCY_MODE = 1 and MAC_RX_CRC32_LATENCY = 2
      .PCS_TX_LATENCY_MODE            (0),
      .PCS_RX_LATENCY_MODE            (0),
      .MAC_TX_LATENCY_MODE            (0),
      .MAC_RX_LATENCY_MODE            (0),
      .MAC_RX_CRC32_LATENCY           (1),
      // Receiver
      .MAC_RX_CRC32_DISABLE           (1'b0),
      .MAC_RX_CRC32_REMOVE            (1'b0),
      .MAC_RX_MIN_PKT_LENGTH          (64),
      .MAC_RX_MAX_PKT_LENGTH          (9622),    // until software sets another
      .MAC_RX_ERROR_DELAYED_ENABLE    (1'b0),
      .MAC_RX_LATE_VERDICT_ENABLE     (1'b0),
      .MAC_RX_CHECK_PREAMBLE          (1'b0),
      .MAC_RX_CHECK_SFD               (1'b1),
      .MAC_RX_ADDRESS_FILTER_ENABLE   (1'b0),
      // Transmitter
      .MAC_TX_CRC32_DISABLE           (1'b0),
      .MAC_TX_CRC32_ADD               (1'b1),
      .MAC_TX_CRC32_CORRUPTED_ON_ERROR(1'b1),
      .MAC_TX_AMEND_ENABLE            (1'b0),    // 1: s_axis_tamend changes the word before
      .MAC_TX_PADDING_SIZE            (64),
      .MAC_TX_IFG_COUNT               (12),
      .MAC_TX_PAUSE_LENGTH            (0),       // not 0: 802.3x pause, both ways
      // Loopbacks
      .PMA_LOOPBACK_ENABLE            (1'b0),
      .USER_LOOPBACK_ENABLE           (1'b0)
  ) u_macpcs_managed (
      // Registers
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
      // Transmit
      .tx_clk,
      .tx_rst,
      .s_axis_clk     (1'b0),  // the user's clock and reset: with a bridge or FIFO only
      .s_axis_rst     (1'b0),
      .s_axis_tdata,
      .s_axis_tkeep,
      .s_axis_tvalid,
      .s_axis_tready,
      .s_axis_tlast,
      .s_axis_tuser,  // 1: send the frame with a wrong FCS
      .s_axis_tamend  ('0),
      .pma_tx_data,
      .tx_pause_req   (1'b0),  // in tx_clk; software has CONTROL.pause_request
      .tx_paused      (),
      .tx_stopped,
      // Receive
      .rx_clk,
      .rx_rst,
      .pma_rx_data,
      .m_axis_clk     (1'b0),  // as s_axis_clk
      .m_axis_rst     (1'b0),
      .m_axis_tdata,
      .m_axis_tkeep,
      .m_axis_tvalid,
      .m_axis_tready  (1'b1),  // obeyed with the FIFO only
      .m_axis_tlast,
      .m_axis_tuser   (),      // the verdict, where it comes with tlast
      .rx_sof         (),
      .rx_status_valid,
      .rx_status_good,
      .rx_err_fcs     (),
      .rx_err_code    (),
      .rx_err_runt    (),
      .rx_err_oversize(),
      .rx_link_up
  );
endmodule
