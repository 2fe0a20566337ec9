// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Proof of qdma_write_arbiter, for any traffic of its clients and any stalls of the channel.
//   - a TLP never goes before one of a lower client that was presented no later: payload before completion before status
//     before interrupt; nor before one of a higher client that was presented earlier
//   - while a TLP waits, each other client sends at most one
//   - with bus master on, the channel has the beats in the order in which they were accepted, none lost, none twice
//   - the beats of a TLP follow each other; with bus master off nothing leaves, and each TLP is counted once
//   - if a client has a beat that may go, one is chosen
// Assumes that a client holds a beat until it is accepted.  Between the beats of a TLP it may pause.
module write_order
  import qdma_tlp_pkg::*;
  import qdma_write_pkg::*;
#(
    parameter bit INVARIANTS = 1'b1
) (
    input logic               clk,             // there is an edge in this step
    input logic               rst,
    input logic [CLIENTS-1:0] client_valid,
    input logic [CLIENTS-1:0] last,
    input logic               posted_ready,
    input logic               is_master_const  // one value for a whole run
);
  localparam int NUMBER_BITS = 4;
  typedef logic [NUMBER_BITS-1:0] number_t;

  logic [CLIENTS-1:0] client_ready, held_q, last_q, open_q;
  write_beat_t [CLIENTS-1:0] client;
  write_beat_t posted;
  logic posted_valid, is_idle, moves, dropped, is_master_q;
  function_t dropped_func;
  number_t accepted_q, sent_q;
  qdma_write_arbiter dut (
      .*,
      .master_enable({256{is_master_q}})
  );

  // A beat has its number and its client in its data.
  always_comb begin
    for (int i = 0; i < CLIENTS; i++) begin
      client[i]           = '0;
      client[i].last      = last[i];
      client[i].data[5:0] = {2'(i), accepted_q};
    end
  end

  // before[j][i]: the TLP of i goes before the one of j
  logic [CLIENTS-1:0][CLIENTS-1:0] before_q, served_q;
  logic [CLIENTS-1:0] shown_q, first_beat, finish, shown;
  logic reset_q, output_open_q;
  logic [1:0] output_client_q;
  logic [2:0] tlps_q, drops_q;
  assign first_beat = client_valid & client_ready & ~open_q;
  assign finish     = client_valid & client_ready & last;
  assign shown      = client_valid & ~finish;
  initial reset_q = 1'b0;
  always_ff @(posedge clk) begin
    reset_q     <= 1'b1;
    is_master_q <= is_master_q;
    held_q      <= client_valid & ~client_ready;
    last_q      <= last;
    shown_q     <= shown;
    for (int j = 0; j < CLIENTS; j++) begin
      if (client_valid[j] && client_ready[j]) open_q[j] <= ~last[j];
      for (int i = 0; i < CLIENTS; i++) begin
        if (i == j || !shown[i] || !shown[j]) before_q[j][i] <= 1'b0;
        else if (!shown_q[j]) before_q[j][i] <= client_valid[i] & (shown_q[i] | (i < j));
        if (!shown[j]) served_q[j][i] <= 1'b0;
        else if (finish[i]) served_q[j][i] <= 1'b1;
      end
    end
    if (|(client_valid & client_ready)) accepted_q <= accepted_q + 1'b1;
    if (|finish) tlps_q <= tlps_q + 1'b1;
    if (dropped) drops_q <= drops_q + 1'b1;
    if (posted_valid && posted_ready) begin
      sent_q          <= sent_q + 1'b1;
      output_open_q   <= ~posted.last;
      output_client_q <= posted.data[5:4];
    end
    if (rst) begin
      is_master_q   <= is_master_const;
      held_q        <= '0;
      shown_q       <= '0;
      open_q        <= '0;
      before_q      <= '0;
      served_q      <= '0;
      accepted_q    <= '0;
      sent_q        <= '0;
      tlps_q        <= '0;
      drops_q       <= '0;
      output_open_q <= 1'b0;
    end
  end

  // Those that go before j, also in the cycle in which it is presented
  logic [CLIENTS-1:0][CLIENTS-1:0] earlier;
  always_comb begin
    for (int j = 0; j < CLIENTS; j++) begin
      for (int i = 0; i < CLIENTS; i++) begin
        earlier[j][i] = shown_q[j] ? before_q[j][i] : i != j && client_valid[i] && (shown_q[i] || i < j);
      end
    end
  end

  logic is_open;
  logic [1:0] of_whom;
  logic [2:0] on_way, lasts;
  logic [2:0][1:0] owners;
  always_comb begin
    is_open = '0;
    of_whom = '0;
    on_way  = '0;
    lasts   = '0;
    owners  = '0;
    if (!reset_q) assume (rst);
    for (int i = 0; i < CLIENTS; i++) begin
      if (held_q[i]) assume (client_valid[i] && last[i] == last_q[i]);
    end

    if (reset_q) begin
      // --- The claim
      for (int j = 0; j < CLIENTS; j++) begin
        if (first_beat[j]) assert (earlier[j] == '0);
        if (shown_q[j]) assert ((served_q[j] & finish) == '0);
        if (open_q[j]) assert ((client_ready & ~(CLIENTS'(1) << j)) == '0);
      end
      assert ((client_ready & (client_ready - 1'b1)) == '0 && (client_ready & ~client_valid) == '0);
      if (client_valid != '0 && open_q == '0) assert (dut.grant != '0);
      if (posted_valid) begin
        assert (is_master_q && posted.data[3:0] == sent_q);
        if (output_open_q) assert (posted.data[5:4] == output_client_q);
      end
      if (dropped) assert (!is_master_q);
      if (!is_master_q && !dut.beat_valid_q && !dropped && open_q == '0) assert (drops_q == tlps_q);

      if (INVARIANTS) begin
        assert (dut.locked_q == open_q && (open_q & (open_q - 1'b1)) == '0);
        assert ((held_q & ~shown_q) == '0 && (shown_q & ~held_q & ~open_q) == '0);
        for (int j = 0; j < CLIENTS; j++) begin
          for (int i = 0; i < CLIENTS; i++) begin
            if (i < j && !(shown_q[i] && shown_q[j])) assert (dut.first_q[i][j] == (shown_q[i] || !shown_q[j]));
            if (i != j && shown_q[i] && shown_q[j]) begin
              assert (before_q[j][i] == (i < j ? dut.first_q[i][j] : !dut.first_q[j][i]));
            end
            if (before_q[j][i]) assert (shown_q[i] && shown_q[j] && !served_q[j][i]);
            if (served_q[j][i]) assert (shown_q[j] && i != j && !open_q[i]);
            // Who has been served since j came is after it.
            if (served_q[j][i] && shown_q[i]) assert (before_q[i][j]);
            for (int k = 0; k < CLIENTS; k++) if (before_q[j][i] && before_q[i][k]) assert (before_q[j][k]);
          end
        end
        if (is_master_q) begin
          assert (number_t'(accepted_q - sent_q) == number_t'(dut.beat_valid_q) + number_t'(posted_valid)
                  + number_t'(dut.channel.spare_valid_q));
          if (dut.channel.spare_valid_q) assert (posted_valid);
          if (dut.channel.spare_valid_q) begin
            assert (dut.channel.spare_q[3:0] == number_t'(accepted_q - 1'b1 - number_t'(dut.beat_valid_q)));
          end
          if (dut.beat_valid_q) assert (dut.beat_q.data[3:0] == number_t'(accepted_q - 1'b1));
        end else begin
          assert (!posted_valid && !dut.channel.spare_valid_q);
          assert (3'(tlps_q - drops_q) == 3'(dropped) + 3'(dut.beat_valid_q && dut.beat_q.last));
        end
        // Beats that follow each other on their way out
        is_open = output_open_q;
        of_whom = output_client_q;
        on_way  = {dut.beat_valid_q, dut.channel.spare_valid_q, posted_valid};
        lasts   = {dut.beat_q.last, dut.channel.spare_q[$bits(write_beat_t)-1], posted.last};
        owners  = {dut.beat_q.data[5:4], dut.channel.spare_q[5:4], posted.data[5:4]};
        if (is_master_q) begin
          for (int k = 0; k < 3; k++) begin
            if (on_way[k]) begin
              if (is_open) assert (owners[k] == of_whom);
              is_open = !lasts[k];
              of_whom = owners[k];
            end
          end
          assert (open_q == (is_open ? CLIENTS'(1) << of_whom : '0));
        end
        if (!dut.is_first_q) assert (dut.keep_q == is_master_q);
      end
    end
  end
endmodule
