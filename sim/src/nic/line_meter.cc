// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0

#include "nic/line_meter.h"

#include <utility>

namespace ullnic {
namespace {

constexpr int kHeaderBits = 2;
constexpr int64_t kPreambleOctets = 8;  // with the start character

// From the start of a block to the first bit of one of its octets.
constexpr int64_t OctetUi(int64_t lane) { return kHeaderBits + 8 * lane; }

}  // namespace

int64_t HeardFrame::byte_end_ps(size_t byte) const {
  const int64_t octet = frame.start_lane + kPreambleOctets + static_cast<int64_t>(byte);
  const int64_t end_ui = octet / 8 * partner::kBlockBits + OctetUi(octet % 8) + 8;
  return start_ps + UiToPs(end_ui - OctetUi(frame.start_lane));
}

void LineMeter::set_on_frame(std::function<void(HeardFrame&&)> f) {
  receiver_.decoder().set_on_frame([this, f = std::move(f)](partner::DecodedFrame&& frame) {
    const int64_t start_ps = start_edge_ps_ + UiToPs(start_ui_ + OctetUi(frame.start_lane));
    f({std::move(frame), start_ps});
  });
}

void LineMeter::TakeWord(uint32_t word, int word_bits, int64_t edge_ps) {
  const partner::FrameDecoder& decoder = receiver_.decoder();
  const bool was_in_frame = decoder.in_frame();
  const uint64_t frames = decoder.frames();
  receiver_.TakeWord(word, word_bits);
  // A word completes at most one block.
  if (!decoder.in_frame() || (was_in_frame && decoder.frames() == frames)) return;
  start_edge_ps_ = edge_ps;
  start_ui_ = word_bits - receiver_.block_bit() - partner::kBlockBits;
}

}  // namespace ullnic
