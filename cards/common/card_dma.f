// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// The bridge between qdma and the chassis, in order, relative to this list (-F), after the files of
// ../../cores/common/common.f and ../../cores/qdma/qdma.f.
rtl/card_dma_h2c.sv
rtl/card_dma_pack.sv
rtl/card_dma_ask.sv
rtl/card_dma_c2h.sv
rtl/card_dma_send.sv
rtl/card_dma.sv
