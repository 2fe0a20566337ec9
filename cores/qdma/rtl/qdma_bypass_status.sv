// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Requests for status on their way to its writer.  While one waits, one more is kept, and the next of the same queue takes its
// place: so a user can ask for a status of each descriptor at any rate.
//
// Latency: 1 cycle.
//
// Interface: valid and ready.  has_qid: one of `qid` is in here.  One with an error is not replaced.
module qdma_bypass_status
  import qdma_context_pkg::*;
  import qdma_write_pkg::*;
(
    input logic clk,
    input logic rst,

    input  logic            s_valid,
    output logic            s_ready,
    input  status_request_t s,
    output logic            m_valid,
    input  logic            m_ready,
    output status_request_t m,

    input  index_t qid,
    output logic   has_qid
);
  logic kept_valid_q, loads, replaces;
  status_request_t kept_q;
  assign loads = ~m_valid | m_ready;
  assign replaces = (s.qid == kept_q.qid) & ~kept_q.err_dsc & ~kept_q.err_dma;
  assign s_ready = ~kept_valid_q | loads | replaces;
  assign has_qid = (m_valid & (m.qid == qid)) | (kept_valid_q & (kept_q.qid == qid));

  always_ff @(posedge clk) begin
    if (loads) begin
      m_valid <= kept_valid_q | s_valid;
      m       <= kept_valid_q ? kept_q : s;
    end
    if (s_valid && s_ready) kept_q <= s;
    if (loads) kept_valid_q <= kept_valid_q & s_valid;
    else if (s_valid) kept_valid_q <= 1'b1;
    if (rst) begin
      m_valid      <= 1'b0;
      kept_valid_q <= 1'b0;
    end
  end
endmodule
