// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// A card that is only memory, for tests of drivers: packets sent on a queue are looped back as
// received frames, and the user BAR is 512 KiB of plain registers.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <vector>

#include "qdma/registers.h"
#include "qdma/user_side.h"

namespace ullnic::qdma {

class LoopSide final : public UserSide {
 public:
  // depth: packets that may wait on a queue; further ones are not accepted from the host.
  LoopSide(unsigned queues, size_t depth, std::function<int64_t()> now_ps)
      : queues_(queues), depth_(depth), now_ps_(std::move(now_ps)) {}

  void ReadUser(uint32_t address, std::function<void(uint32_t)> done) override {
    done(registers_[address / 4]);
  }
  void WriteUser(uint32_t address, uint32_t value, std::function<void()> done) override {
    registers_[address / 4] = value;
    done();
  }
  bool SendH2c(unsigned qid, std::span<const uint8_t> packet) override;
  std::span<const uint8_t> PeekC2h(unsigned qid) override;
  void PopC2h(unsigned qid) override { queues_[qid].packets.pop_front(); }
  unsigned queues() const override { return static_cast<unsigned>(queues_.size()); }
  void OnReset() override;

 private:
  struct Queue {
    std::deque<std::vector<uint8_t>> packets;
    uint32_t sequence = 0;
  };
  std::vector<Queue> queues_;
  size_t depth_;
  std::function<int64_t()> now_ps_;
  std::vector<uint32_t> registers_ = std::vector<uint32_t>(reg::kUserBarBytes / 4);
};

}  // namespace ullnic::qdma
