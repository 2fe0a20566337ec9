// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Between a program and a card: remembers what the program has switched on that would go on without
// it (connections of the transmit engines, the user logic), and switches it off when it has left.
#pragma once

#include <cstdint>
#include <functional>
#include <set>
#include <span>
#include <string>
#include <utility>

#include "qdma/user_side.h"

namespace ullnic {

class ConnectionGuard final : public qdma::UserSide {
 public:
  // kind: of the card.
  ConnectionGuard(qdma::UserSide& card, const std::string& kind);

  size_t switched_on() const { return on_.size(); }

  void ReadUser(uint32_t address, std::function<void(uint32_t)> done) override {
    card_.ReadUser(address, std::move(done));
  }
  void WriteUser(uint32_t address, uint32_t value, std::function<void()> done) override;
  bool SendH2c(unsigned qid, std::span<const uint8_t> packet) override {
    return card_.SendH2c(qid, packet);
  }
  std::span<const uint8_t> PeekC2h(unsigned qid) override { return card_.PeekC2h(qid); }
  void PopC2h(unsigned qid) override { card_.PopC2h(qid); }
  unsigned queues() const override { return card_.queues(); }
  // The program has left, or wants the function as it was.
  void OnReset() override;

 private:
  bool IsSwitch(uint32_t address) const;

  qdma::UserSide& card_;
  std::set<uint32_t> logic_;  // the user logic's
  std::set<uint32_t> on_;     // registers whose bit 0 is 1
};

}  // namespace ullnic
