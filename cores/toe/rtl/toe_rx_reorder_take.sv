// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Segments that are set aside: which bytes of them are new and have a place in the memory, and what becomes of RCV.NXT when
// they were good.
// Latency: the verdict's consequence comes DELAY cycles after aside_last, and the words go on so much later: until then the
// segment has been compared.
//
//   cycle  0     1       2         3      4     5        6
//          head  length  place     trim   load  new list
//                read    list             insert
//
// A ring is addressed by a pointer of its own that corresponds to RCV.NXT whenever something waits in the memory: `in`.
module toe_rx_reorder_take
  import toe_pkg::*;
#(
    parameter int SESSIONS = 64,
    parameter int INTERVALS = 4,
    parameter int DEPTH = 16384,  // bytes a session, a power of two
    localparam int W = $clog2(DEPTH) + 1,
    localparam int SPAN = 18
) (
    input logic clk,
    input logic rst,

    // From toe_rx_accept
    input  logic        look_done,
    input  sid_t        look_sid,
    input  sid_t        sid,          // from the cycle after look_done on
    output logic        gap,          // of that session: something waits after a gap
    input  logic        head,
    input  logic [31:0] seq,
    input  logic [31:0] nxt,
    input  logic [15:0] length,
    input  logic        aside_valid,
    input  logic [31:0] aside_word,
    input  logic        aside_last,
    input  logic        aside_good,

    // The session's ring
    input  logic [W-1:0] in,
    input  logic [W-1:0] out,
    output logic         in_wr,
    output logic [W-1:0] in_next,

    // What waits after gaps of this session is forgotten: not while a segment of its own is set aside
    input logic forget,
    input sid_t forget_sid,

    // To toe_rx_reorder_store
    output logic            load,
    output logic [   W-2:0] place,
    output logic [SPAN-1:0] start,
    output logic [SPAN-1:0] stop,
    output logic            valid,
    output logic [    31:0] word,
    output logic            flush,

    // To toe_rx_accept
    output logic        done,
    output logic        move,
    output logic [31:0] move_nxt,
    output logic [15:0] move_bytes,
    output logic        move_gap,
    output logic        refused,

    // To toe_sack_blocks: the list as it is after a good segment that began at `report_at`
    output logic                        report_valid,
    output logic [INTERVALS-1:0]        report_on,
    output logic [INTERVALS-1:0][W-1:0] report_start,
    output logic [INTERVALS-1:0][W-1:0] report_stop,
    output logic [         31:0]        report_nxt,
    output logic [        W-1:0]        report_at
);
  localparam int BITS = $clog2(SESSIONS);
  localparam int DELAY = 4;
  typedef logic [INTERVALS-1:0][W-1:0] offsets_t;
  typedef logic [INTERVALS-1:0] flags_t;

  // --- The lists: which intervals there are, and where
  (* ram_style = "distributed" *) flags_t there[SESSIONS];
  flags_t list_on;
  offsets_t read_start, read_stop, list_start, list_stop, next_start, next_stop;
  flags_t next_on;
  logic clear_q, list_wr;
  logic [BITS-1:0] clear_sid_q, there_sid;
  assign gap       = list_on[0];
  assign there_sid = clear_q ? clear_sid_q : list_wr ? sid[BITS-1:0] : forget_sid[BITS-1:0];
  always_ff @(posedge clk) begin
    if (look_done) list_on <= there[look_sid[BITS-1:0]];
    if (clear_q || list_wr || forget) there[there_sid] <= clear_q || !list_wr ? '0 : next_on;
    clear_sid_q <= clear_sid_q + 1'b1;
    if (clear_sid_q == BITS'(SESSIONS - 1)) clear_q <= 1'b0;
    if (rst) begin
      clear_q     <= 1'b1;
      clear_sid_q <= '0;
    end
  end
  ram_sdp #(
      .WIDTH(2 * INTERVALS * W),
      .DEPTH(SESSIONS)
  ) u_lists (
      .clk,
      .wr_en  (list_wr),
      .wr_addr(sid[BITS-1:0]),
      .wr_data({next_start, next_stop}),
      .rd_en  (head),
      .rd_addr(sid[BITS-1:0]),
      .rd_data({read_start, read_stop})
  );
  // Block RAM is late, and cycle 3 is the first that looks at them
  always_ff @(posedge clk) {list_start, list_stop} <= {read_start, read_stop};

  // --- Cycles 1 and 2: where it lies, from RCV.NXT on
  logic [31:0] begin_q, end_q;  // signed
  logic [W-1:0] in_q, used_q, free_q;
  logic some_q, over_q;
  logic [W-1:0] start_q, stop_q;
  logic over, behind;
  assign over   = ~end_q[31] & ((|end_q[30:W]) | (end_q[W-1:0] > free_q));
  assign behind = end_q[31] | (end_q == 0);
  always_ff @(posedge clk) begin
    if (head) begin
      begin_q <= seq - nxt;
      in_q    <= in;
      used_q  <= in - out;
    end
    end_q   <= begin_q + 32'(length);
    free_q  <= W'(DEPTH) - used_q;
    start_q <= begin_q[31] ? '0 : begin_q[W-1:0];
    stop_q  <= end_q[W-1:0];
    some_q  <= ~behind & ~over;
    over_q  <= over;
  end

  // --- Cycle 3: what is new of it
  logic any, any_q;
  logic [W-1:0] new_start, new_stop, new_start_q, new_stop_q;
  flags_t below, below_q;
  toe_rx_reorder_trim #(
      .INTERVALS(INTERVALS),
      .WIDTH(W)
  ) u_trim (
      .list_on,
      .list_start,
      .list_stop,
      .start(start_q),
      .stop (stop_q),
      .any,
      .new_start,
      .new_stop,
      .below
  );
  always_ff @(posedge clk) begin
    any_q       <= any & some_q;
    new_start_q <= new_start;
    new_stop_q  <= new_stop;
    below_q     <= below;
  end

  // --- Cycle 4: where in the ring; cycles 4 and 5: the new list
  logic full, moves, moves_q;
  logic adds_q;  // there is something new, and a place for it
  logic [W-1:0] bytes, bytes_q;
  flags_t on;
  offsets_t starts, stops, starts_q, stops_q;
  logic [DELAY-1:0] head_q;
  logic [ SPAN-1:0] origin;
  toe_rx_reorder_insert #(
      .INTERVALS(INTERVALS),
      .WIDTH(W)
  ) u_insert (
      .list_on,
      .list_start,
      .list_stop,
      .start    (new_start_q),
      .stop     (new_stop_q),
      .below    (below_q),
      .full,
      .moves,
      .move     (bytes),
      .new_on   (on),
      .new_start(starts),
      .new_stop (stops)
  );
  assign origin = begin_q[SPAN-1:0] - SPAN'(2);
  assign load   = head_q[DELAY-1];
  assign place  = in_q[W-2:0] + origin[W-2:0];
  assign start  = SPAN'(new_start_q) - origin;
  assign stop   = any_q ? SPAN'(new_stop_q) - origin : '0;
  always_ff @(posedge clk) begin
    head_q   <= {head_q[DELAY-2:0], head & ~rst};
    adds_q   <= any_q & ~full;
    moves_q  <= moves;
    bytes_q  <= moves ? bytes : '0;
    starts_q <= starts;
    stops_q  <= stops;
    next_on  <= adds_q ? on : list_on;
    for (int i = 0; i < INTERVALS; i++) begin
      next_start[i] <= adds_q ? starts_q[i] - bytes_q : list_start[i];
      next_stop[i]  <= adds_q ? stops_q[i] - bytes_q : list_stop[i];
    end
    in_next  <= in_q + bytes_q;
    move_nxt <= nxt + (adds_q ? 32'(bytes_q) : '0);
  end
  assign move_bytes = 16'(bytes_q);

  // --- Words and verdict, DELAY later
  logic [DELAY-1:0][31:0] word_q;
  logic [DELAY-1:0] valid_q, last_q, good_q;
  logic adds;
  assign adds = last_q[DELAY-2] & good_q[DELAY-2] & adds_q & ~rst;
  always_ff @(posedge clk) begin
    word_q <= {word_q[DELAY-2:0], aside_word};
    valid_q <= {valid_q[DELAY-2:0], aside_valid} & {DELAY{~rst}};
    last_q <= {last_q[DELAY-2:0], aside_last} & {DELAY{~rst}};
    good_q <= {good_q[DELAY-2:0], aside_good};
    {list_wr, move} <= {adds, adds & moves_q};
  end
  assign word = word_q[DELAY-1];
  assign valid = valid_q[DELAY-1];
  assign flush = last_q[DELAY-1];
  assign done = flush;

  assign in_wr = move;
  assign move_gap = list_on[0];
  assign refused = done & good_q[DELAY-1] & (over_q | (any_q & ~adds_q));
  assign report_valid = done & good_q[DELAY-1];
  assign {report_on, report_start, report_stop, report_nxt} = {next_on, next_start, next_stop, move_nxt};
  assign report_at = start_q;
endmodule
