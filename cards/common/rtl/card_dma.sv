// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// The bridge between the user side of qdma and a card's host ports: queue q is port q.
//
// Latency: 3 cycles from the last beat of an H2C packet to its first word for the card.  C2H: 2 cycles from the first word
// of a packet to its ask; 2 cycles from the answer to the first beat; 3 cycles from the last word of a beat to this beat,
// where the packet has been granted.
//
// Interface: what goes to the card (m_h2c_*, s_c2h_tready) comes straight from registers.  s_axis_h2c_*, c2h_*, m_axis_c2h_*
// are those of qdma; beats are full up to the last one.
// The card's packets begin with a header of 16 bytes, whose first 16 bits are the length of what follows it.  A packet of
// another length is sent as it is: qdma makes it as long as was asked for.
// flush is high while qdma is in reset and until its `clearing` is low.  No ask is made then.  C2H: what is stored, and what
// the card sends, is discarded; a packet that is under way when flush falls, up to its end.  H2C: what is stored or comes
// is discarded, but for a packet whose first word the card has been shown, which goes on to its end.
//
//   s_axis_h2c ──────────────► card_dma_h2c, one a port ──────────► m_h2c
//   c2h_ask    ◄── arbiter ◄── card_dma_c2h, one a port ◄────────── s_c2h
//   c2h_answer ──────────────►   │        │
//   m_axis_c2h ◄── card_dma_send ◄────────┘ grants, beats
//
// h2c_room says how much of the H2C stores is free, so that qdma fetches no packet that would wait here.
//
// Limits: an H2C packet for a port whose store is full stops the other ports' H2C, for at most STUCK_CYCLES in which the
// card takes nothing; then such packets are dropped until it takes a word: qdma sends none but those of more than H2C_MOST
// beats.  A C2H packet is sent as fast as it comes
// where it is longer than C2H_DEPTH; meanwhile the other ports wait.
module card_dma
  import qdma_c2h_pkg::*;
#(
    parameter int PORTS = 2,  // 1 to 8
    parameter int H2C_DEPTH = 256,  // beats of 64 bytes of a port: the longest packet; a power of two, 8 or more
    parameter int H2C_MARGIN = 8,  // of these, that h2c_room does not show: what may be between qdma's fetch and here
    parameter int C2H_DEPTH = 64,  // beats of 64 bytes of a port; a power of two, 8 or more
    parameter int STUCK_CYCLES = 25000  // 100 us
) (
    input logic clk,
    input logic rst,
    input logic flush,

    // Packets of qdma
    input  logic         s_axis_h2c_tvalid,
    output logic         s_axis_h2c_tready,
    input  logic [511:0] s_axis_h2c_tdata,
    input  logic         s_axis_h2c_tlast,
    input  logic [ 10:0] s_axis_h2c_tuser_qid,
    input  logic [  5:0] s_axis_h2c_tuser_mty,
    input  logic         s_axis_h2c_tuser_zero_byte,
    input  logic         s_axis_h2c_tuser_err,

    output logic [10*PORTS-1:0] h2c_room,  // beats of each port, as qdma has it

    // Packets to qdma are asked for
    output logic        c2h_ask_valid,
    input  logic        c2h_ask_ready,
    output logic [10:0] c2h_ask_qid,
    output logic [15:0] c2h_ask_len,
    output logic        c2h_ask_has_cmpt,
    output logic        c2h_ask_marker,
    input  logic        c2h_answer_valid,
    input  logic [10:0] c2h_answer_qid,
    input  logic [ 2:0] c2h_answer,
    input  logic        c2h_buffer_event,
    input  logic [10:0] c2h_buffer_event_qid,
    input  logic        c2h_room_event,
    input  logic [10:0] c2h_room_event_qid,

    // Those that were granted, with a plain entry: no user data, no user trigger
    output logic         m_axis_c2h_tvalid,
    input  logic         m_axis_c2h_tready,
    output logic [511:0] m_axis_c2h_tdata,
    output logic         m_axis_c2h_tlast,
    output logic [  5:0] m_axis_c2h_tuser_mty,
    output logic         m_axis_c2h_tuser_zero_byte,
    output logic [511:0] m_axis_c2h_tuser_cmpt_data,
    output logic         m_axis_c2h_tuser_cmpt_user_trig,
    output logic         m_axis_c2h_tuser_cmpt_user_format,
    output logic [  2:0] m_axis_c2h_tuser_cmpt_place,
    output logic         m_axis_c2h_tuser_cmpt_err,

    // The card's host ports, port 0 lowest
    output logic [PORTS*64-1:0] m_h2c_tdata,
    output logic [ PORTS*8-1:0] m_h2c_tkeep,
    output logic [   PORTS-1:0] m_h2c_tvalid,
    input  logic [   PORTS-1:0] m_h2c_tready,
    output logic [   PORTS-1:0] m_h2c_tlast,
    input  logic [PORTS*64-1:0] s_c2h_tdata,
    input  logic [ PORTS*8-1:0] s_c2h_tkeep,
    input  logic [   PORTS-1:0] s_c2h_tvalid,
    output logic [   PORTS-1:0] s_c2h_tready,
    input  logic [   PORTS-1:0] s_c2h_tlast,

    // Stored packets of the card are discarded: the bridge moves by itself.  For simulations that stop its clock
    output logic discards,

    // Packets that were dropped.  H2C: the DMA's error, longer than the store, for a queue without a port, without bytes, for
    // a port that is stuck.
    // C2H, by the answer: C2H_DROP, C2H_INVALID or that of a closed queue, C2H_TOO_LONG.  What a flush discards is not counted
    output logic [31:0] stat_h2c_error,
    output logic [31:0] stat_h2c_too_long,
    output logic [31:0] stat_h2c_no_port,
    output logic [31:0] stat_h2c_empty,
    output logic [31:0] stat_h2c_stuck,
    output logic [31:0] stat_c2h_dropped,
    output logic [31:0] stat_c2h_invalid,
    output logic [31:0] stat_c2h_too_long
);
  if (PORTS < 1 || PORTS > 8) begin : gen_bad_ports
    $error("card_dma: PORTS must be 1 to 8");
  end
  function automatic logic [PORTS-1:0] port_of(input logic [10:0] qid);
    for (int i = 0; i < PORTS; i++) port_of[i] = qid == 11'(i);
  endfunction

  // --- Packets of qdma
  logic [PORTS-1:0] h2c_port, store_ready, event_error, event_long, event_empty, event_stuck;
  logic event_no_port;
  assign h2c_port          = port_of(s_axis_h2c_tuser_qid);
  assign s_axis_h2c_tready = ~|(h2c_port & ~store_ready);
  assign event_no_port     = s_axis_h2c_tvalid & s_axis_h2c_tlast & ~|h2c_port & ~flush;
  for (genvar i = 0; i < PORTS; i++) begin : gen_h2c
    card_dma_h2c #(
        .DEPTH       (H2C_DEPTH),
        .MARGIN      (H2C_MARGIN),
        .STUCK_CYCLES(STUCK_CYCLES)
    ) u_h2c (
        .clk,
        .rst,
        .flush,
        .wr_valid   (s_axis_h2c_tvalid & h2c_port[i]),
        .wr_ready   (store_ready[i]),
        .wr_data    (s_axis_h2c_tdata),
        .wr_last    (s_axis_h2c_tlast),
        .wr_mty     (s_axis_h2c_tuser_mty),
        .wr_empty   (s_axis_h2c_tuser_zero_byte),
        .wr_error   (s_axis_h2c_tuser_err),
        .room       (h2c_room[10*i+:10]),
        .m_tdata    (m_h2c_tdata[64*i+:64]),
        .m_tkeep    (m_h2c_tkeep[8*i+:8]),
        .m_tvalid   (m_h2c_tvalid[i]),
        .m_tready   (m_h2c_tready[i]),
        .m_tlast    (m_h2c_tlast[i]),
        .event_error(event_error[i]),
        .event_long (event_long[i]),
        .event_empty(event_empty[i]),
        .event_stuck(event_stuck[i])
    );
  end

  // --- Packets of the card
  c2h_answer_e answer;
  logic [PORTS-1:0] answer_port, buffer_port, room_port, wants, choice, chosen, granted, unasked, discarded;
  logic [PORTS-1:0] beat_valid, beat_ready, beat_last;
  logic [PORTS-1:0][511:0] beat_data;
  logic [PORTS-1:0][  5:0] beat_mty;
  logic [PORTS-1:0][ 15:0] lengths;
  assign answer      = c2h_answer_e'(c2h_answer);
  assign answer_port = c2h_answer_valid ? port_of(c2h_answer_qid) : '0;
  assign buffer_port = c2h_buffer_event ? port_of(c2h_buffer_event_qid) : '0;
  assign room_port   = c2h_room_event ? port_of(c2h_room_event_qid) : '0;
  for (genvar i = 0; i < PORTS; i++) begin : gen_c2h
    card_dma_c2h #(
        .DEPTH(C2H_DEPTH)
    ) u_c2h (
        .clk,
        .rst,
        .flush,
        .s_tdata     (s_c2h_tdata[64*i+:64]),
        .s_tkeep     (s_c2h_tkeep[8*i+:8]),
        .s_tvalid    (s_c2h_tvalid[i]),
        .s_tready    (s_c2h_tready[i]),
        .s_tlast     (s_c2h_tlast[i]),
        .wants       (wants[i]),
        .length      (lengths[i]),
        .chosen      (chosen[i]),
        .answer_valid(answer_port[i]),
        .answer,
        .event_valid (buffer_port[i] | room_port[i]),
        .is_granted  (granted[i]),
        .is_unasked  (unasked[i]),
        .is_discarded(discarded[i]),
        .beat_valid  (beat_valid[i]),
        .beat_ready  (beat_ready[i]),
        .beat_data   (beat_data[i]),
        .beat_last   (beat_last[i]),
        .beat_mty    (beat_mty[i])
    );
  end

  assign discards = |(unasked | discarded);

  // --- One ask at a time is shown
  logic may_ask, ask_valid_q;
  logic [2:0] ask_port, ask_port_q;
  logic [15:0] ask_length;
  qdma_arbiter #(
      .PORTS(PORTS)
  ) u_arbiter (
      .clk,
      .rst,
      .enable (may_ask & ~flush & (~ask_valid_q | c2h_ask_ready)),
      .request(wants),
      .choice,
      .grant  (chosen)
  );
  always_comb begin
    {ask_port, ask_length} = '0;
    for (int i = 0; i < PORTS; i++) begin
      ask_port |= choice[i] ? 3'(i) : '0;
      ask_length |= choice[i] ? lengths[i] : '0;
    end
  end
  always_ff @(posedge clk) begin
    if (~ask_valid_q | c2h_ask_ready) begin
      ask_valid_q <= |chosen;
      ask_port_q  <= ask_port;
      c2h_ask_len <= ask_length;
    end
    if (rst | flush) ask_valid_q <= 1'b0;
  end
  assign c2h_ask_valid    = ask_valid_q & ~flush;
  assign c2h_ask_qid      = 11'(ask_port_q);
  assign c2h_ask_has_cmpt = 1'b1;
  assign c2h_ask_marker   = 1'b0;

  card_dma_send #(
      .PORTS(PORTS)
  ) u_send (
      .clk,
      .rst     (rst | flush),
      .grant   (granted),
      .may_ask,
      .beat_valid,
      .beat_ready,
      .beat_data,
      .beat_last,
      .beat_mty,
      .m_tvalid(m_axis_c2h_tvalid),
      .m_tready(m_axis_c2h_tready),
      .m_tdata (m_axis_c2h_tdata),
      .m_tlast (m_axis_c2h_tlast),
      .m_tmty  (m_axis_c2h_tuser_mty)
  );
  assign m_axis_c2h_tuser_zero_byte        = 1'b0;
  assign m_axis_c2h_tuser_cmpt_data        = '0;
  assign m_axis_c2h_tuser_cmpt_user_trig   = 1'b0;
  assign m_axis_c2h_tuser_cmpt_user_format = 1'b0;
  assign m_axis_c2h_tuser_cmpt_place       = '0;
  assign m_axis_c2h_tuser_cmpt_err         = 1'b0;

  // --- Counters: registers before them, because a beat of any port and any answer comes once a cycle at most
  logic h2c_error_q, h2c_long_q, h2c_no_port_q, h2c_empty_q, h2c_stuck_q, c2h_dropped_q, c2h_long_q;
  logic [3:0] c2h_invalid_q;  // of all ports at once
  logic has_answer;
  assign has_answer = |answer_port & ~flush;
  always_ff @(posedge clk) begin
    h2c_error_q   <= |event_error;
    h2c_long_q    <= |event_long;
    h2c_no_port_q <= event_no_port;
    h2c_empty_q   <= |event_empty;
    h2c_stuck_q   <= |event_stuck;
    c2h_dropped_q <= has_answer & (answer == C2H_DROP);
    c2h_invalid_q <= 4'(has_answer & (answer == C2H_INVALID)) + 4'($countones(unasked));
    c2h_long_q    <= has_answer & (answer == C2H_TOO_LONG);

    stat_h2c_error    <= stat_h2c_error + 32'(h2c_error_q);
    stat_h2c_too_long <= stat_h2c_too_long + 32'(h2c_long_q);
    stat_h2c_no_port  <= stat_h2c_no_port + 32'(h2c_no_port_q);
    stat_h2c_empty    <= stat_h2c_empty + 32'(h2c_empty_q);
    stat_h2c_stuck    <= stat_h2c_stuck + 32'(h2c_stuck_q);
    stat_c2h_dropped  <= stat_c2h_dropped + 32'(c2h_dropped_q);
    stat_c2h_invalid  <= stat_c2h_invalid + 32'(c2h_invalid_q);
    stat_c2h_too_long <= stat_c2h_too_long + 32'(c2h_long_q);
    if (rst) begin
      {h2c_error_q, h2c_long_q, h2c_no_port_q, h2c_empty_q, h2c_stuck_q} <= '0;
      {c2h_dropped_q, c2h_invalid_q, c2h_long_q} <= '0;
      {stat_h2c_error, stat_h2c_too_long, stat_h2c_no_port, stat_h2c_empty, stat_h2c_stuck} <= '0;
      {stat_c2h_dropped, stat_c2h_invalid, stat_c2h_too_long} <= '0;
    end
  end
endmodule
