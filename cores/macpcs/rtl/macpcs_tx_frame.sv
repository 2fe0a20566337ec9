// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// User words to payload words: padding, FCS, terminate block, and what happens when the user fails.
//
// Latency: a word taken in slot t is on the wire in slot t+2, because the start block of its frame fills t and t+1.
// In between there is one register (word_q):
//
//   slot t     user word -> unused bytes to zero -> after the type byte, if it ends the frame there -> word_q
//   slot t+1   FCS bytes that share a word with data are put in -> payload_next; the rest of the FCS -> word_q
//   slot t+2   on the wire
//
// How a frame ends, for a last word of n bytes d (f: FCS, T: type byte, first byte first; | parts the block's halves):
//
//   last word in the first half            last word in the second half
//   n = 1   T5 d f f | f f                 n = 1   .... | d f f f   T1 f
//   n = 2   T6 d d f | f f f               n = 2   .... | d d f f   T2 f f
//   n = 3   T7 d d d | f f f f             n = 3   .... | d d d f   T3 f f f
//   n = 4   d d d d  | f f f f   T0        n = 4   .... | d d d d   T4 f f f | f
//
// Underrun (no word when one is due) ends the frame with a wrong FCS; the rest of the user's frame is swallowed.
//
// With OWN_FCS there is no CRC: the four bytes that come beside the last word are sent.  They are the user's FCS of what it
// gave, so a frame that has to be padded gets their complement, as after any other error.
//
// With AMEND, the bits that come with a word are XORed into the word before it, on its way out of word_q: at the end of slot
// t+1, where a word that is taken in slot t is given away.
module macpcs_tx_frame
  import macpcs_pkg::*;
#(
    parameter bit CORRUPTED_ON_ERROR = 1'b1,  // tuser gives a wrong FCS
    parameter bit OWN_FCS = 1'b0,  // send s_axis_fcs, not a CRC
    parameter bit AMEND = 1'b0,  // obey s_axis_tamend; not with OWN_FCS
    parameter int PADDING_SIZE = 64,  // bytes with FCS, a multiple of 4, 16 at least
    parameter int IFG_COUNT = 12  // bytes, see macpcs_tx_gap
) (
    input logic clk,
    input logic rst,

    input  logic [31:0] s_axis_tdata,
    input  logic [ 3:0] s_axis_tkeep,
    input  logic        s_axis_tvalid,
    output logic        s_axis_tready,
    input  logic        s_axis_tlast,
    input  logic        s_axis_tuser,
    input  logic [31:0] s_axis_tamend,  // with AMEND, not with a frame's first word: XORed into the word before
    input  logic [31:0] s_axis_fcs,     // with OWN_FCS and s_axis_tlast: the frame's FCS

    input slot_t slot,
    input logic  block_next,
    input logic  step,
    input logic  step_next,

    // Link faults, see macpcs_tx_fault
    input  logic stop,       // no frame may start
    input  logic send_rf,    // remote fault blocks in place of idle ones
    output logic block_end,
    output logic quiet,      // no frame is under way, nor does one start now

    output logic start0,  // a start block leaves in this slot
    output logic start4,
    output logic offer0_next,
    output logic offer4_next,

    output logic [31:0] payload_next,
    output logic        control_next,

    output logic stat_tx_frame,
    output logic [2:0] stat_tx_bytes,
    output logic stat_tx_error,
    output logic stat_tx_underrun
);
  // With a size that macpcs refuses nothing here must fail before its message.
  localparam int WORDS_BITS = PADDING_SIZE < 16 ? 2 : $clog2(PADDING_SIZE / 4);
  localparam logic [WORDS_BITS-1:0] PAD_WORDS = WORDS_BITS'(PADDING_SIZE / 4 - 1);  // minimum frame without its FCS

  typedef enum logic [2:0] {
    IDLE,        // nothing under way
    DATA,        // the user must provide a word
    PAD,         // zeros up to the minimum frame
    TAIL,        // the last word is in word_q, the FCS follows
    TERMINATE0,  // the FCS has filled its block
    TERMINATE4   // one byte of the FCS is left for the second half
  } state_e;
  state_e state_q, state_next;

  logic start, offer0, offer4;
  assign start  = s_axis_tvalid & (offer0 | offer4);
  assign start0 = s_axis_tvalid & offer0;
  assign start4 = s_axis_tvalid & offer4;

  // --- The user's word
  logic [WORDS_BITS-1:0] words_q;  // words of the frame so far, up to PAD_WORDS
  logic first_half;     // the word goes into the first half of a block
  logic take, last, ends, short_word, beat_error, underrun;
  logic [1:0] bytes, bytes_q;  // 1..3: a last word with so many bytes; 0: any other
  logic [31:0] data;
  assign first_half = ~slot.stall & (slot.pos == 0);
  assign quiet = state_q == IDLE & ~start;
  assign block_end = step & ~first_half;
  assign take = start0 | (state_q == DATA);
  assign underrun = (state_q == DATA) & ~s_axis_tvalid;
  assign last = s_axis_tlast | ~s_axis_tvalid;
  assign ends = last & (words_q inside {PAD_WORDS - 1, PAD_WORDS});
  assign short_word = take & last & (words_q == PAD_WORDS) & ~s_axis_tkeep[3];
  assign bytes = !short_word ? 2'd0 : s_axis_tkeep[2] ? 2'd3 : s_axis_tkeep[1] ? 2'd2 : 2'd1;
  assign beat_error = underrun | (s_axis_tuser & CORRUPTED_ON_ERROR)
                      | ~(s_axis_tkeep == 4'hf || (s_axis_tlast && s_axis_tkeep inside {4'h1, 4'h3, 4'h7}));
  always_comb
    for (int i = 0; i < 4; i++) data[8*i+:8] = (s_axis_tkeep[i] && state_q != PAD) ? s_axis_tdata[8*i+:8] : 8'h00;

  // --- What is still to be changed in the word in word_q
  logic [31:0] amend;
  if (AMEND) begin : gen_amend
    logic open_q;  // it is the user's, and the next one is due
    always_ff @(posedge clk) begin
      if (step) open_q <= take & ~last;
      if (rst) open_q <= 1'b0;
    end
    assign amend = s_axis_tamend & {32{open_q}};
  end else begin : gen_no_amend
    assign amend = '0;
    logic unused;
    assign unused = &s_axis_tamend;
  end

  // --- FCS of all words up to the one in word_q
  logic [31:0] crc, fcs;
  logic poison_next, poison_q;  // give a wrong FCS: the complement
  logic pad_error;
  if (OWN_FCS) begin : gen_own_fcs
    // Not with an underrun: then it is that of the word before, the last four bytes that came.
    always_ff @(posedge clk) if (step && take && s_axis_tvalid) crc <= ~s_axis_fcs;
    // Zeros after the user's data: whole words, or what the last word of the minimum frame lacks.
    assign pad_error = (state_q == PAD) | (state_q == DATA & last & words_q != PAD_WORDS & ~s_axis_tkeep[3]);
  end else begin : gen_fcs
    macpcs_tx_fcs #(
        .AMEND(AMEND)
    ) u_fcs (
        .clk,
        .step,
        .first(words_q == 0),
        .data,
        .bytes,
        .amend,
        .crc
    );
    assign pad_error = 1'b0;
    logic unused;
    assign unused = &s_axis_fcs;
  end
  assign fcs = crc ^ {32{~poison_q}};
  assign poison_next = start ? start0 & beat_error : poison_q | (state_q == DATA & beat_error) | pad_error;

  // --- FCS bytes that share a word with data.  word_q brings the ones that complement them, so one LUT is left here.
  logic [3:1] shared, shared_q;  // the FCS begins at byte i of the word
  logic [31:0] word_q, shared_ones, shared_crc;
  // Without an adder, which would be a carry chain in the longest path.
  assign shared[1] = ~first_half & (bytes == 2'd1);
  assign shared[2] = bytes == (first_half ? 2'd1 : 2'd2);
  assign shared[3] = bytes == (first_half ? 2'd2 : 2'd3);
  assign shared_ones = poison_next ? 32'h0 : {{8{|shared}}, {8{|shared[2:1]}}, {8{shared[1]}}, 8'h0};
  assign shared_crc = ({32{shared_q[1]}} & {crc[23:0], 8'h0}) | ({32{shared_q[2]}} & {crc[15:0], 16'h0})
                      | ({32{shared_q[3]}} & {crc[7:0], 24'h0});
  assign payload_next = word_q ^ shared_crc ^ amend;

  // --- What goes into word_q
  logic [31:0] word_next;
  logic control, terminate;  // control is looked at in first halves only
  logic [2:0] terminate_bytes;
  logic [7:0] last_fcs_byte_q;
  always_comb begin
    word_next = first_half ? {24'h0, TYPE_IDLE} : 32'h0;
    if (send_rf) word_next = first_half ? {8'h02, 16'h0, TYPE_ORDERED04} : {8'h02, 24'h0};
    control         = 1'b1;
    terminate       = 1'b0;
    terminate_bytes = 3'd0;
    state_next      = state_q;
    case (state_q)
      TAIL:
      if (first_half) begin
        // Bytes of the FCS that are left: as many as the last word had.
        terminate       = 1'b1;
        terminate_bytes = bytes_q == 0 ? 3'd4 : {1'b0, bytes_q};
        case (bytes_q)
          2'd1: word_next = {16'h0, fcs[31:24], TYPE_TERMINATE[1]};
          2'd2: word_next = {8'h0, fcs[31:16], TYPE_TERMINATE[2]};
          2'd3: word_next = {fcs[31:8], TYPE_TERMINATE[3]};
          default: word_next = {fcs[23:0], TYPE_TERMINATE[4]};
        endcase
        state_next = bytes_q == 0 ? TERMINATE4 : IDLE;
      end else begin
        case (bytes_q)
          2'd1: word_next = {16'h0, fcs[31:16]};
          2'd2: word_next = {8'h0, fcs[31:8]};
          default: word_next = fcs;
        endcase
        state_next = bytes_q == 0 ? TERMINATE0 : IDLE;
      end
      TERMINATE0: begin
        word_next  = {24'h0, TYPE_TERMINATE[0]};
        terminate  = 1'b1;
        state_next = IDLE;
      end
      TERMINATE4: begin
        word_next  = {24'h0, last_fcs_byte_q};
        state_next = IDLE;
      end
      default:
      if (take || state_q == PAD) begin
        if (first_half && short_word) begin
          terminate       = 1'b1;
          terminate_bytes = {1'b1, bytes};
          word_next       = {data[23:0], TYPE_TERMINATE[terminate_bytes]} | shared_ones;
        end else begin
          word_next = data | shared_ones;
          control   = 1'b0;
        end
        if (state_q == PAD) state_next = words_q == PAD_WORDS - 1 ? TAIL : PAD;
        else state_next = !last ? DATA : ends ? TAIL : PAD;
      end else if (start4) begin
        word_next  = {SFD, {3{PREAMBLE}}};
        control    = 1'b0;
        state_next = DATA;
      end
    endcase
  end

  always_ff @(posedge clk) begin
    if (step) begin
      state_q         <= state_next;
      word_q          <= word_next;
      control_next    <= control;
      bytes_q         <= bytes;
      shared_q        <= shared;
      last_fcs_byte_q <= fcs[31:24];
      if (take || state_q == PAD) begin
        if (words_q != PAD_WORDS) words_q <= words_q + 1'b1;
      end else if (state_q != DATA) begin
        words_q <= '0;
      end
      poison_q <= poison_next;
    end
    if (rst) begin
      state_q      <= IDLE;
      word_q       <= {24'h0, TYPE_IDLE};
      control_next <= 1'b1;
      bytes_q      <= 2'd0;
      shared_q     <= '0;
      words_q      <= '0;
    end
  end

  // --- Handshake.  After an underrun the rest of the frame is taken and thrown away.
  logic swallow_q, swallow_next, data_next;
  assign swallow_next = (underrun & step) | (swallow_q & ~(s_axis_tvalid & s_axis_tlast));
  assign data_next    = (step ? state_next : state_q) == DATA;
  always_ff @(posedge clk) begin
    s_axis_tready <= offer0_next | (data_next & step_next) | swallow_next;
    swallow_q     <= swallow_next;
    stat_tx_frame <= step & (state_q == TAIL);
    if (!step) stat_tx_bytes <= 3'd0;
    else if (take || state_q == PAD) stat_tx_bytes <= bytes == 0 ? 3'd4 : {1'b0, bytes};
    else stat_tx_bytes <= {state_q == TAIL, 2'b00};  // the FCS
    stat_tx_error    <= step & (state_q == TAIL) & poison_q;
    stat_tx_underrun <= step & underrun;
    if (rst) begin
      s_axis_tready    <= 1'b0;
      swallow_q        <= 1'b0;
      stat_tx_frame    <= 1'b0;
      stat_tx_error    <= 1'b0;
      stat_tx_underrun <= 1'b0;
    end
  end

  macpcs_tx_gap #(
      .IFG_COUNT(IFG_COUNT)
  ) u_gap (
      .clk,
      .rst,
      .slot,
      .block_next,
      .step,
      .idle(state_q == IDLE && !swallow_q && !stop),
      .terminate,
      .terminate_bytes,
      .start,
      .offer0_next,
      .offer4_next,
      .offer0,
      .offer4
  );
endmodule
