// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// The value of packetdrill's --so_flags: NAME=VALUE,NAME=VALUE...
#pragma once

#include <cstdint>
#include <string>

#include "packetdrill/engine.h"

namespace ullnic::packetdrill {

struct Flags {
  Settings settings;
  uint64_t settle_cycles = 200;  // without input or output: the engine is at rest
  int64_t limit_s = 30;          // of virtual time, for any wait
  std::string pcapng;            // capture the frames here
};

// Throws UserError.
Flags ParseFlags(const std::string& text);

}  // namespace ullnic::packetdrill
