// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Registers by which a test moves its card.
#pragma once

#include <cstdint>

namespace ullnic::test_card {

inline constexpr uint32_t kHold = 0x8000;    // bit mask of ports that take no chunks
inline constexpr uint32_t kInject = 0x8004;  // port << 24 | bytes behind the header: makes a packet
inline constexpr uint32_t kInjectHeader = 0x8008;  // its first four bytes
inline constexpr uint32_t kDoorbells = 0x800c;     // that the DMA has seen
inline constexpr uint32_t kInterrupts = 0x8010;    // that it has raised for completions
inline constexpr uint32_t kUserReads = 0x8014;     // of registers
inline constexpr uint32_t kBadChunks = 0x8018;     // whose bytes are not those of their length
inline constexpr uint32_t kUnsafeWrites = 0x801c;  // of what an enabled connection is made from

}  // namespace ullnic::test_card
