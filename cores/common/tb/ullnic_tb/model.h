// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0

// What the simulator (simulator.cc) calls of a model: a shared library that Verilator's C++ and
// model.cc make.

#pragma once

#include <cstdint>

class Model {
 public:
  virtual ~Model() = default;
  virtual void EvalStep() = 0;
  virtual void EvalEndStep() = 0;
  virtual bool EventsPending() = 0;
  virtual uint64_t NextTimeSlot() = 0;  // in the model's time unit; only if events are pending
  virtual void Final() = 0;
};

// Each model's library has it: constructs the model, at time 0. The registers have their start
// values then.
extern "C" Model* ullnic_make_model();
