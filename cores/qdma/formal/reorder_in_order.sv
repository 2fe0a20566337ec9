// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Proof of qdma_reorder but for its data, for any chunks, ends in any order, errors, and resets at any time.
//   - beats come in the order of the chunks, each chunk whole and once, not before its end
//   - each beat says which bytes of its line are the chunk's, and reads the line that was allocated for them
//   - an errored chunk is one beat without bytes
//   - lines and entries that are allocated and not yet provided are never allocated again
//   - a chunk that has ended is provided within 3 cycles of the one before it
// Assumes: a chunk comes only with room, and has as many lines as its address and length say; a chunk ends once.
module reorder_in_order
  import qdma_tlp_pkg::*;
  import qdma_read_pkg::*;
#(
    parameter bit INVARIANTS = 1'b1,
    parameter int LINES = 32,
    parameter int ENTRIES = 4
) (
    input logic               clk,        // there is an edge in this step
    input logic               rst,
    input logic               alloc,
    input logic         [5:0] offset,
    input chunk_bytes_t       bytes,
    input logic               is_last,
    input logic         [1:0] cookie,
    input logic               end_valid,
    input logic         [1:0] end_entry,
    input read_error_e        end_error,
    input logic               beat_ready
);
  typedef logic [1:0] slot_t;
  typedef struct packed {
    logic [5:0] offset;
    logic [5:0] end_offset;
    chunk_lines_t lines;
    logic is_last;
    logic [1:0] cookie;
  } part_t;

  chunk_t alloc_chunk;
  chunk_lines_t lines;
  assign lines = chunk_lines_t'((12'(offset) + 12'(bytes) + 12'd63) >> 6);
  assign alloc_chunk = '{
          addr: 64'(offset),
          bytes: bytes,
          lines: lines,
          is_last: is_last,
          cookie: cookie_t'(cookie),
          default: '0
      };

  logic room, beat_valid;
  entry_t alloc_entry;
  line_t alloc_line;
  read_beat_t beat;
  beat_t beat_data;
  chunk_end_t chunk_end;
  assign chunk_end = '{valid: end_valid, entry: entry_t'(end_entry), error: end_error, default: '0};
  qdma_reorder #(
      .LINES  (LINES),
      .ENTRIES(ENTRIES)
  ) dut (
      .write     ('0),
      .write_data('0),
      .*
  );

  // --- Reference: the chunks from rd_q to wr_q, and how many lines of the first have been read
  part_t [ENTRIES-1:0] part_q;
  logic [ENTRIES-1:0] ended_q;
  read_error_e [ENTRIES-1:0] error_q;
  logic [ENTRIES-1:0][6:0] line_q;  // that each chunk begins at, counted from the reset: distances do not wrap
  logic [6:0] wr_line_q, rd_line;
  logic [2:0] wr_q, rd_q, count;
  chunk_lines_t read_q;
  read_beat_t   wanted_q;
  logic wanted_valid_q, reset_q, go, failed, finishes;
  logic [2:0] late_q;  // cycles in which the first chunk has ended and the output was free
  part_t first;
  assign count    = wr_q - rd_q;
  assign first    = part_q[slot_t'(rd_q)];
  assign go       = dut.go;
  assign failed   = error_q[slot_t'(rd_q)] != READ_OK;
  assign finishes = failed || read_q + 1'b1 == first.lines;
  initial reset_q = 1'b0;
  always_ff @(posedge clk) begin
    reset_q <= 1'b1;
    if (alloc) begin
      part_q[slot_t'(wr_q)] <= '{
          offset: offset,
          end_offset: offset + bytes[5:0],
          lines: lines,
          is_last: is_last,
          cookie: cookie
      };
      line_q[slot_t'(wr_q)] <= wr_line_q;
      wr_line_q <= wr_line_q + 7'(lines);
      ended_q[slot_t'(wr_q)] <= 1'b0;
      wr_q <= wr_q + 1'b1;
    end
    if (end_valid) begin
      ended_q[end_entry] <= 1'b1;
      error_q[end_entry] <= end_error;
    end
    if (go) begin
      read_q <= finishes ? '0 : read_q + 1'b1;
      if (finishes) rd_q <= rd_q + 1'b1;
      wanted_q.offset <= read_q == '0 ? first.offset : '0;
      wanted_q.bytes   <= failed ? '0 : (finishes && first.end_offset != '0 ? 7'(first.end_offset) : 7'd64)
                          - (read_q == '0 ? 7'(first.offset) : 7'd0);
      wanted_q.is_last <= finishes && first.is_last;
      wanted_q.error <= error_q[slot_t'(rd_q)];
      wanted_q.cookie <= cookie_t'(first.cookie);
    end
    wanted_valid_q <= go || (wanted_valid_q && !beat_ready);
    late_q <= go || (beat_valid && !beat_ready) || count == '0 || !ended_q[slot_t'(rd_q)] ? '0 : late_q + 1'b1;
    if (rst) begin
      wr_line_q      <= '0;
      wr_q           <= '0;
      rd_q           <= '0;
      read_q         <= '0;
      wanted_valid_q <= 1'b0;
      late_q         <= '0;
    end
  end

  logic [6:0] in_use;  // lines that are allocated and have not been read
  logic [ENTRIES-1:0] has, has_next;  // the entry has a chunk; so has the one after it
  assign rd_line = count == '0 ? wr_line_q : line_q[slot_t'(rd_q)] + 7'(read_q);
  assign in_use  = wr_line_q - rd_line;
  always_comb begin
    for (int i = 0; i < ENTRIES; i++) begin
      has[i]      = 3'(slot_t'(slot_t'(i) - slot_t'(rd_q))) < count;
      has_next[i] = 3'(slot_t'(slot_t'(i) - slot_t'(rd_q))) + 3'd1 < count;
    end
  end

  always_comb begin
    if (!reset_q) assume (rst);
    if (reset_q) begin
      assume (bytes != '0 && bytes <= chunk_bytes_t'(MAX_CHUNK) && lines <= chunk_lines_t'(MAX_CHUNK_LINES));
      assume (!alloc || room);
      assume (!end_valid || (has[end_entry] && !ended_q[end_entry]));

      // --- The claim
      assert (beat_valid == wanted_valid_q);
      if (beat_valid) assert (beat == wanted_q);
      if (go) begin
        assert (count != '0 && ended_q[slot_t'(rd_q)] && (!beat_valid || beat_ready));
        assert (dut.rd_line_q[4:0] == rd_line[4:0]);
      end
      assert (count <= 3'(ENTRIES) && in_use <= 7'(LINES));
      assert (late_q < 3'd3);
      if (alloc) assert (alloc_entry == entry_t'(wr_q[1:0]) && alloc_line == line_t'(wr_line_q[4:0]));

      if (INVARIANTS) begin
        assert (dut.wr_entry_q == wr_q && dut.rd_entry_q == rd_q);
        assert (dut.fetch_ptr_q == rd_q + 3'(dut.record_valid) && (!dut.record_valid || count != '0));
        assert (dut.wr_line_q == wr_line_q[5:0] && dut.rd_line_q == rd_line[5:0]);
        if (count == '0) assert (read_q == '0);
        if (room) assert (count < 3'(ENTRIES) && in_use <= 7'(LINES - MAX_CHUNK_LINES));
        assert (dut.inside_q == (read_q != '0));
        if (read_q != '0) begin
          assert (dut.record_valid && ended_q[slot_t'(rd_q)] && !failed && dut.lines_q == first.lines - read_q);
          assert (read_q < first.lines);
        end
        if (dut.record_valid) begin
          assert (dut.record.offset == first.offset && dut.record.end_offset == first.end_offset);
          assert (dut.record.lines == first.lines && dut.record.is_last == first.is_last);
          assert (dut.record.cookie == cookie_t'(first.cookie));
        end
        for (int i = 0; i < ENTRIES; i++) begin
          if (has[i]) begin
            assert (dut.ended_q[i] == ended_q[i] && (!ended_q[i] || dut.error_of[i] == error_q[i]));
            assert (part_q[i].lines != '0 && part_q[i].lines <= chunk_lines_t'(MAX_CHUNK_LINES));
            assert (line_q[i] + 7'(part_q[i].lines) == (has_next[i] ? line_q[(i+1)%ENTRIES] : wr_line_q));
            assert (dut.records.ram[i] == {
              part_q[i].offset, part_q[i].end_offset, part_q[i].lines, part_q[i].is_last, cookie_t'(part_q[i].cookie)
            });
          end
        end
        if (late_q != '0) assert (dut.record_valid && late_q == 3'd1);
      end
    end
  end
endmodule
