// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// The wall-clock time of a run: its duration, the part spent asleep, the next status line.
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
  // True once per interval.
  bool StatusDue();
  // Sleeps until one of `fds` is readable, the host requests a stop, a status line is due, the run
  // is over or `at_most` has passed. Returns the duration in ps, by which virtual time may jump.
  int64_t Sleep(HostEvents& events, const std::vector<int>& fds,
                std::chrono::nanoseconds at_most = std::chrono::nanoseconds::max());
  // Why a run that continues until its ports are finished has ended.
  nlohmann::json EndJson(const HostEvents& events) const;
  // wall_s; busy_s, without the sleep; cycles_per_s while busy.
  nlohmann::json Json(uint64_t cycles) const;

 private:
  using Clock = std::chrono::steady_clock;

  std::chrono::nanoseconds interval_, max_;
  Clock::time_point start_ = Clock::now(), next_status_;
  std::chrono::nanoseconds slept_{};
};

}  // namespace ullnic
