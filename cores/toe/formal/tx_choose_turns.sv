// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Proof of toe_tx_choose with toe_tx_frame, toe_tx_payload and toe_tx_read, for any packets, requests, ACKs and raw frames,
// sessions that end and resets at any time, and any line:
//   - one grant: never two sources in one cycle, and none while a frame is under way;
//   - whole frames: after the first word there is one in every cycle until the last; a raw frame has its source's words
//     and no others, in order; any other frame takes no raw word and stays with its session;
//   - an offered word stays until it is taken;
//   - no starvation: while a request, an ACK or a raw frame waits, each of the other two has one turn at most, and the user
//     three before each of the three: 11 turns.  While a packet of the queue waits, the others together have one.
//     A turn is a frame, or what is dropped instead: a packet of a connection that is over, an ACK that is not pending;
//   - a turn ends: with a line that takes a word in STALL cycles at the latest, one that is asked for begins within
//     TURN cycles after the last one.
// Given: what waits stays until it is taken; a raw frame does not pause; a live packet begins only with an empty queue
// (toe_tx_user); no segment is longer than MSS.
module tx_choose_turns
  import toe_pkg::*;
  import toe_tx_pkg::*;
#(
    parameter bit INVARIANTS = 1'b1,
    parameter bit CALM = 1'b0,  // no reset but the first, all data 0, a line that is always ready
    parameter int RAM_LATENCY = 2,
    parameter int MSS = 60,  // nothing depends on it but TURN; the options of a SYN are shorter
    parameter int STALL = 3
) (
    input logic             clk,
    input logic             rst,
    input logic      [ 1:0] any,            // the source that is followed: request, ACK, raw, queue
    input logic             go,
    input sid_t             look_sid,
    input logic             queue_waits,
    input packet_t          queue,
    input logic             request_waits,
    input request_t         request,
    input logic             ack_waits,
    input sid_t             ack_head,
    input logic             ack_pending,
    input tuple_t           peer_tuple,
    input logic      [47:0] peer_mac,
    input logic             alive,
    input logic      [31:0] snd_nxt,
    input logic             fin_waits,
    input iface_t           iface,
    input settings_t        settings,
    input logic      [31:0] ack_nxt,
    input logic      [15:0] room,
    input logic      [31:0] live_seq,
    input logic             live_given,
    input logic             live_through,
    input logic      [15:0] live_length,
    input logic      [15:0] live_csum,
    input logic      [15:0] live_received,
    input logic      [15:0] live_stored,
    input logic             live_complete,
    input logic      [15:0] live_sum_a,
    input logic      [15:0] live_sum_b,
    input logic      [15:0] live_sum_c,
    input logic             live_done,
    input logic             live_bad,
    input logic      [31:0] rd_data,
    input logic             stale,
    input logic             sent_ready,
    input logic      [31:0] s_raw_tdata,
    input logic      [ 3:0] s_raw_tkeep,
    input logic             s_raw_tvalid,
    input logic             s_raw_tlast,
    input logic             m_axis_tready
);
  source_e source;
  logic may, served, user_begun, live_may, begun, queue_pop, request_pop, ack_pop;
  toe_tx_choose choose (
      .clk,
      .rst,
      .may,
      .served,
      .user_begun,
      .queue_waits,
      .request_waits,
      .ack_waits,
      .raw_waits(s_raw_tvalid),
      .source,
      .live_may
  );
  sid_t next_sid, sid, sent_sid;
  iface_id_t iface_id;
  logic
      no_session,
      advertise,
      advertise_syn,
      advertise_ack,
      ack_sent,
      acked,
      late,
      read_step,
      read_start,
      read_first,
      sent_wr,
      aborted;
  logic [15:0] window, read_fetched;
  logic [31:0] acked_nxt, seq, read_data, sent_nxt;
  logic [9:0] rd_addr;
  logic fetch, recent;
  assign recent = 1'b0;
  logic s_raw_tready, m_axis_tvalid, m_axis_tlast, m_axis_tuser;
  logic [31:0] m_axis_tdata;
  logic [ 3:0] m_axis_tkeep;
  toe_tx_frame #(
      .MSS(MSS),
      .RAM_LATENCY(RAM_LATENCY)
  ) frame (
      .go(go & live_may),
      .stamps('0),
      .sack('0),
      .sack_look(),
      .*
  );
  toe_tx_read #(
      .SESSIONS(2),
      .RING_BYTES(2048),
      .WIDTH(32),
      .LATENCY(RAM_LATENCY)
  ) read (
      .step(read_step),
      .start(read_start),
      .fetched(read_fetched),
      .first(read_first),
      .data(read_data),
      .*
  );

  // --- Grants
  logic raw_begins, queue_begins, request_begins, ack_begins, begins;
  logic [2:0] grants;
  assign raw_begins     = served & (source == RAW);
  assign queue_begins   = queue_pop & alive;
  assign request_begins = request_pop;
  assign ack_begins     = ack_pop & ack_pending;
  assign begins         = begun | queue_begins | request_begins | ack_begins | raw_begins;
  assign grants         = 3'(begun) + 3'(queue_pop) + 3'(request_pop) + 3'(ack_pop) + 3'(raw_begins);

  // --- The frame under way
  logic began_q = 1'b0;
  logic under_q, raw_q, raw_within_q, new_q, gave, given_q;
  logic [1:0] age_q;  // cycles behind new_q
  sid_t sid_q;
  logic [36:0] raw_word_q;
  assign gave = m_axis_tvalid & m_axis_tready;
  always_ff @(posedge clk) begin
    began_q <= 1'b1;
    if (begins) {under_q, raw_q, sid_q} <= {1'b1, raw_begins, next_sid};
    else if (gave && m_axis_tlast) under_q <= 1'b0;
    if (s_raw_tvalid && s_raw_tready) raw_word_q <= {s_raw_tlast, s_raw_tkeep, s_raw_tdata};
    new_q   <= begins;
    age_q   <= begins ? '0 : age_q + 2'(age_q != '1);
    given_q <= live_given;
    if (rst) {under_q, new_q} <= '0;
  end

  // --- The source that is followed: turns since it waits, or since its last one
  logic [1:0] chosen_q;
  logic waits, own, other_turn, user_turn;
  logic [2:0] turns;  // of request, ACK, raw
  logic [2:0] other_q;
  logic [3:0] user_q;
  logic [2:0] row_q;  // of the user in a row
  logic [1:0] queue_q;  // of the others while a packet waits
  assign turns      = {raw_begins, ack_pop, request_pop};
  assign user_turn  = begun | queue_pop;
  assign other_turn = turns != 0;
  always_comb begin
    case (chosen_q)
      2'd0: {waits, own} = {request_waits, request_pop};
      2'd1: {waits, own} = {ack_waits, ack_pop};
      2'd2: {waits, own} = {s_raw_tvalid & ~raw_within_q, raw_begins};
      default: {waits, own} = {queue_waits, queue_pop};
    endcase
  end
  always_ff @(posedge clk) begin
    if (!began_q) chosen_q <= any;
    other_q <= other_q | turns;
    user_q  <= user_q + 4'(user_turn && user_q != '1);
    row_q   <= other_turn ? '0 : row_q + 3'(user_turn && row_q != '1);
    queue_q <= queue_q + 2'(other_turn && queue_q != '1);
    if (!waits || own) {other_q, user_q, row_q, queue_q} <= '0;
    if (rst) {other_q, user_q, row_q, queue_q} <= '0;
  end

  // --- Time: from a turn, or from when something waits, to the next turn
  localparam int WORDS = (MSS + 5) / 4;  // behind the header: 15 words of it with VLAN
  localparam int SUMMING = RAM_LATENCY + 3 + WORDS + 3;
  localparam int CHOOSING = 2 + SUMMING;
  localparam int TURN = (15 + WORDS) * STALL + CHOOSING;
  logic [11:0] time_q;
  logic [2:0] stall_q;
  logic some;
  assign some = queue_waits | request_waits | ack_waits | s_raw_tvalid;
  always_ff @(posedge clk) begin
    stall_q <= m_axis_tready ? '0 : stall_q + 1'b1;
    time_q  <= (!some || grants != 0 || (under_q && raw_q)) ? '0 : time_q + 12'(time_q != '1);
    if (rst) {stall_q, time_q} <= '0;
  end

  // --- The cycle before
  logic held_q, queue_held_q, request_held_q, ack_held_q, raw_held_q, alive_q;
  logic [37:0] word_q;
  packet_t queue_q1;
  request_t request_q;
  sid_t ack_head_q;
  logic [36:0] raw_offer_q;
  always_ff @(posedge clk) begin
    held_q         <= m_axis_tvalid & ~m_axis_tready & ~rst;
    word_q         <= {m_axis_tuser, m_axis_tlast, m_axis_tkeep, m_axis_tdata};
    queue_held_q   <= queue_waits & ~queue_pop & ~rst;
    request_held_q <= request_waits & ~request_pop & ~rst;
    ack_held_q     <= ack_waits & ~ack_pop & ~rst;
    raw_held_q     <= s_raw_tvalid & ~s_raw_tready & ~rst;
    raw_offer_q    <= {s_raw_tlast, s_raw_tkeep, s_raw_tdata};
    queue_q1       <= queue;
    request_q      <= request;
    ack_head_q     <= ack_head;
    if (s_raw_tvalid && s_raw_tready) raw_within_q <= ~s_raw_tlast;
    if (rst) raw_within_q <= 1'b0;
  end

  // --- For the invariants: the cycles to the next turn, at most
  typedef enum logic [2:0] {
    IDLE,
    SUM,
    SEND,
    PASS,
    SKIP
  } state_e;  // as in toe_tx_frame
  logic [ 2:0] state;
  logic [ 3:0] index;
  logic [13:0] words_left;
  int words, cycles, at;
  assign state = frame.state_q;
  assign index = frame.index_q;
  assign words_left = frame.u_payload.left_q;
  always_comb begin
    if (frame.last_q) words = 0;
    else if (index == PAYLOAD) words = 32'(words_left);
    else if (index == VLAN) words = 10 + WORDS;
    else if (index <= 4'd2) words = 13 - 32'(index) + WORDS;
    else words = 12 - 32'(index) + (index > 4'd8 ? 32'(words_left) : WORDS);
    at = 0;
    for (int i = 0; i < RAM_LATENCY + 3; i++) if (read.first_q[i]) at = i;
    case (state)
      IDLE: cycles = source == LIVE ? CHOOSING : frame.summed_q ? 0 : CHOOSING - 1;
      SUM:
      if (frame.sum_first_q) cycles = SUMMING;
      else if (frame.sum_end_q) cycles = 1;
      else if (frame.sum_run_q) cycles = 1 + 32'(words_left);
      else cycles = RAM_LATENCY + 3 - at + 32'(words_left);
      SEND: cycles = words * STALL + STALL - 32'(stall_q) + CHOOSING;
      PASS: cycles = STALL + CHOOSING;
      default: cycles = 2 - 32'(frame.waited_q) + CHOOSING;
    endcase
  end
  // How far behind the one that is followed
  function automatic logic [1:0] behind(input logic [1:0] x);
    logic [2:0] sum;
    sum = 3'(x) + 3'd3 - 3'(chosen_q);
    behind = sum >= 3'd3 ? 2'(sum - 3'd3) : 2'(sum);
  endfunction
  logic [1:0] served_others;
  assign served_others = 2'(other_q[0]) + 2'(other_q[1]) + 2'(other_q[2]);

  always_comb begin
    if (!began_q) assume (rst);
    if (CALM) begin
      assume ((!began_q || !rst) && m_axis_tready && s_raw_tdata == '0 && s_raw_tkeep == '1 && rd_data == '0);
      assume (queue.seq == '0 && request.seq == '0 && request.tuple == '0 && peer_tuple == '0 && live_seq == '0);
      assume (iface == '0 && settings == '0 && {peer_mac, request.peer_mac, snd_nxt, ack_nxt, room} == '0);
    end
    if (began_q) begin
      if (queue_held_q) assume (queue_waits && queue == queue_q1);
      if (request_held_q) assume (request_waits && request == request_q);
      if (ack_held_q) assume (ack_waits && ack_head == ack_head_q);
      if (raw_held_q) assume (s_raw_tvalid && {s_raw_tlast, s_raw_tkeep, s_raw_tdata} == raw_offer_q);
      if (raw_within_q) assume (s_raw_tvalid);
    end
    if (go) assume (!queue_waits);
    assume (32'(queue.length) <= MSS && 32'(request.length) <= MSS);
    assume (32'(live_length) <= MSS && 32'(live_received) <= MSS);
    // A live packet of which nothing was said has ended when its frame begins
    if (began_q && frame.live_q && age_q != 0) assume (live_given == given_q);
    if (frame.live_q && !live_given && age_q >= 2'd2) assume (live_done);
    assume (m_axis_tready || stall_q < 3'(STALL - 1));
    // SYN is alone; what is in the queue is not empty
    assume (queue.length != 0 && (!request.options || request.length == 0));

    if (began_q) begin
      // --- The claim.  Grants
      assert (grants <= (under_q ? 3'd0 : 3'd1));
      // Frames
      assert (m_axis_tvalid == under_q);
      if (held_q) assert (m_axis_tvalid && {m_axis_tuser, m_axis_tlast, m_axis_tkeep, m_axis_tdata} == word_q);
      if (under_q && raw_q) assert ({m_axis_tlast, m_axis_tkeep, m_axis_tdata} == raw_word_q && !m_axis_tuser);
      if (s_raw_tvalid && s_raw_tready) assert (raw_begins || (under_q && raw_q && gave && !m_axis_tlast));
      if (under_q && raw_q && gave && !m_axis_tlast) assert (s_raw_tready);
      if (under_q && !raw_q) assert (sid == sid_q);
      // A grant is of one who waits
      assert (!queue_pop || queue_waits);
      assert (!request_pop || request_waits);
      assert (!ack_pop || ack_waits);
      assert (!raw_begins || s_raw_tvalid);
      // Turns
      if (chosen_q == 2'd3)
        assert (queue_q <= 2'd1);
        else begin
          assert (user_q <= 4'd9 && row_q <= 3'd3);
          assert ((other_q & turns) == 0 || own || !waits);
        end
      assert (32'(time_q) <= TURN);
      // --- Invariants
      if (INVARIANTS) begin
        // The frame
        assert (state <= SKIP && under_q == (state == SEND || state == PASS) && under_q == frame.valid_q);
        assert (!under_q || raw_q == (state == PASS));
        assert (raw_within_q == (state == PASS && !m_axis_tlast));
        if (state == SEND) assert (index <= PAYLOAD || index == VLAN);
        if (frame.live_q) assert (!frame.options_q && (state == SEND || (state == IDLE && live_given)));
        if (frame.live_q && !live_given) assert (age_q <= 2'd2);
        assert (new_q == (age_q == 0 && state == SEND && frame.first_q) || raw_q || !under_q);
        if (state == SEND || state == SUM)
          assert (32'(frame.length_q) <= MSS && (!frame.options_q || frame.length_q == 0));
        if (state == SEND && !frame.last_q && index > 4'd8 && index != VLAN)
          assert (words_left != 0 && 32'(words_left) <= WORDS);
        // The choice
        assert (source <= RAW && choose.turn_q <= 2'd2);
        if (state == PASS) assert (choose.passed_q == 0);
        if (source == QUEUE) assert (queue_waits && choose.passed_q != 2'd3);
        if (source == REQUEST) assert (request_waits && choose.turn_q == 2'd0);
        if (source == ACKS) assert (ack_waits && choose.turn_q == 2'd1);
        if (source == RAW) assert (s_raw_tvalid && !raw_within_q && choose.turn_q == 2'd2);
        if (choose.passed_q == 2'd3 && !choose.enough_q)
          assert ((state == SEND && new_q) || (state == SKIP && !frame.waited_q) || !choose.other);
        // Payload read for its sum
        assert (state == SUM || !frame.sum_first_q);
        if (frame.summed_q || state == SUM) assert (source == QUEUE || source == REQUEST);
        if (state == SUM) begin
          assert (frame.sum_run_q == frame.sum_add_q && (!frame.sum_end_q || frame.sum_run_q));
          assert (!frame.summed_q && !frame.live_q && (frame.length_q != 0 || frame.sum_first_q));
          if (frame.sum_first_q)
            assert (!frame.sum_run_q && !frame.sum_end_q);
            else assert (frame.sum_run_q || $onehot(read.first_q));
          if (!frame.sum_first_q && !frame.sum_end_q) assert (words_left != 0 && 32'(words_left) <= WORDS);
        end
        if (state == SKIP) assert (source == LIVE);
        // Turns
        if (chosen_q != 2'd3) begin
          assert (row_q <= 3'(choose.passed_q));
          assert (!other_q[chosen_q] && user_q <= 4'd3 * 4'(served_others) + 4'(row_q));
          for (int x = 0; x < 3; x++)
          if (other_q[x]) begin
            assert (source != source_e'(x + 2));
            if (choose.turn_q == chosen_q)
              assert (source == source_e'(chosen_q + 3'd2));
              else assert (behind(2'(x)) <= behind(choose.turn_q));
          end
        end else if (queue_q != 0) assert (choose.passed_q == 0 && (source == LIVE || source == QUEUE));
        // Time
        assert (32'(stall_q) < STALL && 32'(time_q) + cycles <= TURN);
      end
    end
  end
endmodule
