// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// ullnic-fuzz-CORE: hostile input for one core's RTL, from a seed, for a number of frames. JSON
// lines on standard output: "status" now and then, "summary" or "error" at the end.

#include <CLI/CLI.hpp>
#include <chrono>
#include <nlohmann/json.hpp>

#include "fuzz/fuzzer.h"
#include "program/program.h"
#include "program/version.h"

namespace {

using Clock = std::chrono::steady_clock;
constexpr double kStatusS = 1;

struct Arguments {
  uint64_t frames = 100'000;
  uint64_t seed = 1;
};

nlohmann::json Line(const char* event, const ullnic::fuzz::Fuzzer& fuzzer, uint64_t rounds,
                    Clock::time_point start) {
  const double wall_s = std::chrono::duration<double>(Clock::now() - start).count();
  return {{"event", event},   {"frames", fuzzer.frames()}, {"cycles", fuzzer.cycles()},
          {"rounds", rounds}, {"wall_s", wall_s},          {"met", fuzzer.Json()}};
}

bool Run(const Arguments& arguments) {
  const auto fuzzer = ullnic::fuzz::MakeFuzzer(arguments.seed);
  const Clock::time_point start = Clock::now();
  Clock::time_point status = start;
  uint64_t rounds = 0;
  try {
    for (; fuzzer->frames() < arguments.frames; ++rounds) {
      fuzzer->Round();
      if (std::chrono::duration<double>(Clock::now() - status).count() < kStatusS) continue;
      status = Clock::now();
      ullnic::EmitJsonLine(Line("status", *fuzzer, rounds, start));
    }
  } catch (const ullnic::UserError& error) {
    throw ullnic::UserError(fmt::format("{} (seed {}, round {}, cycle {})", error.what(),
                                        arguments.seed, rounds, fuzzer->cycles()),
                            error.remedy());
  }
  ullnic::EmitJsonLine(Line("summary", *fuzzer, rounds, start));
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Hostile input for one core's RTL, from a seed.");
  Arguments arguments;
  app.add_option("--frames", arguments.frames, "that the core is given at least")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  app.add_option("--seed", arguments.seed)->capture_default_str();
  ullnic::AddVersion(app, argv[0]);
  return ullnic::RunProgram(app, argc, argv, [&] { return Run(arguments); });
}
