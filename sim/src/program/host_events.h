// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// What the process hears from its host: signals, the end of standard input, readable ports, time.
#pragma once

#include <chrono>
#include <cstdint>
#include <vector>

#include "port/netns.h"

namespace ullnic {

class HostEvents {
 public:
  // Takes SIGINT and SIGTERM over; lets the process end when its parent does. Throws UserError.
  explicit HostEvents(bool stop_at_stdin_eof);

  bool stop_requested() const { return stop_requested_; }
  // Looks without waiting.
  void Check() { Wait({}, std::chrono::nanoseconds(0)); }
  // Sleeps until one of `fds` is readable, a stop is requested or the time is over. Negative fds
  // are left out.
  void Wait(const std::vector<int>& fds, std::chrono::nanoseconds timeout);

 private:
  Fd signals_;
  bool watch_stdin_;
  bool stop_requested_ = false;
};

}  // namespace ullnic
