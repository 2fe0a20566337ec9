// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// A free-running clock in virtual time. The period is a fraction of picoseconds, so that
// 322.265625 MHz (102400/33 ps) and its relatives never drift: edge n rises at floor(n*num/den).
#pragma once

#include <cstdint>
#include <numeric>
#include <stdexcept>
#include <string>
#include <utility>

namespace ullnic {

struct Period {
  int64_t num_ps;
  int64_t den;

  bool operator==(const Period& o) const { return num_ps == o.num_ps && den == o.den; }
  double ns() const { return static_cast<double>(num_ps) / static_cast<double>(den) / 1000.0; }
};

// Brings a period to lowest terms, so that equal periods compare equal.
inline Period MakePeriod(int64_t num_ps, int64_t den) {
  if (num_ps <= 0 || den <= 0 || num_ps < den) {
    throw std::invalid_argument("a clock period must be a positive fraction of at least 1 ps");
  }
  const int64_t g = std::gcd(num_ps, den);
  return {num_ps / g, den / g};
}

// 10.3125 Gb/s in words of `word_bits`, running `ppm` parts per million fast (1 UI = 3200/33 ps).
inline Period LinePeriod(int word_bits, int ppm = 0) {
  return MakePeriod(int64_t{3200} * word_bits * 1'000'000, int64_t{33} * (1'000'000 + ppm));
}

class Clock {
 public:
  Clock(std::string name, Period period)
      : name_(std::move(name)),
        period_(MakePeriod(period.num_ps, period.den)),
        whole_ps_(period_.num_ps / period_.den),
        part_(period_.num_ps % period_.den) {}

  const std::string& name() const { return name_; }
  Period period() const { return period_; }
  uint64_t next_edge() const { return edge_; }
  int64_t next_edge_ps() const { return next_ps_; }

  void Advance() {
    ++edge_;
    next_ps_ += whole_ps_;
    remainder_ += part_;
    if (remainder_ >= period_.den) {
      remainder_ -= period_.den;
      ++next_ps_;
    }
  }

  // Skips the edges before `time_ps`; returns how many there were.
  uint64_t SkipTo(int64_t time_ps) {
    if (time_ps <= next_ps_) return 0;
    // The first edge n with floor(n*num/den) >= t is ceil(t*den/num).
    const auto scaled = static_cast<__int128>(time_ps) * period_.den;
    const auto target = static_cast<uint64_t>((scaled + period_.num_ps - 1) / period_.num_ps);
    const uint64_t skipped = target - edge_;
    edge_ = target;
    const auto exact = static_cast<__int128>(target) * period_.num_ps;
    next_ps_ = static_cast<int64_t>(exact / period_.den);
    remainder_ = static_cast<int64_t>(exact % period_.den);
    return skipped;
  }

 private:
  std::string name_;
  Period period_;
  int64_t whole_ps_;
  int64_t part_;
  uint64_t edge_ = 0;
  int64_t next_ps_ = 0;
  int64_t remainder_ = 0;
};

}  // namespace ullnic
