// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// One point of the wire-loopback sweep: a card's transceiver output joined to its own input at one
// bit offset. Every frame is checked twice: as the receiver hands it over, and as the independent
// decoder of the link partner reads it from the line.
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "core/cycle_histogram.h"

namespace ullnic {

enum class GapKind { kRandom, kBackToBack, kMixed };

struct SweepConfig {
  int delay_ui = 0;
  uint64_t frames = 300;
  uint32_t min_bytes = 1;
  uint32_t max_bytes = 64;
  GapKind gap = GapKind::kRandom;
  uint64_t seed = 1;
};

struct SweepPoint {
  int offset = 0;
  uint64_t frames = 0;
  uint64_t lost = 0;
  uint64_t damaged = 0;  // as received, or as read from the line
  std::string what;      // the first thing that was wrong
  uint64_t cycles = 0;
  CycleHistogram sop_to_sop;
  CycleHistogram sop_to_sof;
  std::map<int64_t, uint64_t> gaps;
  uint64_t lane4_starts = 0;

  nlohmann::json Json() const;
};

SweepPoint RunSweepPoint(const SweepConfig& config, int offset);

}  // namespace ullnic
