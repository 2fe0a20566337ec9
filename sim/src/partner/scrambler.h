// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// The self-synchronous scrambler of 49.2.6 and descrambler of 49.2.10: 1 + x^39 + x^58 over block
// payloads. 64 bits at once; a bit depends on the bits 39 and 58 earlier, which for the upper bits
// are in the same word.
#pragma once

#include <cstdint>

namespace ullnic::partner {

class Scrambler {
 public:
  // Any initial state is allowed; all ones is usual.
  explicit Scrambler(uint64_t history = ~uint64_t{0}) : history_(history) {}

  uint64_t Scramble(uint64_t payload) {
    uint64_t out = payload ^ (history_ >> 25) ^ (history_ >> 6);
    const uint64_t low = out & ((uint64_t{1} << 39) - 1);  // these are final
    out ^= (low << 39) ^ (low << 58);
    history_ = out;
    return out;
  }

  uint64_t Descramble(uint64_t received) {
    const uint64_t tap39 = received << 39 | history_ >> 25;
    const uint64_t tap58 = received << 58 | history_ >> 6;
    history_ = received;
    return received ^ tap39 ^ tap58;
  }

 private:
  uint64_t history_;  // the last 64 scrambled bits, the latest in bit 63
};

}  // namespace ullnic::partner
