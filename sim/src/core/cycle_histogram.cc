// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0

#include "core/cycle_histogram.h"

#include <cmath>
#include <nlohmann/json.hpp>

namespace ullnic {
namespace {

// Femtosecond resolution keeps every multiple of 102400/33 ps distinct and short to read.
double RoundNs(double ns) { return std::round(ns * 1e6) / 1e6; }

double ToNs(int64_t cycles, Period period) {
  return RoundNs(static_cast<double>(cycles) * period.ns());
}

}  // namespace

void CycleHistogram::Merge(const CycleHistogram& other) {
  for (const auto& [cycles, count] : other.counts_) {
    counts_[cycles] += count;
    samples_ += count;
    sum_ += cycles * static_cast<int64_t>(count);
  }
}

int64_t CycleHistogram::Percentile(double percent) const {
  const double wanted = percent / 100.0 * static_cast<double>(samples_);
  uint64_t seen = 0;
  for (const auto& [cycles, count] : counts_) {
    seen += count;
    if (static_cast<double>(seen) >= wanted) return cycles;
  }
  return max();
}

nlohmann::json CycleHistogram::CyclesJson() const {
  nlohmann::json out = {{"samples", samples_}};
  if (samples_ == 0) return out;
  out["min"] = min();
  out["mean"] = mean();
  out["max"] = max();
  out["histogram"] = nlohmann::json::array();
  for (const auto& [cycles, count] : counts_) out["histogram"].push_back({cycles, count});
  return out;
}

nlohmann::json CycleHistogram::NanosecondsSummaryJson(Period period) const {
  nlohmann::json out = {{"samples", samples_}};
  if (samples_ == 0) return out;
  out["min"] = ToNs(min(), period);
  out["mean"] = RoundNs(mean() * period.ns());
  out["max"] = ToNs(max(), period);
  return out;
}

nlohmann::json CycleHistogram::NanosecondsJson(Period period) const {
  nlohmann::json out = NanosecondsSummaryJson(period);
  if (samples_ == 0) return out;
  for (const char* p : {"1", "5", "10", "25", "50", "75", "90", "95", "99", "99.9"}) {
    out["percentiles"][p] = ToNs(Percentile(std::stod(p)), period);
  }
  out["histogram"] = nlohmann::json::array();
  for (const auto& [cycles, count] : counts_) {
    out["histogram"].push_back({ToNs(cycles, period), count});
  }
  return out;
}

}  // namespace ullnic
