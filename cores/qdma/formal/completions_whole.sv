// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Proof of qdma_usp_rc, for any completions, at most four in a beat, any pauses between beats, and resets at any time.
//   - completions leave in the order in which they begin; none is lost, none comes twice, whatever ready does
//   - of one that is chosen freely: its header is that of its descriptor; it has as many beats as its data need, `last` is with
//     the last of them, and each of its dwords is in its place
//   - a completion that has ended leaves within 5 cycles; RC waits at most 3 cycles
// Assumes RC as PG213 has it: beats are held until they are accepted; a completion begins at dword 0, 4, 8 or 12 once the one
// before has ended, and has 3 dwords at least.
module completions_whole
  import qdma_tlp_pkg::*;
  import qdma_usp_pkg::*;
#(
    parameter bit INVARIANTS = 1'b1
) (
    input logic             clk,         // there is an edge in this step
    input logic             rst,
    input logic             rc_valid,
    input beat_t            rc_data,
    input logic  [3:0]      sop,         // by 4 dwords
    input logic  [3:0]      eop,
    input logic  [3:0][1:0] eop_dword,
    input logic  [3:0]      mark,        // the one that is chosen begins here
    input logic  [7:0]      dword_const  // of it, any: one value for a whole run
);
  localparam int HEADER = 3;
  typedef logic [7:0] count_t;
  typedef struct packed {
    logic ok;
    logic is_inside;
  } walk_t;
  // Whether what begins and ends in a beat is in order, and whether a completion goes on after it
  function automatic walk_t walked(input logic is_inside, input logic [3:0] begins, input logic [3:0] ends,
                                   input logic [3:0][1:0] dword);
    walked = '{ok: 1'b1, is_inside: is_inside};
    for (int i = 0; i < 4; i++) begin
      if (begins[i] && walked.is_inside) walked.ok = 1'b0;
      if (ends[i] && !walked.is_inside && !begins[i]) walked.ok = 1'b0;
      if (ends[i] && begins[i] && dword[i] < 2'd2) walked.ok = 1'b0;
      walked.is_inside = (walked.is_inside | begins[i]) & ~ends[i];
    end
  endfunction

  logic rc_ready, completion_valid, completion_last, discontinued;
  rc_user_t user;
  completion_t completion, expected;
  beat_t completion_data;
  logic [2:0] sops, eops;
  always_comb begin
    user = '0;
    sops = '0;
    eops = '0;
    for (int i = 0; i < 4; i++) begin
      if (sop[i]) begin
        user.is_sop[sops[1:0]]  = 1'b1;
        user.sop_ptr[sops[1:0]] = 2'(i);
        sops                    = sops + 1'b1;
      end
      if (eop[i]) begin
        user.is_eop[eops[1:0]]  = 1'b1;
        user.eop_ptr[eops[1:0]] = {2'(i), eop_dword[i]};
        eops                    = eops + 1'b1;
      end
    end
  end
  qdma_usp_rc dut (
      .clk,
      .rst,
      .m_axis_rc_tvalid(rc_valid),
      .m_axis_rc_tready(rc_ready),
      .m_axis_rc_tdata (rc_data),
      .m_axis_rc_tuser (user),
      .completion_valid,
      .completion,
      .completion_data,
      .completion_last,
      .discontinued
  );

  // --- What was accepted
  logic
      reset_q,
      any_q,
      held_q,
      takes,
      tail_q,
      head_q;  // head, tail: a completion goes on before and after the beat that came last
  beat_t data_q;
  logic [3:0] sop_q, eop_q, mark_q;
  logic [3:0][1:0] eop_dword_q;
  walk_t walk;
  count_t begun_q, ended_q;  // completions that were accepted, and that have left
  logic [2:0] stalled_q;
  // --- The one that is chosen: dwords that came, its beats that have been shown
  logic marked_q, open_q, done_q, has_word_q, shows, waits;  // waits: all of it has not left
  logic [1:0] place_q, place;
  count_t dwords_q, shown_q, before_q, number, dword_q, came, last_beat, left, base;
  logic [31:0] word_q;
  rc_descriptor_t descriptor_q;
  logic [3:0] end_at;  // dword of the beat
  logic ends;
  logic [2:0] age_q;  // since it has ended
  assign takes = rc_valid & rc_ready;
  assign walk  = walked(tail_q, sop, eop, eop_dword);
  assign shows = completion_valid & completion.tag[0];
  assign waits = marked_q & ~done_q & ~(shows & completion_last);
  always_comb begin
    place  = '0;
    number = begun_q;
    for (int i = 0; i < 4; i++) if (mark[i]) place = 2'(i);
    for (int i = 0; i < 4; i++) if (sop[i] && i < 32'(place)) number = number + 1'b1;
    // Its end in this beat
    ends   = 1'b0;
    end_at = '0;
    for (int i = 3; i >= 0; i--) begin
      if (eop[i] && (mark == '0 || i >= 32'(place))) begin
        ends   = 1'b1;
        end_at = {2'(i), eop_dword[i]};
      end
    end
    came = (ends ? count_t'(end_at) + 8'd1 : 8'd16) - (mark != '0 ? {4'b0, place, 2'b0} : 8'd0);
    expected = '{
        status: status_e'(descriptor_q.status),
        is_poisoned: descriptor_q.poisoned,
        is_timeout: descriptor_q.error_code == RC_TIMEOUT,
        is_final: descriptor_q.request_completed,
        tag: descriptor_q.tag,
        dwords: descriptor_q.dwords,
        byte_count: descriptor_q.byte_count,
        lower_addr: descriptor_q.lower_addr[6:0]
    };
    if (!(descriptor_q.error_code inside {RC_NORMAL, RC_POISONED, RC_BAD_STATUS, RC_TIMEOUT})) begin
      expected.status = STATUS_CA;
    end
  end
  assign last_beat = dwords_q <= count_t'(HEADER) ? '0 : (dwords_q - 8'd4) >> 4;
  assign left      = shown_q + count_t'(shows);  // beats of it that have left the DUT's registers
  assign base      = {left[3:0], 4'b0} - {4'b0, place_q, 2'b0};  // its dword in dword 0 of the beat that came last

  initial reset_q = 1'b0;
  always_ff @(posedge clk) begin
    reset_q     <= 1'b1;
    held_q      <= rc_valid & ~rc_ready;
    data_q      <= rc_data;
    sop_q       <= sop;
    eop_q       <= eop;
    eop_dword_q <= eop_dword;
    mark_q      <= mark;
    stalled_q   <= rc_ready ? '0 : stalled_q + 1'b1;
    if (takes) begin
      any_q   <= 1'b1;
      head_q  <= tail_q;
      tail_q  <= walk.is_inside;
      begun_q <= begun_q + count_t'(sops);
      if (mark != '0) begin
        marked_q     <= 1'b1;
        place_q      <= place;
        before_q     <= number;
        descriptor_q <= rc_descriptor_t'(rc_data[128*place+:$bits(rc_descriptor_t)]);
      end
      if (mark != '0 || open_q) begin
        open_q   <= ~ends;
        dwords_q <= (mark != '0 ? '0 : dwords_q) + came;
        if (dword_q >= (mark != '0 ? '0 : dwords_q) && dword_q < (mark != '0 ? '0 : dwords_q) + came) begin
          has_word_q <= 1'b1;
          word_q     <= rc_data[32*4'((mark!='0?{4'b0, place, 2'b0} :-dwords_q)+dword_q)+:32];
        end
      end
    end
    if (!waits || open_q) age_q <= '0;
    else age_q <= age_q + 1'b1;
    if (completion_valid && completion_last) ended_q <= ended_q + 1'b1;
    if (shows) begin
      shown_q <= shown_q + 1'b1;
      done_q  <= completion_last;
    end
    if (rst) begin
      held_q     <= 1'b0;
      any_q      <= 1'b0;
      tail_q     <= 1'b0;
      head_q     <= 1'b0;
      begun_q    <= '0;
      ended_q    <= '0;
      stalled_q  <= '0;
      marked_q   <= 1'b0;
      open_q     <= 1'b0;
      done_q     <= 1'b0;
      has_word_q <= 1'b0;
      shown_q    <= '0;
      age_q      <= '0;
      dword_q    <= dword_const;
    end
  end

  logic [3:0] from, below;
  logic [1:0] lowest, highest;
  logic [2:0] pending;
  count_t offset;
  always_comb begin
    from    = '0;
    below   = '0;
    lowest  = '0;
    highest = '0;
    pending = '0;
    offset  = '0;
    for (int i = 3; i >= 0; i--) if (dut.starts_q[i]) lowest = 2'(i);
    for (int i = 0; i < 4; i++) if (dut.starts_q[i]) highest = 2'(i);
    for (int i = 0; i < 4; i++) pending += 3'(dut.starts_q[i]);

    if (!reset_q) assume (rst);
    if (reset_q) begin
      if (held_q) begin
        assume (rc_valid && rc_data == data_q && sop == sop_q && eop == eop_q && eop_dword == eop_dword_q);
        assume (mark == mark_q);
      end
      assume (walk.ok);
      assume ($onehot0(mark) && (mark & ~sop) == '0 && !(marked_q && mark != '0));
      for (int i = 0; i < 4; i++) if (sop[i]) assume (rc_data[128*i+64] == mark[i]);  // bit 0 of the tag
      if (open_q) assume (dwords_q < 8'd200);

      // --- The claim
      assert (stalled_q <= 3'd3);
      if (completion_valid) begin
        assert (begun_q != ended_q);
        if (marked_q && !done_q) assert (shows == (ended_q == before_q));
      end
      if (shows) begin
        assert (marked_q && !done_q && completion == expected);
        assert (completion_last == (!open_q && shown_q == last_beat));
        if (has_word_q && dword_q >= count_t'(HEADER) && (dword_q - count_t'(HEADER)) >> 4 == shown_q) begin
          assert (completion_data[32*4'(dword_q-count_t'(HEADER))+:32] == word_q);
        end
      end
      assert (age_q <= 3'd5);

      if (INVARIANTS) begin
        // The beat that came last, and the completions that have begun there or before
        if (!any_q) assert (!tail_q && dut.starts_q == '0);
        if (any_q) assert (walked(head_q, dut.beat_q.sop, dut.beat_q.eop, dut.beat_q.eop_dword) == {1'b1, tail_q});
        from = 4'hF << lowest;
        if (dut.starts_q != '0) assert ((dut.starts_q & (from << 1)) == (dut.beat_q.sop & (from << 1)));
        if (dut.starts_q != '0 && !dut.beat_q.sop[lowest]) begin
          assert (head_q && (dut.beat_q.sop & ~from) == '0);
          for (int i = 0; i < 4; i++) begin
            if (dut.beat_q.eop[i] && (dut.beat_q.eop & ~(4'hF << i)) == '0) begin
              assert ({2'(i), dut.beat_q.eop_dword[i]} >= {lowest, 2'd3});
            end
          end
        end
        if (tail_q) begin
          assert (dut.starts_q != '0);
          if (dut.beat_q.sop[highest])
            assert ((dut.beat_q.eop >> highest) == '0);
            else assert (dut.beat_q.eop == '0 && highest == lowest);
        end
        assert (count_t'(stalled_q) + count_t'(pending) <= 8'd4);
        if (held_q) assert (pending != '0);
        assert (count_t'(begun_q - ended_q) == count_t'(pending) + count_t'(completion_valid && completion_last));
        // The one that is chosen, which alone has the bit in its tag
        for (int i = 0; i < 4; i++) begin
          if (dut.starts_q[i] && dut.beat_q.sop[i]) assert (dut.beat_q.data[128*i+64] == (waits && 2'(i) == place_q));
        end
        if (dut.starts_q != '0 && !dut.beat_q.sop[lowest]) assert (completion.tag[0] == (waits && place_q == lowest));
        if (!marked_q) assert (!open_q && !done_q && shown_q == '0 && !has_word_q && !shows);
        if (done_q) assert (!open_q && !shows);
        if (marked_q) assert (descriptor_q.tag[0] && dwords_q <= 8'd216 && (!open_q == (dwords_q >= 8'd3) || open_q));
        if (marked_q && !open_q) assert (dwords_q >= 8'd3);
        if (marked_q) assert (has_word_q == (dword_q < dwords_q));
        if (marked_q && !done_q && !waits) assert (ended_q == before_q);
        if (waits) begin
          below = ~(4'hF << place_q);
          for (int i = 0; i < 4; i++) if (dut.starts_q[i] && below[i]) offset = offset + 1'b1;
          assert (dut.starts_q[place_q]);
          assert (dut.beat_q.sop[place_q] == (left == '0));
          assert (count_t'(before_q - ended_q) == offset + count_t'(completion_valid && completion_last));
          if (left != '0) assert (place_q == lowest && completion == expected && left <= 8'd13);
          if (left == '0) begin
            assert (dut.beat_q.data[128*place_q+:$bits(rc_descriptor_t)] == descriptor_q);
          end
          if (open_q) begin
            assert (tail_q && place_q == highest && dwords_q == base + 8'd16);
          end else begin
            assert (dwords_q > base + (left == '0 ? {4'b0, place_q, 2'b0} : 8'd0) && dwords_q - base <= 8'd16);
            for (int i = 0; i < 4; i++) begin
              if (dut.beat_q.eop[i] && (left != '0 || i >= 32'(place_q))) begin
                assert ({2'(i), dut.beat_q.eop_dword[i]} >= 4'(dwords_q - base - 8'd1));
              end
            end
            assert (dut.beat_q.eop[2'((dwords_q-base-8'd1)>>2)]);
            assert (dut.beat_q.eop_dword[2'((dwords_q-base-8'd1)>>2)] == 2'(dwords_q - base - 8'd1));
            assert (count_t'(age_q) + offset <= 8'd4);
          end
          if (has_word_q && count_t'(dword_q - base) < 8'd16) begin
            assert (dut.beat_q.data[32*4'(dword_q-base)+:32] == word_q);
          end
        end
      end
    end
  end

  logic unused;
  assign unused = &{1'b0, discontinued, descriptor_q};
endmodule
