// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// The RTL, and the bits of its wide ports.
#pragma once

#include <Vmodel_qdma_usp.h>

#include <cstdint>

#include "core/user_error.h"

namespace ullnic::qdma_sweep {

using Dma = Vmodel_qdma_usp;

inline constexpr int64_t kCyclePs = 4000;  // 250 MHz
inline constexpr unsigned kBeatDwords = 16;
inline constexpr unsigned kBeatBytes = 64;
inline constexpr unsigned kQueues = ULLNIC_DMA_QUEUES;  // of the RTL in this program

// A field of at most 32 bits.
template <class Wide>
uint32_t Bits(const Wide& words, unsigned low, unsigned count) {
  const unsigned at = low / 32, shift = low % 32;
  uint64_t value = words[at];
  if (shift + count > 32) value |= uint64_t{words[at + 1]} << 32;
  return static_cast<uint32_t>((value >> shift) & ((uint64_t{1} << count) - 1));
}

// Sets bits of a port that are 0.
template <class Wide>
void SetBits(Wide& words, unsigned low, uint64_t value) {
  const unsigned at = low / 32, shift = low % 32;
  words[at] |= static_cast<uint32_t>(value << shift);
  if (const uint64_t rest = value >> 1 >> (31 - shift))
    words[at + 1] |= static_cast<uint32_t>(rest);
}

// Reports a fault of the card, or of the rig itself.
[[noreturn]] inline void Fault(const std::string& what) {
  throw UserError(what, "a fault of the card or of the rig: repeat with the same options and seed");
}

}  // namespace ullnic::qdma_sweep
