// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// The DMA as its fuzzer takes it, relative to the project's root: a tool that is run there reads them with -f. With its
// assertions, and the checkers of its channels.
--assert
-F cores/common/common.f
-F cores/qdma/qdma.f
cores/common/sva/axis_checker.sv
cores/qdma/tb/qdma_top_checks.sv
