// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// A small seeded generator (xoshiro256**, seeded by splitmix64). Not the standard library's, whose
// distributions differ between implementations: a seed must reproduce a run anywhere.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

namespace ullnic {

class Rng {
 public:
  explicit Rng(uint64_t seed) {
    for (uint64_t& s : state_) {
      seed += 0x9e3779b97f4a7c15u;
      uint64_t z = seed;
      z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
      z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
      s = z ^ (z >> 31);
    }
  }

  // An independent stream of the same run, e.g. one for each fault source.
  static Rng Stream(uint64_t seed, uint64_t stream) {
    return Rng(seed ^ (stream + 1) * 0xd1342543de82ef95u);
  }
  // A seed for a component that makes its own generator.
  static uint64_t StreamSeed(uint64_t seed, uint64_t stream) { return Stream(seed, stream).Next(); }

  uint64_t Next() {
    const uint64_t result = std::rotl(state_[1] * 5, 7) * 9;
    const uint64_t t = state_[1] << 17;
    state_[2] ^= state_[0];
    state_[3] ^= state_[1];
    state_[1] ^= state_[2];
    state_[0] ^= state_[3];
    state_[2] ^= t;
    state_[3] = std::rotl(state_[3], 45);
    return result;
  }

  uint32_t Word() { return static_cast<uint32_t>(Next() >> 32); }
  // 0 <= result < bound. The bias of the product method is below bound / 2^64.
  uint64_t Below(uint64_t bound) {
    return static_cast<uint64_t>(static_cast<unsigned __int128>(Next()) * bound >> 64);
  }
  uint64_t Range(uint64_t min, uint64_t max) { return min + Below(max - min + 1); }
  double Unit() { return static_cast<double>(Next() >> 11) * 0x1p-53; }
  bool Chance(double probability) { return probability > 0 && Unit() < probability; }

  // How many trials pass before the next success of probability p (geometric distribution).
  uint64_t Skip(double probability) {
    if (probability <= 0) return UINT64_MAX;
    if (probability >= 1) return 0;
    const double trials = std::floor(std::log1p(-Unit()) / std::log1p(-probability));
    return trials > 1e18 ? UINT64_MAX : static_cast<uint64_t>(trials);
  }

 private:
  uint64_t state_[4];
};

}  // namespace ullnic
