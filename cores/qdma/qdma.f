// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// The files of qdma, in order, relative to this list (-F), after those of ../common/common.f.
rtl/qdma_context_pkg.sv
rtl/qdma_tlp_pkg.sv
rtl/qdma_pkg.sv
rtl/qdma_read_pkg.sv
rtl/qdma_fetch_pkg.sv
rtl/qdma_h2c_pkg.sv
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
rtl/qdma_read_split.sv
rtl/qdma_tags.sv
rtl/qdma_read_credit.sv
rtl/qdma_read_track.sv
rtl/qdma_reorder.sv
rtl/qdma_read.sv
rtl/qdma_active.sv
rtl/qdma_fetch_turn.sv
rtl/qdma_unpack.sv
rtl/qdma_fetch.sv
rtl/qdma_fifo.sv
rtl/qdma_align.sv
rtl/qdma_h2c_chain.sv
rtl/qdma_h2c_deliver.sv
rtl/qdma_h2c.sv
