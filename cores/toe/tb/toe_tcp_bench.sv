// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// toe_tcp with what is around it: tables of the receiver and the transmitter, the look-up, and a record of all that it asks for.
// A segment or an order is given by changing *_go; `ticks` says how many shall have passed, one each TICK_CYCLES.
module toe_tcp_bench
  import toe_pkg::*;
#(
    parameter int SESSIONS = 4,
    parameter int INTERFACES = 2,
    parameter int RING_BYTES = 8192,
    parameter bit TX_CONGESTION_CONTROL_EN = 1,
    parameter bit INSTANT_ACK_EN = 0,
    parameter bit RX_REORDERING_EN = 0,
    parameter bit SACK_EN = 0,
    parameter int TICK_CYCLES = 256,
    parameter int LOG = 256
) (
    input logic      clk,
    input logic      rst,
    input settings_t settings,

    input  iface_t    [INTERFACES-1:0] interfaces,
    input  logic                       changed_valid,
    output logic                       changed_ready,
    input  iface_id_t                  changed_iface,
    input  logic      [          31:0] changed_ip,
    input  logic      [          47:0] changed_mac,

    input logic     segment_go,
    input segment_t segment,
    input logic     order_go,
    input order_t   order,

    input logic [15:0] ticks,            // so many shall have passed
    input logic [ 3:0] slow,             // cycles that the look-up and the receiver take
    input logic        full,             // the look-up has no place
    input logic        blocked,          // no frame is taken
    input logic        tcp_settled,
    input logic        unread,           // no event is taken
    input logic        busy,
    input logic        untaken,          // payload is left that the user has not taken
    input logic        window_low,
    input logic        advertised_more,  // a frame has advertised more meanwhile
    input logic [16:0] left,             // of the advertised window
    input logic        measure,          // how long segments wait

    // The transmitter has sent the user's data, the receiver has taken the peer's
    input  sid_t          look_sid,
    output state_e        look_state,
    input  logic          set_snd,
    input  logic          rcv_waits,
    input  logic          set_rcv,
    input  sid_t          set_sid,
    input  logic   [31:0] set_nxt
);
  localparam int BITS = $clog2(SESSIONS);
  logic begun = 1'b0;  // the assertions hold from the first reset on
  always_ff @(posedge clk) if (rst) begun <= 1'b1;

  logic segment_valid, segment_ready, order_valid, order_ready, segment_was, order_was;
  logic tick;
  logic [15:0] passed, wait_tick;
  always_ff @(posedge clk) begin
    segment_was <= segment_go;
    order_was   <= order_go;
    if (segment_ready) segment_valid <= 1'b0;
    if (order_ready) order_valid <= 1'b0;
    if (segment_go != segment_was) segment_valid <= 1'b1;
    if (order_go != order_was) order_valid <= 1'b1;
    tick <= 1'b0;
    wait_tick <= 32'(wait_tick) == TICK_CYCLES - 1 ? '0 : wait_tick + 1'b1;
    if (wait_tick == 0 && passed != ticks) begin
      tick   <= 1'b1;
      passed <= passed + 1'b1;
    end
    if (rst) begin
      {segment_valid, order_valid, tick, passed, wait_tick} <= '0;
      {segment_was, order_was} <= {segment_go, order_go};
    end
  end

  // --- The tables of the others
  logic change_valid, change_ready, change_insert, change_failed;
  tuple_t change_tuple, header_tuple;
  sid_t change_sid, listen_sid, rcv_wr_sid, tcp_sid, header_sid, snd_wr_sid, limit_sid, ack_sid, event_sid;
  logic listen_wr, listen_on, rcv_wr, rcv_wr_ready, rcv_wr_open, header_wr, snd_wr, limit_wr, limit_open, limit_alive;
  iface_id_t listen_iface;
  logic [15:0] listen_port, limit_mss;
  logic [31:0] rcv_wr_nxt, snd_wr_nxt, limit;
  logic snd_wr_syn, over, doubt;
  logic stamp_wr;
  stamp_wr_t stamp_new;
  logic sack_wr, sack_new;
  logic [SESSIONS-1:0] sack_on;
  always_ff @(posedge clk) if (sack_wr) sack_on[rcv_wr_sid[BITS-1:0]] <= sack_new;
  logic [47:0] header_mac;
  logic request_valid, request_ready, ack_valid, ack_now, event_valid, event_ready;
  logic window_looks, window_offer, window_grow, window_grow_ready;
  request_t request;
  event_e   event_code;

  logic [SESSIONS-1:0] there, listens, rcv_open, snd_open;
  logic [SESSIONS-1:0][$bits(tuple_t)-1:0] there_tuple, whom;
  logic [SESSIONS-1:0][18:0] listens_on;
  logic [SESSIONS-1:0][31:0] rcv_nxt, snd_nxt, limits;
  logic [SESSIONS-1:0][15:0] msss;
  logic [SESSIONS-1:0][47:0] macs;
  logic [3:0] change_wait, rcv_wait;
  logic twice;
  always_comb begin
    twice = 1'b0;
    for (int i = 0; i < SESSIONS; i++) twice |= there[i] && there_tuple[i] == change_tuple;
  end
  assign change_ready  = change_valid && change_wait == slow;
  assign change_failed = change_ready && change_insert && (full || twice);
  assign rcv_wr_ready  = rcv_wr && rcv_wait == slow;
  always_ff @(posedge clk) begin
    change_wait <= change_valid && !change_ready ? change_wait + 1'b1 : '0;
    rcv_wait    <= rcv_wr && !rcv_wr_ready ? rcv_wait + 1'b1 : '0;
    if (change_ready && !change_failed) begin
      assert (!begun || change_insert != there[change_sid[BITS-1:0]]);
      if (begun && !change_insert) assert (there_tuple[change_sid[BITS-1:0]] == change_tuple);
      there[change_sid[BITS-1:0]]       <= change_insert;
      there_tuple[change_sid[BITS-1:0]] <= change_tuple;
    end
    if (listen_wr) begin
      listens[listen_sid[BITS-1:0]]    <= listen_on;
      listens_on[listen_sid[BITS-1:0]] <= {listen_iface, listen_port};
    end
    if (header_wr) {whom[header_sid[BITS-1:0]], macs[header_sid[BITS-1:0]]} <= {header_tuple, header_mac};
    if (snd_wr) snd_nxt[snd_wr_sid[BITS-1:0]] <= snd_wr_nxt;
    if (set_snd) snd_nxt[set_sid[BITS-1:0]] <= set_nxt;
    if (rcv_wr_ready) begin
      rcv_open[rcv_wr_sid[BITS-1:0]] <= rcv_wr_open;
      rcv_nxt[rcv_wr_sid[BITS-1:0]]  <= rcv_wr_nxt;
    end
    if (set_rcv) rcv_nxt[set_sid[BITS-1:0]] <= set_nxt;
    if (limit_wr) begin
      snd_open[limit_sid[BITS-1:0]] <= limit_open;
      limits[limit_sid[BITS-1:0]]   <= limit;
      msss[limit_sid[BITS-1:0]]     <= limit_mss;
    end
    if (rst) {there, listens, rcv_open, snd_open} <= '0;
  end

  // --- What it asked for
  logic [$clog2(LOG)-1:0] requests, acks, events;
  logic [$bits(request_t)-1:0] request_log[LOG];
  logic [10:0] ack_log[LOG];
  logic [13:0] event_log[LOG];
  assign request_ready = ~blocked;
  assign event_ready   = ~unread;
  always_ff @(posedge clk) begin
    if (request_valid && request_ready) begin
      request_log[requests] <= request;
      requests <= requests + 1'b1;
    end
    if (ack_valid) begin
      assert (!begun || (!rcv_wr && !window_grow));  // they have moved: a frame that reads them now covers the ACK
      ack_log[acks] <= {ack_now, ack_sid};
      acks <= acks + 1'b1;
    end
    if (event_valid && event_ready) begin
      event_log[events] <= {event_code, event_sid};
      events <= events + 1'b1;
    end
    if (rst) {requests, acks, events} <= '0;
  end

  // --- The longest that a segment waits
  logic [15:0] waited, longest;
  always_ff @(posedge clk) begin
    waited <= measure && segment_valid && !segment_ready ? waited + 1'b1 : '0;
    if (waited > longest) longest <= waited;
    if (rst) longest <= '0;
  end

  // Now and then a frame reads what the machine would read
  logic tcp_wait;
  logic [3:0] wait_frame;
  logic [16:0] tcp_left;
  always_ff @(posedge clk) begin
    wait_frame <= rst || wait_frame == 4'd12 ? '0 : wait_frame + 1'b1;
    tcp_left   <= tcp_wait ? ~left : left;
  end
  assign tcp_wait = wait_frame == 0;

  // The window of a session is low until it has grown
  logic [SESSIONS-1:0] grown;
  assign window_grow_ready = wait_frame != 2;
  always_ff @(posedge clk) begin
    if (window_grow && window_grow_ready) grown[tcp_sid[BITS-1:0]] <= 1'b1;
    if (!window_low) grown <= '0;
  end

  // A SYN that goes into toe_listen's FIFO, once in the time of a short frame
  logic [4:0] wait_syn;
  logic segment_some;
  always_ff @(posedge clk) wait_syn <= rst || wait_syn == 5'd20 ? '0 : wait_syn + 1'b1;
  assign segment_some = segment_valid | (wait_syn == 0);

  toe_tcp #(
      .SESSIONS(SESSIONS),
      .INTERFACES(INTERFACES),
      .RING_BYTES(RING_BYTES),
      .TX_CONGESTION_CONTROL_EN(TX_CONGESTION_CONTROL_EN),
      .INSTANT_ACK_EN(INSTANT_ACK_EN),
      .RX_REORDERING_EN(RX_REORDERING_EN),
      .SACK_EN(SACK_EN)
  ) dut (
      .tcp_rcv_nxt     (rcv_nxt[tcp_sid[BITS-1:0]] ^ {32{tcp_wait}}),
      .tcp_rcv_waits   (rcv_waits),
      .tcp_snd_nxt     (snd_nxt[tcp_sid[BITS-1:0]]),
      .tcp_snd_busy    (busy),
      .tcp_stamp       ('0),
      .tcp_sack        (sack_on[tcp_sid[BITS-1:0]]),
      .tcp_window_low  (window_low & ~grown[tcp_sid[BITS-1:0]]),
      .window_looks,
      .window_offer,
      .window_grow,
      .window_grow_ready,
      .window_grow_kept(~advertised_more),
      .tcp_unread      (untaken),
      .urgent_report   (1'b0),
      .icmp_valid      (1'b0),
      .icmp_tuple      ('0),
      .icmp_seq        ('0),
      .urgent_begins   (),
      .urgent_text     (),
      .urgent_set      (),
      .icmp_match      (),
      .icmp_over       (),
      .*
  );
endmodule
