// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Bit fields of registers and of contexts of several words.
#pragma once

#include <array>
#include <cstdint>

namespace ullnic::qdma {

constexpr uint32_t LowBits(unsigned bits) { return bits >= 32 ? ~0u : (1u << bits) - 1; }

constexpr uint32_t Bits(uint32_t value, unsigned high, unsigned low) {
  return (value >> low) & LowBits(high - low + 1);
}

using ContextWords = std::array<uint32_t, 8>;

struct Field {
  unsigned word;
  unsigned high;
  unsigned low;

  constexpr uint32_t Get(const ContextWords& words) const { return Bits(words[word], high, low); }
  constexpr void Set(ContextWords& words, uint32_t value) const {
    const uint32_t mask = LowBits(high - low + 1) << low;
    words[word] = (words[word] & ~mask) | ((value << low) & mask);
  }
};

}  // namespace ullnic::qdma
