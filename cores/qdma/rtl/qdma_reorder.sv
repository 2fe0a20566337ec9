// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// The reorder RAM of one client: takes lines in any order, provides them in the order of the reads.
//
// Latency: a chunk's first line is a beat 2 cycles after its end; then a line in each cycle, within chunks and between.
//
// Interface: alloc accepts a chunk in a cycle with room; alloc_entry and alloc_line say where it goes.  Beats are held
// until beat_ready.  A chunk that ended with an error is one beat without bytes: what is in the RAM may be another's.
//
// Operation: lines and entries are rings.  They are allocated in the order of the reads and freed in the same order, so
// nothing is searched.  The RAM has 16 banks, one a dword: a beat that begins within a line writes two lines at once.
//
// formal/reorder_in_order.sv proves: each chunk comes once, in order, after its end; no line is overwritten before it
// was provided.
module qdma_reorder
  import qdma_tlp_pkg::*;
  import qdma_read_pkg::*;
#(
    parameter client_t CLIENT = '0,
    parameter int LINES = 512,  // powers of two
    parameter int ENTRIES = 256
) (
    input logic clk,
    input logic rst,

    output logic   room,         // for a chunk of any size
    input  logic   alloc,
    input  chunk_t alloc_chunk,
    output entry_t alloc_entry,
    output line_t  alloc_line,

    input line_write_t write,
    input beat_t       write_data,
    input chunk_end_t  chunk_end,

    output logic       beat_valid,
    input  logic       beat_ready,
    output read_beat_t beat,
    output beat_t      beat_data
);
  localparam int LINE_BITS = $clog2(LINES);
  localparam int ENTRY_BITS = $clog2(ENTRIES);

  typedef struct packed {
    logic [5:0] offset;
    logic [5:0] end_offset;  // in its last line; 0: all of it
    chunk_lines_t lines;
    logic is_last;
    cookie_t cookie;
  } record_t;

  // --- Allocation
  logic [LINE_BITS:0] wr_line_q, rd_line_q, rd_line, next_line;
  logic [ENTRY_BITS:0] wr_entry_q, rd_entry_q, rd_entry, next_entry;
  assign next_line   = wr_line_q + (LINE_BITS + 1)'(alloc_chunk.lines);
  assign next_entry  = wr_entry_q + 1'b1;
  assign alloc_entry = entry_t'(wr_entry_q[ENTRY_BITS-1:0]);
  assign alloc_line  = line_t'(wr_line_q[LINE_BITS-1:0]);

  // What is left with this chunk and without it: alloc comes late.
  function automatic logic has_room(input logic [LINE_BITS:0] lines_used, input logic [ENTRY_BITS:0] entries_used);
    return (lines_used <= (LINE_BITS + 1)'(LINES - MAX_CHUNK_LINES)) & ~entries_used[ENTRY_BITS];
  endfunction
  logic room_with, room_without;
  assign room_with    = has_room(next_line - rd_line_q, next_entry - rd_entry_q);
  assign room_without = has_room(wr_line_q - rd_line_q, wr_entry_q - rd_entry_q);

  // --- Which chunks have ended, and how
  logic [ENTRIES-1:0] ended_q;
  read_error_e error_of[ENTRIES];
  logic ends_here;
  assign ends_here = chunk_end.valid & (chunk_end.client == CLIENT);

  // --- The chunks in order
  record_t record, new_record;
  assign new_record = '{
          offset: alloc_chunk.addr[5:0],
          end_offset: alloc_chunk.addr[5:0] + alloc_chunk.bytes[5:0],
          lines: alloc_chunk.lines,
          is_last: alloc_chunk.is_last,
          cookie: alloc_chunk.cookie
      };
  logic record_valid, record_fetch, record_done;
  logic [ENTRY_BITS:0] fetch_ptr_q;
  assign record_fetch = (fetch_ptr_q != wr_entry_q) & (~record_valid | record_done);
  ram_sdp #(
      .WIDTH($bits(record_t)),
      .DEPTH(ENTRIES)
  ) records (
      .clk,
      .wr_en  (alloc),
      .wr_addr(wr_entry_q[ENTRY_BITS-1:0]),
      .wr_data(new_record),
      .rd_en  (record_fetch),
      .rd_addr(fetch_ptr_q[ENTRY_BITS-1:0]),
      .rd_data(record)
  );

  // --- The next line
  logic inside_q, go, failed, is_end, finishes;  // inside_q: lines of this chunk have been provided
  chunk_lines_t lines_q, lines;
  logic [5:0] offset;
  logic [6:0] bytes;
  read_error_e error;
  assign error       = error_of[rd_entry_q[ENTRY_BITS-1:0]];
  assign failed      = error != READ_OK;
  assign offset      = inside_q ? '0 : record.offset;
  assign lines       = inside_q ? lines_q : record.lines;
  assign is_end      = lines == chunk_lines_t'(1);
  assign finishes    = failed | is_end;
  assign bytes       = (is_end && record.end_offset != '0 ? 7'(record.end_offset) : 7'd64) - 7'(offset);
  assign go          = record_valid & ended_q[rd_entry_q[ENTRY_BITS-1:0]] & (~beat_valid | beat_ready);
  assign record_done = go & finishes;
  assign rd_entry    = rd_entry_q + (ENTRY_BITS + 1)'(record_done);
  assign rd_line     = rd_line_q + (!go ? '0 : failed ? (LINE_BITS + 1)'(record.lines) : (LINE_BITS + 1)'(1));

  for (genvar i = 0; i < BEAT_DWORDS; i++) begin : gen_banks
    ram_sdp #(
        .WIDTH(32),
        .DEPTH(LINES)
    ) bank (
        .clk,
        .wr_en  (write.enable[i] & (write.client == CLIENT)),
        .wr_addr(LINE_BITS'(write.line) + LINE_BITS'(i < 32'(write.start))),
        .wr_data(write_data[32*i+:32]),
        .rd_en  (go),
        .rd_addr(rd_line_q[LINE_BITS-1:0]),
        .rd_data(beat_data[32*i+:32])
    );
  end

  always_ff @(posedge clk) begin
    if (alloc) begin
      wr_line_q  <= next_line;
      wr_entry_q <= next_entry;
    end
    rd_line_q    <= rd_line;
    rd_entry_q   <= rd_entry;
    room         <= alloc ? room_with : room_without;
    record_valid <= record_fetch | (record_valid & ~record_done);
    if (record_fetch) fetch_ptr_q <= fetch_ptr_q + 1'b1;
    if (ends_here) begin
      ended_q[ENTRY_BITS'(chunk_end.entry)]  <= 1'b1;
      error_of[ENTRY_BITS'(chunk_end.entry)] <= chunk_end.error;
    end
    if (alloc) ended_q[wr_entry_q[ENTRY_BITS-1:0]] <= 1'b0;
    if (go) begin
      inside_q <= ~finishes;
      lines_q <= lines - 1'b1;
      beat <= '{
          offset: offset,
          bytes: failed ? '0 : bytes,
          is_last: finishes & record.is_last,
          error: error,
          cookie: record.cookie
      };
    end
    beat_valid <= go | (beat_valid & ~beat_ready);
    if (rst) begin
      wr_line_q    <= '0;
      wr_entry_q   <= '0;
      rd_line_q    <= '0;
      rd_entry_q   <= '0;
      fetch_ptr_q  <= '0;
      room         <= 1'b0;
      record_valid <= 1'b0;
      inside_q     <= 1'b0;
      beat_valid   <= 1'b0;
    end
  end

  logic unused;
  assign unused = &{
    1'b0, alloc_chunk.qid, alloc_chunk.func, alloc_chunk.addr[63:6], alloc_chunk.bytes, chunk_end, write
  };
endmodule
