// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0

#include "partner/crc32.h"

#include <array>
#include <bit>
#include <cstring>

namespace ullnic::partner {
namespace {

// x^32+x^26+x^23+x^22+x^16+x^12+x^11+x^10+x^8+x^7+x^5+x^4+x^2+x+1, first bit in the low place.
constexpr uint32_t kPolynomial = 0xedb88320;
constexpr size_t kSlices = 8;

using Table = std::array<std::array<uint32_t, 256>, kSlices>;

// table[s][b]: effect of byte b on the remainder when s more zero bytes follow it.
constexpr Table MakeTable() {
  Table table{};
  for (uint32_t b = 0; b < 256; ++b) {
    uint32_t r = b;
    for (int bit = 0; bit < 8; ++bit) r = (r >> 1) ^ (r & 1 ? kPolynomial : 0);
    table[0][b] = r;
  }
  for (size_t s = 1; s < kSlices; ++s) {
    for (size_t b = 0; b < 256; ++b) {
      const uint32_t r = table[s - 1][b];
      table[s][b] = (r >> 8) ^ table[0][r & 0xff];
    }
  }
  return table;
}

constexpr Table kTable = MakeTable();

}  // namespace

uint32_t Fcs(std::span<const uint8_t> bytes) {
  static_assert(std::endian::native == std::endian::little);
  uint32_t r = ~0u;
  size_t i = 0;
  for (; i + kSlices <= bytes.size(); i += kSlices) {
    uint64_t chunk;
    std::memcpy(&chunk, bytes.data() + i, sizeof chunk);
    chunk ^= r;
    r = 0;
    for (size_t s = 0; s < kSlices; ++s) r ^= kTable[kSlices - 1 - s][chunk >> (8 * s) & 0xff];
  }
  for (; i < bytes.size(); ++i) r = (r >> 8) ^ kTable[0][(r ^ bytes[i]) & 0xff];
  return ~r;
}

bool FcsIsGood(std::span<const uint8_t> bytes_with_fcs) {
  if (bytes_with_fcs.size() < 4) return false;
  const auto tail = bytes_with_fcs.last(4);
  const uint32_t received = tail[0] | tail[1] << 8 | tail[2] << 16 | uint32_t{tail[3]} << 24;
  return received == Fcs(bytes_with_fcs.first(bytes_with_fcs.size() - 4));
}

}  // namespace ullnic::partner
