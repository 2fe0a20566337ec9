// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// RAM of the prefetch store: a ring of DEPTH buffers for each queue, of twice as many for queues 0 to DEEP - 1.
//
// Latency: rd_data has the buffer one cycle after rd_en, and keeps it while rd_en is low.
//
// Operation: a RAM has the first DEPTH places of all queues, a second one the other half of the deep ones.  The highest
// bit of a place chooses; of queues that are not deep it is not looked at.
module qdma_c2h_places #(
    parameter int QUEUES = 2048,
    parameter int DEPTH = 128,  // a power of two
    parameter int DEEP = 0,  // a power of two, or 0
    localparam int ID_BITS = $clog2(QUEUES),
    localparam int PLACE_BITS = $clog2(DEPTH) + (DEEP > 0 ? 1 : 0)
) (
    input logic clk,

    input logic                  wr_en,
    input logic [   ID_BITS-1:0] wr_id,
    input logic [PLACE_BITS-1:0] wr_place,
    input logic [          63:0] wr_data,

    input  logic                  rd_en,
    input  logic [   ID_BITS-1:0] rd_id,
    input  logic [PLACE_BITS-1:0] rd_place,
    output logic [          63:0] rd_data
);
  localparam int RAM_BITS = $clog2(DEPTH);
  logic wr_more, rd_more;
  logic [63:0] first_data;
  qdma_large_ram #(
      .WIDTH(64),
      .DEPTH(QUEUES * DEPTH)
  ) buffers (
      .clk,
      .wr_en  (wr_en & ~wr_more),
      .wr_addr({wr_id, wr_place[RAM_BITS-1:0]}),
      .wr_data,
      .rd_en,
      .rd_addr({rd_id, rd_place[RAM_BITS-1:0]}),
      .rd_data(first_data)
  );

  if (DEEP > 0) begin : gen_deep
    typedef logic [$clog2(DEEP * DEPTH)-1:0] addr_t;
    logic [63:0] more_data;
    logic rd_more_q;
    assign wr_more = (32'(wr_id) < DEEP) & wr_place[RAM_BITS];
    assign rd_more = (32'(rd_id) < DEEP) & rd_place[RAM_BITS];
    qdma_large_ram #(
        .WIDTH(64),
        .DEPTH(DEEP * DEPTH)
    ) more_buffers (
        .clk,
        .wr_en  (wr_en & wr_more),
        .wr_addr(addr_t'({wr_id, wr_place[RAM_BITS-1:0]})),
        .wr_data,
        .rd_en,
        .rd_addr(addr_t'({rd_id, rd_place[RAM_BITS-1:0]})),
        .rd_data(more_data)
    );
    always_ff @(posedge clk) if (rd_en) rd_more_q <= rd_more;
    assign rd_data = rd_more_q ? more_data : first_data;
  end else begin : gen_alike
    assign {wr_more, rd_more} = '0;
    assign rd_data = first_data;
    logic unused;
    assign unused = &{1'b0, rd_more};
  end
endmodule
