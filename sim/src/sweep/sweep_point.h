// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// One point of the wire-loopback sweep: a card's transceiver output looped back to its input at one
// bit offset and one phase of the receive clock. Every frame is checked twice: as delivered by the
// receiver, and as decoded from the line by the independent link partner.
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "card/back_pressure.h"
#include "card/card_library.h"
#include "core/frame_tracker.h"

namespace ullnic {

enum class GapKind { kRandom, kBackToBack, kMixed };

struct SweepConfig {
  int delay_ui = 0;
  int late_tenths = 0;  // of a bit time: delay of every edge of the receive clock
  uint64_t frames = 300;
  uint32_t min_bytes = 1;
  uint32_t max_bytes = 64;
  GapKind gap = GapKind::kRandom;
  UserClockOptions user_clocks;
  BackPressureConfig back_pressure;
  uint64_t seed = 1;
};

struct SweepPoint {
  int offset = 0;
  int lead_ui = 0;
  uint64_t frames = 0;
  uint64_t lost = 0;
  uint64_t damaged = 0;  // as received, or as read from the line
  std::string what;      // the first error
  uint64_t cycles = 0;   // of the transmit clock
  // In edges of the user's clock; in ps if the two users have separate clocks.
  bool one_clock = true;
  Period user_period{1, 1};
  CycleHistogram sop_to_sop;
  CycleHistogram sop_to_sof;
  // The same frames by gearbox phase: the bit of a block on the line, 0 to 65, with which the word
  // begins that the transceiver accepts at the edge of the offer. With a transmit FIFO, whose user
  // has a separate clock: at the first edge of the transmit clock after it.
  std::map<int, Latency> by_phase;
  std::map<int64_t, uint64_t> gaps;
  uint64_t lane4_starts = 0;
  uint64_t line_frames = 0;        // as read from the line
  uint64_t start_to_start_ui = 0;  // from the first of them to the last

  nlohmann::json Json() const;
};

// The edges of the receive clock precede those of the transmit clock by lead_ui bit times. This
// does not change the delay of the line, only the receiver's word boundaries. With late_tenths the
// words are the same but later: the line is longer by this fraction of a bit time.
SweepPoint RunSweepPoint(const CardLibrary& card, const SweepConfig& config, int offset,
                         int lead_ui = 0);

}  // namespace ullnic
