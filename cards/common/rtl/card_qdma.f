// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// The DMA of a card, relative to the project's root: a tool that is run there reads them with -f.
-F cores/common/common.f
-F cores/qdma/qdma.f
-F cards/common/card_dma.f
cards/common/rtl/card_qdma.sv
