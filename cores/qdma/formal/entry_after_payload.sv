// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Proof of qdma_c2h_rotate and qdma_c2h_post, for any beats, any entries and any stalls of the channel and of the rings.
//   - the entry of a packet leaves only when the last write of its payload has been accepted, in an earlier cycle
//   - each write is accepted in the order of the steps, none lost, none twice; a write is held until it is accepted
//   - a post is held until it is accepted, whatever is stopped meanwhile
//   - an entry whose payload was sent leaves, unless it is shown and waits
//   - it says that a descriptor is used if the packet has bytes and is not inline
// Assumes that no more than PACKETS packets are under way, which the engine's grants keep, and that an entry stays at the head
// of its FIFO until it leaves.
module entry_after_payload
  import qdma_tlp_pkg::*;
  import qdma_context_pkg::*;
  import qdma_write_pkg::*;
  import qdma_c2h_pkg::*;
#(
    parameter bit INVARIANTS = 1'b1
) (
    input logic clk,             // there is an edge in this step
    input logic rst,
    input logic step_valid,
    input logic has_beat,
    input logic is_packet_end,
    input logic write_ready,
    input logic entry_valid,
    input logic has_completion,
    input logic is_inline,
    input logic is_stopped,
    input logic post_ready
);
  typedef logic [7:0] number_t;

  logic go, is_idle, sent, look_found, write_valid, entry_ready, post_valid;
  c2h_step_t step;
  write_beat_t write;
  c2h_entry_t entry;
  entry_t post;
  c2h_done_t done;
  serial_t done_serial;
  logic [31:0] stat_mismatched, stat_stopped;

  // Steps have the number of their beat in the address, entries that of their packet.
  number_t steps_q, writes_q, ended_q, left_q;  // ended: packets whose last step was made; left: entries
  logic reset_q, entry_held_q, post_held_q, completion_q, inline_q, write_held_q;
  always_comb begin
    step                        = '0;
    step.has_beat               = has_beat;
    step.is_first               = 1'b1;
    step.is_end                 = 1'b1;
    step.is_packet_end          = is_packet_end;
    step.addr                   = {48'b0, steps_q, 8'b0};
    step.bytes                  = write_bytes_t'(64);
    entry                       = '0;
    entry.packet.has_completion = has_completion;
    entry.packet.bytes          = {8'b0, left_q};
    entry.packet.is_inline      = is_inline;
  end
  qdma_c2h_rotate rotate (
      .clk,
      .rst,
      .step_valid,
      .go,
      .step,
      .pop     (1'b0),
      .head    ('0),
      .is_idle,
      .sent,
      .look_qid('0),
      .look_found,
      .write_valid,
      .write_ready,
      .write
  );
  qdma_c2h_post #(
      .INLINE(1'b1)
  ) dut (
      .clk,
      .rst,
      .entry_valid,
      .entry_ready,
      .entry,
      .sent,
      .entry_is_stopped(is_stopped),
      .post_valid,
      .post_ready,
      .post,
      .done,
      .done_serial,
      .stat_mismatched,
      .stat_stopped
  );

  // What waits in the register to the channel behind what is shown, as qdma_c2h_rotate has it
  typedef struct packed {
    logic has_beat;
    logic is_packet_end;
    index_t qid;
    write_beat_t write;
  } made_t;
  made_t spare;
  logic  spare_valid;
  assign spare = rotate.out.spare_q;
  assign spare_valid = rotate.out.spare_valid_q;

  number_t writes_next;  // the number of the next beat in the register to the channel
  assign writes_next = writes_q + number_t'(write_valid) + number_t'(spare_valid & spare.has_beat);

  logic moves, leaves;
  number_t sent_now;  // packets that have left the way out before this cycle
  assign moves = step_valid & go;
  assign leaves = entry_valid & entry_ready;
  assign sent_now = ended_q - number_t'(rotate.valid_1_q & rotate.step_1_q.is_packet_end)
                    - number_t'(rotate.shown_valid & rotate.shown.is_packet_end)
                    - number_t'(spare_valid & spare.is_packet_end);
  initial reset_q = 1'b0;
  always_ff @(posedge clk) begin
    reset_q      <= 1'b1;
    entry_held_q <= entry_valid & ~entry_ready;
    post_held_q  <= post_valid & ~post_ready;
    write_held_q <= write_valid & ~write_ready;
    completion_q <= has_completion;
    inline_q     <= is_inline;
    if (moves && has_beat) steps_q <= steps_q + 1'b1;
    if (moves && is_packet_end) ended_q <= ended_q + 1'b1;
    if (write_valid && write_ready) writes_q <= writes_q + 1'b1;
    if (leaves) left_q <= left_q + 1'b1;
    if (rst) begin
      entry_held_q <= 1'b0;
      post_held_q  <= 1'b0;
      write_held_q <= 1'b0;
      steps_q      <= '0;
      writes_q     <= '0;
      ended_q      <= '0;
      left_q       <= '0;
    end
  end

  always_comb begin
    if (!reset_q) assume (rst);
    if (entry_held_q) assume (entry_valid && has_completion == completion_q && is_inline == inline_q);
    if (number_t'(ended_q - left_q) >= number_t'(PACKETS)) assume (!(step_valid && is_packet_end));

    if (reset_q) begin
      // --- The claim
      if (leaves || post_valid) assert (sent_now != left_q);
      if (write_valid) assert (write.header.addr[15:8] == writes_q);
      if (write_held_q) assert (write_valid);
      if (post_held_q) assert (post_valid);
      if (post_valid) assert (post.length[7:0] == left_q);
      if (post_valid) assert (post.has_used_descriptor == (left_q != '0 && !is_inline));
      if (entry_valid && sent_now != left_q && !post_valid) assert (leaves);
      if (entry_valid && sent_now != left_q && has_completion && !is_stopped) assert (post_valid);

      if (INVARIANTS) begin
        assert (dut.sent_serial_q == sent_now && dut.done_serial == left_q);
        assert (number_t'(ended_q - left_q) <= number_t'(PACKETS));
        assert (number_t'(sent_now - left_q) <= number_t'(PACKETS));
        assert (number_t'(steps_q - writes_q) == number_t'(rotate.valid_1_q & rotate.step_1_q.has_beat)
                + number_t'(write_valid) + number_t'(spare_valid & spare.has_beat));
        if (spare_valid) assert (write_valid);
        if (spare_valid && spare.has_beat) assert (spare.write.header.addr[15:8] == number_t'(writes_q + 8'd1));
        if (rotate.valid_1_q && rotate.step_1_q.has_beat) begin
          assert (rotate.step_1_q.addr == {48'b0, writes_next, 8'b0});
        end
        if (rotate.valid_1_q) assert (rotate.step_1_q.is_first);
        assert (dut.shown_q == post_held_q);
        if (post_held_q) assert (entry_held_q && completion_q);
      end
    end
  end

  logic unused;
  assign unused = &{1'b0, is_idle, look_found, done, done_serial, stat_mismatched, stat_stopped, post, write, spare};
endmodule
