// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0

#include "toe_sweep/bench.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "ate_sweep/segment.h"
#include "core/user_error.h"

namespace ullnic::toe {
namespace {

constexpr int64_t kResetCycles = 8;
constexpr int64_t kAfterResetCycles = 1500;  // the engine clears its tables: 1024 sessions at most
constexpr int64_t kLimitCycles = 20'000;     // timeout of any wait
constexpr uint16_t kSessions = 64;
constexpr double kTickNs = 1e6;

uint64_t MacNumber(const std::array<uint8_t, 6>& mac) {
  uint64_t number = 0;
  for (const uint8_t byte : mac) number = number << 8 | byte;
  return number;
}

}  // namespace

void Fault(const std::string& what) {
  throw UserError(what,
                  "this is a fault of the engine or of this program; repeat it with its seed");
}

void Sender::Drive(Inputs& inputs, int64_t cycle) {
  inputs.beat = {};
  if (packets_.empty()) return;
  const Packet& packet = packets_.front();
  if (std::exchange(fresh_, false)) offered_ = cycle;
  const size_t count = std::min(kEngine.transmit_bytes, packet.payload.size() - at_);
  std::copy_n(packet.payload.begin() + static_cast<ptrdiff_t>(at_), count,
              inputs.beat.data.begin());
  inputs.beat.keep = static_cast<uint16_t>((1u << count) - 1);
  inputs.beat.valid = true;
  inputs.beat.last = at_ + count == packet.payload.size();
  inputs.beat.session = packet.session;
  inputs.length_given = packet.given != Given::kNothing;
  inputs.length = static_cast<uint16_t>(packet.payload.size());
  inputs.sum_given = packet.given == Given::kLengthAndSum;
  // The engine's sum has the first byte in the low half.
  if (at_ == 0 && inputs.sum_given) {
    inputs.sum = __builtin_bswap16(OnesSum(packet.payload.data(), packet.payload.size()));
  }
}

void Sender::Taken() {
  at_ += kEngine.transmit_bytes;
  if (at_ < packets_.front().payload.size()) return;
  packets_.pop_front();
  at_ = 0;
  fresh_ = true;
}

void Receiver::Take(const Beat& beat, int64_t cycle) {
  for (size_t i = 0; i < kEngine.receive_bytes; ++i) {
    if ((beat.keep >> i & 1) == 0) continue;
    segment_.push_back(beat.data[i]);
    if (first_beat_ < 0) first_beat_ = cycle;
  }
  if (!beat.last) return;
  const Bytes segment = std::exchange(segment_, {});
  if (beat.bad) return;
  if (segment.size() > due_.size() || !std::equal(segment.begin(), segment.end(), due_.begin())) {
    Fault(fmt::format("the user is given {} bytes that were not sent", segment.size()));
  }
  due_.erase(due_.begin(), due_.begin() + static_cast<ptrdiff_t>(segment.size()));
}

Bench::Bench(const LineClock& clock_given, uint64_t seed)
    : clock(clock_given),
      rng(Rng::Stream(seed, 0)),
      arriving(clock),
      leaving(clock),
      engine_(MakeEngine()),
      tick_cycles_(static_cast<int64_t>(kTickNs / clock.period.ns())) {
  Connection connection = RandomConnection(rng);
  connection.source.ip = {198, 18, 0, 7};  // on one network, not a multicast address
  connection.destination.ip = {198, 18, 0, 1};
  connection.source.port |= 1;  // never port 0
  connection.destination.port |= 1;
  session = static_cast<uint16_t>(rng.Below(kSessions));
  peer = std::make_unique<Peer>(connection, connection.seq);
  inputs_.mac = MacNumber(connection.source.mac);
  inputs_.ip = 198u << 24 | 18u << 16 | 7;
}

void Bench::Fail(const std::string& what) const {
  Fault(fmt::format("{} (cycle {})", what, cycle));
}

void Bench::Until(const std::function<bool()>& holds, const char* what) {
  for (const int64_t end = cycle + kLimitCycles; !holds(); Cycle()) {
    if (cycle > end) Fail(fmt::format("{} did not come within {} cycles", what, kLimitCycles));
  }
}

void Bench::Cycle() {
  inputs_.rst = cycle < kResetCycles;
  inputs_.tick = cycle == next_tick_;
  if (inputs_.tick) next_tick_ += tick_cycles_;
  inputs_.from_line = arriving.At(cycle);
  inputs_.line_ready = leaving.Ready(cycle);
  sender.Drive(inputs_, cycle);
  const Outputs out = engine_->Settle(inputs_);
  if (!inputs_.rst) {
    if (inputs_.beat.valid && out.beat_ready) sender.Taken();
    if (inputs_.order.valid && out.order_ready) inputs_.order.valid = false;
    if (out.beat.valid) receiver.Take(out.beat, cycle);
    if (out.drops != 0) ++dropped;
    if (out.event_valid) {
      if (out.event_code != kConnected) Fail(fmt::format("event {}", out.event_code));
      open_ = true;
    }
    if (auto frame = leaving.Watch(cycle, out.to_line)) {
      if (frame->taken_back) Fail("a frame is taken back");
      Bytes payload;
      if (!open_) {
        left_.push_back(std::move(*frame));
      } else if (const std::string wrong = peer->Take(frame->bytes, payload); !wrong.empty()) {
        Fail(fmt::format("in a segment {}", wrong));
      } else if (on_segment) {
        on_segment(*frame, payload);
      }
    }
  }
  engine_->Rise();
  ++cycle;
}

void Bench::Open() {
  Cycles(kAfterResetCycles);
  inputs_.order = {.valid = true,
                   .command = Command::kListen,
                   .session = session,
                   .local_port = peer->connection().source.port};
  Until([this] { return !inputs_.order.valid; }, "the order's acceptance");
  Cycles(200);
  // Announcements of the engine's address are ignored.
  left_.clear();
  Send(peer->Syn(kMss), now());
  Until([this] { return !left_.empty(); }, "the answer to SYN");
  if (const std::string wrong = peer->TakeSynAck(left_.front().bytes); !wrong.empty()) {
    Fail(fmt::format("in the answer to SYN {}", wrong));
  }
  Send(peer->Ack(), now());
  Until([this] { return open_; }, "the connection");
  Cycles(300);
}

}  // namespace ullnic::toe
