// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// From a match in the receive clock to tx_start, or to the reason why not.
// Latency: tx_start rises one cycle of tx_clk after the cycle in which `near` is all ones, through one register.
// CROSSING puts a synchroniser between: one cycle of rx_clk and STAGES edges of tx_clk more, now and then one edge less or
// more, for a card whose transmit clock is not the clock of this receiver.
//
//   rx_clk = tx_clk       word n-1   word n    (16-bit words)
//   near                  0          1         0
//   near_q                0          0         1
//   tx_start              0          0         1         0
//   ends[START]                                1         1         once, at the edge of tx_user_clk that follows
//   ends, the others (WIDTH 16)                          1         1
//
// Each match ends in exactly one bit of `ends`, a pulse for one edge of tx_user_clk: START, or the reason of a
// refusal, or, in the place of REFUSED_WINDOW while `may_wait`, LATE (order_wait).  A refused match leaves nothing behind.
// While tx_armed is low the window counts as closed; tie it to 1 if an order may also begin late.
//
// tx_user_clk is tx_clk halved, edges aligned (WIDTH 16), or tx_clk itself (32).
// Assumes: matches are at least four cycles apart (a frame has a start block and a terminate block of its own), and
// `busy` rises with the edge that takes START or LATE.
module order_start #(
    parameter int WIDTH    = 16,
    parameter int PARTS    = 3,
    parameter bit CROSSING = 1'b0,
    parameter int STAGES   = 2
) (
    input logic rx_clk,
    input logic rx_rst,
    input logic [PARTS-1:0] near,

    input  logic tx_clk,
    input  logic tx_rst,
    input  logic tx_armed,
    output logic tx_start,

    // tx_user_clk
    input  logic       armed,
    input  logic       busy,
    input  logic       window_available,
    input  logic       may_wait,
    output logic [4:0] ends               // {LATE, REFUSED_BUSY, REFUSED_WINDOW, REFUSED_DISARMED, START}
);
  // --- The match in tx_clk
  logic hit;
  logic [PARTS-1:0] near_q;
  if (!CROSSING) begin : gen_direct
    always_ff @(posedge tx_clk) near_q <= near & {PARTS{~(tx_rst | rx_rst)}};
    assign hit = &near_q;
  end else begin : gen_crossing
    // A change of a bit that no reset touches is a match: none is lost or seen twice, whatever is in reset when.
    logic toggle_q = 1'b0, seen_q = 1'b0;
    logic toggle;
    always_ff @(posedge rx_clk) begin
      near_q   <= near & {PARTS{~rx_rst}};
      toggle_q <= toggle_q ^ (&near_q);
    end
    cdc_bits #(
        .STAGES(STAGES)
    ) to_tx (
        .clk(tx_clk),
        .rst(1'b0),
        .d  (toggle_q),
        .q  (toggle)
    );
    always_ff @(posedge tx_clk) seen_q <= toggle;
    assign hit = toggle ^ seen_q;
  end

  // --- May it?  With 16-bit words a register between: window_available comes late in tx_user_clk's cycle.
  typedef struct packed {
    logic busy;
    logic window;
    logic disarmed;
    logic go;
  } verdict_t;
  // `busy` rises up to a cycle of tx_clk too late for the match after a LATE, which is held until then.
  verdict_t verdict, now;
  logic taken, held_late;
  assign taken = busy | held_late;
  assign verdict = '{
          busy: armed & taken,
          window: armed & ~taken & ~window_available,
          disarmed: ~armed,
          go: armed & ~taken & window_available
      };
  logic closed;
  logic [4:1] others;
  assign closed = now.window | (now.go & ~tx_armed);
  assign others = {4{hit}} & {closed & may_wait, now.busy, closed & ~may_wait, now.disarmed};
  if (WIDTH == 16) begin : gen_half_clock
    // Each end is shown in two cycles of tx_clk, of which one ends with an edge of tx_user_clk.  START must meet the first
    // edge after tx_start: from the synchroniser to order_send it has one LUT, without the reset, which clears the verdict
    // instead.  The others have no deadline, so they come from registers.
    verdict_t verdict_q;
    logic hit_q, start_q;
    logic [4:1] others_q;
    always_ff @(posedge tx_clk) begin
      verdict_q <= verdict;
      hit_q     <= hit;
      start_q   <= tx_start;
      others_q  <= others | (others_q & {4{hit_q}});
      if (tx_rst) begin
        verdict_q <= '{disarmed: 1'b1, default: 1'b0};
        start_q   <= 1'b0;
        others_q  <= '0;
      end
    end
    assign now       = verdict_q;
    assign ends      = {others_q, tx_start | start_q};
    assign held_late = others_q[4];
  end else begin : gen_same_clock
    assign now       = verdict;
    assign ends      = {others, tx_start};
    assign held_late = 1'b0;
  end
  assign tx_start = hit & now.go & tx_armed;
endmodule
