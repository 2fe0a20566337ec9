// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Two engines, each one's transmitter connected to the other's receiver only by the line's pace:
// one connects to the other, with ARP and handshake. The first one's user sends, the second one's
// receives.

#include <fmt/format.h>

#include <array>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/cycle_histogram.h"
#include "toe_sweep/bench.h"
#include "toe_sweep/tasks.h"

namespace ullnic::toe {
namespace {

constexpr int64_t kResetCycles = 8, kAfterResetCycles = 1500, kLimitCycles = 20'000;
constexpr int64_t kIdleCycles = 400;     // an ACK has been received by then
constexpr int64_t kTickCycles = 20'000;  // the engines wait for each other, not for ticks
constexpr uint16_t kPort = 5000, kOwnPort = 40'000, kSession = 3;
constexpr uint32_t kNetwork = 198u << 24 | 18u << 16;
constexpr uint64_t kMac = 0x02'00'00'00'00'10;

class Pair {
 public:
  explicit Pair(const LineClock& clock) : wires_{Wire(clock), Wire(clock)} {
    for (size_t n = 0; n < 2; ++n) {
      ends_[n].engine = MakeEngine();
      ends_[n].inputs.mac = kMac + n;
      ends_[n].inputs.ip = kNetwork | static_cast<uint32_t>(1 + n);
    }
  }

  void Open() {
    Cycles(kAfterResetCycles);
    ends_[1].inputs.order = {
        .valid = true, .command = Command::kListen, .session = kSession, .local_port = kPort};
    Cycles(kAfterResetCycles);
    ends_[0].inputs.order = {.valid = true,
                             .command = Command::kConnect,
                             .session = kSession,
                             .peer_ip = ends_[1].inputs.ip,
                             .peer_port = kPort,
                             .local_port = kOwnPort};
    Until([this] { return ends_[0].open && ends_[1].open; }, "the connection");
  }

  int64_t Latency(const Bytes& payload, Given given) {
    Cycles(kIdleCycles);
    Receiver& receiver = ends_[1].receiver;
    receiver.Expect(payload);
    receiver.Forget();
    ends_[0].sender.Offer(payload, given, kSession);
    Until([&] { return receiver.missing() == 0; }, "the payload");
    return receiver.first_beat() - ends_[0].sender.offered();
  }

 private:
  struct End {
    std::unique_ptr<Engine> engine;
    Inputs inputs;
    Sender sender;
    Receiver receiver;
    bool open = false;
  };

  void Cycles(int64_t count) {
    for (; count > 0; --count) Cycle();
  }

  template <class Condition>
  void Until(const Condition& holds, const char* what) {
    for (const int64_t end = cycle_ + kLimitCycles; !holds(); Cycle()) {
      if (cycle_ > end) Fault(fmt::format("{} did not come (cycle {})", what, cycle_));
    }
  }

  // An engine's outputs are registers: they do not depend on its inputs in the same cycle.
  void Cycle() {
    for (size_t n = 0; n < 2; ++n) {
      Inputs& in = ends_[n].inputs;
      in.rst = cycle_ < kResetCycles;
      in.tick = cycle_ % kTickCycles == 0;
      in.from_line = {};
      in.line_ready = wires_[n].Ready(cycle_);
      ends_[n].sender.Drive(in, cycle_);
    }
    std::array<MacWord, 2> sent;
    for (size_t n = 0; n < 2; ++n) sent[n] = ends_[n].engine->Settle(ends_[n].inputs).to_line;
    for (size_t n = 0; n < 2; ++n) {
      ends_[1 - n].inputs.from_line = wires_[n].Pass(cycle_, sent[n]);
    }
    for (End& end : ends_) {
      const Outputs out = end.engine->Settle(end.inputs);
      if (!end.inputs.rst) Look(end, out);
      end.engine->Rise();
    }
    ++cycle_;
  }

  void Look(End& end, const Outputs& out) {
    if (end.inputs.beat.valid && out.beat_ready) end.sender.Taken();
    if (end.inputs.order.valid && out.order_ready) end.inputs.order.valid = false;
    if (out.beat.valid) end.receiver.Take(out.beat, cycle_);
    if (out.drops != 0) Fault(fmt::format("a frame is dropped (cycle {})", cycle_));
    if (!out.event_valid) return;
    if (out.event_code != kConnected) Fault(fmt::format("event {}", out.event_code));
    end.open = true;
  }

  std::array<End, 2> ends_;
  std::array<Wire, 2> wires_;
  int64_t cycle_ = 0;
};

}  // namespace

nlohmann::json RoundTrip(const Task& task) {
  const char* mode = kEngine.store_forward ? "store_forward" : "cut_through";
  const Given given = kEngine.store_forward ? Given::kLength : Given::kLengthAndSum;
  Rng rng = Rng::Stream(task.seed, 1);
  Pair pair(task.clock);
  pair.Open();
  nlohmann::json rows = nlohmann::json::array();
  for (const size_t bytes : task.sizes) {
    CycleHistogram found;
    for (uint64_t n = 0; n < task.repeats; ++n) {
      found.Add(pair.Latency(RandomBytes(rng, bytes), given));
    }
    rows.push_back({{"path", "rtt"},
                    {"mode", mode},
                    {"payload_bytes", bytes},
                    {"cycles", found.CyclesJson()}});
  }
  return rows;
}

}  // namespace ullnic::toe
