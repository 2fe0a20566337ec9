// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Which session a tuple belongs to: a cuckoo hash table in block RAM, exact.
// Latency: `found` and `sid` in the second cycle after `look` (registers); a look-up in each cycle if need be.
//
// A look-up comes in two steps, because the peer's address and port are known a word before our port: `peer` in a cycle
// before `look`, and only the last part of the hash is in front of the RAM.
//
// Each way is a block RAM of 2**INDEX places; a tuple has one place in each (toe_hash_pkg).  With 9 bits, a place takes 69
// bits at most, so that a way is one BRAM36: two of them up to 128 sessions, four beyond, at most half full.
//
//   IDLE    a change is taken, to be hashed
//   HASH    that without the low bits of its local port, in the first cycle without `peer`; a change is in the hand then
//   PLACE   the places of the hand
//   READ    they are read, in the first cycle without `read`
//   WAIT    RAM: is it there, which place is free, who is in the way
//   ACT     takes it out; or puts it into a free place; or, if all are taken, goes on with HASH for whom it found at the
//           way whose turn it is.  After KICKS of these the hand is put aside.
//   SWAP    puts the hand into that place, and whom it found there into the hand, who goes on with PLACE and the next way
//   CLEAR   after rst: 2**INDEX cycles in which nothing is found
//
// Look-ups see the hand (from the verdict on) and what was put aside as well as the RAM, all as they are in the same
// cycle, and an entry changes its place at one clock edge: so each that is in the table is found in every cycle.
//
// change_ready comes with the verdict, for one cycle and 5 cycles after change_valid at the earliest (more while
// look-ups take the hash or the RAM, or earlier entries still move: at most KICKS times 6 cycles without these); the change
// counts from the next cycle on.  change_valid and what belongs to it are held until then.  change_failed with it: the
// tuple is there already, or has no free place and STASH entries were put aside before; nothing has changed.  A tuple
// that is not there may be removed.
module toe_lookup
  import toe_pkg::*;
#(
    parameter int SESSIONS = 64,
    parameter int INDEX    = 9,   // log2 of the places of a way, 9 at most; fewer than 9 save nothing: for tests
    parameter int KICKS    = 31,
    parameter int STASH    = 2
) (
    input logic clk,
    input logic rst,

    input logic [31:0] secret,  // of the hash; must not change while sessions are in the table

    // The tuple of a look-up has the peer of the last cycle with `peer`
    input  logic          peer,       // look-ups have the hash
    input  logic   [31:0] peer_ip,
    input  logic   [15:0] peer_port,
    input  logic          read,       // look-ups have the RAM: at least with `look`
    input  logic          look,
    input  tuple_t        tuple,
    output logic          found,
    output sid_t          sid,

    input  logic   change_valid,
    output logic   change_ready,
    input  logic   change_insert,  // else remove
    input  tuple_t change_tuple,
    input  sid_t   change_sid,     // below SESSIONS
    output logic   change_failed
);
  localparam int WAYS = SESSIONS <= 128 ? 2 : 4;
  localparam int BITS = $clog2(SESSIONS);
  localparam int REST = $bits(tuple_t) - INDEX;  // of a tuple, without what its place says
  typedef logic [WAYS-1:0] ways_t;
  typedef struct packed {
    logic            taken;
    logic [BITS-1:0] sid;
    logic [REST-1:0] rest;
  } place_t;
  typedef struct packed {
    tuple_t          tuple;
    logic [BITS-1:0] sid;
  } entry_t;
  typedef enum logic [2:0] {
    CLEAR,
    IDLE,
    HASH,
    PLACE,
    READ,
    WAIT,
    ACT,
    SWAP
  } step_e;

  if (SESSIONS < 2 || SESSIONS > MAX_SESSIONS || INDEX < 1 || INDEX > 9) begin : gen_bad_size
    $error("toe_lookup: SESSIONS must be 2 to 1024, INDEX 1 to 9");
  end

  function automatic logic [REST-1:0] rest_of(input tuple_t t);
    return {t.iface, t.peer_ip, t.peer_port, t.local_port[15:INDEX]};
  endfunction
  function automatic tuple_t whole(input logic [REST-1:0] rest, input logic [INDEX-1:0] low);
    tuple_t t;
    {t.iface, t.peer_ip, t.peer_port, t.local_port} = {rest, low};
    return t;
  endfunction

  step_e step_q;
  entry_t side_q[STASH+1];  // 0: the hand
  logic [STASH:0] live_q;
  logic insert_q, first_q, last_kick;  // first_q: until the verdict
  logic [$clog2(KICKS+1)-1:0] kicks_q;
  logic [$clog2(WAYS)-1:0] way_q;
  logic [REST-1:0] victim_q;  // or the change, in its first steps
  logic [BITS-1:0] victim_sid_q;
  entry_t hand;
  assign hand = side_q[0];

  // --- One hash of peers and one read port, for look-ups first
  typedef logic [WAYS-1:0][INDEX-1:0] parts_t;
  tuple_t key, victim;
  parts_t peer_part, peer_part_q, own_part, victim_part, base_q, place, place_q;
  assign key    = read ? tuple : hand.tuple;
  assign victim = whole(victim_q, '0);
  toe_hash_peer #(
      .WAYS (WAYS),
      .INDEX(INDEX)
  ) u_peer (
      .secret,
      .peer_ip  (peer ? peer_ip : victim.peer_ip),
      .peer_port(peer ? peer_port : victim.peer_port),
      .part     (peer_part)
  );
  toe_hash_own #(
      .WAYS (WAYS),
      .INDEX(INDEX)
  ) u_own (
      .iface(tuple.iface),
      .port (tuple.local_port[15:INDEX]),
      .part (own_part)
  );
  toe_hash_own #(
      .WAYS (WAYS),
      .INDEX(INDEX)
  ) u_victim (
      .iface(victim.iface),
      .port (victim.local_port[15:INDEX]),
      .part (victim_part)
  );
  always_ff @(posedge clk) if (peer) peer_part_q <= peer_part;
  always_comb
    for (int w = 0; w < WAYS; w++)
      place[w] = read ? peer_part_q[w] ^ own_part[w] ^ tuple.local_port[INDEX-1:0] : place_q[w];

  // --- Who is there
  ways_t wr, match, taken;
  place_t there[WAYS];
  logic fill;
  logic [REST-1:0] key_q;
  logic look_q, side_found_q;
  logic [STASH:0] side_match, side_match_q;
  logic [BITS-1:0] side_sid, side_sid_q, ram_sid;

  for (genvar w = 0; w < WAYS; w++) begin : gen_way
    ram_sdp #(
        .WIDTH($bits(place_t)),
        .DEPTH(1 << INDEX)
    ) u_ram (
        .clk,
        .wr_en  (wr[w]),
        .wr_addr(place_q[w]),
        .wr_data({fill, hand.sid, rest_of(hand.tuple)}),
        .rd_en  (1'b1),
        .rd_addr(place[w]),
        .rd_data(there[w])
    );
    assign taken[w] = there[w].taken;
    logic same;
    toe_equal #(
        .WIDTH(REST)
    ) u_same (
        .a(there[w].rest),
        .b(key_q),
        .y(same)
    );
    assign match[w] = there[w].taken & same;
  end
  for (genvar i = 0; i <= STASH; i++) begin : gen_side
    assign side_match[i] = live_q[i] && side_q[i].tuple == key;
  end
  always_comb begin
    ram_sid  = '0;
    side_sid = '0;
    for (int w = 0; w < WAYS; w++) if (match[w]) ram_sid |= there[w].sid;
    for (int i = 0; i <= STASH; i++) if (side_match[i]) side_sid |= side_q[i].sid;
  end

  always_ff @(posedge clk) begin
    look_q       <= look & (step_q != CLEAR);
    key_q        <= rest_of(key);
    side_match_q <= side_match;
    side_found_q <= |side_match;
    side_sid_q   <= side_sid;
    found        <= look_q & ((match != 0) | side_found_q);
    sid          <= sid_t'({ram_sid | side_sid_q});
  end

  // --- What to do with the hand
  ways_t match_q, taken_q, free;
  logic [STASH:0] aside_q;
  logic [STASH:1] spare;
  logic remove, refuse, put, put_aside, kick, swap;
  assign free      = ~taken_q & (taken_q + 1'b1);
  assign spare     = ~live_q[STASH:1] & (live_q[STASH:1] + 1'b1);
  assign last_kick = kicks_q == '0;
  always_comb begin
    {remove, refuse, put, put_aside, kick} = '0;
    if (step_q == ACT) begin
      if (!insert_q) remove = 1'b1;
      else if (first_q && (match_q != 0 || aside_q != 0)) refuse = 1'b1;
      else if (free != 0) put = 1'b1;
      else if (first_q && spare == 0) refuse = 1'b1;
      else if (last_kick) put_aside = 1'b1;
      else kick = 1'b1;
    end
  end
  assign swap          = step_q == SWAP;
  assign change_ready  = (step_q == ACT) & first_q;
  assign change_failed = refuse;
  assign fill          = put | swap;
  always_comb begin
    wr = '0;
    if (step_q == CLEAR) wr = '1;
    if (remove) wr = match_q;
    if (put) wr = free;
    if (swap) wr[way_q] = 1'b1;
  end

  always_ff @(posedge clk) begin
    case (step_q)
      CLEAR: begin
        for (int w = 0; w < WAYS; w++) place_q[w] <= place_q[w] + 1'b1;
        if (place_q[0] == '1) step_q <= IDLE;
      end
      IDLE: begin
        victim_q <= rest_of(change_tuple);
        insert_q <= change_insert;
        first_q  <= 1'b1;
        kicks_q  <= ($bits(kicks_q))'(KICKS);
        way_q    <= '0;
        if (change_valid) step_q <= HASH;
      end
      HASH: begin
        if (first_q)
          side_q[0] <= '{tuple: whole(victim_q, change_tuple.local_port[INDEX-1:0]), sid: change_sid[BITS-1:0]};
        for (int w = 0; w < WAYS; w++) base_q[w] <= peer_part[w] ^ victim_part[w];
        if (!peer) step_q <= first_q ? PLACE : SWAP;
      end
      PLACE: begin
        for (int w = 0; w < WAYS; w++) place_q[w] <= base_q[w] ^ hand.tuple.local_port[INDEX-1:0];
        step_q <= READ;
      end
      READ: if (!read) step_q <= WAIT;
      WAIT: begin
        match_q <= match;
        taken_q <= taken;
        aside_q <= side_match_q;
        victim_q <= there[way_q].rest;
        victim_sid_q <= there[way_q].sid;
        step_q <= ACT;
      end
      ACT: begin
        first_q <= 1'b0;
        if (remove) live_q <= live_q & ~aside_q;
        if (put) live_q[0] <= 1'b0;
        if (kick) live_q[0] <= 1'b1;
        if (put_aside) begin
          for (int i = 1; i <= STASH; i++) if (spare[i]) side_q[i] <= hand;
          live_q <= {live_q[STASH:1] | spare, 1'b0};
        end
        step_q <= kick ? HASH : IDLE;
      end
      default: begin  // SWAP
        side_q[0] <= '{tuple: whole(victim_q, base_q[way_q] ^ place_q[way_q]), sid: victim_sid_q};
        way_q     <= way_q + 1'b1;
        kicks_q   <= kicks_q - 1'b1;
        step_q    <= PLACE;
      end
    endcase
    if (rst) begin
      step_q  <= CLEAR;
      place_q <= '0;
      live_q  <= '0;
    end
  end
endmodule
