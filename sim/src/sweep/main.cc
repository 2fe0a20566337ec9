// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// ullnic-macpcs-sweep: latency and integrity of one MAC and PCS over bit offsets and phases of the
// receive clock, its transceiver output looped back to its input.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>

#include "core/frame.h"
#include "core/user_error.h"
#include "program/measuring.h"
#include "program/version.h"
#include "sweep/sweep_point.h"

namespace {

constexpr uint32_t kMaxOffset = 65;

// "A-B" or "A".
std::pair<uint32_t, uint32_t> ParseRange(const std::string& text, uint32_t min, uint32_t max) {
  uint32_t low = 0, high = 0;
  char dash = '-';
  std::istringstream in(text);
  const bool ok = (in >> low) && (in.eof() ? (high = low, true) : (in >> dash >> high && in.eof()));
  if (!ok || dash != '-' || low > high || low < min || high > max ||
      text.find_first_not_of("0123456789-") != std::string::npos) {
    throw ullnic::UserError(fmt::format("'{}' is no range", text),
                            fmt::format("give MIN-MAX within {}-{}", min, max));
  }
  return {low, high};
}

struct Arguments {
  ullnic::SweepConfig config;
  std::string card = ullnic::kDefaultCard;
  std::string offsets = "0-65";
  std::string leads = "0";
  std::string length = "1-64";
  std::string gap = "random";
  std::string json_path;
};

void AddOptions(CLI::App& app, Arguments& a) {
  app.add_option("--config", a.card, "of the MAC and PCS")->capture_default_str();
  app.add_option("--delay-ui", a.config.delay_ui, "delay between output and input, in bit times")
      ->check(CLI::Range(0, 8000))
      ->capture_default_str();
  app.add_option("--offsets", a.offsets, "bit offsets added to the delay, A-B inclusive")
      ->capture_default_str();
  app.add_option(
         "--leads", a.leads,
         "bit times by which the receive clock's edges come before the transmit clock's, A-B "
         "inclusive, below a word; the delay stays as it is")
      ->capture_default_str();
  app.add_option("--late-tenths", a.config.late_tenths,
                 "tenths of a bit time by which the receive clock's edges and words come later")
      ->check(CLI::Range(0, 9))
      ->capture_default_str();
  app.add_option("--user-ppm", a.config.user_clocks.ppm,
                 "a user clock of its own runs so much fast, parts per million")
      ->check(CLI::Range(-10'000, 10'000))
      ->capture_default_str();
  app.add_flag("--odd", a.config.user_clocks.odd_rx,
               "the receiving user's half clock has the odd edges of the receive clock");
  app.add_option("--stall", a.config.back_pressure.stall,
                 "probability, at each edge, that the receiving user begins to stall (FIFO only)")
      ->check(CLI::Range(0.0, 1.0))
      ->capture_default_str();
  app.add_option("--stall-edges", a.config.back_pressure.max_edges, "a stall lasts 1 to so many")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  app.add_option("--frames", a.config.frames, "for each point")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  app.add_option("--len", a.length, "bytes of a frame without FCS, MIN-MAX")->capture_default_str();
  app.add_option("--gap", a.gap, "between the last word of a frame and the next one")
      ->check(CLI::IsMember({"random", "back-to-back", "mixed"}))
      ->capture_default_str();
  app.add_option("--seed", a.config.seed)->capture_default_str();
  app.add_option("--json", a.json_path, "write the result here instead of to standard output");
}

bool Run(Arguments& a) {
  static const std::map<std::string, ullnic::GapKind> kGaps = {
      {"random", ullnic::GapKind::kRandom},
      {"back-to-back", ullnic::GapKind::kBackToBack},
      {"mixed", ullnic::GapKind::kMixed}};
  const ullnic::CardLibrary card(a.card);
  const auto [first, last] = ParseRange(a.offsets, 0, kMaxOffset);
  const auto [lead_first, lead_last] =
      ParseRange(a.leads, 0, static_cast<uint32_t>(card.info().pma_bits) - 1);
  std::tie(a.config.min_bytes, a.config.max_bytes) =
      ParseRange(a.length, 1, ullnic::kMaxFrameBytes);
  a.config.gap = kGaps.at(a.gap);
  a.config.back_pressure.seed = a.config.seed;

  const auto start = std::chrono::steady_clock::now();
  nlohmann::json points = nlohmann::json::array();
  uint64_t frames = 0, lost = 0, damaged = 0, cycles = 0;
  std::string wrong, repeat;
  for (uint32_t offset = first; offset <= last; ++offset) {
    for (uint32_t lead = lead_first; lead <= lead_last; ++lead) {
      const auto point =
          ullnic::RunSweepPoint(card, a.config, static_cast<int>(offset), static_cast<int>(lead));
      points.push_back(point.Json());
      frames += point.frames;
      lost += point.lost;
      damaged += point.damaged;
      cycles += point.cycles;
      if (wrong.empty() && !point.what.empty()) {
        wrong = fmt::format("offset {}, lead {}: {}", offset, lead, point.what);
        repeat = fmt::format("--config {} --seed {} --offsets {} --leads {}", a.card, a.config.seed,
                             offset, lead);
      }
    }
  }
  const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - start;
  const nlohmann::json result = {
      {"config", a.card},       {"seed", a.config.seed}, {"delay_ui", a.config.delay_ui},
      {"len", a.length},        {"gap", a.gap},          {"frames", frames},
      {"lost", lost},           {"damaged", damaged},    {"cycles", cycles},
      {"wall_s", wall.count()}, {"points", points}};
  ullnic::WriteResult(result, a.json_path);
  if (lost + damaged == 0) return true;
  std::cerr << fmt::format(
      "error: of {} frames {} were lost, {} damaged; first: {}\n"
      "remedy: repeat with {}\n",
      frames, lost, damaged, wrong, repeat);
  return false;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app(
      "Joins a MAC and PCS's transceiver output to its own input and measures its latency.");
  Arguments arguments;
  AddOptions(app, arguments);
  ullnic::AddVersion(app, argv[0]);
  return ullnic::RunMeasuring(app, argc, argv, [&] { return Run(arguments); });
}
