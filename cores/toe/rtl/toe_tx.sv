// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Transmit: the user's payload into the retransmit memory and onto the wire, frames of the TCP machine, ACKs, frames of
// ARP and ICMP.
//
//   s_axis --> toe_tx_user --> toe_tx_store --> toe_tx_ring --> toe_tx_read --> toe_tx_frame --> m_axis
//               |  | go                                                        ^  ^ header, csum, payload
//               |  +---------------------------------------------------------+  |
//               +--> u_queue (packets that wait) --+                            |
//   request ------> u_requests --------------------+--> toe_tx_choose ---------+
//   ack notes ----> toe_ack -----------------------+
//   s_raw -----------------------------------------+
//
// Every payload on the wire is read from the memory, the user's first transmission, too.  The memory may be outside
// (MEM_LATENCY): toe_tx_outside.
//
// Latency, from the user's first beat to the first word on m_axis, line idle, beats without pauses, B = bytes of a
// beat:
//   length and csum given (cut-through)     1
//   length given                            max(1, ceil(P/B) - 11)
//   neither                                 ceil(P/B)
// A frame that could not begin while its packet came begins after the others.  No pause within a frame.
//
// Mistakes.  In a frame that was begun before its packet had ended: a pause that starves it, a sum that is not the
// payload's or fewer bytes than were said end the frame with m_axis_tuser, and what has come is sent as a frame of its
// own when the packet has ended; EV_TX_LATE, or EV_TX_CUT if the length was wrong.  More bytes than were said are
// thrown away, with EV_TX_CUT.  A packet whose session is not open (but see
// TX_DROP_IF_NOT_ESTABLISHED_EN), or that is longer than the peer's MSS with length and
// sum given, is swallowed with EV_TX_DROPPED; others that are longer are cut into segments (toe_tx_user).  A packet for
// which the session has no room keeps s_axis_tready low until it has: `credit` says so beforehand.  SND.NXT moves with the end of
// a good frame, so no sequence number is passed over.
//
// What is sent again is read twice, and may be acknowledged and overwritten meanwhile: such a frame ends with
// m_axis_tuser (toe_tx_stale).
module toe_tx
  import toe_pkg::*;
  import toe_tx_pkg::*;
#(
    parameter int SESSIONS            = 64,    // 2 to 1024
    parameter int INTERFACES          = 1,
    parameter int RING_BYTES          = 8192,  // a session; in all SESSIONS * RING_BYTES
    parameter int USER2TCP_DATA_WIDTH = 64,    // 32, 64 or 128
    parameter int MTU                 = 1500,
    parameter int RAM_LATENCY         = 2,     // of the retransmit memory, if it is inside
    parameter int MEM_LATENCY         = 0,     // if it is outside: cycles of a read, 1 to 48
    parameter int MEM_WRITE_LATENCY   = 1,     // and from a write to a read that sees it, 1 to 64
    parameter bit TX_PUSH_BIT_VALUE   = 1'b1,
    parameter bit TIMESTAMPS_EN       = 1'b0,
    parameter bit SACK_EN             = 1'b0,

    parameter bit TX_DROP_IF_NOT_ESTABLISHED_EN = 1'b1  // 0: such a packet waits, and all after it
) (
    input logic clk,
    input logic rst,

    input iface_t    [INTERFACES-1:0] iface,
    input settings_t                  settings,  // delayed_ack, ttl, dscp
    input logic                       tick,      // for delayed ACKs

    // The user's payload.  With the first beat: session, and what is known.  csum: one's complement sum of the payload
    // as its bytes lie in 16-bit words, first byte lowest.  Length and csum both given: cut-through.
    input  logic [  USER2TCP_DATA_WIDTH-1:0] s_axis_tdata,
    input  logic [USER2TCP_DATA_WIDTH/8-1:0] s_axis_tkeep,
    input  logic                             s_axis_tvalid,
    output logic                             s_axis_tready,
    input  logic                             s_axis_tlast,
    input  sid_t                             s_axis_tdest,
    input  logic                             tx_length_given,
    input  logic [                     15:0] tx_length,
    input  logic                             tx_csum_given,
    input  logic [                     15:0] tx_csum,

    // From the TCP machine (see there)
    // Session numbers of the engine itself are below SESSIONS
    input  logic            header_wr,
    input  sid_t            header_sid,
    input  tuple_t          header_tuple,
    input  logic     [47:0] header_mac,
    input  logic            snd_wr,
    input  sid_t            snd_wr_sid,
    input  logic     [31:0] snd_wr_nxt,
    input  logic            snd_wr_syn,
    input  logic            limit_wr,
    input  sid_t            limit_sid,
    input  logic            limit_open,
    input  logic            limit_alive,
    input  logic     [31:0] limit,
    input  logic     [15:0] limit_mss,
    input  logic            request_valid,
    output logic            request_ready,
    input  request_t        request,
    input  logic            over,           // the connection of ack_note_sid has ended
    output logic            tcp_settled,    // no request from before that waits
    input  logic            ack_valid,
    input  sid_t            ack_note_sid,
    input  logic            ack_now,
    input  sid_t            tcp_sid,
    output logic     [31:0] tcp_snd_nxt,
    output logic            tcp_snd_busy,

    // SND.NXT for toe_rx_accept; RCV.NXT from there; all combinational
    input  sid_t        snd_sid,
    output logic [31:0] snd_nxt,
    output logic        snd_none,       // nothing but SYN has been sent
    output sid_t        ack_sid,
    output logic        no_session,     // its frame is of no session
    input  logic [31:0] ack_nxt,        // with `advertise`
    // To toe_rx_window, of session ack_sid; and from there
    output logic        advertise,
    output logic        advertise_syn,
    output logic        advertise_ack,
    input  logic [15:0] room,           // the window, two cycles after `advertise`

    // SACK of session ack_sid; look, after the cycle of `advertise`
    input  sack_tx_t sack,
    output logic     sack_look,

    // Timestamps of session ack_sid, combinational; and an ACK of that session has been sent
    input  stamp_tx_t        stamps,
    output logic             acked,
    output logic      [31:0] acked_nxt,

    // Whole frames, from ARP and ICMP: words without pauses once taken
    input  logic [31:0] s_raw_tdata,
    input  logic [ 3:0] s_raw_tkeep,
    input  logic        s_raw_tvalid,
    output logic        s_raw_tready,
    input  logic        s_raw_tlast,

    output logic [31:0] m_axis_tdata,
    output logic [ 3:0] m_axis_tkeep,
    output logic        m_axis_tvalid,
    input  logic        m_axis_tready,
    output logic        m_axis_tlast,
    output logic        m_axis_tuser,

    // The retransmit memory, if it is outside
    output logic [                            USER2TCP_DATA_WIDTH/8-1:0] mem_wr_en,
    output logic [$clog2(SESSIONS*RING_BYTES*8/USER2TCP_DATA_WIDTH)-1:0] mem_wr_addr,
    output logic [                              USER2TCP_DATA_WIDTH-1:0] mem_wr_data,
    output logic                                                         mem_rd_en,
    output logic [$clog2(SESSIONS*RING_BYTES*8/USER2TCP_DATA_WIDTH)-1:0] mem_rd_addr,
    input  logic [                              USER2TCP_DATA_WIDTH-1:0] mem_rd_data,

    // What the user may send now, for each session one after the other, and at once for one that changes
    output logic        credit_valid,
    output sid_t        credit_sid,
    output logic [31:0] credit,

    output logic   event_valid,
    input  logic   event_ready,
    output event_e event_code,
    output sid_t   event_sid
);
  localparam int BYTES = USER2TCP_DATA_WIDTH / 8;
  localparam int WORDS = SESSIONS * RING_BYTES / BYTES;
  localparam int MSS = MTU - 40;
  localparam int READ_LATENCY = MEM_LATENCY == 0 ? RAM_LATENCY : 2;
  typedef logic [$clog2(SESSIONS)-1:0] index_t;
  if (!(USER2TCP_DATA_WIDTH inside {32, 64, 128})) begin : gen_bad_width
    $error("toe_tx: USER2TCP_DATA_WIDTH must be 32, 64 or 128");
  end
  if (RING_BYTES != 1 << $clog2(RING_BYTES) || RING_BYTES < 2048 || RING_BYTES > 65536) begin : gen_bad_ring
    $error("toe_tx: RING_BYTES must be a power of two, 2048 to 65536");
  end

  if (MEM_LATENCY < 0 || MEM_LATENCY > 48 || MEM_WRITE_LATENCY < 1 || MEM_WRITE_LATENCY > 64) begin : gen_bad_memory
    $error("toe_tx: MEM_LATENCY must be 0 to 48, MEM_WRITE_LATENCY 1 to 64");
  end

  packet_t packet, queue;
  sid_t sid;  // of the frame
  request_t asked;
  logic asked_valid, asked_pop;

  // --- Tables: the user's, of toe_tx_limit
  sid_t look_sid, user_sid;
  sid_t next_sid;
  logic limits_ready, first_some, first_full, look_open, alive, end_wr, end_done;
  logic [31:0] look_nxt, end_nxt, frame_written;
  logic [15:0] first_cap, look_cap, look_mss;
  logic [$clog2(RING_BYTES)+1:0] tcp_allocated;
  toe_tx_limit #(
      .SESSIONS  (SESSIONS),
      .RING_BYTES(RING_BYTES),
      .BYTES     (BYTES)
  ) u_limit (
      .clk,
      .rst,
      .ready(limits_ready),
      .limit_wr,
      .limit_sid,
      .limit_open,
      .limit_alive,
      .limit,
      .limit_mss,
      .snd_wr,
      .snd_wr_sid,
      .snd_wr_nxt,
      .end_wr,
      .end_sid(user_sid),
      .end_nxt,
      .end_done,
      .first_sid(s_axis_tdest),
      .first_cap,
      .first_some,
      .first_full,
      .look_sid,
      .look_nxt,
      .look_open,
      .look_cap,
      .look_mss,
      .alive_sid(queue.sid),
      .alive,
      .frame_sid(sid),
      .frame_nxt(frame_written),
      .tcp_sid,
      .tcp_allocated,
      .credit_valid,
      .credit_sid,
      .credit
  );

  // Whom the sessions talk to, SND.NXT
  (* ram_style = "distributed" *) logic [$bits(tuple_t)+47:0] peers[SESSIONS];
  (* ram_style = "distributed" *) logic [32:0] sent[SESSIONS];  // nothing but SYN, number
  // A FIN has been asked for and is in SND.NXT; it has left
  (* ram_style = "distributed" *) logic fin_asked[SESSIONS];
  (* ram_style = "distributed" *) logic fin_left[SESSIONS];
  tuple_t peer_tuple;
  logic [47:0] peer_mac;
  sid_t sent_sid;
  logic sent_wr, ack_sent, frame_fin, frame_fin_left;
  logic [31:0] sent_nxt, frame_snd_nxt;
  index_t sent_index;
  assign sent_index             = index_t'(snd_wr ? snd_wr_sid : sent_sid);
  assign {peer_tuple, peer_mac} = peers[index_t'(next_sid)];
  assign {snd_none, snd_nxt}    = sent[index_t'(snd_sid)];
  assign tcp_snd_nxt            = sent[index_t'(tcp_sid)][31:0];
  assign frame_snd_nxt          = sent[index_t'(sid)][31:0];
  assign frame_fin              = fin_asked[index_t'(sid)];
  assign frame_fin_left         = fin_left[index_t'(sid)];
  always_ff @(posedge clk) begin
    if (header_wr) peers[index_t'(header_sid)] <= {header_tuple, header_mac};
    if (snd_wr || sent_wr) sent[sent_index] <= {snd_wr & snd_wr_syn, snd_wr ? snd_wr_nxt : sent_nxt};
    if (snd_wr) fin_asked[index_t'(snd_wr_sid)] <= ~snd_wr_syn;
    // A SYN leaves before its session's FIN is asked for
    if (asked_pop && !asked.no_session && (asked.flags & (SYN | FIN)) != 0) begin
      fin_left[index_t'(asked.sid)] <= (asked.flags & FIN) != 0;
    end
  end
  logic user_busy;
  assign tcp_snd_busy = (tcp_allocated != tcp_snd_nxt[$clog2(RING_BYTES)+1:0]) | (user_busy & (user_sid == tcp_sid));

  // --- The user's packets
  logic store_valid, store_first, store_flush;
  logic [USER2TCP_DATA_WIDTH-1:0] store_data;
  logic [$clog2(BYTES):0] store_bytes;
  logic [31:0] live_seq;
  logic go, live_may, begun, live_given, live_through, live_complete, live_done, live_bad, late;
  logic [15:0] live_length, live_csum, live_received, live_stored, live_sum_a, live_sum_b, live_sum_c;
  logic packet_wr, queue_room, queue_valid, queue_pop;
  logic stage_room, queue_waits;  // see toe_tx_outside
  toe_tx_user #(
      .SESSIONS(SESSIONS),
      .WIDTH(USER2TCP_DATA_WIDTH),
      .TX_DROP_IF_NOT_ESTABLISHED_EN(TX_DROP_IF_NOT_ESTABLISHED_EN)
  ) u_user (
      .clk,
      .rst,
      .s_axis_tdata,
      .s_axis_tkeep,
      .s_axis_tvalid,
      .s_axis_tready,
      .s_axis_tlast,
      .s_axis_tdest,
      .tx_length_given,
      .tx_length,
      .tx_csum_given,
      .tx_csum,
      .tick,
      .first_cap,
      .first_some,
      .first_full,
      .look_sid,
      .look_nxt,
      .look_open,
      .look_cap,
      .look_mss,
      .end_wr,
      .end_nxt,
      .end_done,
      .store_valid,
      .store_first,
      .store_data,
      .store_bytes,
      .store_flush,
      .go,
      .begun,
      .busy(user_busy),
      .sid(user_sid),
      .seq(live_seq),
      .given(live_given),
      .through(live_through),
      .length(live_length),
      .csum(live_csum),
      .received(live_received),
      .stored(live_stored),
      .complete(live_complete),
      .sum_a(live_sum_a),
      .sum_b(live_sum_b),
      .sum_c(live_sum_c),
      .late,
      .done(live_done),
      .bad(live_bad),
      .queue_empty(~queue_valid),
      .queue_room(queue_room & limits_ready & stage_room),
      .queue_wr(packet_wr),
      .queue_packet(packet),
      .event_valid,
      .event_ready,
      .event_code,
      .event_sid
  );
  toe_fifo #(
      .WIDTH($bits(packet_t)),
      .DEPTH(8)
  ) u_queue (
      .clk,
      .rst,
      .wr_valid(packet_wr),
      .wr_ready(),             // toe_tx_user looks at the room
      .wr_data (packet),
      .wr_room (queue_room),
      .rd_valid(queue_valid),
      .rd_ready(queue_pop),
      .rd_data (queue)
  );

  // --- The memory
  logic [BYTES-1:0] ring_wr_en;
  logic [$clog2(WORDS)-1:0] ring_wr_addr, ring_rd_addr;
  logic [USER2TCP_DATA_WIDTH-1:0] ring_wr_data, ring_rd_data;
  logic read_step, read_start, read_first;
  logic [31:0] read_seq, read_data;
  logic [15:0] read_fetched;
  toe_tx_store #(
      .SESSIONS(SESSIONS),
      .RING_BYTES(RING_BYTES),
      .WIDTH(USER2TCP_DATA_WIDTH)
  ) u_store (
      .clk,
      .valid(store_valid),
      .first(store_first),
      .data(store_data),
      .bytes(store_bytes),
      .flush(store_flush),
      .sid(user_sid),
      .seq(live_seq),
      .wr_en(ring_wr_en),
      .wr_addr(ring_wr_addr),
      .wr_data(ring_wr_data)
  );
  logic fetch, recent;
  if (MEM_LATENCY == 0) begin : gen_inside
    toe_tx_ring #(
        .WIDTH  (USER2TCP_DATA_WIDTH),
        .DEPTH  (WORDS),
        .LATENCY(RAM_LATENCY)
    ) u_ring (
        .clk,
        .wr_en  (ring_wr_en),
        .wr_addr(ring_wr_addr),
        .wr_data(ring_wr_data),
        .rd_en  (read_step),
        .rd_addr(ring_rd_addr),
        .rd_data(ring_rd_data)
    );
    assign stage_room                                                    = 1'b1;
    assign queue_waits                                                   = queue_valid;
    assign recent                                                        = 1'b0;
    assign {mem_rd_en, mem_rd_addr, mem_wr_en, mem_wr_addr, mem_wr_data} = '0;
    logic unused;
    assign unused = fetch;
  end else begin : gen_outside
    assign {mem_wr_en, mem_wr_addr, mem_wr_data} = {ring_wr_en, ring_wr_addr, ring_wr_data};
    toe_tx_outside #(
        .SESSIONS(SESSIONS),
        .RING_BYTES(RING_BYTES),
        .WIDTH(USER2TCP_DATA_WIDTH),
        .MSS(MSS),
        .LATENCY(MEM_LATENCY),
        .WRITE_LATENCY(MEM_WRITE_LATENCY)
    ) u_outside (
        .clk,
        .rst,
        .store_valid,
        .store_first,
        .store_flush,
        .wr_data(ring_wr_data),
        .room(stage_room),
        .packet_wr,
        .packet_pop(queue_pop),
        .packet_waits(queue_waits),
        .begun,
        .over(m_axis_tvalid & m_axis_tready & m_axis_tlast),
        .recent,
        .fetch,
        .sid,
        .seq(read_seq),
        .step(read_step),
        .start(read_start),
        .rd_addr(ring_rd_addr),
        .rd_data(ring_rd_data),
        .mem_rd_en,
        .mem_rd_addr,
        .mem_rd_data
    );
  end
  toe_tx_read #(
      .SESSIONS(SESSIONS),
      .RING_BYTES(RING_BYTES),
      .WIDTH(USER2TCP_DATA_WIDTH),
      .LATENCY(READ_LATENCY)
  ) u_read (
      .clk,
      .rst,
      .step(read_step),
      .start(read_start),
      .sid,
      .seq(read_seq),
      .fetched(read_fetched),
      .first(read_first),
      .data(read_data),
      .rd_addr(ring_rd_addr),
      .rd_data(ring_rd_data)
  );

  logic stale;
  toe_tx_stale #(
      .RING_BYTES(RING_BYTES)
  ) u_stale (
      .clk,
      .sid,
      .seq(read_seq),
      .written(frame_written),
      .fin(frame_fin),
      .busy(user_busy),
      .user_sid,
      .user_seq(live_seq),
      .received(live_received),
      .stale
  );

  // --- Requests and ACKs
  toe_fifo #(
      .WIDTH($bits(request_t)),
      .DEPTH(16)
  ) u_requests (
      .clk,
      .rst,
      .wr_valid(request_valid),
      .wr_ready(request_ready),
      .wr_data (request),
      .wr_room (),
      .rd_valid(asked_valid),
      .rd_ready(asked_pop),
      .rd_data (asked)
  );
  // A request takes its addresses from `peers` when it leaves: until then its session must not have another peer
  logic [4:0] waiting, waiting_q, before_q;
  logic pushed_q, popped_q;  // a cycle late, for the clock
  assign waiting     = waiting_q + 5'(pushed_q) - 5'(popped_q);
  assign tcp_settled = ~over & (before_q == 0);
  always_ff @(posedge clk) begin
    pushed_q  <= request_valid & request_ready;
    popped_q  <= asked_pop;
    waiting_q <= waiting;
    if (over) before_q <= waiting + 5'(request_valid);  // in this cycle, or later if there is no room
    else if (popped_q && before_q != 0) before_q <= before_q - 1'b1;
    if (rst) {pushed_q, popped_q, waiting_q, before_q} <= '0;
  end
  sid_t ack_head;
  logic ack_waits, ack_pending, ack_pop, aborted;
  toe_ack #(
      .SESSIONS(SESSIONS)
  ) u_ack (
      .clk,
      .rst,
      .delayed_ack (settings.delayed_ack),
      .tick,
      .note        (ack_valid),
      .note_sid    (ack_note_sid),
      .note_now    (ack_now),
      .over,
      .again       (aborted),
      .again_sid   (sid),
      .sent        (ack_sent),
      .sent_sid    (sid),
      .head_valid  (ack_waits),
      .head_sid    (ack_head),
      .head_pending(ack_pending),
      .head_pop    (ack_pop)
  );

  // --- Frames
  source_e source;
  logic may, served, user_begun;
  toe_tx_choose u_choose (
      .clk,
      .rst,
      .may,
      .served,
      .user_begun,
      .queue_waits,
      .request_waits(asked_valid),
      .ack_waits,
      .raw_waits    (s_raw_tvalid),
      .source,
      .live_may
  );
  iface_id_t iface_id;
  iface_t this_iface;
  always_comb begin
    this_iface = iface[0];
    for (int i = 1; i < INTERFACES; i++) if (iface_id == iface_id_t'(i)) this_iface = iface[i];
  end
  assign ack_sid = sid;
  toe_tx_frame #(
      .MSS(MSS),
      .RAM_LATENCY(READ_LATENCY),
      .FETCH_LATENCY(MEM_LATENCY),
      .TX_PUSH_BIT_VALUE(TX_PUSH_BIT_VALUE),
      .TIMESTAMPS_EN(TIMESTAMPS_EN),
      .SACK_EN(SACK_EN)
  ) u_frame (
      .clk,
      .rst,
      .source,
      .may,
      .served,
      .user_begun,
      .go(go & live_may),
      .begun,
      .look_sid,
      .queue,
      .queue_pop,
      .request(asked),
      .request_pop(asked_pop),
      .ack_head,
      .ack_pending,
      .ack_pop,
      .next_sid,
      .peer_tuple,
      .peer_mac,
      .alive,
      .sid,
      .snd_nxt(frame_snd_nxt),
      .fin_waits(frame_fin & ~frame_fin_left),
      .iface_id,
      .iface(this_iface),
      .settings,
      .ack_nxt,
      .room,
      .stamps,
      .sack,
      .sack_look,
      .ack_sent,
      .no_session,
      .advertise,
      .advertise_syn,
      .advertise_ack,
      .acked,
      .acked_nxt,
      .live_seq,
      .live_given,
      .live_through,
      .live_length,
      .live_csum,
      .live_received,
      .live_stored,
      .live_complete,
      .live_sum_a,
      .live_sum_b,
      .live_sum_c,
      .late,
      .live_done,
      .live_bad,
      .read_step,
      .read_start,
      .seq(read_seq),
      .read_fetched,
      .read_first,
      .read_data,
      .stale,
      .fetch,
      .recent,
      .sent_wr,
      .sent_ready(~snd_wr),
      .sent_sid,
      .sent_nxt,
      .aborted,
      .s_raw_tdata,
      .s_raw_tkeep,
      .s_raw_tready,
      .s_raw_tlast,
      .m_axis_tdata,
      .m_axis_tkeep,
      .m_axis_tvalid,
      .m_axis_tready,
      .m_axis_tlast,
      .m_axis_tuser
  );
endmodule
