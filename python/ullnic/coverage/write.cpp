// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0

// Linked into the simulator of the benches: writes what the model's counters have counted.

#include "verilated.h"
#include "verilated_cov.h"

// Called by at_end.py.
extern "C" void ullnic_write_coverage(const char* path) {
  Verilated::threadContextp()->coveragep()->write(path);
}
