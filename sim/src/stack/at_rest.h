// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Whether anything is left inside a card at rest: all resources of its sessions must be free again.
#pragma once

#include <string>
#include <vector>

#include "verilated.h"

namespace ullnic {

// Returns what is left as text; empty: nothing. Checks, by their names in the RTL (at_rest.vlt):
//   each FIFO and the store of received payload     empty, and all of it free
//   the window of each session                      every byte accepted was read
//   pending ACKs                                    none
//   the look-up table                               no entry
// Throws std::logic_error if one of them does not exist: the RTL has changed.
std::vector<std::string> LeftInside(VerilatedContext& context);

}  // namespace ullnic
