// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Interrupts of queues, of the mailbox and of the user, to the MSI-X messages of their vectors; or those of queues and mailbox
// of PFs to the legacy interrupt, while that is enabled.
//
// Latency: that of qdma_msix; the joints add none.
//
// Interface: that of qdma_msix and qdma_user_interrupt.  request_* is qdma_interrupt.  may_write: a bit a function, bus master
// and not being reset.
//
// Operation: user and others take turns, as do mailbox and queues.  No client is delayed by a second request of another.
module qdma_vectors
  import qdma_tlp_pkg::*;
  import qdma_pkg::*;
  import qdma_write_pkg::*;
#(
    parameter int PFS = 4,
    parameter int VFS = 252
) (
    input logic clk,
    input logic rst,

    input logic [MAX_PFS+VFS-1:0] is_enabled,
    input logic [MAX_PFS+VFS-1:0] is_masked,
    input logic [MAX_PFS+VFS-1:0] may_write,

    // Interrupts: of queues and errors, of the mailbox, of the user
    input  logic        request_valid,
    output logic        request_ready,
    input  msi_vector_t request,
    input  logic        mailbox_valid,
    output logic        mailbox_ready,
    input  msi_vector_t mailbox_vector,
    input  logic        user_valid,
    input  msi_vector_t user_vector,
    output logic        user_ack,
    output logic        user_fail,

    // Legacy interrupt: posted_* is qdma_write_arbiter
    input  logic                    legacy_enable,
    input  logic      [MAX_PFS-1:0] legacy_clear,
    output logic      [MAX_PFS-1:0] legacy_pending,
    output logic      [MAX_PFS-1:0] intx,
    input  logic                    posted_is_idle,
    input  logic                    posted_moves,
    input  logic                    reset_active,
    input  function_t               reset_func,

    // MSI-X table and pending bits
    input  logic                access_valid,
    output logic                access_ready,
    input  msix_access_t        access,
    output logic                access_done,
    output logic         [31:0] read_data,

    // Messages
    output logic             message_valid,
    input  logic             message_ready,
    output function_t        message_func,
    output logic      [63:0] message_addr,
    output logic      [31:0] message_data,

    output logic        lost,             // no such vector: for a cycle
    output logic [31:0] stat_user_failed
);
  localparam int FUNCTIONS = MAX_PFS + VFS;
  // Functions that exist: a PF that does not has bits in the table, too
  logic [FUNCTIONS-1:0] exists;
  always_comb for (int i = 0; i < FUNCTIONS; i++) exists[i] = (i < PFS) | (i >= MAX_PFS);

  msi_vector_t user_request, other, any;
  logic user_request_valid, user_request_ready, other_valid, other_ready, any_valid, any_ready, any_is_user;
  logic user_done, user_is_accepted;
  logic is_legacy, legacy_ready, message_is_next;
  qdma_user_interrupt user_interrupt (
      .clk,
      .rst,
      .irq_valid     (user_valid),
      .irq_func      (user_vector.func),
      .irq_vector    (user_vector.vector),
      .irq_ack       (user_ack),
      .irq_fail      (user_fail),
      .request_valid (user_request_valid),
      .request_ready (user_request_ready),
      .request_func  (user_request.func),
      .request_vector(user_request.vector),
      .done          (user_done),
      .is_accepted   (user_is_accepted),
      .stat_failed   (stat_user_failed)
  );
  qdma_merge #(
      .WIDTH($bits(msi_vector_t))
  ) merge_others (
      .clk,
      .rst,
      .s_valid({mailbox_valid, request_valid}),
      .s_ready({mailbox_ready, request_ready}),
      .s_data ({mailbox_vector, request}),
      .m_valid(other_valid),
      .m_ready(other_ready),
      .m_data (other)
  );
  assign is_legacy   = legacy_enable & (other.func < function_t'(PFS));
  assign other_ready = is_legacy ? legacy_ready : message_is_next;
  qdma_legacy legacy (
      .clk,
      .rst,
      .request_valid(other_valid & is_legacy),
      .request_ready(legacy_ready),
      .request_func (other.func),
      .posted_is_idle,
      .posted_moves,
      .enable       (legacy_enable),
      .clear        (legacy_clear),
      .reset_active,
      .reset_func,
      .pending      (legacy_pending),
      .intx
  );
  qdma_merge #(
      .WIDTH($bits(msi_vector_t) + 1)
  ) merge_user (
      .clk,
      .rst,
      .s_valid({user_request_valid, other_valid & ~is_legacy}),
      .s_ready({user_request_ready, message_is_next}),
      .s_data ({user_request, 1'b1, other, 1'b0}),
      .m_valid(any_valid),
      .m_ready(any_ready),
      .m_data ({any, any_is_user})
  );
  qdma_msix #(
      .FUNCTIONS(FUNCTIONS),
      .PFS      (MAX_PFS)
  ) msix (
      .clk,
      .rst,
      .is_enabled,
      .is_masked,
      .may_write      (may_write & exists),
      .request_valid  (any_valid),
      .request_ready  (any_ready),
      .request_func   (any.func),
      .request_vector (any.vector),
      .request_is_user(any_is_user),
      .lost,
      .user_done,
      .user_is_accepted,
      .access_valid,
      .access_ready,
      .access_write   (access.is_write),
      .access_pending (access.is_pending),
      .access_func    (access.func),
      .access_vector  (access.vector),
      .access_dword   (access.dword),
      .access_data    (access.data),
      .access_strobe  (access.strobe),
      .access_done,
      .read_data,
      .message_valid,
      .message_ready,
      .message_func,
      .message_addr,
      .message_data
  );
endmodule
