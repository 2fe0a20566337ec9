// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// The Verilated DMA of a fuzzer, as src/fuzz/sources.cmake builds it: functions, queues, and the
// addresses that belong to each function. An address of the host or of the card belongs to the
// function that its upper half names; no other function ever learns it.
#pragma once

#include ULLNIC_DMA_HEADER

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace ullnic::fuzz {

using QdmaModel = ULLNIC_DMA_MODEL;

inline constexpr unsigned kQueues = ULLNIC_DMA_QUEUES;
inline constexpr unsigned kPhysical = ULLNIC_DMA_PFS, kVirtual = ULLNIC_DMA_VFS, kFirstVirtual = 4;
inline constexpr unsigned kNumbers = 256;  // of functions; from kEndVirtual on there are none
inline constexpr unsigned kEndVirtual = kFirstVirtual + kVirtual;
inline constexpr unsigned kPlaces = kPhysical + kVirtual;
inline constexpr bool kFew = kPlaces < 16;  // functions
inline constexpr auto kFunctions = [] {
  std::array<unsigned, kPlaces> functions{};
  for (unsigned place = 0; place < kPlaces; ++place)
    functions[place] = place < kPhysical ? place : kFirstVirtual + place - kPhysical;
  return functions;
}();
inline constexpr size_t kBeatDwords = 16, kBeatBytes = 64;
inline constexpr uint64_t kPage = 4096;

// Index in kFunctions, or kPlaces: it does not exist.
constexpr unsigned PlaceOf(unsigned func) {
  const auto* at = std::find(kFunctions.begin(), kFunctions.end(), func);
  return static_cast<unsigned>(at - kFunctions.begin());
}
constexpr bool IsVirtual(unsigned func) { return func >= kFirstVirtual; }

// Queues of the function: kQueuesEach from here on. Some are beyond the deep ones; those from
// kFreeQueues on are nobody's.
inline constexpr unsigned kStride = (kQueues - 8) / kPlaces;
inline constexpr unsigned kQueuesEach = std::min(kStride, 8u), kFreeQueues = kStride * kPlaces;
constexpr unsigned FirstQueue(unsigned place) { return kStride * place; }

// Upper halves of the addresses: they differ in many bits, so that no mixture of two is a third.
inline constexpr auto kHalves = [] {
  constexpr int kLeastBits = kFew ? 13 : 8;
  std::array<uint32_t, kPlaces> halves{};
  uint32_t word = 0x0f35'a6c1;
  for (unsigned place = 0; place < kPlaces; word = word * 1664525 + 1013904223) {
    auto* const end = halves.begin() + place;
    const uint32_t half = word ^ word >> 16;
    const auto is_near = [half](uint32_t other) {
      return std::popcount(half ^ other) < kLeastBits;
    };
    if (std::none_of(halves.begin(), end, is_near)) halves[place++] = half;
  }
  return halves;
}();
constexpr unsigned OwnerOf(uint64_t address) {
  const auto* at = std::find(kHalves.begin(), kHalves.end(), static_cast<uint32_t>(address >> 32));
  return static_cast<unsigned>(at - kHalves.begin());
}
constexpr uint64_t HostBase(unsigned place) { return uint64_t{kHalves[place]} << 32; }

}  // namespace ullnic::fuzz
