// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// The TCP machine: one segment, order or visit of the walk at a time, from the session's context to a new one (RFC 9293, 3.10).
// It is the only writer of the context.
//
//   step  0        1        2            3      4          5 to 7                            8
//         choose   context  differences  facts  decision   windows, timeout, next piece      new context, what goes out
//
// An event takes 9 cycles (10 in step 1 of which a frame looks up its ACK number), a visit of a session that is closed or listens
// 3; a connection that begins waits in step 7 for its
// initial sequence number (30 cycles in all, 39 with TIMESTAMPS_EN).  Segments come first, then orders, but a visit follows
// each of them, if a frame can be sent then; it is to the same session.  A segment never waits for frames: an RST that finds the last one not taken
// is not sent.  Everything else is sent by the walk, and orders wait; so do connections that begin, for all frames of those
// that have ended (toe_listen holds their SYNs), and for what the user had given to the session's last one: a SYN is not
// answered before that.
// Segments wait while the user does not take events (16 of them), and for toe_lookup and toe_rx_accept.
//
// A connection ends with one of EV_CLOSED, EV_RESET, EV_REFUSED, EV_TIMED_OUT, EV_BAD_COMMAND (no place for its tuple), but one
// that the peer opened and that was not EV_CONNECTED ends without, unless the user ended it.
module toe_tcp
  import toe_pkg::*;
  import toe_tcp_pkg::*;
#(
    parameter int SESSIONS                 = 64,
    parameter int INTERFACES               = 1,
    parameter int RING_BYTES               = 8192,  // a power of two, 65536 at most
    parameter int MSS                      = 1460,  // ours
    parameter bit TX_CONGESTION_CONTROL_EN = 1'b1,
    parameter bit INSTANT_ACK_EN           = 1'b0,
    parameter bit TIMESTAMPS_EN            = 1'b0,
    parameter bit SACK_EN                  = 1'b0,
    parameter bit RX_REORDERING_EN         = 1'b0,
    parameter bit RX_URGENT_EN             = 1'b0,
    parameter bit SOFT_ERRORS_EN           = 1'b0
) (
    input logic clk,
    input logic rst,

    input settings_t settings,
    input logic      tick,

    input  logic     segment_some,   // from toe_listen: segment_valid may be 1
    input  logic     segment_valid,
    output logic     segment_ready,
    input  segment_t segment,

    input  logic   order_valid,  // from toe_open; DO_CONNECT with the address resolved
    output logic   order_ready,
    input  order_t order,

    output logic   change_valid,   // to toe_lookup
    input  logic   change_ready,
    output logic   change_insert,
    output tuple_t change_tuple,
    output sid_t   change_sid,
    input  logic   change_failed,

    output logic             listen_wr,     // to toe_listen
    output sid_t             listen_sid,
    output logic             listen_on,
    output iface_id_t        listen_iface,
    output logic      [15:0] listen_port,

    output logic rcv_wr,  // to toe_rx_accept
    input logic rcv_wr_ready,
    output sid_t rcv_wr_sid,
    output logic [31:0] rcv_wr_nxt,
    output logic rcv_wr_open,
    output sid_t tcp_sid,  // read, combinational: RCV.NXT, SND.NXT, and
    input logic [31:0] tcp_rcv_nxt,
    input logic tcp_rcv_waits,  // what RCV.NXT has moved over is not the user's yet: toe_rx_reorder
    input logic [31:0] tcp_snd_nxt,
    input logic tcp_snd_busy,  // the user's data of this session are on their way into the memory or to the MAC
    // From toe_rx_window, of tcp_sid, but not in a cycle with tcp_wait.  A cycle later: what is left of the advertised
    // window (nothing, if bit 16 is set).  Two cycles later: a window update is worth a segment
    input logic tcp_wait,  // tcp_rcv_nxt is of another session
    input logic [16:0] tcp_left,
    input logic tcp_unread,  // like tcp_left
    input logic tcp_window_low,
    output logic window_looks,  // up to the look at tcp_sid
    output logic window_offer,  // in the cycle of tcp_window_low: the edge that tcp_sid could advertise is kept
    output logic window_grow,  // held until ready: the edge advances to that, unless a frame has advertised more
    input logic window_grow_ready,
    input logic window_grow_kept,

    // From toe_arp: a host's MAC address has changed, held until each session that sends to it knows
    input  iface_t    [INTERFACES-1:0] interfaces,
    input  logic                       changed_valid,
    output logic                       changed_ready,
    input  iface_id_t                  changed_iface,
    input  logic      [          31:0] changed_ip,
    input  logic      [          47:0] changed_mac,

    output logic doubt,  // the peer of change_tuple has not answered what was sent three times and more: one cycle

    // To toe_timestamps, of session rcv_wr_sid; and from there, of tcp_sid, combinational: what its TSval is now
    output logic             stamp_wr,
    output stamp_wr_t        stamp_new,
    input  logic      [31:0] tcp_stamp,

    // To toe_sack_agreed, of session rcv_wr_sid; and from there, of tcp_sid, a cycle later: in step 2
    input  logic tcp_sack,
    output logic sack_wr,
    output logic sack_new,

    // To toe_urgent, of tcp_sid and `segment`; report: notify the user
    output logic urgent_begins,
    output logic urgent_text,
    output logic urgent_set,
    input  logic urgent_report,

    // From toe_icmp_errors, held until over; match with it: the user of a session gets an event
    input  logic          icmp_valid,
    input  tuple_t        icmp_tuple,
    input  logic   [31:0] icmp_seq,
    output logic          icmp_match,
    output logic          icmp_over,

    output logic          header_wr,     // to toe_tx: whom session sid talks to
    output sid_t          header_sid,
    output tuple_t        header_tuple,
    output logic   [47:0] header_mac,
    output logic          snd_wr,        // SND.NXT, when nothing is on its way
    output sid_t          snd_wr_sid,
    output logic   [31:0] snd_wr_nxt,
    output logic          snd_wr_syn,    // it is after a SYN; else after a FIN
    output logic          limit_wr,      // the user may send up to this sequence number, in segments of mss at most
    output sid_t          limit_sid,
    output logic          limit_open,
    output logic          limit_alive,   // what the user has sent goes on: it may have closed
    output logic   [31:0] limit,
    output logic   [15:0] limit_mss,

    output logic     request_valid,  // a frame
    input  logic     request_ready,
    output request_t request,
    output logic     over,           // the connection of ack_sid has ended: its session may have another peer from
    input  logic     tcp_settled,    // when no request waits in toe_tx that was there before; combinational
    output logic     ack_valid,      // an ACK of session sid is requested, of RCV.NXT as it is from this cycle on
    output sid_t     ack_sid,        // as the last step WRITE's
    output logic     ack_now,        // at once; else it may wait for a second one or the delay

    output logic   event_valid,
    input  logic   event_ready,
    output event_e event_code,
    output sid_t   event_sid,

    input  sid_t   look_sid,   // for software
    output state_e look_state  // 1 cycle later
);
  localparam int BITS = $clog2(SESSIONS);
  localparam logic [3:0] INIT = 4'd15, WRITE = 4'd8;

  // --- The clock of all timers
  ticks_t now, now_q;
  always_ff @(posedge clk) begin
    if (tick) now <= now + 1'b1;
    if (rst) now <= '0;
  end

  // --- Which event is next
  kind_e kind, next_kind, read_kind;
  logic [3:0] step;
  logic quiet, walk_turn, failed_q, kick;
  sid_t sid, next_sid, walk_sid, kick_sid;
  logic event_room, event_place, peer_closed_q, late_q;
  assign quiet = ~rcv_wr & ~window_grow & ~change_valid & event_room & event_place & ~peer_closed_q & ~late_q;
  always_comb begin
    // Whose context is read does not look at `quiet` and segment_valid, which come late
    read_kind = IDLE_EVENT;
    if (failed_q) read_kind = ORDER_EVENT;
    else if (walk_turn && !request_valid) read_kind = WALK_EVENT;
    else if (segment_some) read_kind = SEGMENT_EVENT;
    else if (order_valid && !request_valid && tcp_settled) read_kind = ORDER_EVENT;
    else if (!request_valid) read_kind = WALK_EVENT;
    next_kind = quiet && (segment_valid || read_kind != SEGMENT_EVENT) ? read_kind : IDLE_EVENT;
    case (read_kind)
      SEGMENT_EVENT: next_sid = segment.sid;
      ORDER_EVENT:   next_sid = failed_q ? sid : order.sid;
      default:       next_sid = kick ? kick_sid : walk_sid;
    endcase
  end

  // --- Context: in block RAM, read in step 0.  After a reset that it is free is all that counts of a session.
  (* ram_style = "block" *) logic [$bits(context_t)-1:0] contexts[SESSIONS];
  context_t context_q, c, n, kept;
  logic touch, skip, isn_wait, sack_wait, last_sid, order_there, failing;
  assign last_sid = 32'(walk_sid) == SESSIONS - 1;
  assign skip     = kind == WALK_EVENT && (c.state == CLOSED || c.state == LISTEN);
  logic [BITS-1:0] kept_sid;
  always_comb begin
    kept     = n;
    kept_sid = sid[BITS-1:0];
    if (step == INIT) begin
      {kept.state, kept.listen, kept.used} = {CLOSED, 2'b00};
      kept_sid                             = walk_sid[BITS-1:0];
    end
  end
  always_ff @(posedge clk) begin
    if (step == INIT || (step == WRITE && touch)) contexts[kept_sid] <= kept;
    if (step == 4'd0) context_q <= context_t'(contexts[next_sid[BITS-1:0]]);
  end

  // A copy of the states, to look at
  (* ram_style = "distributed" *) logic [3:0] states[SESSIONS];
  always_ff @(posedge clk) begin
    if (step == INIT) states[walk_sid[BITS-1:0]] <= CLOSED;
    else if (step == WRITE && touch) states[sid[BITS-1:0]] <= n.state;
    look_state <= state_e'(states[look_sid[BITS-1:0]]);
  end

  always_ff @(posedge clk) begin
    case (step)
      4'd0: begin
        kind    <= next_kind;
        sid     <= next_kind == IDLE_EVENT ? sid : next_sid;
        failing <= failed_q;
        if (next_kind != IDLE_EVENT) begin
          step      <= 4'd1;
          walk_turn <= next_kind != WALK_EVENT;
        end
        if (next_kind == WALK_EVENT) begin
          kick <= 1'b0;
          if (!kick) walk_sid <= last_sid ? '0 : walk_sid + 1'b1;
        end
      end
      4'd1: if (!tcp_wait) step <= 4'd2;
      4'd2: step <= skip ? 4'd0 : 4'd3;
      4'd7: if (!isn_wait && !sack_wait) step <= WRITE;
      WRITE: begin
        step <= 4'd0;
        if (kind != WALK_EVENT && touch) {kick, kick_sid} <= {1'b1, sid};
      end
      INIT: begin
        walk_sid <= last_sid ? '0 : walk_sid + 1'b1;
        if (last_sid) step <= 4'd0;
      end
      default: step <= step + 4'd1;
    endcase
    if (step == WRITE && kind == ORDER_EVENT && failing) failed_q <= 1'b0;
    if (change_failed) failed_q <= 1'b1;
    if (rst) begin
      step                        <= INIT;
      walk_sid                    <= '0;
      kind                        <= IDLE_EVENT;
      {kick, walk_turn, failed_q} <= '0;
    end
  end
  assign segment_ready = step == WRITE && kind == SEGMENT_EVENT;
  assign tcp_sid       = sid;
  // --- Step 1.  Of a segment, what the decision looks at: its FIFO's RAM is late
  logic hit, text, accepted, gap, stamp_on, old;
  logic [7:0] flags;
  logic segment_on, busy, waits, unread, window_low;
  logic [16:0] rcv_left;
  tuple_t tuple;
  logic [47:0] mac;
  logic [31:0] rcv_nxt, snd_nxt, stamp;
  always_ff @(posedge clk) begin
    if (step == 4'd1) begin
      c <= context_q;
      segment_on <= kind == SEGMENT_EVENT;
      {hit, flags, text} <= {segment.hit, segment.flags, segment.length != 0};
      {accepted, gap, stamp_on, old} <= {segment.accepted, segment.gap, segment.stamp_on, segment.old};
      order_there <= 32'(order.sid) < SESSIONS;
      tuple <= kind == SEGMENT_EVENT ? segment.tuple : order.tuple;
      mac <= kind == SEGMENT_EVENT ? segment.peer_mac : kind == ORDER_EVENT ? order.peer_mac : changed_mac;
      {rcv_nxt, snd_nxt} <= {tcp_rcv_nxt, tcp_snd_nxt};
      busy <= tcp_snd_busy;
      waits <= RX_REORDERING_EN & tcp_rcv_waits;
      now_q <= now;
      stamp <= TIMESTAMPS_EN ? tcp_stamp : '0;
    end
    if (step == 4'd2) {unread, rcv_left} <= {tcp_unread, tcp_left};
    if (step == 4'd3) window_low <= tcp_window_low;
  end
  assign touch = kind == SEGMENT_EVENT ? hit : kind == ORDER_EVENT ? failing | order_there : 1'b1;

  logic syn_seg, stamped;
  assign stamped = TIMESTAMPS_EN & segment_on & stamp_on;
  assign syn_seg = segment_on & (flags & SYN) != 0;
  logic isn_start, isn_done;
  logic [31:0] isn, iss, stamp_offset;
  assign isn_start = step == 4'd2 & (c.state == LISTEN ? syn_seg :
                                     c.state == CLOSED & kind == ORDER_EVENT & order.command == DO_CONNECT);
  toe_isn #(
      .SECOND(TIMESTAMPS_EN)
  ) u_isn (
      .clk,
      .rst,
      .secret(settings.secret),
      .start (isn_start),
      .tuple,
      .done  (isn_done),
      .isn,
      .second(stamp_offset)
  );

  // --- Steps 2 and 3
  facts_t f;
  window_t flight, left, bytes, offset, wnd;
  logic [15:0] age, mss;
  logic [31:0] seg_end;
  logic some, enough;
  toe_tcp_compare #(
      .RING_BYTES(RING_BYTES)
  ) u_compare (
      .clk,
      .c,
      .segment_on,
      .seq   (segment.seq),
      .ack   (segment.ack),
      .window(segment.window),
      .length(segment.length),
      .tuple,
      .stamp,
      .echo  (segment.echo),
      .rcv_nxt,
      .rcv_left,
      .snd_nxt,
      .now   (now_q),
      .facts (f),
      .flight,
      .left,
      .bytes,
      .offset,
      .age,
      .seg_end
  );
  toe_tcp_options #(
      .RING_BYTES(RING_BYTES),
      .MSS       (MSS)
  ) u_options (
      .clk,
      .syn    (syn_seg && (c.state inside {LISTEN, SYN_SENT, SYN_RCVD, TIME_WAIT})),
      .opens  (syn_seg && (c.state inside {LISTEN, SYN_SENT, TIME_WAIT})),
      .window (segment.window),
      .scale  (c.scale),
      .mss_on (segment.mss_on),
      .mss_in (segment.mss),
      .mss_now(c.mss),
      .stamps (stamped),
      .wnd,
      .some,
      .enough,
      .mss
  );

  // --- A new MAC address: the walk gives it to its sessions, in a whole round.  What the user opens meanwhile may have the old
  // one: then the round begins anew, and it does not end in front of an order that waits.
  logic moved;
  logic [1:0] rounds_q;
  toe_tcp_hop #(
      .INTERFACES(INTERFACES)
  ) u_hop (
      .clk,
      .iface(interfaces),
      .tuple(c.tuple),
      .changed_iface,
      .changed_ip,
      .here (moved)
  );
  decision_t d;
  assign changed_ready = step == WRITE && rounds_q == 2'd2 && !order_valid;
  always_ff @(posedge clk) begin
    if (step == 4'd0 && next_kind == WALK_EVENT && !kick && last_sid) rounds_q <= rounds_q + 2'(rounds_q != 2'd2);
    if (step == WRITE && d.active || !changed_valid || rst) rounds_q <= '0;
  end

  // --- Step 4
  decision_t d_segment, d_order, d_walk;
  logic fin_due;
  if (RX_REORDERING_EN) begin : gen_fin
    toe_tcp_fin #(
        .SESSIONS(SESSIONS)
    ) u_fin (
        .clk,
        .sid  (step == INIT ? walk_sid : sid),
        .load (step == 4'd1),
        .rcv_nxt,
        .waits,
        .due  (fin_due),
        .set  (step == WRITE & d.fin_later),
        .clear(step == INIT | (step == WRITE & (d.fin_in | d.finish | d.active | d.passive))),
        .seg_end
    );
  end else begin : gen_no_fin
    assign fin_due = 1'b0;
  end
  toe_tcp_segment #(
      .INSTANT_ACK_EN  (INSTANT_ACK_EN),
      .RX_REORDERING_EN(RX_REORDERING_EN)
  ) u_segment (
      .c,
      .f,
      .hit,
      .flags,
      .text,
      .accepted,
      .stamped,
      .old,
      .gap,
      .waits,
      .some,
      .enough,
      .busy(busy & c.used),
      .unread,
      .d   (d_segment)
  );
  toe_tcp_order u_order (
      .state    (c.state),
      .closing  (c.close),
      .there    (order_there),
      .failed   (failing),
      .listening(c.listen),
      .busy     ((busy & c.used) | unread),
      .command  (order.command),
      .d        (d_order)
  );
  toe_tcp_walk #(
      .SOFT_ERRORS_EN(SOFT_ERRORS_EN)
  ) u_walk (
      .c,
      .f,
      .busy,
      .window_low,
      .fin_due,
      .keepalive  (settings.keepalive != 0),
      .fin_wait   (settings.fin_wait != 0),
      .syn_retries(settings.syn_retries),
      .retries    (settings.retries),
      .d          (d_walk)
  );
  always_ff @(posedge clk) d <= segment_on ? d_segment : kind == ORDER_EVENT ? d_order : d_walk;
  assign order_ready = step == WRITE && kind == ORDER_EVENT && !failing && !d.later;

  // --- Steps 5 to 7
  logic enter, sample, syn_lost;
  window_t cwnd, ssthresh, counted, usable;
  logic peer_sacked, sack_lost, sack_uses, sack_at_end;
  window_t sacked, sack_place;
  logic [15:0] sack_length;
  decision_t e;  // d, and of a peer that SACKs only an ACK with something new is a duplicate (RFC 6675, 2)
  assign enter    = (e.dup & ~c.fast & ~c.hold & c.dup == 2'd2) | sack_lost;
  // With timestamps each ACK of something new makes one (RFC 7323, 4.2)
  assign sample   = d.acked & (c.stamps ? stamped & f.echo_good : c.timing & f.timed_done);
  assign syn_lost = d.establish & c.retries != 0;
  toe_tcp_congestion #(
      .RING_BYTES(RING_BYTES),
      .MSS       (MSS)
  ) u_congestion (
      .clk,
      .c,
      .d     (e),
      .mss,
      .flight,
      .left,
      .bytes,
      .full  (f.recover_full),
      .enter,
      .sack  (peer_sacked),
      .sacked(sacked != 0),
      .cwnd,
      .ssthresh,
      .counted,
      .usable
  );
  logic [18:0] srtt;
  logic [17:0] rttvar;
  logic [15:0] rto, rto_double;
  ticks_t deadline;
  toe_tcp_timer u_timer (
      .clk,
      .settings,
      .c,
      .age,
      .sample,
      .syn_lost,
      .now  (now_q),
      .timer(d.timer),
      .srtt,
      .rttvar,
      .rto,
      .rto_double,
      .deadline
  );
  logic data, plain_at_end, at_end;
  logic [15:0] plain_length, length;
  toe_tcp_resend #(
      .TX_CONGESTION_CONTROL_EN(TX_CONGESTION_CONTROL_EN)
  ) u_resend (
      .clk,
      .flight,
      .offset,
      .wnd(c.wnd),
      .cwnd(c.cwnd),
      .fin(c.fin),
      .mss(c.mss),
      .data,
      .length(plain_length),
      .at_end(plain_at_end)
  );
  if (SACK_EN) begin : gen_sack
    logic news, lost, sack_on;
    // Registers: the state is known from step 2 on, a loss two cycles before the new cwnd is needed
    always_ff @(posedge clk) begin
      sack_on   <= tcp_sack & (c.state inside {ESTABLISHED, FIN_WAIT_1, CLOSE_WAIT, CLOSING, LAST_ACK});
      // Not with an ACK that advances SND.UNA (RFC 6675, 5), nor before all of the last loss is over
      sack_lost <= d.heard & ~d.acked & news & lost & ~c.fast & (~c.hold | c.una == c.recover) & c.wnd != 0;
    end
    toe_sack_board #(
        .SESSIONS                (SESSIONS),
        .TX_CONGESTION_CONTROL_EN(TX_CONGESTION_CONTROL_EN)
    ) u_board (
        .clk,
        .rst,
        .read       (step == 4'd0),
        .read_sid   (next_sid),
        .sid,
        .load       (step == 4'd2),
        .run        (step == 4'd5),
        .on         (sack_on),
        .heard      (d.heard),
        .acked      (d.acked),
        .una        (c.una),
        .ack        (segment.ack),
        .bytes,
        .flight,
        .left,
        .count      (segment.sack_count),
        .sacks      (segment.sacks),
        .offset,
        .wnd        (c.wnd),
        .cwnd       (c.cwnd),
        .fin        (c.fin),
        .fast       (c.fast),
        .mss        (c.mss),
        .busy       (sack_wait),
        .peer_sacked(peer_sacked),
        .news,
        .sacked,
        .lost,
        .uses       (sack_uses),
        .place      (sack_place),
        .length     (sack_length),
        .at_end     (sack_at_end),
        .write      (step == WRITE & touch),
        .begins     (d.active | d.passive),
        .expired    (d.expired & ~d.probe)
    );
    always_comb begin
      e     = d;
      e.dup = d.dup & (~peer_sacked | news);
    end
  end else begin : gen_no_sack
    assign {sack_wait, peer_sacked, sack_lost, sack_uses, sack_at_end, sacked, sack_place, sack_length} = '0;
    assign e                                                                                            = d;
  end
  assign length = sack_uses ? sack_length : plain_length;
  assign at_end = sack_uses ? sack_at_end : plain_at_end;
  context_t c_piece;  // where the piece begins
  always_comb begin
    c_piece     = c;
    c_piece.rtx = sack_uses ? c.una + 32'(sack_place) : c.rtx;
  end
  logic [31:0] rtx_end;
  logic piece, begins, probe;
  assign isn_wait = (d.active | (d.passive & ~d.reopen)) & ~isn_done;
  assign begins   = d.active | d.passive;
  assign piece    = d.resend_go & (length != 0 | at_end);
  assign probe    = d.expired & d.probe;
  always_ff @(posedge clk) begin
    rtx_end <= c_piece.rtx + 32'(length);
    iss     <= d.reopen ? snd_nxt + REOPEN_STEP : isn;
  end

  // --- Step 8: the context.  That a loss is seen has been known since step 7: a register keeps it off the context's RAM
  logic enter_q, dup_q;
  decision_t e_write;
  always_ff @(posedge clk) {enter_q, dup_q} <= {enter, e.dup};
  always_comb begin
    e_write     = d;
    e_write.dup = dup_q;
  end
  toe_tcp_update u_update (
      .c,
      .d       (e_write),
      .f,
      .settings,
      .segment,
      .tuple,
      .stamped,
      .snd_nxt,
      .iss,
      .now     (now_q[15:0]),
      .epoch   (now_q[10:8]),
      .enter   (enter_q),
      .sample,
      .wnd,
      .mss,
      .cwnd,
      .ssthresh,
      .counted,
      .srtt,
      .rttvar,
      .rto,
      .rto_double,
      .deadline,
      .rtx_end,
      .piece,
      .rtx_over(at_end | (c.fast & ~peer_sacked)),
      .sack    (peer_sacked),
      .n
  );

  // --- Step 8: frames and ACKs
  toe_tcp_request u_request (
      .clk,
      .rst,
      .write     (step == WRITE),
      .c         (c_piece),
      .d,
      .seg_flags (flags),
      .seg_ack   (segment.ack),
      .seg_end,
      .sid,
      .tuple,
      .mac,
      .snd_nxt,
      .flight_any(f.flight_any),
      .data,
      .probe,
      .piece,
      .length,
      .request_valid,
      .request_ready,
      .request
  );
  // A frame that reads RCV.NXT or the window's edge before the change must not satisfy the request.  So the request is
  // made after the change
  logic allowed, ack_pending, rcv_nxt_changes, ack_pending_q, changed_now;
  assign allowed = c.epoch != now_q[10:8] || c.challenges != 3'd7;
  assign changed_now = rcv_wr ? rcv_wr_ready : window_grow_ready;
  assign window_looks = step == 4'd1;
  assign window_offer = step == 4'd3;
  assign ack_pending = step == WRITE & (d.ack | (d.challenge & allowed));
  always_ff @(posedge clk) begin
    if (window_grow_ready) window_grow <= 1'b0;
    if (changed_now) ack_pending_q <= 1'b0;
    ack_valid <= (ack_pending & ~rcv_nxt_changes & ~d.grow)
                 | (ack_pending_q & changed_now & (rcv_wr | window_grow_kept));
    if (step == WRITE) begin
      window_grow <= d.grow;
      ack_pending_q <= ack_pending & (rcv_nxt_changes | d.grow);
      ack_now <= d.ack_now | d.challenge;
      ack_sid <= sid;
    end
    if (rst) {window_grow, ack_pending_q, ack_valid} <= 3'b000;
  end

  // --- Step 8: what the others hold of a session.  None of these changes before they have it: see quiet.
  logic ends;
  assign ends = d.finish & c.state != LISTEN;
  assign rcv_nxt_changes = begins | d.syn | d.fin_in | ends;
  always_ff @(posedge clk) begin
    {header_wr, snd_wr, listen_wr, over} <= '0;
    if (rcv_wr_ready) rcv_wr <= 1'b0;
    if (change_ready) change_valid <= 1'b0;
    if (step == WRITE) begin
      // A SYN that comes again says where the peer is, too: the first may have been damaged there
      header_wr     <= begins | (d.resend & n.state == SYN_RCVD) | (kind == WALK_EVENT & changed_valid & moved);
      snd_wr        <= begins | d.fin_go;
      snd_wr_syn    <= begins;
      snd_wr_nxt    <= (begins ? iss : snd_nxt) + 32'd1;
      over          <= ends;
      rcv_wr        <= rcv_nxt_changes;
      rcv_wr_nxt    <= (d.syn ? segment.seq : rcv_nxt) + 32'(d.syn | d.fin_in);
      rcv_wr_open   <= receives(n.state);
      change_valid  <= (begins & ~d.reopen) | (ends & ~d.failed);
      change_insert <= begins;
      change_tuple  <= n.tuple;
      header_mac    <= mac;
      listen_wr     <= d.listen | (d.passive & ~d.reopen) | (d.finish & c.listen);
      listen_on     <= n.state == LISTEN;
    end
    if (rst) {header_wr, snd_wr, rcv_wr, change_valid, listen_wr, over} <= '0;
  end
  always_ff @(posedge clk) begin
    stamp_wr <= TIMESTAMPS_EN & step == WRITE & (begins | d.syn) & ~rst;
    stamp_new <= '{
        on: d.syn ? stamped : 1'b1,
        begins: begins & ~d.reopen,
        offset: stamp_offset,
        syn: d.syn,
        recent: segment.stamp
    };
  end
  always_ff @(posedge clk) begin
    sack_wr  <= SACK_EN & step == WRITE & (begins | d.syn) & ~rst;
    sack_new <= SACK_EN & (d.syn ? segment.sack_on : 1'b1);
  end
  // RFC 9293, 3.8.3: R1
  always_ff @(posedge clk) doubt <= step == WRITE & d.expired & ~d.probe & (c.retries >= 4'd3) & ~rst;
  assign header_sid   = sid;
  assign header_tuple = change_tuple;
  assign snd_wr_sid   = sid;
  assign rcv_wr_sid   = sid;
  assign change_sid   = sid;
  assign listen_sid   = sid;
  assign listen_iface = change_tuple.iface;
  assign listen_port  = change_tuple.local_port;

  // --- Steps 8 and 9: the user's limit
  logic limit_soon;
  window_t allowance;
  logic [31:0] limit_from;
  // What has been SACKed has left the network; but after a timeout everything counts as lost
  window_t usable_now;
  assign usable_now = usable + (d.expired | (c.rtx_on & ~c.fast) ? '0 : sacked);
  always_ff @(posedge clk) begin
    limit_soon <= step == WRITE & touch & (kind != WALK_EVENT | d.expired | d.finish | d.fin_go);
    if (step == WRITE) begin
      allowance   <= n.state == SYN_RCVD ? '0 : TX_CONGESTION_CONTROL_EN ? least(usable_now, n.wnd) : n.wnd;
      limit_from  <= n.una;
      limit_sid   <= sid;
      // In SYN_RCVD nothing may leave, but what the user sends must wait, not be refused: data that came with the handshake's
      // ACK may have reached it, and it answers.
      limit_open  <= (n.state == SYN_RCVD | n.state == ESTABLISHED | n.state == CLOSE_WAIT) & ~n.close;
      limit_alive <= n.state != CLOSED & n.state != LISTEN;
      limit_mss   <= n.mss;
    end
    limit_wr <= limit_soon;
    limit    <= limit_from + 32'(allowance);
    if (rst) {limit_soon, limit_wr} <= '0;
  end

  // --- Urgent pointer and ICMP errors
  assign urgent_begins = step == WRITE & begins;
  assign urgent_text   = step == WRITE & segment_on & hit;
  assign urgent_set    = RX_URGENT_EN & step == WRITE & segment_on & d.urgent;
  if (SOFT_ERRORS_EN) begin : gen_soft
    toe_tcp_soft u_soft (
        .clk,
        .rst,
        .valid (icmp_valid),
        .tuple (icmp_tuple),
        .seq   (icmp_seq),
        .match (icmp_match),
        .over  (icmp_over),
        .c,
        .flight,
        .choose(step == 4'd0),
        .last  (next_kind == WALK_EVENT & ~kick & last_sid),
        .visit (step == WRITE & kind == WALK_EVENT),
        .finish(d.finish)
    );
  end else begin : gen_no_soft
    assign {icmp_match, icmp_over} = '0;
  end

  // --- Step 8: events; a second one in the next cycle, one that is late after both, when it has a place
  logic [3:0] code;
  logic late_go, late_icmp_q;
  event_e written;
  assign late_go = late_q & ~peer_closed_q & event_place;
  assign written = peer_closed_q ? EV_PEER_CLOSED : !late_q ? d.event_code : late_icmp_q ? EV_ICMP_ERROR : EV_URGENT;
  toe_fifo #(
      .WIDTH(4 + $bits(sid_t)),
      .DEPTH(16)
  ) u_events (
      .clk,
      .rst,
      .wr_valid((step == WRITE & d.event_on) | peer_closed_q | late_go),
      .wr_ready(event_place),
      .wr_data ({written, sid}),
      .wr_room (event_room),
      .rd_valid(event_valid),
      .rd_ready(event_ready),
      .rd_data ({code, event_sid})
  );
  assign event_code = event_e'(code);
  always_ff @(posedge clk) peer_closed_q <= step == WRITE & d.peer_closed & ~rst;
  if (RX_URGENT_EN || SOFT_ERRORS_EN) begin : gen_late
    always_ff @(posedge clk) begin
      late_q <= (icmp_match | urgent_report | (late_q & ~late_go)) & ~rst;
      if (step == WRITE) late_icmp_q <= icmp_match;
    end
  end else begin : gen_not_late
    assign {late_q, late_icmp_q} = '0;
  end
endmodule
