// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Proof of toe_lookup, for any look-ups and any changes at any time, from reset on, and one tuple that stands for each:
//   1. A look-up finds it exactly from the cycle behind the change that put it in, to that of the change that takes it out,
//      with the session that it was put in with; whatever moves at that time.
//   2. A change that fails has changed nothing; one of a tuple that is there fails.
//   3. The verdict comes for a change that is asked for.
//
// The table is as small as it can be, because nothing depends on its size: two ways of two places and one to put aside; and
// the hash is abstract/toe_hash_*.sv, because nothing depends on which one it is.
module lookup_found
  import toe_pkg::*;
#(
    parameter bit INVARIANTS = 1'b1,
    parameter bit CALM       = 1'b0   // few tuples, and look-ups of one of them alone
) (
    input logic rst,
    input logic peer,
    input logic [31:0] peer_ip,
    input logic [15:0] peer_port,
    input logic read,
    input logic look,
    input tuple_t tuple,
    input logic change_valid,
    input logic change_insert,
    input tuple_t change_tuple,
    input sid_t change_sid,
    // Free, but they never change
    input tuple_t wanted,
    input logic [31:0] secret
);
  localparam int STASH = 1;
  logic clk;  // each step is a cycle
  assign clk = 1'b1;
  logic found, change_ready, change_failed;
  sid_t sid;
  toe_lookup #(
      .SESSIONS(4),
      .INDEX   (1),
      .KICKS   (2),
      .STASH   (STASH)
  ) dut (
      .*
  );

  // --- What is given
  localparam tuple_t FEW = tuple_t'(67'h30003);  // bits of both ports
  logic began_q = 1'b0;
  tuple_t wanted_q, change_tuple_q;
  logic [31:0] secret_q;
  logic waiting_q = 1'b0, change_insert_q;
  sid_t change_sid_q;
  logic given_q;  // a peer has been given: this one
  logic [47:0] peer_q;
  always_ff @(posedge clk) begin
    began_q <= 1'b1;
    given_q <= (given_q | peer) & ~rst;
    if (peer) peer_q <= {peer_ip, peer_port};
    wanted_q        <= wanted;
    secret_q        <= secret;
    waiting_q       <= change_valid & ~change_ready & ~rst;
    change_insert_q <= change_insert;
    change_tuple_q  <= change_tuple;
    change_sid_q    <= change_sid;
  end
  always_comb begin
    if (!began_q) assume (rst);
    assume (change_sid < 4);
    if (look) assume (given_q && read && {tuple.peer_ip, tuple.peer_port} == peer_q);
    if (CALM) begin
      assume (tuple == wanted && {peer_ip, peer_port} == {wanted.peer_ip, wanted.peer_port});
      assume ((wanted & ~FEW) == '0 && (change_tuple & ~FEW) == '0 && secret == '0);
    end
    if (began_q) assume (wanted == wanted_q && secret == secret_q);
    if (waiting_q) begin
      assume (change_valid && change_insert == change_insert_q);
      assume (change_tuple == change_tuple_q && change_sid == change_sid_q);
    end
  end

  // --- Reference
  logic in_q;  // the table has it
  sid_t in_sid_q;
  logic done;
  assign done = change_valid & change_ready & ~change_failed & (change_tuple == wanted);
  logic [1:0] looked_q, expected_q;
  sid_t sid_q, sid_qq;
  always_ff @(posedge clk) begin
    if (done) begin
      in_q     <= change_insert;
      in_sid_q <= change_sid;
    end
    looked_q   <= {looked_q[0], look & (tuple == wanted)};
    expected_q <= {expected_q[0], in_q};
    sid_q      <= in_sid_q;
    sid_qq     <= sid_q;
    if (rst) {in_q, looked_q} <= '0;
  end

  // --- The claims
  always_comb
    if (began_q) begin
      if (looked_q[1]) begin
        assert (found == expected_q[1]);
        if (found) assert (sid == sid_qq);
      end
      if (change_ready) assert (change_valid);
      if (change_failed) assert (change_ready && change_insert);
      if (change_valid && change_ready && change_insert && change_tuple == wanted && in_q) assert (change_failed);
    end

  // --- Invariants: where the tuple is, and what the engine knows of its hand
  localparam int CLEAR = 0, IDLE = 1, HASH = 2, PLACE = 3, READ = 4, WAIT = 5, ACT = 6, SWAP = 7;
  localparam int REST = $bits(tuple_t) - 1;
  typedef struct packed {
    logic            taken;
    logic [1:0]      sid;
    logic [REST-1:0] rest;
  } place_t;
  // Places of the tuple, the hand, the victim without its low bits; the peer's part
  logic [1:0][0:0] own, hands, victims, peers;
  toe_hash_bench #(
      .WAYS (2),
      .INDEX(1)
  ) u_own (
      .secret,
      .tuple(wanted),
      .place(own)
  );
  toe_hash_bench #(
      .WAYS (2),
      .INDEX(1)
  ) u_hands (
      .secret,
      .tuple(dut.side_q[0].tuple),
      .place(hands)
  );
  toe_hash_bench #(
      .WAYS (2),
      .INDEX(1)
  ) u_victims (
      .secret,
      .tuple({dut.victim_q, 1'b0}),
      .place(victims)
  );
  toe_hash_peer #(
      .WAYS (2),
      .INDEX(1)
  ) u_peers (
      .secret,
      .peer_ip  (peer_q[47:16]),
      .peer_port(peer_q[15:0]),
      .part     (peers)
  );
  place_t ram[2][2];
  assign ram[0][0] = dut.gen_way[0].u_ram.ram[0];
  assign ram[0][1] = dut.gen_way[0].u_ram.ram[1];
  assign ram[1][0] = dut.gen_way[1].u_ram.ram[0];
  assign ram[1][1] = dut.gen_way[1].u_ram.ram[1];
  logic [3:0] here;
  logic [3:0][1:0] here_sid;
  logic [2:0] step;
  logic busy;
  assign step = dut.step_q;
  assign busy = step >= HASH;
  always_comb begin
    for (int w = 0; w < 2; w++) begin
      here[w]     = ram[w][own[w]].taken && ram[w][own[w]].rest == wanted[REST:1];
      here_sid[w] = ram[w][own[w]].sid;
    end
    for (int i = 0; i < 2; i++) begin
      here[2+i]     = dut.live_q[i] && dut.side_q[i].tuple == wanted;
      here_sid[2+i] = dut.side_q[i].sid;
    end
  end
  always_comb
    if (INVARIANTS && began_q) begin
      if (given_q) assert (dut.peer_part_q == peers);
      if (step == CLEAR) begin
        assert (dut.live_q == '0 && !in_q && dut.place_q[0] == dut.place_q[1]);
        if (dut.place_q[0] == 1) assert (!ram[0][0].taken && !ram[1][0].taken);
      end else begin
        assert ((here & (here - 4'd1)) == '0 && (here != '0) == in_q);
        for (int i = 0; i < 4; i++) if (here[i]) assert (here_sid[i] == in_sid_q[1:0] && in_sid_q[9:2] == '0);
      end
      if (step == IDLE) assert (!dut.live_q[0]);
      if (busy) begin
        assert (dut.live_q[0] == !dut.first_q);
        if (dut.first_q) begin
          assert (waiting_q && dut.insert_q == change_insert && !dut.live_q[0]);
          if (step == HASH)
            assert (dut.victim_q == change_tuple[REST:1]);
            else assert (dut.side_q[0] == {change_tuple, change_sid[1:0]});
        end else assert (dut.insert_q && dut.live_q == 2'b01);
      end
      if (step inside {PLACE, READ}) assert (dut.victim_q == dut.side_q[0].tuple[REST:1]);
      if (step == SWAP) assert (!dut.first_q);
      if (step == PLACE || step == SWAP) assert (dut.base_q == victims);
      if (step inside {READ, WAIT, ACT, SWAP} || (step == HASH && !dut.first_q)) assert (dut.place_q == hands);
      if (step == SWAP || (step == HASH && !dut.first_q)) begin  // all are taken, and the victim is known
        for (int w = 0; w < 2; w++) assert (ram[w][hands[w]].taken);
        assert (dut.victim_q == ram[dut.way_q][hands[dut.way_q]].rest);
        assert (dut.victim_sid_q == ram[dut.way_q][hands[dut.way_q]].sid);
      end
      if (step == WAIT) begin
        assert (dut.key_q == dut.side_q[0].tuple[REST:1]);
        assert (dut.side_match_q[1] == (dut.live_q[1] && dut.side_q[1].tuple == dut.side_q[0].tuple));
        assert (dut.side_match_q[0] == dut.live_q[0]);
        for (int w = 0; w < 2; w++) assert (dut.there[w] == ram[w][dut.place_q[w]]);
      end
      if (step == ACT) begin
        assert (dut.aside_q[1] == (dut.live_q[1] && dut.side_q[1].tuple == dut.side_q[0].tuple));
        assert (dut.first_q ? !dut.aside_q[0] : 1'b1);
        for (int w = 0; w < 2; w++) begin
          assert (dut.taken_q[w] == ram[w][hands[w]].taken);
          assert (dut.match_q[w] == (ram[w][hands[w]].taken && ram[w][hands[w]].rest == dut.side_q[0].tuple[REST:1]));
        end
        assert (dut.victim_q == ram[dut.way_q][hands[dut.way_q]].rest);
        assert (dut.victim_sid_q == ram[dut.way_q][hands[dut.way_q]].sid);
      end
    end
endmodule
