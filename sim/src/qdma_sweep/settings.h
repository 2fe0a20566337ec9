// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Parameters of a point, and the driver's settings: those of the published results where known.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>

#include "pcie/link_settings.h"

namespace ullnic::qdma_sweep {

// The last three transfer memory.
enum class Mode : uint8_t { kForwarding, kC2h, kH2c, kBoth, kMmC2h, kMmH2c, kMmBoth };

inline constexpr unsigned kRing = 2048;  // descriptors and entries, without the status slot
inline constexpr unsigned kBurst = 64;
inline constexpr unsigned kStatusBytes = 8;
inline constexpr unsigned kCidxPlace = 16;  // of 16 bits in the status of a descriptor ring
inline constexpr unsigned kBufferBytes = 4224;
inline constexpr unsigned kMostOfPacket = 4096;  // bytes
inline constexpr unsigned kCoalesce = 32;
inline constexpr unsigned kUserWord = 2;  // of an entry: it has the number of its packet
// Inline receive: an entry of 64 bytes with its packet from byte 4 on. The number's low bits are
// above the length.
inline constexpr unsigned kInlineBytes = 60, kInlineAt = 4, kUserBit = 20;

inline constexpr unsigned kFirstVf = 4;       // functions 0 to 3 are PFs
inline constexpr unsigned kQueuesOfVf = 256;  // that its BAR has doorbells for

struct Point {
  Mode mode = Mode::kForwarding;
  unsigned size = 64;
  unsigned queues = 8;
  uint64_t packets = 20'000;    // measured ones
  unsigned offset = 0;          // of a buffer within 4 KiB
  unsigned timer_ticks = 2000;  // of completion rings, 100 ns each
  unsigned coalesce_ticks = 5;  // that an entry may wait for others, 100 ns each: DPDK's setting
  uint64_t seed = 1;
  bool opts_in = false;         // to inline receive
  bool is_vf = false;           // the driver has the first VF, else PF 0
  std::string memory = "bram";  // of the card, as MakeMemoryTiming has it
  pcie::LinkSettings link;

  unsigned function() const { return is_vf ? kFirstVf : 0; }
  bool is_mm() const { return mode >= Mode::kMmC2h; }
  bool to_host() const { return mode != Mode::kH2c && mode != Mode::kMmH2c; }
  bool from_host() const { return mode != Mode::kC2h && mode != Mode::kMmC2h; }
  bool is_inline() const { return opts_in && size <= kInlineBytes; }
  unsigned entry_bytes() const { return opts_in ? 64 : 16; }
  // Most packets or transfers of a queue and direction between driver and card.
  unsigned in_flight_of_queue() const {
    constexpr unsigned kLeast = 2 * kBurst, kMost = kRing / 2, kBytes = 1u << 18;
    return std::clamp(kBytes / (size * queues), kLeast, kMost);
  }
  uint64_t in_flight() const { return uint64_t{in_flight_of_queue()} * queues; }
};

}  // namespace ullnic::qdma_sweep
