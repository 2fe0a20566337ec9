// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Accesses of the BARs as TLPs, in the order of the calls. A write is posted: it is done as soon as
// it waits here, or, while kMostPosted wait, when the DMA has accepted it. A reset of the DMA is
// one more thing in the queue, so that what was asked before it still takes effect.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <vector>

#include "card_dma/model.h"

namespace ullnic::card_dma {

class TargetChannel {
 public:
  void Read(unsigned bar, uint32_t address, std::function<void(uint32_t)> done);
  void Write(unsigned bar, uint32_t address, uint32_t value, std::function<void()> done);
  void Reset();
  // Before all that waits.
  void WriteFirst(unsigned bar, uint32_t address, std::vector<uint32_t> dwords);

  void Drive(Model& model) const;
  // An edge, after the model has settled.
  void Clock(const Model& model);

  // A reset is next, and all before it has been done.
  bool reset_is_next() const { return reset_is_next_; }
  void EndReset();
  // Until it has none of these any more, the model must be clocked.
  bool busy() const { return !queue_.empty() || !open_.empty() || !target_is_idle_; }

 private:
  static constexpr size_t kMostPosted = 64;

  struct Request {
    bool is_reset = false;
    bool is_write = false;
    unsigned bar = 0;
    uint32_t address = 0;
    std::vector<uint32_t> dwords;
    std::function<void(uint32_t)> done;  // of a write: with 0
  };

  std::deque<Request> queue_;
  std::deque<std::function<void(uint32_t)>> open_;  // reads that were accepted
  bool target_is_idle_ = true;
  bool reset_is_next_ = false;
};

}  // namespace ullnic::card_dma
