// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Transmitter: user words to transceiver words.
// Latency: the first word of a start block is on `pma_tx_data` in the cycle in which the user's first word is offered,
// if a block's payload begins in that transceiver word (else up to two cycles later), plus one cycle for each of the
// LATENCY_MODE registers.
//
//   s_axis -> [register] -> macpcs_tx_frame -> macpcs_tx_line -> [register] -> pma_tx_data
//                                    ^ macpcs_tx_phase ^
module macpcs_tx
  import macpcs_pkg::*;
#(
    parameter int MAC_TX_LATENCY_MODE = 0,
    parameter int PCS_TX_LATENCY_MODE = 0,
    parameter bit MAC_TX_CRC32_CORRUPTED_ON_ERROR = 1'b1
) (
    input logic clk,
    input logic rst,

    input  logic [31:0] s_axis_tdata,
    input  logic [ 3:0] s_axis_tkeep,
    input  logic        s_axis_tvalid,
    output logic        s_axis_tready,
    input  logic        s_axis_tlast,
    input  logic        s_axis_tuser,

    output logic [31:0] pma_tx_data,

    output logic stat_tx_frame,
    output logic stat_tx_error,
    output logic stat_tx_underrun
);
  logic [31:0] tdata;
  logic [ 3:0] tkeep;
  logic tvalid, tready, tlast, tuser;

  if (MAC_TX_LATENCY_MODE == 0) begin : gen_direct
    assign {tdata, tkeep, tlast, tuser, tvalid} = {
      s_axis_tdata, s_axis_tkeep, s_axis_tlast, s_axis_tuser, s_axis_tvalid
    };
    assign s_axis_tready = tready;
  end else begin : gen_registered
    axis_register #(
        .WIDTH(38)
    ) u_register (
        .clk,
        .rst,
        .s_data ({s_axis_tdata, s_axis_tkeep, s_axis_tlast, s_axis_tuser}),
        .s_valid(s_axis_tvalid),
        .s_ready(s_axis_tready),
        .m_data ({tdata, tkeep, tlast, tuser}),
        .m_valid(tvalid),
        .m_ready(tready)
    );
  end

  slot_t slot, slot_next;
  logic [3:0] room_next;
  logic step, step_next;
  logic start, start0, start4, offer0_next, offer4_next;
  logic [31:0] payload_next, pma_data;
  logic control_next;

  macpcs_tx_phase #(
      .WIDTH(32)
  ) u_phase (
      .clk,
      .rst,
      .slot,
      .slot_next,
      .room_next,
      .step,
      .step_next
  );

  macpcs_tx_frame #(
      .CORRUPTED_ON_ERROR(MAC_TX_CRC32_CORRUPTED_ON_ERROR)
  ) u_frame (
      .clk,
      .rst,
      .s_axis_tdata (tdata),
      .s_axis_tkeep (tkeep),
      .s_axis_tvalid(tvalid),
      .s_axis_tready(tready),
      .s_axis_tlast (tlast),
      .s_axis_tuser (tuser),
      .slot,
      .slot_next,
      .step,
      .step_next,
      .start,
      .start0,
      .start4,
      .offer0_next,
      .offer4_next,
      .payload_next,
      .control_next,
      .stat_tx_frame,
      .stat_tx_error,
      .stat_tx_underrun
  );

  macpcs_tx_line u_line (
      .clk,
      .rst,
      .slot_next,
      .room_next,
      .step,
      .payload_next,
      .control_next,
      .offer0_next,
      .offer4_next,
      .start,
      .start0,
      .start4,
      .pma_data
  );

  if (PCS_TX_LATENCY_MODE == 0) begin : gen_pma_direct
    assign pma_tx_data = pma_data;
  end else begin : gen_pma_registered
    always_ff @(posedge clk) pma_tx_data <= pma_data;
  end
endmodule
