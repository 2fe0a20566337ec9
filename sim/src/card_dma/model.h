// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// The Verilated DMA of a card, cards/common/rtl/card_qdma.sv.
#pragma once

#include <Vmodel_card_qdma.h>

#include <cstdint>

namespace ullnic::card_dma {

using Model = Vmodel_card_qdma;

inline constexpr unsigned kPorts = 2;  // of the model

}  // namespace ullnic::card_dma
