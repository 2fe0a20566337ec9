// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// The Verilated engine (cores/ate/rtl/ate_core.sv) of one configuration, with the MAC that it sends
// to: cycles of clk, and transmitted frames. The MAC accepts a word in each cycle but one in 33,
// pauses between frames for at least the minimum of 802.3, and may start a frame arbitrarily late.
#pragma once

#include <verilated.h>

#include <deque>
#include <memory>

#include "core/frame.h"
#include "core/rng.h"
#include "fuzz/fuzzer.h"
#include ULLNIC_ATE_HEADER
#include ULLNIC_ATE_ROOT_HEADER

namespace ullnic::fuzz {

struct LeftFrame {
  Bytes bytes;
  bool bad = false;  // with a bad FCS
};

class AteModel {
 public:
  static constexpr unsigned kWidth = ULLNIC_ATE_WIDTH;
  static constexpr bool kAmend = ULLNIC_ATE_AMEND;

  explicit AteModel(uint64_t seed) : rng_(Rng::Stream(seed, 1)) {
    context_->randReset(0);
    model_ = std::make_unique<ULLNIC_ATE_MODEL>(context_.get());
  }
  ~AteModel() { model_->final(); }

  ULLNIC_ATE_MODEL& ports() { return *model_; }
  const ULLNIC_ATE_MODEL& ports() const { return *model_; }

  // Evaluates the outputs of this cycle; with 16 bits, after its first half.
  void Settle() {
    ULLNIC_ATE_MODEL& m = *model_;
    m.rst = m.tx_rst = cycles_ < kResetCycles;
    started_ = false;
    if (kWidth == 16) {
      Half();
      m.clk = 0;
      FastEdge();
      m.tx_start = 0;
    }
    Half();
  }
  // The clock rises: ends the cycle.
  void Rise() {
    model_->clk = 1;
    FastEdge();
    if (kWidth == 32) model_->clk = 0;
    ++cycles_;
  }

  bool in_reset() const { return cycles_ < kResetCycles; }
  uint64_t cycles() const { return cycles_; }
  bool frame_under_way() const { return offered_ || count_ > 0; }
  // Between frames the MAC waits for up to this many words more than necessary.
  void set_laziness(uint64_t words) { laziness_ = words; }
  std::deque<LeftFrame>& left() { return left_; }
  uint64_t frames() const { return frames_; }
  uint64_t bad_frames() const { return bad_frames_; }
  // A first word was offered in this cycle.
  bool started() const { return started_; }
  // The MAC would accept a first word now.
  bool waits() const { return count_ == 0 && wait_ == 0; }

 private:
  static constexpr uint64_t kResetCycles = 8;
  static constexpr size_t kWordBytes = kWidth / 8;
  static constexpr uint64_t kPauseEach = 33;
  // FCS, a gap of 9 octets, preamble.
  static constexpr uint64_t kBetween = (4 + 9 + 8 + kWordBytes - 1) / kWordBytes;

  // Up to the next edge of tx_clk.
  void Half() {
    if (++phase_ == kPauseEach) phase_ = 0;
    model_->m_axis_tready = wait_ == 0 && phase_ != 0;
    model_->eval();
    Look();
  }
  void FastEdge() {
    Take();
    model_->tx_clk = 1;
    model_->eval();
    model_->tx_clk = 0;
  }

  void Look() {
    const ULLNIC_ATE_MODEL& m = *model_;
    if (in_reset()) return;
    if (m.m_axis_tvalid) {
      started_ |= !offered_ && count_ == 0;
      offered_ = true;
    } else if (offered_) {
      Fault("m_axis_tvalid falls {}",
            count_ == 0 ? "before the first word is taken" : "in a frame");
    }
  }

  void Take() {
    const ULLNIC_ATE_MODEL& m = *model_;
    if (wait_ > 0) --wait_;
    if (in_reset() || !m.m_axis_tvalid || !m.m_axis_tready) return;
    if (kAmend && count_ > 0) {
      for (size_t i = 0; i < 4; ++i) {
        frame_.bytes[frame_.bytes.size() - 4 + i] ^=
            static_cast<uint8_t>(m.m_axis_tamend >> (8 * i));
      }
    }
    const unsigned keep = m.m_axis_tkeep;
    const auto bytes = static_cast<unsigned>(std::popcount(keep));
    if (keep != (1u << bytes) - 1 || bytes == 0 || (bytes < kWordBytes && !m.m_axis_tlast)) {
      Fault("m_axis_tkeep is {:#x} with tlast {}", keep, m.m_axis_tlast);
    }
    for (unsigned i = 0; i < bytes; ++i) {
      frame_.bytes.push_back(static_cast<uint8_t>(m.m_axis_tdata >> (8 * i)));
    }
    frame_.bad |= m.m_axis_tuser != 0;
    ++count_;
    if (!m.m_axis_tlast) return;
    const size_t padding = frame_.bytes.size() < 60 ? (60 - frame_.bytes.size()) / kWordBytes : 0;
    ++frames_;
    bad_frames_ += frame_.bad;
    left_.push_back(std::exchange(frame_, {}));
    count_ = 0;
    offered_ = false;
    wait_ = kBetween + padding + (laziness_ > 0 ? rng_.Below(laziness_ + 1) : 0);
  }

  Rng rng_;
  std::unique_ptr<VerilatedContext> context_ = std::make_unique<VerilatedContext>();
  std::unique_ptr<ULLNIC_ATE_MODEL> model_;
  LeftFrame frame_;
  std::deque<LeftFrame> left_;
  bool offered_ = false, started_ = false;
  uint64_t count_ = 0, wait_ = 0, phase_ = 0, laziness_ = 0;
  uint64_t cycles_ = 0, frames_ = 0, bad_frames_ = 0;
};

}  // namespace ullnic::fuzz
