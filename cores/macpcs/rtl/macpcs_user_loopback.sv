// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Loopback of received frames: while `on`, they are sent in place of the user's; the user gets none and sends none.
// Latency: none from `in` to `out` and from s_axis to m_axis, one LUT each.  `on` works some cycles later, on each side
// on its own, between two frames.
//
//   in -> route of each frame -> out
//           |
//           +-> [to its verdict] -> [macpcs_rx_fcs_strip] -> cut -> macpcs_tx_fifo -> [axis_register] -+
//   s_axis --------------------------------------------------------------------------------------------+-> m_axis
//
// A frame with any error leaves with tuser, for a wrong FCS: damage is never mended.  (The transmitter must obey tuser,
// and the receiver must check the FCS.)
//
// When the FIFO is full (rx_clk is faster than tx_clk and the line has no pause; the transmitter is stopped or paused,
// or still busy with a frame of the user's; frames grow by padding), the frame whose word finds no room is cut: the
// rest is dropped and, as soon as there is room, a word with tlast, tuser and no tkeep ends it.  A frame whose first
// word finds no room is dropped whole.  `overflow` pulses once for each, a cycle after that word.
//
// Receiver's turn: the route of a frame is chosen at its sof, which may come while older frames have not ended; its
// words and its verdict follow, so each sof has its last word and its verdict in the same place.
// Transmitter's turn: it changes when no frame is under way and none on offer, for a first word on offer may have
// started a frame.  It goes back to the user when what was received for the loopback has been sent.  A frame that the
// user has on offer when `on` rises goes first; what was received meanwhile follows it, even if `on` is over by then.
//
// START_WORDS = 6 is enough.  A word comes out of the strip, whatever the frame's end looks like, at most one cycle
// later than one word a cycle less the stalls, one cycle in 33: so m words come within m + ceil(m / 32) + 1 cycles of
// rx_clk.  With S words there when word 0 is taken, word k = m + S - 1 is asked for k + floor(k / 32) cycles later at
// the earliest, and ceil(m / 32) <= floor(k / 32) + 1.  So S - 1 must be at least 2, plus what rx_clk falls behind by:
// 1 cycle at 200 ppm for the 4961 cycles of 9622 bytes at 16 bits; plus 1/16 for the crossing.  That is 5 at 16 bits, 4
// at 32; one to spare.
//
// Depth: a place is in use for 7 cycles; 6 more for the words that wait at the start, and some for gaps that the two
// sides round differently.  32 leave some 16 words for an rx_clk that is faster: at 100 ppm and 32 bits that is 160000
// cycles of frames at the smallest gap.
//
// Resets: rx_rst ends the frame that is being sent with a wrong FCS; tx_rst drops what is in the FIFO and the rest of
// the frame that is being received.  The next frame is whole.  What a reset loses need not count as overflow.
//
// Assumes: sof comes two cycles or more before the first beat of its frame, and the verdict VERDICT_LATENCY cycles
// after the last; without FCS_REMOVED no beat comes in the cycle after a `last` with keep > 0.
module macpcs_user_loopback
  import macpcs_pkg::*;
#(
    parameter int WIDTH = 32,
    parameter int VERDICT_LATENCY = 1,  // cycles from the last beat of a frame to its verdict, 0 to 2
    parameter bit FCS_REMOVED = 1'b0  // from the frames in `in`; else it is taken off here
) (
    input logic on,  // from any clock

    input  logic rx_clk,
    input  logic rx_rst,
    input  rx_t  in,
    output rx_t  out,
    output logic overflow,

    input logic tx_clk,
    input logic tx_rst,

    // From the user
    input  logic [  WIDTH-1:0] s_axis_tdata,
    input  logic [WIDTH/8-1:0] s_axis_tkeep,
    input  logic               s_axis_tvalid,
    output logic               s_axis_tready,
    input  logic               s_axis_tlast,
    input  logic               s_axis_tuser,

    output logic [  WIDTH-1:0] m_axis_tdata,
    output logic [WIDTH/8-1:0] m_axis_tkeep,
    output logic               m_axis_tvalid,
    input  logic               m_axis_tready,
    output logic               m_axis_tlast,
    output logic               m_axis_tuser
);
  if (!(WIDTH inside {16, 32})) begin : gen_bad_width
    $error("macpcs_user_loopback: WIDTH must be 16 or 32");
  end
  if (!(VERDICT_LATENCY inside {0, 1, 2})) begin : gen_bad_latency
    $error("macpcs_user_loopback: VERDICT_LATENCY must be 0, 1 or 2");
  end

  // --- Receiver's turn.  `older` frames, announced before a change of route and not ended, keep the old one.
  localparam int COUNT_BITS = 4;  // a sof comes before the last word of at most 7 others: see macpcs_rx_fifo
  logic on_rx;
  logic sof_q, ends_q;  // counted a cycle late, so that little logic hangs on the receiver's signals
  logic route_sof_q, route_beat_q, route_beat;  // to the loopback: frames that begin; frames whose words come
  logic change_q, older_left_q, older_done;
  logic [COUNT_BITS-1:0] newer_q, older_q;

  // One up, one down, or neither, without the carry chain that an adder would become.
  function automatic logic [COUNT_BITS-1:0] counted(input logic [COUNT_BITS-1:0] count, input logic up,
                                                    input logic down);
    logic [COUNT_BITS-1:0] r;
    for (int i = 0; i < COUNT_BITS; i++) begin
      logic [COUNT_BITS-1:0] below;
      below = COUNT_BITS'((1 << i) - 1);
      r[i]  = count[i] ^ ((up & ~down & ((count & below) == below)) | (down & ~up & ((count & below) == '0)));
    end
    return r;
  endfunction

  cdc_bits u_on_rx (
      .clk(rx_clk),
      .rst(1'b0),
      .d  (on),
      .q  (on_rx)
  );
  assign older_done = older_left_q & (older_q == 0 || (older_q == 1 && ends_q));
  assign route_beat = older_done ? route_sof_q : route_beat_q;
  always_ff @(posedge rx_clk) begin
    sof_q    <= in.sof;
    ends_q   <= in.beat.valid & in.beat.last;
    change_q <= 1'b0;
    if (change_q) begin  // sof_q and ends_q are of the last cycle before it
      older_q      <= counted(newer_q, sof_q, ends_q);
      newer_q      <= '0;
      older_left_q <= 1'b1;
    end else begin
      newer_q <= counted(newer_q, sof_q, ends_q & ~older_left_q);
      if (older_left_q) older_q <= counted(older_q, 1'b0, ends_q);
      if (older_done) older_left_q <= 1'b0;
      if (!older_left_q && on_rx != route_sof_q) begin
        change_q    <= 1'b1;
        route_sof_q <= on_rx;
      end
    end
    route_beat_q <= route_beat;
    if (rx_rst) begin
      sof_q        <= 1'b0;
      ends_q       <= 1'b0;
      change_q     <= 1'b0;
      older_left_q <= 1'b0;
      newer_q      <= '0;
      route_sof_q  <= on_rx;
      route_beat_q <= on_rx;
    end
  end

  logic [VERDICT_LATENCY:0] route_verdict;  // [i]: of the words i cycles ago
  assign route_verdict[0] = route_beat;
  if (VERDICT_LATENCY > 0) begin : gen_route_verdict
    always_ff @(posedge rx_clk) route_verdict[VERDICT_LATENCY:1] <= route_verdict[VERDICT_LATENCY-1:0];
  end
  always_comb begin
    out              = in;
    out.sof          = in.sof & ~route_sof_q;
    out.beat.valid   = in.beat.valid & ~route_beat;
    out.status_valid = in.status_valid & ~route_verdict[VERDICT_LATENCY];
  end

  // --- Words and verdict together, the FCS taken off
  beat_t judged, judged_word, word;
  beat_t [VERDICT_LATENCY:0] held_q;
  logic judged_bad_q, judged_word_bad, word_bad;
  assign judged = held_q[VERDICT_LATENCY];
  always_ff @(posedge rx_clk) begin
    held_q[0]       <= in.beat;
    held_q[0].valid <= in.beat.valid & route_beat;
    for (int i = 1; i <= VERDICT_LATENCY; i++) held_q[i] <= held_q[i-1];
    judged_bad_q <= ~in.status_valid | (in.status != '0);
    if (rx_rst) for (int i = 0; i <= VERDICT_LATENCY; i++) held_q[i].valid <= 1'b0;
  end
  if (FCS_REMOVED) begin : gen_removed
    assign judged_word     = judged;
    assign judged_word_bad = judged_bad_q;
  end else begin : gen_strip
    logic word_judged;
    rx_error_t word_status;
    macpcs_rx_fcs_strip #(
        .WIDTH(WIDTH)
    ) u_strip (
        .clk             (rx_clk),
        .rst             (rx_rst),
        .in              (judged),
        .in_status       ('{code: judged_bad_q, default: '0}),
        .out             (judged_word),
        .out_status_valid(word_judged),
        .out_status      (word_status)
    );
    assign judged_word_bad = word_status.code;
  end
  always_ff @(posedge rx_clk) begin
    word     <= judged_word;
    word_bad <= judged_word_bad;
    if (rx_rst) word.valid <= 1'b0;
  end

  // --- What finds no room is cut
  logic begun_q;  // the FIFO has words of the frame
  logic drop_q;  // the rest of the frame is dropped
  logic end_pending_q;  // the end of a cut frame is still to be written
  logic fifo_room, lost;
  assign lost = word.valid & ~drop_q & (end_pending_q | ~fifo_room);
  always_ff @(posedge rx_clk) begin
    if (word.valid) begin
      begun_q <= ~word.last & ~drop_q & ~lost;
      drop_q  <= ~word.last & (drop_q | lost);
    end
    end_pending_q <= end_pending_q ? ~fifo_room : lost & begun_q;
    overflow <= lost;
    if (rx_rst) begin
      begun_q <= 1'b0;
      drop_q <= 1'b0;
      end_pending_q <= 1'b0;
      overflow <= 1'b0;
    end
  end

  // --- Crossing
  typedef struct packed {
    logic               last;
    logic               user;
    logic [WIDTH/8-1:0] keep;
    logic [WIDTH-1:0]   data;
  } word_t;
  word_t fifo_word, loop_word;
  logic fifo_valid, fifo_ready, loop_valid, loop_ready;
  macpcs_tx_fifo #(
      .WIDTH      (WIDTH),
      .CORE_WIDTH (WIDTH),
      .DEPTH      (32),
      .START_WORDS(6)
  ) u_fifo (
      .s_axis_clk   (rx_clk),
      .s_axis_rst   (rx_rst),
      .s_axis_tdata (word.data[WIDTH-1:0]),
      .s_axis_tkeep (end_pending_q ? '0 : word.keep[WIDTH/8-1:0]),
      .s_axis_tvalid(end_pending_q | (word.valid & ~drop_q)),
      .s_axis_tready(fifo_room),
      .s_axis_tlast (end_pending_q | word.last),
      .s_axis_tuser (end_pending_q | (word.last & word_bad)),
      .tx_clk,
      .tx_rst,
      .m_axis_tdata (fifo_word.data),
      .m_axis_tkeep (fifo_word.keep),
      .m_axis_tvalid(fifo_valid),
      .m_axis_tready(fifo_ready),
      .m_axis_tlast (fifo_word.last),
      .m_axis_tuser (fifo_word.user)
  );
  axis_register #(
      .WIDTH($bits(word_t))
  ) u_register (
      .clk    (tx_clk),
      .rst    (tx_rst),
      .s_data (fifo_word),
      .s_valid(fifo_valid),
      .s_ready(fifo_ready),
      .m_data (loop_word),
      .m_valid(loop_valid),
      .m_ready(loop_ready)
  );

  // The transmitter waits for all that the receiver may have put into the FIFO: `busy` lasts until 15 cycles after
  // the last word of the last frame, 8 or more after that has been written.  So its fall arrives after the word.
  logic [COUNT_BITS-1:0] linger_q;
  logic busy_q, on_tx, busy_tx, wanted;
  always_ff @(posedge rx_clk) begin
    if (route_sof_q || route_beat_q || end_pending_q) linger_q <= '1;
    else if (linger_q != 0) linger_q <= counted(linger_q, 1'b0, 1'b1);
    busy_q <= linger_q != 0;
    if (rx_rst) linger_q <= '0;
  end
  cdc_bits #(
      .WIDTH(2)
  ) u_on_tx (
      .clk(tx_clk),
      .rst(1'b0),
      .d  ({on, busy_q}),
      .q  ({on_tx, busy_tx})
  );
  assign wanted = on_tx | busy_tx;

  // --- Transmitter's turn
  logic turn_q;  // the loopback's
  logic inside_q;  // a word of a frame has been offered, its last one not taken
  logic user_free, fifo_idle_q, sent_q;
  assign user_free = s_axis_tvalid ? m_axis_tready & s_axis_tlast : ~inside_q;  // after this cycle
  always_ff @(posedge tx_clk) begin
    inside_q <= (inside_q | m_axis_tvalid) & ~(m_axis_tvalid & m_axis_tready & m_axis_tlast);
    // In two steps: once `busy` is over, no word comes that was not there.
    fifo_idle_q <= ~fifo_valid;
    sent_q <= turn_q & ~wanted & ~inside_q & ~loop_valid & fifo_idle_q;
    turn_q <= turn_q ? ~sent_q | loop_valid : (wanted | loop_valid) & user_free;
    if (tx_rst) begin
      inside_q <= 1'b0;
      sent_q   <= 1'b0;
      turn_q   <= wanted;
    end
  end
  assign s_axis_tready = m_axis_tready & ~turn_q;
  assign loop_ready    = m_axis_tready & turn_q;
  assign m_axis_tvalid = turn_q ? loop_valid : s_axis_tvalid;
  assign m_axis_tdata  = turn_q ? loop_word.data : s_axis_tdata;
  assign m_axis_tkeep  = turn_q ? loop_word.keep : s_axis_tkeep;
  assign m_axis_tlast  = turn_q ? loop_word.last : s_axis_tlast;
  assign m_axis_tuser  = turn_q ? loop_word.user : s_axis_tuser;
endmodule
