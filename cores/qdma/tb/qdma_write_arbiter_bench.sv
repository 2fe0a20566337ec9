// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// qdma_write_arbiter for tests: a client's beat is its last bit, function, number and length; `data` repeats the number.
module qdma_write_arbiter_bench
  import qdma_tlp_pkg::*;
  import qdma_write_pkg::*;
(
    input logic clk,
    input logic rst,

    input logic [255:0] master_enable,

    input  logic [3:0]       client_valid,
    output logic [3:0]       client_ready,
    input  logic [3:0]       client_last,
    input  logic [3:0][ 7:0] client_func,
    input  logic [3:0][31:0] client_number,

    output logic         posted_valid,
    input  logic         posted_ready,
    output logic         posted_last,
    output logic [  7:0] posted_func,
    output logic [ 63:0] posted_addr,
    output logic [511:0] posted_data,

    output logic       is_idle,
    output logic       moves,
    output logic       dropped,
    output logic [7:0] dropped_func
);
  write_beat_t [CLIENTS-1:0] client;
  write_beat_t posted;
  always_comb begin
    for (int i = 0; i < CLIENTS; i++) begin
      client[i].last   = client_last[i];
      client[i].header = write_header(client_func[i], {30'b0, client_number[i]}, 11'd16);
      client[i].data   = {16{client_number[i]}};
    end
  end
  assign posted_last = posted.last;
  assign posted_func = posted.header.func;
  assign posted_addr = posted.header.addr;
  assign posted_data = posted.data;

  qdma_write_arbiter dut (.*);
  bind qdma_write_arbiter axis_checker #(
      .WIDTH($bits(posted))
  ) check_posted (
      .clk,
      .rst,
      .valid  (posted_valid),
      .ready  (posted_ready),
      .payload(posted)
  );

  logic unused;
  assign unused = &{1'b0, posted.header};
endmodule
