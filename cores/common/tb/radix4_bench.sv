// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// radix4_select below the top: Verilator does not simulate a top module that instantiates itself.
module radix4_bench #(
    parameter int WIDTH = 1,
    parameter int POSITIONS = 4,
    parameter int STEP = 1,
    parameter bit NAMED = 1'b0
) (
    input  logic [WIDTH+STEP*(POSITIONS-1)-1:0] window,
    input  logic [       $clog2(POSITIONS)-1:0] sel,
    output logic [                   WIDTH-1:0] y
);
  radix4_select #(
      .WIDTH    (WIDTH),
      .POSITIONS(POSITIONS),
      .STEP     (STEP),
      .NAMED    (NAMED)
  ) dut (
      .window,
      .sel,
      .y
  );
endmodule
