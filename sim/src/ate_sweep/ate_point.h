// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// One point of the tick-to-trade sweep: a whole card, with market data on one port and the answers
// of its user logic on another, at one bit offset of the incoming line. Both times of a sample are
// measured on the line, and every answer is checked byte by byte.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "capture/pcapng_writer.h"
#include "core/cycle_histogram.h"

namespace ullnic {

struct AteSweepConfig {
  std::string card;
  std::optional<int> delay_ui;  // of the transceivers, both directions; default: published
  uint64_t triggers = 200;
  uint64_t seed = 1;
  PcapngWriter* capture = nullptr;  // triggers and answers, if wanted
  int64_t capture_start_ps = 0;     // start of the point in it
};

struct AtePoint {
  int offset = 0;
  int delay_ui = 0;
  uint64_t triggers = 0;
  uint64_t others = 0;  // frames that trigger nothing
  uint64_t answers = 0;
  uint64_t mirrored = 0;  // answers mirrored to the host
  uint64_t lost = 0;      // triggers without an answer
  uint64_t damaged = 0;   // other errors
  std::string what;       // the first error
  uint64_t cycles = 0;    // of the transmit clock
  int64_t end_ps = 0;

  // In bit times.
  CycleHistogram sof_to_sof;
  CycleHistogram actionable;
  // The bits of a gearbox cycle of 33 words at which triggers arrived.
  std::vector<int64_t> phases;

  nlohmann::json Json() const;
};

// Throws UserError.
AtePoint RunAtePoint(const AteSweepConfig& config, int offset);

}  // namespace ullnic
