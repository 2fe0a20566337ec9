// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0

#include "nic/tester.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "nic/host_drivers.h"
#include "nic/tester_registers.h"

namespace ullnic {
namespace {

using namespace tester;

constexpr size_t kMaxToSend = 256;   // frames
constexpr size_t kMaxToHost = 4096;  // packets
// A frame's answer has been received and passed to the host before software sees the frame's
// transmit time: a program may stop listening once it knows that its last frame has been sent.
constexpr int64_t kHoldPs = 2'000'000;
constexpr uint32_t kNothingThere = ~uint32_t{0};

uint64_t Ticks(int64_t ps) { return static_cast<uint64_t>(ps / Tester::kTickPs); }
uint32_t Low(uint64_t value) { return static_cast<uint32_t>(value); }
uint32_t High(uint64_t value) { return static_cast<uint32_t>(value >> 32); }

// A chunk (cores/ate/README.md): its header, two bytes of padding, the frame.
constexpr size_t kChunkHeader = 8, kChunkPadding = 2;
constexpr uint8_t kRawChunk = 1;

bool IsRawChunk(std::span<const uint8_t> chunk) {
  if (chunk.size() <= kChunkHeader + kChunkPadding) return false;
  const size_t length = chunk[4] | size_t{chunk[5]} << 8;
  return chunk[6] == kRawChunk && length == chunk.size() - kChunkHeader &&
         length - kChunkPadding <= kMaxFrameBytes;
}

}  // namespace

class Tester::Port final : public FramePort {
 public:
  Port(Tester& tester, unsigned port) : tester_(tester), state_(tester.ports_.at(port)) {}

  nlohmann::json Describe() const override { return {{"kind", "tester"}}; }
  bool Receive(Frame& frame) override {
    if (state_.to_send.empty()) return false;
    frame = {};
    frame.bytes = std::move(state_.to_send.front());
    state_.to_send.pop_front();
    return true;
  }
  void Deliver(const Bytes& frame, int64_t time_ps) override {
    tester_.Deliver(state_, frame, time_ps);
  }
  bool finished() const override { return false; }

 private:
  Tester& tester_;
  State& state_;
};

Tester::Tester(unsigned ports, std::function<int64_t()> now_ps)
    : now_ps_(std::move(now_ps)), ports_(ports) {}

Tester::~Tester() = default;

std::unique_ptr<FramePort> Tester::MakePort(unsigned port) {
  ports_.at(port).joined = true;
  return std::make_unique<Port>(*this, port);
}

bool Tester::joined() const {
  return std::any_of(ports_.begin(), ports_.end(), [](const State& port) { return port.joined; });
}

void Tester::OnSent(unsigned port, const HeardFrame& frame) {
  ports_.at(port).unpublished.push_back({frame.start_ps, now_ps_() + kHoldPs});
}

void Tester::Publish(State& port) const {
  while (!port.unpublished.empty() && port.unpublished.front().publish_ps <= now_ps_()) {
    ++port.sent;
    port.sent_ps = port.unpublished.front().start_ps;
    port.unpublished.pop_front();
  }
}

bool Tester::busy() const {
  const int64_t now = now_ps_();
  for (const State& port : ports_) {
    if (!port.to_send.empty()) return true;
    if (!port.unpublished.empty() && port.unpublished.back().publish_ps > now) return true;
  }
  return false;
}

void Tester::OnReset() {
  for (State& port : ports_) {
    port.to_send.clear();
    port.to_host.clear();
  }
}

void Tester::Deliver(State& port, const Bytes& frame, int64_t time_ps) {
  ++port.heard;
  if (port.to_host.size() >= kMaxToHost) {
    ++port.dropped;
    return;
  }
  Bytes packet;
  packet.reserve(C2hHeader::kBytes + frame.size());
  C2hHeader{.length = static_cast<uint16_t>(frame.size()),
            .type = C2hHeader::kReceived,
            .port = static_cast<uint8_t>(&port - ports_.data()),
            .sequence = port.sequence++,
            .timestamp = Ticks(time_ps)}
      .Append(packet);
  packet.insert(packet.end(), frame.begin(), frame.end());
  port.to_host.push_back(std::move(packet));
}

bool Tester::SendH2c(unsigned qid, std::span<const uint8_t> packet) {
  State& port = ports_.at(qid);
  if (port.to_send.size() >= kMaxToSend) return false;
  if (port.joined && IsRawChunk(packet)) {
    const auto frame = packet.subspan(kChunkHeader + kChunkPadding);
    port.to_send.emplace_back(frame.begin(), frame.end());
  } else {
    ++port.refused;
  }
  return true;
}

std::span<const uint8_t> Tester::PeekC2h(unsigned qid) {
  const State& port = ports_.at(qid);
  return port.to_host.empty() ? std::span<const uint8_t>() : port.to_host.front();
}

void Tester::PopC2h(unsigned qid) { ports_.at(qid).to_host.pop_front(); }

void Tester::ReadUser(uint32_t address, std::function<void(uint32_t)> done) {
  done(Register(address));
}

// All registers are read-only.
void Tester::WriteUser(uint32_t /*address*/, uint32_t /*value*/, std::function<void()> done) {
  done();
}

uint32_t Tester::Register(uint32_t address) {
  uint32_t joined = 0;
  for (size_t i = 0; i < ports_.size(); ++i) joined |= uint32_t{ports_[i].joined} << i;
  switch (address) {
    case kId:
      return kIdValue;
    case kVersion:
      return kVersionValue;
    case kCard:
      return kKindTester | static_cast<uint32_t>(ports_.size()) << 8;
    case kTcpEnables:
    case kConnections:
      return 0;
    case kPortStatus:
      return joined | joined << 8;
    case kTimeLow:
      time_ = Ticks(now_ps_());
      return Low(time_);
    case kTimeHigh:
      return High(time_);
    default:
      break;
  }
  const uint32_t port = (address - kPortBase) / kPortStride;
  if (address < kPortBase || port >= ports_.size()) return kNothingThere;
  return PortRegister(ports_[port], address % kPortStride);
}

uint32_t Tester::PortRegister(State& port, uint32_t offset) {
  switch (offset) {
    case kSent:
      Publish(port);
      return port.sent;
    case kSentTimeLow:
      return Low(Ticks(port.sent_ps));
    case kSentTimeHigh:
      return High(Ticks(port.sent_ps));
    case kHeard:
      return port.heard;
    case kDropped:
      return port.dropped;
    case kRefused:
      return port.refused;
    default:
      return kNothingThere;
  }
}

nlohmann::json Tester::Json() const {
  nlohmann::json ports = nlohmann::json::array();
  for (const State& port : ports_) {
    ports.push_back({{"heard", port.heard},
                     {"dropped", port.dropped},
                     {"refused", port.refused},
                     {"sent", port.sent + port.unpublished.size()}});
  }
  return ports;
}

}  // namespace ullnic
