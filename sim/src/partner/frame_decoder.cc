// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0

#include "partner/frame_decoder.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "partner/crc32.h"
#include "partner/pcs_code.h"

namespace ullnic::partner {
namespace {

constexpr uint64_t kExpectedPreamble = 0xd5'55'55'55'55'55'55;
constexpr int64_t kExpectedMinGapOctets = 9;
constexpr int64_t kExpectedMeanGapOctets = 12;
constexpr int64_t kExpectedMaxDeficitOctets = 3;
constexpr int64_t kLongGapOctets = 32;

constexpr const char* kNames[kBreachKinds] = {"bad sync header",
                                              "bad block type",
                                              "reserved bits not zero",
                                              "bad control code",
                                              "error character",
                                              "bad preamble",
                                              "gap below 9 octets",
                                              "gap below 12 octets in the mean",
                                              "wrong FCS",
                                              "runt",
                                              "giant",
                                              "data outside a frame",
                                              "terminate outside a frame",
                                              "missing terminate",
                                              "start in a frame",
                                              "block lock lost"};

uint32_t Bit(Breach breach) { return 1u << static_cast<int>(breach); }

}  // namespace

const char* BreachName(Breach breach) { return kNames[static_cast<size_t>(breach)]; }

void FrameDecoder::Report(Breach breach) {
  if (total_++ == 0)
    first_breach_ = fmt::format("{} in block {}", BreachName(breach), block_index_);
  ++counts_[static_cast<size_t>(breach)];
  frame_.breaches |= Bit(breach);
}

void FrameDecoder::TakeBlock(const Block& block) {
  if (block.header == kDataHeader && in_frame_ && preamble_left_ == 0) {
    for (int i = 0; i < 8; ++i)
      frame_.bytes.push_back(static_cast<uint8_t>(block.payload >> 8 * i));
    ++block_index_;
    return;
  }
  const DecodedBlock decoded = DecodeBlock(block);
  switch (decoded.fault) {
    case BlockFault::kNone:
      break;
    case BlockFault::kBadHeader:
      Report(Breach::kBadHeader);
      break;
    case BlockFault::kBadType:
      Report(Breach::kBadType);
      break;
    case BlockFault::kReservedBits:
      Report(Breach::kReservedBits);
      break;
    case BlockFault::kBadControlCode:
      Report(Breach::kBadControlCode);
      break;
  }
  if (decoded.fault == BlockFault::kBadHeader || decoded.fault == BlockFault::kBadType) {
    AbortFrame();
    gap_octets_ = -1;
  } else {
    for (int lane = 0; lane < 8; ++lane) TakeOctet(decoded.octets[static_cast<size_t>(lane)], lane);
  }
  ++block_index_;
}

void FrameDecoder::TakeOctet(const Octet& octet, int lane) {
  if (octet.control) {
    TakeControl(octet.value, lane);
  } else if (skip_data_ > 0) {
    --skip_data_;
    if (gap_octets_ >= 0) ++gap_octets_;
  } else if (!in_frame_) {
    Report(Breach::kDataOutsideFrame);
    gap_octets_ = -1;
  } else if (preamble_left_ > 0) {
    preamble_ = preamble_ >> 8 | uint64_t{octet.value} << 48;
    if (--preamble_left_ == 0 && preamble_ != kExpectedPreamble) Report(Breach::kBadPreamble);
  } else {
    frame_.bytes.push_back(octet.value);
  }
}

void FrameDecoder::TakeControl(uint8_t character, int lane) {
  skip_data_ = 0;
  if (character == kStart) {
    StartFrame(lane);
    return;
  }
  if (character == kTerminate) {
    if (in_frame_) {
      EndFrame();
    } else {
      Report(Breach::kTerminateOutsideFrame);
    }
    gap_octets_ = 1;
    return;
  }
  if (character == kError) Report(Breach::kErrorCharacter);
  if (in_frame_) {
    Report(Breach::kMissingTerminate);
    AbortFrame();
  }
  if (character == kSequence || character == 0x5c) {
    ++ordered_sets_;
    skip_data_ = 3;
  }
  if (gap_octets_ >= 0) ++gap_octets_;
}

void FrameDecoder::StartFrame(int lane) {
  if (in_frame_) {
    Report(Breach::kStartInFrame);
    AbortFrame();
    gap_octets_ = -1;
  }
  frame_ = {};  // earlier violations do not belong to this frame
  if (gap_octets_ >= 0) {
    ++gaps_[std::min(gap_octets_, kLongGapOctets)];
    deficit_octets_ = std::max<int64_t>(0, deficit_octets_ + kExpectedMeanGapOctets - gap_octets_);
    if (gap_octets_ < kExpectedMinGapOctets) {
      Report(Breach::kGapTooShort);
    } else if (deficit_octets_ > kExpectedMaxDeficitOctets) {
      Report(Breach::kGapMeanTooShort);
    }
    deficit_octets_ =
        std::min(deficit_octets_, kExpectedMaxDeficitOctets);  // report each violation once
  } else {
    deficit_octets_ = 0;
  }
  in_frame_ = true;
  lane4_starts_ += lane == 4;
  frame_.start_lane = lane;
  frame_.gap_octets = gap_octets_;
  frame_.start_block = block_index_;
  preamble_ = 0;
  preamble_left_ = 7;
}

void FrameDecoder::EndFrame() {
  Bytes& bytes = frame_.bytes;
  if (preamble_left_ > 0) Report(Breach::kBadPreamble);
  if (bytes.size() < kMinFrameBytes + kFcsBytes) Report(Breach::kRunt);
  if (bytes.size() > max_frame_bytes_ + kFcsBytes) Report(Breach::kGiant);
  if (!FcsIsGood(bytes)) Report(Breach::kWrongFcs);
  const size_t fcs_bytes = std::min(bytes.size(), kFcsBytes);
  for (size_t i = 0; i < fcs_bytes; ++i) {
    frame_.fcs |= uint32_t{bytes[bytes.size() - fcs_bytes + i]} << (8 * i);
  }
  bytes.resize(bytes.size() - fcs_bytes);
  AbortFrame();
}

// Ends a frame, complete or not: it is good if it has no violation.
void FrameDecoder::AbortFrame() {
  if (in_frame_) {
    in_frame_ = false;
    // A bad gap is counted as the sender's violation, but does not make the frame bad.
    frame_.good =
        (frame_.breaches & ~(Bit(Breach::kGapTooShort) | Bit(Breach::kGapMeanTooShort))) == 0;
    ++frames_;
    good_frames_ += frame_.good;
    DecodedFrame done = std::exchange(frame_, {});
    if (on_frame_) on_frame_(std::move(done));
  }
  frame_ = {};
}

void FrameDecoder::LoseLock() {
  Report(Breach::kLockLost);
  AbortFrame();
  gap_octets_ = -1;
  skip_data_ = 0;
}

}  // namespace ullnic::partner
