// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// ullnic-toe-sweep-NAME: latency and bandwidth of the TCP engine of one configuration, over sizes
// of the payload.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <nlohmann/json.hpp>

#include "core/user_error.h"
#include "program/measuring.h"
#include "program/version.h"
#include "toe_sweep/engine.h"
#include "toe_sweep/tasks.h"

namespace {

using ullnic::toe::Task;

struct Arguments {
  std::string clock = ullnic::toe::kClocks[0].mhz;
  std::string measure = "latency";
  Task task;
  std::string json_path;
};

void AddOptions(CLI::App& app, Arguments& a) {
  std::vector<std::string> clocks;
  for (const auto& clock : ullnic::toe::kClocks) clocks.emplace_back(clock.mhz);
  app.add_option("--clock", a.clock, "MHz")->check(CLI::IsMember(clocks))->capture_default_str();
  app.add_option("--measure", a.measure)
      ->check(CLI::IsMember({"latency", "bandwidth"}))
      ->capture_default_str();
  app.add_option("--sizes", a.task.sizes, "payload, bytes")
      ->check(CLI::Range(1, 2048))
      ->delimiter(',')
      ->required();
  app.add_option("--anywhere", a.task.anywhere,
                 "sizes that are received with the line's pauses at every place, too")
      ->check(CLI::Range(1, 2048))
      ->delimiter(',');
  app.add_option("--repeats", a.task.repeats, "of each latency")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  app.add_option("--frames", a.task.frames, "of each size, for the bandwidth")
      ->check(CLI::Range(2, 1'000'000))
      ->capture_default_str();
  app.add_option("--seed", a.task.seed)->capture_default_str();
  app.add_option("--json", a.json_path, "write the result here instead of to standard output");
}

void Append(nlohmann::json& rows, const nlohmann::json& more) {
  rows.insert(rows.end(), more.begin(), more.end());
}

nlohmann::json Measure(Arguments& a) {
  for (const auto& clock : ullnic::toe::kClocks) {
    if (a.clock == clock.mhz) a.task.clock = clock;
  }
  const auto start = std::chrono::steady_clock::now();
  nlohmann::json rows = nlohmann::json::array();
  if (a.measure == "latency") {
    Append(rows, TransmitLatency(a.task));
    Append(rows, ReceiveLatency(a.task));
    Append(rows, RoundTrip(a.task));
  } else {
    rows = Bandwidth(a.task);
  }
  const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - start;
  return {{"engine", ullnic::toe::kEngine.name},
          {"transmit_bytes", ullnic::toe::kEngine.transmit_bytes},
          {"receive_bytes", ullnic::toe::kEngine.receive_bytes},
          {"clock_mhz", a.clock},
          {"cycle_ns", a.task.clock.period.ns()},
          {"seed", a.task.seed},
          {"wall_s", wall.count()},
          {"rows", rows}};
}

bool Run(Arguments& a) {
  ullnic::WriteResult(Measure(a), a.json_path);
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Measures a TCP engine: from its user to its MAC and back.");
  Arguments arguments{.task = {.clock = ullnic::toe::kClocks[0], .sizes = {}, .anywhere = {}}};
  AddOptions(app, arguments);
  ullnic::AddVersion(app, argv[0]);
  return ullnic::RunMeasuring(app, argc, argv, [&] { return Run(arguments); });
}
