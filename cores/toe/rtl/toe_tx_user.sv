// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// The user's packets: into the retransmit memory, their sum, and what becomes of them.
//
//   IDLE     a packet may begin
//   DATA     under way, a beat a cycle
//   HOLD     a beat waits: the session is not open (the packet is dropped, or waits for it, see there), has no room for it, or
//            the segment is full
//   RETRY    the beat that has waited
//   SWALLOW  the rest of a packet that is not wanted
//   END      the last beat is on its way into the memory; sums, mistakes, sequence number
//
// Latency: `go` is combinational from the beat: the frame may begin in the next cycle, with the packet still coming.
// That is with the first beat when length and sum are given; when the length is given and no more than 12 beats are
// left, this one counted: header word 12 is loaded in the cycle after the last beat; and with the last beat when
// nothing is given.  A packet that was not begun like that goes to the queue when it is whole, as does one whose frame
// was aborted.
//
// A packet that is longer than the peer's MSS goes as several segments, each but the last of as many whole beats as
// the MSS has room for: each passes END, and the beat that waits in HOLD is the next one's first.  A segment that has
// waited OVERRIDE ticks for room is cut, too: what has room is sent (RFC 9293, 3.8.6.2.1 (4): after 0.1 to 1 s).  The
// length and sum that were given are those of one segment: a longer one is dropped; one that has waited so long goes on
// without the sum.
module toe_tx_user
  import toe_pkg::*;
  import toe_tx_pkg::*;
  import ones_pkg::*;
#(
    parameter int SESSIONS = 64,
    parameter int WIDTH = 64,
    parameter bit TX_DROP_IF_NOT_ESTABLISHED_EN = 1'b1
) (
    input logic clk,
    input logic rst,

    input  logic [  WIDTH-1:0] s_axis_tdata,
    input  logic [WIDTH/8-1:0] s_axis_tkeep,
    input  logic               s_axis_tvalid,
    output logic               s_axis_tready,
    input  logic               s_axis_tlast,
    input  sid_t               s_axis_tdest,
    input  logic               tx_length_given,
    input  logic [       15:0] tx_length,
    input  logic               tx_csum_given,
    input  logic [       15:0] tx_csum,
    input  logic               tick,

    // The tables: combinational
    input  logic [15:0] first_cap,   // of s_axis_tdest
    input  logic        first_some,
    input  logic        first_full,
    output sid_t        look_sid,
    input  logic [31:0] look_nxt,
    input  logic        look_open,
    input  logic [15:0] look_cap,
    input  logic [15:0] look_mss,
    output logic        end_wr,      // the session's sequence number has moved
    output logic [31:0] end_nxt,
    input  logic        end_done,

    // To toe_tx_store
    output logic                     store_valid,
    output logic                     store_first,
    output logic [        WIDTH-1:0] store_data,
    output logic [$clog2(WIDTH/8):0] store_bytes,
    output logic                     store_flush,

    // The packet under way; begun is the answer to go in the same cycle, the others are registers
    output logic        go,
    input  logic        begun,
    output logic        busy,      // from the first beat until end_done
    output sid_t        sid,
    output logic [31:0] seq,
    output logic        given,     // the length is, and it is that of the segment
    output logic        through,   // and the sum
    output logic [15:0] length,    // if it is given
    output logic [15:0] csum,      // if it is given
    output logic [15:0] received,  // bytes so far
    output logic [15:0] stored,    // bytes that can be read
    output logic        complete,  // no beat is missing
    output logic [15:0] sum_a,     // of what has been received, once it is complete: the three together
    output logic [15:0] sum_b,
    output logic [15:0] sum_c,
    input  logic        late,      // its frame was aborted because bytes came too late
    output logic        done,      // a packet whose frame was begun is over
    output logic        bad,       // with done: that frame is not what it should be

    input  logic    queue_empty,
    input  logic    queue_room,
    output logic    queue_wr,
    output packet_t queue_packet,

    output logic   event_valid,
    input  logic   event_ready,
    output event_e event_code,
    output sid_t   event_sid
);
  localparam int BYTES = WIDTH / 8;
  localparam int LB = $clog2(BYTES);
  localparam int AHEAD = 12;  // beats that may be missing when a frame begins: see above
  localparam int OVERRIDE = 256;  // a power of two
  localparam int WAIT = $clog2(OVERRIDE);
  typedef enum logic [2:0] {
    IDLE,
    DATA,
    HOLD,
    RETRY,
    SWALLOW,
    END
  } state_e;
  state_e state_q, state_next;
  logic idle_q, taking_q;  // IDLE; IDLE or DATA

  // --- The beat that is looked at
  logic take, judge;
  logic [LB:0] bytes_in, bytes, bytes_q;
  logic [WIDTH-1:0] masked;
  logic last, last_q, is_given;
  logic [15:0] left, left_q, said;
  assign take  = s_axis_tvalid & s_axis_tready;
  assign judge = (take & taking_q) | (state_q == RETRY);
  always_comb begin
    bytes_in = (LB + 1)'(BYTES);
    masked   = s_axis_tdata;
    if (s_axis_tlast) begin
      bytes_in = '0;
      for (int i = 0; i < BYTES; i++) begin
        if (s_axis_tkeep[i]) bytes_in = (LB + 1)'(i + 1);
        masked[8*i+:8] = s_axis_tdata[8*i+:8] & {8{s_axis_tkeep[i]}};
      end
    end
  end
  assign bytes    = state_q == RETRY ? bytes_q : bytes_in;
  assign last     = state_q == RETRY ? last_q : s_axis_tlast;
  assign is_given = idle_q ? tx_length_given : given;
  // What was said; and else, what is allowed: that comes late, after a table
  assign said     = idle_q ? tx_length : left_q;
  assign left     = idle_q & ~tx_length_given ? first_cap : said;

  // --- Does it fit into what was said, and what was said into what is allowed
  logic fits, fits_said, fits_first, allowed, known, unknown_q;
  assign fits_said  = (said[15:LB] != 0) | (bytes <= {1'b0, said[LB-1:0]});
  assign fits_first = first_full | (bytes_in <= {1'b0, first_cap[LB-1:0]});
  assign fits       = idle_q & ~tx_length_given ? fits_first : fits_said;
  assign known      = 32'(s_axis_tdest) < SESSIONS;
  assign allowed    = ~idle_q | (known & first_some & (~tx_length_given | tx_length <= first_cap));
  assign look_sid   = idle_q ? s_axis_tdest : sid;

  logic soon;
  assign soon = said[15:LB] < (16 - LB)'(AHEAD) || (said[15:LB] == (16 - LB)'(AHEAD) && said[LB-1:0] == 0);
  logic taken_q, cut_soon_q, cut_q, drop_q;
  assign go = take & (s_axis_tkeep[0] | ~s_axis_tlast) & taking_q & allowed & fits & queue_empty & ~taken_q
              & (is_given ? soon | (idle_q ? tx_csum_given : through) : s_axis_tlast);

  // --- What is needed to go on
  logic hold_q;  // HOLD: the second cycle of a look
  logic pending, part_q;  // part_q: a segment of the packet has gone
  logic open_q, refuse, has_room, too_long, cut, split, again, more_q, said_q, empty;
  logic [15:0] need_q, cap_q, mss_q;
  logic [WAIT:0] waited_q;
  assign empty = received == 0;
  assign too_long = need_q > mss_q;
  assign has_room = need_q <= cap_q;
  // Its first beat waits for the connection; not what is left of a packet whose session has closed
  assign pending = ~TX_DROP_IF_NOT_ESTABLISHED_EN & (state_q == HOLD) & ~unknown_q & ~open_q & empty & ~part_q;
  assign refuse = unknown_q | (~pending & (~open_q | (too_long & through)));
  assign cut = (state_q == HOLD) & hold_q & ~refuse & ~pending & (too_long | (waited_q[WAIT] & ~has_room));
  assign split = cut & ~given & ~empty & queue_room;  // what has come is a segment
  assign again = (state_q == END) & (state_next == HOLD);

  // --- The end
  logic [1:0] end_q;
  logic bad_q, late_q, reported_q, end_done_q, event_due;
  logic [15:0] given_sum, own_sum, acc_q;
  assign complete     = state_q == END;
  assign given_sum    = csum == 16'hffff ? 16'h0 : csum;  // both are zero
  assign own_sum      = acc_q == 16'hffff ? 16'h0 : acc_q;
  assign done         = (state_q == END) & (end_q == 2) & taken_q & ~reported_q;
  assign bad          = bad_q | late_q;
  assign queue_wr     = (state_q == END) & (end_q == 2) & ~reported_q & ~drop_q & ~empty & (~taken_q | bad);
  assign queue_packet = '{sid: sid, seq: seq, length: received, csum: acc_q, sum: cut_q};
  assign event_due    = drop_q | cut_q | (taken_q & bad) | empty;
  assign end_wr       = (state_q == END) & reported_q & ~drop_q & ~end_done_q;

  logic over;  // the next packet may come, or the next segment
  assign over = state_q == END & reported_q & (drop_q | end_done_q) & ~event_valid;
  always_comb begin
    state_next = state_q;
    case (state_q)
      IDLE, DATA, RETRY:
      if (judge) begin
        if (!allowed || (!fits && !is_given)) state_next = HOLD;
        else state_next = last ? END : fits ? DATA : SWALLOW;
      end
      HOLD:
      if (hold_q) begin
        if (refuse) state_next = last_q ? END : SWALLOW;
        else if (split) state_next = END;
        else if (has_room && (!empty || queue_room)) state_next = RETRY;
      end
      SWALLOW: if (take && s_axis_tlast) state_next = END;
      default: if (over) state_next = more_q ? HOLD : IDLE;
    endcase
  end

  logic process_q;  // a beat is to be stored and summed
  always_ff @(posedge clk) begin
    state_q       <= state_next;
    idle_q        <= state_next == IDLE;
    taking_q      <= state_next == IDLE || state_next == DATA;
    s_axis_tready <= state_next == DATA || state_next == SWALLOW || (state_next == IDLE && queue_room);

    // The beat
    process_q     <= judge & (state_next == DATA || state_next == END || state_next == SWALLOW);
    if (take && taking_q) begin
      store_data <= s_axis_tdata;
      bytes_q    <= bytes_in;
      last_q     <= s_axis_tlast;
    end
    if (judge) store_bytes <= fits ? bytes : {1'b0, left[LB-1:0]};
    if (judge) left_q <= {left[15:LB] - 1'b1, left[LB-1:0]};
    if (take && idle_q) begin
      sid         <= s_axis_tdest;
      unknown_q   <= ~known;
      seq         <= look_nxt;
      given       <= tx_length_given;
      said_q      <= tx_length_given;
      through     <= tx_length_given & tx_csum_given;
      length      <= tx_length;
      csum        <= tx_csum;
      store_first <= 1'b1;
      received    <= '0;
      stored      <= '0;
      acc_q       <= '0;
      cut_q       <= 1'b0;
      drop_q      <= 1'b0;
    end
    cut_soon_q <= judge && is_given && (!fits_said || (last && 16'(bytes) != said));
    if (cut_soon_q && state_q != HOLD) cut_q <= 1'b1;
    if (again) begin
      seq         <= end_nxt;
      given       <= said_q;
      length      <= length - received;
      store_first <= 1'b1;
      received    <= '0;
      stored      <= '0;
      acc_q       <= '0;
    end

    // The beat after it
    if (process_q) begin
      store_first <= 1'b0;
      received    <= received + 16'(store_bytes);
      stored      <= received;
      acc_q       <= ones_add3(acc_q, sum_b, sum_c);
    end

    // The session's next connection has another number
    if (pending) seq <= look_nxt;
    part_q <= ~idle_q & (part_q | again);

    // Waiting for room.  The length is what counts, or without it each beat.
    hold_q <= (state_q == HOLD) & ~hold_q;
    need_q <= given ? length : received + 16'(bytes_q);
    cap_q  <= look_cap;
    open_q <= look_open;
    mss_q  <= look_mss;
    if (cut) {given, through} <= '0;
    more_q <= split | (more_q & (state_next == END));
    if (idle_q || again || pending) waited_q <= '0;
    else if (state_q == HOLD && tick && !waited_q[WAIT]) waited_q <= waited_q + 1'b1;
    if (state_q == HOLD && hold_q) begin
      left_q <= (given ? length : cap_q) - received;
      drop_q <= refuse;
    end

    // The end: the last beat is processed in its first cycle
    end_q <= state_q != END ? 2'd0 : end_q == 2 ? 2'd2 : end_q + 1'b1;
    if (state_q == END && end_q == 1) begin
      if (said_q && !given && !more_q && received != length) cut_q <= 1'b1;
      bad_q   <= cut_q | (through & own_sum != given_sum);
      end_nxt <= seq + 32'(received);
    end
    reported_q <= (state_q == END) & (state_next == END) & (reported_q | (end_q == 2));
    end_done_q <= (state_q == END) & (end_done_q | end_done);
    if (begun) taken_q <= 1'b1;
    else if (over) taken_q <= 1'b0;
    if (late) late_q <= 1'b1;
    else if (state_q == IDLE) late_q <= 1'b0;

    // Events: one register; the next packet waits until it has been taken
    if (event_ready) event_valid <= 1'b0;
    if (state_q == END && end_q == 2 && !reported_q && event_due) begin
      event_valid <= 1'b1;
      event_sid   <= sid;
      event_code  <= drop_q ? EV_TX_DROPPED : cut_q || empty ? EV_TX_CUT : EV_TX_LATE;
    end

    if (rst) begin
      state_q       <= IDLE;
      idle_q        <= 1'b1;
      taking_q      <= 1'b1;
      s_axis_tready <= 1'b0;
      process_q     <= 1'b0;
      hold_q        <= 1'b0;
      more_q        <= 1'b0;
      taken_q       <= 1'b0;
      late_q        <= 1'b0;
      reported_q    <= 1'b0;
      end_done_q    <= 1'b0;
      event_valid   <= 1'b0;
    end
  end
  assign store_valid = process_q;
  // Of a packet that was dropped there is nothing: what the store holds is another's
  assign store_flush = (state_q == END) & (end_q == 1) & ~empty;
  assign busy        = (state_q != IDLE) & ~pending;

  // --- The sum of the beat
  logic [15:0] beat_a, beat_b;
  toe_tx_sum #(
      .WIDTH(WIDTH)
  ) u_sum (
      .data (masked),
      .sum_a(beat_a),
      .sum_b(beat_b)
  );
  always_ff @(posedge clk) begin
    if (take && taking_q) {sum_c, sum_b} <= {beat_b, beat_a};
    else if (process_q) {sum_c, sum_b} <= '0;
  end
  assign sum_a = acc_q;
endmodule
