// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Ports of a Verilated model that hold one field per port of the card, port 0 lowest.
#pragma once

#include <cstdint>
#include <type_traits>

namespace ullnic {

// A field of a Verilated port, which is an integer of up to 64 bits or an array of 32-bit words.
// Only aligned 64-bit fields span two words of an array.
template <class Port>
uint64_t GetField(const Port& port, unsigned index, unsigned bits) {
  const unsigned low = index * bits;
  const uint64_t mask = bits == 64 ? ~uint64_t{0} : (uint64_t{1} << bits) - 1;
  if constexpr (std::is_integral_v<Port>) {
    return static_cast<uint64_t>(port) >> low & mask;
  } else {
    const uint64_t upper = bits > 32 ? uint64_t{port[low / 32 + 1]} << 32 : 0;
    return (upper | port[low / 32]) >> low % 32 & mask;
  }
}

template <class Port>
void PutField(Port& port, unsigned index, unsigned bits, uint64_t value) {
  const unsigned low = index * bits;
  const uint64_t mask = bits == 64 ? ~uint64_t{0} : (uint64_t{1} << bits) - 1;
  if constexpr (std::is_integral_v<Port>) {
    const uint64_t kept = static_cast<uint64_t>(port) & ~(mask << low);
    port = static_cast<Port>(kept | (value & mask) << low);
  } else if (bits == 64) {
    port[low / 32] = static_cast<uint32_t>(value);
    port[low / 32 + 1] = static_cast<uint32_t>(value >> 32);
  } else {
    const unsigned shift = low % 32;
    uint32_t& word = port[low / 32];
    word = (word & ~static_cast<uint32_t>(mask << shift)) |
           static_cast<uint32_t>((value & mask) << shift);
  }
}

}  // namespace ullnic
