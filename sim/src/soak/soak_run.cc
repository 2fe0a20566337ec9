// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0

#include "soak/soak_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

namespace ullnic {
namespace {

constexpr size_t kBacklogFrames = 3;
constexpr int64_t kDrainPs = 25'000'000;  // after the last frame was handed over; stalled users too
constexpr int64_t kLinePsPerWord = 3200;  // of 32 bits, rounded up
constexpr uint64_t kMaxGapEdges = 1024;
// A counter may report a frame's error only with the frame's last word.
constexpr int64_t kCounterDelayPs = 20'000'000;
// A receiver that has lost lock has detected it by then.
constexpr int64_t kStablePs = 5'000'000;
constexpr int kProvenPpm = 200;  // between the two sides of a receive FIFO

// Half of the frames are short, since most happens at their ends; one in eight is a jumbo.
size_t RandomLength(const SoakConfig& config, Rng& rng) {
  constexpr uint32_t kShort = 130, kMiddle = 1518;
  const uint64_t kind = rng.Below(8);
  const uint32_t wanted = kind < 4 ? kShort : kind < 7 ? kMiddle : config.max_bytes;
  return rng.Range(config.min_bytes, std::clamp(wanted, config.min_bytes, config.max_bytes));
}

// Everything that may wait in a transmit FIFO, in frames of one word.
int64_t DrainPs(const CardInfo& info) {
  if (!info.tx_fifo) return kDrainPs;
  return kDrainPs +
         static_cast<int64_t>(info.tx_fifo_words * info.short_frame_words()) * kLinePsPerWord;
}

uint64_t MaxGap(const CardInfo& info) {
  return std::min(2 * info.idle_edges_any_load(), kMaxGapEdges);
}

WayCheck::Rules Rules(const CardInfo& info) {
  return {.min_bytes = info.padding_bytes - kFcsBytes,
          .runt_bytes = info.runt_bytes,
          .fcs_checked = info.fcs_checked};
}

const char* EndName(int end) { return end == 0 ? "A" : "B"; }

}  // namespace

// The user of one end: sender of one direction, receiver of the other.
class SoakRun::Observer final : public EndObserver {
 public:
  Observer(WayCheck& out, WayCheck& in, const Scheduler& scheduler)
      : out_(out), in_(in), scheduler_(scheduler) {}
  void OnOffer(const FramePtr& frame, uint64_t, int64_t time_ps, uint64_t) override {
    out_.Offered(frame, time_ps);
  }
  void OnReceive(ReceivedFrame&& frame) override { in_.Received(frame, scheduler_.now_ps()); }

 private:
  WayCheck& out_;
  WayCheck& in_;
  const Scheduler& scheduler_;
};

SoakRun::SoakRun(const SoakCards& cards, const SoakConfig& config)
    : cards_(cards),
      config_(config),
      rng_(Rng::Stream(config.seed, 21)),
      check_{WayCheck("A to B", Rules(cards.info)), WayCheck("B to A", Rules(cards.info))} {
  const int bits = cards.info.pma_bits;
  const int delay = config.delay_ui < bits ? cards.info.transceiver_ui : config.delay_ui;
  EdgeSet clock[2];
  CardClocks clocks[2];
  for (int i = 0; i < 2; ++i) {
    const auto phase = static_cast<int64_t>(rng_.Below(static_cast<uint64_t>(bits)));
    clock[i] = scheduler_.AddClock(
        Clock(EndName(i), LinePeriod(bits, i == 0 ? 0 : config.clock_ppm), {phase, bits}));
    line_[i] = std::make_unique<SerialLine>(
        SerialLine::Config{.word_bits = bits,
                           .delay_ui = delay + static_cast<int>(rng_.Below(66)),
                           .seed = rng_.Next()});
  }
  clock_ = nullptr;
  for (int i = 0; i < 2; ++i) {
    const int ppm = config.user_ppm + (i == 0 ? 0 : config.clock_ppm);
    clocks[i] = JoinClocks(cards.info, scheduler_, clock[i], clock[1 - i],
                           {.ppm = ppm, .odd_rx = rng_.Below(2) != 0});
    BackPressureConfig ready;
    ready.seed = rng_.Next();
    end_[i] = cards.make({.clocks = clocks[i], .back_pressure = ready}, scheduler_, *line_[i],
                         *line_[1 - i]);
    scheduler_.AddModel(end_[i].get(), clocks[i].all(), line_[1 - i]->same_cycle());
    observer_[i] = std::make_unique<Observer>(check_[i], check_[1 - i], scheduler_);
    end_[i]->set_observer(observer_[i].get());
  }
  clock_ = &scheduler_.clock(clock[0]);
  disturber_ = std::make_unique<Disturber>(
      config,
      std::array<Disturber::Way, 2>{Disturber::Way{end_[0].get(), line_[0].get(), &check_[0]},
                                    Disturber::Way{end_[1].get(), line_[1].get(), &check_[1]}});
}

SoakRun::~SoakRun() = default;

void SoakRun::Fail(const std::string& what) {
  if (failure_.empty()) failure_ = fmt::format("{} (at {} ps)", what, scheduler_.now_ps());
}

void SoakRun::Step() {
  const uint64_t edge = clock_->next_edge();
  while (clock_->next_edge() == edge) scheduler_.Step();
  ++cycles_;
  disturber_->Step(scheduler_.now_ps());
  WatchLink();
  for (int i = 0; i < 2; ++i) {
    WatchCounters(i);
    WatchProgress(i);
    check_[i].Judge(scheduler_.now_ps());
    if (!check_[i].failure().empty() && failure_.empty()) failure_ = check_[i].failure();
  }
}

void SoakRun::WatchLink() {
  const int64_t now = scheduler_.now_ps();
  for (int i = 0; i < 2; ++i) {
    if (!end_[1 - i]->block_lock()) check_[i].Cause(now);
  }
  if (!LinkUp() && now - disturber_->last_harm_ps() > kRelockPs) {
    Fail(fmt::format("the link is down, {} us after the last disturbance",
                     (now - disturber_->last_harm_ps()) / 1'000'000));
  }
  if (clean_ && !LinkUp()) Fail("the link went down on a clean line");
}

void SoakRun::WatchCounters(int end) {
  const EndCounters& c = end_[end]->counters();
  EndCounters& seen = seen_[end];
  const int64_t now = scheduler_.now_ps();
  if (c.rx_overflows != seen.rx_overflows) {
    check_[1 - end].Cause(now);
    const bool allowed = now - disturber_->last_overflow_cause_ps(end) <= kCounterDelayPs ||
                         std::abs(config_.clock_ppm) > kProvenPpm;
    if (!allowed) Fail(fmt::format("end {}: the receive FIFO ran over", EndName(end)));
  }
  int64_t& cause_ps = underrun_cause_ps_[end];
  cause_ps = std::max(cause_ps, disturber_->last_underrun_cause_ps(end));
  // A frame that a reset has truncated may wait for the link before it is sent, aborted.
  if (!end_[end]->block_lock() && now - cause_ps <= kCounterDelayPs) cause_ps = now;
  if (c.tx_underruns != seen.tx_underruns || c.tx_errors != seen.tx_errors) {
    const bool allowed = now - cause_ps <= kCounterDelayPs;
    if (!allowed) Fail(fmt::format("end {}: the transmitter lacked a word", EndName(end)));
  }
  if (c.rx_violations != seen.rx_violations) {
    Fail(fmt::format("end {}: {}", EndName(end), c.first_violation));
  }
  seen.rx_overflows = c.rx_overflows;
  seen.tx_underruns = c.tx_underruns;
  seen.tx_errors = c.tx_errors;
  seen.rx_violations = c.rx_violations;
}

void SoakRun::WatchProgress(int end) {
  const int64_t now = scheduler_.now_ps();
  const size_t backlog = end_[end]->tx_backlog();
  if (backlog == 0 || backlog != backlog_seen_[end] || !LinkUp()) progress_ps_[end] = now;
  backlog_seen_[end] = backlog;
  if (now - progress_ps_[end] > kHangPs) {
    Fail(fmt::format("end {}: the link is up and no frame is taken for {} us", EndName(end),
                     kHangPs / 1'000'000));
  }
}

size_t SoakRun::SteppedLength(int end) {
  const uint64_t span = config_.max_bytes - config_.min_bytes + 1;
  const uint64_t from = config_.first_bytes - config_.min_bytes;
  return config_.min_bytes + (from + steps_[end]++ * config_.step_bytes) % span;
}

void SoakRun::SendOne(int end, size_t bytes) {
  Frame frame;
  frame.bytes = NumberedFrame(given_[end]++, bytes, rng_);
  if (rng_.Below(3) == 0) {
    frame.idle_cycles_before = static_cast<uint32_t>(rng_.Below(MaxGap(cards_.info)));
  }
  end_[end]->Send(std::make_shared<const Frame>(std::move(frame)));
  backlog_seen_[end] = 0;
}

void SoakRun::Traffic(uint64_t frames, uint64_t max_cycles, bool stepped) {
  uint64_t left[2] = {frames, frames};
  for (uint64_t n = 0; (left[0] > 0 || left[1] > 0) && (max_cycles == 0 || n < max_cycles); ++n) {
    for (int i = 0; i < 2; ++i) {
      // The driver gives up the truncated frames of a user in reset: only presented frames count.
      for (; left[i] > 0 && end_[i]->tx_backlog() < kBacklogFrames; --left[i]) {
        SendOne(i, stepped ? SteppedLength(i) : RandomLength(config_, rng_));
      }
    }
    Step();
    if (Failed()) return;
  }
}

void SoakRun::AwaitLink() {
  const int64_t start_ps = scheduler_.now_ps();
  int64_t up_ps = start_ps;
  while (!Failed() && scheduler_.now_ps() - up_ps < kStablePs) {
    if (!LinkUp()) up_ps = scheduler_.now_ps();
    Step();
  }
  max_relock_ps_ = std::max(max_relock_ps_, up_ps - start_ps);
  clean_ = true;
}

void SoakRun::Drain() {
  int64_t busy_ps = scheduler_.now_ps();
  while (!Failed() && scheduler_.now_ps() - busy_ps < DrainPs(cards_.info)) {
    if (end_[0]->tx_backlog() > 0 || end_[1]->tx_backlog() > 0) busy_ps = scheduler_.now_ps();
    Step();
  }
  for (WayCheck& check : check_) {
    check.Finish();
    if (!check.failure().empty() && failure_.empty()) failure_ = check.failure();
  }
}

// Twice the time of the frames and gaps, so that an episode ends even if the link does not come up.
uint64_t SoakRun::EpisodeCycles(uint64_t frames) const {
  const auto bits = static_cast<uint64_t>(cards_.info.pma_bits);
  const uint64_t mean_bytes =
      config_.first_bytes > 0
          ? (config_.min_bytes + config_.max_bytes) / 2
          : 100 + std::min(config_.max_bytes, 1518u) / 4 + config_.max_bytes / 12;
  const uint64_t mean_gap_bytes = MaxGap(cards_.info) / 6 * 4 + cards_.info.short_frame_words() * 4;
  return 2000 + 2 * frames * (mean_bytes + mean_gap_bytes) * 8 / bits;
}

SoakResult SoakRun::Run() {
  AwaitLink();
  const uint64_t frames = std::max<uint64_t>(1, config_.frames / config_.episodes);
  for (uint64_t n = 0; n < config_.episodes && !Failed(); ++n) {
    clean_ = false;
    disturber_->Start();
    Traffic(frames, EpisodeCycles(frames), config_.first_bytes > 0);
    disturber_->Stop(scheduler_.now_ps());
    if (!Failed()) AwaitLink();
    if (!Failed()) Drain();
    const uint64_t delivered[2] = {check_[0].delivered(), check_[1].delivered()};
    if (!Failed()) Traffic(config_.clean_frames, 0, false);
    if (!Failed()) Drain();
    for (int i = 0; i < 2 && !Failed() && std::abs(config_.clock_ppm) <= kProvenPpm; ++i) {
      const uint64_t arrived = check_[i].delivered() - delivered[i];
      if (arrived != config_.clean_frames) {
        Fail(fmt::format("end {}: {} of {} frames arrived on a clean line", EndName(1 - i), arrived,
                         config_.clean_frames));
      }
    }
  }
  for (int i = 0; i < 2 && !Failed(); ++i) {
    end_[i]->FinishMonitor();
    WatchCounters(i);
  }
  SoakResult result;
  Collect(result);
  return result;
}

void SoakRun::Collect(SoakResult& result) {
  for (int i = 0; i < 2; ++i) {
    result.sent += check_[i].sent();
    result.delivered += check_[i].delivered();
    result.bad += check_[i].bad();
    result.lost += check_[i].lost();
    result.relocks += end_[i]->counters().rx_lock_losses;
    result.overflows += end_[i]->counters().rx_overflows;
  }
  if (result.lost == 0) result.lengths = std::min(steps_[0], steps_[1]);
  result.cycles = cycles_;
  result.max_relock_ps = max_relock_ps_;
  result.harm = disturber_->counts();
  result.failure = failure_;
}

nlohmann::json SoakResult::Json() const {
  nlohmann::json json = {{"sent", sent},
                         {"delivered", delivered},
                         {"bad", bad},
                         {"lost", lost},
                         {"relocks", relocks},
                         {"relock_us_max", static_cast<double>(max_relock_ps / 1000) / 1000},
                         {"overflows", overflows},
                         {"bit_errors", harm.bit_errors},
                         {"slips", harm.slips},
                         {"signal_losses", harm.losses},
                         {"resets", harm.resets},
                         {"lengths", lengths},
                         {"cycles", cycles}};
  if (!failure.empty()) json["failure"] = failure;
  return json;
}

}  // namespace ullnic
