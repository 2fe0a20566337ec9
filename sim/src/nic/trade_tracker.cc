// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0

#include "nic/trade_tracker.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>

#include "core/cycle_histogram.h"
#include "core/user_error.h"

namespace ullnic {
namespace {

constexpr Period kUi{3200, 33};
constexpr int64_t kLongestFramePs = 10'000'000;

double UiToNs(int64_t ui) { return static_cast<double>(ui) * kUi.ns(); }

nlohmann::json SampleJson(const TradeSample& sample) {
  return {{"trigger_ps", sample.trigger_ps},
          {"deciding_ps", sample.deciding_ps},
          {"order_ps", sample.order_ps},
          {"trigger_port", sample.trigger_port},
          {"order_port", sample.order_port},
          {"sof_to_sof_ui", sample.latency_ui()},
          {"actionable_ui", sample.actionable_ui()}};
}

}  // namespace

void TradeTracker::Arriving(const HeardFrame& frame, unsigned port) {
  const std::optional<size_t> byte = rule_.deciding_byte(frame.frame.bytes);
  if (!byte.has_value()) return;
  ++triggers_;
  // An answer is reported when it has ended.
  GiveUpOlder(frame.start_ps - rule_.max_latency_ps - kLongestFramePs);
  pending_.push_back({frame.frame.bytes, frame.start_ps, frame.byte_end_ps(*byte), port});
  Match();
  // Every trigger before this one has ended.
  while (!orders_.empty() && orders_.front().start_ps < frame.start_ps) {
    ++others_;
    orders_.pop_front();
  }
}

void TradeTracker::Leaving(const HeardFrame& frame, unsigned port) {
  if (!frame.frame.good) return;
  orders_.push_back({frame.frame.bytes, frame.start_ps, frame.start_ps, port});
  // Even the longest trigger has ended by then.
  while (orders_.front().start_ps < frame.start_ps - kLongestFramePs) {
    ++others_;
    orders_.pop_front();
  }
  Match();
}

void TradeTracker::Match() {
  for (size_t i = 0; i < orders_.size(); ++i) {
    const Waiting& order = orders_[i];
    const auto asked = std::find_if(pending_.begin(), pending_.end(), [&](const Waiting& trigger) {
      return trigger.deciding_ps <= order.start_ps &&
             order.start_ps <= trigger.deciding_ps + rule_.max_latency_ps &&
             rule_.answers(trigger.bytes, last_order_, order.bytes);
    });
    if (asked == pending_.end()) continue;
    samples_.push_back({.trigger_ps = asked->start_ps,
                        .deciding_ps = asked->deciding_ps,
                        .order_ps = order.start_ps,
                        .trigger_port = asked->port,
                        .order_port = order.port});
    last_order_ = order.bytes;
    // Orders are sent in the sequence of their triggers: older entries on either side have no
    // match.
    lost_ += static_cast<uint64_t>(asked - pending_.begin());
    pending_.erase(pending_.begin(), asked + 1);
    others_ += i;
    orders_.erase(orders_.begin(), orders_.begin() + static_cast<ptrdiff_t>(i) + 1);
    i = SIZE_MAX;  // from the start
  }
}

void TradeTracker::GiveUpOlder(int64_t than_ps) {
  while (!pending_.empty() && pending_.front().deciding_ps < than_ps) {
    ++lost_;
    pending_.pop_front();
  }
}

void TradeTracker::GiveUpPending() {
  lost_ += pending_.size();
  others_ += orders_.size();
  pending_.clear();
  orders_.clear();
}

nlohmann::json TradeTracker::Json() const {
  CycleHistogram latency, actionable;
  for (const TradeSample& sample : samples_) {
    latency.Add(sample.latency_ui());
    actionable.Add(sample.actionable_ui());
  }
  return {{"triggers", triggers_},
          {"answered", samples_.size()},
          {"lost", lost_},
          {"others", others_},
          {"pending", pending_.size()},
          {"sof_to_sof_ns", latency.NanosecondsJson(kUi)},
          {"actionable_ns", actionable.NanosecondsJson(kUi)}};
}

void TradeTracker::WriteSamples(const std::string& path) const {
  std::ofstream file(path);
  if (path.ends_with(".json")) {
    nlohmann::json all = nlohmann::json::array();
    for (const TradeSample& sample : samples_) all.push_back(SampleJson(sample));
    file << all.dump(1) << "\n";
  } else {
    file << "trigger_ps,deciding_ps,order_ps,trigger_port,order_port,sof_to_sof_ns,actionable_ns\n";
    for (const TradeSample& s : samples_) {
      file << fmt::format("{},{},{},{},{},{:.4f},{:.4f}\n", s.trigger_ps, s.deciding_ps, s.order_ps,
                          s.trigger_port, s.order_port, UiToNs(s.latency_ui()),
                          UiToNs(s.actionable_ui()));
    }
  }
  file.close();
  if (!file) {
    throw UserError(fmt::format("cannot write the samples to '{}'", path),
                    "give a file in a folder that exists and may be written to");
  }
}

}  // namespace ullnic
