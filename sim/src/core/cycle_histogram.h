// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Latencies as a histogram of whole clock cycles: nothing is rounded until it is printed.
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>

#include "core/clock.h"

namespace ullnic {

class CycleHistogram {
 public:
  void Add(int64_t cycles) {
    ++counts_[cycles];
    ++samples_;
    sum_ += cycles;
  }
  void Merge(const CycleHistogram& other);

  uint64_t samples() const { return samples_; }
  int64_t min() const { return counts_.empty() ? 0 : counts_.begin()->first; }
  int64_t max() const { return counts_.empty() ? 0 : counts_.rbegin()->first; }
  double mean() const {
    return samples_ == 0 ? 0.0 : static_cast<double>(sum_) / static_cast<double>(samples_);
  }
  const std::map<int64_t, uint64_t>& counts() const { return counts_; }
  // The smallest value that at least `percent` of the samples do not exceed.
  int64_t Percentile(double percent) const;

  nlohmann::json CyclesJson() const;
  nlohmann::json NanosecondsJson(Period period) const;
  // The same without percentiles and histogram.
  nlohmann::json NanosecondsSummaryJson(Period period) const;

 private:
  std::map<int64_t, uint64_t> counts_;
  uint64_t samples_ = 0;
  int64_t sum_ = 0;
};

}  // namespace ullnic
