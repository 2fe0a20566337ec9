// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0

#include "partner/frame_encoder.h"

#include <algorithm>

#include "partner/crc32.h"
#include "partner/pcs_code.h"

namespace ullnic::partner {
namespace {

constexpr uint64_t kPreamble = 0xd5'55'55'55'55'55'55;  // six octets and the start frame delimiter
constexpr uint32_t kMeanGapOctets = 12;
constexpr uint32_t kMinGapOctets = 9;
constexpr uint32_t kMaxDeficitOctets = 3;

// Start character, preamble, frame, FCS, terminate character.
std::vector<Octet> OctetsOf(const WireFrame& frame) {
  Bytes bytes = frame.bytes;
  if (frame.pad && bytes.size() < kMinFrameBytes) bytes.resize(kMinFrameBytes);
  if (frame.append_fcs) {
    const uint32_t fcs = frame.wrong_fcs ? ~Fcs(bytes) : Fcs(bytes);
    for (int i = 0; i < 4; ++i) bytes.push_back(static_cast<uint8_t>(fcs >> (8 * i)));
  }
  std::vector<Octet> octets;
  octets.reserve(bytes.size() + 9);
  octets.push_back({kStart, true});
  const uint64_t preamble = frame.preamble.value_or(kPreamble);
  for (int i = 0; i < 7; ++i) octets.push_back({static_cast<uint8_t>(preamble >> (8 * i)), false});
  for (const uint8_t b : bytes) octets.push_back({b, false});
  octets.push_back({kTerminate, true});
  return octets;
}

}  // namespace

bool FrameEncoder::MayStart(const WireFrame& frame, bool first_half) const {
  if (frame.start_lane == (first_half ? 4 : 0)) return false;
  // No block holds both a terminate and a start character.
  if (!first_half && block_has_terminate_) return false;
  if (frame.gap_octets > 0 && frame.gap_octets < kMinGapOctets) {
    return gap_octets_ >= frame.gap_octets;
  }
  if (gap_octets_ < frame.gap_octets) return false;
  return gap_octets_ >= kMeanGapOctets ||
         kMeanGapOctets - gap_octets_ + deficit_octets_ <= kMaxDeficitOctets;
}

void FrameEncoder::Start() {
  const uint32_t due = kMeanGapOctets + deficit_octets_;
  deficit_octets_ = due > gap_octets_ ? std::min(due - gap_octets_, kMaxDeficitOctets) : 0;
  WireFrame frame = std::move(queue_.front());
  queue_.pop_front();
  stream_ = OctetsOf(frame);
  position_ = 0;
  frame_block_ = 0;
  mutations_ = std::move(frame.mutations);
  if (on_start_) on_start_(frame);
}

void FrameEncoder::TakeOrderedSet(bool first_half, Column& column) {
  // No block holds both a terminate character and an ordered set.
  if (ordered_sets_.empty() || block_has_terminate_) return;
  const OrderedSet set = ordered_sets_.front();
  if (set.lane == (first_half ? 4 : 0)) return;
  ordered_sets_.pop_front();
  column[0] = {kSequence, true};
  for (int i = 0; i < 3; ++i) {
    column[static_cast<size_t>(1 + i)] = {static_cast<uint8_t>(set.data24 >> (8 * i)), false};
  }
}

Column FrameEncoder::NextColumn(bool first_half) {
  Column column{};  // idle
  if (stream_.empty()) {
    if (!queue_.empty() && MayStart(queue_.front(), first_half)) {
      Start();
    } else {
      TakeOrderedSet(first_half, column);
      gap_octets_ = std::min(gap_octets_ + 4, kIdleGap);
      return column;
    }
  }
  const size_t count = std::min<size_t>(4, stream_.size() - position_);
  std::copy_n(stream_.begin() + static_cast<ptrdiff_t>(position_), count, column.begin());
  position_ += count;
  if (position_ == stream_.size()) {
    stream_.clear();
    block_has_terminate_ = true;
    gap_octets_ = static_cast<uint32_t>(5 - count);  // the terminate character counts
  }
  return column;
}

Block FrameEncoder::NextBlock() {
  for (;;) {
    const bool in_frame_before = !stream_.empty();
    block_has_terminate_ = false;
    OctetBlock octets;
    for (const bool first_half : {true, false}) {
      const Column column = NextColumn(first_half);
      std::copy(column.begin(), column.end(), octets.begin() + (first_half ? 0 : 4));
    }
    Block block = EncodeBlock(octets);
    const bool of_frame = in_frame_before || !stream_.empty() || block_has_terminate_;
    if (!of_frame || Mutate(block, block_has_terminate_)) return block;
  }
}

// Returns false if the block is to be omitted.
bool FrameEncoder::Mutate(Block& block, bool is_last) {
  const int here = frame_block_++;
  bool send = true;
  for (const Mutation& m : mutations_) {
    if (m.at != here && !(m.at == Mutation::kTerminateBlock && is_last)) continue;
    switch (m.kind) {
      case Mutation::Kind::kHeader:
        block.header = m.value & 3;
        break;
      case Mutation::Kind::kXorPayload:
        block.payload ^= m.value;
        break;
      case Mutation::Kind::kReplace:
        block = m.block;
        break;
      case Mutation::Kind::kOmit:
        send = false;
        break;
    }
  }
  return send;
}

}  // namespace ullnic::partner
