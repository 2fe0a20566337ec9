// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// What becomes of the word of function `index` when `func` is reset.
//
// Latency: none, combinational.
//
// Operation: `func` loses its interrupt's setting, its inbox and the words that it has not sent.  A message that it has sent
// is its receiver's, and stays.
module qdma_mailbox_clean
  import qdma_tlp_pkg::*;
  import qdma_pkg::*;
  import qdma_mailbox_pkg::*;
#(
    parameter int VFS   = 252,
    parameter int SHARE = 63    // VFs of a PF
) (
    input  function_t     func,
    input  function_t     index,
    input  mailbox_link_t link,
    output logic          writes_link,
    output mailbox_link_t link_next
);
  logic is_own, is_peer;  // is_peer: a VF of the PF that is reset
  assign is_own      = index == func;
  assign is_peer     = (int'(func) < MAX_PFS) & has_vf(12'(index), VFS) & (parent(index, SHARE) == func);
  assign writes_link = is_own | is_peer;
  always_comb begin
    link_next = link;
    if (is_own) begin
      link_next.vector       = '0;
      link_next.is_enabled   = 1'b0;
      link_next.is_posted    = 1'b0;
      link_next.posted_words = '0;
      if (!link.is_sent) link_next.sent_words = '0;
    end
    if (is_peer) begin
      link_next.is_sent = 1'b0;
      if (link.is_sent) link_next.sent_words = '0;
      if (!link.is_posted) link_next.posted_words = '0;
    end
  end
endmodule
