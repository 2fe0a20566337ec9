// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Records what a program has enabled on a card that would run on without it (connections of the
// transmit engines, the user logic), so that it can be disabled when the program has disconnected.
#pragma once

#include <cstdint>
#include <functional>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "qdma/user_side.h"

namespace ullnic {

class Switches {
 public:
  // logic: registers of the user logic (NicInfo).
  explicit Switches(const std::vector<uint32_t>& logic) : logic_(logic.begin(), logic.end()) {}

  void Note(uint32_t address, uint32_t value);  // for a write to the user BAR
  // Returns the registers whose bit 0 is 1, and forgets them.
  std::set<uint32_t> TakeOn() { return std::exchange(on_, {}); }
  size_t on() const { return on_.size(); }

 private:
  bool IsSwitch(uint32_t address) const;

  std::set<uint32_t> logic_;  // the user logic's
  std::set<uint32_t> on_;
};

// Between a program and a card.
class ConnectionGuard final : public qdma::UserSide {
 public:
  ConnectionGuard(qdma::UserSide& card, const std::vector<uint32_t>& logic_switches)
      : card_(card), switches_(logic_switches) {}

  size_t switched_on() const { return switches_.on(); }

  void ReadUser(uint32_t address, std::function<void(uint32_t)> done) override {
    card_.ReadUser(address, std::move(done));
  }
  void WriteUser(uint32_t address, uint32_t value, std::function<void()> done) override {
    switches_.Note(address, value);
    card_.WriteUser(address, value, std::move(done));
  }
  bool SendH2c(unsigned qid, std::span<const uint8_t> packet) override {
    return card_.SendH2c(qid, packet);
  }
  std::span<const uint8_t> PeekC2h(unsigned qid) override { return card_.PeekC2h(qid); }
  void PopC2h(unsigned qid) override { card_.PopC2h(qid); }
  unsigned queues() const override { return card_.queues(); }
  // The program has disconnected, or resets the function.
  void OnReset() override;

 private:
  qdma::UserSide& card_;
  Switches switches_;
};

}  // namespace ullnic
