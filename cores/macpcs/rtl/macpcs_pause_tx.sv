// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Sends PAUSE frames (IEEE 802.3 annex 31B) in front of the user's, and holds the user's back while the link partner
// pauses us.  The frames of this module are not held back, as the annex has it.
// Latency: none; the user's path is one LUT in each direction, and no cycle is lost between two frames.
//
// While `tx_pause_req` is high the partner is kept paused: a PAUSE frame with PAUSE_LENGTH quanta, and the same again
// whenever half of that time has passed (counted from its first word's offer).  When the request falls: one with quanta
// 0, so that the partner goes on at once.  A request that is over before its frame could leave sends nothing.
//
// The stream changes hands only where no word of the user's is on offer: after the last word of a frame, or while it
// offers nothing.  The transmitter may have started a frame on a first word that it has not taken yet; that frame goes
// before a PAUSE frame, and before `hold` works.
// Assumes: the user keeps the rules of s_axis (once offered, a word stays until it is taken).
module macpcs_pause_tx #(
    parameter int WIDTH = 32,
    parameter int PAUSE_LENGTH = 65535  // quanta of 512 bit times, 1 to 65535
) (
    input logic clk,
    input logic rst,

    input logic [47:0] own_address,   // first byte in bits 47:40; does not change while a PAUSE frame is sent
    input logic        tx_pause_req,
    input logic        hold,          // no new frame of the user's
    input logic        step,          // the transmitter's payload moves: one payload word of WIDTH bits

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
    output logic               m_axis_tuser,

    output logic stat_tx_pause  // one cycle for each PAUSE frame, with its last word
);
  if (!(WIDTH inside {16, 32})) begin : gen_bad_width
    $error("macpcs_pause_tx: WIDTH must be 16 or 32");
  end
  if (PAUSE_LENGTH < 1 || PAUSE_LENGTH > 65535) begin : gen_bad_length
    $error("macpcs_pause_tx: PAUSE_LENGTH must be 1 to 65535");
  end

  // --- Whose turn it is: the user's (pass), this module's (send), or nobody's.
  logic pass_q, send_q, want_q, hold_q;
  logic user_frame_q;  // one of the user's words has been taken, the last of its frame not
  logic word_last_q;
  logic user_free, free, begin_send;
  // The user has no frame under way and none on offer, when this cycle is over.
  assign user_free = s_axis_tvalid ? m_axis_tready & s_axis_tlast : ~user_frame_q;
  assign free = pass_q ? user_free : ~send_q | (m_axis_tready & word_last_q);
  assign begin_send = free & want_q;
  always_ff @(posedge clk) begin
    hold_q <= hold;
    if (free) begin
      send_q <= want_q;
      pass_q <= ~want_q & ~hold_q;
    end
    if (pass_q && s_axis_tvalid && m_axis_tready) user_frame_q <= ~s_axis_tlast;
    if (rst) begin
      hold_q       <= 1'b0;
      send_q       <= 1'b0;
      pass_q       <= 1'b0;
      user_frame_q <= 1'b0;
    end
  end

  logic [WIDTH-1:0] word_q;
  assign s_axis_tready = m_axis_tready & pass_q;
  assign m_axis_tvalid = (s_axis_tvalid & pass_q) | send_q;
  assign m_axis_tdata  = send_q ? word_q : s_axis_tdata;
  assign m_axis_tkeep  = s_axis_tkeep | {(WIDTH / 8) {send_q}};
  assign m_axis_tlast  = send_q ? word_last_q : s_axis_tlast;
  assign m_axis_tuser  = s_axis_tuser & ~send_q;

  // --- What is wanted.  want_q lags by 2 cycles, which a frame of its own always covers.
  logic req_q, want_pause_q;  // want_pause_q: with quanta, not with 0
  logic paused_q;  // the partner was paused by the last frame that we sent
  logic fresh, load_q;  // less than half of it has passed
  macpcs_pause_timer #(
      .WIDTH    (WIDTH),
      .UNIT_BITS(256)
  ) u_timer (
      .clk,
      .rst,
      .load  (load_q),
      .quanta(16'(PAUSE_LENGTH)),
      .step,
      .active(fresh)
  );
  always_ff @(posedge clk) begin
    req_q        <= tx_pause_req;
    want_q       <= (req_q ? ~(paused_q & fresh) : paused_q) & ~send_q & ~begin_send;
    want_pause_q <= req_q;
    load_q       <= begin_send & want_pause_q;
    if (begin_send) paused_q <= want_pause_q;
    if (rst) begin
      req_q    <= 1'b0;
      want_q   <= 1'b0;
      load_q   <= 1'b0;
      paused_q <= 1'b0;
    end
  end

  // --- The frame: 60 bytes, the transmitter appends the FCS.  In 16-bit halves, first byte low.
  localparam int LANES = WIDTH / 16;
  localparam int WORDS = 30 / LANES;
  localparam int INDEX_BITS = $clog2(WORDS);
  logic [INDEX_BITS-1:0] index_q;  // of the word that comes after word_q
  logic [15:0] quanta;
  logic length_q;  // this frame has quanta
  logic [29:0][15:0] frame;
  assign quanta = length_q ? 16'(PAUSE_LENGTH) : 16'h0;
  always_comb begin
    frame = '0;
    frame[0] = 16'h8001;
    frame[1] = 16'h00c2;
    frame[2] = 16'h0100;
    for (int h = 0; h < 3; h++) frame[3+h] = {own_address[32-16*h+:8], own_address[40-16*h+:8]};
    frame[6] = 16'h0888;
    frame[7] = 16'h0100;
    frame[8] = {quanta[7:0], quanta[15:8]};
  end
  always_ff @(posedge clk) begin
    if (!send_q) begin
      word_q      <= frame[LANES-1:0];
      index_q     <= INDEX_BITS'(1);
      word_last_q <= 1'b0;
      length_q    <= want_pause_q;
    end else if (m_axis_tready) begin
      word_q      <= frame[LANES*index_q+:LANES];
      index_q     <= index_q + 1'b1;
      word_last_q <= index_q == INDEX_BITS'(WORDS - 1);
    end
  end
  assign stat_tx_pause = send_q & m_axis_tready & word_last_q;
endmodule
