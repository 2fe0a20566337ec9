// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0

#include "nic/connection_guard.h"

namespace ullnic {
namespace {

// CONTROL of each connection (cores/ate/README.md): bit 0 enables it.
constexpr uint32_t kConnections = 0x40000;
constexpr uint32_t kConnectionMask = 0x3f;
constexpr uint32_t kConnectionControl = 48;

}  // namespace

bool Switches::IsSwitch(uint32_t address) const {
  return logic_.contains(address) ||
         (address >= kConnections && (address & kConnectionMask) == kConnectionControl);
}

void Switches::Note(uint32_t address, uint32_t value) {
  if (!IsSwitch(address)) return;
  if ((value & 1) != 0) {
    on_.insert(address);
  } else {
    on_.erase(address);
  }
}

// The card executes these writes before those of the next program.
void ConnectionGuard::OnReset() {
  for (const uint32_t address : switches_.TakeOn()) card_.WriteUser(address, 0, [] {});
  card_.OnReset();
}

}  // namespace ullnic
