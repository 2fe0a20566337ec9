// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// The files of the card, in order, relative to the project's root: a tool that is run there reads them with -f.
-F cores/common/common.f
-F cores/qdma/qdma.f
cards/qdma_example/regs/generated/qdma_example_regs_pkg.sv
cards/qdma_example/regs/generated/qdma_example_regs.sv
cards/qdma_example/rtl/example_pkg.sv
cards/qdma_example/rtl/example_ram.sv
cards/qdma_example/rtl/example_axil.sv
cards/qdma_example/rtl/example_ask.sv
cards/qdma_example/rtl/example_turns.sv
cards/qdma_example/rtl/example_generator.sv
cards/qdma_example/rtl/example_loop.sv
cards/qdma_example/rtl/example_send.sv
cards/qdma_example/rtl/example_checker.sv
cards/qdma_example/rtl/example_latency.sv
cards/qdma_example/rtl/example_bypass.sv
cards/qdma_example/rtl/example_interrupt.sv
cards/qdma_example/rtl/example_user.sv
cards/qdma_example/rtl/qdma_example_card.sv
