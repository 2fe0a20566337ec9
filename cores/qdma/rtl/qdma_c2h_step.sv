// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Decides the beats of payload writes: how long a TLP is, and which bytes of the packet are in its next beat.
//
// Latency: a command is looked at 1 cycle after it was accepted; the step is combinational.  A beat in each cycle.
//
// Interface: the packet's beats wait outside: `level` of them, full up to the packet's end.  `pop` takes the first one.  A step
// is made in a cycle with go.  is_idle says that no beat is on its way to the channel.
//
// Operation: a TLP begins when all of its bytes are there, so it never stops the channel.  While the channel has nothing to
// do, it is cut at the first line of 64 bytes: a slow source does not wait until MPS bytes have come.  The begin of a TLP
// is a dword: up to 3 bytes before the first one are in the beat and not enabled.
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

    input  logic [$clog2(BEATS):0] level,
    output logic                   pop,

    input  logic      go,
    input  logic      is_idle,
    output logic      step_valid,
    output c2h_step_t step
);
  localparam int LINE = BEAT_BITS / 8;
  localparam int THERE_BITS = $clog2(BEATS) + 8;

  logic open_q, stopped_q, stops_q, stops;  // open_q: a TLP has begun; stops_q: it is not written
  logic [5:0] place_q;  // in the packet's beat, of the next byte

  // --- What is there
  logic [THERE_BITS-1:0] there;
  logic [6:0] to_line, to_beat_end, room, count;
  logic has_all, has_line, whole, is_end, moves;
  assign there       = {1'b0, level, 6'b0} + THERE_BITS'(6'(-place_q));
  assign to_line     = 7'(LINE) - {1'b0, current.addr[5:0]};
  assign room        = 7'(LINE) - (open_q ? '0 : {5'b0, current.addr[1:0]});
  assign to_beat_end = 7'(LINE) - {1'b0, place_q};
  assign has_all     = there >= THERE_BITS'(current.bytes);
  assign has_line    = there >= THERE_BITS'(to_line);
  assign whole       = open_q | has_all;
  assign is_end      = whole & (current.bytes <= write_bytes_t'(room));
  always_comb begin
    if (!whole) count = to_line;
    else if (is_end) count = 7'(current.bytes);
    else count = room;
  end

  assign moves = step_valid & go;
  assign step_valid = current_valid & (whole | (is_idle & has_line));
  assign pop = moves & (count != '0) & ((place_q == '0) | (count > to_beat_end));
  assign command_ready = ~current_valid | (moves & is_end);

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
    end
  end
endmodule
