// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0

#include "card/tx_driver.h"

#include <algorithm>
#include <cstring>

#include "partner/crc32.h"

namespace ullnic {

void TxDriver::Enqueue(FramePtr frame) {
  Entry entry{std::move(frame), {}};
  if (config_.fcs != TxFcs::kAdded) {
    const bool own = config_.fcs == TxFcs::kFromUser;
    Bytes bytes = entry.frame->bytes;
    if (own) bytes.resize(std::max(bytes.size(), config_.min_bytes));
    // Any four bytes but the correct ones, if the card replaces them by the FCS.
    const uint32_t fcs = partner::Fcs(bytes) ^ (own ? 0 : 0x5a5a5a5a);
    for (size_t i = 0; i < kFcsBytes; ++i) bytes.push_back(static_cast<uint8_t>(fcs >> (8 * i)));
    entry.with_fcs = std::move(bytes);
  }
  queue_.push_back(std::move(entry));
}

void TxDriver::ClockBusy(bool tready, uint64_t edge, int64_t time_ps) {
  if (word_.tvalid) {
    const FramePtr& frame = queue_.front().frame;
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
      offset_ += config_.word_bytes;
    }
  } else if (pause_cycles_ > 0) {
    // Cycles of an underrun count only when the transmitter is ready for a word.
    if (tready && --pause_cycles_ == 0) PresentWord();
    return;
  } else {
    ++idle_edges_;
  }
  if (queue_.empty()) return;
  // Register: what is decided at this edge is visible until the next.
  if (offset_ == 0 && idle_edges_ < queue_.front().frame->idle_cycles_before) return;
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
  const Frame& frame = *queue_.front().frame;
  const Bytes& bytes = queue_.front().bytes();
  const bool here =
      frame.breach != Frame::Breach::kNone && offset_ / config_.word_bytes == frame.breach_word;
  if (here && frame.breach == Frame::Breach::kUnderrun && !paused_) {
    paused_ = true;
    pause_cycles_ = std::max<uint32_t>(frame.breach_cycles, 1);
    word_.tvalid = false;
    return;
  }
  const size_t left = bytes.size() - offset_;
  const size_t count = std::min(left, config_.word_bytes);
  uint32_t data = 0;
  std::memcpy(&data, bytes.data() + offset_, count);
  word_.tdata = data;
  word_.tkeep = static_cast<uint8_t>((1u << count) - 1);
  word_.tvalid = true;
  word_.tlast = left <= config_.word_bytes;
  word_.tuser = here && frame.breach == Frame::Breach::kUserError;
  if (here && frame.breach == Frame::Breach::kIllegalKeep) {
    word_.tkeep = config_.word_bytes == 2 ? (word_.tlast ? 0b10 : 0b01)
                  : word_.tlast           ? 0b0101
                                          : 0b0111;
  }
}

}  // namespace ullnic
