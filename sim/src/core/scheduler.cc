// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0

#include "core/scheduler.h"

#include <algorithm>
#include <bit>
#include <limits>

namespace ullnic {

EdgeSet Scheduler::AddClock(Clock clock) {
  for (size_t i = 0; i < clocks_.size(); ++i) {
    if (clocks_[i].period() == clock.period() && clocks_[i].phase() == clock.phase()) {
      return EdgeSet{1} << i;
    }
  }
  if (clocks_.size() >= 32) throw std::length_error("more than 32 different clocks");
  clocks_.push_back(std::move(clock));
  skip_together_.push_back(1);
  return EdgeSet{1} << (clocks_.size() - 1);
}

EdgeSet Scheduler::AddHalfClock(EdgeSet base_bit, bool odd) {
  const auto base_index = static_cast<size_t>(std::countr_zero(base_bit));
  const Clock& base = clocks_.at(base_index);
  const Phase phase = base.phase();
  skip_together_[base_index] = 2;
  return AddClock(Clock(base.name() + "/2", MakePeriod(2 * base.period().num_ps, base.period().den),
                        {phase.count + (odd ? phase.of : 0), 2 * phase.of}));
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
  for (size_t i = 0; i < clocks_.size(); ++i) {
    const Period period = clocks_[i].period();
    const auto together = static_cast<uint64_t>(skip_together_[i]);
    const auto fit = static_cast<__int128>(ps) * period.den / (period.num_ps * skip_together_[i]);
    clocks_[i].SkipEdges(static_cast<uint64_t>(fit) * together);
  }
  return clocks_[0].next_edge_ps() - before_ps;
}

}  // namespace ullnic
