// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Check of the bytes that macpcs_tx_frame16 sends, bounded: no proof for all time, but a search of all runs of 62
// cycles after a reset.  They hold one frame of given data, started in lane 0.  Its length is 3 or 4 bytes (padding),
// or 59 to 68 (the end of the padding, and each place in the terminate block); it ends well, with tuser, with a bad
// tkeep or with an underrun.
//
// Claim: behind the start block come the user's bytes, zeros up to 60, and four bytes of FCS, no more and no fewer.
// The serial CRC over all of them is the residue exactly if the frame ended well.
module tx_frame16_bytes
  import macpcs_pkg::slot_t;
#(
    parameter bit INVARIANTS = 1'b1  // there are none
) (
    input logic       clk,
    // Free, looked at in the first cycle
    input logic [5:0] end_beat,
    input logic [2:0] kind
);
  typedef enum logic [2:0] {
    WELL,
    WELL_ONE,  // the last word has one byte
    TUSER,
    BAD_KEEP,
    UNDERRUN
  } kind_e;
  logic [5:0] time_q = 6'd0, end_q, beat_q;
  logic [2:0] kind_q;
  logic rst, valid, last;
  assign rst = time_q == 0;
  always_ff @(posedge clk) begin
    time_q <= time_q + 6'd1;
    if (rst) {end_q, kind_q} <= {end_beat, kind};
  end
  always_comb begin
    if (rst) assume ((end_beat == 1 || (end_beat >= 29 && end_beat <= 33)) && kind <= UNDERRUN);
  end

  slot_t slot, slot_next;
  logic [2:0] room_next;
  logic block_next, block_end, quiet, step, step_next, start0, start4, offer0_next, offer4_next, control_next, tready;
  logic stat_tx_frame, stat_tx_error, stat_tx_underrun;
  logic [15:0] payload_next, data;
  macpcs_tx_phase #(
      .WIDTH(16)
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
  macpcs_tx_frame16 dut (
      .clk,
      .rst,
      .s_axis_tdata (data),
      .s_axis_tkeep (last && kind_q == WELL_ONE ? 2'h1 : last && kind_q == BAD_KEEP ? 2'h2 : 2'h3),
      .s_axis_tvalid(valid),
      .s_axis_tready(tready),
      .s_axis_tlast (last),
      .s_axis_tuser (last && kind_q == TUSER),
      .s_axis_fcs   (32'h0),
      .slot,
      .pos_next     (slot_next.pos),
      .block_next,
      .step,
      .step_next,
      .stop         (1'b0),
      .send_rf      (1'b0),
      .block_end,
      .quiet,
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

  // --- The user
  function automatic logic [15:0] word_of(logic [5:0] beat);
    return 16'h1234 + 16'(beat) * 16'h9e37;
  endfunction
  assign last  = beat_q == end_q;
  assign valid = !rst && (beat_q < end_q || (last && kind_q != UNDERRUN));
  assign data  = word_of(beat_q);
  always_ff @(posedge clk) beat_q <= rst ? 6'd0 : beat_q + 6'(valid && tready);

  // --- The words as they leave, and the frame's bytes in them
  localparam logic [7:0][7:0] TERMINATE = 64'hff_e1_d2_cc_b4_aa_99_87;
  logic [15:0] given_q, word;
  logic given_control_q, control_q2, started_q, frame_q, in_terminate_q, terminate;
  logic [2:0] n, n_q;
  logic [1:0] valid_bytes;
  logic [31:0] crc_q, crc;
  logic [6:0] count_q, count;
  logic [6:0] user_bytes, sent_bytes;  // with a bad tkeep or an underrun a word is sent that may be anything
  logic bytes_ok;
  always_ff @(posedge clk)
    if (step)
      {given_q, word, given_control_q, control_q2} <= {payload_next, given_q, control_next, given_control_q};
  always_comb begin
    {terminate, n} = {in_terminate_q, n_q};
    if (slot.pos == 0) begin
      terminate = 1'b0;
      for (int i = 0; i < 8; i++) if (control_q2 && word[7:0] == TERMINATE[i]) {terminate, n} = {1'b1, 3'(i)};
    end
    valid_bytes = 2'b11;
    if (terminate && slot.pos == 0) valid_bytes = {n != 0, 1'b0};
    else if (terminate) valid_bytes = {n > 2 * slot.pos, n >= 2 * slot.pos};
    if (slot.stall || !frame_q) valid_bytes = 2'b00;
    user_bytes = 7'({end_q, 1'b0} + 7'd2);
    if (kind_q == WELL_ONE) user_bytes = user_bytes - 7'd1;
    if (kind_q == UNDERRUN || kind_q == BAD_KEEP) user_bytes = user_bytes - 7'd2;
    crc      = crc_q;
    count    = count_q;
    bytes_ok = 1'b1;
    for (int i = 0; i < 2; i++)
    if (valid_bytes[i]) begin
      crc = crc ^ {24'h0, word[8*i+:8]};
      for (int j = 0; j < 8; j++) crc = (crc >> 1) ^ (crc[0] ? 32'hedb88320 : 32'h0);
      if (count < user_bytes) begin
        if (word[8*i+:8] != 8'(word_of(count[6:1]) >> (count[0] ? 8 : 0))) bytes_ok = 1'b0;
      end else if (count < 60 && count >= sent_bytes && word[8*i+:8] != 0) bytes_ok = 1'b0;
      count = count + 7'd1;
    end
  end
  assign sent_bytes = kind_q == BAD_KEEP || kind_q == UNDERRUN ? user_bytes + 7'd2 : user_bytes;
  always_ff @(posedge clk) begin
    {crc_q, count_q} <= {crc, count};
    if (!slot.stall) {in_terminate_q, n_q} <= {terminate, n};
    if (start0) started_q <= 1'b1;
    if (!slot.stall && slot.pos == 3) frame_q <= started_q && !(frame_q && terminate);
    if (!slot.stall && slot.pos == 3 && frame_q && terminate) started_q <= 1'b0;
    if (rst) begin
      {started_q, frame_q, in_terminate_q, count_q} <= '0;
      crc_q <= '1;
    end
  end

  // --- The claim
  always_comb
    if (time_q != 0) begin
      assert (bytes_ok);
      assert (!start4);
      if (frame_q && !slot.stall && slot.pos == 0) assert (terminate || !control_q2);
      if (frame_q && !slot.stall && slot.pos == 3 && terminate) begin
        assert (count == (sent_bytes < 60 ? 7'd64 : sent_bytes + 7'd4));
        assert ((crc == 32'hdebb20e3) == (kind_q inside {WELL, WELL_ONE}));
      end
      if (time_q == 60) assert (count_q != 0 && !frame_q);  // that is how long it takes
    end
endmodule
