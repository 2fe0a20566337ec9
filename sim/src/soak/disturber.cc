// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0

#include "soak/disturber.h"

namespace ullnic {
namespace {

constexpr uint64_t kMinResetCycles = 3;  // this many contain an edge of every clock
constexpr uint64_t kMaxResetCycles = 64;

double PerCycle(double mean_cycles) { return mean_cycles > 0 ? 1 / mean_cycles : 0; }

}  // namespace

Disturber::Disturber(const SoakConfig& config, const std::array<Way, 2>& ways)
    : config_(config), ways_(ways), rng_(Rng::Stream(config.seed, 20)) {}

void Disturber::Start() {
  active_ = true;
  for (int i = 0; i < 2; ++i) {
    ways_[i].line->set_bit_error_rate(config_.bit_error_rate);
    ways_[i].sender->SetBackPressure(config_.back_pressure);
    slip_in_[i] = rng_.Skip(PerCycle(config_.slip_bits / ways_[i].line->word_bits()));
    loss_in_[i] = rng_.Skip(PerCycle(config_.loss_cycles));
    reset_in_[i] = rng_.Skip(PerCycle(config_.reset_cycles));
  }
}

void Disturber::Stop(int64_t now_ps) {
  active_ = false;
  for (int i = 0; i < 2; ++i) {
    StepLine(i, now_ps);
    ways_[i].line->set_bit_error_rate(0);
    ways_[i].line->set_signal(SerialLine::Signal::kSender);
    ways_[i].sender->SetBackPressure({});
    ways_[i].sender->SetReset(0);
    loss_left_[i] = reset_left_[i] = 0;
  }
}

void Disturber::Step(int64_t now_ps) {
  if (!active_) return;
  for (int i = 0; i < 2; ++i) {
    StepLine(i, now_ps);
    StepEnd(i, now_ps);
  }
}

void Disturber::Harm(int way, int64_t now_ps) {
  ways_[way].check->Cause(now_ps);
  last_harm_ps_ = now_ps;
}

void Disturber::StepLine(int way, int64_t now_ps) {
  SerialLine& line = *ways_[way].line;
  if (line.bit_errors() != bit_errors_seen_[way]) {
    counts_.bit_errors += line.bit_errors() - bit_errors_seen_[way];
    bit_errors_seen_[way] = line.bit_errors();
    Harm(way, now_ps);
  }
  if (loss_left_[way] > 0) {
    Harm(way, now_ps);
    if (--loss_left_[way] == 0) line.set_signal(SerialLine::Signal::kSender);
  }
  if (!active_) return;
  if (slip_in_[way]-- == 0) {
    line.Slip(rng_.Below(2) != 0 ? 1 : -1);
    ++counts_.slips;
    Harm(way, now_ps);
    slip_in_[way] = rng_.Skip(PerCycle(config_.slip_bits / line.word_bits()));
  }
  if (loss_in_[way]-- == 0) {
    line.set_signal(static_cast<SerialLine::Signal>(rng_.Range(1, 3)));
    loss_left_[way] = rng_.Range(1, config_.loss_length);
    ++counts_.losses;
    Harm(way, now_ps);
    loss_in_[way] = rng_.Skip(PerCycle(config_.loss_cycles));
  }
}

void Disturber::StepEnd(int end, int64_t now_ps) {
  if (config_.back_pressure.stall > 0) last_overflow_cause_ps_[end] = now_ps;
  if (reset_left_[end] == 0 && reset_in_[end]-- == 0) {
    resets_[end] = static_cast<ResetSet>(rng_.Range(1, 15));
    reset_left_[end] = rng_.Range(kMinResetCycles, kMaxResetCycles);
    ways_[end].sender->SetReset(resets_[end]);
    ++counts_.resets;
    reset_in_[end] = rng_.Skip(PerCycle(config_.reset_cycles));
  }
  if (reset_left_[end] == 0) return;
  if (resets_[end] & (kResetTx | kResetTxUser)) {
    Harm(end, now_ps);
    last_underrun_cause_ps_[end] = now_ps;
  }
  if (resets_[end] & (kResetRx | kResetRxUser)) {
    Harm(1 - end, now_ps);
    last_overflow_cause_ps_[end] = now_ps;
  }
  if (--reset_left_[end] == 0) ways_[end].sender->SetReset(0);
}

}  // namespace ullnic
