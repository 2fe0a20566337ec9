// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// A source and sink of frames joined to the far end of a card's port, with faults each way, a
// capture of what passes on the wire, and counters.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <nlohmann/json_fwd.hpp>

#include "capture/pcapng_writer.h"
#include "nic/far_end.h"
#include "port/fault_port.h"

namespace ullnic {

class PortPoint {
 public:
  struct Config {
    FaultConfig to_card;
    FaultConfig from_card;
    uint64_t seed = 1;
  };

  PortPoint(std::unique_ptr<FramePort> port, FarEnd& end, const Config& config);

  void Capture(const PcapngWriter::Config& config);
  // The frames that are harmed, as they were before, each with a comment that says how.
  void CaptureFaults(const PcapngWriter::Config& config);
  // Frames that pass on the wire, as they end; before the port has them.
  void set_on_sent(std::function<void(const HeardFrame&)> f) { on_sent_ = std::move(f); }
  void set_on_heard(std::function<void(const HeardFrame&)> f) { on_heard_ = std::move(f); }

  // Takes frames from the port while the far end is short of them.
  void Service() {
    if (end_.tx_backlog() < kBacklogFrames && !port_->finished()) Refill();
  }
  // Frames that a fault holds back come out.
  void Flush();
  void FlushCapture();
  bool finished() const { return port_->finished() && end_.tx_backlog() == 0; }

  FramePort& port() { return *port_; }
  const FramePort& port() const { return *port_; }
  nlohmann::json Json() const;
  // Frames with a breach of the standard that left the card.
  uint64_t bad_heard() const { return bad_heard_; }

 private:
  class Held;  // the frames from the card on their way through the faults

  static constexpr size_t kBacklogFrames = 2;  // one on its way, one ready to follow at once

  void Refill();
  void OnSent(HeardFrame&& frame);
  void OnHeard(HeardFrame&& frame);
  void DeliverHeld();

  std::unique_ptr<FaultPort> port_;
  Held* held_;  // belongs to from_card_
  std::unique_ptr<FaultPort> from_card_;
  bool harm_from_card_;
  FarEnd& end_;
  std::unique_ptr<PcapngWriter> capture_, faults_;
  std::function<void(const HeardFrame&)> on_sent_, on_heard_;
  int64_t last_heard_ps_ = 0;
  uint64_t sent_ = 0, heard_ = 0, bad_heard_ = 0;
};

}  // namespace ullnic
