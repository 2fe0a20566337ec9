// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// The DMA in RTL between a host of plain memory and a card that has only host ports.
#pragma once

#include <functional>

#include "card_dma/rtl_dma.h"
#include "card_dma/stream_card.h"
#include "qdma_bench.h"

namespace ullnic {

// Host, DMA and card; a step is one edge of their clock.
class DmaRig {
 public:
  DmaRig(uint64_t seed, double pause, bool is_gated)
      : dma(host, {0x0800c}, {.is_gated = is_gated}), card(seed, pause) {}

  void Step() {
    const HostOutputs before = dma.outputs();
    dma.Clock(card.shown());
    card.Clock(before);
    ++edges;
  }
  // False: timeout.
  bool Until(const std::function<bool()>& holds, int most = 400'000) {
    for (int i = 0; i < most; ++i) {
      if (holds()) return true;
      Step();
    }
    return false;
  }
  uint32_t Read(unsigned bar, uint32_t address) {
    std::optional<uint32_t> answer;
    dma.Read(bar, address, [&](uint32_t value) { answer = value; });
    EXPECT_TRUE(Until([&] { return answer.has_value(); })) << "no answer";
    return answer.value_or(0);
  }
  void Write(unsigned bar, uint32_t address, uint32_t value) {
    dma.Write(bar, address, value, [] {});
  }

  TestHost host;
  card_dma::RtlDma dma;
  StreamCard card;
  TestDriver driver{host, [this](uint32_t address) { return Read(0, address); },
                    [this](uint32_t address, uint32_t value) { Write(0, address, value); }};
  uint64_t edges = 0;
};

}  // namespace ullnic
