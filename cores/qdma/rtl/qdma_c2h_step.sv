// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Decides the beats of payload writes: how long a TLP is, and which bytes of the packet are in its next beat.
//
// Latency: a command is looked at 1 cycle after it was accepted; the step is combinational.  A beat in each cycle.
//
// Interface: the packet's beats wait outside, full up to the packet's end.  `arrives` says that one is stored, and is there
// from the next cycle on; has_head that one is there.  `pop` takes the first one.  A step is made in a cycle with go.  is_idle
// says that no beat is on its way to the channel.
//
// Operation: a TLP begins when all of its bytes are there, so it never stops the channel.  While the channel has nothing to
// do, it is cut at the first line of 64 bytes: a slow source does not wait until MPS bytes have come.  The begin of a TLP
// is a dword: up to 3 bytes before the first one are in the beat and not enabled.
//
// Bytes that are there are counted beyond those of the command.  A step takes as many from one as from the other, so the
// count changes with beats that come and commands that are accepted alone, and its sign says whether all is there.
//
// A packet that is not to be written (stopped) takes its beats, and makes none.
module qdma_c2h_step
  import qdma_tlp_pkg::*;
  import qdma_context_pkg::*;
  import qdma_c2h_pkg::*;
#(
    parameter int BEATS = 64  // that can wait
) (
    input logic clk,
    input logic rst,

    input  logic         command_valid,
    output logic         command_ready,
    input  c2h_command_t command,
    input  logic         command_is_stopped,

    // The command that is looked at
    output c2h_command_t current,
    output logic         current_valid,
    input  logic         current_is_stopped,

    input  logic arrives,
    input  logic has_head,
    output logic pop,

    input  logic      go,
    input  logic      is_idle,
    output logic      step_valid,
    output c2h_step_t step
);
  localparam int LINE = BEAT_BITS / 8;
  typedef logic [$clog2(BEATS)+7:0] there_t;

  logic open_q, stopped_q, stops_q, stops;  // open_q: a TLP has begun; stops_q: it is not written
  logic [5:0] place_q;  // in the packet's beat, of the next byte

  // --- What is there
  there_t beyond_q;  // signed: bytes that are there, beyond those of `current`
  logic [1:0] lead;
  logic [6:0] to_line, room, count;
  logic has_all, has_line, whole, ends, is_end, moves, goes_on, accepts;
  assign has_all  = ~beyond_q[$bits(there_t)-1];
  assign has_line = has_head | ((place_q != '0) & (place_q <= current.addr[5:0]));
  assign whole    = open_q | has_all;

  // --- How far the step goes
  assign lead     = open_q ? '0 : current.addr[1:0];
  assign to_line  = 7'(LINE) - {1'b0, current.addr[5:0]};
  assign room     = 7'(LINE) - {5'b0, lead};
  assign ends     = current.bytes <= write_bytes_t'(room);
  assign is_end   = whole & ends;
  always_comb begin
    if (!whole) count = to_line;
    else if (ends) count = 7'(current.bytes);
    else count = room;
  end

  // --- Whether it goes beyond the beat that was popped last
  always_comb begin
    if (whole && ends)
      goes_on = place_q == '0 ? current.bytes != '0 : 8'(place_q) + {1'b0, current.bytes[6:0]} > 8'(LINE);
    else if (place_q == '0) goes_on = 1'b1;
    else goes_on = whole ? {4'b0, lead} < place_q : current.addr[5:0] < place_q;
  end

  assign step_valid = current_valid & (whole | (is_idle & has_line));
  assign moves = step_valid & go;
  assign pop = moves & goes_on;
  assign command_ready = ~current_valid | (moves & is_end);
  assign accepts = command_ready & command_valid;

  // --- What is there then: at the end of a packet the rest of its last beat is skipped.  What decides comes late.
  function automatic there_t and_a_beat(input there_t bytes);
    return {bytes[$bits(there_t)-1:6] + 1'b1, bytes[5:0]};
  endfunction
  logic skips;
  there_t skipped, less, skipped_less, beyond, beyond_and_beat;
  assign skips        = moves & step.is_packet_end;
  assign skipped      = {beyond_q[$bits(there_t)-1:6], 6'b0};
  assign less         = beyond_q - there_t'(command.bytes);
  assign skipped_less = skipped - there_t'(command.bytes);
  always_comb begin
    case ({
      accepts, skips
    })
      2'b00:   {beyond, beyond_and_beat} = {beyond_q, and_a_beat(beyond_q)};
      2'b01:   {beyond, beyond_and_beat} = {skipped, and_a_beat(skipped)};
      2'b10:   {beyond, beyond_and_beat} = {less, and_a_beat(less)};
      default: {beyond, beyond_and_beat} = {skipped_less, and_a_beat(skipped_less)};
    endcase
  end

  assign stops = open_q ? stops_q : stopped_q;
  assign step = '{
          has_beat: ~stops & (current.bytes != '0),
          is_first: ~open_q,
          is_end: is_end | ~whole,
          is_packet_end: is_end & current.is_last,
          qid: current.qid,
          func: current.func,
          addr: current.addr,
          bytes: whole ? current.bytes : write_bytes_t'(to_line),
          rotate: place_q - (open_q ? '0 : {4'b0, current.addr[1:0]}),
          has_previous: place_q != '0,
          only_previous: ~open_q & (place_q < {4'b0, current.addr[1:0]})
      };

  always_ff @(posedge clk) begin
    beyond_q <= arrives ? beyond_and_beat : beyond;
    if (command_ready) begin
      current_valid <= command_valid;
      current       <= command;
      stopped_q     <= command_is_stopped;
    end else begin
      stopped_q <= stopped_q | current_is_stopped;
    end
    if (moves) begin
      stops_q <= stops;
      open_q  <= whole & ~is_end;
      place_q <= step.is_packet_end ? '0 : place_q + count[5:0];
      if (!is_end) begin
        // A command stays within a multiple of MAX_WRITE, so nothing carries beyond.
        current.addr[$clog2(MAX_WRITE)-1:0] <= current.addr[$clog2(MAX_WRITE)-1:0] + ($clog2(MAX_WRITE))'(count);
        current.bytes                       <= current.bytes - write_bytes_t'(count);
      end
    end
    if (rst) begin
      current_valid <= 1'b0;
      open_q        <= 1'b0;
      place_q       <= '0;
      beyond_q      <= '0;
    end
  end
endmodule
