// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Variable part select, y = window[STEP*sel +: WIDTH], combinational: 4:1 multiplexers from the upper bits of `sel` down,
// and a 2:1 one at the end where the number of positions is not a power of four.  It instantiates itself for the rest.
module radix4_select #(
    parameter int WIDTH = 1,
    parameter int POSITIONS = 4,  // a power of two
    parameter int STEP = 1,
    parameter bit NAMED = 1'b0  // see mux4
) (
    input  logic [WIDTH+STEP*(POSITIONS-1)-1:0] window,
    input  logic [       $clog2(POSITIONS)-1:0] sel,
    output logic [                   WIDTH-1:0] y
);
  if (POSITIONS == 2) begin : gen_mux2
    assign y = sel[0] ? window[STEP+:WIDTH] : window[0+:WIDTH];
  end else begin : gen_mux4
    localparam int REST = POSITIONS / 4;
    localparam int PICKED = WIDTH + STEP * (REST - 1);
    localparam int BITS = $clog2(POSITIONS);
    logic [PICKED-1:0] picked;
    mux4 #(
        .WIDTH(PICKED),
        .NAMED(NAMED)
    ) u_mux4 (
        .d0 (window[0+:PICKED]),
        .d1 (window[STEP*REST+:PICKED]),
        .d2 (window[2*STEP*REST+:PICKED]),
        .d3 (window[3*STEP*REST+:PICKED]),
        .sel(sel[BITS-1-:2]),
        .y  (picked)
    );
    if (REST == 1) begin : gen_done
      assign y = picked;
    end else begin : gen_rest
      radix4_select #(
          .WIDTH    (WIDTH),
          .POSITIONS(REST),
          .STEP     (STEP),
          .NAMED    (NAMED)
      ) u_rest (
          .window(picked),
          .sel   (sel[BITS-3:0]),
          .y
      );
    end
  end
endmodule
