// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Protocol checker for an AXI4 interface with one ID, to be bound to an instance (AMBA AXI, A3.2: handshakes, A3.3:
// dependencies, A3.4: bursts).  Both sides are checked; a breach is an assertion that fails in simulation.
//   - valid, once high, stays, and what it goes with is stable, until ready; valid is low in the cycle after a reset
//   - bursts increase, have beats of the whole width, and do not cross 4 KiB
//   - strobes are within the bytes of the burst: from its address on
//   - last is with the last beat of a burst, of both directions, and with no other
//   - a response comes only after the last beat of its burst, one for each; data only after their address; none is EXOKAY
module axi_checker #(
    parameter int ADDR_WIDTH = 64,
    parameter int DATA_WIDTH = 512,
    parameter int BURSTS = 256  // twice as many as can be open, a power of two
) (
    input logic                    clk,
    input logic                    rst,
    input logic [  ADDR_WIDTH-1:0] awaddr,
    input logic [             7:0] awlen,
    input logic [             2:0] awsize,
    input logic [             1:0] awburst,
    input logic                    awvalid,
    input logic                    awready,
    input logic [  DATA_WIDTH-1:0] wdata,
    input logic [DATA_WIDTH/8-1:0] wstrb,
    input logic                    wlast,
    input logic                    wvalid,
    input logic                    wready,
    input logic [             1:0] bresp,
    input logic                    bvalid,
    input logic                    bready,
    input logic [  ADDR_WIDTH-1:0] araddr,
    input logic [             7:0] arlen,
    input logic [             2:0] arsize,
    input logic [             1:0] arburst,
    input logic                    arvalid,
    input logic                    arready,
    input logic [  DATA_WIDTH-1:0] rdata,
    input logic [             1:0] rresp,
    input logic                    rlast,
    input logic                    rvalid,
    input logic                    rready
);
  localparam logic [1:0] INCR = 2'b01, EXOKAY = 2'b01;
  localparam int BYTES = DATA_WIDTH / 8;
  localparam int SIZE = $clog2(BYTES);
  typedef logic [$clog2(BURSTS)-1:0] count_t;

  // --- Handshakes
  aw_held :
  assert property (@(posedge clk) disable iff (rst) awvalid && !awready |=> awvalid && $stable(
      {awaddr, awlen, awsize, awburst}
  ));
  w_held :
  assert property (@(posedge clk) disable iff (rst) wvalid && !wready |=> wvalid && $stable({wdata, wstrb, wlast}));
  b_held :
  assert property (@(posedge clk) disable iff (rst) bvalid && !bready |=> bvalid && $stable(bresp));
  ar_held :
  assert property (@(posedge clk) disable iff (rst) arvalid && !arready |=> arvalid && $stable(
      {araddr, arlen, arsize, arburst}
  ));
  r_held :
  assert property (@(posedge clk) disable iff (rst) rvalid && !rready |=> rvalid && $stable({rdata, rresp, rlast}));
  low_after_reset :
  assert property (@(posedge clk) rst |=> !(awvalid || wvalid || bvalid || arvalid || rvalid));

  // --- Bursts
  function automatic logic is_legal(input logic [ADDR_WIDTH-1:0] addr, input logic [7:0] len, input logic [2:0] size,
                                    input logic [1:0] burst);
    logic [12:0] first;
    first = {1'b0, addr[11:SIZE], SIZE'(0)};
    return burst == INCR && 32'(size) == SIZE && 32'(first) + BYTES * (32'(len) + 1) <= 4096;
  endfunction
  aw_legal :
  assert property (@(posedge clk) disable iff (rst) awvalid |-> is_legal(awaddr, awlen, awsize, awburst));
  ar_legal :
  assert property (@(posedge clk) disable iff (rst) arvalid |-> is_legal(araddr, arlen, arsize, arburst));

  // --- Beats of bursts.  Those of writes may come before their address, which is held against them then.
  logic [7:0] aw_len[BURSTS], ar_len[BURSTS], w_len[BURSTS];
  logic [SIZE-1:0] aw_offset[BURSTS];
  count_t aw_count_q, w_count_q, b_count_q, ar_count_q, r_count_q, ahead;  // ahead: addresses, signed
  logic [7:0] w_beat_q, r_beat_q, len_now;
  logic [SIZE-1:0] offset_now;
  logic w_has_address, is_late;
  assign ahead = aw_count_q - w_count_q;
  assign is_late = ahead[$bits(count_t)-1];
  assign w_has_address = !is_late && (ahead != '0 || (awvalid && awready));
  assign len_now = ahead != '0 ? aw_len[w_count_q] : awlen;
  assign offset_now = ahead != '0 ? aw_offset[w_count_q] : awaddr[SIZE-1:0];
  always_ff @(posedge clk) begin
    if (awvalid && awready) begin
      aw_len[aw_count_q] <= awlen;
      aw_offset[aw_count_q] <= awaddr[SIZE-1:0];
      aw_count_q <= aw_count_q + 1'b1;
    end
    if (arvalid && arready) begin
      ar_len[ar_count_q] <= arlen;
      ar_count_q <= ar_count_q + 1'b1;
    end
    if (wvalid && wready) begin
      w_beat_q <= wlast ? '0 : w_beat_q + 1'b1;
      if (wlast) begin
        w_count_q <= w_count_q + 1'b1;
        w_len[w_count_q] <= w_beat_q;
      end
    end
    if (bvalid && bready) b_count_q <= b_count_q + 1'b1;
    if (rvalid && rready) begin
      r_beat_q <= rlast ? '0 : r_beat_q + 1'b1;
      if (rlast) r_count_q <= r_count_q + 1'b1;
    end
    if (rst) begin
      {aw_count_q, w_count_q, b_count_q, ar_count_q, r_count_q} <= '0;
      {w_beat_q, r_beat_q} <= '0;
    end
  end
  w_last :
  assert property (@(posedge clk) disable iff (rst)
                   wvalid && wready && w_has_address |-> wlast == (w_beat_q == len_now));
  w_strobes :
  assert property (@(posedge clk) disable iff (rst)
                   wvalid && wready && w_has_address && w_beat_q == '0
                   |-> (wstrb & ~({BYTES{1'b1}} << offset_now)) == '0);
  aw_late :
  assert property (@(posedge clk) disable iff (rst) awvalid && is_late |-> awlen == w_len[aw_count_q]);
  r_last :
  assert property (@(posedge clk) disable iff (rst) rvalid |-> rlast == (r_beat_q == ar_len[r_count_q]));

  // --- Responses
  b_has_cause :
  assert property (@(posedge clk) disable iff (rst)
                   bvalid |-> b_count_q != w_count_q && b_count_q != aw_count_q && bresp != EXOKAY);
  r_has_cause :
  assert property (@(posedge clk) disable iff (rst) rvalid |-> r_count_q != ar_count_q && rresp != EXOKAY);
endmodule
