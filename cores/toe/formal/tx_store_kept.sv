// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Proof of the retransmit store: toe_tx_store, toe_tx_ring, toe_tx_read and toe_tx_stale, for two sessions, any packets,
// beats and pauses, any numbers modulo 2^32, and frames read at any time and pace.  One byte is followed: number `n` of
// session `which`, both free, and all that ever goes to its place.
//   - A byte that the user gives is written at its place, once, before its packet is over; nothing else is written there.
//   - The place keeps it until another byte is given to it; that one is RING_BYTES further on, and the byte has been
//     acknowledged by then.
//   - What is read for a frame is what was given, byte for byte: of a retransmission, unless `stale` says so in that
//     cycle or before; of a first transmission always, of a packet that is still coming, too, but where the frame was
//     aborted as bytes were late (toe_tx_frame: `fetched` beyond `stored`).
// Given: no byte is beyond a ring from SND.UNA on (tx_limit_room); the user's beats come as toe_tx_user gives them; a frame
// stands for 3 cycles before it is read; less than 2^31 bytes are given while it is.  A packet that is dropped when a part of
// it has been stored, as its session was closed, is not here.
// Two parts: what is written, and with READING what is read, which takes the first part as proved.
`define CHECK(claim) if (READING) assume (claim); else assert (claim);
module tx_store_kept
  import toe_pkg::*;
#(
    parameter bit INVARIANTS = 1'b1,
    parameter bit CALM       = 1'b0,  // one session, small numbers
    parameter bit READING    = 1'b0,
    parameter int WIDTH      = 32,
    parameter int RING_BYTES = 16,    // nothing depends on it
    parameter int LATENCY    = 2
) (
    input logic                     rst,
    input logic                     which,
    input logic [             31:0] n,
    input logic [              1:0] fin_in,         // a session's FIN is asked for: its number is one of the user's
    // The user
    input logic                     begins,
    input logic                     begins_sid,
    input logic                     beat,
    input logic [        WIDTH-1:0] data_in,
    input logic [$clog2(WIDTH/8):0] bytes_in,
    input logic                     ends,
    input logic                     end_wr,
    input logic                     over,
    input logic                     again,          // another segment of the same packet
    input logic [             31:0] una_in,         // of session `which`
    // The frame
    input logic                     frame_new,
    input logic                     frame_sid_in,
    input logic                     frame_user_in,  // a first transmission
    input logic [             31:0] frame_seq_in,
    input logic                     step,
    input logic                     start
);
  localparam int BYTES = WIDTH / 8;
  localparam int LB = $clog2(BYTES);
  localparam int RB = $clog2(RING_BYTES);
  localparam int AW = $clog2(2 * RING_BYTES / BYTES);
  logic clk;  // each step is a cycle
  assign clk = 1'b1;
  logic began_q = 1'b0;
  logic which_q;
  logic [31:0] n_q;

  // --- The user, as toe_tx_user
  typedef enum logic [1:0] {
    IDLE,
    DATA,
    END
  } state_e;
  state_e state_q;
  logic [1:0] end_q, fin_q;
  logic first_q, partial_q, sid_q, reported_q, complete, valid, flush;
  logic [31:0] seq_q, una_q;
  logic [1:0][31:0] nxt_q;  // allocated, with FIN
  logic [15:0] received_q, stored_q;
  logic [LB:0] bytes;
  assign complete = state_q == END;
  assign valid    = began_q & beat & ~partial_q & (state_q == DATA || (state_q == END && end_q == 0));
  assign flush    = began_q & (state_q == END) & (end_q == 1) & (received_q != 0);
  assign bytes    = bytes_in;

  logic [31:0] cur;  // the next byte of the packet
  assign cur = seq_q + 32'(received_q);
  always_ff @(posedge clk) begin
    began_q <= 1'b1;
    if (!began_q) {which_q, n_q} <= {which, n};
    una_q <= una_in;
    for (int i = 0; i < 2; i++) begin
      if (began_q && fin_in[i] && !fin_q[i]) {fin_q[i], nxt_q[i]} <= {1'b1, nxt_q[i] + 32'd1};
    end
    if (began_q)
      case (state_q)
        IDLE:
        if (begins) begin
          state_q <= DATA;
          sid_q <= begins_sid;
          seq_q <= nxt_q[begins_sid];
          {received_q, stored_q, partial_q, first_q} <= {32'd0, 1'b0, 1'b1};
        end
        DATA: if (ends) {state_q, end_q} <= {END, 2'd0};
        default: begin
          if (end_q != 2'd2) end_q <= end_q + 1'b1;
          else if (!reported_q) begin
            if (end_wr) {reported_q, nxt_q[sid_q]} <= {1'b1, cur};
          end else if (over) begin
            {state_q, reported_q} <= {again ? DATA : IDLE, 1'b0};
            if (again) {seq_q, received_q, stored_q, partial_q, first_q} <= {cur, 32'd0, 1'b0, 1'b1};
          end
        end
      endcase
    if (valid) begin
      first_q    <= 1'b0;
      partial_q  <= 32'(bytes) != BYTES;
      received_q <= received_q + 16'(bytes);
      stored_q   <= received_q;
    end
    if (rst) begin
      state_q <= IDLE;
      {reported_q, partial_q, fin_q} <= '0;
    end
  end

  // --- The modules
  logic [BYTES-1:0] wr_en;
  logic [AW-1:0] wr_addr, rd_addr;
  logic [WIDTH-1:0] wr_data, rd_data;
  logic frame_sid_q, frame_user_q;
  logic [31:0] frame_seq_q, data;
  logic [15:0] fetched;
  logic first, stale;
  toe_tx_store #(
      .SESSIONS(2),
      .RING_BYTES(RING_BYTES),
      .WIDTH(WIDTH)
  ) store (
      .clk,
      .valid,
      .first(first_q),
      .data (data_in),
      .bytes,
      .flush,
      .sid  (sid_t'(sid_q)),
      .seq  (seq_q),
      .wr_en,
      .wr_addr,
      .wr_data
  );
  toe_tx_ring #(
      .WIDTH  (WIDTH),
      .DEPTH  (2 * RING_BYTES / BYTES),
      .LATENCY(LATENCY)
  ) ring (
      .rd_en(step),
      .*
  );
  toe_tx_read #(
      .SESSIONS(2),
      .RING_BYTES(RING_BYTES),
      .WIDTH(WIDTH),
      .LATENCY(LATENCY)
  ) read (
      .sid(sid_t'(frame_sid_q)),
      .seq(frame_seq_q),
      .*
  );
  toe_tx_stale #(
      .RING_BYTES(RING_BYTES)
  ) u_stale (
      .clk,
      .sid     (sid_t'(frame_sid_q)),
      .seq     (frame_seq_q),
      .written (nxt_q[frame_sid_q]),
      .fin     (fin_q[frame_sid_q]),
      .busy    (state_q != IDLE),
      .user_sid(sid_t'(sid_q)),
      .user_seq(seq_q),
      .received(received_q),
      .stale
  );

  // --- What is given to the place, and what is written there
  logic [LB-1:0] lane;
  logic [AW-1:0] place;
  logic [RB-1:0] ahead;  // of the place
  logic given, write;
  logic [7:0] byte_in;
  logic known_q;  // a byte has been given to the place
  logic now_q, rest_q;  // it is being written; it waits for the next beat
  logic [31:0] num_q;
  logic [ 7:0] val_q;
  logic [31:0] kept_from;  // the session's next byte
  assign lane    = n_q[LB-1:0];
  assign place   = {which_q, n_q[RB-1:LB]};
  assign ahead   = n_q[RB-1:0] - cur[RB-1:0];
  assign given   = valid & (sid_q == which_q) & (32'(ahead) < 32'(bytes));
  assign byte_in = data_in[8*ahead[LB-1:0]+:8];
  assign write   = wr_en[lane] & (wr_addr == place);
  always_ff @(posedge clk) begin
    now_q  <= (given & (lane >= seq_q[LB-1:0])) | (rest_q & (valid | flush));
    rest_q <= (given & (lane < seq_q[LB-1:0])) | (rest_q & ~(valid | flush));
    if (given) {known_q, num_q, val_q} <= {1'b1, cur + 32'(ahead), byte_in};
    if (rst) {now_q, rest_q, known_q} <= '0;
  end

  // --- The byte that is followed, and the frame
  logic n_given_q;
  logic [7:0] n_val_q;
  logic [1:0] age_q;  // of the frame
  logic active_q, live_q, aborted_q, reported_byte, late;
  logic [31:0] word_num_q;  // of the word that is asked for
  logic here, good, beyond, beyond_w, beyond_u, b1_q, b2_q, b3_q;
  logic [LATENCY:0] hits_q;  // in the memory's registers and in toe_tx_read's first one
  logic hit_q;  // in its second one
  logic [LATENCY+2:0] begin_q;
  logic [31:0] from_frame, so_far;
  assign from_frame = n_q - frame_seq_q;
  assign here = active_q & (word_num_q[31:2] == n_q[31:2]) & (frame_sid_q == which_q) & ~from_frame[31];
  // toe_tx_frame: `late`, until `live_done`
  assign late = live_q & ~(complete & end_q == 2'd2) & (fetched > stored_q);
  assign reported_byte = n_given_q & (nxt_q[which_q] - 32'(fin_q[which_q]) - n_q - 32'd1 < 32'h80000000);
  assign so_far = 32'(received_q) + (valid ? 32'(bytes) : '0);
  assign good = here & ~aborted_q & ~late & (live_q ? from_frame < so_far : reported_byte);
  assign beyond_w = nxt_q[frame_sid_q] - 32'(fin_q[frame_sid_q]) - 32'd1 - frame_seq_q >= 32'(RING_BYTES);
  assign beyond_u = (state_q != IDLE) & (sid_q == frame_sid_q) & (received_q != 0)
                    & (cur - 32'd1 - frame_seq_q >= 32'(RING_BYTES));
  assign beyond = beyond_w | beyond_u;
  always_ff @(posedge clk) begin
    if (given && cur + 32'(ahead) == n_q) {n_given_q, n_val_q} <= {1'b1, byte_in};
    age_q <= frame_new ? '0 : age_q + 2'(age_q != 2'd3);
    {b3_q, b2_q, b1_q} <= {b2_q, b1_q, beyond};
    if (frame_new) {frame_sid_q, frame_user_q, frame_seq_q} <= {frame_sid_in, frame_user_in, frame_seq_in};
    if (step) begin
      word_num_q <= start ? {frame_seq_q - 32'd2} & ~32'd3 : word_num_q + 32'd4;
      hits_q     <= start ? '0 : (LATENCY + 1)'({hits_q, good});
      hit_q      <= start ? '0 : hits_q[LATENCY];
      begin_q    <= start ? (LATENCY + 3)'(1) : begin_q << 1;
      if (late) aborted_q <= 1'b1;
      if (start) begin
        active_q <= 1'b1;
        aborted_q <= 1'b0;
        live_q <= frame_user_q & (state_q != IDLE) & ~reported_q & (sid_q == frame_sid_q) & (seq_q == frame_seq_q);
      end
    end
    if (state_q == END && reported_q && over) live_q <= 1'b0;
    if (frame_new) {active_q, hits_q, hit_q} <= '0;
    if (rst) {n_given_q, active_q, age_q, hits_q, hit_q, begin_q} <= '0;
  end

  // --- For the invariants
  logic valid_q, fresh_q, mine, over_n;
  logic [31:0] last;  // the first number of the last beat
  logic [LB-1:0] turn_s;
  logic rest;  // the last beat's bytes that reach into the next word hold one for the place
  always_ff @(posedge clk) begin
    valid_q <= valid;
    fresh_q <= began_q & (state_q == END) & (end_q == 2'd1);
  end
  assign mine = (state_q != IDLE) & (sid_q == which_q);
  assign last = cur - 32'(store.bytes_q);
  assign turn_s = seq_q[LB-1:0];
  assign rest   = mine & ~(state_q == END & end_q == 2'd2) & ~first_q & (store.word_q == place[RB-LB-1:0])
                  & (lane < turn_s) & (32'(lane) + BYTES < 32'(turn_s) + 32'(store.bytes_q));
  assign over_n = n_given_q & (num_q != n_q) & (num_q - n_q < 32'h80000000) & ~from_frame[31]
                  & (frame_sid_q == which_q);

  logic [1:0] at;  // of the byte in its word of 32 bits
  logic [1:0] turn;
  logic exact;
  logic [31:0] end_of;  // what has been given of session which_q, its number
  assign at     = n_q[1:0];
  assign turn   = read.turn_q;
  assign exact  = frame_user_q;
  assign end_of = (state_q != IDLE && !reported_q && sid_q == which_q) ? cur : nxt_q[which_q] - 32'(fin_q[which_q]);

  always_comb begin
    // --- What is given
    if (!began_q) assume (rst);
    if (began_q) assume (!rst);
    assume (32'(bytes) >= 1 && 32'(bytes) <= BYTES);
    if (state_q != IDLE) assume (received_q < 16'hff00);  // a segment
    for (int i = 0; i < 2; i++) if (state_q != IDLE && sid_q == 1'(i)) assume (!fin_in[i]);
    if (begins) assume (!fin_q[begins_sid] && !fin_in[begins_sid]);
    if (CALM) begin
      assume (!which && !begins_sid && !frame_sid_in && fin_in == 0);
      assume (una_in[31:6] == '0 && n[31:6] == '0 && frame_seq_in[31:6] == '0);
      assume (cur[31:6] == '0 && nxt_q[0][31:6] == '0);
    end
    // The ring
    if (began_q) assume (una_in - una_q <= end_of - una_q);
    if (!began_q) assume (una_in == nxt_q[which]);
    if (valid && sid_q == which_q) assume (cur + 32'(bytes) - una_q <= 32'(RING_BYTES));
    // A frame: of what has been given; a first transmission is not acknowledged.
    if (start && step) assume (age_q == 2'd3 && !frame_new);
    if (frame_sid_q == which_q) begin
      assume (end_of - frame_seq_q < 32'h80000000);
      // It begins with what end_wr has reported, or is live
      assume (nxt_q[which_q] - 32'(fin_q[which_q]) - frame_seq_q < 32'h80000000);
      if (!frame_user_q) assume (nxt_q[which_q] - 32'(fin_q[which_q]) != frame_seq_q);
      if (active_q && frame_user_q) assume (frame_seq_q - una_q <= 32'(RING_BYTES));
    end

    if (began_q) begin
      // --- The claim: written at its place, once, and before the packet is over
      `CHECK(write == now_q)
      if (write) `CHECK(wr_data[8*lane+:8] == val_q)
      if (state_q == IDLE || (state_q == END && end_q == 2'd2 && reported_q)) `CHECK(!rest_q && !now_q)
      // Kept until another is given; that is when it has been acknowledged
      if (known_q && !now_q && !rest_q) `CHECK(ring.gen_bank[0].ram[place][8*lane+:8] == val_q)
      if (known_q && given)
        `CHECK(!now_q && !rest_q && cur + 32'(ahead) - num_q == 32'(RING_BYTES) && una_q - num_q - 32'd1 < 32'h80000000)
      // Read
      if (READING) begin
        if (hit_q && at >= turn) assert (data[8*2'(at-turn)+:8] == n_val_q || (stale && !exact));
        if (hits_q[LATENCY] && at < turn) assert (data[8*2'(at-turn)+:8] == n_val_q || (stale && !exact));
        assert (first == begin_q[LATENCY+2]);
      end
      // --- Invariants
      if (INVARIANTS) begin
        // The user
        `CHECK(
            state_q <= END && (state_q != END || end_q <= 2'd2) && (!reported_q || (state_q == END && end_q == 2'd2)))
        if (state_q != IDLE) begin
          `CHECK(first_q == (received_q == 0) && (!partial_q || !first_q) && stored_q <= received_q)
          `CHECK(nxt_q[sid_q] == (reported_q ? cur : seq_q) && !fin_q[sid_q])
          if (!first_q) begin
            `CHECK(store.bytes_q != 0 && 32'(store.bytes_q) <= BYTES && partial_q == (32'(store.bytes_q) != BYTES))
            `CHECK(received_q - stored_q == 16'(store.bytes_q) && stored_q[LB-1:0] == '0)
            `CHECK(store.word_q == (RB - LB)'((last + 32'(BYTES)) >> LB))
          end
        end
        if (valid_q) `CHECK(state_q != IDLE && !first_q)
        `CHECK(!fresh_q || (state_q == END && end_q == 2'd2 && !reported_q))
        // The ring
        `CHECK(end_of - una_q <= 32'(RING_BYTES))
        if (known_q) `CHECK(end_of - num_q - 32'd1 < 32'(RING_BYTES) && num_q[RB-1:0] == n_q[RB-1:0])
        // What waits to be written
        `CHECK(rest_q == rest)
        if (rest_q) `CHECK(known_q && num_q - last < 32'(store.bytes_q) && store.rest_q[lane] == val_q)
        if (now_q) begin
          `CHECK(known_q && mine && !first_q && !reported_q && (valid_q || fresh_q))
          if (lane >= turn_s) `CHECK(valid_q && num_q - last < 32'(store.bytes_q))
          else if (valid_q) `CHECK(last - num_q - 32'd1 < 32'(BYTES))
          else `CHECK(num_q - last < 32'(store.bytes_q))
        end
        // The byte that is followed
        if (n_given_q) `CHECK(known_q && (num_q != n_q || val_q == n_val_q))
        if (mine && n_q - seq_q < 32'(received_q)) `CHECK(n_given_q)
        if (READING) begin
          // `stale`
          if (age_q >= 2'd1)
            assert (b1_q == ((32'(u_stale.written_q) + ~frame_seq_q >= 32'(RING_BYTES))
                  | (u_stale.user_q & (u_stale.user_base_q + 32'(u_stale.received_q) >= 32'(RING_BYTES)))));
          if (age_q >= 2'd2)
            assert (b2_q == (u_stale.held_q[31:RB] != 0 || (u_stale.user_last_q && u_stale.user_held_q[31:RB] != 0)));
          if (age_q == 2'd3) assert (b3_q == stale);
          if (frame_sid_q == which_q && !exact) begin
            if (age_q >= 2'd1 && b1_q) assert (beyond);
            if (age_q >= 2'd2 && b2_q) assert (b1_q);
            if (age_q == 2'd3 && b3_q) assert (b2_q);
          end
          // Overwritten: it is known in time
          if (over_n) assert ((beyond || exact) && !(active_q && exact));
          if (over_n && !exact && age_q >= 2'd1 && !now_q && !rest_q) assert (b1_q);
          // The reading
          if (active_q) begin
            assert (age_q == 2'd3 && read.sid_q == frame_sid_q && read.word_q == (RB - 2)'(word_num_q >> 2));
            assert (read.turn_q == 2'(frame_seq_q - 32'd2) && word_num_q[1:0] == 2'd0);
            assert (fetched == 16'(word_num_q - ((frame_seq_q - 32'd2) & ~32'd3)) + 16'd2);
          end
          assert (read.first_q == begin_q);
          if (active_q && live_q) begin
            assert (frame_user_q && state_q != IDLE && sid_q == frame_sid_q && seq_q == frame_seq_q);
            if (!aborted_q && (state_q == DATA || end_q != 2'd2 || fresh_q)) assert (fetched <= stored_q + 16'd4);
          end
          if (hits_q[0]) assert (ring.word_q == 0);  // one word a row
          for (int i = 0; i < LATENCY; i++)
          if (hits_q[i]) assert (ring.read_q[i+1][8*lane+:8] == n_val_q || ((i == 0 ? b2_q : b3_q) && !exact));
          if (hits_q[LATENCY]) assert (read.lane_q[8*at+:8] == n_val_q || (b3_q && !exact));
          if (hit_q) assert (read.before_q[8*at+:8] == n_val_q || (b3_q && !exact));
          if ((hits_q != 0 || hit_q))
            assert (active_q && frame_sid_q == which_q && !from_frame[31] && n_given_q && num_q - n_q < 32'h80000000);
        end
      end
    end
  end
endmodule
