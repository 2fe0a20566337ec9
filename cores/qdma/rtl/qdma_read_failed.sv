// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// What is known of a read that has failed: whose it was, and where.
//
// Latency: `failed` is 2 cycles after end_valid.
//
// Interface: end_tag is valid the cycle before end_valid, with any tag in other cycles: so the tag is looked up before it can
// be issued again.
module qdma_read_failed
  import qdma_tlp_pkg::*;
  import qdma_read_pkg::*;
#(
    parameter int TAGS = 256
) (
    input logic clk,
    input logic rst,

    // A read leaves
    input logic    issue,
    input tag_t    issue_tag,
    input client_t issue_client,
    input chunk_t  issued,

    // A tag ends with an error
    input tag_t        end_tag,
    input logic        end_valid,
    input read_error_e end_error,

    output failed_read_t failed
);
  typedef logic [$clog2(TAGS)-1:0] slot_t;
  typedef struct packed {
    client_t client;
    logic [10:0] qid;
    function_t func;
    logic [63:0] addr;
  } record_t;
  record_t of_issue, record;
  tag_t tag_q;
  assign of_issue = '{client: issue_client, qid: issued.qid, func: issued.func, addr: issued.addr};

  ram_sdp #(
      .WIDTH($bits(record_t)),
      .DEPTH(TAGS)
  ) records (
      .clk,
      .wr_en  (issue),
      .wr_addr(slot_t'(issue_tag)),
      .wr_data(of_issue),
      .rd_en  (1'b1),
      .rd_addr(slot_t'(end_tag)),
      .rd_data(record)
  );

  always_ff @(posedge clk) begin
    tag_q <= end_tag;
    failed <= '{
        valid: end_valid,
        error: end_error,
        client: record.client,
        tag: tag_q,
        qid: record.qid,
        func: record.func,
        addr: record.addr
    };
    if (rst) failed.valid <= 1'b0;
  end

  logic unused;
  assign unused = &{1'b0, issued, issue_tag, end_tag};
endmodule
