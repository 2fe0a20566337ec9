// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Protocol checker for an AXI4-Lite interface, to be bound to an instance (AMBA AXI, A3.2: handshakes, A3.3:
// dependencies).  Both sides are checked; a breach is an assertion that fails in simulation.
//   - valid, once high, stays, and what it goes with is stable, until ready
//   - a response comes only after its address (and data), one for each; SLVERR, DECERR or OKAY
//   - valid is low in the cycle after a reset
module axil_checker #(
    parameter int ADDR_WIDTH = 32
) (
    input logic                  clk,
    input logic                  rst,
    input logic [ADDR_WIDTH-1:0] awaddr,
    input logic                  awvalid,
    input logic                  awready,
    input logic [          31:0] wdata,
    input logic [           3:0] wstrb,
    input logic                  wvalid,
    input logic                  wready,
    input logic [           1:0] bresp,
    input logic                  bvalid,
    input logic                  bready,
    input logic [ADDR_WIDTH-1:0] araddr,
    input logic                  arvalid,
    input logic                  arready,
    input logic [          31:0] rdata,
    input logic [           1:0] rresp,
    input logic                  rvalid,
    input logic                  rready
);
  localparam logic [1:0] EXOKAY = 2'b01;  // AXI4-Lite has no exclusive access

  // --- Handshakes
  aw_held :
  assert property (@(posedge clk) disable iff (rst) awvalid && !awready |=> awvalid && $stable(awaddr));
  w_held :
  assert property (@(posedge clk) disable iff (rst) wvalid && !wready |=> wvalid && $stable(wdata) && $stable(wstrb));
  b_held :
  assert property (@(posedge clk) disable iff (rst) bvalid && !bready |=> bvalid && $stable(bresp));
  ar_held :
  assert property (@(posedge clk) disable iff (rst) arvalid && !arready |=> arvalid && $stable(araddr));
  r_held :
  assert property (@(posedge clk) disable iff (rst) rvalid && !rready |=> rvalid && $stable(rdata) && $stable(rresp));
  low_after_reset :
  assert property (@(posedge clk) rst |=> !(awvalid || wvalid || bvalid || arvalid || rvalid));

  // --- Responses: what has been accepted and not been answered
  logic [7:0] aw_open_q, w_open_q, ar_open_q;
  always_ff @(posedge clk) begin
    aw_open_q <= aw_open_q + 8'(awvalid & awready) - 8'(bvalid & bready);
    w_open_q  <= w_open_q + 8'(wvalid & wready) - 8'(bvalid & bready);
    ar_open_q <= ar_open_q + 8'(arvalid & arready) - 8'(rvalid & rready);
    if (rst) {aw_open_q, w_open_q, ar_open_q} <= '0;
  end
  b_has_cause :
  assert property (@(posedge clk) disable iff (rst) bvalid |-> aw_open_q != '0 && w_open_q != '0 && bresp != EXOKAY);
  r_has_cause :
  assert property (@(posedge clk) disable iff (rst) rvalid |-> ar_open_q != '0 && rresp != EXOKAY);
endmodule
