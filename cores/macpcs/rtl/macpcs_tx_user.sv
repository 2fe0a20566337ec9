// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// The user's side of the transmitter: nothing, the synchronous bridge, or the FIFO between s_axis and macpcs_tx.
// Latency: that of macpcs_tx_bridge or macpcs_tx_fifo.
module macpcs_tx_user #(
    parameter int PMA_DATA_WIDTH = 32,
    parameter int MAC_TX_DATA_WIDTH = 32,
    parameter bit SYNC_DUAL_CLOCK_TX_ENABLE = 1'b0,
    parameter bit DUAL_CLOCK_FIFO_TX_ENABLE = 1'b0,
    parameter int DUAL_CLOCK_FIFO_TX_DEPTH = 16,
    parameter int MAC_TX_CLK_FREQ_KHZ = 322266,
    parameter bit FCS_GIVEN = 1'b0  // macpcs_tx takes four bytes before a frame can start (macpcs_tx_fcs_take)
) (
    input logic tx_clk,
    input logic tx_rst,

    input  logic                           s_axis_clk,     // with bridge or FIFO; else s_axis belongs to tx_clk
    input  logic                           s_axis_rst,
    input  logic [  MAC_TX_DATA_WIDTH-1:0] s_axis_tdata,
    input  logic [MAC_TX_DATA_WIDTH/8-1:0] s_axis_tkeep,
    input  logic                           s_axis_tvalid,
    output logic                           s_axis_tready,
    input  logic                           s_axis_tlast,
    input  logic                           s_axis_tuser,

    output logic [  PMA_DATA_WIDTH-1:0] m_axis_tdata,
    output logic [PMA_DATA_WIDTH/8-1:0] m_axis_tkeep,
    output logic                        m_axis_tvalid,
    input  logic                        m_axis_tready,
    output logic                        m_axis_tlast,
    output logic                        m_axis_tuser
);
  if (DUAL_CLOCK_FIFO_TX_ENABLE) begin : gen_fifo
    macpcs_tx_fifo #(
        .WIDTH              (MAC_TX_DATA_WIDTH),
        .CORE_WIDTH         (PMA_DATA_WIDTH),
        .DEPTH              (DUAL_CLOCK_FIFO_TX_DEPTH),
        .EARLY_WORDS        (FCS_GIVEN ? 32 / MAC_TX_DATA_WIDTH : 0),
        .S_AXIS_CLK_FREQ_KHZ(MAC_TX_CLK_FREQ_KHZ),
        .TX_CLK_FREQ_KHZ    (PMA_DATA_WIDTH == 16 ? 644531 : 322266)
    ) u_fifo (
        .s_axis_clk,
        .s_axis_rst,
        .s_axis_tdata,
        .s_axis_tkeep,
        .s_axis_tvalid,
        .s_axis_tready,
        .s_axis_tlast,
        .s_axis_tuser,
        .tx_clk,
        .tx_rst,
        .m_axis_tdata,
        .m_axis_tkeep,
        .m_axis_tvalid,
        .m_axis_tready,
        .m_axis_tlast,
        .m_axis_tuser
    );
  end else if (SYNC_DUAL_CLOCK_TX_ENABLE) begin : gen_bridge
    logic second;
    sync_phase u_phase (
        .slow_clk(s_axis_clk),
        .fast_clk(tx_clk),
        .second
    );
    macpcs_tx_bridge u_bridge (
        .clk(tx_clk),
        .rst(tx_rst),
        .second,
        .s_axis_tdata,
        .s_axis_tkeep,
        .s_axis_tvalid,
        .s_axis_tready,
        .s_axis_tlast,
        .s_axis_tuser,
        .m_axis_tdata,
        .m_axis_tkeep,
        .m_axis_tvalid,
        .m_axis_tready,
        .m_axis_tlast,
        .m_axis_tuser
    );
    logic unused;  // the bridge has no state on the user's clock but the phase
    assign unused = s_axis_rst;
  end else begin : gen_direct
    assign m_axis_tdata  = s_axis_tdata;
    assign m_axis_tkeep  = s_axis_tkeep;
    assign m_axis_tvalid = s_axis_tvalid;
    assign s_axis_tready = m_axis_tready;
    assign m_axis_tlast  = s_axis_tlast;
    assign m_axis_tuser  = s_axis_tuser;
    logic unused;
    assign unused = &{tx_clk, tx_rst, s_axis_clk, s_axis_rst};
  end
endmodule
