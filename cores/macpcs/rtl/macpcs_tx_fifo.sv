// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Transmit FIFO: a user on any clock that carries 10G to macpcs_tx.
//
//   s_axis -> async_fifo -> [hold the first word] -> [axis_narrow, 32 to 16 bits] -> m_axis
//
// Latency: none before the FIFO and none after it: a word taken at an edge of s_axis_clk is offered after the
// SYNC_STAGES-th edge of tx_clk that follows.  The first word of a frame waits until START_WORDS words of the frame, or
// its tlast, have crossed; 1: not at all.
//
// macpcs_tx needs a word whenever it asks for one.  It gets it if the user, once a frame has begun, gives a word in
// each cycle with tready, and START_WORDS makes up for a slower user clock.  START_WORDS = 0 takes the least that does:
//
//   word k is asked for n(k) = w k + floor(w k / 32) cycles after the first one at the earliest, w being the words of
//   macpcs_tx that one word makes: 32 in 33 cycles.  The first S have crossed when word 0 is taken, and word k is there
//   ceil((k - S + 1) r + e) cycles later, r being the user's period in cycles of tx_clk, 200 ppm longer than given, and
//   e = 1/16 the part of a cycle that two crossings may differ by.  So S = max(k + 1 - floor((n(k) - e) / r)), over the
//   first words after the first one and over the last one before each stall (n grows by w a word in between, r
//   does by r: so the worst is at an end of such a stretch).
//
//   user clock, 32-bit words         350 MHz   322.265625 MHz   312.5 MHz   310 MHz (carries 9.92 Gb/s)
//   START, tx_clk 322 MHz, 32 bits   1         2                3           22
//   START, tx_clk 644 MHz, 16 bits   1         2                2           22
//
// Depth: START_WORDS + 7 rounded up to a power of two, at least 8: a place is in use for 7 cycles (async_fifo).
//
// Resets: either one empties the FIFO.
//   tx_rst      the rest of the frame that the user is giving is taken and dropped, up to its tlast
//   s_axis_rst  a frame that macpcs_tx has begun, or has been offered, gets one more word with tlast and no tkeep,
//               which macpcs_tx poisons (inverted FCS, stat_tx_error).  That word may come a cycle too late: an
//               underrun, and the word then ends what macpcs_tx throws away.
// The next frame is whole in both cases.  Both sides need a reset once, after configuration.
module macpcs_tx_fifo #(
    parameter int WIDTH = 32,  // of the user's words: 16 or 32
    parameter int CORE_WIDTH = 32,  // of macpcs_tx: 16 or 32, not more than WIDTH
    parameter int DEPTH = 16,  // the user's words; a power of two
    parameter int SYNC_STAGES = 2,
    parameter int START_WORDS = 0,
    parameter int EARLY_WORDS = 0,  // with START_WORDS = 0: words that are taken before the frame can start
    parameter int S_AXIS_CLK_FREQ_KHZ = 322265,
    parameter int TX_CLK_FREQ_KHZ = 322266,
    parameter int MAX_BYTES = 9622  // longest frame, for START_WORDS = 0
) (
    input logic s_axis_clk,
    input logic s_axis_rst,

    input  logic [  WIDTH-1:0] s_axis_tdata,
    input  logic [WIDTH/8-1:0] s_axis_tkeep,
    input  logic               s_axis_tvalid,
    output logic               s_axis_tready,
    input  logic               s_axis_tlast,
    input  logic               s_axis_tuser,

    input logic tx_clk,
    input logic tx_rst,

    output logic [  CORE_WIDTH-1:0] m_axis_tdata,
    output logic [CORE_WIDTH/8-1:0] m_axis_tkeep,
    output logic                    m_axis_tvalid,
    input  logic                    m_axis_tready,
    output logic                    m_axis_tlast,
    output logic                    m_axis_tuser
);
  localparam int RATIO = WIDTH > CORE_WIDTH ? WIDTH / CORE_WIDTH : 1;

  // k + 1 - floor((n(k) - 1/16) / r): the words that must have crossed so that word k does not come too late
  function automatic int start_for(input int k);
    longint sixteenths, cycles;
    cycles     = longint'(RATIO * k + RATIO * k / 32);
    sixteenths = 16 * cycles - 1;
    return k + 1 - int'(sixteenths * longint'(S_AXIS_CLK_FREQ_KHZ) * 9998 / (160000 * longint'(TX_CLK_FREQ_KHZ)));
  endfunction

  function automatic int start_words();
    int s;
    s = 1;
    for (int k = 1; k < 4; k++) if (k >= s && start_for(k) > s) s = start_for(k);
    for (int k = 32 / RATIO - 1; k <= MAX_BYTES * 8 / WIDTH; k += 32 / RATIO) begin
      if (k >= s && start_for(k) > s) s = start_for(k);
    end
    return s;
  endfunction

  localparam int START = START_WORDS != 0 ? START_WORDS : start_words() + EARLY_WORDS;

  localparam bit WIDTHS_OK = (CORE_WIDTH == 16 || CORE_WIDTH == 32) && (WIDTH == CORE_WIDTH || WIDTH == 32);
  if (!WIDTHS_OK) begin : gen_bad_width
    $error("macpcs_tx_fifo: WIDTH and CORE_WIDTH must be 16 or 32, and WIDTH not less than CORE_WIDTH");
  end
  if (START < 1 || START + 7 > (DEPTH < 8 ? 0 : DEPTH)) begin : gen_bad_start
    $error("macpcs_tx_fifo: DEPTH must be at least START_WORDS + 7 (the slower the user clock, the more START_WORDS)");
  end

  typedef struct packed {
    logic               last;
    logic               user;
    logic [WIDTH/8-1:0] keep;
    logic [WIDTH-1:0]   data;
  } word_t;

  word_t wr_word, rd_word;
  logic wr_valid, wr_ready, wr_reset, rd_valid, rd_ready, rd_reset;
  logic start_ready, start_wr_reset, start_valid;  // of the FIFO of starts
  logic taken;  // a word goes from hold to macpcs_tx

  // --- Writer
  logic inside_q;  // in the user's frame
  logic swallow_q;  // what is left of it is dropped
  assign wr_word       = '{last: s_axis_tlast, user: s_axis_tuser, keep: s_axis_tkeep, data: s_axis_tdata};
  assign wr_valid      = s_axis_tvalid & start_ready & ~swallow_q;
  assign s_axis_tready = swallow_q | (wr_ready & start_ready);
  always_ff @(posedge s_axis_clk) begin
    if (s_axis_tvalid && s_axis_tready) inside_q <= ~s_axis_tlast;
    swallow_q <= (swallow_q & ~(s_axis_tvalid & s_axis_tlast)) | (inside_q & ~swallow_q & (wr_reset | start_wr_reset));
    if (s_axis_rst) begin
      inside_q  <= 1'b0;
      swallow_q <= 1'b0;
    end
  end

  async_fifo #(
      .WIDTH($bits(word_t)),
      .DEPTH(DEPTH),
      .SYNC_STAGES(SYNC_STAGES)
  ) u_fifo (
      .wr_clk (s_axis_clk),
      .wr_rst (s_axis_rst),
      .wr_reset,
      .wr_data(wr_word),
      .wr_valid,
      .wr_ready,
      .rd_clk (tx_clk),
      .rd_rst (tx_rst),
      .rd_reset,
      .rd_data(rd_word),
      .rd_valid,
      .rd_ready
  );

  // --- First words wait for a start.  It crosses in a FIFO of its own, one entry a frame, written with word number
  // START or the last one: so the reader needs no count of words.
  logic first_q;  // the next word is the first of a frame
  logic abort_q;
  if (START == 1) begin : gen_at_once
    assign {start_ready, start_wr_reset, start_valid} = 3'b101;
  end else begin : gen_hold
    localparam int COUNT_BITS = $clog2(START + 1);
    logic [COUNT_BITS-1:0] count_q;  // words of the frame in the FIFO, up to START
    logic put, start;
    assign put   = wr_valid & wr_ready;
    assign start = put & (count_q == COUNT_BITS'(START - 1) || (s_axis_tlast && count_q != COUNT_BITS'(START)));
    always_ff @(posedge s_axis_clk) begin
      if (put) count_q <= s_axis_tlast ? '0 : count_q == COUNT_BITS'(START) ? count_q : count_q + 1'b1;
      if (s_axis_rst || wr_reset || start_wr_reset) count_q <= '0;
    end
    async_fifo #(
        .WIDTH(1),
        .DEPTH(DEPTH),
        .SYNC_STAGES(SYNC_STAGES)
    ) u_starts (
        .wr_clk  (s_axis_clk),
        .wr_rst  (s_axis_rst),
        .wr_reset(start_wr_reset),
        .wr_data (1'b0),
        .wr_valid(start),
        .wr_ready(start_ready),
        .rd_clk  (tx_clk),
        .rd_rst  (tx_rst),
        .rd_reset(),
        .rd_data (),
        .rd_valid(start_valid),
        .rd_ready(taken & first_q & ~abort_q)
    );
  end

  // --- Reader
  word_t word;
  logic valid, ready;
  logic last_pending_q;  // macpcs_tx has seen a frame's first word, and not accepted its last one
  assign valid    = abort_q | (rd_valid & (~first_q | start_valid));
  assign word     = abort_q ? '{last: 1'b1, user: 1'b1, keep: '0, data: rd_word.data} : rd_word;
  assign taken    = valid & ready;
  assign rd_ready = taken & ~abort_q;
  always_ff @(posedge tx_clk) begin
    if (taken) first_q <= word.last;
    last_pending_q <= (last_pending_q | valid) & ~(taken & word.last);
    abort_q <= abort_q ? ~ready : last_pending_q & rd_reset;
    if (tx_rst) begin
      first_q <= 1'b1;
      last_pending_q <= 1'b0;
      abort_q <= 1'b0;
    end
  end

  if (RATIO == 1) begin : gen_same_width
    assign {m_axis_tdata, m_axis_tkeep, m_axis_tlast, m_axis_tuser} = {word.data, word.keep, word.last, word.user};
    assign m_axis_tvalid                                            = valid;
    assign ready                                                    = m_axis_tready;
  end else begin : gen_narrow
    axis_narrow u_narrow (
        .clk          (tx_clk),
        .rst          (tx_rst),
        .s_axis_tdata (word.data),
        .s_axis_tkeep (word.keep),
        .s_axis_tvalid(valid),
        .s_axis_tready(ready),
        .s_axis_tlast (word.last),
        .s_axis_tuser (word.user),
        .m_axis_tdata,
        .m_axis_tkeep,
        .m_axis_tvalid,
        .m_axis_tready,
        .m_axis_tlast,
        .m_axis_tuser
    );
  end
endmodule
