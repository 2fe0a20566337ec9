// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// The user's side of the receiver: nothing, the synchronous bridge, or the FIFO between macpcs_rx and m_axis.
// Latency: none, or that of macpcs_rx_bridge or macpcs_rx_fifo; with one of them the verdict comes with the last word.
module macpcs_rx_user
  import macpcs_pkg::*;
#(
    parameter int PMA_DATA_WIDTH = 32,
    parameter int MAC_RX_DATA_WIDTH = 32,
    parameter bit SYNC_DUAL_CLOCK_RX_ENABLE = 1'b0,
    parameter bit DUAL_CLOCK_FIFO_RX_ENABLE = 1'b0,
    parameter int DUAL_CLOCK_FIFO_RX_DEPTH = 16,
    parameter bit EARLY = 1'b0,  // obey `likely`; with the FIFO only
    parameter int VERDICT_LATENCY = 1  // cycles from the last word to its verdict
) (
    input  logic      rx_clk,
    input  logic      rx_rst,
    input  beat_t     beat,
    input  logic      likely,        // with EARLY: see macpcs_rx
    input  logic      sof,
    input  logic      status_valid,
    input  rx_error_t status,
    output logic      overflow,

    input  logic      m_axis_clk,         // with bridge or FIFO; else everything belongs to rx_clk
    input  logic      m_axis_rst,
    output beat_t     user,
    input  logic      user_ready,         // obeyed with the FIFO only
    output logic      user_bad,           // with user.last: where the verdict comes with it, the frame is bad
    output logic      user_sof,
    output logic      user_status_valid,
    output rx_error_t user_status
);
  localparam bit JOINED = DUAL_CLOCK_FIFO_RX_ENABLE || SYNC_DUAL_CLOCK_RX_ENABLE;
  localparam bit WITH_LAST = JOINED || VERDICT_LATENCY == 0;
  assign user_bad = WITH_LAST & user.valid & user.last & (user_status != '0);

  if (JOINED) begin : gen_joined
    beat_t joined;
    rx_error_t joined_status;
    macpcs_rx_join #(
        .LATENCY(VERDICT_LATENCY)
    ) u_join (
        .clk            (rx_clk),
        .rst            (rx_rst),
        .in             (beat),
        .in_status_valid(status_valid),
        .in_status      (status),
        .out            (joined),
        .out_status     (joined_status)
    );
    if (DUAL_CLOCK_FIFO_RX_ENABLE) begin : gen_fifo
      macpcs_rx_fifo #(
          .IN_WIDTH       (PMA_DATA_WIDTH),
          .WIDTH          (MAC_RX_DATA_WIDTH),
          .DEPTH          (DUAL_CLOCK_FIFO_RX_DEPTH),
          .VERDICT_LATENCY(VERDICT_LATENCY),
          .EARLY          (EARLY)
      ) u_fifo (
          .rx_clk,
          .rx_rst,
          .in        (joined),
          .in_status (joined_status),
          .likely,
          .sof,
          .overflow,
          .m_axis_clk,
          .m_axis_rst,
          .out       (user),
          .out_status(user_status),
          .out_sof   (user_sof),
          .out_ready (user_ready)
      );
      assign user_status_valid = user.valid & user.last & user_ready;
    end else begin : gen_bridge
      logic second;
      sync_phase u_phase (
          .slow_clk(m_axis_clk),
          .fast_clk(rx_clk),
          .second
      );
      macpcs_rx_bridge u_bridge (
          .clk       (rx_clk),
          .rst       (rx_rst),
          .second,
          .in        (joined),
          .in_status (joined_status),
          .sof,
          .out       (user),
          .out_status(user_status),
          .out_sof   (user_sof)
      );
      assign user_status_valid = user.valid & user.last;
      assign overflow          = 1'b0;
      logic unused;  // the bridge has no state on the user's clock but the phase
      assign unused = &{m_axis_rst, user_ready, likely};
    end
  end else begin : gen_direct
    assign user              = beat;
    assign user_sof          = sof;
    assign user_status_valid = status_valid;
    assign user_status       = status;
    assign overflow          = 1'b0;
    logic unused;
    assign unused = &{rx_clk, rx_rst, m_axis_clk, m_axis_rst, user_ready, likely};
  end
endmodule
