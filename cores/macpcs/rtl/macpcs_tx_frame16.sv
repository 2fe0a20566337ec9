// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// User words to payload words, 16 bits wide: padding, FCS, terminate block, and what happens when the user fails.
// It does what macpcs_tx_frame does for 32 bits, in shorter stages: the preamble gives four words of time instead of two.
//
// Latency: a word taken in slot t is on the wire in slot t+4, because the start block of its frame fills t to t+3.
//
//   slot t     user word, unused bytes to zero -> take_q
//   slot t+1   into the CRC; terminate type or the byte left over from the word before put under it -> word_q
//   slot t+2   FCS bytes put in -> payload, scrambled by macpcs_tx_line in the same slot
//   slot t+3   gearbox
//
// In slot t+1 the user's next word is there too.  That is enough to know how the frame's last block begins: it is a
// terminate block if data and FCS end within 7 bytes, so if the data end within 3.
//
// How a frame ends (d: last bytes of data, f: FCS, T: type byte, first byte first; | parts words, || blocks):
//
//   data end after 1 byte of a block     T5 d | f f | f f | .
//                  2                     T6 d | d f | f f | f .
//                  3                     T7 d | d d | f f | f f
//                  4                        d d | d d | f f | f f || T0
//                  5                        d d | d d | d f | f f || T1 f
//                  6                        d d | d d | d d | f f || T2 f | f
//                  7                        d d | d d | d d | d f || T3 f | f f
//                  8                        d d | d d | d d | d d || T4 f | f f | f
//
// So once the data have ended, a word takes two more bytes of the FCS, or one after a type byte or the last byte of the
// data.  The CRC register shifts them out and zeros follow: macpcs_tx_fcs16.
//
// Underrun (no word when one is due) ends the frame with a wrong FCS; the rest of the user's frame is swallowed.
//
// With OWN_FCS there is no CRC: the four bytes that come beside the last word are sent.  They are the user's FCS of what it
// gave, so a frame that has to be padded gets their complement, as after any other error.
module macpcs_tx_frame16
  import macpcs_pkg::*;
#(
    parameter bit CORRUPTED_ON_ERROR = 1'b1,  // tuser gives a wrong FCS
    parameter bit OWN_FCS = 1'b0,  // send s_axis_fcs, not a CRC
    parameter int PADDING_SIZE = 64,  // bytes with FCS, a multiple of 4, 16 at least
    parameter int IFG_COUNT = 12  // bytes, see macpcs_tx_gap
) (
    input logic clk,
    input logic rst,

    input  logic [15:0] s_axis_tdata,
    input  logic [ 1:0] s_axis_tkeep,
    input  logic        s_axis_tvalid,
    output logic        s_axis_tready,
    input  logic        s_axis_tlast,
    input  logic        s_axis_tuser,
    input  logic [31:0] s_axis_fcs,     // with OWN_FCS and s_axis_tlast: the frame's FCS

    input slot_t slot,
    input logic [1:0] pos_next,  // of slot_next
    input logic block_next,
    input logic step,
    input logic step_next,

    // Link faults, see macpcs_tx_fault
    input  logic stop,       // no frame may start
    input  logic send_rf,    // remote fault blocks in place of idle ones
    output logic block_end,
    output logic quiet,      // no frame is under way, nor does one start now

    output logic start0,  // a start block leaves in this slot
    output logic start4,
    output logic offer0_next,
    output logic offer4_next,

    output logic [15:0] payload_next,
    output logic        control_next,

    output logic stat_tx_frame,
    output logic [2:0] stat_tx_bytes,
    output logic stat_tx_error,
    output logic stat_tx_underrun
);
  localparam int PAD_WORDS = PADDING_SIZE / 2 - 2;  // minimum frame without its FCS
  localparam int WORDS_BITS = $clog2(PAD_WORDS);

  // State, one-hot and looked at bit by bit: the user's signals have three levels of logic in all.
  logic in_idle;  // nothing under way
  logic in_preamble4;  // the last word of the preamble, after a start in lane 4
  logic in_data;  // the user must provide a word
  logic in_pad;  // zeros up to the minimum frame
  logic in_tail;  // the terminate block has not begun
  logic start, offer0, offer4, offer_q;

  assign quiet     = in_idle & ~start;
  assign block_end = step & (pos_next == 2'd1);  // of word_q
  assign start0    = offer0 & s_axis_tvalid;
  assign start4    = offer4 & s_axis_tvalid;
  assign start     = offer_q & s_axis_tvalid;
  always_ff @(posedge clk) offer_q <= ~rst & (offer0_next | offer4_next);  // either of them

  // --- Slot t: the word that is taken
  logic [WORDS_BITS-1:0] words_q;  // of the frame, until near_q is set
  logic near_q, full_q;  // one word fewer than the minimum, and the minimum
  logic take, underrun, last, one, last_word, terminate, next_one, beat_error, poison_next, poison_q, pad_error;
  assign take = start0 | in_data;
  assign underrun = in_data & ~s_axis_tvalid;
  assign last = s_axis_tlast | ~s_axis_tvalid;
  // The last word has one byte, and there is nothing to pad.  Not after an underrun: s_axis_tvalid comes late, and how many
  // bytes such a frame has does not matter.
  assign one = s_axis_tlast & ~s_axis_tkeep[1] & full_q;
  assign last_word = near_q & (in_pad | (in_data & last));
  assign beat_error = underrun | (s_axis_tuser & CORRUPTED_ON_ERROR)
                      | ~(s_axis_tkeep == 2'h3 || (s_axis_tlast && s_axis_tkeep == 2'h1));
  assign poison_next = start ? start0 & beat_error : poison_q | (in_data & beat_error) | pad_error;
  // With OWN_FCS, zeros after the user's data: whole words, or the second byte of the minimum frame's last word.
  assign pad_error = OWN_FCS & (in_pad | (in_data & last & ~s_axis_tkeep[1] & ~full_q));

  // A cell with a name, so that a start, which comes late, has one level after s_axis_tvalid.
  logic ends, idle_next;
  assign ends = next_one | (in_tail & terminate);
  xor_mux2 u_idle (
      .a0 (in_idle | ends),
      .b0 (1'b0),
      .a1 ((in_idle & ~offer_q) | ends),
      .b1 (1'b0),
      .sel(s_axis_tvalid),
      .y  (idle_next)
  );
  logic data_next;  // the state after this slot
  assign data_next = (start0 & ~last) | in_preamble4 | (in_data & ~last);
  always_ff @(posedge clk) begin
    if (step) begin
      in_idle      <= idle_next;
      in_preamble4 <= start4;
      in_data      <= data_next;
      in_pad       <= (start0 & last) | (((in_data & last) | in_pad) & ~near_q);
      in_tail      <= (last_word & ~next_one) | (in_tail & ~terminate);
    end
    if (rst) {in_tail, in_pad, in_data, in_preamble4, in_idle} <= 5'b00001;
  end

  typedef struct packed {
    logic        valid;  // preamble or frame
    logic        two;    // bytes of the frame: two, or a last one
    logic        last;   // of the frame
    logic        one;
    logic [15:0] data;
  } take_t;
  take_t take_q;
  // start or under_way; with a cell that has a name for the same reason as above.
  logic under_way, valid_next;
  assign under_way = in_preamble4 | in_data | in_pad;
  xor_mux2 u_valid (
      .a0 (under_way),
      .b0 (1'b0),
      .a1 (under_way | offer_q),
      .b1 (1'b0),
      .sel(s_axis_tvalid),
      .y  (valid_next)
  );
  always_ff @(posedge clk) begin
    if (step) begin
      poison_q     <= poison_next;
      take_q.valid <= valid_next;
      take_q.two   <= (take | in_pad) & ~(one & in_data);
      take_q.last  <= last_word;
      take_q.one   <= one & in_data;
      if (offer4) take_q.data <= {2{PREAMBLE}};
      else if (in_preamble4) take_q.data <= {SFD, PREAMBLE};
      else take_q.data <= s_axis_tdata & {{8{s_axis_tkeep[1]}}, {8{s_axis_tkeep[0]}}};
      if (in_pad) take_q.data <= '0;
      // In IDLE as if a start on offer is taken: that is looked at only if it is.
      if (in_idle) begin
        words_q <= WORDS_BITS'(offer0);
        near_q  <= 1'b0;
        full_q  <= 1'b0;
      end else if (in_data || in_pad) begin
        words_q <= words_q + 1'b1;
        near_q  <= near_q | (words_q == WORDS_BITS'(PAD_WORDS - 2));
        full_q  <= near_q;
      end
    end
    if (rst) begin
      words_q      <= '0;
      near_q       <= 1'b0;
      full_q       <= 1'b0;
      take_q.valid <= 1'b0;
      take_q.two   <= 1'b0;
      take_q.one   <= 1'b0;
      take_q.last  <= 1'b0;
    end
  end

  // --- Slot t+1: terminate block.  A byte is put under the word: the block's type, or what was left over from the word
  // before, until the data after a type have ended.  Positions are those of take_q; slot_next is two words further.
  logic pos0, leftover_q, behind_type_q, prefixed;
  logic [2:0] terminate_bytes, tail_bytes_q;
  logic [7:0] leftover_byte_q, prefix;
  logic [15:0] data;
  assign data      = take_q.data & {16{take_q.valid}};
  // The word that is being taken is the frame's last and has one byte; it lies in the second word of the block.
  assign next_one  = pos0 & in_data & one;
  assign terminate = pos0 & (in_tail | next_one);
  assign prefixed  = (pos0 & (~take_q.valid | take_q.last | next_one)) | leftover_q;
  always_comb begin
    if (!take_q.valid) terminate_bytes = tail_bytes_q;
    else if (!take_q.last) terminate_bytes = 3'd7;
    else terminate_bytes = take_q.one ? 3'd5 : 3'd6;
    if (!pos0) prefix = leftover_byte_q;
    else prefix = take_q.valid || in_tail ? TYPE_TERMINATE[terminate_bytes] : send_rf ? TYPE_ORDERED04 : TYPE_IDLE;
  end

  // A word of the payload: some bytes, and what the FCS adds.
  typedef struct packed {
    logic        fcs_high;  // the next byte of the FCS is the second byte
    logic        fcs_both;  // the next two bytes of the FCS
    logic [15:0] data;
  } word_t;
  word_t word_q;
  always_ff @(posedge clk) begin
    pos0 <= pos_next == 2'd1;  // so that pos_next is 2
    if (step) begin
      word_q.data     <= (prefixed ? {data[7:0], prefix} : data) | {6'h0, send_rf & pos_next[0], 9'h0};
      word_q.fcs_high <= take_q.valid ? take_q.one & ~pos0 & ~leftover_q : (pos0 & in_tail) | leftover_q;
      word_q.fcs_both <= ~take_q.valid & ~pos0 & ~leftover_q & (behind_type_q | in_tail);
      leftover_q      <= pos0 & take_q.valid & ~take_q.one & (take_q.last | next_one);
      leftover_byte_q <= take_q.data[15:8];
      if (pos0) begin
        control_next  <= prefixed;
        behind_type_q <= terminate;
      end
      if (take_q.last) begin
        case (pos_next)
          2'd0: tail_bytes_q <= take_q.one ? 3'd1 : 3'd2;
          2'd1: tail_bytes_q <= take_q.one ? 3'd3 : 3'd4;
          default: tail_bytes_q <= 3'd0;
        endcase
      end
    end
    if (rst) begin
      word_q        <= '{fcs_high: 1'b0, fcs_both: 1'b0, data: {8'h00, TYPE_IDLE}};
      control_next  <= 1'b1;
      behind_type_q <= 1'b0;
      leftover_q    <= 1'b0;
    end
  end

  // --- Slot t+2: FCS
  logic [15:0] fcs;
  if (OWN_FCS) begin : gen_own_fcs
    // Loaded with a word of the user's, two slots before the FCS can begin, and shifted as macpcs_tx_fcs_shift does it.
    // Not with an underrun: then it is that of the word before, the last four bytes that came.
    logic [31:0] own_q;
    logic [15:0] fill;
    assign fill = {16{~poison_q}};
    assign fcs  = own_q[15:0] ^ fill;
    always_ff @(posedge clk) begin
      if (step) begin
        if (take && s_axis_tvalid) own_q <= ~s_axis_fcs;
        else if (word_q.fcs_high) own_q <= {fill[7:0], own_q[31:8]};
        else if (word_q.fcs_both) own_q <= {fill, own_q[31:16]};
      end
    end
  end else begin : gen_fcs
    macpcs_tx_fcs_shift u_fcs (
        .clk,
        .step,
        .init(offer_q),  // nothing is under way then
        .feed_two(take_q.two),
        .feed_one(take_q.one),
        .data(take_q.data),
        .shift_one(word_q.fcs_high),
        .shift_two(word_q.fcs_both),
        .invert(~poison_q),
        .fcs
    );
    logic unused;
    assign unused = &s_axis_fcs;
  end
  // The last word of a start block: macpcs_tx_line changes the first three, which it has already, when the start is taken.
  logic start_q, start0_q;
  always_ff @(posedge clk) {start_q, start0_q} <= {start & ~rst, start0 & ~rst};
  assign payload_next = word_q.data ^ (fcs & {16{word_q.fcs_both}}) ^ {fcs[7:0] & {8{word_q.fcs_high}}, 8'h00}
                        ^ ({2{PREAMBLE}} & {16{start_q}}) ^ ({SFD ^ PREAMBLE, 8'h00} & {16{start0_q}});

  // --- Handshake.  After an underrun the rest of the frame is taken and thrown away.
  logic swallow_q, swallow_next, asks, terminate_q, step_q;
  logic [2:0] terminate_bytes_q;
  assign asks         = step ? data_next : in_data;
  assign swallow_next = (underrun & step) | (swallow_q & ~(s_axis_tvalid & s_axis_tlast));
  always_ff @(posedge clk) begin
    s_axis_tready     <= offer0_next | (asks & step_next) | swallow_next;
    swallow_q         <= swallow_next;
    terminate_q       <= step & terminate;
    // take_q stands still while there is no step.  The four bytes of the FCS are counted when the terminate block begins.
    step_q            <= step;
    stat_tx_bytes     <= step_q ? {terminate_q, take_q.two, take_q.one} : 3'd0;
    stat_tx_frame     <= terminate_q;
    stat_tx_error     <= terminate_q & poison_q;
    stat_tx_underrun  <= step & underrun;
    terminate_bytes_q <= terminate_bytes;
    if (rst) begin
      s_axis_tready    <= 1'b0;
      swallow_q        <= 1'b0;
      terminate_q      <= 1'b0;
      stat_tx_frame    <= 1'b0;
      stat_tx_error    <= 1'b0;
      stat_tx_underrun <= 1'b0;
    end
  end

  macpcs_tx_gap #(
      .WIDTH(16),
      .IFG_COUNT(IFG_COUNT)
  ) u_gap (
      .clk,
      .rst,
      .slot,
      .block_next,
      .step,
      .idle(in_idle && !swallow_q && !stop && !terminate_q),
      .terminate(terminate_q),  // a slot late, and early enough
      .terminate_bytes(terminate_bytes_q),
      .start,
      .offer0_next,
      .offer4_next,
      .offer0,
      .offer4
  );
endmodule
