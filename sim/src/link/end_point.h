// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// A user port connected to one end of the link: frames go from the port to the end and back,
// through the capture and the tracker of each direction.
#pragma once

#include <cstdint>
#include <memory>

#include "capture/pcapng_writer.h"
#include "core/frame_tracker.h"
#include "core/link_end.h"
#include "port/fault_port.h"

namespace ullnic {

class EndPoint final : public EndObserver {
 public:
  EndPoint(std::unique_ptr<FramePort> port, const FaultConfig& faults, uint64_t fault_seed);

  void Join(LinkEnd& end, FrameTracker& outgoing, FrameTracker& incoming);
  void Capture(const PcapngWriter::Config& config);

  // Takes frames from the port while the transmitter has too few.
  void Service() {
    if (end_->tx_backlog() < kBacklogFrames && !port_->finished()) Refill();
  }
  // Releases frames that a fault delays.
  void Flush() { port_->Flush(); }
  void FlushCapture();
  bool Finished() const { return port_->finished() && end_->tx_backlog() == 0; }

  FramePort& port() { return *port_; }
  LinkEnd& end() { return *end_; }
  nlohmann::json FaultsJson() const;

  void OnOffer(const FramePtr& frame, uint64_t edge, int64_t time_ps, uint64_t idle_edges) override;
  void OnReceive(ReceivedFrame&& frame) override;

 private:
  static constexpr size_t kBacklogFrames = 2;  // one in flight, one ready to follow at once

  void Refill();

  std::unique_ptr<FaultPort> port_;
  LinkEnd* end_ = nullptr;
  FrameTracker* outgoing_ = nullptr;
  FrameTracker* incoming_ = nullptr;
  std::unique_ptr<PcapngWriter> capture_;
};

}  // namespace ullnic
