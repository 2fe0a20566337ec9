// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Events from the host: signals, the end of standard input, readable ports, time.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <vector>

#include "port/netns.h"

namespace ullnic {

class HostEvents {
 public:
  // Handles SIGINT, SIGTERM and SIGHUP; ends the process when its parent ends, except for a daemon.
  // Throws UserError.
  explicit HostEvents(bool stop_at_stdin_eof);

  bool stop_requested() const { return !end_.is_null(); }
  // The reason to stop: "reason" for programs, "text" for people. Null until a stop is requested.
  const nlohmann::json& end() const { return end_; }
  // Checks without waiting.
  void Check() { Wait({}, std::chrono::nanoseconds(0)); }
  // Sleeps until one of `fds` is readable, a stop is requested or the timeout expires. Negative fds
  // are ignored.
  void Wait(const std::vector<int>& fds, std::chrono::nanoseconds timeout);

 private:
  void TakeSignal();

  Fd signals_;
  bool watch_stdin_;
  pid_t parent_;
  nlohmann::json end_;
};

}  // namespace ullnic
