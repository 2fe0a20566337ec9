// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Receive FIFO: joined words (macpcs_rx_join) on rx_clk to a user on any clock that carries 10G, with tready.
//
//   beat -> [macpcs_rx_pack, 16 to 32 bits] -> gate -> async_fifo -> m_axis
//
// Latency: none before the FIFO and none after it: a word is written in the cycle in which it comes, and is offered
// after the SYNC_STAGES-th edge of m_axis_clk that follows.  A frame passes through: nothing waits for its end.  `sof`
// takes the same way as a flag of an entry, which may hold no word; out_sof is high for one cycle, when the entry is
// first seen.
//
// With EARLY that entry is written with `likely`, in the cycle of `sof` or the one before, and the flag follows by a way
// of its own (macpcs_rx_fifo_sof).  An entry without word or flag, for a `likely` without a sof, is dropped by the reader:
// the user never sees it.  It takes a place as long as a word before it waits for the user.
//
// When the FIFO is full:
//   - a frame whose word finds no room is cut: the rest of it is dropped, and as soon as there is room an entry with
//     last, keep 0 and status.code ends it, before anything of a later frame;
//   - a frame whose sof finds no room is dropped whole, and not announced;
//   - `overflow` pulses once for each frame lost in either way, in the cycle after its last word has come.
// So out_sof and the last words that the user takes agree one to one and in order, whatever happens.
//
// Resets: either one empties the FIFO.  What is left of frames that are under way is dropped, and counts as overflow
// after a reset of the user's side; the first frame whose sof comes after the reset is whole.  Where rx_rst alone has
// cut frames that were announced to the user, each is ended with last, keep 0 and status.code, within some
// cycles; a word that was offered and not taken is taken back then.  Both sides need a reset once, after configuration.
//
// Depth: 8 is the least, for all widths, with SYNC_STAGES = 2 and a user who is always ready; a deeper FIFO adds no
// latency, it is for a user who is not.  Why:
//   - async_fifo uses a place for 2 SYNC_STAGES + 3 = 7 cycles where an entry comes in each, now and then for one more;
//     from 16 to 32 bits an entry has two cycles of rx_clk, and its place is in use for 11 at most
//   - entries do not heap up beyond that.  The line gives 32 words in 33 cycles, 3 % less than the user can take, so
//     the user's clock may be slower by 200 ppm.  An entry with nothing but sof stands in a start block, which has at least
//     two cycles without a word; they also pay for the half word that may end a frame at 16 to 32 bits.
//
// Logic levels (LUT6, open mapper), with macpcs_rx_join before it: three, or four from there to the write pointer at
// 16 to 16 bits.
//
// Assumes: a frame's sof comes two cycles or more before its first word or end; sofs are a block apart.  With EARLY each
// sof has a `likely` in its cycle or the one before, and these are two cycles apart or more.
module macpcs_rx_fifo
  import macpcs_pkg::*;
#(
    parameter int IN_WIDTH = 32,  // of the words that come: 16 or 32
    parameter int WIDTH = 32,  // of the user's words: 16 or 32, not less than IN_WIDTH
    parameter int DEPTH = 16,  // the user's words; a power of two, 8 at least
    parameter int VERDICT_LATENCY = 2,  // by which macpcs_rx_join holds a frame's last word back
    parameter int SYNC_STAGES = 2,
    parameter bit EARLY = 1'b0
) (
    input  logic      rx_clk,
    input  logic      rx_rst,
    input  beat_t     in,
    input  rx_error_t in_status,  // with in.last
    input  logic      likely,     // with EARLY
    input  logic      sof,
    output logic      overflow,

    input  logic      m_axis_clk,
    input  logic      m_axis_rst,
    output beat_t     out,
    output rx_error_t out_status,  // with out.last
    output logic      out_sof,
    input  logic      out_ready
);
  if (!((WIDTH == 16 || WIDTH == 32) && (IN_WIDTH == 16 || IN_WIDTH == 32) && WIDTH >= IN_WIDTH)) begin : gen_bad_width
    $error("macpcs_rx_fifo: WIDTH and IN_WIDTH must be 16 or 32, and WIDTH not less than IN_WIDTH");
  end
  if (DEPTH < 8) begin : gen_bad_depth
    $error("macpcs_rx_fifo: DEPTH must be at least 8 (and a power of two)");
  end

  // Frames announced whose last word has not come, at most: sofs are a block apart, two cycles or four, and the last
  // word of the frame before comes 8 cycles after a sof at the latest; with a late verdict 4 more.
  localparam int FRAMES = (IN_WIDTH == 16 ? 4 : 6) + (VERDICT_LATENCY > 2 ? 2 : 0);
  localparam int FRAMES_BITS = $clog2(FRAMES + 1);
  localparam int BYTES = WIDTH / 8;

  typedef struct packed {
    logic             starts;  // a frame; with EARLY, it may
    logic             valid;
    logic             last;
    logic [BYTES-1:0] keep;
    rx_error_t        status;
    logic [WIDTH-1:0] data;
  } entry_t;

  // --- Writer
  beat_t word;
  if (WIDTH != IN_WIDTH) begin : gen_pack
    macpcs_rx_pack u_pack (
        .clk(rx_clk),
        .rst(rx_rst),
        .in,
        .out(word)
    );
  end else begin : gen_same_width
    assign word = in;
  end

  logic starts;  // an entry for a start is written
  assign starts = EARLY ? likely : sof;

  // A place for each frame whose sof has come and whose last word has not, the oldest in [0]; `whole`: up to here it is
  // in the FIFO.  A sof enters a cycle late: the frame's words come two cycles after it or later.
  logic [FRAMES-1:0] frame_q, whole_q;
  logic [FRAMES-1:0] ends_pending_q;  // ends of cut frames, not written yet: as many ones, from [0] on
  logic sof_q, sof_taken_q;  // a sof, and whether its entry found room
  logic end_pending, put_word, cut, ends, wr_reset, wr_ready;
  entry_t wr_entry;
  assign end_pending = ends_pending_q[0];
  assign put_word    = word.valid & whole_q[0];  // a pending end is written in its place
  assign cut         = word.valid & whole_q[0] & ~(wr_ready & ~end_pending);
  assign ends        = in.valid & in.last & frame_q[0];

  always_comb begin
    wr_entry.starts = starts;
    wr_entry.valid  = end_pending | put_word;
    wr_entry.last   = end_pending | word.last;
    wr_entry.keep   = end_pending ? '0 : word.keep[BYTES-1:0];
    wr_entry.status = end_pending ? '{code: 1'b1, default: '0} : in_status;
    wr_entry.data   = word.data[WIDTH-1:0];
  end

  // Places if the frame in [0] goes on, and if it ends in this cycle
  logic [FRAMES-1:0] frame_on, whole_on, frame_end, whole_end, ends_pending_next;
  always_comb begin
    for (int i = 0; i < FRAMES; i++) begin
      logic free_on, free_end;
      free_on      = ~frame_q[i] & (i == 0 || frame_q[(i==0)?0 : i-1]);
      free_end     = (i == FRAMES - 1 || ~frame_q[(i==FRAMES-1)?i : i+1]) & frame_q[i];
      frame_on[i]  = frame_q[i] | (sof_q & free_on);
      whole_on[i]  = whole_q[i] | (sof_q & sof_taken_q & free_on);
      frame_end[i] = (i < FRAMES - 1 && frame_q[(i==FRAMES-1)?i : i+1]) | (sof_q & free_end);
      whole_end[i] = (i < FRAMES - 1 && whole_q[(i==FRAMES-1)?i : i+1]) | (sof_q & sof_taken_q & free_end);
    end
    case ({
      cut, end_pending & wr_ready
    })
      2'b10:   ends_pending_next = {ends_pending_q[FRAMES-2:0], 1'b1};
      2'b01:   ends_pending_next = ends_pending_q >> 1;
      default: ends_pending_next = ends_pending_q;
    endcase
  end

  always_ff @(posedge rx_clk) begin
    sof_q <= sof;
    if (starts) sof_taken_q <= wr_ready;
    frame_q <= ends ? frame_end : frame_on;
    whole_q <= ends ? whole_end : whole_on & ~FRAMES'(cut);
    ends_pending_q <= ends_pending_next;
    overflow <= ends & (~whole_q[0] | cut);
    if (wr_reset || rx_rst) {whole_q, ends_pending_q} <= '0;
    if (rx_rst) begin
      sof_q    <= 1'b0;
      frame_q  <= '0;
      overflow <= 1'b0;
    end
  end

  // --- Crossing
  entry_t entry;
  logic rd_valid, rd_ready, rd_reset;
  async_fifo #(
      .WIDTH($bits(entry_t)),
      .DEPTH(DEPTH),
      .SYNC_STAGES(SYNC_STAGES)
  ) u_fifo (
      .wr_clk  (rx_clk),
      .wr_rst  (rx_rst),
      .wr_reset,
      .wr_data (wr_entry),
      .wr_valid(put_word | starts | end_pending),
      .wr_ready,
      .rd_clk  (m_axis_clk),
      .rd_rst  (m_axis_rst),
      .rd_reset,
      .rd_data (entry),
      .rd_valid,
      .rd_ready
  );

  logic entry_starts;
  if (EARLY) begin : gen_early
    logic entry_sof;
    macpcs_rx_fifo_sof #(
        .DEPTH(DEPTH)
    ) u_sof (
        .wr_clk  (rx_clk),
        .wr_reset,
        .put     (starts & wr_ready),
        .sof_next(sof_q | sof),
        .rd_clk  (m_axis_clk),
        .rd_reset,
        .take    (rd_valid & rd_ready & entry.starts),
        .out_sof (entry_sof)
    );
    assign entry_starts = entry.starts & entry_sof;
  end else begin : gen_with_sof
    assign entry_starts = entry.starts;
    logic unused;
    assign unused = likely;
  end

  // --- Reader
  logic sof_seen_q;  // the flag of the entry that is offered has been given
  logic hold_q;  // the FIFO is or was in reset, and the user may know of frames that it cut
  logic close_q;  // one of them is being ended
  assign rd_ready = ~hold_q & (out_ready | ~entry.valid);
  assign out_sof  = ~hold_q & rd_valid & entry_starts & ~sof_seen_q;
  always_comb begin
    out                 = '0;
    out.valid           = close_q | (~hold_q & rd_valid & entry.valid);
    out.last            = close_q | entry.last;
    out.keep[BYTES-1:0] = close_q ? '0 : entry.keep;
    out.data[WIDTH-1:0] = entry.data;
    out_status          = close_q ? '{code: 1'b1, default: '0} : entry.status;
  end

  // Frames that a reset of the writer has cut are ended, one at a time, before anything else goes on.
  // All of it looks at the cycle before: there is time, and little of it in a cycle.
  logic began_q, ended_q;  // a frame was announced to the user, or ended, in the cycle before
  logic [FRAMES_BITS-1:0] open_q;  // frames that were announced to the user, up to then
  always_ff @(posedge m_axis_clk) begin
    sof_seen_q <= ~hold_q & rd_valid & entry.starts & ~rd_ready;
    began_q    <= out_sof;
    ended_q    <= out.valid & out.last & out_ready;
    if (began_q != ended_q) open_q <= began_q ? open_q + 1'b1 : open_q - 1'b1;
    hold_q  <= rd_reset | (hold_q & (began_q | ended_q | close_q | (open_q != 0)));
    close_q <= close_q ? ~out_ready : hold_q & ~began_q & ~ended_q & (open_q != 0);
    if (m_axis_rst) begin
      sof_seen_q <= 1'b0;
      began_q    <= 1'b0;
      ended_q    <= 1'b0;
      open_q     <= '0;
      hold_q     <= 1'b1;
      close_q    <= 1'b0;
    end
  end
endmodule
