// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// ullnic-ate-sweep: tick to trade of a whole card, on the wire, over bit offsets of the line that
// carries the market data.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "ate_sweep/ate_point.h"
#include "core/user_error.h"
#include "program/measuring.h"
#include "program/version.h"

namespace {

constexpr int kMaxOffset = 65;

struct Arguments {
  ullnic::AteSweepConfig config;
  int delay_ui = -1;
  std::pair<int, int> offsets = {0, kMaxOffset};
  std::string json_path;
  std::string pcapng_path;
};

void AddOptions(CLI::App& app, Arguments& a) {
  a.config.card = "trigger_pma16";
  app.add_option("--card", a.config.card, "configuration")->capture_default_str();
  app.add_option("--delay-ui", a.delay_ui,
                 "delay of the transceivers, both ways together, in bit times; without it that of "
                 "the published figures")
      ->check(CLI::Range(0, 16'000));
  app.add_option("--offsets", a.offsets,
                 "first and last bit offset, added to the way to the card and not counted")
      ->check(CLI::Range(0, kMaxOffset))
      ->capture_default_str();
  app.add_option("--triggers", a.config.triggers, "for each offset")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  app.add_option("--seed", a.config.seed)->capture_default_str();
  app.add_option("--json", a.json_path, "write the result here instead of to standard output");
  app.add_option("--pcapng", a.pcapng_path, "write triggers and answers, with their times, here");
}

nlohmann::json Sweep(Arguments& a) {
  std::unique_ptr<ullnic::PcapngWriter> capture;
  if (!a.pcapng_path.empty()) {
    capture = std::make_unique<ullnic::PcapngWriter>(ullnic::PcapngWriter::Config{
        .path = a.pcapng_path, .if_name = a.config.card, .if_description = "triggers and answers"});
    a.config.capture = capture.get();
  }
  if (a.delay_ui >= 0) a.config.delay_ui = a.delay_ui;
  const auto start = std::chrono::steady_clock::now();
  nlohmann::json points = nlohmann::json::array();
  uint64_t triggers = 0, answers = 0, lost = 0, damaged = 0, cycles = 0;
  int delay_ui = 0;
  std::string wrong;
  for (int offset = a.offsets.first; offset <= a.offsets.second; ++offset) {
    const ullnic::AtePoint point = ullnic::RunAtePoint(a.config, offset);
    points.push_back(point.Json());
    triggers += point.triggers;
    answers += point.answers;
    lost += point.lost;
    damaged += point.damaged;
    cycles += point.cycles;
    delay_ui = point.delay_ui;
    a.config.capture_start_ps += point.end_ps;
    if (wrong.empty() && !point.what.empty()) {
      wrong = fmt::format(
          "offset {}: {}\nremedy: repeat with --card {} --delay-ui {} --triggers {} --seed {} "
          "--offsets {} {}",
          offset, point.what, a.config.card, delay_ui, a.config.triggers, a.config.seed, offset,
          offset);
    }
  }
  if (capture) capture->Flush();
  const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - start;
  return {{"card", a.config.card},  {"seed", a.config.seed}, {"delay_ui", delay_ui},
          {"triggers", triggers},   {"answers", answers},    {"lost", lost},
          {"damaged", damaged},     {"wrong", wrong},        {"cycles", cycles},
          {"wall_s", wall.count()}, {"points", points}};
}

bool Run(Arguments& a) {
  if (a.offsets.first > a.offsets.second) {
    throw ullnic::UserError("the first offset is above the last", "give them the other way round");
  }
  const nlohmann::json result = Sweep(a);
  ullnic::WriteResult(result, a.json_path);
  if (result["lost"] == 0 && result["damaged"] == 0) return true;
  std::cerr << fmt::format(
      "error: of {} triggers {} were not answered; {} other faults; first: {}\n",
      result["triggers"].get<uint64_t>(), result["lost"].get<uint64_t>(),
      result["damaged"].get<uint64_t>(), result["wrong"].get<std::string>());
  return false;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Sends a card market data and measures on the wire when its answers leave.");
  Arguments arguments;
  AddOptions(app, arguments);
  ullnic::AddVersion(app, argv[0]);
  return ullnic::RunMeasuring(app, argc, argv, [&] { return Run(arguments); });
}
