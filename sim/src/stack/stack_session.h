// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// One run of the card with a TCP/IP stack: a far end at its port, timers driven by wall time,
// virtual time that stops while nothing is in flight, JSON lines on standard output.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <nlohmann/json_fwd.hpp>

#include "core/rng.h"
#include "nic/far_end.h"
#include "nic/port_point.h"
#include "program/host_events.h"
#include "program/wall_time.h"
#include "stack/hostile_port.h"
#include "stack/options.h"
#include "stack/stack_card.h"

namespace ullnic {

class StackSession {
 public:
  // Throws UserError.
  explicit StackSession(const StackOptions& options);

  // Runs to the end. Returns false if the card violated the standard (an "error" event states how).
  // Throws UserError.
  bool Run();

 private:
  void Capture();
  void Cycles(uint64_t count);
  void AcquireLock();
  void DriveTimers();
  bool AtRest();
  void Sleep();
  void Housekeeping();
  nlohmann::json CommonJson() const;
  std::unique_ptr<FramePort> Port();
  bool Resting();
  void ComeToRest();
  nlohmann::json RestJson() const;
  bool Conclude();

  StackOptions options_;
  HostEvents events_;
  WallTime wall_;
  FaultConfig harm_in_, harm_out_;
  int delay_ui_;
  Scheduler scheduler_;
  EdgeSet clock_;
  SerialLine to_card_, from_card_;
  StackAddresses addresses_;
  StackCard card_;
  FarEnd end_;
  HostilePort* attacker_ = nullptr;  // part of point_
  std::unique_ptr<PortPoint> point_;
  Rng phase_rng_;

  uint64_t cycles_ = 0, lock_cycles_ = 0;
  uint64_t last_busy_cycle_ = 0, last_frames_ = 0;
  uint64_t next_tick_cycle_ = 0;
  int64_t ticks_ = 0;  // ticks given to the card
  int64_t skipped_ps_ = 0;
};

}  // namespace ullnic
