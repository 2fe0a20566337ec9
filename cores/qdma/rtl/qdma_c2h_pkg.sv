// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// What the parts of the streaming C2H engine say to each other and to the user.
package qdma_c2h_pkg;
  import qdma_tlp_pkg::*;
  import qdma_context_pkg::*;

  localparam int MAX_BUFFERS = 31;  // of a packet
  localparam int INLINE_BYTES = 60;  // of a packet that fits into a completion entry of 64 bytes, from its dword 1 on
  localparam int C2H_BATCH_BYTES = 128;  // of a read of descriptors: small, so that a queue's places are refilled early

  // A packet's place in the order of grants
  localparam int SERIAL_BITS = 8;
  localparam int PACKETS = 64;  // that are asked for and not posted, at most; less than half of the serials
  typedef logic [SERIAL_BITS-1:0] serial_t;

  // A packet that the source has
  typedef struct packed {
    index_t qid;
    logic [15:0] bytes;  // 0: a packet without payload
    logic has_completion;
    logic is_marker;
  } c2h_ask_t;

  localparam int ASKS = 16;  // without an answer, or whose buffers are on their way back; one of them a discard

  typedef enum logic [2:0] {
    C2H_YES      = 3'd0,  // send it, in the order of the answers
    C2H_HOLD     = 3'd1,  // ask again after space_event of the queue
    C2H_DROP     = 3'd2,  // no buffers, no place in the completion ring, or the queue has failed
    C2H_INVALID  = 3'd3,  // the queue, or its completion ring, is not valid, or is being stopped
    C2H_TOO_LONG = 3'd4   // more than MAX_BUFFERS buffers, or than its descriptor ring can hold
  } c2h_answer_e;

  // An ask whose buffers are known, or a discard of all buffers of a queue
  typedef struct packed {
    c2h_ask_t ask;
    c2h_answer_e answer;  // as far as it is known
    logic is_discard;
    logic is_inline;  // the packet goes into its entry: no buffers
    logic drops;  // the queue's setting
    logic [7:0] buffers;
    logic [15:0] size;  // bytes of a buffer
  } c2h_sized_t;

  typedef struct packed {
    index_t qid;
    logic [7:0] buffers;
    logic wakes;  // no room_event comes for its queue
  } c2h_undo_t;

  // Of the user, with the last beat of a packet
  typedef struct packed {
    logic         is_user_trigger;
    logic         has_user_format;
    logic [2:0]   place;
    logic         has_error;
    logic [511:0] data;
  } c2h_user_t;

  // A packet that has its buffers
  typedef struct packed {
    index_t qid;
    serial_t serial;
    logic [15:0] bytes;
    logic [15:0] buffer_bytes;
  } c2h_grant_t;

  // What the intake expects of it
  typedef struct packed {
    index_t qid;
    serial_t serial;
    logic [15:0] bytes;
    logic has_completion;
    logic is_marker;
    logic is_inline;
  } c2h_packet_t;

  // A packet whose last beat has come, with what the user says of its entry
  typedef struct packed {
    c2h_packet_t packet;
    logic is_mismatched;
    c2h_user_t user;
  } c2h_entry_t;

  // Payload of a packet in one buffer; without bytes it is a packet without payload
  typedef struct packed {
    index_t qid;
    serial_t serial;
    function_t func;
    logic [63:0] addr;  // of a byte
    logic [15:0] bytes;
    logic is_last;  // of its packet
  } c2h_segment_t;

  localparam int MAX_WRITE = 1024;  // bytes of a TLP, whatever MPS allows beyond
  typedef logic [$clog2(MAX_WRITE):0] write_bytes_t;

  // A part of a segment that one TLP can write
  typedef struct packed {
    index_t qid;
    serial_t serial;
    function_t func;
    logic [63:0] addr;
    write_bytes_t bytes;
    logic is_last;
  } c2h_command_t;

  // A beat of a TLP, before its data
  typedef struct packed {
    logic has_beat;  // not of a packet that is not written, or has no payload
    logic is_first;  // of its TLP
    logic is_end;  // of its TLP
    logic is_packet_end;
    index_t qid;
    function_t func;
    logic [63:0] addr;
    write_bytes_t bytes;  // of the TLP
    logic [5:0] rotate;  // byte 0 of the beat is in this lane
    logic has_previous;  // lanes from `rotate` on come from the beat before; with only_previous all do
    logic only_previous;
  } c2h_step_t;

  // Of a queue's store: what has come of a batch, or what has become of the descriptor ring
  typedef struct packed {
    index_t qid;
    logic [7:0] buffers;
    logic [4:0] ring_most;  // descriptors that its ring can hold, 31 if more
    logic fails;  // no more come
    logic begins;  // nothing of the queue was under way before: it may have failed earlier
  } c2h_credit_t;

  // Packets by their answers
  typedef struct packed {
    logic [31:0] granted;
    logic [31:0] held;
    logic [31:0] no_buffers;   // dropped
    logic [31:0] ring_full;    // dropped
    logic [31:0] invalid;
    logic [31:0] too_long;
    logic [63:0] hold_cycles;  // without buffers, summed over all queues
  } c2h_admit_stats_t;

  // A packet has left the engine, or is not written
  typedef struct packed {
    logic valid;
    index_t qid;
    logic is_marker;
    logic is_mismatched;  // its length was another one
    logic is_stopped;  // not written: its queue was stopped
  } c2h_done_t;

  // Packets of this queue whose serial is before `upto` are not written
  typedef struct packed {
    logic valid;
    index_t qid;
    serial_t upto;
  } c2h_stop_t;
  localparam int STOPS = 4;  // queues that were stopped and may have packets under way

  function automatic logic packet_is_stopped(input c2h_stop_t [STOPS-1:0] stops, input index_t qid,
                                             input serial_t serial);
    logic found;
    serial_t distance;
    found = 1'b0;
    for (int i = 0; i < STOPS; i++) begin
      distance = stops[i].upto - serial - 1'b1;  // 0 to PACKETS - 1, if it is before
      if (stops[i].valid && stops[i].qid == qid && !distance[SERIAL_BITS-1]) found = 1'b1;
    end
    return found;
  endfunction
endpackage
