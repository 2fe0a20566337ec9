// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Contents of packets: unique bytes, computed from queue and number.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/rng.h"

namespace ullnic::qdma_sweep {

class Pattern {
 public:
  static constexpr size_t kMostBytes = 32768;

  explicit Pattern(uint64_t seed) : pool_(kPlaces + kMostBytes) {
    Rng rng = Rng::Stream(seed, 7);
    for (uint8_t& byte : pool_) byte = static_cast<uint8_t>(rng.Next());
  }
  std::span<const uint8_t> Of(unsigned queue, uint64_t number, size_t bytes) const {
    const uint64_t place = (number * kPlacesApart + queue) * 0x9e3779b97f4a7c15u >> 46;
    return {pool_.data() + place, bytes};
  }

 private:
  static constexpr size_t kPlaces = size_t{1} << 18;
  static constexpr uint64_t kPlacesApart = 4096;
  std::vector<uint8_t> pool_;
};

}  // namespace ullnic::qdma_sweep
