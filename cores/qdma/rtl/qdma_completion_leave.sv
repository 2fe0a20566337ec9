// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// The way out of completion rings: writes of entries, status, interrupts.
//
// Latency: a beat of entries is shown 1 cycle after its emission, alone.  A beat in each cycle, also where one write follows
// another; a write that follows a status or an interrupt takes a cycle more.  A status takes 1, an interrupt 1.
//
// Interface: emission has no ready; emission_room promises that UNDER_WAY of them find room.  read_* is a RAM whose word
// comes a cycle later and is kept while read_en is low.  completion, status and cause have valid and ready.  `written` is for
// a cycle: the entries of a slot have left.
//
// Operation: emissions leave in order.  The parts of one go one after another, each when the one before has been accepted:
// entries, then the status that counts them, then the interrupt.  While none waits, one that comes is the first at once.
module qdma_completion_leave
  import qdma_tlp_pkg::*;
  import qdma_write_pkg::*;
#(
    parameter int DEPTH = 64,  // emissions, a power of two
    parameter int UNDER_WAY = 8
) (
    input logic clk,
    input logic rst,

    output logic      emission_room,
    input  logic      emission_valid,
    input  emission_t emission,
    output logic      is_empty,        // no emission waits

    output logic        read_en,
    output logic  [7:0] read_slot,
    output logic        read_second,  // 64 bytes of it
    input  beat_t       read_data,
    output logic        written,
    output logic  [7:0] written_slot,

    output logic             completion_valid,
    input  logic             completion_ready,
    output write_beat_t      completion,
    output logic             status_valid,
    input  logic             status_ready,
    output write_beat_t      status,
    output logic             cause_valid,
    input  logic             cause_ready,
    output interrupt_cause_t cause
);
  typedef enum logic [2:0] {
    HEAD,      // nothing yet
    FIRST,     // the first beat of the entries is there
    SECOND,
    STATUS,
    INTERRUPT
  } state_e;
  typedef struct packed {
    logic has_write;
    logic has_status;
    logic has_interrupt;
    logic [7:0] slot;
  } wish_t;
  typedef logic [$clog2(DEPTH)-1:0] index_of_emission_t;
  typedef logic [$clog2(DEPTH):0] count_t;
  state_e state_q, after_write, after_status;
  emission_t emissions[DEPTH];
  emission_t head, next;
  index_of_emission_t tail_q, head_q;
  count_t waiting_q, waiting;
  logic done, has_second, ends, follows, has_first;
  wish_t first;  // what the first emission has
  assign head = emissions[head_q];
  assign next = emissions[index_of_emission_t'(head_q+1'b1)];
  assign is_empty = waiting_q == '0;
  assign has_first = ~is_empty | emission_valid;
  assign first = is_empty ?
      '{emission.has_write, emission.has_status, emission.has_interrupt, emission.slot}
      : '{head.has_write, head.has_status, head.has_interrupt, head.slot};
  assign waiting = waiting_q + count_t'(emission_valid);
  assign has_second = head.bytes > 8'd64;
  assign after_status = first.has_interrupt ? INTERRUPT : HEAD;
  assign after_write = first.has_status ? STATUS : after_status;
  // The next write's first beat is read while the last one of this write waits.
  assign ends = (state_q == SECOND) | ((state_q == FIRST) & ~has_second);
  assign follows = (after_write == HEAD) & (waiting_q > count_t'(1)) & next.has_write;

  assign written = ends & completion_ready;
  assign written_slot = head.slot;
  assign read_en = (state_q == HEAD) | completion_ready;
  assign read_slot = ends ? next.slot : first.slot;
  assign read_second = (state_q == FIRST) & has_second;

  always_comb begin
    completion_valid = state_q inside {FIRST, SECOND};
    completion = '{
        last: ends,
        header: write_header(head.cause.func[7:0], head.addr[63:2], 11'(head.bytes >> 2)),
        data: read_data
    };
    status_valid = state_q == STATUS;
    status = '{
        last: 1'b1,
        header: write_header(head.cause.func[7:0], head.status_addr[63:2], 11'd2),
        data: beat_t'(head.cause.status)
    };
    cause_valid = state_q == INTERRUPT;
    cause = head.cause;
    done = 1'b0;
    case (state_q)
      HEAD:          done = has_first & ~first.has_write & ~first.has_status & ~first.has_interrupt;
      FIRST, SECOND: done = written & (after_write == HEAD);
      STATUS:        done = status_ready & (after_status == HEAD);
      default:       done = cause_ready;
    endcase
  end

  always_ff @(posedge clk) begin
    case (state_q)
      HEAD:    if (has_first) state_q <= first.has_write ? FIRST : after_write;
      FIRST, SECOND:
      if (completion_ready) begin
        if (!ends) state_q <= SECOND;
        else state_q <= follows ? FIRST : after_write;
      end
      STATUS:  if (status_ready) state_q <= after_status;
      default: if (cause_ready) state_q <= HEAD;
    endcase
    if (emission_valid) begin
      emissions[tail_q] <= emission;
      tail_q            <= tail_q + 1'b1;
    end
    if (done) head_q <= head_q + 1'b1;
    emission_room <= waiting_q <= count_t'(DEPTH - UNDER_WAY);
    waiting_q     <= done ? waiting - 1'b1 : waiting;  // done comes late
    if (rst) begin
      state_q       <= HEAD;
      tail_q        <= '0;
      head_q        <= '0;
      waiting_q     <= '0;
      emission_room <= 1'b0;
    end
  end

  logic unused;
  assign unused = &{1'b0, head, next};
endmodule
