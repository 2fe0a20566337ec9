// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// What the process hears from its host: signals, the end of standard input, readable ports, time.
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
  // Takes SIGINT, SIGTERM and SIGHUP over; lets the process end when its parent does, but for a
  // daemon. Throws UserError.
  explicit HostEvents(bool stop_at_stdin_eof);

  bool stop_requested() const { return !end_.is_null(); }
  // Why: "reason" for programs, "text" for people. Null as long as no stop is requested.
  const nlohmann::json& end() const { return end_; }
  // Looks without waiting.
  void Check() { Wait({}, std::chrono::nanoseconds(0)); }
  // Sleeps until one of `fds` is readable, a stop is requested or the time is over. Negative fds
  // are left out.
  void Wait(const std::vector<int>& fds, std::chrono::nanoseconds timeout);

 private:
  void TakeSignal();

  Fd signals_;
  bool watch_stdin_;
  pid_t parent_;
  nlohmann::json end_;
};

}  // namespace ullnic
