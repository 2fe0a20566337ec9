// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Frames that make a card answer, frames that do not, and the expected answer: one class per trade
// rule (nic/trade_tracker.h).
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "ate_sweep/connection.h"
#include "core/frame.h"
#include "core/rng.h"

namespace ullnic {

// Expected value of a register of the card.
struct Expectation {
  const char* name;
  uint32_t address;
  uint32_t value;
};

class Stimulus {
 public:
  virtual ~Stimulus() = default;

  // Makes the card answer on this connection of the order port.
  virtual void Arm(uint16_t connection, Rng& rng, const WriteRegister& write) = 0;
  // Bit 0 of this register shows that it does.
  virtual uint32_t armed_address() const = 0;
  virtual Bytes MakeTrigger(Rng& rng) = 0;
  // A frame that must not be answered, often similar to a trigger.
  virtual Bytes MakeOther(Rng& rng) = 0;
  // Checks the payload of the answer to a trigger, the `count`th from 0; returns the error, or "".
  virtual std::string Check(const Bytes& payload, const Bytes& trigger, uint64_t count) = 0;
  // Expected registers after `triggers` answered triggers.
  virtual std::vector<Expectation> Afterwards(uint64_t triggers) = 0;
};

// Throws UserError for another rule.
std::unique_ptr<Stimulus> MakeStimulus(const std::string& trade_rule);

}  // namespace ullnic
