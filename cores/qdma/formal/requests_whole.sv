// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Proof of qdma_usp_rq, for any writes and reads, any pauses of RQ, and resets at any time.
//   - RQ has TLPs one after another, each whole: where one begins and ends is said once and is where its length has it, none
//     begins within another, and nothing is between two of them but the second half of a beat
//   - writes leave in the order in which they came, reads too; none is lost, none comes twice; `begun` counts the writes, and
//     their sequence numbers follow each other
//   - of a TLP that is chosen freely: descriptor and byte enables are those of its header, and each dword is in its place, once
//   - RQ has no pause within a TLP; a half leaves alone only if nothing waits, or a read in the cycle of a write's last beat
//   - while a channel waits and RQ is ready, the other begins at most one TLP
// Assumes that a write's header is the same in all its beats, which follow each other; that channels hold what they show.  The
// register before RQ is a wire here.
module requests_whole
  import qdma_tlp_pkg::*;
  import qdma_write_pkg::*;
  import qdma_usp_pkg::*;
#(
    parameter bit INVARIANTS = 1'b1
) (
    input logic           clk,           // there is an edge in this step
    input logic           rst,
    input logic           posted_valid,
    input posted_t        header,
    input beat_t          data,
    input logic           read_valid,
    input read_t          read,
    input logic           mark_posted,   // the one that is chosen begins
    input logic           mark_read,
    input logic           rq_ready,
    input logic    [10:0] dword_const    // of it, after the descriptor, any: one value for a whole run
);
  typedef logic [7:0] count_t;
  typedef logic [11:0] dwords_t;
  // A TLP on its way: dwords that are left, dwords that have been; whether it is the one that is chosen
  typedef struct packed {
    logic is_inside;
    logic is_chosen;
    dwords_t left;
    dwords_t been;
  } walk_t;

  logic posted_ready, read_ready, valid;
  write_beat_t posted;
  logic [9:0] begun;
  beat_t rq_data;
  rq_user_t user;
  qdma_usp_rq dut (
      .clk,
      .rst,
      .posted_valid,
      .posted_ready,
      .posted,
      .read_valid,
      .read_ready,
      .read,
      .begun,
      .s_axis_rq_tvalid(valid),
      .s_axis_rq_tready(rq_ready),
      .s_axis_rq_tdata (rq_data),
      .s_axis_rq_tuser (user)
  );

  // --- What comes
  logic reset_q, posted_held_q, read_held_q, takes_posted, takes_read, is_last;
  posted_t header_q, head;
  beat_t data_q;
  read_t read_q;
  logic mark_posted_q, mark_read_q;
  logic in_write_q, in_chosen_q;
  dwords_t come_q, come, to_come;  // dwords of the write that came before this beat; that are left with it
  assign head         = in_write_q ? header_q : header;
  assign come         = in_write_q ? come_q : '0;
  assign to_come      = dwords_t'(head.dwords) - come;
  assign is_last      = to_come <= 12'd16;
  assign posted       = '{last: is_last, header: head, data: data};
  assign takes_posted = posted_valid & posted_ready;
  assign takes_read   = read_valid & read_ready;

  // --- The one that is chosen
  logic chosen_q, is_read_q, has_word_q;
  rq_descriptor_t descriptor_q, as_write, as_read;
  logic [3:0] first_be_q, last_be_q;
  dwords_t dword_q;
  logic [31:0] word_q;
  count_t number_q;  // of its kind
  logic takes_chosen;  // a beat of it
  assign takes_chosen = takes_posted & (in_write_q ? in_chosen_q : mark_posted);
  always_comb begin
    as_write = '{
        request_type: TYPE_WRITE,
        addr: head.addr[63:2],
        dwords: head.dwords,
        requester_func: head.func,
        tc: head.tc,
        attr: head.attr,
        default: '0
    };
    as_read = '{
        request_type: TYPE_READ,
        addr: read.addr[63:2],
        dwords: read.dwords,
        requester_func: read.func,
        tag: read.tag,
        tc: read.tc,
        attr: read.attr,
        default: '0
    };
  end

  // --- What leaves, by halves: as tuser has it
  logic [1:0] sop, eop, part;
  logic [1:0][2:0] eop_dword;
  logic [1:0][3:0] first_be, last_be;
  logic [1:0][5:0] seq_num;
  always_comb begin
    sop       = '0;
    eop       = '0;
    eop_dword = '0;
    first_be  = '0;
    last_be   = '0;
    seq_num   = '0;
    for (int i = 1; i >= 0; i--) begin
      if (user.is_sop[i]) begin
        sop[user.sop_ptr[i][1]]      = 1'b1;
        first_be[user.sop_ptr[i][1]] = user.first_be[i];
        last_be[user.sop_ptr[i][1]]  = user.last_be[i];
        seq_num[user.sop_ptr[i][1]]  = user.seq_num[i];
      end
      if (user.is_eop[i]) begin
        eop[user.eop_ptr[i][3]]       = 1'b1;
        eop_dword[user.eop_ptr[i][3]] = user.eop_ptr[i][2:0];
      end
    end
  end

  // What a half makes of the TLP on its way; the first bit of attr marks the one that is chosen
  function automatic walk_t walked(input walk_t walk, input logic begins, input logic [255:0] half);
    rq_descriptor_t descriptor;
    descriptor = rq_descriptor_t'(half[127:0]);
    walked     = walk;
    if (begins) begin
      walked.is_chosen = descriptor.attr[0];
      walked.left      = 12'd4 + (descriptor.request_type == TYPE_WRITE ? dwords_t'(descriptor.dwords) : '0);
      walked.been      = '0;
    end
    walked.is_inside = walked.left > 12'd8;
    walked.left      = walked.left - 12'd8;
    walked.been      = walked.been + 12'd8;
  endfunction
  walk_t walk_q;
  walk_t [1:0] before_half, after_half, before_wait, after_wait;
  logic [1:0][255:0] halves;
  rq_descriptor_t [1:0] shown;
  logic [1:0] is_write;  // that begins
  count_t writes_q, reads_q, writes_come_q, reads_come_q;
  count_t [1:0] writes, reads;  // before each half
  assign halves = rq_data;
  always_comb begin
    before_half[0] = walk_q;
    writes[0]      = writes_q;
    reads[0]       = reads_q;
    for (int i = 0; i < 2; i++) begin
      part[i]       = before_half[i].is_inside | sop[i];
      shown[i]      = rq_descriptor_t'(halves[i][127:0]);
      is_write[i]   = shown[i].request_type == TYPE_WRITE;
      after_half[i] = part[i] ? walked(before_half[i], sop[i], halves[i]) : before_half[i];
      if (i == 0) begin
        before_half[1] = after_half[0];
        writes[1]      = writes_q + count_t'(sop[0] && is_write[0]);
        reads[1]       = reads_q + count_t'(sop[0] && !is_write[0]);
      end
    end
  end

  // --- Turns
  logic posted_passed_q, read_passed_q, posted_twice_q, read_twice_q, begins_write;
  assign begins_write = takes_posted & ~in_write_q;

  initial reset_q = 1'b0;
  always_ff @(posedge clk) begin
    reset_q       <= 1'b1;
    posted_held_q <= posted_valid & ~posted_ready;
    read_held_q   <= read_valid & ~read_ready;
    data_q        <= data;
    read_q        <= read;
    mark_posted_q <= mark_posted;
    mark_read_q   <= mark_read;
    if (posted_valid && !in_write_q) header_q <= header;
    if (takes_posted) begin
      in_write_q  <= ~is_last;
      in_chosen_q <= in_write_q ? in_chosen_q : mark_posted;
      come_q      <= come + 12'd16;
    end
    if (begins_write) writes_come_q <= writes_come_q + 1'b1;
    if (takes_read) reads_come_q <= reads_come_q + 1'b1;
    if ((begins_write && mark_posted) || (takes_read && mark_read)) begin
      chosen_q     <= 1'b1;
      is_read_q    <= ~(begins_write & mark_posted);
      descriptor_q <= begins_write && mark_posted ? as_write : as_read;
      first_be_q   <= begins_write && mark_posted ? head.first_be : read.first_be;
      last_be_q    <= begins_write && mark_posted ? head.last_be : read.last_be;
      number_q     <= begins_write && mark_posted ? writes_come_q : reads_come_q;
    end
    if (takes_chosen && dword_q >= come && dword_q < come + 12'd16) begin
      has_word_q <= 1'b1;
      word_q     <= data[32*dword_q[3:0]+:32];
    end
    if (valid && rq_ready) begin
      walk_q   <= after_half[1];
      writes_q <= writes[1] + count_t'(sop[1] && is_write[1]);
      reads_q  <= reads[1] + count_t'(sop[1] && !is_write[1]);
    end
    posted_passed_q <= posted_valid & ~posted_ready & ~in_write_q & (posted_passed_q | takes_read);
    read_passed_q   <= read_valid & ~read_ready & (read_passed_q | begins_write);
    posted_twice_q  <= posted_passed_q & takes_read & ~posted_ready;
    read_twice_q    <= read_passed_q & begins_write & ~read_ready;
    if (rst) begin
      posted_held_q   <= 1'b0;
      read_held_q     <= 1'b0;
      in_write_q      <= 1'b0;
      chosen_q        <= 1'b0;
      has_word_q      <= 1'b0;
      in_chosen_q     <= 1'b0;
      walk_q          <= '0;
      writes_q        <= '0;
      reads_q         <= '0;
      writes_come_q   <= '0;
      reads_come_q    <= '0;
      posted_passed_q <= 1'b0;
      read_passed_q   <= 1'b0;
      posted_twice_q  <= 1'b0;
      read_twice_q    <= 1'b0;
      dword_q         <= dwords_t'(dword_const);
    end
  end

  count_t [1:0] writes_wait, reads_wait;  // before each half that waits
  walk_t last_walk;
  rq_descriptor_t waiting_descriptor;
  dwords_t to_word;
  always_comb begin
    before_wait        = '0;
    after_wait         = '0;
    writes_wait        = '0;
    reads_wait         = '0;
    last_walk          = walk_q;
    waiting_descriptor = '0;
    to_word            = '0;
    if (!reset_q) assume (rst);
    if (reset_q) begin
      if (posted_held_q) assume (posted_valid && data == data_q && mark_posted == mark_posted_q && head == header_q);
      if (in_write_q) assume (posted_valid);
      if (read_held_q) assume (read_valid && read == read_q && mark_read == mark_read_q);
      if (posted_valid && !in_write_q) begin
        assume (header.dwords != '0 && header.dwords <= 11'd1024 && header.addr[1:0] == '0);
        assume (header.attr[0] == mark_posted);
      end
      if (read_valid) assume (read.attr[0] == mark_read);
      assume (!(mark_posted && mark_read && posted_valid && read_valid));
      if (chosen_q) assume (!(mark_posted && posted_valid && !in_write_q) && !(mark_read && read_valid));

      // --- The claim
      if (walk_q.is_inside) assert (valid);
      if (valid) begin
        assert (part[0]);
        for (int i = 0; i < 2; i++) begin
          if (before_half[i].is_inside) assert (!sop[i]);
          assert (eop[i] == (part[i] && !after_half[i].is_inside));
          if (eop[i]) assert (eop_dword[i] == 3'(after_half[i].left - 12'd1));
          if (sop[i]) begin
            assert (seq_num[i] == (is_write[i] ? {1'b0, writes[i][4:0]} : {1'b1, seq_num[i][4:0]}));
            if (chosen_q && after_half[i].is_chosen) begin
              assert (halves[i][127:0] == 128'(descriptor_q) && is_write[i] == !is_read_q);
              assert (first_be[i] == first_be_q && last_be[i] == last_be_q);
              assert ((is_read_q ? reads[i] : writes[i]) == number_q);
            end
          end
          if (part[i] && after_half[i].is_chosen && chosen_q) begin
            to_word = dword_q + 12'd12 - after_half[i].been;
            if (to_word < 12'd8 && has_word_q) assert (halves[i][32*to_word[2:0]+:32] == word_q);
          end
        end
        // As the block reads them: the first of a beat is the first of the pair
        assert (user.is_sop != 2'b10 && user.is_eop != 2'b10);
        if (user.is_sop == 2'b11) assert (user.sop_ptr == {2'd2, 2'd0});
        if (user.is_sop[0]) assert (!user.sop_ptr[0][0]);
        if (user.is_eop == 2'b11) assert (!user.eop_ptr[0][3] && user.eop_ptr[1][3]);
        if (!part[1] && rq_ready)
          assert (!(posted_valid && !posted_ready) && !(read_valid && !read_ready && !in_write_q));
      end
      if (rq_ready && (posted_valid || read_valid)) assert (valid);
      assert (!posted_twice_q && !read_twice_q);
      assert (count_t'(begun) == writes_come_q);

      if (INVARIANTS) begin
        assert (dut.in_tlp_q == in_write_q && dut.count_q <= 2'd2);
        // What waits is the rest of what goes on, up to what has come
        before_wait[0] = walk_q;
        writes_wait[0] = writes_q;
        reads_wait[0]  = reads_q;
        for (int i = 0; i < 2; i++) begin
          if (i < 32'(dut.count_q)) begin
            waiting_descriptor = rq_descriptor_t'(dut.wait_q[i].data[127:0]);
            after_wait[i] = walked(before_wait[i], dut.wait_q[i].is_sop, dut.wait_q[i].data);
            assert (dut.wait_q[i].is_sop == !before_wait[i].is_inside);
            assert (dut.wait_q[i].is_eop == !after_wait[i].is_inside);
            if (dut.wait_q[i].is_eop) assert (dut.wait_q[i].eop_ptr == 3'(after_wait[i].left - 12'd1));
            if (dut.wait_q[i].is_sop) begin
              assert (dut.wait_q[i].is_read == (waiting_descriptor.request_type != TYPE_WRITE));
              if (!dut.wait_q[i].is_read)
                assert (waiting_descriptor.dwords != '0 && waiting_descriptor.dwords <= 11'd1024);
              if (after_wait[i].is_chosen) begin
                assert (chosen_q && dut.wait_q[i].data[127:0] == 128'(descriptor_q));
                assert (dut.wait_q[i].is_read == is_read_q);
                assert (dut.wait_q[i].first_be == first_be_q && dut.wait_q[i].last_be == last_be_q);
                assert ((is_read_q ? reads_wait[i] : writes_wait[i]) == number_q);
              end
            end
            if (after_wait[i].is_chosen && has_word_q) begin
              to_word = dword_q + 12'd12 - after_wait[i].been;
              if (to_word < 12'd8) assert (dut.wait_q[i].data[32*to_word[2:0]+:32] == word_q);
            end
            last_walk = after_wait[i];
          end else begin
            after_wait[i] = before_wait[i];
          end
          if (i == 0) begin
            before_wait[1] = after_wait[0];
            writes_wait[1] = writes_q + count_t'(dut.count_q != '0 && dut.wait_q[0].is_sop && !dut.wait_q[0].is_read);
            reads_wait[1]  = reads_q + count_t'(dut.count_q != '0 && dut.wait_q[0].is_sop && dut.wait_q[0].is_read);
          end
        end
        assert (writes_come_q == writes_wait[1]
                + count_t'(dut.count_q[1] && dut.wait_q[1].is_sop && !dut.wait_q[1].is_read));
        assert (reads_come_q == reads_wait[1]
                + count_t'(dut.count_q[1] && dut.wait_q[1].is_sop && dut.wait_q[1].is_read));
        assert (last_walk.is_inside == in_write_q);
        if (walk_q.is_inside) assert (walk_q.left != '0);
        if (in_write_q) begin
          assert (last_walk.left == dwords_t'(header_q.dwords) - come_q + 12'd4 && last_walk.been == come_q);
          assert (come_q[3:0] == '0 && come_q != '0 && come_q < dwords_t'(header_q.dwords));
          assert (header_q.dwords <= 11'd1024);
          assert (last_walk.is_chosen == in_chosen_q);
          if (in_chosen_q) begin
            assert (chosen_q && !is_read_q && has_word_q == (dword_q < come_q));
            if (has_word_q && dword_q + 12'd4 >= come_q) begin
              assert (dut.carry_q[32*2'(dword_q+12'd4-come_q)+:32] == word_q);
            end
          end
        end
        if (walk_q.is_inside && walk_q.is_chosen) assert (chosen_q);
        if (!chosen_q) assert (!has_word_q && !in_chosen_q);
        if (chosen_q && is_read_q) assert (!has_word_q);
        assert (dut.left_q == writes_q[4:0]);
        if (posted_passed_q) assert (posted_held_q && !in_write_q && dut.count_q == 2'd1);
        if (read_passed_q) assert (read_held_q && !in_write_q && dut.count_q == 2'd2);
      end
    end
  end

  logic unused;
  assign unused = &{1'b0, user, shown};
endmodule
