// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// One run of the link: builds both ends and the lines between them, steps virtual time, serves the
// ports, sleeps while nothing is in flight, and reports in JSON lines on standard output.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <nlohmann/json_fwd.hpp>

#include "card/card_library.h"
#include "core/frame_tracker.h"
#include "core/link_end.h"
#include "core/rng.h"
#include "core/scheduler.h"
#include "line/serial_line.h"
#include "link/end_point.h"
#include "link/options.h"
#include "program/host_events.h"
#include "program/wall_time.h"

namespace ullnic {

class Session {
 public:
  // Throws UserError.
  explicit Session(const LinkOptions& options);

  // Runs to the end. Returns false if the link or a port detected an error (an "error" event states
  // it). Throws UserError.
  bool Run();

 private:
  void MakeClocksAndLines();
  void MakeEnds();
  void MakePorts();
  void MakeCaptures();
  void AcquireLock();
  void Cycles(uint64_t count);  // of A's transmit clock
  void ServicePorts();
  bool InFlight() const;
  void Sleep();
  void Housekeeping();
  bool FrameLimitReached() const;
  bool LimitReached() const;
  nlohmann::json CommonJson(bool with_latency);
  nlohmann::json DirectionJson(int from, bool with_latency);
  bool Conclude();

  LinkOptions options_;
  CardLibrary card_;
  HostEvents host_;
  WallTime wall_;
  FaultConfig faults_[2];  // of the direction that starts at this end; 0 is A, 1 is B
  Scheduler scheduler_;
  EdgeSet clock_[2] = {1, 1};  // of each end's transmitter
  CardClocks clocks_[2];
  std::unique_ptr<SerialLine> line_[2];
  std::unique_ptr<LinkEnd> end_[2];
  std::unique_ptr<EndPoint> point_[2];
  FrameTracker tracker_[2];
  Rng phase_rng_;

  int delay_ui_;
  uint64_t cycles_ = 0;
  uint64_t tail_cycles_;
  uint64_t lock_cycles_ = 0;
  uint64_t quiet_cycles_ = 0;
  int64_t skipped_ps_ = 0;
};

}  // namespace ullnic
