// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Proof that toe_fifo with AHEAD is the same as without, for any writer, any reader that may take at any time, and resets at
// any time; and that it offers as long as there is something in it.
module fifo_ahead #(
    parameter bit INVARIANTS = 1'b1,
    parameter int WIDTH = 4,
    parameter int DEPTH = 4
) (
    input logic             rst,
    input logic             wr_valid,
    input logic [WIDTH-1:0] wr_data,
    input logic             rd_ready
);
  logic clk;
  assign clk = 1'b1;
  logic ready, ready_ahead, room, room_ahead, valid, valid_ahead;
  logic [WIDTH-1:0] data, data_ahead;
  toe_fifo #(
      .WIDTH(WIDTH),
      .DEPTH(DEPTH)
  ) plain (
      .clk,
      .rst,
      .wr_valid,
      .wr_ready(ready),
      .wr_data,
      .wr_room (room),
      .rd_valid(valid),
      .rd_ready,
      .rd_data (data)
  );
  toe_fifo #(
      .WIDTH(WIDTH),
      .DEPTH(DEPTH),
      .AHEAD(1'b1)
  ) ahead (
      .clk,
      .rst,
      .wr_valid,
      .wr_ready(ready_ahead),
      .wr_data,
      .wr_room (room_ahead),
      .rd_valid(valid_ahead),
      .rd_ready,
      .rd_data (data_ahead)
  );
  logic begun_q = 1'b0;
  logic [$clog2(DEPTH)-1:0] at;
  always_ff @(posedge clk) begun_q <= 1'b1;
  always_comb begin
    at = '0;
    if (!begun_q) assume (rst);
    if (begun_q) begin
      // The claim
      assert ({ready, room, valid} == {ready_ahead, room_ahead, valid_ahead});
      if (valid) assert (data == data_ahead);
      assert (valid == (plain.used != 0));
      // Invariants
      if (INVARIANTS) begin
        assert (plain.wr_ptr_q == ahead.wr_ptr_q && plain.rd_ptr_q == ahead.rd_ptr_q);
        assert (plain.used <= DEPTH);
        for (int i = 0; i < DEPTH; i++) begin
          at = $clog2(DEPTH)'(i) - plain.rd_ptr_q[$clog2(DEPTH)-1:0];  // behind the first
          if (plain.used > {1'b0, at}) assert (plain.ram[i] == ahead.ram[i]);
        end
      end
    end
  end
endmodule
