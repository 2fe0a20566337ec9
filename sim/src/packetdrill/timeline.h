// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Virtual time: the engine's clock of 322.265625 MHz, a tick of its timers every millisecond. While
// the engine is at rest, time jumps from tick to tick without the cycles between them.
#pragma once

#include <cstdint>

#include "core/clock.h"
#include "packetdrill/engine.h"

namespace ullnic::packetdrill {

class Timeline {
 public:
  Timeline(Engine& engine, uint64_t settle_cycles)
      : engine_(engine), settle_cycles_(settle_cycles) {}

  int64_t now_ps() const { return clock_.next_edge_ps(); }

  // The engine has received a request.
  void Touch() { touched_cycle_ = engine_.cycles(); }
  bool AtRest() const;
  // Advances by a cycle, or to the next tick, but not beyond `until_ps`. False: `until_ps` is
  // reached.
  bool Step(int64_t until_ps);

 private:
  Engine& engine_;
  uint64_t settle_cycles_;
  Clock clock_{"engine", LinePeriod(32)};
  int64_t next_tick_ps_ = 0;
  uint64_t touched_cycle_ = 0;
};

}  // namespace ullnic::packetdrill
