// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Check of the bytes that macpcs_tx_frame sends, bounded: no proof for all time, but a search of all runs of DONE + 1
// cycles after a reset.  They hold one frame of given data, started in lane 0.  Its length is 5 to 8 bytes, or
// PADDING_SIZE - 11 to PADDING_SIZE + 4 (the end of the padding, and each place in the terminate block); it ends well,
// with tuser, with a bad tkeep or with an underrun.
//
// Claim: behind the start block come the user's bytes, zeros up to PADDING_SIZE - 4, and four bytes of FCS, no more and
// no fewer.  The serial CRC over all of them is the residue exactly if the frame ended well.  With OWN_FCS the last
// four are the user's if the frame ended well and was not padded, else their complement.
module tx_frame_bytes
  import macpcs_pkg::slot_t;
#(
    parameter bit INVARIANTS = 1'b1,  // there are none
    parameter bit OWN_FCS = 1'b0,
    parameter int PADDING_SIZE = 64
) (
    input logic        clk,
    // Free, looked at in the first cycle
    input logic [ 4:0] end_beat,
    input logic [ 2:0] kind,
    input logic [31:0] fcs
);
  localparam int PAD_BYTES = PADDING_SIZE - 4;
  localparam int PAD_WORDS = PADDING_SIZE / 4 - 1;
  localparam int DONE = PADDING_SIZE / 4 + 12;
  typedef enum logic [2:0] {
    WELL_1,    // the last word has one byte
    WELL_2,
    WELL_3,
    WELL_4,
    TUSER,
    BAD_KEEP,
    UNDERRUN
  } kind_e;
  logic [5:0] time_q = 6'd0;
  logic [4:0] end_q, beat_q;
  logic [ 2:0] kind_q;
  logic [31:0] fcs_q;
  logic rst, valid, last;
  assign rst = time_q == 0;
  always_ff @(posedge clk) begin
    time_q <= time_q + 6'd1;
    if (rst) {end_q, kind_q, fcs_q} <= {end_beat, kind, fcs};
  end
  always_comb begin
    if (rst) assume ((end_beat == 1 || (end_beat >= PAD_WORDS - 2 && end_beat <= PAD_WORDS + 1)) && kind <= UNDERRUN);
  end

  slot_t slot, slot_next;
  logic [3:0] room_next;
  logic block_next, block_end, quiet, step, step_next, start0, start4, offer0_next, offer4_next, control_next, tready;
  logic stat_tx_frame, stat_tx_error, stat_tx_underrun;
  logic [2:0] stat_tx_bytes;
  logic [31:0] payload_next, data;
  logic [3:0] keep;
  macpcs_tx_phase u_phase (
      .clk,
      .rst,
      .slot,
      .slot_next,
      .block_next,
      .room_next,
      .step,
      .step_next
  );
  macpcs_tx_frame #(
      .OWN_FCS(OWN_FCS),
      .PADDING_SIZE(PADDING_SIZE)
  ) dut (
      .clk,
      .rst,
      .s_axis_tdata (data),
      .s_axis_tkeep (keep),
      .s_axis_tvalid(valid),
      .s_axis_tready(tready),
      .s_axis_tlast (last),
      .s_axis_tuser (last && kind_q == TUSER),
      .s_axis_fcs   (last && valid ? fcs_q : 32'h0),
      .slot,
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
      .stat_tx_bytes,
      .stat_tx_error,
      .stat_tx_underrun
  );

  // --- The user
  function automatic logic [31:0] word_of(logic [4:0] beat);
    return 32'h12345678 + 32'(beat) * 32'h9e3779b9;
  endfunction
  assign last  = beat_q == end_q;
  assign valid = !rst && (beat_q < end_q || (last && kind_q != UNDERRUN));
  assign data  = word_of(beat_q);
  always_comb begin
    keep = 4'hf;
    if (last && kind_q == WELL_1) keep = 4'h1;
    if (last && kind_q == WELL_2) keep = 4'h3;
    if (last && kind_q == WELL_3) keep = 4'h7;
    if (last && kind_q == BAD_KEEP) keep = 4'h2;
  end
  always_ff @(posedge clk) beat_q <= rst ? 5'd0 : beat_q + 5'(valid && tready);

  // --- The words as they leave, and the frame's bytes in them
  localparam logic [7:0][7:0] TERMINATE = 64'hff_e1_d2_cc_b4_aa_99_87;
  logic [31:0] word, sum_q, sum;  // CRC; with OWN_FCS the last four bytes
  logic control_q, started_q, frame_q, terminate_q, terminate, well, bytes_ok, fcs_ok;
  logic [2:0] n, n_q;
  logic [3:0] valid_bytes;
  logic [6:0] count_q, count;
  logic [6:0] user_bytes, sent_bytes;  // with a bad tkeep or an underrun bytes are sent that may be anything
  always_ff @(posedge clk) if (step) {word, control_q} <= {payload_next, control_next};
  assign well = kind_q <= WELL_4;
  always_comb begin
    user_bytes = {end_q, 2'b00};  // of whole words before the last one
    sent_bytes = user_bytes;
    case (kind_q)
      BAD_KEEP: sent_bytes = user_bytes + 7'd2;
      UNDERRUN: sent_bytes = user_bytes + 7'd4;
      TUSER: user_bytes = user_bytes + 7'd4;
      default: user_bytes = user_bytes + 7'(kind_q) + 7'd1;
    endcase
    if (sent_bytes < user_bytes) sent_bytes = user_bytes;
  end
  always_comb begin
    {terminate, n} = {terminate_q, n_q};
    if (slot.pos == 0) begin
      terminate = 1'b0;
      for (int i = 0; i < 8; i++) if (control_q && word[7:0] == TERMINATE[i]) {terminate, n} = {1'b1, 3'(i)};
    end
    valid_bytes = 4'hf;
    if (terminate) for (int i = 0; i < 4; i++) valid_bytes[i] = slot.pos == 0 ? i != 0 && i <= n : i + 4 <= n;
    if (slot.stall || !frame_q) valid_bytes = 4'h0;
    sum      = sum_q;
    count    = count_q;
    bytes_ok = 1'b1;
    for (int i = 0; i < 4; i++)
    if (valid_bytes[i]) begin
      sum = OWN_FCS ? {word[8*i+:8], sum[31:8]} : sum ^ {24'h0, word[8*i+:8]};
      if (!OWN_FCS) for (int j = 0; j < 8; j++) sum = (sum >> 1) ^ (sum[0] ? 32'hedb88320 : 32'h0);
      if (count < user_bytes) begin
        if (word[8*i+:8] != 8'(word_of(count[6:2]) >> (8 * count[1:0]))) bytes_ok = 1'b0;
      end else if (count < PAD_BYTES && count >= sent_bytes && word[8*i+:8] != 0) bytes_ok = 1'b0;
      count = count + 7'd1;
    end
    if (OWN_FCS && kind_q == UNDERRUN) fcs_ok = sum == '1;  // of the word before, which had zeros
    else if (OWN_FCS) fcs_ok = sum == (well && sent_bytes >= PAD_BYTES ? fcs_q : ~fcs_q);
    else fcs_ok = (sum == 32'hdebb20e3) == well;
  end
  always_ff @(posedge clk) begin
    {sum_q, count_q} <= {sum, count};
    if (!slot.stall) {terminate_q, n_q} <= {terminate, n};
    if (start0) started_q <= 1'b1;
    if (!slot.stall && slot.pos == 1) frame_q <= started_q && !(frame_q && terminate);
    if (!slot.stall && slot.pos == 1 && frame_q && terminate) started_q <= 1'b0;
    if (rst) begin
      {started_q, frame_q, terminate_q, count_q} <= '0;
      sum_q <= '1;
    end
  end

  // --- The claim
  always_comb
    if (time_q != 0) begin
      assert (bytes_ok);
      assert (!start4);
      if (frame_q && !slot.stall && slot.pos == 0) assert (terminate || !control_q);
      if (frame_q && !slot.stall && slot.pos == 1 && terminate) begin
        assert (count == (sent_bytes < PAD_BYTES ? 7'(PADDING_SIZE) : sent_bytes + 7'd4));
        assert (fcs_ok);
      end
      if (time_q == DONE) assert (count_q != 0 && !frame_q);  // that is how long it takes
    end
endmodule
