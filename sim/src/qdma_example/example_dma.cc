// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0

#include "qdma_example/example_dma.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

namespace ullnic::qdma_example {

ExampleDma::ExampleDma(qdma::HostSide& host)
    : context_(std::make_unique<VerilatedContext>()), memory_(host) {
  context_->randReset(0);
  model_ = std::make_unique<Model>(context_.get());
  model_->rst = 1;
  model_->max_payload = 1;       // 256 bytes
  model_->max_read_request = 2;  // 512 bytes
  model_->credit_limit = 256;
  for (unsigned i = 0; i < 8; ++i) {
    model_->master_enable[i] = ~0u;
    model_->msix_enable[i] = ~0u;
  }
  target_.Reset();  // what is asked for before the first edge waits for it
}

ExampleDma::~ExampleDma() { model_->final(); }

void ExampleDma::Read(unsigned bar, uint32_t address, std::function<void(uint32_t)> done) {
  if (const uint32_t* word = msix_.Word(bar, address)) return done(*word);
  user_reads_ += bar == qdma::kUserBar;
  target_.Read(bar, address, std::move(done));
}

void ExampleDma::Write(unsigned bar, uint32_t address, uint32_t value, std::function<void()> done) {
  if (uint32_t* word = msix_.Word(bar, address)) {
    *word = value;
    return done();
  }
  user_writes_ += bar == qdma::kUserBar;
  target_.Write(bar, address, value, std::move(done));
}

void ExampleDma::Reset() {
  target_.Reset();
  memory_.Close();
  msix_.MaskAll();
  ++resets_;
}

bool ExampleDma::Poll() {
  if (!HasWork()) return false;
  for (unsigned i = 0; i < kEdgesOfPoll; ++i) Step();
  return true;
}

void ExampleDma::Step() {
  Model& m = *model_;
  const bool is_from_outside = target_.busy() || state_ != State::kRun;
  m.rst = edges_ < kPowerUpEdges;
  m.flr_in_process[0] = state_ == State::kReset;
  target_.Drive(m);
  memory_.Drive(m);
  m.clk = 0;
  m.eval();
  bool moves = m.moves || memory_.busy();
  if (!m.rst) {
    target_.Clock(m);
    moves |= memory_.Clock(m);
    StepReset();
  }
  const bool is_timed = m.timers_armed || m.clearing;
  m.clk = 1;
  m.eval();
  ++edges_;
  if (moves && !is_from_outside && !is_timed) longest_pause_ = std::max(longest_pause_, quiet_);
  quiet_ = moves || is_from_outside || is_timed ? 0 : quiet_ + 1;
}

void ExampleDma::StepReset() {
  switch (state_) {
    case State::kPowerUp:
      if (model_->clearing) return;
      break;
    case State::kRun:
      if (target_.reset_is_next()) state_ = State::kReset;
      return;
    case State::kReset:
      if (!model_->flr_done) return;
      break;
  }
  state_ = State::kRun;
  target_.EndReset();
  memory_.Reset();
  card_dma::MsixTable::SetUp(target_);
}

nlohmann::json ExampleDma::Describe() const {
  const Model& m = *model_;
  const card_dma::MemoryChannel::Counters& c = memory_.counters();
  return {{"dma", "rtl"},
          {"edges", edges_},
          {"user_reads", user_reads_},
          {"user_writes", user_writes_},
          {"user_refused", m.stat_user_refused},
          {"resets", resets_},
          {"reads", c.reads},
          {"read_bytes", c.read_bytes},
          {"reads_failed", c.reads_failed},
          {"writes", c.writes},
          {"write_bytes", c.write_bytes},
          {"writes_failed", c.writes_failed},
          {"interrupts", c.interrupts},
          {"interrupts_lost", c.interrupts_lost + m.stat_interrupt_lost},
          {"writes_dropped", m.stat_write_dropped},
          {"entries_refused", m.stat_entry_refused},
          {"entries_discarded", m.stat_entry_discarded},
          {"completions_unexpected", m.stat_completion_unexpected},
          {"c2h_mismatched", m.stat_c2h_mismatched},
          {"c2h_stopped", m.stat_c2h_stopped},
          {"loop_dropped", m.stat_loop_dropped}};
}

}  // namespace ullnic::qdma_example
