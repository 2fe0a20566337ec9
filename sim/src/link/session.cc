// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0

#include "link/session.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "core/link_end.h"
#include "core/user_error.h"
#include "link/spec.h"
#include "partner/partner_end.h"
#include "port/generator_port.h"
#include "program/program.h"

namespace ullnic {
namespace {

using std::chrono::duration_cast;
using std::chrono::nanoseconds;

constexpr uint64_t kBatchCycles = 32;  // between polls of the ports
constexpr uint64_t kHousekeepingBatches = 64;
// What a transmitter may still send after its last word: padding, FCS, gap, registers; in words of
// 32 bits.
constexpr uint64_t kTailWords = 128;

// Random streams of one run.
enum Stream : uint64_t { kGenA, kGenB, kFaultA, kFaultB, kLineA, kLineB, kPhase };

}  // namespace

Session::Session(const LinkOptions& options)
    : options_(options),
      card_(options.card),
      host_(options.exit_on_stdin_eof),
      wall_(options.status_interval_s, options.max_wall_s),
      faults_{ParseFaults(options.fault_ab), ParseFaults(options.fault_ba)},
      phase_rng_(Rng::StreamSeed(options.seed, kPhase)),
      delay_ui_(options.delay_ui.value_or(card_.info().transceiver_ui) + options.offset_bits),
      // A FIFO holds up to 16 frames of one word, each to be padded.
      tail_cycles_(kTailWords * static_cast<uint64_t>(32 / card_.info().pma_bits) *
                   (card_.info().tx_fifo ? 4 : 1)) {
  MakeClocksAndLines();
  MakeEnds();
  MakePorts();
  MakeCaptures();
}

void Session::MakeClocksAndLines() {
  const int word_bits = card_.info().pma_bits;
  clock_[0] = scheduler_.AddClock(Clock("a", LinePeriod(word_bits)));
  clock_[1] = scheduler_.AddClock(Clock("b", LinePeriod(word_bits, options_.clock_ppm)));
  for (int i = 0; i < 2; ++i) {
    // Each end receives with the clock recovered from the other's signal. A separate user clock has
    // the same frequency offset as the end's transmit clock.
    clocks_[i] = JoinClocks(card_.info(), scheduler_, clock_[i], clock_[1 - i],
                            {.ppm = i == 0 ? 0 : options_.clock_ppm});
    const Stream stream = i == 0 ? kLineA : kLineB;
    // No bit errors before both ends are locked.
    line_[i] = std::make_unique<SerialLine>(
        SerialLine::Config{.word_bits = word_bits,
                           .delay_ui = delay_ui_,
                           .seed = Rng::StreamSeed(options_.seed, stream)});
  }
}

void Session::MakeEnds() {
  for (int i = 0; i < 2; ++i) {
    if (i == 1 && options_.far_end_partner) {
      end_[i] = std::make_unique<partner::PartnerEnd>(
          partner::PartnerEnd::Config{.tx_clock = clock_[1], .rx_clock = clock_[0]}, scheduler_,
          *line_[1], *line_[0]);
    } else {
      end_[i] = card_.Make({.clocks = clocks_[i]}, scheduler_, *line_[i], *line_[1 - i]);
    }
    scheduler_.AddModel(end_[i].get(), clocks_[i].all(), line_[1 - i]->same_cycle());
    tracker_[i] = FrameTracker({.idle_edges = card_.info().idle_edges_any_load(),
                                .one_clock = clocks_[i].tx_user == clocks_[1 - i].rx_user});
  }
}

void Session::MakePorts() {
  const std::string* spec[] = {&options_.a, &options_.b};
  std::unique_ptr<FramePort> port[2];
  for (int i = 0; i < 2; ++i) {
    port[i] = MakePort(*spec[i], Rng::StreamSeed(options_.seed, i == 0 ? kGenA : kGenB),
                       card_.info().user_word_bytes());
  }
  auto* gen_a = dynamic_cast<GeneratorPort*>(port[0].get());
  auto* gen_b = dynamic_cast<GeneratorPort*>(port[1].get());
  if (gen_a != nullptr && gen_b != nullptr) {
    gen_a->Expect(gen_b->config());
    gen_b->Expect(gen_a->config());
  }
  for (int i = 0; i < 2; ++i) {
    point_[i] = std::make_unique<EndPoint>(
        std::move(port[i]), faults_[i], Rng::StreamSeed(options_.seed, i == 0 ? kFaultA : kFaultB));
    point_[i]->Join(*end_[i], tracker_[i], tracker_[1 - i]);
  }
}

void Session::MakeCaptures() {
  if (options_.pcapng_dir.empty()) return;
  std::error_code error;
  std::filesystem::create_directories(options_.pcapng_dir, error);
  // With a live port, wall-clock time is expected; without one the same seed must give the same
  // file, byte for byte.
  const bool live = point_[0]->port().poll_fd() >= 0 || point_[1]->port().poll_fd() >= 0;
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  const int64_t epoch_ns = live ? duration_cast<nanoseconds>(now).count() : 0;
  for (int i = 0; i < 2; ++i) {
    const char* name = i == 0 ? "port-a" : "port-b";
    const auto path = std::filesystem::path(options_.pcapng_dir) / fmt::format("{}.pcapng", name);
    point_[i]->Capture(
        {.path = path.string(),
         .if_name = name,
         .if_description = fmt::format("ullnic {} ({})", name, i == 0 ? options_.a : options_.b),
         .snap_bytes = options_.snap_bytes,
         .epoch_ns = epoch_ns});
  }
}

void Session::Cycles(uint64_t count) {
  const Clock& clock = scheduler_.clock(clock_[0]);
  for (const uint64_t end = clock.next_edge() + count; clock.next_edge() < end;) scheduler_.Step();
  cycles_ += count;
}

void Session::AcquireLock() {
  while (!end_[0]->block_lock() || !end_[1]->block_lock()) {
    if (cycles_ > kMaxLockCycles) {
      throw UserError(
          fmt::format("no block lock within {} cycles (a: {}, b: {})", kMaxLockCycles,
                      end_[0]->block_lock(), end_[1]->block_lock()),
          "this is a fault of the card's RTL or of a changed line: try --offset-bits 0");
    }
    Cycles(kBatchCycles);
  }
  lock_cycles_ = cycles_;
  Cycles(tail_cycles_);
  for (int i = 0; i < 2; ++i) line_[i]->set_bit_error_rate(faults_[i].ber);
}

void Session::ServicePorts() {
  point_[0]->Service();
  point_[1]->Service();
}

bool Session::InFlight() const {
  return end_[0]->tx_backlog() > 0 || end_[1]->tx_backlog() > 0 || !end_[0]->rx_idle() ||
         !end_[1]->rx_idle();
}

bool Session::FrameLimitReached() const {
  const uint64_t frames = tracker_[0].sent() + tracker_[1].sent();
  return options_.max_frames > 0 && frames >= options_.max_frames;
}

bool Session::LimitReached() const { return FrameLimitReached() || wall_.over(); }

void Session::Sleep() {
  point_[0]->FlushCapture();
  point_[1]->FlushCapture();
  skipped_ps_ += scheduler_.JumpBy(
      wall_.Sleep(host_, {point_[0]->port().poll_fd(), point_[1]->port().poll_fd()}));
  // The gearbox did not advance over the jump: randomise its phase for the next frame.
  Cycles(phase_rng_.Below(kGearboxPhases));
}

void Session::Housekeeping() {
  host_.Check();
  if (!wall_.StatusDue()) return;
  nlohmann::json status = CommonJson(false);
  status["event"] = "status";
  EmitJsonLine(status);
}

bool Session::Run() {
  AcquireLock();
  EmitJsonLine({{"event", "ready"},
                {"a", point_[0]->port().Describe()},
                {"b", point_[1]->port().Describe()},
                {"seed", options_.seed},
                {"lock_cycles", lock_cycles_}});
  wall_.Start();
  const auto quiet_enough = tail_cycles_ + static_cast<uint64_t>(delay_ui_ / card_.info().pma_bits);
  for (uint64_t batch = 1; !host_.stop_requested(); ++batch) {
    ServicePorts();
    Cycles(kBatchCycles);
    quiet_cycles_ = InFlight() ? 0 : quiet_cycles_ + kBatchCycles;
    if (quiet_cycles_ >= quiet_enough) {
      tracker_[0].GiveUpPending();
      tracker_[1].GiveUpPending();
      point_[0]->Flush();
      point_[1]->Flush();
      ServicePorts();
      if (InFlight()) continue;
      if (point_[0]->Finished() && point_[1]->Finished()) break;
      Sleep();
      Housekeeping();
    }
    if (batch % kHousekeepingBatches == 0) Housekeeping();
    if (LimitReached()) break;
  }
  return Conclude();
}

}  // namespace ullnic
