// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// A free-running clock in virtual time. The period is a fraction of picoseconds, so that 322.265625
// MHz (102400/33 ps) and related clocks never drift: edge n rises at floor((n + phase) * period),
// the phase being a fraction of the period.
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

// MHz or kHz clocks of the user, running `ppm` parts per million fast.
inline Period KilohertzPeriod(int64_t khz, int ppm = 0) {
  return MakePeriod(int64_t{1'000'000'000} * 1'000'000, khz * (1'000'000 + ppm));
}

// Position of the first edge: fraction of a period after time 0.
struct Phase {
  int64_t count = 0;
  int64_t of = 1;

  bool operator==(const Phase& o) const { return count * o.of == o.count * of; }
};

class Clock {
 public:
  Clock(std::string name, Period period, Phase phase = {})
      : name_(std::move(name)),
        period_(MakePeriod(period.num_ps, period.den)),
        phase_(phase),
        num_(period_.num_ps * phase.of),
        den_(period_.den * phase.of),
        start_(period_.num_ps * phase.count),
        whole_ps_(num_ / den_),
        part_(num_ % den_) {
    if (phase.of <= 0 || phase.count < 0 || phase.count >= phase.of) {
      throw std::invalid_argument("a clock's phase must be at least 0 and below 1 period");
    }
    SetEdge(0);
  }

  const std::string& name() const { return name_; }
  Period period() const { return period_; }
  Phase phase() const { return phase_; }
  uint64_t next_edge() const { return edge_; }
  int64_t next_edge_ps() const { return next_ps_; }

  void Advance() {
    ++edge_;
    next_ps_ += whole_ps_;
    remainder_ += part_;
    if (remainder_ >= den_) {
      remainder_ -= den_;
      ++next_ps_;
    }
  }

  // Skips the edges before `time_ps`; returns how many there were.
  uint64_t SkipTo(int64_t time_ps) {
    if (time_ps <= next_ps_) return 0;
    // The first edge n with floor((n*num + start)/den) >= t is ceil((t*den - start)/num).
    const auto scaled = static_cast<__int128>(time_ps) * den_ - start_;
    const auto target = static_cast<uint64_t>((scaled + num_ - 1) / num_);
    const uint64_t skipped = target - edge_;
    SetEdge(target);
    return skipped;
  }

  void SkipEdges(uint64_t count) { SetEdge(edge_ + count); }

 private:
  void SetEdge(uint64_t edge) {
    edge_ = edge;
    const auto exact = static_cast<__int128>(edge) * num_ + start_;
    next_ps_ = static_cast<int64_t>(exact / den_);
    remainder_ = static_cast<int64_t>(exact % den_);
  }

  std::string name_;
  Period period_;
  Phase phase_;
  int64_t num_, den_;  // the period with a common denominator of period and phase
  int64_t start_;
  int64_t whole_ps_;
  int64_t part_;
  uint64_t edge_ = 0;
  int64_t next_ps_ = 0;
  int64_t remainder_ = 0;
};

}  // namespace ullnic
