// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Registers by which a test controls its card.
#pragma once

#include <cstdint>

namespace ullnic::test_card {

inline constexpr uint32_t kHold = 0x8000;    // bit mask of ports that accept no chunks
inline constexpr uint32_t kInject = 0x8004;  // port << 24 | bytes after the header: sends a packet
inline constexpr uint32_t kInjectHeader = 0x8008;  // its first four bytes
inline constexpr uint32_t kDoorbells = 0x800c;     // doorbells that the DMA has received
inline constexpr uint32_t kInterrupts = 0x8010;    // interrupts raised for completions
inline constexpr uint32_t kUserReads = 0x8014;     // register reads
inline constexpr uint32_t kBadChunks = 0x8018;  // chunks whose contents do not match their length
inline constexpr uint32_t kUnsafeWrites = 0x801c;  // writes to the active settings of a connection

}  // namespace ullnic::test_card
