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
    parameter int MAX_PAYLOAD   = 1460,
    parameter int MAX_RAW_WORDS = 2405
) (
    input logic clk,
    input logic rst,

    input logic strict,  // the window is obeyed

    input  source_t user,
    output logic    user_ack,
    output logic    window_available,
    output logic    window_fresh,

    input  source_t host,
    output logic    host_ack,
    output logic    host_refuse, // its frame will not be sent: throw it away

    output logic         table_read,
    output logic  [15:0] table_id,
    input  conn_t        conn,
    input  logic         usable,
    input  logic         fits,         // of the connection and the length of a cycle before
    output logic  [15:0] fits_length,
    output logic         seq_wr,
    output logic  [31:0] seq_data,
    output logic  [15:0] seq_id,

    input  logic mirror_room,
    output logic mirror_valid,
    output logic mirror_bad,

    output logic    event_valid,
    output result_e event_result,

    output logic [31:0] m_axis_tdata,
    output logic [ 3:0] m_axis_tkeep,
    output logic        m_axis_tvalid,
    input  logic        m_axis_tready,
    output logic        m_axis_tlast,
    output logic        m_axis_tuser
);
  typedef enum logic [2:0] {
    IDLE,
    HOST,
    OFFER,
    WORDS,
    RAW,
    SETTLE
  } state_e;
  localparam logic [3:0] PAYLOAD = 4'd13;  // index of the first word with payload, and of all behind it
  localparam logic [3:0] VLAN = 4'd15;

  state_e state_q, state_next;
  logic [1:0] wait_q;
  logic host_q, raw_q;
  logic drop_q, drop_first_q;
  // verilator lint_off UNUSEDSIGNAL
  source_t source;  // whether it is raw is kept from its start
  // verilator lint_on UNUSEDSIGNAL
  assign source      = host_q ? host : user;
  assign table_id    = source.conn;
  assign fits_length = source.length;

  // --- Start
  logic gate_q;  // nothing else forbids an accelerated frame
  logic offer, start, refuse, first, raw, accept;
  // What the state means for m_axis, in registers: these paths go on through the MAC to the transceiver.
  logic idle_q, busy_q, first_q, raw_now_q;  // IDLE; OFFER, WORDS or RAW; IDLE or OFFER; a raw frame under way
  assign offer  = idle_q & user.sof & ~drop_q;
  assign start  = offer & (user.raw | (usable & gate_q));
  assign refuse = offer & ~start;
  assign first  = first_q;
  assign raw    = idle_q ? user.raw : raw_now_q;
  assign accept = m_axis_tvalid & m_axis_tready;

  // Software's payload waits for room in the mirror, and leaves whatever the window: bytes that were dropped here would be
  // missing in the stream.
  logic host_start;
  assign host_start  = (state_q == IDLE) & ~offer & host.sof & (host.raw | mirror_room);
  assign host_refuse = (state_q == HOST) & (wait_q == 1) & ~usable;

  // --- Header words
  logic load;  // a word goes into word_q
  logic [3:0] index, index_q;
  logic [31:0] header, word_q;
  logic [3:0] keep_q;
  logic last_q, user_q, late_q;
  logic [15:0] len_q, total, total_q, tcp, ip;
  logic [ 7:0] flags;
  logic [31:0] csum_q;
  logic [15:0] id_q;
  assign load  = accept & ((first & ~raw) | (state_q == WORDS & ~last_q));
  assign index = first ? 4'd1 : index_q;
  assign total = source.length + 16'd40;
  assign flags = len_q == 0 ? 8'h10 : 8'h18;

  ate_header u_header (
      .index,
      .conn,
      .flags,
      .ip,
      .tcp,
      .word(header)
  );
  ate_csum u_csum (
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
  logic begun_q, tail_q;
  logic [15:0] hold_q;
  logic [13:0] left_q;  // words of the payload, or of a raw frame, that may come
  logic left_one_q;  // it is 1
  assign tail = load & (index == PAYLOAD) & tail_q;
  assign take = load & (index == PAYLOAD) & ~tail_q;
  assign restart = begun_q & source.sof;  // a new frame before the end of this one: its word is not taken
  assign zero = len_q == 0;
  assign expect_end = zero | left_one_q;
  assign wrong = restart | too_long_q | (source.eof != expect_end) | (source.eof & ~zero & (source.len != len_q[1:0]));
  assign end_now = restart | too_long_q | source.eof | expect_end;
  assign ends_here = end_now & (wrong | zero | (source.len inside {2'd1, 2'd2}));

  // --- Raw words
  logic raw_restart, raw_over, raw_last;
  assign raw_restart = (state_q == RAW) & source.sof;
  assign raw_over    = (state_q == RAW) & left_one_q & ~source.eof;
  assign raw_last    = source.eof | raw_restart | raw_over;

  // --- The user's mistakes with metadata: seen in the cycle behind that of the first tx_ack_net
  logic check_q, changed_q, bad_now, poison_q;
  assign bad_now = check_q & (changed_q | (strict & ~host_q & ~fits));

  // --- To the MAC
  assign m_axis_tvalid = start | busy_q;
  logic [31:0] word;
  assign word         = {word_q[31:16], late_q ? swap16(total) : word_q[15:0]};
  assign m_axis_tdata = raw ? source.data : first ? conn.mac[0] : word;
  assign m_axis_tlast = raw ? raw_last : ~first & last_q;
  assign m_axis_tuser = raw ? raw_restart | raw_over : ~first & (user_q | bad_now | poison_q);
  always_comb begin
    m_axis_tkeep = 4'hf;
    if (raw && source.eof) m_axis_tkeep = {source.len == 0, source.len == 0 || source.len == 3, source.len != 1, 1'b1};
    else if (!raw && !first) m_axis_tkeep = keep_q;
  end
  assign mirror_valid = accept & ~raw;
  assign mirror_bad   = m_axis_tuser;

  // --- States
  logic done;
  assign done = accept & m_axis_tlast;
  always_comb begin
    state_next = state_q;
    case (state_q)
      IDLE:
      if (start) state_next = !accept ? OFFER : !raw ? WORDS : done ? SETTLE : RAW;
      else if (host_start) state_next = host.raw ? OFFER : HOST;
      HOST: if (wait_q == 1) state_next = usable ? OFFER : SETTLE;
      OFFER: if (accept) state_next = !raw ? WORDS : done ? SETTLE : RAW;
      WORDS, RAW: if (done) state_next = SETTLE;
      default: if (wait_q == 3) state_next = IDLE;
    endcase
  end
  // The table is held while a frame is built from it, and left alone while SEQ is written.
  assign table_read = (state_q == HOST) | (state_q == IDLE & ~start) | (state_q == SETTLE & wait_q != 0);

  logic user_cut;  // the user's frame has ended without its last word
  assign user_cut = ~host_q & ((take & end_now & ~restart & ~source.eof) | (raw & accept & raw_over & ~raw_restart));
  logic drop_ack, drop_end;
  assign drop_ack = drop_q & (drop_first_q | ~user.sof);
  assign drop_end = drop_q & (drop_ack ? user.eof : 1'b1);

  logic taken;
  assign taken    = (take & ~restart) | (raw & accept & ~raw_restart);
  assign user_ack = drop_ack | (taken & ~host_q);
  assign host_ack = taken & host_q;

  // How it ended, worked out beside the last word
  result_e fault_q;

  always_ff @(posedge clk) begin
    state_q <= state_next;
    wait_q  <= state_q != state_next ? 2'd0 : wait_q + 1'b1;
    gate_q <= mirror_room & (fits | ~strict);
    idle_q <= state_next == IDLE;
    first_q   <= state_next inside {IDLE, OFFER};
    busy_q    <= state_next inside {OFFER, WORDS, RAW};
    raw_now_q <= (state_next == RAW) | (state_next == OFFER & (idle_q ? (start ? user.raw : host.raw) : raw_q));
    if (state_q == IDLE) begin
      host_q <= host_start;
      raw_q  <= start ? user.raw : host.raw;
    end else if (state_next == SETTLE) begin
      host_q <= 1'b0;
    end

    if (table_read) id_q <= source.conn;
    if (late_q) begin
      len_q   <= source.length;
      total_q <= total;
    end
    too_long_q <= len_q > 16'(MAX_PAYLOAD);
    seq_data   <= swap32(swap32(conn.seq) + 32'(len_q));

    if (load) begin
      if (index == VLAN) index_q <= 4'd3;
      else if (index == 4'd2 && conn.vlan_on) index_q <= VLAN;
      else if (index != PAYLOAD) index_q <= index + 1'b1;
      late_q <= index == 4'd4;
      word_q <= tail ? {16'h0, hold_q} : take ? {source.data[15:0], begun_q ? hold_q : 16'h0} : header;
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
      if (index == 4'd1) begin
        begun_q <= 1'b0;
        tail_q  <= 1'b0;
        user_q  <= 1'b0;
      end
    end
    if (first) begin
      left_q     <= 14'(MAX_RAW_WORDS - 1);
      left_one_q <= 1'b0;
    end else if (load && index == 4'd7) begin
      left_q     <= 14'((17'(len_q) + 17'd3) >> 2);
      left_one_q <= len_q inside {[16'd1 : 16'd4]};
    end else if (taken) begin
      left_q     <= left_q - 1'b1;
      left_one_q <= left_q == 2;
    end

    check_q   <= take & ~begun_q;
    changed_q <= (source.conn != id_q) | (source.length != len_q) | (source.csum != csum_q);
    poison_q  <= ~first & (poison_q | bad_now);
    if (first) fault_q <= SENT_USER;
    else if (bad_now) fault_q <= changed_q ? BAD_LATE : BAD_WINDOW;

    seq_wr      <= done & ~raw & ~m_axis_tuser;
    event_valid <= done | refuse | host_refuse;
    if (refuse || host_refuse) event_result <= !usable ? NO_CONN : !mirror_room || !strict ? NO_ROOM : NO_WINDOW;
    else if (raw) event_result <= m_axis_tuser ? BAD_RAW : SENT_RAW;
    else if (user_q) event_result <= BAD_LENGTH;
    else if (bad_now) event_result <= changed_q ? BAD_LATE : BAD_WINDOW;
    else if (poison_q) event_result <= fault_q;
    else event_result <= host_q ? SENT_HOST : SENT_USER;

    if (refuse || user_cut) drop_q <= 1'b1;
    else if (drop_end) drop_q <= 1'b0;
    drop_first_q <= refuse | (drop_first_q & ~drop_ack);

    if (rst) begin
      state_q      <= SETTLE;
      idle_q       <= 1'b0;
      first_q      <= 1'b0;
      busy_q       <= 1'b0;
      wait_q       <= 2'd0;
      host_q       <= 1'b0;
      late_q       <= 1'b0;
      check_q      <= 1'b0;
      drop_q       <= 1'b0;
      drop_first_q <= 1'b0;
      seq_wr       <= 1'b0;
      event_valid  <= 1'b0;
    end
  end
  assign seq_id = id_q;

  // --- What the user sees of his window: of the connection of two cycles ago
  logic read_q;
  always_ff @(posedge clk) begin
    read_q       <= table_read & ~host_q & ~rst;
    window_fresh <= read_q & ~rst;
  end
  assign window_available = window_fresh & usable & fits & mirror_room;
endmodule
