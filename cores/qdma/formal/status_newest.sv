// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Proof of qdma_bypass_status, for any requests, any pace of the writer, and resets.
//   - what is shown stays until it is accepted
//   - of a queue the newest request is shown at the latest second from its acceptance on, and nothing of the queue after it
//   - a request with an error is shown so, too, whatever comes after it
//   - has_qid says whether something of a queue is in here
// Watches a queue of its own choice.  Assumes that requests of a queue that are in here at once differ in CIDX.
module status_newest
  import qdma_context_pkg::*;
  import qdma_write_pkg::*;
#(
    parameter bit INVARIANTS = 1'b1
) (
    input logic            clk,            // there is an edge in this step
    input logic            rst,
    input logic            s_valid,
    input status_request_t s,
    input logic            m_ready,
    input index_t          watched_const,
    input logic            marks           // the error that is accepted is the watched one
);
  logic s_ready, m_valid, has_qid;
  status_request_t m;
  index_t qid;
  qdma_bypass_status dut (.*);

  // --- Reference: the newest request of the queue, and an error, with what was accepted at the output since
  logic reset_q, pending_q, newest_moved_q, error_pending_q, error_moved_q, held_q;
  status_request_t newest_q, error_q, shown_q;
  logic accepts, leaves, is_error;
  assign accepts  = s_valid && s_ready;
  assign leaves   = m_valid && m_ready;
  assign is_error = s.err_dsc || s.err_dma;
  initial reset_q = 1'b0;
  always_ff @(posedge clk) begin
    reset_q <= 1'b1;
    qid     <= qid;
    held_q  <= m_valid && !m_ready;
    shown_q <= m;
    if (leaves) {newest_moved_q, error_moved_q} <= 2'b11;
    if (leaves && m == newest_q) pending_q <= 1'b0;
    if (leaves && m == error_q) error_pending_q <= 1'b0;
    if (accepts && s.qid == qid) begin
      pending_q      <= 1'b1;
      newest_q       <= s;
      newest_moved_q <= 1'b0;
    end
    if (accepts && is_error && marks && !error_pending_q) begin
      error_pending_q <= 1'b1;
      error_q         <= s;
      error_moved_q   <= 1'b0;
    end
    if (rst) begin
      qid             <= watched_const;
      held_q          <= 1'b0;
      pending_q       <= 1'b0;
      error_pending_q <= 1'b0;
    end
  end

  // Where they are
  logic newest_shown, newest_kept, error_shown, error_kept;
  assign newest_shown = m_valid && m == newest_q;
  assign newest_kept  = dut.kept_valid_q && dut.kept_q == newest_q;
  assign error_shown  = m_valid && m == error_q;
  assign error_kept   = dut.kept_valid_q && dut.kept_q == error_q;

  always_comb begin
    if (!reset_q) assume (rst);
    if (reset_q) begin
      if (s_valid && s.qid == qid && pending_q) assume (s.cidx != newest_q.cidx);
      if (s_valid && s.qid == qid && m_valid && m.qid == qid) assume (s.cidx != m.cidx);

      // --- The claim
      if (held_q) assert (m_valid && m == shown_q);
      assert (has_qid == pending_q);
      if (leaves && m.qid == qid) assert (pending_q);
      if (leaves && pending_q && newest_moved_q) assert (m == newest_q);
      if (leaves && error_pending_q && error_moved_q) assert (m == error_q);

      if (INVARIANTS) begin
        assert (m_valid || !dut.kept_valid_q);
        if (pending_q) assert (newest_q.qid == qid);
        if (pending_q) assert (newest_kept || (newest_shown && !(dut.kept_valid_q && dut.kept_q.qid == qid)));
        if (pending_q && newest_kept && m.qid == qid) assert (m_valid && m.cidx != newest_q.cidx);
        if (pending_q && newest_moved_q) assert (newest_shown);
        if (error_pending_q) assert ((error_q.err_dsc || error_q.err_dma) && (error_kept || error_shown));
        if (error_pending_q && error_moved_q) assert (error_shown);
        if (!pending_q) assert (!(m_valid && m.qid == qid) && !(dut.kept_valid_q && dut.kept_q.qid == qid));
      end
    end
  end
endmodule
