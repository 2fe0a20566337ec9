// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// The share of the line's rate that segments of one size use, including preamble, headers, padding,
// FCS and gap. It is measured between the first bytes of the first and of the last segment on the
// line.

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>

#include "toe_sweep/bench.h"
#include "toe_sweep/tasks.h"

namespace ullnic::toe {
namespace {

constexpr size_t kHeaders = 14 + 20 + 20;
constexpr size_t kPacketsAhead = 4;     // of the user
constexpr size_t kFramesAhead = 2;      // of the peer
constexpr int64_t kSettleCycles = 500;  // everything in flight has arrived by then

// Traffic in both directions.
struct Ways {
  std::optional<Given> transmit;
  bool receive = false;
  int share = 100;  // of the line that the peer uses, percent
};

// Segments in one direction.
struct Count {
  int64_t first = 0, last = 0;  // units: when the first and the last began
  uint64_t frames = 0;
  uint64_t dropped = 0;

  void Add(int64_t start) {
    if (frames++ == 0) first = start;
    last = start;
  }

  nlohmann::json Row(const char* path, const char* mode, size_t bytes, const Task& task,
                     int share) const {
    const auto gaps = static_cast<double>(frames - 1);
    const double cycles = static_cast<double>(last - first) / static_cast<double>(task.clock.cycle);
    const double us = cycles * task.clock.period.ns() / 1000;
    return {{"path", path},
            {"mode", mode},
            {"payload_bytes", bytes},
            {"frames", frames},
            {"dropped", dropped},
            {"share", share},
            {"line_mbit_s", 8 * gaps * static_cast<double>(LineBytes(kHeaders + bytes)) / us},
            {"payload_mbit_s", 8 * gaps * static_cast<double>(bytes) / us}};
  }
};

struct Counts {
  Count transmitted, received;
};

// The user always has the next packet ready; the peer sends as the engine's window allows. The peer
// acknowledges every second segment, and the last one, as soon as it has arrived; while it sends,
// the ACKs are piggybacked. There are no retransmissions.
class Traffic {
 public:
  Traffic(const Task& task, size_t bytes, const Ways& ways)
      : task_(task), bytes_(bytes), ways_(ways), bench_(task.clock, task.seed + bytes) {
    bench_.Open();
    bench_.share = ways.share;
    bench_.on_segment = [this](const LeftFrame& frame, const Bytes& payload) {
      if (!payload.empty()) TakeSegment(frame, payload);
    };
  }

  Counts Run() {
    Count &sent = counts_.transmitted, &received = counts_.received;
    while (offered_ < transmit_frames() || received.frames < receive_frames()) {
      Offer();
      Arrive();
      bench_.Cycle();
      if (bench_.dropped > 0) break;
    }
    if (bench_.dropped == 0) {
      bench_.Until([&] { return sent.frames == transmit_frames(); }, "the last segment");
    }
    bench_.Until([this] { return bench_.arriving.idle(); }, "the end of what the peer sends");
    bench_.Cycles(kSettleCycles);
    const uint64_t missing = (bench_.receiver.missing() + bytes_ - 1) / bytes_;
    received.dropped = std::max(bench_.dropped, missing);
    return counts_;
  }

 private:
  uint64_t transmit_frames() const { return ways_.transmit ? task_.frames : 0; }
  uint64_t receive_frames() const { return ways_.receive ? task_.frames : 0; }

  void Offer() {
    while (offered_ < transmit_frames() && bench_.sender.waiting() < kPacketsAhead) {
      given_.push_back(RandomBytes(bench_.rng, bytes_));
      bench_.sender.Offer(given_.back(), *ways_.transmit, bench_.session);
      ++offered_;
    }
  }

  void Arrive() {
    Count& received = counts_.received;
    while (received.frames < receive_frames() && bench_.arriving.waiting() < kFramesAhead &&
           bench_.peer->room() >= bytes_) {
      const Bytes payload = RandomBytes(bench_.rng, bytes_);
      bench_.receiver.Expect(payload);
      received.Add(bench_.Send(bench_.peer->Data(payload), bench_.now()));
    }
  }

  void TakeSegment(const LeftFrame& frame, const Bytes& payload) {
    if (given_.empty() || payload != given_.front()) {
      Fault("a segment with another payload than was given");
    }
    given_.pop_front();
    Count& sent = counts_.transmitted;
    sent.Add(frame.start);
    const bool sending = counts_.received.frames < receive_frames();
    if (!sending && (sent.frames % 2 == 0 || sent.frames == task_.frames)) {
      bench_.Send(bench_.peer->Ack(), bench_.now());
    }
  }

  const Task& task_;
  const size_t bytes_;
  const Ways ways_;
  Bench bench_;
  Counts counts_;
  uint64_t offered_ = 0;     // packets
  std::deque<Bytes> given_;  // by the user, not on the line yet
};

// At the peer's highest rate without a drop.
template <class Add>
void WithoutDrop(const Task& task, size_t bytes, Ways ways, const Add& add) {
  for (; ways.share > 0; --ways.share) {
    const Counts counts = Traffic(task, bytes, ways).Run();
    if (counts.received.dropped > 0) continue;
    add(counts, ways.share);
    return;
  }
  Fault(fmt::format("segments of {} bytes are dropped at every rate", bytes));
}

}  // namespace

nlohmann::json Bandwidth(const Task& task) {
  constexpr const char* kBoth = "both_ways";
  const char* receive = kEngine.store_forward ? "store_forward" : "cut_through";
  nlohmann::json rows = nlohmann::json::array();
  for (const size_t bytes : task.sizes) {
    for (const auto& [mode, given] : {std::pair{"cut_through", Given::kLengthAndSum},
                                      std::pair{"store_forward", Given::kLength}}) {
      WithoutDrop(task, bytes, {.transmit = given}, [&, mode = mode](const Counts& c, int share) {
        rows.push_back(c.transmitted.Row("tx", mode, bytes, task, share));
      });
    }
    WithoutDrop(task, bytes, {.receive = true}, [&](const Counts& c, int share) {
      rows.push_back(c.received.Row("rx", receive, bytes, task, share));
    });
    const Ways both = {.transmit = Given::kLengthAndSum, .receive = true};
    WithoutDrop(task, bytes, both, [&](const Counts& c, int share) {
      rows.push_back(c.transmitted.Row("tx", kBoth, bytes, task, share));
      rows.push_back(c.received.Row("rx", kBoth, bytes, task, share));
    });
  }
  return rows;
}

}  // namespace ullnic::toe
