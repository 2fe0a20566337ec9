// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// ullnic-macpcs-soak: one point of a soak of two MACs and PCSs, connected in both directions:
// traffic under a disturbance, and the link's recovery after it.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <iostream>
#include <nlohmann/json.hpp>
#include <vector>

#include "card/card_library.h"
#include "core/frame.h"
#include "core/user_error.h"
#include "program/measuring.h"
#include "program/version.h"
#include "soak/soak_run.h"

namespace {

struct Arguments {
  ullnic::SoakConfig config;
  std::string card = ullnic::kDefaultCard;
};

void AddLoad(CLI::App& app, Arguments& a) {
  ullnic::SoakConfig& c = a.config;
  app.add_option("--config", a.card, "of both MACs and PCSs")->capture_default_str();
  app.add_option("--seed", c.seed)->capture_default_str();
  app.add_option("--frames", c.frames, "each way, while the link is disturbed")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  app.add_option("--episodes", c.episodes, "so often the disturbance begins and ends")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  app.add_option("--clean-frames", c.clean_frames, "each way after each, all of which must arrive")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  app.add_option("--min-len", c.min_bytes, "bytes of a frame without FCS")
      ->check(CLI::Range(size_t{1}, ullnic::kMaxFrameBytes))
      ->capture_default_str();
  app.add_option("--max-len", c.max_bytes)
      ->check(CLI::Range(size_t{1}, ullnic::kMaxFrameBytes))
      ->capture_default_str();
  app.add_option(
         "--first-len", c.first_bytes,
         "the lengths go from here in steps through --min-len to --max-len and round, while the "
         "link is disturbed; 0: they are random")
      ->check(CLI::Range(size_t{0}, ullnic::kMaxFrameBytes))
      ->capture_default_str();
  app.add_option("--len-step", c.step_bytes,
                 "the step: of no common divisor with how many lengths there are")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  app.add_option("--delay-ui", c.delay_ui,
                 "of each line, in bit times; below a word: that of the published transceiver")
      ->check(CLI::Range(0, 7000))
      ->capture_default_str();
  app.add_option("--clock-ppm", c.clock_ppm, "end B's clocks run so much fast")
      ->check(CLI::Range(-100'000, 100'000))
      ->capture_default_str();
  app.add_option("--user-ppm", c.user_ppm, "a user clock of its own runs so much fast")
      ->check(CLI::Range(-10'000, 10'000))
      ->capture_default_str();
}

void AddHarm(CLI::App& app, Arguments& a) {
  ullnic::SoakConfig& c = a.config;
  app.add_option("--ber", c.bit_error_rate, "bit error rate of both lines")
      ->check(CLI::Range(0.0, 1.0))
      ->capture_default_str();
  app.add_option("--slip-bits", c.slip_bits, "mean bits between slips of each line; 0: none")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  app.add_option("--loss-cycles", c.loss_cycles,
                 "mean cycles between losses of signal of each line; 0: none")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  app.add_option("--loss-length", c.loss_length, "a loss of signal lasts 1 to so many cycles")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  app.add_option("--reset-cycles", c.reset_cycles,
                 "mean cycles between resets at each end, of any of its four sides; 0: none")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  app.add_option("--stall", c.back_pressure.stall,
                 "probability, at each edge, that a receiving user begins to stall (FIFO only)")
      ->check(CLI::Range(0.0, 1.0))
      ->capture_default_str();
  app.add_option("--stall-edges", c.back_pressure.max_edges, "a stall lasts 1 to so many")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
}

bool Run(const Arguments& a, const std::string& command) {
  if (a.config.min_bytes > a.config.max_bytes) {
    throw ullnic::UserError("--min-len is more than --max-len", "give a smaller one");
  }
  if (a.config.first_bytes != 0 &&
      (a.config.first_bytes < a.config.min_bytes || a.config.first_bytes > a.config.max_bytes)) {
    throw ullnic::UserError("--first-len is not between --min-len and --max-len",
                            "give one of them");
  }
  const ullnic::CardLibrary library(a.card);
  const ullnic::SoakCards cards{
      library.info(), [&](const ullnic::CardConfig& config, const ullnic::Scheduler& scheduler,
                          ullnic::SerialLine& out, ullnic::SerialLine& in) {
        return library.Make(config, scheduler, out, in);
      }};
  const ullnic::SoakResult result = ullnic::SoakRun(cards, a.config).Run();
  nlohmann::json json = result.Json();
  json["config"] = a.card;
  json["seed"] = a.config.seed;
  std::cout << json.dump() << std::endl;
  if (result.failure.empty()) return true;
  std::cerr << "error: " << result.failure << "\nremedy: repeat with " << command << "\n";
  return false;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Two MACs and PCSs joined in both directions, under a disturbance that ends.");
  Arguments arguments;
  AddLoad(app, arguments);
  AddHarm(app, arguments);
  ullnic::AddVersion(app, argv[0]);
  return ullnic::RunMeasuring(app, argc, argv, [&] {
    return Run(arguments,
               fmt::format("{}", fmt::join(std::vector<std::string>(argv, argv + argc), " ")));
  });
}
