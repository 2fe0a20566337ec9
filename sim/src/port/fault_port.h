// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Wraps a port and injects faults into its frames to the link, at random from a seed.
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <utility>

#include "core/rng.h"
#include "port/frame_port.h"

namespace ullnic {

struct FaultConfig {
  double drop = 0;  // probabilities for each frame
  double dup = 0;
  double reorder = 0;  // sent after the frame that follows it
  double corrupt = 0;  // one bit inverted before the FCS is added: arrives "good" but different
  double ber = 0;      // bit errors on the line; not used by this class

  bool any_frame_fault() const { return drop > 0 || dup > 0 || reorder > 0 || corrupt > 0; }
};

class FaultPort final : public FramePort {
 public:
  FaultPort(std::unique_ptr<FramePort> inner, const FaultConfig& config, uint64_t seed)
      : inner_(std::move(inner)), config_(config), rng_(seed) {}

  nlohmann::json Describe() const override;
  bool Receive(Frame& frame) override;
  void Deliver(const Bytes& frame, int64_t time_ps) override { inner_->Deliver(frame, time_ps); }
  int poll_fd() const override { return inner_->poll_fd(); }
  bool finished() const override { return inner_->finished() && !held_ && ready_.empty(); }
  void Flush() override;
  std::string Finish(bool complete) override { return inner_->Finish(complete); }
  nlohmann::json Report() const override;
  PortCounters counters() const override { return inner_->counters(); }

  // Called for each frame with a fault, unmodified, with the fault's name.
  void set_on_fault(std::function<void(const Bytes&, const char*)> f) { on_fault_ = std::move(f); }

  struct Counts {
    uint64_t dropped = 0, duplicated = 0, reordered = 0, corrupted = 0;
  };
  const Counts& counts() const { return counts_; }

 private:
  void Count(uint64_t& count, const Bytes& frame, const char* what) {
    ++count;
    if (on_fault_) on_fault_(frame, what);
  }

  std::unique_ptr<FramePort> inner_;
  FaultConfig config_;
  Rng rng_;
  std::deque<Frame> ready_;
  std::optional<Frame> held_;  // waits until another frame has overtaken it
  Counts counts_;
  std::function<void(const Bytes&, const char*)> on_fault_;
};

}  // namespace ullnic
