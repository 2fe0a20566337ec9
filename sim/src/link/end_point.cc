// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0

#include "link/end_point.h"

#include <nlohmann/json.hpp>
#include <utility>

namespace ullnic {

EndPoint::EndPoint(std::unique_ptr<FramePort> port, const FaultConfig& faults, uint64_t fault_seed)
    : port_(std::make_unique<FaultPort>(std::move(port), faults, fault_seed)) {}

void EndPoint::Join(LinkEnd& end, FrameTracker& outgoing, FrameTracker& incoming) {
  end_ = &end;
  outgoing_ = &outgoing;
  incoming_ = &incoming;
  end.set_observer(this);
}

void EndPoint::Capture(const PcapngWriter::Config& config) {
  capture_ = std::make_unique<PcapngWriter>(config);
}

void EndPoint::Refill() {
  Frame frame;
  while (end_->tx_backlog() < kBacklogFrames && port_->Receive(frame)) {
    end_->Send(std::make_shared<const Frame>(std::move(frame)));
  }
}

void EndPoint::FlushCapture() {
  if (capture_) capture_->Flush();
}

nlohmann::json EndPoint::FaultsJson() const {
  const FaultPort::Counts& c = port_->counts();
  return {{"dropped_by_fault", c.dropped},
          {"duplicated_by_fault", c.duplicated},
          {"reordered_by_fault", c.reordered},
          {"corrupted_by_fault", c.corrupted}};
}

void EndPoint::OnOffer(const FramePtr& frame, uint64_t edge, int64_t time_ps, uint64_t idle_edges) {
  outgoing_->Offered(frame, edge, time_ps, idle_edges);
  if (capture_) capture_->Write(frame->bytes, time_ps, Direction::kOutbound);
}

void EndPoint::OnReceive(ReceivedFrame&& frame) {
  if (!incoming_->Received(frame)) return;
  port_->Deliver(frame.bytes, frame.sop_ps);
  if (capture_) capture_->Write(frame.bytes, frame.sop_ps, Direction::kInbound);
}

}  // namespace ullnic
