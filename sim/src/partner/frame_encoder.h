// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// The link partner's transmitter: MAC (clause 4), reconciliation sublayer with deficit idle count
// (46.3.1.4) and 64b/66b encoder. On request it also sends invalid data.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <vector>

#include "core/frame.h"
#include "partner/block.h"

namespace ullnic::partner {

// A block of a frame is sent differently. Block 0 holds the start character.
struct Mutation {
  enum class Kind : uint8_t {
    kHeader,      // the sync header becomes `value`
    kXorPayload,  // payload bits are inverted
    kReplace,     // the block becomes `block`
    kOmit,        // the block is not sent
  };
  static constexpr int kTerminateBlock = -1;

  Kind kind = Kind::kHeader;
  int at = 0;  // block of the frame, or kTerminateBlock
  uint64_t value = 0;
  Block block{};
};

struct WireFrame {
  Bytes bytes;  // from the destination address on, without FCS
  bool pad = true;
  bool wrong_fcs = false;
  bool append_fcs = true;
  std::optional<uint64_t> preamble;  // the seven octets after the start character, first in byte 0
  int start_lane = -1;               // 0, 4, or any
  // Minimum octets from the previous frame's terminate character to the start. 0: by the deficit
  // idle count. Below 9 violates the standard.
  uint32_t gap_octets = 0;
  std::vector<Mutation> mutations;
  FramePtr source;  // handed back when the frame starts
};

class FrameEncoder {
 public:
  void Enqueue(WireFrame frame) { queue_.push_back(std::move(frame)); }
  // A sequence ordered set (link fault signalling), as soon as a gap has room, in lane 0, lane 4,
  // or either (-1).
  void EnqueueOrderedSet(uint32_t data24, int lane = -1) {
    ordered_sets_.push_back({data24, lane});
  }
  // Frames that are not completely sent.
  size_t backlog() const { return queue_.size() + (stream_.empty() ? 0 : 1); }
  // Called as the block with the start character of a frame is made.
  void set_on_start(std::function<void(const WireFrame&)> f) { on_start_ = std::move(f); }

  // The next block of the line, before scrambling.
  Block NextBlock();

 private:
  struct OrderedSet {
    uint32_t data24;
    int lane;
  };

  Column NextColumn(bool first_half);
  void TakeOrderedSet(bool first_half, Column& column);
  bool MayStart(const WireFrame& frame, bool first_half) const;
  void Start();
  bool Mutate(Block& block, bool is_last);

  static constexpr uint32_t kIdleGap = 1'000'000;  // longer than any relevant gap

  std::deque<WireFrame> queue_;
  std::deque<OrderedSet> ordered_sets_;
  std::function<void(const WireFrame&)> on_start_;
  std::vector<Octet> stream_;  // the frame being sent, from start to terminate
  size_t position_ = 0;
  std::vector<Mutation> mutations_;
  int frame_block_ = 0;
  bool block_has_terminate_ = false;
  uint32_t gap_octets_ = kIdleGap;
  uint32_t deficit_octets_ = 0;
};

}  // namespace ullnic::partner
