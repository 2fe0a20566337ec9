// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Between the engine (32 bits) and a MAC of 16 bits at twice the clock: it has the first three words of the user's next frame
// ready, so that the frame can begin in the cycle of tx_start, before the engine knows of it.
// Latency: none from tx_start, while tx_armed is high.  A frame that the engine begins is on offer a slow cycle and a fast
// one after begin_frame.
//
//   slow                                                    fast
//   words 0-2 while no frame is under way --+
//   s_axis ----------------------------+----+-> even_q, odd_q ----> half_q ----> m_axis
//                                      +-> spare_q --^                 ^
//   total ------------------------------------------------------------+
//
// even_q and odd_q are a FIFO of two words, spare_q takes the one for which there is no place, so that s_axis_tready comes
// from a register on the slow clock.  The fast side reads a half ahead of the MAC.  Once the MAC has taken the first half of
// a frame it can take one in each cycle: word n is there when half 2n - 1 is on offer, because of
//
//   tx_start in       the engine's word 3 is on s_axis in    and is read at the end of the fast cycle
//   the first half    the next slow cycle, s + 1             s + 2, second half
//   the second half   the one after it, s + 2                s + 3, first half
//
// So the total length, low half of word 4, which comes from the user by way of an adder, may be as late as three whole cycles of
// clk after tx_start in both cases.
//
// Assumes: clk and tx_clk come from one source, edges aligned.  The rules of ate_engine for armed, between, drain and
// begin_frame; a word in each slow cycle with s_axis_tready from the engine's first to the last of the frame;
// s_axis_tlast, tuser and is_length are low between frames.
module ate_early
  import ate_pkg::*;
(
    input logic clk,
    input logic rst,
    input logic tx_clk,
    input logic tx_rst,

    input  logic tx_start,
    output logic tx_armed,
    output logic busy,      // fast: a frame is under way

    input logic              armed,
    input logic              between,      // no frame is under way in the engine: head may be taken
    input logic              drain,
    input logic              begin_frame,
    input logic [ 2:0][31:0] head,         // words 0-2
    input logic [15:0]       total,        // length, as a number

    input  logic [31:0] s_axis_tdata,
    input  logic [ 3:0] s_axis_tkeep,     // one byte at least
    input  logic        s_axis_tvalid,
    output logic        s_axis_tready,
    input  logic        s_axis_tlast,
    input  logic        s_axis_tuser,
    input  logic        s_axis_is_length,

    output logic [15:0] m_axis_tdata,
    output logic [ 1:0] m_axis_tkeep,
    output logic        m_axis_tvalid,
    input  logic        m_axis_tready,
    output logic        m_axis_tlast,
    output logic        m_axis_tuser
);
  typedef struct packed {
    logic [15:0] data;
    logic        one;   // byte
    logic        last;
    logic        user;
  } half_t;
  typedef struct packed {
    logic  is_length;
    half_t high;
    half_t low;
  } word_t;

  // --- Slow side
  word_t given, even_q, odd_q, spare_q;
  logic spare_valid_q, begin_q;
  logic [1:0] written_q;  // words of the frame, modulo 4
  logic [2:0] read_q;  // halves of the frame, modulo 8, with the one that goes into half_q next
  logic free, have, put, prime, busy_q;
  logic [1:0] load;  // into odd_q, even_q
  assign given = '{
          is_length: s_axis_is_length,
          high: '{
              data: s_axis_tdata[31:16],
              one: s_axis_tlast & ~s_axis_tkeep[3],
              last: s_axis_tlast & s_axis_tkeep[2],
              user: 1'b0
          },
          low: '{
              data: s_axis_tdata[15:0],
              one: s_axis_tlast & ~s_axis_tkeep[1],
              last: s_axis_tlast & ~s_axis_tkeep[2],
              user: s_axis_tuser
          }
      };
  // Words 0-2 take their flags, which are zero, from where other words come: a constant would become a reset of these
  // registers, which is slower.
  function automatic word_t with_data(input word_t word, input logic head_too, input logic [31:0] data);
    with_data = word;
    if (head_too) {with_data.high.data, with_data.low.data} = data;
  endfunction
  word_t oldest;
  assign oldest        = spare_valid_q ? spare_q : given;

  assign free          = (written_q ^ read_q[2:1]) != 2'b10;
  assign have          = spare_valid_q | s_axis_tvalid;
  assign s_axis_tready = ~spare_valid_q;
  // A cell with a name, so that what comes from the fast clock (busy_q in prime, read_q) has two levels of logic.
  mux4 #(
      .WIDTH(2),
      .NAMED(1'b1)
  ) u_load (
      .d0 ({2{between}}),
      .d1 (2'b00),
      .d2 ({2{between}} | ({2{have}} & {written_q[0], ~written_q[0]})),
      .d3 ({2{have}} & {written_q[0], ~written_q[0]}),
      .sel({free, busy_q}),
      .y  (load)
  );
  assign prime = between & ~busy_q;
  assign put   = have & free;
  always_ff @(posedge clk) begin
    begin_q <= begin_frame & ~rst;
    if (load[0]) even_q <= with_data(oldest, prime, head[0]);
    if (load[1]) odd_q <= with_data(oldest, prime, head[1]);
    if (prime || !spare_valid_q) spare_q <= with_data(given, prime, head[2]);
    // A counter without a carry chain
    written_q     <= prime ? 2'd2 : written_q ^ {put & written_q[0], put};
    spare_valid_q <= prime | (have & ~free);
    if (drain || rst) begin
      written_q     <= 2'd0;
      spare_valid_q <= 1'b0;
    end
  end

  // --- Fast side
  half_t picked, half_q;
  logic second, fire, take, begin_now, armed_q, pick_length;
  sync_phase u_phase (
      .slow_clk(clk),
      .fast_clk(tx_clk),
      .second
  );
  mux4 #(
      .WIDTH($bits(half_t))
  ) u_pick (
      .d0 (even_q.low),
      .d1 (even_q.high),
      .d2 (odd_q.low),
      .d3 (odd_q.high),
      .sel(read_q[1:0]),
      .y  (picked)
  );
  assign pick_length = ~read_q[0] & (read_q[1] ? odd_q.is_length : even_q.is_length);
  assign fire        = armed_q & tx_start;
  assign take        = (busy_q | fire) & m_axis_tready;
  // begin_q stays for two fast cycles; tx_start may come before it, with the same frame.
  assign begin_now   = begin_q & ~second & ~busy_q;
  always_ff @(posedge tx_clk) begin
    if (take || !busy_q) begin
      half_q <= busy_q | take ? picked : even_q.low;
      if (busy_q && pick_length) half_q.data <= swap16(total);
    end
    read_q  <= busy_q | fire ? read_q ^ {take & (&read_q[1:0]), take & read_q[0], take} : 3'd1;
    busy_q  <= busy_q ? ~(take & half_q.last) : fire | begin_now;
    armed_q <= armed & ~busy_q & ~fire & ~begin_now;
    if (tx_rst) begin
      busy_q  <= 1'b0;
      armed_q <= 1'b0;
    end
  end
  assign busy          = busy_q;
  assign tx_armed      = armed_q;
  assign m_axis_tvalid = busy_q | fire;
  assign m_axis_tdata  = half_q.data;
  assign m_axis_tkeep  = {~half_q.one, 1'b1};
  assign m_axis_tlast  = half_q.last;
  assign m_axis_tuser  = half_q.user;
endmodule
