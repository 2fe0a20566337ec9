// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0

#include "nic/port_point.h"

#include <deque>
#include <nlohmann/json.hpp>
#include <utility>

namespace ullnic {
namespace {

nlohmann::json FaultsJson(const FaultPort& port) {
  const FaultPort::Counts& c = port.counts();
  return {{"dropped", c.dropped},
          {"duplicated", c.duplicated},
          {"reordered", c.reordered},
          {"corrupted", c.corrupted}};
}

}  // namespace

// FaultPort injects faults into what it receives: here, frames received by the far end.
class PortPoint::Held final : public FramePort {
 public:
  void Put(const Bytes& bytes) { frames_.push_back(bytes); }

  nlohmann::json Describe() const override { return {{"kind", "heard"}}; }
  bool Receive(Frame& frame) override {
    if (frames_.empty()) return false;
    frame = {};
    frame.bytes = std::move(frames_.front());
    frames_.pop_front();
    return true;
  }
  void Deliver(const Bytes& /*frame*/, int64_t /*time_ps*/) override {}
  bool finished() const override { return false; }

 private:
  std::deque<Bytes> frames_;
};

PortPoint::PortPoint(std::unique_ptr<FramePort> port, FarEnd& end, const Config& config)
    : port_(std::make_unique<FaultPort>(std::move(port), config.to_card,
                                        Rng::Stream(config.seed, 0).Next())),
      harm_from_card_(config.from_card.any_frame_fault()),
      end_(end) {
  auto held = std::make_unique<Held>();
  held_ = held.get();
  from_card_ = std::make_unique<FaultPort>(std::move(held), config.from_card,
                                           Rng::Stream(config.seed, 1).Next());
  end_.set_on_sent([this](HeardFrame&& frame) { OnSent(std::move(frame)); });
  end_.set_on_heard([this](HeardFrame&& frame) { OnHeard(std::move(frame)); });
}

void PortPoint::Capture(const PcapngWriter::Config& config) {
  capture_ = std::make_unique<PcapngWriter>(config);
}

void PortPoint::CaptureFaults(const PcapngWriter::Config& config) {
  faults_ = std::make_unique<PcapngWriter>(config);
  const auto writer = [this](Direction direction) {
    return [this, direction](const Bytes& frame, const char* what) {
      faults_->Write(frame, end_.now_ps(), direction, what);
    };
  };
  port_->set_on_fault(writer(Direction::kInbound));
  from_card_->set_on_fault(writer(Direction::kOutbound));
}

void PortPoint::Refill() {
  Frame frame;
  while (end_.tx_backlog() < kBacklogFrames && port_->Receive(frame)) {
    end_.Send(std::make_shared<const Frame>(std::move(frame)));
  }
}

void PortPoint::Flush() {
  port_->Flush();
  from_card_->Flush();
  DeliverHeld();
}

void PortPoint::FlushCapture() {
  if (capture_) capture_->Flush();
  if (faults_) faults_->Flush();
}

void PortPoint::OnSent(HeardFrame&& frame) {
  ++sent_;
  if (capture_) capture_->Write(frame.frame.bytes, frame.start_ps, Direction::kInbound);
  if (on_sent_) on_sent_(frame);
}

void PortPoint::OnHeard(HeardFrame&& frame) {
  if (!frame.frame.good) {
    ++bad_heard_;
    return;
  }
  ++heard_;
  if (capture_) capture_->Write(frame.frame.bytes, frame.start_ps, Direction::kOutbound);
  if (on_heard_) on_heard_(frame);
  if (!harm_from_card_) {
    port_->Deliver(frame.frame.bytes, frame.start_ps);
    return;
  }
  last_heard_ps_ = frame.start_ps;
  held_->Put(frame.frame.bytes);
  DeliverHeld();
}

// A delayed frame is delivered with the one that overtook it.
void PortPoint::DeliverHeld() {
  Frame frame;
  while (from_card_->Receive(frame)) port_->Deliver(frame.bytes, last_heard_ps_);
}

nlohmann::json PortPoint::Json() const {
  const PortCounters& counters = port_->counters();
  const partner::FrameDecoder& line = end_.heard().receiver().decoder();
  return {{"to_card", {{"frames", sent_}, {"faults", FaultsJson(*port_)}}},
          {"from_card",
           {{"frames", heard_},
            {"bad_frames", bad_heard_},
            {"violations", line.breaches()},
            {"faults", FaultsJson(*from_card_)}}},
          {"refused", counters.refused_in},
          {"dropped_in", counters.dropped_in},
          {"dropped_out", counters.dropped_out}};
}

}  // namespace ullnic
