// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0

#include "program/wall_time.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace ullnic {
namespace {

using std::chrono::nanoseconds;

constexpr nanoseconds kForever = std::chrono::hours(24 * 365);

nanoseconds Nanoseconds(double seconds) {
  return nanoseconds(static_cast<int64_t>(std::min(seconds, 1e9) * 1e9));
}

double Seconds(nanoseconds time) { return std::chrono::duration<double>(time).count(); }

}  // namespace

WallTime::WallTime(double status_interval_s, double max_s)
    : interval_(Nanoseconds(status_interval_s)), max_(max_s > 0 ? Nanoseconds(max_s) : kForever) {
  Start();
}

void WallTime::Start() {
  start_ = Clock::now();
  next_status_ = start_ + interval_;
  slept_ = {};
}

bool WallTime::over() const { return elapsed() >= max_; }

bool WallTime::StatusDue() {
  const auto now = Clock::now();
  if (now < next_status_) return false;
  next_status_ = now + interval_;
  return true;
}

int64_t WallTime::Sleep(HostEvents& events, const std::vector<int>& fds, nanoseconds at_most) {
  const auto before = Clock::now();
  const nanoseconds until = std::min(next_status_, start_ + max_) - before;
  events.Wait(fds, std::max(std::min(until, at_most), nanoseconds(0)));
  const nanoseconds slept = Clock::now() - before;
  slept_ += slept;
  return slept.count() * 1000;
}

nlohmann::json WallTime::EndJson(const HostEvents& events) const {
  if (events.stop_requested()) return events.end();
  if (over()) return {{"reason", "time-limit"}, {"text", "the time of --max-wall-s is over"}};
  return {{"reason", "ports-finished"}, {"text", "all ports are finished"}};
}

nlohmann::json WallTime::Json(uint64_t cycles) const {
  const double wall_s = Seconds(elapsed());
  const double busy_s = wall_s - Seconds(slept_);
  return {{"wall_s", wall_s},
          {"busy_s", busy_s},
          {"cycles_per_s", static_cast<double>(cycles) / std::max(busy_s, 1e-9)}};
}

}  // namespace ullnic
