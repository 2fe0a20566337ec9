// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

namespace ullnic {

// The sum of the bytes as 16-bit words in network order, folded; 0xffff over a header that holds
// its own checksum.
inline uint16_t OnesSum(const uint8_t* bytes, size_t count, uint32_t start = 0) {
  uint64_t sum = start;
  for (size_t i = 0; i < count; ++i) sum += uint64_t{bytes[i]} << (i % 2 == 0 ? 8 : 0);
  while (sum > 0xffff) sum = (sum & 0xffff) + (sum >> 16);
  return static_cast<uint16_t>(sum);
}

}  // namespace ullnic
