// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Frames to the MAC: who sends, word by word, and how it ends.
//
// Latency: none.  In IDLE the first word of the user's frame is on m_axis in the cycle of tx_sof_net; word n of the
// header is there n slots later, as the MAC takes it (a slot is a cycle with m_axis_tready).
//
//   cycle (earliest)   0     1    2    3    4    5   ...  11   12   13        14
//   tx_sof_net         1     1    1    1    1    1        1    1    (word 1)
//   on m_axis          DMAC  w1   w2   w3   w4   w5       w11  w12  0,P0-1    P2-5
//   loaded in word_q   w1    w2   w3   w4   w5   w6       w12  P    P         ..
//   tx_ack_net                                                 1    1         1
//   looked at          -     -    -    -    len  -        csum conn, len and csum again
//
// conn_id is looked at in cycle -1: it addresses the table whose output is the first word.  A frame with a VLAN
// tag has one word more in front of w3.
//
// With AMEND the MAC XORs into a word what comes on m_axis_tamend with the next one, so that words can be given before they
// are known:
//
//   cycle (earliest)   0     1    2    3    4    5    6    7        12   13
//   on m_axis          0     0    w2   w3   w4   w5   w6   w7       w12  0,P0-1
//   m_axis_tamend      0     w0   w1   0    0    len  0    IP sum   0    TCP sum
//   loaded in word_q   0     w2   w3   w4   w5   w6   w7   w8       P    P
//   tx_ack_net                                                      1    1
//   looked at          conn                      len                csum conn and len again
//
// The TCP checksum of a frame with a tag is too near to the end of the shortest frame for that: its word is loaded with it,
// in cycle 12 at the earliest, and the sum is worked out once more in the next cycle.
//
// With PREFETCH (a transceiver of 16 bits) the first three words stand in ate_early beforehand, are replaced there in every
// cycle in which no frame is under way (`between`), and are no words of m_axis.  w3, or the VLAN tag, waits in word_q.  So a
// frame begins in WORDS with w3, in cycle e, and the last stage of ate_early puts the total length into w4:
//
//   cycle (earliest)   e    e+1  e+2  e+3  ...  e+8   e+9
//   on m_axis          w3   w4   w5   w6        w11   w12
//   loaded in word_q   w4   w5   w6   w7        w12   P
//   tx_ack_net                                        1
//   looked at          sof       len            csum  conn, len and csum again
//
// `armed` promises that ate_early may begin the user's frame, from the middle of this cycle to that of the next: if `early`
// comes in the next one, the engine follows.  Nothing but the user's frame leaves IDLE in these two.
//
//   IDLE    nothing under way; the table is read with the user's conn_id in every cycle
//   HOST    software is to send: its connection is read
//   OFFER   the first word is on offer, and the MAC may have begun the frame: it cannot be taken back
//   WORDS   an accelerated frame goes on from word_q
//   RAW     a raw frame goes through as it is
//   SETTLE  SEQ is written, the table read again; shorter than the MAC's gap between frames
//
// A fault that is found after the start cannot call the frame back: it leaves with a wrong FCS, does not count in SEQ,
// and the mirror says so.  What the user still shows of a frame that was refused or cut is acknowledged and dropped
// (drop_q) while other frames can leave.
module ate_engine
  import ate_pkg::*;
#(
    parameter int MAX_PAYLOAD = 1460,
    parameter int MAX_RAW_WORDS = 2405,
    parameter bit PREFETCH = 1'b0,
    parameter bit HOLD = 1'b0,  // the user's frames come from ate_hold: what was known at the start is all that counts
    parameter bit AMEND = 1'b0  // not with PREFETCH
) (
    input logic clk,
    input logic rst,

    input logic strict,  // the window is obeyed

    // The user's frame may begin before user.sof
    input  logic    early,  // with PREFETCH: ate_early is busy with a frame
    output logic    armed,
    input  source_t user,
    output logic    user_ack,
    output logic    user_drop, // with user_ack: no frame has the word
    output logic    window_available,
    output logic    window_fresh,

    input  source_t host,
    output logic    host_ack,
    output logic    host_refuse, // its frame will not be sent: throw it away

    output logic         table_read,
    output logic  [15:0] table_id,
    input  logic  [15:0] conn_id,      // that was read last
    input  conn_t        conn,
    input  logic         usable,       // with PREFETCH a cycle after conn
    input  logic         fits,         // of the connection and the length of a cycle before
    output logic  [15:0] fits_length,
    output logic         seq_wr,       // of conn_id
    output logic  [31:0] seq_data,

    input  logic mirror_room,
    output logic mirror_valid,
    output logic mirror_bad,

    output logic    event_valid,
    output result_e event_result,
    output logic    aborted,  // with event_valid: the frame left with a wrong FCS

    // To ate_early
    output logic        between,      // the first three words of the next frame may be taken
    output logic        drain,        // throw them away: a frame without them follows
    output logic        begin_frame,  // the first words of a frame are there from the next cycle on
    output logic        is_length,    // the word's low half is to be the total length when it leaves
    output logic [15:0] total,        // that, as a number
    output logic [15:0] total_sent,   // and when it has left

    output logic [31:0] m_axis_tdata,
    output logic [ 3:0] m_axis_tkeep,
    output logic        m_axis_tvalid,
    input  logic        m_axis_tready,
    output logic        m_axis_tlast,
    output logic        m_axis_tuser,
    output logic [31:0] m_axis_tamend   // with AMEND: XORed into the word before
);
  localparam bit LATE = PREFETCH | AMEND;  // the length comes while word 5 is on m_axis, and is not in word 4
  typedef enum logic [2:0] {
    IDLE,
    HOST,
    OFFER,
    WORDS,
    RAW,
    SETTLE
  } state_e;
  localparam logic [3:0] PAYLOAD = 4'd13;  // index of the first word with payload, and of all after it
  localparam logic [3:0] VLAN = 4'd15;
  localparam logic [1:0] HOST_READ = PREFETCH ? 2'd2 : 2'd1;  // cycles of HOST until the table has answered

  state_e state_q, state_rest, state_next;
  logic [1:0] wait_q;
  logic host_q, raw_q;
  logic drop_q, drop_first_q;
  source_t source;  // whether it is raw is kept from its start
  assign source      = host_q ? host : user;
  assign table_id    = source.conn;
  assign fits_length = source.length;

  // --- Start
  logic offer, start, start_raw, refuse, first, raw, accept;
  // What the state means for m_axis, in registers: these paths go on through the MAC to the transceiver.
  // IDLE; OFFER, WORDS or RAW; IDLE or OFFER, with PREFETCH any but WORDS and RAW; a raw frame under way
  logic idle_q, busy_q, first_q, raw_now_q;
  assign first  = first_q;
  assign accept = m_axis_tvalid & m_axis_tready;

  // Software's payload waits for room in the mirror, and leaves whatever the window: bytes that were dropped here would be
  // missing in the stream.
  logic host_wants, host_start, stray, raw_first_q;
  assign host_wants = host.sof & (host.raw | mirror_room);
  logic same, same_q;  // the user shows the connection that was read last
  assign same = user.conn == conn_id;
  always_ff @(posedge clk) same_q <= same;
  // With PREFETCH, the user's frame has begun; it comes from the fast clock, so each register has it in its last LUT.
  logic begun;
  result_e refusal;
  if (PREFETCH) begin : gen_prefetch
    // In the cycle of `fresh` the connection is that of the cycle before: what the table gives belongs to it, and so does in
    // the next one, of fresh_q, what was made of that.  It must not change any more when the user may begin.
    logic same_qq, fresh, fresh_q, good, quiet_q, window, armed_q, deny_q, words_first_q;
    assign fresh      = (state_rest == IDLE) & same & quiet_q & ~drop_q & ~user.raw & (~host_wants | user.sof);
    assign good       = usable & mirror_room & (fits | ~strict);
    assign armed      = fresh_q & good;
    assign window     = fresh_q | armed_q;
    assign begun      = early & armed_q;
    assign offer      = idle_q & user.sof & ~drop_q;
    assign start_raw  = offer & user.raw & quiet_q & ~window;
    assign start      = (offer & ~user.raw & armed) | start_raw;
    // deny_q is of a cycle before, and of a connection that was still shown then: what is good by now is armed instead.
    assign refuse     = offer & ~user.raw & deny_q & ~good & ~armed_q;
    assign host_start = idle_q & ~offer & host_wants & quiet_q & ~window;
    assign raw        = raw_now_q;
    always_ff @(posedge clk) begin
      same_qq       <= same_q;
      quiet_q       <= first & ~early & ~rst;
      fresh_q       <= fresh & ~refuse & ~rst;
      armed_q       <= armed & ~rst;
      deny_q        <= fresh_q & same & ~good & ~rst;
      words_first_q <= first & (state_next == WORDS);
      raw_first_q   <= first & (state_rest == RAW);
      if (rst) begin
        words_first_q <= 1'b0;
        raw_first_q   <= 1'b0;
      end
    end
    // tx_start without tx_sof_net, or the connection has changed
    assign stray       = words_first_q & ~host_q & (~user.sof | user.raw | ~same_q | ~same_qq);
    assign between     = first;
    assign drain       = first & (state_rest == RAW);
    assign begin_frame = raw_first_q | (first & (state_rest == WORDS) & ~early);
    assign refusal     = !usable ? NO_CONN : !mirror_room || !strict ? NO_ROOM : NO_WINDOW;
  end else begin : gen_direct
    // `usable` is of the connection of the cycle before; `fits` of the one before that, and of the length of the cycle before.
    // So a window that is closed is known if the connection has not just changed; otherwise it is found out when the
    // frame has begun, as is with AMEND a connection that is not usable.  Nothing here compares what the user shows
    // now: that would be the longest path of all, on through the MAC.
    logic room_q, may, closed;
    always_ff @(posedge clk) room_q <= mirror_room;
    assign may                           = usable | (AMEND & ~strict);
    assign closed                        = strict & ~fits & same_q;
    assign offer                         = idle_q & (user.sof | early) & ~drop_q;
    assign start                         = offer & (user.raw | (room_q & may & ~closed));
    assign start_raw                     = user.raw;
    assign refuse                        = offer & ~start;
    assign refusal                       = !may ? NO_CONN : !room_q ? NO_ROOM : NO_WINDOW;
    assign host_start                    = (state_q == IDLE) & ~offer & host_wants;
    assign raw                           = idle_q ? user.raw : raw_now_q;
    assign armed                         = idle_q & room_q & may & ~closed & ~drop_q;
    assign begun                         = 1'b0;
    assign stray                         = 1'b0;
    assign raw_first_q                   = 1'b0;
    assign {between, drain, begin_frame} = 3'd0;
  end
  assign host_refuse = (state_q == HOST) & (wait_q == HOST_READ) & ~usable;

  // --- Header words
  logic load, load_more;  // a word goes into word_q; and a frame is under way already
  logic [3:0] index, index_q;
  logic [31:0] header, word_q;
  logic [3:0] keep_q;
  logic last_q, user_q, late_q;
  logic [15:0] len_q, total_q, tcp, ip;
  logic [31:0] amend_q;
  logic second_q;  // with AMEND: word 1 of an accelerated frame is on m_axis
  logic [7:0] flags;
  logic [31:0] csum_q;
  logic [3:0] header_index;
  logic header_first;  // with PREFETCH: word_q is replaced in every cycle before the frame
  assign header_first = PREFETCH & first;
  // What is shown next must not wait for who refuses a frame: so apart from the first word, and from registers.
  assign load_more = m_axis_tready & busy_q & ~first_q & ~raw_now_q & ~last_q;
  // With AMEND nothing is loaded with word 0: who refuses a frame is looked at for the MAC and the next state only.
  assign load = load_more | (~LATE & accept & first & ~raw);
  assign index = first & ~LATE ? 4'd1 : index_q;
  assign header_index = !header_first ? index : conn.vlan_on ? VLAN : 4'd3;
  assign total = source.length + 16'd40;
  assign flags = len_q == 0 ? 8'h10 : 8'h18;

  ate_header u_header (
      .index(header_index),
      .conn,
      .flags,
      .ip   (ip & {16{~AMEND}}),
      .tcp  (tcp & {16{~AMEND | conn.vlan_on}}),
      .word (header)
  );
  ate_csum #(
      .FIRST(PREFETCH ? 4'd4 : AMEND ? 4'd2 : 4'd1)
  ) u_csum (
      .clk,
      .step    (load),
      .index,
      .tcp_part(conn.tcp_part),
      .ip_part (conn.ip_part),
      .seq     (conn.seq),
      .ack     (conn.ack),
      .window  (conn.window),
      .length  (len_q),
      .total   (total_q),
      .flags,
      .csum    (source.csum),
      .tcp,
      .ip
  );

  // --- Payload words: two bytes of each wait for the next one
  logic take, tail, restart, zero, too_long_q, expect_end, wrong, end_now, ends_here;
  logic begun_q, tail_q, cut_q;
  logic [15:0] hold_q;
  logic [13:0] left_q;  // words of the payload, or of a raw frame, that may come
  logic left_one_q;  // it is 1
  // One carry chain for both: what a payload has, rounded up, or one less
  logic left_load;
  logic [13:0] left_next;
  logic left_carry;
  assign left_load = ~raw_now_q & (index_q == 4'd7);
  assign {left_next, left_carry} = {{14{~left_load}}, 1'b1}
                                   + {left_load ? len_q[15:2] : left_q, left_load & (len_q[1:0] != 0)};
  assign tail = load_more & (index_q == PAYLOAD) & tail_q;
  assign take = load_more & (index_q == PAYLOAD) & ~tail_q;
  assign restart = begun_q & source.sof;  // a new frame before the end of this one: its word is not taken
  assign zero = len_q == 0;
  assign expect_end = zero | left_one_q;
  assign wrong = restart | too_long_q | cut_q | (source.eof != expect_end)
                 | (source.eof & ~zero & (source.len != len_q[1:0]));
  assign end_now = restart | too_long_q | cut_q | source.eof | expect_end;
  assign ends_here = end_now & (wrong | zero | (source.len inside {2'd1, 2'd2}));

  // --- Raw words
  logic raw_restart, raw_over, raw_last;
  assign raw_restart = (state_q == RAW) & source.sof & ~raw_first_q;
  assign raw_over    = (state_q == RAW) & left_one_q & ~source.eof;
  assign raw_last    = source.eof | raw_restart | raw_over;
  logic raw_accept;  // nothing but `offer` begins a raw frame
  assign raw_accept = PREFETCH ? raw & accept : raw & m_axis_tready & (busy_q | offer);

  // --- The user's mistakes with metadata: seen in the cycle after that of the first tx_ack_net
  logic check_q, changed, changed_q, moved, bad_now, poison_q;
  logic fixed_q, length_moved;  // the length has been used, and the user has not provided it yet
  // Software's connection does not change.
  assign changed       = changed_q | (~same_q & ~host_q);
  assign bad_now       = check_q & (changed | moved | (AMEND & ~HOLD & ~usable) | (strict & ~HOLD & ~host_q & ~fits));
  assign moved         = AMEND & conn.vlan_on & (amend_q[31:16] != 0);
  assign length_moved  = PREFETCH & fixed_q & (source.length != len_q);

  // --- To the MAC
  assign m_axis_tvalid = (start & ~PREFETCH) | busy_q;
  if (LATE) begin : gen_late
    assign m_axis_tdata = raw ? source.data : {word_q[31:16], PREFETCH & late_q ? ip : word_q[15:0]};
  end else begin : gen_in_time
    // From the table to the MAC's CRC is a long path: one LUT a bit.  late_q is low in `first`.
    mux4 #(
        .WIDTH(32),
        .NAMED(1'b1)
    ) u_data (
        .d0 (word_q),
        .d1 ({word_q[31:16], swap16(total)}),
        .d2 (conn.mac[0]),
        .d3 (source.data),
        .sel({raw | first, raw | late_q}),
        .y  (m_axis_tdata)
    );
  end
  // With AMEND words 0 and 1 are zero.  What a word lacks comes with the one after it.
  always_comb begin
    m_axis_tamend = amend_q ^ (conn.mac[0] & {32{second_q}});
    m_axis_tamend[15:0] = m_axis_tamend[15:0] ^ (swap16(total) & {16{is_length}});
    if (!AMEND) m_axis_tamend = '0;
  end
  assign m_axis_tlast = raw ? raw_last : last_q;
  assign m_axis_tuser = raw ? raw_restart | raw_over : user_q | bad_now | poison_q;
  always_comb begin
    m_axis_tkeep = keep_q;
    if (raw && source.eof) m_axis_tkeep = {source.len == 0, source.len == 0 || source.len == 3, source.len != 1, 1'b1};
  end
  assign mirror_valid = accept & ~raw;
  assign mirror_bad   = m_axis_tuser;

  // --- States
  logic done;
  assign done = PREFETCH ? accept & m_axis_tlast : raw ? raw_accept & raw_last : m_axis_tready & busy_q & last_q;
  always_comb begin
    state_rest = state_q;
    case (state_q)
      IDLE:
      if (start && PREFETCH) state_rest = start_raw ? RAW : WORDS;
      else if (start) state_rest = !accept ? OFFER : !raw ? WORDS : done ? SETTLE : RAW;
      else if (host_start) state_rest = !host.raw ? HOST : PREFETCH ? RAW : OFFER;
      HOST: if (wait_q == HOST_READ) state_rest = !usable ? SETTLE : PREFETCH ? WORDS : OFFER;
      OFFER: if (accept) state_rest = !raw ? WORDS : done ? SETTLE : RAW;
      WORDS, RAW: if (done) state_rest = SETTLE;
      default: if (wait_q == 3) state_rest = IDLE;
    endcase
  end
  assign state_next = begun ? WORDS : state_rest;
  // The table is held while a frame is built from it, and left alone while SEQ is written.
  assign table_read = (state_q == HOST) | (state_q == IDLE & (LATE | ~start)) | (state_q == SETTLE & wait_q != 0);

  logic absent;  // a frame that was begun by tx_start alone
  assign absent = cut_q & ~source.sof;
  logic user_cut;  // the user's frame has ended without its last word
  assign user_cut = ~host_q & ((take & end_now & ~restart & ~absent & ~source.eof)
                               | (raw_accept & raw_over & ~raw_restart));
  logic drop_ack, drop_end;
  assign drop_ack = drop_q & (drop_first_q | ~user.sof);
  assign drop_end = drop_q & (drop_ack ? user.eof : 1'b1);

  logic taken;
  assign taken    = (take & ~restart & ~absent) | (raw_accept & ~raw_restart);
  assign user_ack = drop_ack | (taken & ~host_q);
  assign user_drop = drop_q;
  assign host_ack = taken & host_q;

  // How it ended, worked out beside the last word
  result_e fault_q, fault_now;
  logic gone_q;  // with event_valid: the frame has left
  assign aborted   = event_valid & gone_q & (event_result inside {BAD_LATE, BAD_LENGTH, BAD_WINDOW, BAD_RAW, NO_CONN});
  assign fault_now = changed | moved ? BAD_LATE : AMEND & ~usable ? NO_CONN : BAD_WINDOW;

  always_ff @(posedge clk) begin
    state_q <= state_next;
    wait_q  <= state_q != state_rest ? 2'd0 : wait_q + 1'b1;
    idle_q <= state_next == IDLE;
    first_q   <= PREFETCH ? !(state_next inside {WORDS, RAW}) : state_next inside {IDLE, OFFER};
    busy_q    <= state_next inside {OFFER, WORDS, RAW};
    raw_now_q <= (state_next == RAW) | (state_next == OFFER & (idle_q ? (start ? start_raw : host.raw) : raw_q));
    if (state_q == IDLE) begin
      host_q <= host_start;
      raw_q  <= start ? start_raw : host.raw;
    end else if (state_rest == SETTLE) begin
      host_q <= 1'b0;
    end

    if (LATE ? load & (index == 4'd6) : late_q) begin
      len_q   <= source.length;
      total_q <= total;
    end
    too_long_q <= len_q > 16'(MAX_PAYLOAD);
    seq_data   <= swap32(swap32(conn.seq) + 32'(len_q));

    if (load) begin
      if (index == VLAN) index_q <= 4'd3;
      else if (index == 4'd2 && conn.vlan_on) index_q <= VLAN;
      else if (index != PAYLOAD) index_q <= index + 1'b1;
      late_q <= index == (LATE ? 4'd6 : 4'd4);
      is_length <= index == (AMEND ? 4'd5 : 4'd4);
      amend_q <= second_q ? conn.mac[1] : {(tcp ^ word_q[31:16]) & {16{take & ~begun_q}}, ip & {16{index == 4'd7}}};
      word_q <= tail ? {16'h0, hold_q} : take ? {source.data[15:0], hold_q} : header;
      keep_q  <= tail ? {2'b00, len_q[1:0] == 0, 1'b1} : take & ends_here & ~wrong
                 ? {~zero & (source.len == 2), ~zero, 2'b11} : 4'hf;
      last_q <= tail | (take & ends_here);
      user_q <= user_q | (take & wrong);
      if (take) begin
        hold_q  <= source.data[31:16];
        begun_q <= 1'b1;
        tail_q  <= end_now & ~ends_here;
      end
      if (index == 4'd12) csum_q <= source.csum;
    end
    second_q <= (accept & first & ~raw) | (second_q & ~accept);
    if (header_first) word_q <= header;
    if (!busy_q) begin  // for the next frame
      if (PREFETCH) index_q <= conn.vlan_on ? 4'd3 : 4'd4;
      keep_q <= 4'hf;
      hold_q <= '0;
      {late_q, is_length, last_q, user_q, begun_q, tail_q} <= '0;
      if (AMEND) {word_q, amend_q} <= '0;
      if (AMEND) index_q <= 4'd2;
    end
    if (first) begin
      left_q     <= 14'(PREFETCH ? MAX_RAW_WORDS : MAX_RAW_WORDS - 1);
      left_one_q <= 1'b0;
    end else if (taken || (load_more && index_q == 4'd7)) begin
      left_q     <= left_next;
      left_one_q <= left_load ? len_q inside {[16'd1 : 16'd4]} : left_q == 2;
    end

    check_q   <= take & ~begun_q;
    // With AMEND the checksum is taken in this very cycle.
    changed_q <= (source.length != len_q) | (~AMEND & (source.csum != csum_q));
    fixed_q   <= ~first & ~take & (fixed_q | (load & index == 4'd6));
    cut_q     <= PREFETCH & ~first & (cut_q | stray);
    poison_q  <= busy_q & (poison_q | bad_now | stray | length_moved);
    if (first) fault_q <= SENT_USER;
    else if (stray || length_moved) fault_q <= BAD_LATE;
    else if (bad_now) fault_q <= fault_now;

    seq_wr      <= done & ~raw & ~m_axis_tuser;
    event_valid <= done | refuse | host_refuse;
    gone_q      <= done;
    if (refuse || host_refuse) event_result <= host_refuse ? NO_CONN : refusal;
    else if (raw) event_result <= m_axis_tuser ? BAD_RAW : SENT_RAW;
    else if (cut_q) event_result <= BAD_LATE;
    else if (user_q) event_result <= BAD_LENGTH;
    else if (bad_now) event_result <= fault_now;
    else if (poison_q) event_result <= fault_q;
    else event_result <= host_q ? SENT_HOST : SENT_USER;

    if (refuse || user_cut) drop_q <= 1'b1;
    else if (drop_end) drop_q <= 1'b0;
    drop_first_q <= refuse;  // which is acknowledged in the next cycle

    if (rst) begin
      state_q      <= SETTLE;
      idle_q       <= 1'b0;
      first_q      <= 1'b0;
      busy_q       <= 1'b0;
      wait_q       <= 2'd0;
      host_q       <= 1'b0;
      check_q      <= 1'b0;
      drop_q       <= 1'b0;
      drop_first_q <= 1'b0;
      second_q     <= 1'b0;
      seq_wr       <= 1'b0;
      event_valid  <= 1'b0;
    end
  end
  assign total_sent = total_q;

  // --- What the user sees of the window: of the connection of two cycles ago
  logic read_q;
  always_ff @(posedge clk) begin
    read_q       <= table_read & ~host_q & ~rst;
    window_fresh <= read_q & (PREFETCH ? first : ~(AMEND & busy_q)) & ~rst;
  end
  assign window_available = window_fresh & usable & fits & mirror_room;
endmodule
