// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0

// The end of each model's one source file: what the simulator finds in the shared library.

#include "model.h"

#include "Vtop.h"

namespace {

class Top : public Model {
 public:
  void EvalStep() override { top_.eval_step(); }
  void EvalEndStep() override { top_.eval_end_step(); }
  bool EventsPending() override { return top_.eventsPending(); }
  uint64_t NextTimeSlot() override { return top_.nextTimeSlot(); }
  void Final() override { top_.final(); }

 private:
  Vtop top_{""};
};

}  // namespace

extern "C" Model* ullnic_make_model() { return new Top; }
