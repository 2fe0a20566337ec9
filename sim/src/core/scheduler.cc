// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0

#include "core/scheduler.h"

#include <algorithm>
#include <bit>
#include <limits>

namespace ullnic {

EdgeSet Scheduler::AddClock(Clock clock) {
  for (size_t i = 0; i < clocks_.size(); ++i) {
    if (clocks_[i].period() == clock.period()) return EdgeSet{1} << i;
  }
  if (clocks_.size() >= 32) throw std::length_error("more than 32 different clocks");
  clocks_.push_back(std::move(clock));
  return EdgeSet{1} << (clocks_.size() - 1);
}

void Scheduler::AddModel(ClockedModel* model, EdgeSet clocks, bool same_cycle_input) {
  models_.push_back({model, clocks});
  if (same_cycle_input) same_cycle_.push_back({model, clocks});
}

const Clock& Scheduler::clock(EdgeSet bit) const {
  return clocks_.at(static_cast<size_t>(std::countr_zero(bit)));
}

void Scheduler::StepSeveral() {
  int64_t first_ps = std::numeric_limits<int64_t>::max();
  for (const Clock& c : clocks_) first_ps = std::min(first_ps, c.next_edge_ps());
  EdgeSet rising = 0;
  for (size_t i = 0; i < clocks_.size(); ++i) {
    if (clocks_[i].next_edge_ps() == first_ps) rising |= EdgeSet{1} << i;
  }
  now_ps_ = first_ps;
  Evaluate<false>(rising);
  for (size_t i = 0; i < clocks_.size(); ++i) {
    if (rising >> i & 1) clocks_[i].Advance();
  }
}

int64_t Scheduler::JumpBy(int64_t ps) {
  if (ps <= 0 || clocks_.empty()) return 0;
  const int64_t before_ps = clocks_[0].next_edge_ps();
  const int64_t target_ps = before_ps + ps;
  for (Clock& c : clocks_) c.SkipTo(target_ps);
  return clocks_[0].next_edge_ps() - before_ps;
}

}  // namespace ullnic
