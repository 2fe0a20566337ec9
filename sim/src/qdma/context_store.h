// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// The memory of all contexts. The engines keep their state in it, so that a driver that reads a
// context sees the engine's state.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "qdma/context.h"

namespace ullnic::qdma {

class ContextStore {
 public:
  ContextStore() { ClearAll(); }

  ContextWords& At(Selector selector, unsigned index) {
    return kinds_[static_cast<unsigned>(selector)][index];
  }
  const ContextWords& At(Selector selector, unsigned index) const {
    return kinds_[static_cast<unsigned>(selector)][index];
  }
  ContextWords& Software(bool c2h, unsigned qid) {
    return At(c2h ? Selector::kSwC2h : Selector::kSwH2c, qid);
  }
  ContextWords& Hardware(bool c2h, unsigned qid) {
    return At(c2h ? Selector::kHwC2h : Selector::kHwH2c, qid);
  }

  struct Access {
    Selector selector;
    ContextOp operation;
    unsigned index;
  };
  // Decodes a write to the command register; nothing if there is no such context.
  static std::optional<Access> Decode(uint32_t command);
  // Executes it: a write changes the bits in `mask`, a read fills `data`. Invalidating clears the
  // valid bit of the kinds that have one, and keeps the rest.
  void Execute(const Access& access, ContextWords& data, const ContextWords& mask);
  void ClearAll();

 private:
  static constexpr unsigned kKinds = 13;
  std::array<std::vector<ContextWords>, kKinds> kinds_;
};

}  // namespace ullnic::qdma
