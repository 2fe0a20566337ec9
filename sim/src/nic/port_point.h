// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// A source and sink of frames connected to the far end of a card's port, with faults in each
// direction, a capture of frames on the wire, and counters.
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
  // Captures frames that get a fault, unmodified, each with a comment that states the fault.
  void CaptureFaults(const PcapngWriter::Config& config);
  // Called for frames on the wire as they end, before the port receives them.
  void set_on_sent(std::function<void(const HeardFrame&)> f) { on_sent_ = std::move(f); }
  void set_on_heard(std::function<void(const HeardFrame&)> f) { on_heard_ = std::move(f); }

  // Takes frames from the port while the far end has too few.
  void Service() {
    if (end_.tx_backlog() < kBacklogFrames && !port_->finished()) Refill();
  }
  // Releases frames that a fault delays.
  void Flush();
  void FlushCapture();
  bool finished() const { return port_->finished() && end_.tx_backlog() == 0; }

  FramePort& port() { return *port_; }
  const FramePort& port() const { return *port_; }
  nlohmann::json Json() const;
  // Frames from the card that violate the standard.
  uint64_t bad_heard() const { return bad_heard_; }

 private:
  class Held;  // the frames from the card that pass through the faults

  static constexpr size_t kBacklogFrames = 2;  // one in flight, one ready to follow at once

  void Refill();
  void OnSent(HeardFrame&& frame);
  void OnHeard(HeardFrame&& frame);
  void DeliverHeld();

  std::unique_ptr<FaultPort> port_;
  Held* held_;  // owned by from_card_
  std::unique_ptr<FaultPort> from_card_;
  bool harm_from_card_;
  FarEnd& end_;
  std::unique_ptr<PcapngWriter> capture_, faults_;
  std::function<void(const HeardFrame&)> on_sent_, on_heard_;
  int64_t last_heard_ps_ = 0;
  uint64_t sent_ = 0, heard_ = 0, bad_heard_ = 0;
};

}  // namespace ullnic
