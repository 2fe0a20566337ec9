// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0

#include "packetdrill/timeline.h"

#include <algorithm>

namespace ullnic::packetdrill {
namespace {

constexpr int64_t kTickPs = 1'000'000'000;

}  // namespace

bool Timeline::AtRest() const {
  const uint64_t busy = std::max(engine_.last_busy_cycle(), touched_cycle_);
  return engine_.idle() && engine_.cycles() > busy + settle_cycles_;
}

bool Timeline::Step(int64_t until_ps) {
  if (now_ps() >= until_ps) return false;
  if (AtRest()) clock_.SkipTo(std::min(until_ps, next_tick_ps_));
  if (now_ps() >= next_tick_ps_) {
    engine_.Tick();
    Touch();
    next_tick_ps_ += kTickPs;
  } else if (now_ps() >= until_ps) {
    return false;
  }
  clock_.Advance();
  engine_.Cycle();
  return true;
}

}  // namespace ullnic::packetdrill
