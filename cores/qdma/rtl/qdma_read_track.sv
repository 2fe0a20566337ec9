// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Holds completions against the reads that were issued, and places their dwords in lines.
//
// Latency: a beat is `write` 2 cycles after it comes; the end of a chunk is with the write of its last beat.
//
// Interface: a completion TLP comes in beats, at any time: there is no ready, since the place of its data was allocated
// when the read was issued.  The header is valid with the first beat.  A completion without data is one beat.
//
// Operation: a tag ends with a final part, a timeout, or a status other than OK.  A part must continue where the one
// before it ended: lower address and byte count say so, and it is final if and only if it has all that is left.  The
// first error of a tag is kept until its end, and nothing is written for it from there on.  A completion whose tag is not
// open is dropped and counted.
//
// A part's state is read, checked and written in one cycle, so parts of one tag can follow each other without a gap.  Its
// data are rotated meanwhile, by the lower address of the header: if that is not what the state says, nothing is written.
//
//   cycle 0                | 1                            | 2
//   beat; rotated by 0, 4, | state, checks, state written | write
//   8 or 12 dwords         | rotated by 0 to 3 dwords     |
module qdma_read_track
  import qdma_tlp_pkg::*;
  import qdma_read_pkg::*;
#(
    parameter int TAGS = 256
) (
    input logic clk,
    input logic rst,

    // A read leaves
    input logic    issue,
    input tag_t    issue_tag,
    input issued_t issued,

    // Completions
    input logic        completion_valid,
    input completion_t completion,
    input beat_t       completion_data,
    input logic        completion_last,

    // qdma_tags: look_tag in cycle 0, the rest in cycle 1
    output tag_t look_tag,
    input  logic is_open,
    output logic close,

    output line_write_t write,
    output beat_t       write_data,
    output chunk_end_t  chunk_end,
    output logic        unexpected,  // a completion of no read

    // A tag ends with an error, once: fail_tag the cycle before
    output tag_t        fail_tag,
    output logic        fails,
    output read_error_e fail_error
);
  typedef logic [$clog2(TAGS)-1:0] slot_t;  // of a tag
  typedef struct packed {
    logic [6:0] addr;  // of the next byte
    chunk_bytes_t left;
    line_t line;
    read_error_e error;
  } progress_t;

  // --- Cycle 0: what a header says by itself
  logic [12:0] part_bytes;
  logic has_rest, within_dword;
  assign part_bytes   = {completion.dwords, 2'b0} - 13'(completion.lower_addr[1:0]);
  assign has_rest     = part_bytes >= completion.byte_count;
  assign within_dword = part_bytes < completion.byte_count + 13'd4;

  logic [TAGS-1:0] fresh_q;  // no completion yet
  logic starts;  // in cycle 1
  logic valid_1_q, first_1_q, last_1_q, begins_q, sound_1_q, fresh_1_q;
  completion_t  header_1_q;
  chunk_bytes_t part_bytes_1_q;
  logic [3:0] start, start_1_q;  // lane of dword 0, in all beats of a part
  logic [10:0] dwords_1_q;  // of this beat and those after it
  beat_t data_1_q;
  assign start = begins_q ? completion.lower_addr[5:2] : start_1_q;

  // Dword i of the beat goes to lane i + start.
  function automatic beat_t rotated(input beat_t dwords, input logic [1:0] by, input int step);
    beat_t result;
    for (int i = 0; i < BEAT_DWORDS; i++) begin
      case (by)
        2'd0: result[32*i+:32] = dwords[32*i+:32];
        2'd1: result[32*i+:32] = dwords[32*((i-step+16)%16)+:32];
        2'd2: result[32*i+:32] = dwords[32*((i-2*step+16)%16)+:32];
        default: result[32*i+:32] = dwords[32*((i-3*step+64)%16)+:32];
      endcase
    end
    return result;
  endfunction

  always_ff @(posedge clk) begin
    valid_1_q <= completion_valid;
    first_1_q <= begins_q;
    last_1_q <= completion_last;
    header_1_q <= completion;
    data_1_q <= rotated(completion_data, start[3:2], 4);
    part_bytes_1_q <= chunk_bytes_t'(part_bytes);
    sound_1_q <= (completion.is_final == has_rest) & (~has_rest | within_dword) & (completion.dwords != '0)
                 & (completion.byte_count <= 13'(MAX_CHUNK)) & (completion.byte_count != '0);
    fresh_1_q <= (fresh_q[slot_t'(completion.tag)] & ~(starts & is_open & (header_1_q.tag == completion.tag)))
                 | (issue & (issue_tag == completion.tag));
    if (completion_valid) begin
      begins_q   <= completion_last;
      start_1_q  <= start;
      dwords_1_q <= begins_q ? completion.dwords : dwords_1_q - 11'(BEAT_DWORDS);
    end
    if (rst) begin
      valid_1_q <= 1'b0;
      begins_q  <= 1'b1;
    end
  end

  // --- Cycle 1: against the state of the tag
  issued_t issued_of[TAGS];  // written by reads
  progress_t progress_of[TAGS];  // written by completions
  slot_t slot_1;
  issued_t issued_1;
  progress_t progress_1, old, now;
  logic ends, good;
  assign look_tag = completion.tag;
  assign slot_1 = slot_t'(header_1_q.tag);
  assign issued_1 = issued_of[slot_1];
  assign progress_1 = progress_of[slot_1];
  assign old = fresh_1_q ?
      '{addr: issued_1.addr, left: issued_1.bytes, line: issued_1.line, error: READ_OK}
      : progress_1;
  // Both are compared before one is chosen: the RAMs are slow.
  logic continues_issued, continues_progress;
  assign continues_issued = (header_1_q.lower_addr == issued_1.addr) & (header_1_q.byte_count == 13'(issued_1.bytes));
  assign continues_progress = (header_1_q.lower_addr == progress_1.addr)
                              & (header_1_q.byte_count == 13'(progress_1.left));
  assign good = sound_1_q & (fresh_1_q ? continues_issued : continues_progress);
  assign starts = valid_1_q & first_1_q;
  assign ends = header_1_q.is_final | header_1_q.is_timeout | (header_1_q.status != STATUS_OK);
  assign close = starts & ends;
  assign fail_tag = header_1_q.tag;

  localparam int LINE_BITS = $clog2(LINE_BYTES);
  logic [$bits(line_t)+LINE_BITS-1:0] next_byte;  // its line, and its place there
  assign next_byte = {old.line, old.addr[LINE_BITS-1:0]} + ($bits(next_byte))'(part_bytes_1_q);
  always_comb begin
    now.addr = old.addr + 7'(part_bytes_1_q);
    now.left = old.left - part_bytes_1_q;
    now.line = next_byte[LINE_BITS+:$bits(line_t)];
    if (old.error != READ_OK) now.error = old.error;
    else if (header_1_q.is_timeout) now.error = READ_TIMEOUT;
    else if (header_1_q.status == STATUS_UR) now.error = READ_UNSUPPORTED;
    else if (header_1_q.status != STATUS_OK) now.error = READ_ABORTED;
    else if (header_1_q.is_poisoned) now.error = READ_POISONED;
    else if (!good) now.error = READ_MISMATCH;
    else now.error = READ_OK;
  end

  always_ff @(posedge clk) begin
    if (issue) issued_of[slot_t'(issue_tag)] <= issued;
    if (starts && is_open) progress_of[slot_1] <= now;
    if (starts && is_open) fresh_q[slot_1] <= 1'b0;
    if (issue) fresh_q[slot_t'(issue_tag)] <= 1'b1;
    unexpected <= starts & ~is_open;
    fails      <= starts & is_open & ends & (now.error != READ_OK);
    fail_error <= now.error;
    if (rst) {unexpected, fails} <= '0;
  end

  // --- Cycle 2: each beat of it is written, with its line
  logic [BEAT_DWORDS-1:0] used_1, enable_1, enable_q;
  logic writes_q, holds_q, ends_q;  // of the part: it is written, it ends its tag; writes_q: in this cycle
  assign used_1   = dwords_1_q >= 11'(BEAT_DWORDS) ? '1 : ~(16'hFFFF << dwords_1_q[3:0]);
  assign enable_1 = (used_1 << start_1_q) | 16'({16'b0, used_1} >> (5'd16 - 5'(start_1_q)));

  logic writes_1, ends_1;
  line_t line_q;
  client_t client_q;
  logic [3:0] start_q;
  assign writes_1 = starts ? is_open & (now.error == READ_OK) : holds_q;
  assign ends_1   = starts ? is_open & ends : ends_q;
  assign write    = '{client: client_q, line: line_q, start: start_q, enable: writes_q ? enable_q : '0};
  always_ff @(posedge clk) begin
    write_data <= rotated(data_1_q, start_1_q[1:0], 1);
    enable_q   <= enable_1;
    start_q    <= start_1_q;
    writes_q   <= valid_1_q & writes_1;
    if (valid_1_q) begin
      holds_q <= writes_1;
      ends_q  <= ends_1;
      line_q  <= starts ? old.line : line_q + 1'b1;
    end
    if (starts) begin
      client_q <= issued_1.client;
      chunk_end <= '{
          valid: 1'b0,
          client: issued_1.client,
          entry: issued_1.entry,
          error: now.error,
          lines: issued_1.lines
      };
    end
    chunk_end.valid <= valid_1_q & last_1_q & ends_1;
    if (rst) begin
      writes_q        <= 1'b0;
      chunk_end.valid <= 1'b0;
    end
  end

  logic unused;
  assign unused = &{1'b0, next_byte[LINE_BITS-1:0], part_bytes[12:11], header_1_q};
endmodule
