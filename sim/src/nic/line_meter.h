// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Observes a line as measuring equipment on the fibre would: every frame, and the time of its first
// bit, to one bit time.
#pragma once

#include <cstdint>
#include <functional>

#include "core/frame.h"
#include "partner/line_codec.h"

namespace ullnic {

// A bit time is 3200/33 ps. Rounds to nearest.
constexpr int64_t UiToPs(int64_t ui) { return (ui * 3200 + (ui < 0 ? -16 : 16)) / 33; }
constexpr int64_t PsToUi(int64_t ps) { return (ps * 33 + (ps < 0 ? -1600 : 1600)) / 3200; }

struct HeardFrame {
  partner::DecodedFrame frame;
  int64_t start_ps = 0;  // the first bit of the start character

  // Time of the last bit of a byte; byte 0 is the first of the destination address.
  int64_t byte_end_ps(size_t byte) const;
};

class LineMeter {
 public:
  // The words of the line in order; `edge_ps`: the edge that ends the word's cycle. Bit i passes at
  // that edge plus i bit times, for every meter alike.
  void TakeWord(uint32_t word, int word_bits, int64_t edge_ps);
  void set_on_frame(std::function<void(HeardFrame&&)> f);

  bool block_lock() const { return receiver_.block_lock(); }
  bool in_frame() const { return receiver_.decoder().in_frame(); }
  uint64_t frames() const { return receiver_.decoder().frames(); }
  const partner::LineReceiver& receiver() const { return receiver_; }

 private:
  partner::LineReceiver receiver_;
  int64_t start_edge_ps_ = 0;  // end of the block with the start character
  int64_t start_ui_ = 0;       // from there to its first bit
};

}  // namespace ullnic
