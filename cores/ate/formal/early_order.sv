// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Proof of ate_early, for any tx_start, any tready and any frames of an engine that keeps its rules: one step is a cycle of
// tx_clk, and every other one ends with an edge of clk, too.
//   1. The halves that the MAC takes are those of the frame's words in order: of words 0-2 as they were prepared and the
//      engine's from word 3 on, or of the engine's words alone; each once, up to the last, and of nothing else.
//   2. A frame that has begun never lacks a half: tvalid stays until the MAC has taken its last one.
//   3. The engine has begun each frame that tx_start has begun, and no other, when it gives its first word.
//   4. The total length is read in a slow cycle in which the engine gives the word behind it, or later.
//
// The data of word n are n, so that a half says which one it is.
module early_order #(
    parameter bit INVARIANTS = 1'b1
) (
    input logic        slow,       // this step ends with an edge of clk
    input logic        rst,
    // Free in every step
    input logic        tx_start,
    input logic        ready,
    // Free in every slow cycle
    input logic        fresh,      // the user's connection may be armed in the next slow cycle
    input logic        arm,        // and is
    input logic        go,         // the engine begins a frame by itself
    input logic        go_raw,
    input logic        last,
    input logic        last_high,  // and the word has a high half
    input logic        last_odd,
    input logic        is_length,
    input logic [15:0] length
);
  logic every_step;
  assign every_step = 1'b1;
  logic began_q = 1'b0, slow_q;
  logic [23:0] free_inputs, free_inputs_q;
  assign free_inputs = {fresh, arm, go, go_raw, last, last_high, last_odd, is_length, length};
  always_ff @(posedge every_step) begin
    began_q       <= 1'b1;
    slow_q        <= slow;
    free_inputs_q <= free_inputs;
  end
  logic [2:0] resets_q = 3'd0;  // steps of the reset
  always_ff @(posedge every_step) if (resets_q != 7) resets_q <= resets_q + 1'b1;
  always_comb begin
    assume (rst == (resets_q != 7));
    if (began_q) assume (slow == !slow_q);
    if (began_q && slow) assume (free_inputs == free_inputs_q);
  end

  // --- The engine: what ate_engine does between frames, and a word in every slow cycle with tready
  logic run_q = 1'b0, raw_first_q = 1'b0, quiet_q = 1'b0, fresh_q = 1'b0, armed_q = 1'b0;
  logic [14:0] next_q;  // its next word
  logic raw_q;
  logic busy, armed, window, begun, start, start_raw, s_ready, begin_frame, given, given_last;
  assign armed       = fresh_q & arm;
  assign window      = fresh_q | armed_q;
  assign begun       = busy & armed_q;
  assign start_raw   = ~run_q & go & go_raw & quiet_q & ~window;
  assign start       = ~run_q & ((go & ~go_raw & armed) | (go & ~go_raw & quiet_q & ~window) | start_raw);
  assign begin_frame = raw_first_q | (~run_q & start & ~start_raw & ~busy);
  assign given       = run_q & s_ready;
  assign given_last  = given & last;
  always_ff @(posedge slow) begin
    run_q       <= ~rst & (run_q ? ~given_last : begun | start);
    raw_first_q <= ~rst & start_raw & ~begun;
    quiet_q     <= ~rst & ~run_q & ~busy;
    fresh_q     <= ~rst & fresh & quiet_q & ~run_q & ~start;
    armed_q     <= ~rst & armed;
    if (!run_q && (start || begun)) begin
      next_q <= begun | ~start_raw ? 15'd3 : 15'd0;
      raw_q  <= ~begun & start_raw;
    end else if (given) next_q <= next_q + 1'b1;
  end
  // The shortest frame with headers has more words than this.
  always_comb begin
    if (!raw_q && next_q < 7) assume (!last);
    if (next_q >= 16000) assume (last);
  end

  logic armed_out, valid, end_of_frame, user;
  logic [15:0] data;
  logic [ 1:0] keep;
  ate_early dut (
      .clk             (slow),
      .rst,
      .tx_clk          (every_step),
      .tx_rst          (rst),
      .tx_start,
      .tx_armed        (armed_out),
      .busy,
      .armed,
      .between         (~run_q),
      .drain           (start_raw),
      .begin_frame,
      .head            ({15'd2, 1'b1, 15'd2, 1'b0, 15'd1, 1'b1, 15'd1, 1'b0, 15'd0, 1'b1, 15'd0, 1'b0}),
      .total           (length),
      .s_axis_tdata    ({next_q, 1'b1, next_q, 1'b0}),
      .s_axis_tkeep    (!last || !run_q ? 4'hf : last_high ? {~last_odd, 3'h7} : {2'b00, ~last_odd, 1'b1}),
      .s_axis_tvalid   (run_q),
      .s_axis_tready   (s_ready),
      .s_axis_tlast    (last & run_q),
      .s_axis_tuser    (1'b0),
      .s_axis_is_length(is_length & run_q),
      .m_axis_tdata    (data),
      .m_axis_tkeep    (keep),
      .m_axis_tvalid   (valid),
      .m_axis_tready   (ready),
      .m_axis_tlast    (end_of_frame),
      .m_axis_tuser    (user)
  );

  // --- Reference
  logic [15:0] taken_q;  // halves of this frame that the MAC has taken
  logic under_way_q = 1'b0;  // a frame has been on offer
  logic last_given_q = 1'b0;  // the engine has given its last word
  logic [15:0] count_q;  // halves that this frame has, if so
  logic odd_q;
  logic length_q;  // the half on offer is a length
  logic [15:0] length_sent_q;
  logic take;
  logic ended_q = 1'b0;  // the last half has just been taken
  always_ff @(posedge every_step) ended_q <= ~rst & take & end_of_frame;
  assign take = valid & ready;
  always_ff @(posedge every_step) begin
    under_way_q <= ~rst & valid & ~(take & end_of_frame);
    if (!valid || (take && end_of_frame)) taken_q <= '0;
    else if (take) taken_q <= taken_q + 1'b1;
    if (take || !busy) begin
      length_q      <= busy & dut.pick_length;
      length_sent_q <= length;
    end
  end
  always_ff @(posedge every_step) begin
    last_given_q <= ~rst & ((slow & given_last) | (last_given_q & ~(take & end_of_frame)));
    if (slow && given_last) begin
      count_q <= {next_q, last_high} + 16'd1;
      odd_q   <= last_odd;
    end
  end

  // --- The claims
  logic finish;
  assign finish = last_given_q & (taken_q + 16'd1 == count_q);
  always_comb
    if (resets_q == 7) begin
      if (under_way_q) assert (valid);
      if (valid) begin
        assert (data == (length_q ? swap16_of(length_sent_q) : taken_q));
        assert (end_of_frame == finish);
        assert (keep == (finish && odd_q ? 2'b01 : 2'b11));
      end
      if (run_q && next_q > 4) assert (valid);
      if (take && dut.pick_length && busy) assert (last_given_q || next_q + 15'(given) > taken_q[15:1] + 15'd1);
    end

  // --- Invariants
  logic [14:0] next, written;  // words that the engine has given, and those of them that went on
  logic [15:0] load;  // half that goes into half_q next
  logic primed;
  assign next = run_q | last_given_q ? next_q : 15'd3;
  assign written = next - 15'(dut.spare_valid_q);
  assign load = taken_q + 16'd1;
  assign primed = dut.written_q == 2 && dut.spare_valid_q && is_word(
      dut.even_q, 15'd0
  ) && is_word(
      dut.odd_q, 15'd1
  ) && is_word(
      dut.spare_q, 15'd2
  );
  function automatic logic is_word(input logic [38:0] word, input logic [14:0] n);
    logic low_last, high_last, low_one, high_one;
    low_last  = last_given_q && {n, 1'b1} == count_q;
    high_last = last_given_q && {n, 1'b1} + 16'd1 == count_q;
    low_one   = low_last && odd_q;
    high_one  = high_last && odd_q;
    return word[37:22] == {n, 1'b1} && (low_last || word[21:20] == {high_one, high_last}) && !word[19]
           && word[18:3] == {n, 1'b0} && word[2:1] == {low_one, low_last} && !word[0];
  endfunction
  logic [14:0] even_word, odd_word;  // the last ones that went there
  assign even_word = written[0] ? written - 15'd1 : written - 15'd2;
  assign odd_word  = written[0] ? written - 15'd2 : written - 15'd1;
  always_comb
    if (INVARIANTS && resets_q == 7) begin
      assert (dut.u_phase.second == slow);
      assert ((dut.u_phase.toggle_q ^ dut.u_phase.seen_q) == !slow);
      if (!busy) assert (taken_q == 0 && (dut.read_q == 1 || ended_q));
      if (ended_q) assert (!busy && !run_q && !last_given_q && !dut.armed_q && !(dut.begin_q && !slow));
      if (busy) begin
        assert (dut.read_q == load[2:0] && load <= {written, 1'b0});
        assert (dut.half_q == {length_q ? swap16_of(length_sent_q) : taken_q, finish && odd_q, finish, 1'b0});
        assert (!dut.armed_q);
        assert (last_given_q ? taken_q < count_q : {written, 1'b0} - load >= (slow ? 16'd1 : 16'd2));
        assert (!run_q && !last_given_q ? armed_q : 1'b1);
      end
      if (busy || run_q || last_given_q) begin
        assert (dut.written_q == written[1:0] && written - load[15:1] <= 15'd2);
        if (written != 0 && even_word >= load[15:1]) assert (is_word(dut.even_q, even_word));
        if (written > 1 && odd_word >= load[15:1]) assert (is_word(dut.odd_q, odd_word));
        if (dut.spare_valid_q) assert (is_word(dut.spare_q, written));
      end
      if (last_given_q) begin
        assert (!run_q && !fresh_q && !armed_q && !raw_first_q);
        assert (count_q[0] ? count_q == {next_q - 15'd1, 1'b1} : count_q == {next_q, 1'b0});
        assert (next_q >= (raw_q ? 15'd1 : 15'd8));
        assert (busy || (dut.begin_q && !slow && raw_q && next_q == 1));
      end
      if ((quiet_q || fresh_q || armed_q) && !busy && !run_q) assert (primed && !last_given_q);
      if (fresh_q && run_q) assert (next_q == 3 && !raw_q);
      if (armed_q && run_q) assert (next_q <= 4 && !raw_q);
      if (dut.armed_q) begin
        assert (dut.half_q == 0 && !length_q && !busy && !last_given_q && (slow ? armed : armed_q));
        assert (run_q ? dut.begin_q && !slow && !raw_q : 1'b1);
      end
      if (busy || run_q || last_given_q) assert (written <= 15'd16001 && taken_q <= 16'd32002);
      if (run_q && next_q == 0) assert (raw_first_q);
      if (run_q && !busy) assert (raw_first_q || (dut.begin_q && !slow));
      if (raw_first_q) assert (run_q && raw_q && next_q == 0 && !dut.spare_valid_q && !busy && !dut.begin_q);
      if (dut.begin_q) begin
        assert (run_q ? next_q == (raw_q ? 1 : 3) : last_given_q || slow);
        assert (!slow || busy);
        assert (!fresh_q || !raw_q);
      end
      if (run_q || last_given_q) assert ((raw_q || next_q >= 3) && next_q <= 16001 && !(run_q && next_q == 16001));
      if (run_q && !raw_q && next_q == 3 && !busy) assert (primed);
      if (under_way_q) assert (busy);
    end
  function automatic logic [15:0] swap16_of(input logic [15:0] x);
    return {x[7:0], x[15:8]};
  endfunction
endmodule
