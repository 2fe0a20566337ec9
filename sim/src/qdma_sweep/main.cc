// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// ullnic-qdma-sweep: packet rates of the DMA behind a model of the PCIe link, and of the link
// alone.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <nlohmann/json.hpp>

#include "core/user_error.h"
#include "pcie/calibration.h"
#include "program/measuring.h"
#include "program/version.h"
#include "qdma_sweep/latency.h"
#include "qdma_sweep/measurement.h"

namespace {

using ullnic::qdma_sweep::Mode;
using ullnic::qdma_sweep::Point;

constexpr int64_t kPsOfNs = 1000;

struct Arguments {
  Point point;
  std::string mode = "forwarding";
  std::string link = "gen3x16";
  std::vector<unsigned> sizes = {64};
  int64_t read_latency_ns = 700;
  int64_t read_spread_ns = 50;
  uint64_t packets = 0;
  bool calibrate = false;
  bool latency = false;
  int repeats = 20;
  std::string json_path;
};

void AddOptions(CLI::App& app, Arguments& a) {
  auto& link = a.point.link;
  app.add_option("--mode", a.mode,
                 "forwarding, c2h, h2c, both; memory-mapped: mm_c2h, mm_h2c, mm_both")
      ->capture_default_str();
  app.add_option("--sizes", a.sizes, "of packets or transfers, bytes")
      ->delimiter(',')
      ->capture_default_str();
  app.add_option("--queues", a.point.queues)->capture_default_str();
  app.add_option("--memory", a.point.memory, "of the card, for memory-mapped modes: bram, ddr4")
      ->capture_default_str();
  app.add_option("--link", a.link, "gen3x16, gen3x8, gen4x8")->capture_default_str();
  app.add_option("--mps", link.mps, "bytes")->capture_default_str();
  app.add_option("--mrrs", link.mrrs, "bytes")->capture_default_str();
  app.add_option("--rcb", link.rcb, "read completion boundary, bytes")->capture_default_str();
  app.add_option("--completion", link.completion_bytes,
                 "the host cuts completions at multiples of so many bytes")
      ->capture_default_str();
  app.add_option("--offset", a.point.offset, "of buffers to 4 KiB, bytes")->capture_default_str();
  app.add_option("--read-latency-ns", a.read_latency_ns,
                 "from a read at RQ to its completion at RC, link and card idle")
      ->check(CLI::Range(100, 100'000))
      ->capture_default_str();
  app.add_option("--read-spread-ns", a.read_spread_ns, "it varies by so much, both ways")
      ->check(CLI::Range(0, 100'000))
      ->capture_default_str();
  app.add_option("--coalesce-ticks", a.point.coalesce_ticks,
                 "100 ns each: so long an entry may wait for others")
      ->check(CLI::Range(0, 4095))
      ->capture_default_str();
  app.add_option("--timer-ticks", a.point.timer_ticks,
                 "100 ns each: so long a ring waits for a burst before it says that it has entries")
      ->check(CLI::Range(1, 65535))
      ->capture_default_str();
  app.add_flag("--skp", link.has_skp, "SKP ordered sets take time on the link");
  app.add_flag("--inline", a.point.opts_in,
               "packets of at most 60 bytes are in their entries, which have 64 bytes");
  app.add_flag("--vf", a.point.is_vf, "the driver has a VF, not a PF");
  app.add_option("--packets", a.packets, "that are measured of each size; 0: by the size")
      ->check(CLI::Range(0, 10'000'000))
      ->capture_default_str();
  app.add_option("--seed", a.point.seed)->capture_default_str();
  app.add_flag("--calibrate", a.calibrate, "a perfect source instead of the card");
  app.add_flag("--latency", a.latency, "of single packets on an idle card, in cycles");
  app.add_option("--repeats", a.repeats, "of the latency")
      ->check(CLI::Range(1, 10'000))
      ->capture_default_str();
  app.add_option("--json", a.json_path, "write the result here instead of to standard output");
}

nlohmann::json Calibrate(const Point& point) {
  const ullnic::pcie::Traffic traffic{
      .to_host = point.to_host(), .from_host = point.from_host(), .size = int(point.size)};
  return {{"mpps", PerfectRate(point.link, traffic, point.packets) / 1e6},
          {"entries", traffic.entries},
          {"descriptors", traffic.descriptors},
          {"burst", traffic.burst}};
}

// About the same number of bytes for each size, and enough packets: the card's buffers hold some 32
// KiB.
uint64_t PacketsOf(unsigned size) {
  constexpr uint64_t kBytes = 8'000'000;
  const uint64_t least = size > ullnic::qdma_sweep::kMostOfPacket ? 500 : 2'000;
  return std::max<uint64_t>(kBytes / (size + 64), least);
}

nlohmann::json Sweep(Arguments& a) {
  a.point.mode = ullnic::qdma_sweep::ModeOf(a.mode);
  SetLink(a.point.link, a.link);
  // A read and its completion each cross the link once.
  a.point.link.read_latency_ps = a.read_latency_ns * kPsOfNs - 2 * a.point.link.propagation_ps;
  a.point.link.read_spread_ps = a.read_spread_ns * kPsOfNs;
  nlohmann::json rows = nlohmann::json::array();
  for (const unsigned size : a.sizes) {
    a.point.size = size;
    a.point.packets = a.packets != 0 ? a.packets : PacketsOf(size);
    Check(a.point);
    const auto start = std::chrono::steady_clock::now();
    nlohmann::json row = a.calibrate ? Calibrate(a.point)
                         : a.latency ? MeasureLatency(a.point, a.repeats)
                                     : Measure(a.point);
    const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - start;
    row["size"] = size;
    row["wall_s"] = wall.count();
    rows.push_back(std::move(row));
  }
  return {{"mode", a.mode}, {"queues", a.point.queues}, {"link", a.link}, {"rows", rows}};
}

bool Run(Arguments& a) {
  ullnic::WriteResult(Sweep(a), a.json_path);
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Measures packet rates of the DMA behind a model of a PCIe link.");
  Arguments arguments;
  AddOptions(app, arguments);
  ullnic::AddVersion(app, argv[0]);
  return ullnic::RunMeasuring(app, argc, argv, [&] { return Run(arguments); });
}
