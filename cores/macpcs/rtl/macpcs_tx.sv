// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Transmitter: user words to transceiver words.
// Latency: the first word of a start block is on `pma_tx_data` in the cycle in which the user's first word is offered,
// if a block's payload begins in that transceiver word (else up to two cycles later), plus one cycle for each of the
// LATENCY_MODE registers, plus the time of four bytes if the FCS is taken off (MAC_TX_CRC32_DISABLE or not _ADD).
//
//   s_axis -> [macpcs_tx_fcs_take] -> [register] -> macpcs_tx_frame -> macpcs_tx_line -> [register] -> pma_tx_data
//                                                           ^ macpcs_tx_phase ^
module macpcs_tx
  import macpcs_pkg::*;
#(
    parameter int WIDTH = 32,  // of a user and of a transceiver word, 16 or 32
    parameter int MAC_TX_LATENCY_MODE = 0,
    parameter int PCS_TX_LATENCY_MODE = 0,
    parameter bit MAC_TX_CRC32_DISABLE = 1'b0,
    parameter bit MAC_TX_CRC32_ADD = 1'b1,
    parameter bit MAC_TX_CRC32_CORRUPTED_ON_ERROR = 1'b1,
    parameter bit MAC_TX_AMEND_ENABLE = 1'b0,  // with 32 bits
    parameter int MAC_TX_PADDING_SIZE = 64,
    parameter int MAC_TX_IFG_COUNT = 12
) (
    input logic clk,
    input logic rst,

    input  logic [  WIDTH-1:0] s_axis_tdata,
    input  logic [WIDTH/8-1:0] s_axis_tkeep,
    input  logic               s_axis_tvalid,
    output logic               s_axis_tready,
    input  logic               s_axis_tlast,
    input  logic               s_axis_tuser,
    input  logic [       31:0] s_axis_tamend = '0, // with MAC_TX_AMEND_ENABLE: XORed into the word before

    output logic [WIDTH-1:0] pma_tx_data,

    input  logic local_fault,   // of the receiver
    input  logic remote_fault,
    input  logic prbs31,        // send this test pattern
    input  logic test_idle,     // send nothing but idle
    output logic stopped,       // by one of these: no frame can start

    output logic payload_step,  // a payload word leaves in the next cycle: one cycle in 33 has none

    output logic stat_tx_frame,
    output logic [2:0] stat_tx_bytes,  // of frames, with padding and FCS, in this cycle
    output logic stat_tx_error,
    output logic stat_tx_underrun
);
  // The frames as they are to be sent, without FCS.  `fcs` comes beside the last word; only MAC_TX_CRC32_DISABLE uses it.
  typedef struct packed {
    logic [31:0]        fcs;
    logic [31:0]        amend;
    logic [WIDTH-1:0]   data;
    logic [WIDTH/8-1:0] keep;
    logic               last;
    logic               user;
  } word_t;
  word_t given, word;
  logic given_valid, given_ready, tvalid, tready;

  if (MAC_TX_CRC32_DISABLE || !MAC_TX_CRC32_ADD) begin : gen_take
    macpcs_tx_fcs_take #(
        .WIDTH(WIDTH)
    ) u_take (
        .clk,
        .rst,
        .s_axis_tdata,
        .s_axis_tkeep,
        .s_axis_tvalid,
        .s_axis_tready,
        .s_axis_tlast,
        .s_axis_tuser,
        .m_axis_tdata (given.data),
        .m_axis_tkeep (given.keep),
        .m_axis_tvalid(given_valid),
        .m_axis_tready(given_ready),
        .m_axis_tlast (given.last),
        .m_axis_tuser (given.user),
        .m_axis_fcs   (given.fcs)
    );
    assign given.amend = '0;
    logic unused;
    assign unused = &s_axis_tamend;
  end else begin : gen_no_take
    assign given = '{
            fcs: '0,
            amend: s_axis_tamend & {32{MAC_TX_AMEND_ENABLE}},
            data: s_axis_tdata,
            keep: s_axis_tkeep,
            last: s_axis_tlast,
            user: s_axis_tuser
        };
    assign given_valid = s_axis_tvalid;
    assign s_axis_tready = given_ready;
  end

  if (MAC_TX_LATENCY_MODE == 0) begin : gen_direct
    assign word = given;
    assign tvalid = given_valid;
    assign given_ready = tready;
  end else begin : gen_registered
    axis_register #(
        .WIDTH($bits(word_t))
    ) u_register (
        .clk,
        .rst,
        .s_data (given),
        .s_valid(given_valid),
        .s_ready(given_ready),
        .m_data (word),
        .m_valid(tvalid),
        .m_ready(tready)
    );
  end

  slot_t slot, slot_next;
  logic [$clog2(WIDTH/2)-1:0] room_next;
  logic step, step_next, block_next;
  logic start0, start4, offer0_next, offer4_next;
  logic [WIDTH-1:0] payload_next, pma_data;
  logic control_next;
  logic fault_stop, send_rf, block_end, quiet, pattern_on, idle_only;

  macpcs_tx_phase #(
      .WIDTH(WIDTH)
  ) u_phase (
      .clk,
      .rst,
      .slot,
      .slot_next,
      .block_next,
      .room_next,
      .step,
      .step_next
  );

  if (WIDTH == 16) begin : gen_frame16
    macpcs_tx_frame16 #(
        .CORRUPTED_ON_ERROR(MAC_TX_CRC32_CORRUPTED_ON_ERROR),
        .OWN_FCS(MAC_TX_CRC32_DISABLE),
        .PADDING_SIZE(MAC_TX_PADDING_SIZE),
        .IFG_COUNT(MAC_TX_IFG_COUNT)
    ) u_frame (
        .clk,
        .rst,
        .s_axis_tdata(word.data),
        .s_axis_tkeep(word.keep),
        .s_axis_tvalid(tvalid),
        .s_axis_tready(tready),
        .s_axis_tlast(word.last),
        .s_axis_tuser(word.user),
        .s_axis_fcs(word.fcs),
        .slot,
        .pos_next(slot_next.pos),
        .block_next,
        .step,
        .step_next,
        .stop(stopped),
        .send_rf,
        .block_end,
        .quiet,
        .start0,
        .start4,
        .offer0_next,
        .offer4_next,
        .payload_next,
        .control_next,
        .stat_tx_frame,
        .stat_tx_bytes,
        .stat_tx_error,
        .stat_tx_underrun
    );
    logic unused;
    assign unused = &word.amend;
  end else begin : gen_frame
    macpcs_tx_frame #(
        .CORRUPTED_ON_ERROR(MAC_TX_CRC32_CORRUPTED_ON_ERROR),
        .OWN_FCS(MAC_TX_CRC32_DISABLE),
        .AMEND(MAC_TX_AMEND_ENABLE),
        .PADDING_SIZE(MAC_TX_PADDING_SIZE),
        .IFG_COUNT(MAC_TX_IFG_COUNT)
    ) u_frame (
        .clk,
        .rst,
        .s_axis_tdata(word.data),
        .s_axis_tkeep(word.keep),
        .s_axis_tvalid(tvalid),
        .s_axis_tready(tready),
        .s_axis_tlast(word.last),
        .s_axis_tuser(word.user),
        .s_axis_tamend(word.amend),
        .s_axis_fcs(word.fcs),
        .slot,
        .block_next,
        .step,
        .step_next,
        .stop(stopped),
        .send_rf,
        .block_end,
        .quiet,
        .start0,
        .start4,
        .offer0_next,
        .offer4_next,
        .payload_next,
        .control_next,
        .stat_tx_frame,
        .stat_tx_bytes,
        .stat_tx_error,
        .stat_tx_underrun
    );
  end

  macpcs_tx_fault u_fault (
      .clk,
      .rst,
      .local_fault(local_fault & ~idle_only),
      .remote_fault,
      .block_end,
      .idle(quiet),
      .stop(fault_stop),
      .send_rf
  );

  logic [WIDTH-1:0] pattern;
  always_ff @(posedge clk) begin
    pattern_on <= ~rst & prbs31;
    idle_only  <= ~rst & test_idle;
  end
  assign payload_step = step;
  assign stopped      = fault_stop | pattern_on | idle_only;
  macpcs_prbs31_gen #(
      .WIDTH(WIDTH)
  ) u_prbs31 (
      .clk,
      .rst (~pattern_on),
      .data(pattern)
  );

  macpcs_tx_line #(
      .WIDTH(WIDTH)
  ) u_line (
      .clk,
      .rst,
      .slot_next,
      .room_next,
      .step,
      .payload_next,
      .control_next,
      .offer0_next,
      .offer4_next,
      .valid(tvalid),
      .start0,
      .start4,
      .pattern_on,
      .pattern,
      .pma_data
  );

  if (PCS_TX_LATENCY_MODE == 0) begin : gen_pma_direct
    assign pma_tx_data = pma_data;
  end else begin : gen_pma_registered
    always_ff @(posedge clk) pma_tx_data <= pma_data;
  end
endmodule
