// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// The wall clock's side of a run: how long it lasts, how much of that it slept, when its next
// status line is due.
#pragma once

#include <chrono>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "program/host_events.h"

namespace ullnic {

class WallTime {
 public:
  // max_s: the longest run, seconds; 0: no limit.
  WallTime(double status_interval_s, double max_s);

  void Start();  // counts from here
  std::chrono::nanoseconds elapsed() const { return Clock::now() - start_; }
  bool over() const;
  // True once an interval.
  bool StatusDue();
  // Sleeps until one of `fds` is readable, the host wants a stop, a status line is due, the run is
  // over or `at_most` has passed. Returns how long that was, ps, for virtual time to jump by.
  int64_t Sleep(HostEvents& events, const std::vector<int>& fds,
                std::chrono::nanoseconds at_most = std::chrono::nanoseconds::max());
  // Why a run has ended that goes on until its ports are finished.
  nlohmann::json EndJson(const HostEvents& events) const;
  // wall_s; busy_s, which is without the sleep; cycles_per_s while busy.
  nlohmann::json Json(uint64_t cycles) const;

 private:
  using Clock = std::chrono::steady_clock;

  std::chrono::nanoseconds interval_, max_;
  Clock::time_point start_ = Clock::now(), next_status_;
  std::chrono::nanoseconds slept_{};
};

}  // namespace ullnic
