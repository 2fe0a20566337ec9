// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// The files of qdma, in order, relative to this list (-F), after those of ../common/common.f.
rtl/qdma_context_pkg.sv
rtl/qdma_tlp_pkg.sv
rtl/qdma_pkg.sv
rtl/qdma_write_pkg.sv
rtl/qdma_completion_ring_pkg.sv
regs/generated/qdma_regs_pkg.sv
regs/generated/qdma_regs.sv
rtl/qdma_arbiter.sv
rtl/qdma_context_ram.sv
rtl/qdma_context_store.sv
rtl/qdma_contexts.sv
rtl/qdma_command.sv
rtl/qdma_doorbell.sv
rtl/qdma_errors.sv
rtl/qdma_registers.sv
rtl/qdma_bar.sv
rtl/qdma_target.sv
rtl/qdma_control.sv
rtl/qdma_id_queue.sv
rtl/qdma_write_arbiter.sv
rtl/qdma_timer_wheel.sv
rtl/qdma_completion_room.sv
rtl/qdma_completion_next.sv
rtl/qdma_completion_ring.sv
rtl/qdma_completion_slots.sv
rtl/qdma_completion.sv
rtl/qdma_descriptor_status.sv
rtl/qdma_msix.sv
rtl/qdma_interrupt.sv
rtl/qdma_write_path.sv
