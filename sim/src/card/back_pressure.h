// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// A receiving user that does not always accept a word: tready, a register of the user's.
#pragma once

#include <cstdint>

#include "core/rng.h"

namespace ullnic {

struct BackPressureConfig {
  double stall = 0;        // probability that a stall begins at an edge
  uint32_t max_edges = 1;  // a stall lasts 1 to this many edges
  uint64_t seed = 1;
};

class BackPressure {
 public:
  explicit BackPressure(const BackPressureConfig& config)
      : config_(config), rng_(Rng::Stream(config.seed, 7)) {}

  bool tready() const { return left_ == 0; }

  void set_config(const BackPressureConfig& config) { config_ = config; }

  // One edge of the user's clock.
  void Clock() {
    if (left_ > 0) {
      --left_;
    } else if (rng_.Chance(config_.stall)) {
      left_ = rng_.Range(1, config_.max_edges);
    }
  }

 private:
  BackPressureConfig config_;
  Rng rng_;
  uint64_t left_ = 0;
};

}  // namespace ullnic
