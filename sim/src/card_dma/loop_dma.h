// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// The DMA in RTL with a card that is only memory, for tests of drivers: packets sent on a queue are
// looped back as received frames, and the user BAR is plain registers; the last one responds with
// an error. Those that enable something on a card are 0 after a reset.
#pragma once

#include <cstdint>
#include <functional>

#include "card_dma/rtl_dma.h"
#include "card_dma/stream_card.h"
#include "qdma/dma.h"

namespace ullnic::card_dma {

class LoopDma final : public qdma::Dma {
 public:
  // depth: packets that may wait on a queue; further ones are not accepted from the host. The host
  // must outlive this.
  LoopDma(qdma::HostSide& host, size_t depth);

  void Read(unsigned bar, uint32_t address, std::function<void(uint32_t)> done) override {
    dma_.Read(bar, address, std::move(done));
  }
  void Write(unsigned bar, uint32_t address, uint32_t value, std::function<void()> done) override {
    dma_.Write(bar, address, value, std::move(done));
  }
  bool Poll() override;
  bool HasWork() const override { return dma_.HasWork(); }
  void Reset() override { dma_.Reset(); }
  nlohmann::json Describe() const override { return dma_.Describe(); }

 private:
  static constexpr unsigned kEdgesOfPoll = 64;

  void Step();

  RtlDma dma_;
  StreamCard card_{0, 0};
  uint64_t edges_ = 0;
};

}  // namespace ullnic::card_dma
