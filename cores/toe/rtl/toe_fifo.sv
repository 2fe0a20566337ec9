// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// A short FIFO in LUT RAM.
// Latency: what is written in cycle n is on rd_data with rd_valid in cycle n+1; full rate.  rd_valid does not wait for
// rd_ready, and what is on offer stays until it is taken.
module toe_fifo #(
    parameter int WIDTH = 32,
    parameter int DEPTH = 16,   // a power of two, 2 or more
    parameter bit AHEAD = 1'b0  // rd_data is a register, where a deep one's RAM would be too late
) (
    input logic clk,
    input logic rst,

    input  logic             wr_valid,
    output logic             wr_ready,
    input  logic [WIDTH-1:0] wr_data,
    output logic             wr_room,   // for two more at least

    output logic             rd_valid,
    input  logic             rd_ready,
    output logic [WIDTH-1:0] rd_data
);
  if (DEPTH < 2 || DEPTH != 1 << $clog2(DEPTH)) begin : gen_bad_depth
    $error("toe_fifo: DEPTH must be a power of two, 2 or more");
  end
  localparam int BITS = $clog2(DEPTH);

  (* ram_style = "distributed" *) logic [WIDTH-1:0] ram[DEPTH];
  logic [BITS:0] wr_ptr_q, rd_ptr_q, rd_next, used;
  logic valid_q, put, last;
  assign rd_next  = rd_ptr_q + 1'b1;
  assign used     = wr_ptr_q - rd_ptr_q;
  assign wr_ready = wr_ptr_q != {~rd_ptr_q[BITS], rd_ptr_q[BITS-1:0]};
  assign wr_room  = used < (BITS + 1)'(DEPTH - 1);
  assign rd_valid = valid_q;
  assign put      = wr_valid & wr_ready;
  assign last     = wr_ptr_q == rd_next;  // of those that are there

  always_ff @(posedge clk) begin
    if (put) ram[wr_ptr_q[BITS-1:0]] <= wr_data;
    if (put) wr_ptr_q <= wr_ptr_q + 1'b1;
    if (rd_valid && rd_ready) rd_ptr_q <= rd_next;
    // A register: the pointers have a RAM to address
    valid_q <= put | (rd_valid & ~(rd_ready & last));
    if (rst) begin
      wr_ptr_q <= '0;
      rd_ptr_q <= '0;
      valid_q  <= 1'b0;
    end
  end

  if (AHEAD) begin : gen_ahead
    // What is next to be taken, or what comes now if that is the next
    logic [WIDTH-1:0] data_q;
    always_ff @(posedge clk) begin
      if (wr_valid && (!rd_valid || (rd_ready && last))) data_q <= wr_data;
      else if (rd_ready) data_q <= ram[rd_next[BITS-1:0]];
    end
    assign rd_data = data_q;
  end else begin : gen_ram
    assign rd_data = ram[rd_ptr_q[BITS-1:0]];
  end
endmodule
