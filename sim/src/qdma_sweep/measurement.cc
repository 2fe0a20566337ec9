// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
#include "qdma_sweep/measurement.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/user_error.h"
#include "qdma_sweep/rig.h"

namespace ullnic::qdma_sweep {

namespace {

constexpr struct {
  const char* name;
  Mode mode;
} kModes[] = {{"forwarding", Mode::kForwarding},
              {"c2h", Mode::kC2h},
              {"h2c", Mode::kH2c},
              {"both", Mode::kBoth},
              {"mm_c2h", Mode::kMmC2h},
              {"mm_h2c", Mode::kMmH2c},
              {"mm_both", Mode::kMmBoth}};

// Packets received, in the direction with fewer.
uint64_t Done(const Point& point, const Counts& counts) {
  if (!point.to_host()) return counts.from_host;
  if (point.mode == Mode::kBoth || point.mode == Mode::kMmBoth) {
    return std::min(counts.from_host, counts.to_host);
  }
  return counts.to_host;
}

nlohmann::json Report(const Point& point, const Rig& rig, const Counts& a, const Counts& b) {
  const auto cycles = static_cast<double>(b.cycle - a.cycle);
  const double capacity = rig.CapacityOfCycles(b.cycle - a.cycle);
  const double us = cycles * kCyclePs / 1e6;
  const auto rate = [&](uint64_t from, uint64_t to) { return static_cast<double>(to - from) / us; };
  const auto part = [](uint64_t from, uint64_t to, double of) {
    return static_cast<double>(to - from) / of;
  };
  const auto packets = static_cast<double>(Done(point, b) - Done(point, a));
  return {{"packets", packets},
          {"cycles", cycles},
          {"c2h_mpps", point.to_host() ? rate(a.to_host, b.to_host) : 0},
          {"h2c_mpps", point.from_host() ? rate(a.from_host, b.from_host) : 0},
          {"memory_bytes_per_us", rig.card_memory().most_bytes_per_us()},
          {"busy",
           {{"rq", part(a.rq_beats, b.rq_beats, cycles)},
            {"rc", part(a.rc_beats, b.rc_beats, cycles)},
            {"link_up", part(a.up_bytes, b.up_bytes, capacity)},
            {"link_down", part(a.down_bytes, b.down_bytes, capacity)}}},
          {"per_packet",
           {{"statuses", part(a.statuses, b.statuses, packets)},
            {"entry_writes", part(a.entry_writes, b.entry_writes, packets)},
            {"reads", part(a.reads, b.reads, packets)},
            {"held", part(a.held, b.held, packets)}}}};
}

void Drain(const Point& point, Rig& rig, nlohmann::json& result) {
  rig.source().set_generates(false);
  rig.host_driver().Stop();
  rig.Until([&] { return rig.IsIdle(); }, "packets do not come to their end");
  rig.CheckWrites();
  if (point.is_mm()) {
    const MmDriver& mm = rig.mm_driver();
    result["sent"] = mm.posted();
    result["lost"] = mm.posted() - mm.done_to_host() - mm.done_to_card();
    return;
  }
  const Driver& driver = rig.driver();
  const uint64_t asked_for =
      (point.from_host() ? driver.sent() : 0) + (point.to_host() ? rig.source().sent() : 0);
  const uint64_t came =
      (point.from_host() ? rig.sink().packets() : 0) + (point.to_host() ? driver.received() : 0);
  result["sent"] = asked_for;
  result["lost"] = asked_for - came;
}

}  // namespace

Mode ModeOf(const std::string& name) {
  for (const auto& each : kModes) {
    if (name == each.name) return each.mode;
  }
  throw UserError(fmt::format("there is no mode '{}'", name),
                  "take one of forwarding, c2h, h2c, both, mm_c2h, mm_h2c, mm_both");
}

void Check(const Point& point) {
  pcie::Check(point.link);
  if (point.queues < 1 || point.queues > kQueues) {
    throw UserError(fmt::format("{} queues", point.queues),
                    fmt::format("take 1 to {}: the card is built with so many", kQueues));
  }
  if (point.is_vf && point.queues > kQueuesOfVf) {
    throw UserError(fmt::format("{} queues of a VF", point.queues),
                    fmt::format("take 1 to {}: its BAR has so many doorbells", kQueuesOfVf));
  }
  const size_t most = point.is_mm() ? Pattern::kMostBytes : kMostOfPacket;
  if (point.size < 1 || point.size > most) {
    throw UserError(fmt::format("packets of {} bytes", point.size),
                    fmt::format("take 1 to {} bytes", most));
  }
  if (point.offset >= 4096) {
    throw UserError(fmt::format("a buffer at offset {} of 4096", point.offset),
                    "take less than 4096");
  }
}

nlohmann::json Measure(const Point& point) {
  Check(point);
  Rig rig(point);
  rig.Start();
  rig.source().set_generates(point.mode == Mode::kC2h || point.mode == Mode::kBoth);
  rig.host_driver().Begin();
  // Until all initially posted packets have been received
  const uint64_t warm = std::max<uint64_t>(point.packets / 4, point.in_flight());
  const auto until = [&](uint64_t packets) {
    // Many queues have more in flight than arrives within the rig's timeout.
    for (uint64_t seen = Done(point, rig.Now()); seen < packets; seen = Done(point, rig.Now())) {
      rig.Until([&] { return Done(point, rig.Now()) > seen; }, "packets do not come any more");
    }
    return rig.Now();
  };
  const Counts begin = until(warm);
  const Counts end = until(warm + point.packets);
  nlohmann::json result = Report(point, rig, begin, end);
  Drain(point, rig, result);
  return result;
}

}  // namespace ullnic::qdma_sweep
