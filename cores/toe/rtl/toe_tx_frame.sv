// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Frames to the MAC, word by word.
//
// Latency: 1 cycle from `go`, or from what toe_tx_choose has chosen, to the first word on m_axis; then a word a step (a
// cycle with m_axis_tready), whatever happens: what is missing ends the frame with m_axis_tuser.
//
//   IDLE   word 0 of the next frame is loaded in every cycle; it leaves if there is a reason
//   SUM    payload is read for its sum
//   SEND   a frame, from word_q
//   PASS   a raw frame
//   SKIP   a packet of a session whose connection is over is forgotten
//
//   step (earliest cycle)  0        1      2      3      4      5      6     7       ...  11     12
//   on m_axis              w0       w1     w2     w3     w4     w5     w6    w7           w11    w12
//   loaded                 w1       w2     w3     w4     w5     w6     w7    w8           w12    payload
//   needed                 ACK             length total         IP sum                    sum    memory
//
// Timestamps go between word 12 and the payload, which is three words later then.
//
// With the memory outside (FETCH_LATENCY cycles), what is read for a frame that was not begun while its packet came is asked for
// with the frame's first word, or before it: such a frame begins FETCH_LATENCY - 6 cycles later, if that is more than 0.  Its sum,
// where that is read, comes FETCH_LATENCY + 1 cycles later.
module toe_tx_frame
  import toe_pkg::*;
  import toe_tx_pkg::*;
  import ones_pkg::*;
#(
    parameter int MSS = 1460,
    parameter int RAM_LATENCY = 2,
    parameter int FETCH_LATENCY = 0,  // 0: the memory is inside
    parameter bit TX_PUSH_BIT_VALUE = 1'b1,
    parameter bit TIMESTAMPS_EN = 1'b0,
    parameter bit SACK_EN = 1'b0
) (
    input logic clk,
    input logic rst,

    // The next frame
    input  source_e  source,
    output logic     may,          // to toe_tx_choose
    output logic     served,
    output logic     user_begun,
    input  logic     go,           // the live packet may begin
    output logic     begun,
    input  sid_t     look_sid,     // its session
    input  packet_t  queue,
    output logic     queue_pop,
    input  request_t request,
    output logic     request_pop,
    input  sid_t     ack_head,
    input  logic     ack_pending,
    output logic     ack_pop,

    // Tables, combinational
    output sid_t             next_sid,       // of the next frame
    input  tuple_t           peer_tuple,
    input  logic      [47:0] peer_mac,
    input  logic             alive,          // the session of queue
    output sid_t             sid,            // of this frame
    input  logic      [31:0] snd_nxt,
    input  logic             fin_waits,      // snd_nxt counts a FIN that has not left
    output iface_id_t        iface_id,
    input  iface_t           iface,
    input  settings_t        settings,       // TTL and DSCP
    input  logic      [31:0] ack_nxt,
    input  logic      [15:0] room,           // the window to advertise, two cycles after `advertise`
    input  stamp_tx_t        stamps,
    input  sack_tx_t         sack,
    output logic             sack_look,
    output logic             ack_sent,       // they have been looked up for a frame of session sid
    output logic             no_session,     // it is of no session, from its second cycle on
    output logic             advertise,      // and so has the window, with an ACK number or not
    output logic             advertise_syn,
    output logic             advertise_ack,
    output logic             acked,          // a frame of session sid has been sent, with this ACK number
    output logic      [31:0] acked_nxt,

    // The live packet, see toe_tx_user
    input  logic [31:0] live_seq,
    input  logic        live_given,
    input  logic        live_through,
    input  logic [15:0] live_length,
    input  logic [15:0] live_csum,
    input  logic [15:0] live_received,
    input  logic [15:0] live_stored,
    input  logic        live_complete,
    input  logic [15:0] live_sum_a,
    input  logic [15:0] live_sum_b,
    input  logic [15:0] live_sum_c,
    output logic        late,
    input  logic        live_done,
    input  logic        live_bad,

    // The memory, see toe_tx_read
    output logic        read_step,
    output logic        read_start,
    output logic [31:0] seq,
    input  logic [15:0] read_fetched,
    input  logic        read_first,
    input  logic [31:0] read_data,
    input  logic        stale,         // it may have been overwritten, see toe_tx_stale

    // The memory outside, see toe_tx_fetch: sid and seq are those of what will be read
    output logic fetch,
    input  logic recent, // what has just been sent may not show there yet

    // A packet of the user's has been sent (or forgotten)
    output logic        sent_wr,
    input  logic        sent_ready,
    output sid_t        sent_sid,
    output logic [31:0] sent_nxt,
    output logic        aborted,     // a frame of session sid that piggybacked an ACK was aborted

    input  logic [31:0] s_raw_tdata,
    input  logic [ 3:0] s_raw_tkeep,
    output logic        s_raw_tready,
    input  logic        s_raw_tlast,

    output logic [31:0] m_axis_tdata,
    output logic [ 3:0] m_axis_tkeep,
    output logic        m_axis_tvalid,
    input  logic        m_axis_tready,
    output logic        m_axis_tlast,
    output logic        m_axis_tuser
);
  // Payload is asked for with the word that leaves so many steps before it is loaded
  localparam logic [7:0] PUSH = {4'h0, TX_PUSH_BIT_VALUE, 3'h0};
  localparam logic [3:0] READ = 4'd12 - 4'(RAM_LATENCY + 3);
  if (RAM_LATENCY < 1 || RAM_LATENCY > 6) begin : gen_bad_latency
    $error("toe_tx: RAM_LATENCY must be 1 to 6");
  end
  // Sums of the options, as sent
  localparam logic [15:0] OPTIONS_MSS = swap16(16'h0204 + 16'(MSS));
  localparam logic [15:0] OPTIONS_BOTH = swap16(16'h0204 + 16'(MSS) + 16'h0103 + 16'h0300);

  typedef enum logic [2:0] {
    IDLE,
    SUM,
    SEND,
    PASS,
    SKIP
  } state_e;
  state_e state_q;

  // --- The next frame.  What takes from queues does not look at `go`, which comes late.
  logic idle, start, start_queue, start_request, start_ack, start_raw, sum_start, skip;
  logic asked;  // what this frame needs has been asked for, long enough ago
  logic sum_first, sum_wait;  // the reading for a sum begins in the next cycle; it waits for the memory
  logic summed_q;  // the sum of its payload is in csum_q
  assign idle = state_q == IDLE;
  assign sum_start     = idle & ~summed_q
                         & ((source == QUEUE & queue.sum & alive)
                            | (source == REQUEST & request.length != 0 & ~recent));
  assign skip = idle & (source == QUEUE) & ~alive;
  assign begun = idle & (source == LIVE) & go;
  assign start_queue = idle & (source == QUEUE) & alive & (~queue.sum | summed_q) & asked;
  assign start_request = idle & (source == REQUEST) & (request.length == 0 | (summed_q & asked));
  assign start_ack = idle & (source == ACKS) & ack_pending;
  assign start_raw = idle & (source == RAW);
  assign start = begun | start_queue | start_request | start_ack;
  assign queue_pop = start_queue | skip;
  assign request_pop = start_request;
  assign ack_pop = idle & (source == ACKS);
  assign served = queue_pop | start_request | ack_pop | start_raw;
  assign user_begun = begun | queue_pop;  // what is skipped, too: others wait after it
  always_comb begin
    // RAW has no session: so the low bits choose, in front of a large table
    case (source[1:0])
      2'(QUEUE): next_sid = queue.sid;
      2'(REQUEST): next_sid = request.sid;
      2'(ACKS): next_sid = ack_head;
      default: next_sid = look_sid;
    endcase
  end

  // --- This frame
  logic first_q;  // its first cycle
  logic head_q;  // its word 0 is on m_axis, and it is of a session: tables have little time after m_axis_tready
  logic before_fin_q;  // its number is one too high
  logic [1:0] acked_q;  // its ACK number has been looked up
  logic user_q, live_q, took_q, no_session_q, options_q, scale_q, ack_frame_q, spoil_q, waited_q;
  tuple_t tuple_q;
  logic [15:0] dmac_q, length_q, csum_q, total_q, window_q;
  logic [31:0] seq_q, ack_q, no_session_ack_q, nxt_q;
  logic [7:0] flags_q;
  logic [3:0] index_q, index, offset;
  logic [31:0] word_q;
  logic [ 3:0] keep_q;
  logic last_q, bad_q, valid_q;
  assign seq      = seq_q;
  assign iface_id = tuple_q.iface;

  logic step, load, raw_load;
  assign step = (state_q == SEND) & m_axis_tready;
  assign load = step & ~last_q;
  assign raw_load = (state_q == PASS) & m_axis_tready & ~last_q;
  assign may = idle | ((state_q == SEND | state_q == PASS) & last_q);
  assign advertise = head_q & m_axis_tready;
  // A frame piggybacks the pending ACK, except where the peer may drop the frame as old, with its ACK: a probe, or a
  // retransmission.  A frame of data does not while there are blocks to report, as it carries none
  assign ack_sent = advertise & flags_q[4] & ~((~user_q | (SACK_EN & sack.some)) & ~ack_frame_q &
                                          ((flags_q & (FIN | SYN | RST)) == 0));
  assign no_session = no_session_q;
  assign advertise_syn = flags_q[1];
  assign advertise_ack = flags_q[4];

  // Timestamps: three words before the payload or the other options
  logic stamped;
  logic [31:0] stamp, echo;
  if (TIMESTAMPS_EN) begin : gen_stamps
    stamp_tx_t stamps_q;
    always_ff @(posedge clk) begin
      if (step && index_q == 0) begin
        stamps_q.on    <= stamps.on & ~no_session_q;
        stamps_q.stamp <= stamps.stamp;
        stamps_q.echo  <= flags_q[4] ? stamps.echo : '0;
      end
    end
    assign {stamped, stamp, echo} = stamps_q;
    assign acked                  = step & last_q & ~bad_q & flags_q[4] & ~no_session_q;
    assign acked_nxt              = ack_q;
  end else begin : gen_no_stamps
    assign {stamped, stamp, echo, acked, acked_nxt} = '0;
  end

  // Blocks of an ACK, and all options of a SYN that has SACK-permitted
  logic sack_on;
  logic [3:0] sack_words;
  logic [15:0] sack_sum;
  logic [31:0] data;
  if (SACK_EN) begin : gen_sack
    logic [31:0] sack_data;
    toe_sack_send #(
        .MSS(MSS)
    ) u_sack (
        .clk,
        .begins  (step & (index_q == 0)),
        .ack_only(ack_frame_q),
        .syn     (options_q),
        .scale   (scale_q),
        .sack,
        .prepare ((state_q == SEND) & (index_q == 4'd8)),
        .load    (load & (index == PAYLOAD)),
        .stamped,
        .on      (sack_on),
        .words   (sack_words),
        .sum     (sack_sum),
        .data    (sack_data)
    );
    // The sum of a payload is read while the last frame's options are still there
    assign data      = sack_on & state_q != SUM ? sack_data : read_data;
    assign sack_look = acked_q[0];
  end else begin : gen_no_sack
    assign {sack_on, sack_words, sack_sum, sack_look} = '0;
    assign data                                       = read_data;
  end
  assign offset = (sack_on ? 4'd5 + sack_words : !options_q ? 4'd5 : scale_q ? 4'd7 : 4'd6) + (stamped ? 4'd3 : 4'd0);
  always_comb begin
    case (index_q)
      4'd2: index = iface.vlan_on ? VLAN : 4'd3;
      VLAN: index = 4'd3;
      PAYLOAD: index = PAYLOAD;
      default: index = index_q ^ {&index_q[2:0], &index_q[1:0], index_q[0], 1'b1};  // + 1, without a carry chain
    endcase
  end

  // --- Words
  logic [31:0] header, word;
  logic [15:0] ip, tcp;
  logic [3:0] keep;
  logic last;
  logic sum_load, sum_first_q, sum_run_q, sum_add_q, sum_end_q;
  assign sum_load = (state_q == SUM) & ~sum_wait & ~sum_first_q & ~sum_end_q & (read_first | sum_run_q);
  toe_tx_header u_header (
      .index,
      .dmac(dmac_q),
      .iface,
      .tuple(tuple_q),
      .settings,
      .total(total_q),
      .seq(seq_q),
      .ack(ack_q),
      .offset,
      .flags(flags_q),
      .window(window_q),
      .ip,
      .tcp,
      .word(header)
  );
  logic own_sum_q;  // it comes from the packet that is under way
  // A cycle after live_q, which has time: the sum is needed for word 12, and stays for a while when its packet is over
  always_ff @(posedge clk) own_sum_q <= live_q & ~live_through;
  toe_tx_csum u_csum (
      .clk,
      .step,
      .index(index_q),
      .iface,
      .tuple(tuple_q),
      .settings,
      .total(total_q),
      .seq(seq_q),
      .ack(ack_q),
      .offset,
      .flags(flags_q),
      .window(window_q),
      .stamped,
      .stamp,
      .echo,
      .sum_a(own_sum_q ? live_sum_a : csum_q),
      .sum_b((live_sum_b & {16{own_sum_q}}) | sack_sum),
      .sum_c(live_sum_c & {16{own_sum_q}}),
      .ip,
      .tcp
  );
  logic [15:0] behind;
  always_comb begin
    behind = !options_q ? length_q : scale_q ? 16'd8 : 16'd4;
    if (sack_on && state_q != SUM) behind = {10'd0, sack_words, 2'b00};
  end
  toe_tx_payload #(
      .MSS(MSS)
  ) u_payload (
      .clk,
      .prepare((state_q == SEND) & (index_q == 4'd8) | sum_first_q),
      .length(behind + (stamped & state_q != SUM ? 16'd12 : 16'd0)),
      .load(sum_load | (load & (index == PAYLOAD))),
      .first(state_q == SUM ? read_first : index_q == 4'd12),
      .options(options_q & ~sack_on),
      .scale(scale_q),
      .stamped(stamped & state_q != SUM),
      .stamp,
      .echo,
      .data,
      .word,
      .keep,
      .last
  );
  logic [31:0] masked, masked_q;
  always_comb for (int i = 0; i < 4; i++) masked[8*i+:8] = word[8*i+:8] & {8{keep[i]}};
  logic [3:0] read_at;
  assign read_at    = READ + (stamped ? 4'd3 : 4'd0);
  assign read_step  = step | ((state_q == SUM) & ~sum_wait);
  assign read_start = sum_first_q | ((state_q == SEND) & (index_q == read_at));

  // --- The memory outside
  if (FETCH_LATENCY != 0) begin : gen_outside
    localparam int HOLD = FETCH_LATENCY > 6 ? FETCH_LATENCY - 6 : 0;
    localparam int CB = $clog2(FETCH_LATENCY + 2);
    logic wants;  // the frame that is next could begin, and will be read
    logic sum_fetch_q;
    logic [CB-1:0] held_q, sum_left_q;
    assign wants = idle & ((source == QUEUE & alive & (~queue.sum | summed_q))
                           | (source == REQUEST & request.length != 0 & summed_q));
    assign asked = 32'(held_q) == HOLD;
    assign fetch = sum_fetch_q | (HOLD == 0 ? first_q & ~live_q & (length_q != 0) : idle & (held_q == CB'(1)));
    assign sum_first = sum_left_q == CB'(1);
    assign sum_wait = sum_left_q != 0;
    always_ff @(posedge clk) begin
      held_q      <= wants & ~asked ? held_q + 1'b1 : '0;
      sum_fetch_q <= sum_start;
      sum_left_q  <= sum_start ? CB'(FETCH_LATENCY + 1) : sum_left_q - CB'(sum_wait);
      if (rst) {held_q, sum_fetch_q, sum_left_q} <= '0;
    end
  end else begin : gen_inside
    assign asked             = 1'b1;
    assign {fetch, sum_wait} = '0;
    assign sum_first         = sum_start;
  end

  // --- What the user failed to give in time, or gave wrong: the frame ends with the word that is loaded next
  // Or a frame is sent again whose bytes are gone.
  logic live, no_sum, no_bytes, no_end, gone, spoil;
  assign live     = live_q & ~live_done;
  assign no_sum   = load & (index == 4'd12) & ~live_through & ~live_complete;
  // The packet's last beat, too, is in the memory only when it is done
  assign no_bytes = load & waited_q & (read_fetched > live_stored);
  assign no_end   = load & (index == PAYLOAD) & last;
  assign late     = live & (no_sum | no_bytes | no_end);
  assign gone     = load & (index == PAYLOAD) & stale & ~user_q & (length_q != 0);
  assign spoil    = spoil_q | late | gone | (live_q & live_done & live_bad);

  always_ff @(posedge clk) begin
    // The frame that may begin
    if (idle) begin
      sid <= next_sid;
      tuple_q <= source == REQUEST && request.no_session ? request.tuple : peer_tuple;
      dmac_q <= source == REQUEST && request.no_session ? request.peer_mac[15:0] : peer_mac[15:0];
      no_session_q <= source == REQUEST & request.no_session;
      no_session_ack_q <= request.ack;
      user_q <= source == LIVE | source == QUEUE;
      live_q <= begun;
      ack_frame_q <= source == ACKS;
      options_q <= source == REQUEST & request.options;
      scale_q <= request.scale;
      flags_q     <= source == REQUEST ? request.flags | (request.length != 0 ? PUSH : 8'h0)
                     : source == ACKS ? ACK : ACK | PUSH;
      seq_q <= source == QUEUE ? queue.seq : request.seq;
      length_q <= source == QUEUE ? queue.length : source == REQUEST ? request.length : '0;
      if (!summed_q) begin
        csum_q <= '0;
        if (source == QUEUE) csum_q <= queue.csum;
        else if (source == REQUEST && request.options) csum_q <= request.scale ? OPTIONS_BOTH : OPTIONS_MSS;
      end
      index_q <= 4'd0;
      spoil_q <= 1'b0;
      waited_q <= 1'b0;
      word_q <= start_raw ? s_raw_tdata : swap32(
          source == REQUEST && request.no_session ? request.peer_mac[47:16] : peer_mac[47:16]
      );
      keep_q <= start_raw ? s_raw_tkeep : 4'hf;
      last_q <= start_raw & s_raw_tlast;
      bad_q <= 1'b0;
    end
    first_q <= start;
    head_q  <= idle ? start & ~(source == REQUEST & request.no_session) : head_q & ~m_axis_tready;
    if (first_q && live_q) begin
      seq_q    <= live_seq;
      length_q <= live_length;
      csum_q   <= live_csum;
    end
    if (first_q && ack_frame_q) seq_q <= snd_nxt;
    // Needed two cycles later.  A pure ACK has the number of what leaves next
    before_fin_q <= first_q & ack_frame_q & fin_waits;
    if (before_fin_q) seq_q <= seq_q - 1'b1;
    if (live_q && !live_given && !first_q) length_q <= live_received;
    total_q <= length_q + {10'd0, offset, 2'b00} + 16'd20;
    nxt_q   <= seq_q + 32'(length_q);
    if (step && index_q == 0) begin
      ack_q <= (no_session_q ? no_session_ack_q : ack_nxt) & {32{flags_q[4]}};  // 0 without ACK
    end
    acked_q <= {acked_q[0], step & (index_q == 0)};
    if (acked_q[1]) window_q <= no_session_q ? '0 : room;

    // The user's packet has ended, or its frame is aborted
    if (live_q && live_done) begin
      live_q <= 1'b0;
      if (!live_through) csum_q <= live_sum_a;
    end
    if (late) live_q <= 1'b0;
    if (state_q == SEND) spoil_q <= spoil;

    // Words
    if (load) begin
      index_q <= index;
      word_q  <= index == PAYLOAD ? word : header;
      keep_q  <= spoil || index != PAYLOAD ? 4'hf : keep;
      last_q  <= spoil | (index == PAYLOAD & last);
      bad_q   <= spoil;
      if (index_q == read_at) waited_q <= 1'b1;
    end
    if (raw_load) begin
      word_q <= s_raw_tdata;
      keep_q <= s_raw_tkeep;
      last_q <= s_raw_tlast;
    end

    // The sum of a payload
    sum_first_q <= sum_first;
    sum_run_q   <= sum_load;
    sum_add_q   <= sum_load & ~rst;
    sum_end_q   <= sum_load & last;
    masked_q    <= masked;
    if (sum_first_q) csum_q <= '0;
    else if (sum_add_q) csum_q <= ones_add3(csum_q, masked_q[31:16], masked_q[15:0]);
    summed_q <= (summed_q | (sum_add_q & sum_end_q)) & ~served;

    // SND.NXT
    if (sent_ready) sent_wr <= 1'b0;
    if ((step && last_q && !bad_q && user_q) || state_q == SKIP && waited_q) begin
      sent_wr  <= 1'b1;
      sent_sid <= sid;
      sent_nxt <= nxt_q;
    end
    if (step && index_q == 0) took_q <= ack_sent;
    aborted <= step & last_q & bad_q & took_q;

    case (state_q)
      IDLE:
      if (start) state_q <= SEND;
      else if (start_raw) state_q <= PASS;
      else if (sum_start) state_q <= SUM;
      else if (skip) state_q <= SKIP;
      SUM: if (sum_add_q && sum_end_q) state_q <= IDLE;
      SEND, PASS: if (m_axis_tready && last_q) state_q <= IDLE;
      default: begin
        waited_q <= 1'b1;
        if (waited_q) state_q <= IDLE;
      end
    endcase
    valid_q <= idle ? start | start_raw : valid_q & ~(m_axis_tready & last_q);
    if (rst) begin
      state_q <= IDLE;
      valid_q <= 1'b0;
      summed_q <= 1'b0;
      sent_wr <= 1'b0;
      aborted <= 1'b0;
      live_q <= 1'b0;
      sum_first_q <= 1'b0;
      first_q <= 1'b0;
      head_q <= 1'b0;
    end
  end
  assign s_raw_tready  = start_raw | raw_load;
  assign m_axis_tdata  = word_q;
  assign m_axis_tkeep  = keep_q;
  assign m_axis_tvalid = valid_q;
  assign m_axis_tlast  = last_q;
  assign m_axis_tuser  = bad_q;
endmodule
