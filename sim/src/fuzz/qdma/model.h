// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// The Verilated DMA of its fuzzer, as src/fuzz/sources.cmake builds it: functions, queues, and the
// addresses that belong to each function. An address of the host or of the card belongs to the
// function that its upper half names; no other function ever learns it.
#pragma once

#include <Vmodel_fuzz_qdma.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace ullnic::fuzz {

using QdmaModel = Vmodel_fuzz_qdma;

inline constexpr unsigned kQueues = 128;
inline constexpr unsigned kPhysical = 2, kFirstVirtual = 4;
inline constexpr std::array<unsigned, 6> kFunctions = {0, 1, 4, 5, 6, 7};
inline constexpr unsigned kPlaces = kFunctions.size();
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
inline constexpr unsigned kQueuesEach = 8, kFreeQueues = 120;
constexpr unsigned FirstQueue(unsigned place) { return 20 * place; }

// Upper halves of the addresses: they differ in many bits, so that no mixture of two is a third.
inline constexpr std::array<uint32_t, kPlaces> kHalves = {0x0f35'a6c1, 0x9a53'0c7e, 0x63ac'f158,
                                                          0xc596'5b2d, 0x3e69'94b3, 0xf0ca'39e4};
constexpr unsigned OwnerOf(uint64_t address) {
  const auto* at = std::find(kHalves.begin(), kHalves.end(), static_cast<uint32_t>(address >> 32));
  return static_cast<unsigned>(at - kHalves.begin());
}
constexpr uint64_t HostBase(unsigned place) { return uint64_t{kHalves[place]} << 32; }

}  // namespace ullnic::fuzz
