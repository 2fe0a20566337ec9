// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// What a session's user may send: allocated sequence numbers, limits, and what the two leave.
// Latency: a change of a limit or of an allocation shows in `cap` and on `credit` 4 cycles later; each session is shown
// again in every round of SESSIONS cycles (more, by those that change).
//
//   A   a session: one whose limit or allocation was written in the cycle before, or the next of the round
//   B   limit - allocated
//   C   the least of that and of the MSS; to the table and to the user
//
// After a reset all sessions are closed in SESSIONS cycles and the path's three; until `ready` nothing may be written.
module toe_tx_limit
  import toe_pkg::*;
#(
    parameter int SESSIONS   = 64,
    parameter int RING_BYTES = 8192,
    parameter int BYTES      = 8      // of the user's beat
) (
    input logic clk,
    input logic rst,

    output logic ready,

    // Sessions beyond SESSIONS are not asked for
    input  logic        limit_wr,
    input  sid_t        limit_sid,
    input  logic        limit_open,   // the user may send
    input  logic        limit_alive,  // what the user has sent is to go on
    input  logic [31:0] limit,
    input  logic [15:0] limit_mss,
    input  logic        snd_wr,
    input  sid_t        snd_wr_sid,
    input  logic [31:0] snd_wr_nxt,
    input  logic        end_wr,       // a packet has ended; held until end_done
    input  sid_t        end_sid,
    input  logic [31:0] end_nxt,
    output logic        end_done,     // cap shows it from the next cycle on

    // Combinational
    input  sid_t                          first_sid,
    output logic [                  15:0] first_cap,     // as look_cap, of another session;
    output logic                          first_some,    // it is not 0,
    output logic                          first_full,    // it is a beat at least
    input  sid_t                          look_sid,
    output logic [                  31:0] look_nxt,      // allocated
    output logic                          look_open,
    output logic [                  15:0] look_cap,      // bytes that may be sent now, in one segment; 0 if not open
    output logic [                  15:0] look_mss,
    input  sid_t                          alive_sid,
    output logic                          alive,
    input  sid_t                          frame_sid,
    output logic [                  31:0] frame_nxt,     // allocated
    input  sid_t                          tcp_sid,
    output logic [$clog2(RING_BYTES)+1:0] tcp_allocated, // low bits

    output logic        credit_valid,
    output sid_t        credit_sid,
    output logic [31:0] credit
);
  localparam int BITS = $clog2(SESSIONS);
  typedef logic [BITS-1:0] index_t;
  (* ram_style = "distributed" *) logic [31:0] allocated[SESSIONS];
  (* ram_style = "distributed" *) logic [31:0] limits[SESSIONS];
  (* ram_style = "distributed" *) logic [17:0] rules[SESSIONS];  // alive, open, MSS
  (* ram_style = "distributed" *) logic [18:0] caps[SESSIONS];  // not 0, a beat, open, bytes

  // --- Writes: a packet's end waits for the TCP machine's
  logic end_write, ended_q, end_pick;  // ended_q: written, to be picked
  logic end_seen_q;
  index_t alloc_index, limit_index, walk_q;
  logic cleared_q, soon_q;  // all rules are; ready when the last of them is through the path
  assign end_write   = end_wr & ~snd_wr & ~end_seen_q;
  assign alloc_index = index_t'(snd_wr ? snd_wr_sid : end_sid);
  assign limit_index = cleared_q ? index_t'(limit_sid) : walk_q;
  always_ff @(posedge clk) begin
    if (snd_wr || end_write) allocated[alloc_index] <= snd_wr ? snd_wr_nxt : end_nxt;
    if (limit_wr) limits[index_t'(limit_sid)] <= limit;
    if (limit_wr || !cleared_q) rules[limit_index] <= cleared_q ? {limit_alive, limit_open, limit_mss} : 18'd0;
  end

  // --- Which session
  index_t pick, limit_sid_q;
  logic limit_q;
  assign end_pick = ended_q & ~limit_q;
  assign pick     = limit_q ? limit_sid_q : ended_q ? index_t'(end_sid) : walk_q;
  always_ff @(posedge clk) begin
    limit_q     <= limit_wr;
    limit_sid_q <= index_t'(limit_sid);
    ended_q     <= end_write | (ended_q & ~end_pick);
    end_seen_q  <= end_wr & (end_write | end_seen_q) & ~end_done;
    if (!limit_q && !ended_q) begin
      walk_q <= walk_q == index_t'(SESSIONS - 1) ? '0 : walk_q + 1'b1;
      if (walk_q == index_t'(SESSIONS - 1)) cleared_q <= 1'b1;
    end
    {ready, soon_q} <= {soon_q, cleared_q};
    if (rst) begin
      walk_q     <= '0;
      cleared_q  <= 1'b0;
      soon_q     <= 1'b0;
      ready      <= 1'b0;
      limit_q    <= 1'b0;
      ended_q    <= 1'b0;
      end_seen_q <= 1'b0;
    end
  end

  // --- What is left
  logic valid_b_q, valid_c_q, end_b_q, end_c_q, open_b_q, open_c_q;
  index_t sid_b_q, sid_c_q;
  logic [31:0] left_b_q, left_c_q;
  logic [15:0] mss_b_q, cap_c_q;
  always_ff @(posedge clk) begin
    valid_b_q           <= ~rst;
    end_b_q             <= end_pick & ~rst;
    sid_b_q             <= pick;
    left_b_q            <= limits[pick] - allocated[pick];
    {open_b_q, mss_b_q} <= cleared_q ? rules[pick][16:0] : 17'd0;

    valid_c_q           <= valid_b_q & ~rst;
    end_c_q             <= end_b_q & ~rst;
    sid_c_q             <= sid_b_q;
    open_c_q            <= open_b_q;
    left_c_q            <= open_b_q & ~left_b_q[31] ? left_b_q : '0;
    if (!open_b_q || left_b_q[31]) cap_c_q <= '0;
    else cap_c_q <= left_b_q[30:16] != 0 || left_b_q[15:0] > mss_b_q ? mss_b_q : left_b_q[15:0];

    if (valid_c_q) caps[sid_c_q] <= {cap_c_q != 0, cap_c_q >= 16'(BYTES), open_c_q, cap_c_q};
  end
  assign end_done                 = end_c_q;
  assign credit_valid             = valid_c_q;
  assign credit_sid               = sid_t'(sid_c_q);
  assign credit                   = left_c_q;

  // --- Reads
  assign {first_some, first_full} = caps[index_t'(first_sid)][18:17];
  assign first_cap                = caps[index_t'(first_sid)][15:0];
  assign look_nxt                 = allocated[index_t'(look_sid)];
  assign {look_open, look_cap}    = caps[index_t'(look_sid)][16:0];
  assign look_mss                 = rules[index_t'(look_sid)][15:0];
  assign alive                    = rules[index_t'(alive_sid)][17];
  assign frame_nxt                = allocated[index_t'(frame_sid)];
  assign tcp_allocated            = allocated[index_t'(tcp_sid)][$clog2(RING_BYTES)+1:0];
endmodule
