// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// What makes a card answer, what does not, and what the answer has to hold: one class a trade rule
// (nic/trade_tracker.h).
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "ate_sweep/connection.h"
#include "core/frame.h"
#include "core/rng.h"

namespace ullnic {

// What a register of the card is to hold.
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
  // Bit 0 of this register says that it does.
  virtual uint32_t armed_address() const = 0;
  virtual Bytes MakeTrigger(Rng& rng) = 0;
  // A frame that is not to be answered, often nearly one that is.
  virtual Bytes MakeOther(Rng& rng) = 0;
  // What is wrong with the payload of the answer to a trigger, the `count`th, from 0; "": nothing.
  virtual std::string Check(const Bytes& payload, const Bytes& trigger, uint64_t count) = 0;
  // Once so many triggers have been answered.
  virtual std::vector<Expectation> Afterwards(uint64_t triggers) = 0;
};

// Throws UserError for another rule.
std::unique_ptr<Stimulus> MakeStimulus(const std::string& trade_rule);

}  // namespace ullnic
