// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/cycle_histogram.h"
#include "toe_sweep/bench.h"
#include "toe_sweep/tasks.h"

namespace ullnic::toe {
namespace {

// By then the line is idle, and the engine's scans have visited this session; any phase.
constexpr int64_t kIdleCycles = 160;
constexpr uint64_t kPhases = 33;

struct TransmitMode {
  const char* name;
  Given given;
};
constexpr TransmitMode kTransmitModes[] = {{"cut_through", Given::kLengthAndSum},
                                           {"store_forward", Given::kLength},
                                           {"store_forward_no_length", Given::kNothing}};

nlohmann::json Row(const char* path, const char* mode, size_t bytes, const CycleHistogram& found) {
  return {{"path", path}, {"mode", mode}, {"payload_bytes", bytes}, {"cycles", found.CyclesJson()}};
}

void Idle(Bench& bench) {
  bench.Cycles(kIdleCycles + static_cast<int64_t>(bench.rng.Below(kPhases)));
}

// From the user's first beat to the first word at the MAC.
int64_t Transmit(Bench& bench, size_t bytes, Given given) {
  Idle(bench);
  const Bytes sent = RandomBytes(bench.rng, bytes);
  int64_t latency = -1;
  bench.on_segment = [&](const LeftFrame& frame, const Bytes& payload) {
    if (payload.empty()) return;  // an ACK of the engine
    if (payload != sent) Fault("a segment with another payload than was given");
    latency = frame.offered - bench.sender.offered();
  };
  bench.sender.Offer(sent, given, bench.session);
  bench.Until([&] { return latency >= 0; }, "the segment");
  bench.Send(bench.peer->Ack(), bench.now());
  bench.Until([&] { return bench.arriving.idle(); }, "the end of an ACK");
  bench.on_segment = nullptr;
  return latency;
}

struct Received {
  int64_t behind_begin, behind_end;  // of the frame at the MAC
};

// The first beat at the user.
Received Receive(Bench& bench, size_t bytes, int64_t phase) {
  Idle(bench);
  const Bytes sent = RandomBytes(bench.rng, bytes);
  bench.receiver.Expect(sent);
  bench.receiver.Forget();
  bench.Send(bench.peer->Data(sent), bench.now() + phase);
  bench.Until([&] { return bench.receiver.missing() == 0; }, "the payload");
  const int64_t first = bench.receiver.first_beat();
  return {first - bench.arriving.first_cycle(), first - bench.arriving.last_cycle()};
}

}  // namespace

Bytes RandomBytes(Rng& rng, size_t count) {
  Bytes bytes(count);
  for (uint8_t& byte : bytes) byte = static_cast<uint8_t>(rng.Next());
  return bytes;
}

nlohmann::json TransmitLatency(const Task& task) {
  Bench bench(task.clock, task.seed);
  bench.Open();
  nlohmann::json rows = nlohmann::json::array();
  for (const TransmitMode& mode : kTransmitModes) {
    for (const size_t bytes : task.sizes) {
      CycleHistogram found;
      for (uint64_t n = 0; n < task.repeats; ++n) found.Add(Transmit(bench, bytes, mode.given));
      rows.push_back(Row("tx", mode.name, bytes, found));
    }
  }
  return rows;
}

nlohmann::json ReceiveLatency(const Task& task) {
  const char* mode = kEngine.store_forward ? "store_forward" : "cut_through";
  const std::string any_pause = fmt::format("{}_any_pause", mode);
  Bench bench(task.clock, task.seed);
  bench.Open();
  nlohmann::json rows = nlohmann::json::array();
  for (const size_t bytes : task.sizes) {
    CycleHistogram found, behind;
    for (uint64_t n = 0; n < task.repeats; ++n) {
      const Received each = Receive(bench, bytes, 0);
      found.Add(each.behind_begin);
      behind.Add(each.behind_end);
    }
    rows.push_back(Row("rx", mode, bytes, found));
    if (kEngine.store_forward) rows.push_back(Row("rx", "behind_the_verdict", bytes, behind));
  }
  for (const size_t bytes : task.anywhere) {
    CycleHistogram found;
    for (int64_t phase = 0; phase < task.clock.cycle; phase += task.clock.phase_step()) {
      found.Add(Receive(bench, bytes, phase).behind_begin);
    }
    rows.push_back(Row("rx", any_pause.c_str(), bytes, found));
  }
  if (bench.dropped > 0) Fault(fmt::format("{} frames dropped", bench.dropped));
  return rows;
}

}  // namespace ullnic::toe
