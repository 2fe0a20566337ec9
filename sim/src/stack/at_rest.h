// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Whether anything is left inside a card that has come to rest: what its sessions took has to be
// free again.
#pragma once

#include <string>
#include <vector>

#include "verilated.h"

namespace ullnic {

// What is left, in words; empty: nothing. Looked at are, by their names in the RTL (at_rest.vlt):
//   each FIFO and the store of received payload     empty, and all of it free
//   the window of each session                      every byte accepted was taken
//   ACKs that are owed                              none
//   the look-up table                               no entry
// Throws std::logic_error if one of them is not there: the RTL has changed.
std::vector<std::string> LeftInside(VerilatedContext& context);

}  // namespace ullnic
