// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Receiver: transceiver words to user words.
// Latency: none; a user word is out in the cycle in which its last bit arrives.  One cycle more for each of the
// LATENCY_MODE registers; two words and a cycle more with the FCS removed.
//
//   pma_rx_data -> [register] -> macpcs_rx_align -> macpcs_rx_decode -> m_axis
//                                macpcs_rx_lock        macpcs_rx_check -> [one word] -> [macpcs_rx_fcs_strip] -> m_axis
module macpcs_rx
  import macpcs_pkg::*;
#(
    parameter int PCS_RX_LATENCY_MODE   = 0,
    parameter int MAC_RX_LATENCY_MODE   = 0,
    parameter int MAC_RX_CRC32_LATENCY  = 1,
    parameter bit MAC_RX_CRC32_REMOVE   = 1'b0,
    parameter int MAC_RX_MIN_PKT_LENGTH = 64,
    parameter int MAC_RX_MAX_PKT_LENGTH = 9622
) (
    input logic clk,
    input logic rst,

    input logic [31:0] pma_rx_data,

    output logic [31:0] m_axis_tdata,
    output logic [ 3:0] m_axis_tkeep,
    output logic        m_axis_tvalid,
    output logic        m_axis_tlast,
    output logic        m_axis_tuser,

    output logic rx_sof,
    output logic rx_status_valid,
    output logic rx_status_good,
    output logic rx_err_fcs,
    output logic rx_err_code,
    output logic rx_err_runt,
    output logic rx_err_oversize,

    output logic rx_block_lock,
    output logic stat_rx_bad_header,
    output logic stat_rx_bad_block,
    output logic stat_rx_lock_lost
);
  // The verdict comes with tlast where the user's word is held back for at least as long as the verdict takes.
  localparam bit HELD = MAC_RX_LATENCY_MODE != 0 || MAC_RX_CRC32_REMOVE;
  localparam bit ALIGNED = HELD || MAC_RX_CRC32_LATENCY == 0;

  logic [31:0] pma_data;
  if (PCS_RX_LATENCY_MODE == 0) begin : gen_pma_direct
    assign pma_data = pma_rx_data;
  end else begin : gen_pma_registered
    always_ff @(posedge clk) pma_data <= pma_rx_data;
  end

  slot_t slot;
  logic first_next, user_late, code_error;
  logic [4:0] end_bit, end_bit_next;
  logic [1:0] header, header_next, type_header;
  logic [7:0] type_early, type_byte;
  logic [31:0] word_q;
  beat_t beat, beat_q, beat_out;
  // verilator lint_off UNUSEDSIGNAL
  logic checked_valid;  // macpcs_rx_fcs_strip needs none: its verdict comes with in.last
  // verilator lint_on UNUSEDSIGNAL
  rx_error_t checked, status;

  macpcs_rx_lock #(
      .WIDTH(32)
  ) u_lock (
      .clk,
      .rst,
      .header_next,
      .slot,
      .first_next,
      .end_bit,
      .end_bit_next,
      .header,
      .lock(rx_block_lock),
      .stat_bad_header(stat_rx_bad_header),
      .stat_lock_lost(stat_rx_lock_lost)
  );

  macpcs_rx_align u_align (
      .clk,
      .pma_data,
      .slot,
      .end_bit,
      .end_bit_next,
      .user_late,
      .type_byte,
      .word_q,
      .user_data(beat.data),
      .header_next,
      .type_early,
      .type_header
  );

  macpcs_rx_decode u_decode (
      .clk,
      .rst,
      .slot,
      .first_next,
      .header,
      .lock(rx_block_lock),
      .type_late(end_bit_next[4:3] == 2'd3),
      .type_early,
      .type_header,
      .type_byte,
      .word_q,
      .user_late,
      .valid(beat.valid),
      .last(beat.last),
      .keep(beat.keep),
      .code_error,
      .sof(rx_sof),
      .stat_bad_block(stat_rx_bad_block)
  );

  macpcs_rx_check #(
      .LATENCY  (HELD ? 1 : MAC_RX_CRC32_LATENCY),
      .MIN_BYTES(MAC_RX_MIN_PKT_LENGTH),
      .MAX_BYTES(MAC_RX_MAX_PKT_LENGTH)
  ) u_check (
      .clk,
      .rst,
      .beat,
      .code_error,
      .beat_q,
      .status_valid(checked_valid),
      .status(checked)
  );

  if (MAC_RX_CRC32_REMOVE) begin : gen_strip
    macpcs_rx_fcs_strip u_strip (
        .clk,
        .rst,
        .in(beat_q),
        .in_status(checked),
        .out(beat_out),
        .out_status_valid(rx_status_valid),
        .out_status(status)
    );
  end else begin : gen_keep
    assign {beat_out, rx_status_valid, status} = {HELD ? beat_q : beat, checked_valid, checked};
  end

  assign m_axis_tdata    = beat_out.data;
  assign m_axis_tkeep    = beat_out.keep;
  assign m_axis_tvalid   = beat_out.valid;
  assign m_axis_tlast    = beat_out.last;
  assign m_axis_tuser    = ALIGNED & rx_status_valid & ~rx_status_good;
  assign rx_status_good  = status == '0;
  assign rx_err_fcs      = status.fcs;
  assign rx_err_code     = status.code;
  assign rx_err_runt     = status.runt;
  assign rx_err_oversize = status.oversize;
endmodule
