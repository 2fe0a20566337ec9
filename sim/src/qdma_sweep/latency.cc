// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
#include "qdma_sweep/latency.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/cycle_histogram.h"
#include "qdma_sweep/measurement.h"
#include "qdma_sweep/rig.h"

namespace ullnic::qdma_sweep {

namespace {

constexpr int kAheadCycles = 40;

// From the doorbell on CQ to the first beat at the user, without the reads of descriptor and
// payload.
int64_t H2cCycles(Rig& rig, BoundaryLog& log) {
  log.Clear();
  const uint64_t before = rig.sink().packets();
  rig.driver().SendOne(0);
  rig.Until([&] { return rig.sink().packets() > before && rig.IsIdle(); }, "a packet is lost");
  std::vector<int64_t> reads;
  for (const auto& request : log.rq) {
    if (request.kind == pcie::Kind::kNonPosted) reads.push_back(request.cycle);
  }
  if (reads.size() < 2 || log.cq.empty()) Fault("no two reads for a packet");
  int64_t host = 0;
  for (const int64_t read : {reads[0], reads[1]}) {
    host += *std::ranges::upper_bound(log.rc, read) - read;
  }
  return log.to_user.front() - log.cq.front() - host;
}

struct C2hCycles {
  int64_t payload;   // from the first beat to the end of the first write on RQ
  int64_t entry;     // from the last beat to the entry on RQ
  int64_t from_ask;  // from the ask to the entry
};
// Its beats are available with the grant, or long after it.
C2hCycles C2h(Rig& rig, BoundaryLog& log, unsigned entry_bytes, bool is_ahead) {
  log.Clear();
  const uint64_t before = rig.driver().entries_written();
  rig.source().set_stalled(is_ahead);
  rig.source().Offer(0);
  for (int i = 0; i < kAheadCycles; ++i) rig.Cycle();
  rig.source().set_stalled(false);
  rig.Until([&] { return rig.driver().entries_written() > before && rig.IsIdle(); },
            "a packet is lost");
  const auto is_write = [](const auto& request) { return request.kind == pcie::Kind::kPosted; };
  const auto is_entry = [&](const auto& request) {
    return request.kind == pcie::Kind::kPosted && request.bytes == entry_bytes;
  };
  const auto payload = std::ranges::find_if(log.rq, is_write);
  // The last one: payload may have as many bytes.
  const auto entry = std::find_if(log.rq.rbegin(), log.rq.rend(), is_entry);
  if (entry == log.rq.rend()) Fault("no entry of a packet");
  return {.payload = payload->cycle - log.from_user.front(),
          .entry = entry->cycle - log.from_user.back(),
          .from_ask = entry->cycle - log.asks.front()};
}

}  // namespace

nlohmann::json MeasureLatency(const Point& wanted, int repeats) {
  Point point = wanted;
  point.mode = Mode::kBoth;
  point.queues = 1;
  Check(point);
  Rig rig(point);
  rig.Start();
  rig.driver().Stop();  // it sends only what is requested
  BoundaryLog& log = rig.KeepLog();
  CycleHistogram h2c, payload, entry, from_ask, payload_ahead, entry_ahead;
  for (int i = 0; i < repeats; ++i) {
    h2c.Add(H2cCycles(rig, log));
    const C2hCycles c2h = C2h(rig, log, point.entry_bytes(), false),
                    ahead = C2h(rig, log, point.entry_bytes(), true);
    payload.Add(c2h.payload);
    entry.Add(c2h.entry);
    from_ask.Add(c2h.from_ask);
    payload_ahead.Add(ahead.payload);
    entry_ahead.Add(ahead.entry);
  }
  return {{"doorbell_to_user", h2c.CyclesJson()},
          {"beat_to_payload", payload.CyclesJson()},
          {"last_beat_to_entry", entry.CyclesJson()},
          {"ask_to_entry", from_ask.CyclesJson()},
          {"beat_to_payload_granted_ahead", payload_ahead.CyclesJson()},
          {"last_beat_to_entry_granted_ahead", entry_ahead.CyclesJson()}};
}

}  // namespace ullnic::qdma_sweep
