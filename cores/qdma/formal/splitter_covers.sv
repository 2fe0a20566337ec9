// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Proof of the splitter, qdma_c2h_cut and qdma_c2h_step, for any segments, any MPS, any arrival of data and any stalls.
// Of a segment that is chosen freely:
//   - its TLPs follow each other from its first byte to its last one: each byte is written once
//   - none crosses a multiple of MPS, or 4 KiB; none is longer than MPS
//   - its packet ends with its last byte, if it is the packet's last
// Of all packets:
//   - each enabled byte of a beat is the packet's byte that belongs there, from the beat that was popped last or from the
//     first one that waits, which is there; each beat is popped once
//   - a TLP that has begun goes on in each cycle with go
// Assumes that a segment is held until it is accepted, that beats that wait stay, and that a segment without bytes is a
// packet of its own.
module splitter_covers
  import qdma_tlp_pkg::*;
  import qdma_context_pkg::*;
  import qdma_c2h_pkg::*;
#(
    parameter bit INVARIANTS = 1'b1
) (
    input logic        clk,            // there is an edge in this step
    input logic        rst,
    input logic [ 2:0] mps_const,      // one value for a whole run
    input logic        segment_valid,
    input logic        mark,
    input logic [63:0] addr,
    input logic [15:0] bytes,
    input logic        is_last,
    input logic        is_stopped,
    input logic        arrives,
    input logic        go,
    input logic        is_idle,
    input logic [ 5:0] byte_of_beat    // any
);
  localparam int BEATS = 16;

  logic [2:0] max_payload_q;
  logic [4:0] level_q;  // beats that wait
  logic segment_ready, command_valid, command_ready, current_valid, pop, step_valid;
  c2h_segment_t segment, segment_q;
  c2h_command_t command, current;
  c2h_step_t step;
  logic marked_q, marks;
  assign marks = mark & ~marked_q;
  always_comb begin
    segment         = '0;
    segment.serial  = serial_t'(marks);
    segment.addr    = addr;
    segment.bytes   = bytes;
    segment.is_last = is_last;
  end
  qdma_c2h_cut cut (
      .clk,
      .rst,
      .max_payload(max_payload_q),
      .segment_valid,
      .segment_ready,
      .segment,
      .command_valid,
      .command_ready,
      .command
  );
  qdma_c2h_step #(
      .BEATS(BEATS)
  ) dut (
      .clk,
      .rst,
      .command_valid,
      .command_ready,
      .command,
      .command_is_stopped(is_stopped),
      .current,
      .current_valid,
      .current_is_stopped(is_stopped),
      .arrives,
      .has_head(level_q != '0),
      .pop,
      .go,
      .is_idle,
      .step_valid,
      .step
  );

  // --- The segment that was chosen
  logic [63:0] next_addr_q;
  logic [15:0] left_q;
  logic last_q, ours, held_q, inside_q, reset_q;
  write_bytes_t tlp_left_q, tlp_left;
  logic [6:0] lead, count;
  // --- The packet: its next byte and the beats that were popped, as far as it matters
  logic [6:0] position_q, position;
  logic popped_q, from_previous;
  logic [5:0] lane;
  logic open_q;
  assign ours          = current.serial[0];
  assign tlp_left      = step.is_first ? step.bytes : tlp_left_q;
  assign lead          = step.is_first ? {5'b0, step.addr[1:0]} : '0;
  assign count         = step.is_end ? 7'(tlp_left) : 7'd64 - lead;
  assign position      = position_q + {1'b0, byte_of_beat} - lead;
  assign lane          = byte_of_beat + step.rotate;
  assign from_previous = step.has_previous && (step.only_previous || lane >= step.rotate);

  initial reset_q = 1'b0;
  always_ff @(posedge clk) begin
    reset_q <= 1'b1;
    held_q  <= segment_valid & ~segment_ready;
    if (!held_q) segment_q <= segment;
    level_q <= level_q + 5'(arrives) - 5'(pop);
    if (segment_valid && segment_ready) begin
      inside_q <= ~is_last;
      if (marks) begin
        marked_q    <= 1'b1;
        next_addr_q <= addr;
        left_q      <= bytes;
        last_q      <= is_last;
      end
    end
    if (step_valid && go) begin
      tlp_left_q <= tlp_left - write_bytes_t'(count);
      open_q     <= ~step.is_end;
      position_q <= step.is_packet_end ? '0 : position_q + count;
      popped_q   <= ~step.is_packet_end & (popped_q ^ pop);
      if (ours) begin
        next_addr_q <= next_addr_q + 64'(count);
        left_q      <= left_q - 16'(count);
      end
    end
    if (rst) begin
      max_payload_q <= mps_const;
      held_q        <= 1'b0;
      marked_q      <= 1'b0;
      inside_q      <= 1'b0;
      open_q        <= 1'b0;
      position_q    <= '0;
      popped_q      <= 1'b0;
      level_q       <= '0;
    end
  end

  logic [10:0] mps;
  assign mps = max_payload_q > 3'd3 ? 11'd1024 : 11'd128 << max_payload_q;
  function automatic logic stays_in(input logic [63:0] from, input logic [10:0] length);
    return {2'b0, from[9:0] & 10'(mps - 1'b1)} + {1'b0, length} <= {1'b0, mps};
  endfunction

  logic [11:0] there;  // bytes
  assign there = {1'b0, level_q, 6'b0} + 12'(6'(-position_q[5:0]));
  logic cut_ours, command_ours, current_ours;
  logic [17:0] pending;
  assign cut_ours     = cut.busy_q & cut.left_q.serial[0];
  assign command_ours = command_valid & command.serial[0];
  assign current_ours = current_valid & ours;
  always_comb begin
    pending = '0;
    if (cut_ours) pending += 18'(cut.left_q.bytes);
    if (command_ours) pending += 18'(command.bytes);
    if (current_ours) pending += 18'(current.bytes);

    if (!reset_q) assume (rst);
    if (held_q) assume (segment_valid && segment == segment_q);
    if (bytes == '0) assume (is_last && !inside_q);
    if (level_q == 5'(BEATS)) assume (!arrives);

    if (reset_q) begin
      // --- The claim
      if (step_valid && go) begin
        assert (step.is_first == !open_q);
        assert (7'd64 - lead >= count);
        if (step.is_first && step.bytes != '0) begin
          assert (step.bytes <= mps && {1'b0, step.addr[11:0]} + 13'(step.bytes) <= 13'd4096);
        end
        if (ours) begin
          if (step.is_first) assert (step.addr == next_addr_q && stays_in(step.addr, step.bytes));
          assert (16'(count) <= left_q && (count != '0 || left_q == '0));
          assert (step.is_packet_end == (last_q && 16'(count) == left_q));
        end
        if ({1'b0, byte_of_beat} >= lead && {1'b0, byte_of_beat} < lead + count) begin
          assert (lane == position[5:0]);
          assert (position[6] == (popped_q ^ from_previous));
          assert (from_previous || pop);
        end
      end
      if (pop) assert (level_q != '0 && step_valid && go);
      if (marked_q && !cut_ours && !command_ours && !current_ours) assert (left_q == '0);
      if (open_q) assert (step_valid);

      if (INVARIANTS) begin
        assert (open_q == dut.open_q);
        assert (dut.place_q == position_q[5:0]);
        assert (popped_q == (position_q[6] ^ (position_q[5:0] != '0)));
        if (open_q) begin
          assert (current_valid && tlp_left_q == current.bytes && current.bytes != '0 && current.addr[1:0] == '0);
          assert ({2'b0, current.addr[9:0]} + {1'b0, current.bytes} <= 12'd1024);
        end
        // What is counted is there, and what is needed of a TLP that has begun.
        assert (level_q <= 5'(BEATS) && dut.beyond_q == there - (current_valid ? 12'(current.bytes) : '0));
        if (open_q) assert (there >= 12'(current.bytes));
        if (command_valid) assert (stays_in(command.addr, command.bytes));
        if (current_valid) assert (stays_in(current.addr, current.bytes));
        if (!marked_q) assert (!cut_ours && !command_ours && !current_ours);
        if (cut_ours) assert (cut.left_q.is_last == last_q);
        if (command_ours && cut_ours) assert (!command.is_last);
        if (command_ours && !cut_ours) assert (command.is_last == last_q);
        if (current_ours) assert (current.is_last == (last_q && !cut_ours && !command_ours));
        if (marked_q) assert ({2'b0, left_q} == pending);
        if (current_ours)
          assert (current.addr == next_addr_q);
          else if (command_ours)
            assert (command.addr == next_addr_q);
            else if (cut_ours) assert (cut.left_q.addr == next_addr_q);
        if (current_ours && command_ours) assert (command.addr == next_addr_q + 64'(current.bytes));
        if (command_ours && cut_ours) assert (cut.left_q.addr == command.addr + 64'(command.bytes));
        if (current_ours && !command_ours && cut_ours) assert (cut.left_q.addr == next_addr_q + 64'(current.bytes));
        // What is ours follows each other, and has bytes unless it is alone.
        if (command_valid && !command_ours) assert (!(cut_ours && current_ours));
        if (cut_ours && (command_ours || current_ours)) assert (cut.left_q.bytes != '0);
        if (command_ours && (cut_ours || current_ours)) assert (command.bytes != '0);
        if (current_ours && (command_ours || cut_ours)) assert (current.bytes != '0);
        // Packets without payload are alone.
        if (cut.busy_q && cut.left_q.bytes == '0) begin
          assert (cut.left_q.is_last);
          if (command_valid)
            assert (command.is_last);
            else if (current_valid)
              assert (current.is_last);
              else assert (position_q == '0);
        end
        if (command_valid && command.bytes == '0) begin
          assert (command.is_last);
          if (current_valid)
            assert (current.is_last);
            else assert (position_q == '0);
        end
        if (current_valid && current.bytes == '0) assert (current.is_last && position_q == '0);
        if (inside_q)
          assert (cut.busy_q ? !cut.left_q.is_last
                              : command_valid ? !command.is_last : current_valid ? !current.is_last : 1'b1);
        if (!inside_q) begin
          if (cut.busy_q)
            assert (cut.left_q.is_last);
            else if (command_valid)
              assert (command.is_last);
              else if (current_valid)
                assert (current.is_last);
                else assert (position_q == '0);
        end
      end
    end
  end

  logic unused;
  assign unused = &{1'b0, step, cut.left_q, position};
endmodule
