// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// One direction of the link: every frame that was sent is compared with what arrives, so that a
// lost, damaged or spurious frame is detected regardless of the receiver's verdict.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>

#include "core/cycle_histogram.h"
#include "core/frame.h"

namespace ullnic {

// In edges or, with two clocks, in ps.
struct Latency {
  CycleHistogram sop_to_sop;
  CycleHistogram sop_to_sof;
};

class FrameTracker {
 public:
  struct Config {
    // A frame offered this many edges after the last word of the previous one was accepted found
    // the transmitter idle.
    uint64_t idle_edges = 64;
    // Sender's and receiver's user have the same clock: latency is counted in its edges. Otherwise
    // it is measured in ps.
    bool one_clock = true;
  };

  FrameTracker() = default;
  explicit FrameTracker(const Config& config) : config_(config) {}
  const Config& config() const { return config_; }

  // phase: if given, latency is also collected by this number.
  void Offered(const FramePtr& frame, uint64_t edge, int64_t time_ps, uint64_t idle_edges,
               std::optional<int> phase = {});
  // Returns true if the frame is good and one that was sent.
  bool Received(const ReceivedFrame& frame);
  // Nothing is in flight any more: frames that have not arrived are lost.
  void GiveUpPending();

  size_t pending() const { return pending_.size(); }
  uint64_t sent() const { return sent_; }
  uint64_t delivered() const { return delivered_; }
  uint64_t lost() const { return lost_; }
  uint64_t errors() const { return errors_; }
  uint64_t wrong_as_good() const { return wrong_as_good_; }
  // In edges or, with two clocks, in ps.
  const CycleHistogram& sop_to_sop() const { return sop_to_sop_; }
  const CycleHistogram& sop_to_sof() const { return sop_to_sof_; }
  const CycleHistogram& sop_to_sop_unqueued() const { return sop_to_sop_unqueued_; }
  const CycleHistogram& sop_to_sof_unqueued() const { return sop_to_sof_unqueued_; }

  // Of the unqueued frames, by phase.
  const std::map<int, Latency>& by_phase() const { return by_phase_; }

  nlohmann::json CountersJson() const;

 private:
  struct Pending {
    FramePtr frame;
    uint64_t edge;
    int64_t time_ps;
    bool unqueued;
    std::optional<int> phase;
  };

  void AddLatency(const Pending& sent, const ReceivedFrame& frame);

  Config config_;
  std::deque<Pending> pending_;
  uint64_t sent_ = 0, sent_bytes_ = 0;
  uint64_t delivered_ = 0, delivered_bytes_ = 0;
  uint64_t lost_ = 0;
  uint64_t errors_ = 0, fcs_errors_ = 0, code_errors_ = 0, runts_ = 0, oversize_ = 0;
  uint64_t wrong_as_good_ = 0;
  CycleHistogram sop_to_sop_, sop_to_sof_, sop_to_sop_unqueued_, sop_to_sof_unqueued_;
  std::map<int, Latency> by_phase_;
};

}  // namespace ullnic
