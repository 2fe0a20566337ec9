// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Steps any number of clocks through virtual time. Edges at the same picosecond are evaluated
// together, in four phases over all models they concern, so that no model ever sees a value of
// another one that is a cycle too new:
//   Settle    inputs of the cycle that ends at this edge are applied, combinational logic settles
//   Resettle  again for models with an input that depends on another model's output of this cycle
//   Sample    all outputs are read, as a register clocked by this edge would read them
//   Rise      the clocks rise
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/clock.h"

namespace ullnic {

using EdgeSet = uint32_t;  // bit i: clock i

class ClockedModel {
 public:
  virtual ~ClockedModel() = default;
  virtual void Settle() = 0;
  virtual void Resettle() {}
  virtual void Sample(EdgeSet rising) = 0;
  virtual void Rise(EdgeSet rising) = 0;
};

class Scheduler {
 public:
  // Clocks of equal period and phase are one clock. Returns the clock's bit.
  EdgeSet AddClock(Clock clock);
  // Every second edge of another clock, in the same picosecond: the even ones of a clock without a
  // phase, or the odd ones.
  EdgeSet AddHalfClock(EdgeSet base, bool odd = false);
  void AddModel(ClockedModel* model, EdgeSet clocks, bool same_cycle_input = false);

  const Clock& clock(EdgeSet bit) const;
  int64_t now_ps() const { return now_ps_; }  // time of the edge being (or last) evaluated

  void Step() {
    if (clocks_.size() == 1) {  // the common case: every edge concerns every model
      now_ps_ = clocks_[0].next_edge_ps();
      Evaluate<true>(1);
      clocks_[0].Advance();
    } else {
      StepSeveral();
    }
  }

  // Skips at most `ps`: every clock skips as many edges as fit, a clock that has a half clock an
  // even number, so that their phase is unchanged for the logic. Returns the time actually skipped,
  // counted in clock 0.
  int64_t JumpBy(int64_t ps);

 private:
  struct Entry {
    ClockedModel* model;
    EdgeSet clocks;
  };

  void StepSeveral();

  template <bool All>
  void Evaluate(EdgeSet rising) {
    for (const Entry& e : models_) {
      if (All || (e.clocks & rising)) e.model->Settle();
    }
    for (const Entry& e : same_cycle_) {
      if (All || (e.clocks & rising)) e.model->Resettle();
    }
    for (const Entry& e : models_) {
      if (All || (e.clocks & rising)) e.model->Sample(rising);
    }
    for (const Entry& e : models_) {
      if (All || (e.clocks & rising)) e.model->Rise(rising);
    }
  }

  std::vector<Clock> clocks_;
  std::vector<int> skip_together_;  // granularity of a jump in edges, by clock
  std::vector<Entry> models_;
  std::vector<Entry> same_cycle_;
  int64_t now_ps_ = 0;
};

}  // namespace ullnic
