// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Receiver: transceiver words to user words.
// Latency: none; a user word is out in the cycle in which its last bit arrives.  One cycle more for each of the
// LATENCY_MODE registers; with the FCS removed 2 words (of 16 bits: 3) and MAC_RX_CRC32_LATENCY cycles more, at least one.
//
//   pma_rx_data -> [register] -> macpcs_rx_align -> macpcs_rx_decode -> m_axis    (16 bits: the register is in it)
//                                macpcs_rx_lock        macpcs_rx_check -> [one word] -> [macpcs_rx_fcs_strip] -> m_axis
//                                                      macpcs_rx_late: the block after the frame
//
// With MAC_RX_CRC32_DISABLE nothing looks at the FCS: PAUSE frames too are obeyed unchecked.
module macpcs_rx
  import macpcs_pkg::*;
#(
    parameter int WIDTH                       = 32,    // of a transceiver and of a user word, 16 or 32
    parameter int PCS_RX_LATENCY_MODE         = 0,
    parameter int MAC_RX_LATENCY_MODE         = 0,
    parameter int MAC_RX_CRC32_LATENCY        = 1,
    parameter bit MAC_RX_CRC32_DISABLE        = 1'b0,
    parameter bit MAC_RX_CRC32_REMOVE         = 1'b0,
    parameter int MAC_RX_MIN_PKT_LENGTH       = 64,
    parameter bit MAC_RX_ERROR_DELAYED_ENABLE = 1'b0,
    parameter bit MAC_RX_LATE_VERDICT_ENABLE  = 1'b0,
    parameter bit MAC_RX_CHECK_PREAMBLE       = 1'b0,
    parameter bit MAC_RX_CHECK_SFD            = 1'b1,
    parameter bit PAUSE                       = 1'b0   // look for PAUSE frames
) (
    input logic clk,
    input logic rst,

    input logic [WIDTH-1:0] pma_rx_data,

    input logic [15:0] max_length,  // bytes with FCS; a longer frame is oversize
    output rx_t out,
    output logic out_likely,  // 32-bit words: each out.sof has one, in its cycle or the one before; not each has a sof

    input  logic                        test_prbs31,
    input  logic                        test_idle,
    output logic                        block_lock,
    output logic                        hi_ber,
    output logic                        watchdog,
    output logic                        local_fault,
    output logic                        remote_fault,
    output logic                        link_up,
    output logic      [$clog2(WIDTH):0] stat_pattern_errors,
    output logic                        stat_bad_header,
    output logic                        stat_bad_block,
    output logic                        stat_bad_after,
    // Each frame, with the early verdict, before anything is held back or taken off
    output logic                        stat_frame,
    output rx_error_t                   stat_frame_status,
    output logic      [           15:0] stat_frame_bytes,
    output logic                        stat_lock_lost,

    input  logic [47:0] own_address,  // first byte in bits 47:40
    output logic        pause,        // a good PAUSE frame has come; pause_quanta stands until the next
    output logic [15:0] pause_quanta
);
  // With the user's word held back, the verdict need not come earlier than a word later.
  localparam bit HELD = MAC_RX_LATENCY_MODE != 0 || MAC_RX_CRC32_REMOVE;
  localparam int VERDICT = HELD && MAC_RX_CRC32_LATENCY == 0 ? 1 : MAC_RX_CRC32_LATENCY;
  localparam bit AHEAD = WIDTH == 16 && PCS_RX_LATENCY_MODE != 0;  // half of the aligner comes before the register
  localparam int JUDGED = MAC_RX_LATE_VERDICT_ENABLE ? late_cycles(WIDTH) : VERDICT;  // when the user has it

  logic [WIDTH-1:0] pma_data;
  if (PCS_RX_LATENCY_MODE == 0) begin : gen_pma_direct
    assign pma_data = pma_rx_data;
  end else begin : gen_pma_registered
    always_ff @(posedge clk) pma_data <= pma_rx_data;
  end

  slot_t slot;
  logic first_next;  // for macpcs_rx_early; this one also for delayed errors
  logic [WIDTH:0] aligned;
  logic user_late, code_error, start_early, is_data, is_control, is_bad;
  logic [$clog2(WIDTH)-1:0] end_bit, end_bit_ahead, end_bit_next;
  logic [1:0] header_next;
  logic [WIDTH-1:0] word_q, user_data;
  logic valid, last;
  logic [WIDTH/8-1:0] keep;
  beat_t word, word_held;
  logic checked_valid, bad_after;
  logic judged_valid;  // where the FCS stays
  rx_error_t checked, judged_status;

  macpcs_rx_lock #(
      .WIDTH(WIDTH)
  ) u_lock (
      .clk,
      .rst,
      .blind(hi_ber),
      .header_next,
      .slot,
      .first_next,
      .end_bit,
      .end_bit_ahead,
      .end_bit_next,
      .is_data,
      .is_control,
      .lock (block_lock),
      .stat_bad_header,
      .stat_lock_lost
  );

  macpcs_rx_align #(
      .WIDTH(WIDTH),
      .AHEAD(AHEAD)
  ) u_align (
      .clk,
      .pma_data,
      .pma_ahead(pma_rx_data),
      .stall(slot.stall),
      .end_bit,
      .end_bit_ahead,
      .end_bit_next,
      .user_late,
      .word_q,
      .user_data,
      .aligned,
      .header_next
  );

  if (WIDTH == 32) begin : gen_early
    logic likely;
    macpcs_rx_early u_early (
        .clk,
        .pma_data,
        .slot,
        .first_next,
        .aligned,
        .end_bit_next,
        .likely,
        .start(start_early)
    );
    assign out_likely = block_lock & likely;  // lock does not change between the two, hi_ber may
  end else begin : gen_not_early
    assign start_early = 1'b0;
    assign out_likely  = 1'b0;
  end

  // is_data and is_control are both 0 where hi_ber blinds the decoder; that must not pass for a bad header.
  if (MAC_RX_ERROR_DELAYED_ENABLE) begin : gen_bad
    always_ff @(posedge clk) begin
      if (first_next) is_bad <= ~(^header_next) & ~hi_ber;
      if (rst) is_bad <= 1'b0;
    end
  end else begin : gen_no_bad
    assign is_bad = 1'b0;
  end

  macpcs_rx_monitor #(
      .WIDTH(WIDTH)
  ) u_monitor (
      .clk,
      .rst,
      .test_prbs31,
      .test_idle,
      .pma_data,
      .slot,
      .is_data,
      .is_control,
      .word_q,
      .lock(block_lock),
      .stat_bad_header,
      .frame_right(stat_frame & ~stat_frame_status.fcs & ~stat_frame_status.code),
      .hi_ber,
      .watchdog,
      .local_fault,
      .remote_fault,
      .link_up,
      .stat_pattern_errors
  );

  macpcs_rx_decode #(
      .WIDTH         (WIDTH),
      .ERROR_DELAYED (MAC_RX_ERROR_DELAYED_ENABLE),
      .CHECK_PREAMBLE(MAC_RX_CHECK_PREAMBLE),
      .CHECK_SFD     (MAC_RX_CHECK_SFD)
  ) u_decode (
      .clk,
      .rst,
      .slot,
      .is_data,
      .is_control,
      .lock(block_lock),
      .is_bad,
      .start_early(start_early & ~hi_ber),
      .word_q,
      .user_late,
      .valid,
      .last,
      .keep,
      .code_error,
      .sof(out.sof),
      .bad_after,
      .stat_bad_block
  );

  assign word = '{valid: valid, last: last, keep: 4'(keep), data: 32'(user_data)};
  macpcs_rx_check #(
      .WIDTH        (WIDTH),
      .LATENCY      (VERDICT),
      .MIN_BYTES    (MAC_RX_MIN_PKT_LENGTH),
      .CRC32_DISABLE(MAC_RX_CRC32_DISABLE)
  ) u_check (
      .clk,
      .rst,
      .max_length,
      .beat(word),
      .code_error,
      .beat_q(word_held),
      .status_valid(checked_valid),
      .status(checked),
      .length(stat_frame_bytes)
  );
  macpcs_rx_late #(
      .WIDTH  (WIDTH),
      .VERDICT(VERDICT),
      .LATE   (MAC_RX_LATE_VERDICT_ENABLE)
  ) u_late (
      .clk,
      .rst,
      .bad_after,
      .valid         (checked_valid),
      .status        (checked),
      .counted_valid (WIDTH == 16 ? stat_frame : checked_valid),
      .counted_status(WIDTH == 16 ? stat_frame_status : checked),
      .late_valid    (judged_valid),
      .late_status   (judged_status),
      .stat_bad_after
  );
  always_ff @(posedge clk) begin
    stat_frame        <= checked_valid & ~rst;
    stat_frame_status <= checked;
  end

  if (PAUSE) begin : gen_pause
    macpcs_pause_rx #(
        .WIDTH  (WIDTH),
        .LATENCY(VERDICT)
    ) u_pause (
        .clk,
        .rst,
        .own_address,
        .beat        (word),
        .status_valid(checked_valid),
        .status      (checked),
        .pause,
        .quanta      (pause_quanta)
    );
  end else begin : gen_no_pause
    assign pause        = 1'b0;
    assign pause_quanta = '0;
    logic unused;
    assign unused = &own_address;
  end

  if (MAC_RX_CRC32_REMOVE) begin : gen_strip
    beat_t [JUDGED:1] line;  // [i]: i cycles late
    assign line[1] = word_held;
    for (genvar i = 2; i <= JUDGED; i++) begin : gen_line
      always_ff @(posedge clk) begin
        line[i] <= line[i-1];
        if (rst) line[i].valid <= 1'b0;
      end
    end
    macpcs_rx_fcs_strip #(
        .WIDTH(WIDTH)
    ) u_strip (
        .clk,
        .rst,
        .in(line[JUDGED]),
        .in_status(judged_status),
        .out(out.beat),
        .out_status_valid(out.status_valid),
        .out_status(out.status)
    );
  end else begin : gen_keep
    assign {out.beat, out.status_valid, out.status} = {HELD ? word_held : word, judged_valid, judged_status};
  end
endmodule
