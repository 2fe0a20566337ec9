// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Disturbs both lines and both ends of a link, at random from a seed, and reports each disturbance
// to the checks.
#pragma once

#include <array>
#include <cstdint>

#include "card/card.h"
#include "core/rng.h"
#include "soak/soak_config.h"
#include "soak/way_check.h"

namespace ullnic {

class Disturber {
 public:
  // Direction i leads from end i over line i to the other end.
  struct Way {
    Card* sender;
    SerialLine* line;
    WayCheck* check;
  };
  struct Counts {
    uint64_t bit_errors = 0, slips = 0, losses = 0, resets = 0;
  };

  Disturber(const SoakConfig& config, const std::array<Way, 2>& ways);

  void Start();
  void Stop(int64_t now_ps);
  // Once in each cycle of the first end's transmit clock.
  void Step(int64_t now_ps);

  const Counts& counts() const { return counts_; }
  int64_t last_harm_ps() const { return last_harm_ps_; }
  // Last time at which the user or the receiver of end i had reason to overflow its FIFO, or the
  // transmitter to underrun.
  int64_t last_overflow_cause_ps(int end) const { return last_overflow_cause_ps_[end]; }
  int64_t last_underrun_cause_ps(int end) const { return last_underrun_cause_ps_[end]; }

 private:
  void Harm(int way, int64_t now_ps);
  void StepLine(int way, int64_t now_ps);
  void StepEnd(int end, int64_t now_ps);

  SoakConfig config_;
  std::array<Way, 2> ways_;
  Rng rng_;
  bool active_ = false;
  uint64_t slip_in_[2], loss_in_[2], reset_in_[2];  // cycles
  uint64_t loss_left_[2] = {}, reset_left_[2] = {};
  ResetSet resets_[2] = {};
  uint64_t bit_errors_seen_[2] = {};
  int64_t last_harm_ps_ = 0;
  int64_t last_overflow_cause_ps_[2] = {};
  int64_t last_underrun_cause_ps_[2] = {};
  Counts counts_;
};

}  // namespace ullnic
