// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0

#include "qdma_example/example_card.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

namespace ullnic::qdma_example {

class ExampleCard::Function final : public qdma::Dma {
 public:
  Function(ExampleCard& card, unsigned func)
      : card_(card), func_(func), msix_(card.msix_.at(func)) {}

  void Read(unsigned bar, uint32_t address, std::function<void(uint32_t)> done) override {
    if (const uint32_t* word = msix_.Word(bar, address)) return done(*word);
    card_.user_reads_ += bar == qdma::kUserBar;
    card_.target_.Read(bar, address, std::move(done), func_);
  }
  void Write(unsigned bar, uint32_t address, uint32_t value, std::function<void()> done) override {
    if (uint32_t* word = msix_.Word(bar, address)) {
      *word = value;
      return done();
    }
    card_.user_writes_ += bar == qdma::kUserBar;
    card_.target_.Write(bar, address, value, std::move(done), func_);
  }
  bool Poll() override { return card_.Poll(); }
  bool HasWork() const override { return card_.HasWork(); }
  void Reset() override {
    card_.target_.Reset(func_);
    card_.memory_.Close(func_);
    msix_.MaskAll();
    ++card_.resets_;
  }
  nlohmann::json Describe() const override {
    nlohmann::json json = {{"function", func_}};
    if (func_ == 0) json.update(card_.Describe());
    return json;
  }

 private:
  ExampleCard& card_;
  unsigned func_;
  card_dma::MsixTable& msix_;
};

ExampleCard::ExampleCard() : context_(std::make_unique<VerilatedContext>()) {
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
  target_.Reset();  // requests before the first edge wait for it
}

ExampleCard::~ExampleCard() { model_->final(); }

std::unique_ptr<qdma::Dma> ExampleCard::Join(unsigned func, qdma::HostSide& host) {
  using namespace qdma::reg;
  const card_dma::MsixTable table =
      func < kFirstVirtual ? card_dma::MsixTable(func, kMsixTable, kMsixVectors)
                           : card_dma::MsixTable(func, kVirtualMsixTable, kVirtualMsixVectors);
  memory_.Join(func, host);
  if (func == 0) host_ = &host;
  msix_.emplace(func, table);
  if (state_ != State::kPowerUp) table.SetUp(target_);
  return std::make_unique<Function>(*this, func);
}

bool ExampleCard::Poll() {
  if (!HasWork()) return false;
  for (unsigned i = 0; i < kEdgesOfPoll; ++i) Step();
  return true;
}

void ExampleCard::Step() {
  Model& m = *model_;
  const bool is_from_outside = target_.busy() || state_ != State::kRun;
  m.rst = edges_ < kPowerUpEdges;
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
  if (host_ != nullptr) host_->SetIntx(m.intx & 1);
  ++edges_;
  if (moves && !is_from_outside && !is_timed) longest_pause_ = std::max(longest_pause_, quiet_);
  quiet_ = moves || is_from_outside || is_timed ? 0 : quiet_ + 1;
}

void ExampleCard::ShowReset(bool is_asked) {
  const unsigned func = target_.reset_func();
  auto& word = model_->flr_in_process[func / 32];
  word = is_asked ? word | 1u << func % 32 : word & ~(1u << func % 32);
}

void ExampleCard::StepReset() {
  Model& m = *model_;
  if (state_ == State::kPowerUp) {
    if (m.clearing) return;
    target_.EndReset();
    for (const auto& [func, table] : msix_) table.SetUp(target_);
    state_ = State::kRun;
  } else if (state_ == State::kRun) {
    if (!target_.reset_is_next()) return;
    ShowReset(true);
    state_ = State::kReset;
  } else if (m.flr_done && m.flr_func == target_.reset_func()) {
    const unsigned func = target_.reset_func();
    ShowReset(false);
    target_.EndReset();
    memory_.Open(func);
    msix_.at(func).SetUp(target_);
    state_ = State::kRun;
  }
}

nlohmann::json ExampleCard::Describe() const {
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
          {"user_interrupts_failed", m.stat_user_irq_failed},
          {"writes_dropped", m.stat_write_dropped},
          {"entries_refused", m.stat_entry_refused},
          {"entries_discarded", m.stat_entry_discarded},
          {"completions_unexpected", m.stat_completion_unexpected},
          {"c2h_mismatched", m.stat_c2h_mismatched},
          {"c2h_stopped", m.stat_c2h_stopped},
          {"loop_dropped", m.stat_loop_dropped}};
}

}  // namespace ullnic::qdma_example
