// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// The link partner's receiver above the block level: a strict check of what a transmitter sends.
// Every violation of clauses 4, 46 and 49 is counted by kind; a good frame has none.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <string>

#include "core/frame.h"
#include "partner/block.h"

namespace ullnic::partner {

enum class Breach : uint8_t {
  kBadHeader,
  kBadType,
  kReservedBits,
  kBadControlCode,
  kErrorCharacter,
  kBadPreamble,      // not six times 0x55 and 0xd5
  kGapTooShort,      // below 9 octets
  kGapMeanTooShort,  // the gaps' deficit against 12 octets exceeds 3
  kWrongFcs,
  kRunt,  // below 64 octets with FCS
  kGiant,
  kDataOutsideFrame,
  kTerminateOutsideFrame,
  kMissingTerminate,  // control characters in a frame
  kStartInFrame,
  kLockLost,
};
constexpr size_t kBreachKinds = 16;
const char* BreachName(Breach breach);

struct DecodedFrame {
  Bytes bytes;       // without the FCS (the last four octets, whatever they are)
  uint32_t fcs = 0;  // as received
  bool good = false;
  uint32_t breaches = 0;     // bit i: Breach i happened in this frame or its gap
  int start_lane = 0;        // 0 or 4
  int64_t gap_octets = -1;   // from the terminate before; -1: unknown
  uint64_t start_block = 0;  // index of the block with the start character
  // Bit times from the start of block 0 to the start character, with all octets of a block of equal
  // length.
  uint64_t start_ui() const {
    return start_block * kBlockBits + static_cast<uint64_t>(start_lane * kBlockBits / 8);
  }
  bool Has(Breach b) const { return breaches >> static_cast<int>(b) & 1; }
};

class FrameDecoder {
 public:
  explicit FrameDecoder(size_t max_frame_bytes = kMaxFrameBytes)
      : max_frame_bytes_(max_frame_bytes) {}

  void TakeBlock(const Block& block);
  // Block lock is lost: a frame in progress ends here.
  void LoseLock();

  void set_on_frame(std::function<void(DecodedFrame&&)> f) { on_frame_ = std::move(f); }
  bool in_frame() const { return in_frame_; }
  uint64_t breaches() const { return total_; }
  uint64_t breaches(Breach b) const { return counts_[static_cast<size_t>(b)]; }
  const std::string& first_breach() const { return first_breach_; }
  uint64_t frames() const { return frames_; }
  uint64_t good_frames() const { return good_frames_; }
  uint64_t ordered_sets() const { return ordered_sets_; }
  uint64_t blocks() const { return block_index_; }
  uint64_t lane4_starts() const { return lane4_starts_; }
  // Octets from a terminate to the next start: number of each gap up to 32 (32: longer).
  const std::map<int64_t, uint64_t>& gaps() const { return gaps_; }

 private:
  void Report(Breach breach);
  void TakeOctet(const Octet& octet, int lane);
  void TakeControl(uint8_t character, int lane);
  void StartFrame(int lane);
  void EndFrame();
  void AbortFrame();

  size_t max_frame_bytes_;
  std::function<void(DecodedFrame&&)> on_frame_;
  DecodedFrame frame_;
  bool in_frame_ = false;
  uint64_t preamble_ = 0;
  int preamble_left_ = 0;
  int skip_data_ = 0;        // the data octets of an ordered set
  int64_t gap_octets_ = -1;  // since the last terminate character; -1: unknown
  int64_t deficit_octets_ = 0;
  uint64_t block_index_ = 0;
  std::array<uint64_t, kBreachKinds> counts_{};
  uint64_t total_ = 0;
  std::string first_breach_;
  uint64_t frames_ = 0, good_frames_ = 0, ordered_sets_ = 0, lane4_starts_ = 0;
  std::map<int64_t, uint64_t> gaps_;
};

}  // namespace ullnic::partner
