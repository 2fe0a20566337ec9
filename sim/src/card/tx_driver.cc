// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0

#include "card/tx_driver.h"

#include <algorithm>
#include <cstring>

namespace ullnic {

void TxDriver::ClockBusy(bool tready, uint64_t edge, int64_t time_ps) {
  if (word_.tvalid) {
    const FramePtr& frame = queue_.front();
    if (!offered_) {
      offered_ = true;
      if (observer_ != nullptr) observer_->OnOffer(frame, edge, time_ps, idle_edges_);
    }
    if (!tready) return;
    if (word_.tlast) {
      queue_.pop_front();
      word_ = {};
      offset_ = 0;
      offered_ = false;
      paused_ = false;
      idle_edges_ = 0;
    } else {
      offset_ += word_bytes_;
    }
  } else if (pause_cycles_ > 0) {
    // The cycles of an underrun count only where the transmitter wanted a word.
    if (tready && --pause_cycles_ == 0) PresentWord();
    return;
  } else {
    ++idle_edges_;
  }
  if (queue_.empty()) return;
  // Register: what is decided at this edge is visible until the next.
  if (offset_ == 0 && idle_edges_ < queue_.front()->idle_cycles_before) return;
  PresentWord();
}

void TxDriver::Reset() {
  if (offered_) queue_.pop_front();
  word_ = {};
  offset_ = 0;
  offered_ = false;
  paused_ = false;
  pause_cycles_ = 0;
  idle_edges_ = 0;
}

void TxDriver::PresentWord() {
  const Frame& frame = *queue_.front();
  const bool here =
      frame.breach != Frame::Breach::kNone && offset_ / word_bytes_ == frame.breach_word;
  if (here && frame.breach == Frame::Breach::kUnderrun && !paused_) {
    paused_ = true;
    pause_cycles_ = std::max<uint32_t>(frame.breach_cycles, 1);
    word_.tvalid = false;
    return;
  }
  const size_t left = frame.bytes.size() - offset_;
  const size_t count = std::min(left, word_bytes_);
  uint32_t data = 0;
  std::memcpy(&data, frame.bytes.data() + offset_, count);
  word_.tdata = data;
  word_.tkeep = static_cast<uint8_t>((1u << count) - 1);
  word_.tvalid = true;
  word_.tlast = left <= word_bytes_;
  word_.tuser = here && frame.breach == Frame::Breach::kUserError;
  if (here && frame.breach == Frame::Breach::kIllegalKeep) {
    word_.tkeep = word_bytes_ == 2 ? (word_.tlast ? 0b10 : 0b01) : word_.tlast ? 0b0101 : 0b0111;
  }
}

}  // namespace ullnic
