// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0

// The simulator of all benches: Verilator's runtime, cocotb and Python, without a model.
//
// Python starts before there is a model, and runs server.py. That one forks a process for each
// test, which loads its model by ullnic_load() and returns to the loop below. So a test begins at
// time 0 in a process of its own, and does not wait for Python and cocotb to start.
//
// The order of the callbacks in a time step is that of cocotb's own main program for Verilator.

#include <dlfcn.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <limits>

#include "model.h"
#include "verilated.h"
#include "verilated_vpi.h"

extern "C" void vlog_startup_routines_bootstrap();

namespace {

constexpr uint64_t kNever = std::numeric_limits<uint64_t>::max();

Model* model = nullptr;
uint64_t now = 0;  // in the model's time unit

void CallValueCallbacks() {
  while (VerilatedVpi::callValueCbs()) {  // they can change signals
  }
}

// All events of this time.
void Settle() {
  do {
    do {
      model->EvalStep();
      VerilatedVpi::clearEvalNeeded();
      VerilatedVpi::doInertialPuts();
      CallValueCallbacks();
    } while (VerilatedVpi::evalNeeded());
    VerilatedVpi::callCbs(cbReadWriteSynch);
    VerilatedVpi::doInertialPuts();
    CallValueCallbacks();
  } while (VerilatedVpi::evalNeeded());
  model->EvalEndStep();
  VerilatedVpi::callCbs(cbReadOnlySynch);
}

void Run() {
  while (!Verilated::gotFinish()) {
    Settle();
    const uint64_t next = std::min<uint64_t>(
        VerilatedVpi::cbNextDeadline(), model->EventsPending() ? model->NextTimeSlot() : kNever);
    if (next == kNever) return;
    now = next;
    VerilatedVpi::callCbs(cbNextSimTime);
    CallValueCallbacks();
    VerilatedVpi::callTimedCbs();
    CallValueCallbacks();
  }
}

}  // namespace

double sc_time_stamp() { return static_cast<double>(now); }  // for $time

// Called by server.py. Loads the model and constructs it: registers without an initial value begin
// with values drawn from `seed`, or with zeros if it is 0. Ends the process if the library cannot
// be loaded.
extern "C" void ullnic_load(const char* path, int seed) {
  void* library = dlopen(path, RTLD_NOW | RTLD_GLOBAL);
  void* make = library ? dlsym(library, "ullnic_make_model") : nullptr;
  if (!make) {
    std::fprintf(stderr, "cannot load the model: %s\n", dlerror());
    std::fflush(nullptr);
    _exit(EXIT_FAILURE);
  }
  if (seed) {
    Verilated::threadContextp()->randReset(2);
    Verilated::threadContextp()->randSeed(seed);
  }
  model = reinterpret_cast<decltype(&ullnic_make_model)>(make)();
}

// Called by signals.py. Where the model keeps a signal of the scope, and its width; a null pointer
// if there is none, or one with unpacked dimensions. A value of at most 64 bits is an integer of 8,
// 16, 32 or 64 bits, another one an array of words of 32.
extern "C" void* ullnic_signal(const char* scope, const char* name, int* bits) {
  const VerilatedScope* found = Verilated::threadContextp()->scopeFind(scope);
  const VerilatedVar* signal = found ? found->varFind(name) : nullptr;
  if (!signal || signal->udims() > 0) return nullptr;
  *bits = signal->entBits();
  return signal->datap();
}

// Called by signals.py, within a callback of cocotb. Time goes on by `step`, and the model settles
// with what was written to its signals. Returns false, and does nothing, if cocotb itself waits for
// that time or for a signal: what waits must be called by Run().
extern "C" bool ullnic_advance(uint64_t step) {
  for (const auto reason : {cbValueChange, cbReadWriteSynch, cbReadOnlySynch, cbNextSimTime}) {
    if (VerilatedVpi::hasCbs(reason)) return false;
  }
  if (VerilatedVpi::cbNextDeadline() <= now + step || model->EventsPending()) return false;
  now += step;
  Settle();
  return true;
}

// Called by server.py when cocotb has ended, too: nobody needs the end of Python and destructors.
extern "C" void ullnic_exit() {
  std::fflush(nullptr);
  _exit(Verilated::threadContextp()->errorCount() > 0 ? EXIT_FAILURE : EXIT_SUCCESS);
}

int main(int argc, char** argv) {
  Verilated::commandArgs(argc, argv);
  Verilated::fatalOnVpiError(false);  // cocotb asks for what Verilator has not
  vlog_startup_routines_bootstrap();
  Verilated::addExitCb([](void*) { VerilatedVpi::callCbs(cbEndOfSimulation); }, nullptr);
  VerilatedVpi::callCbs(cbStartOfSimulation);
  if (!model) {
    std::fprintf(stderr, "Python has not loaded a model\n");
    return EXIT_FAILURE;
  }
  CallValueCallbacks();
  Run();
  model->Final();
  VerilatedVpi::callCbs(cbEndOfSimulation);
  ullnic_exit();  // not reached after a test: cocotb's end calls it (server.py)
}
