// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// A frame on its way: from the destination address on, without preamble and FCS.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

namespace ullnic {

using Bytes = std::vector<uint8_t>;

constexpr size_t kMinFrameBytes = 60;  // without FCS; shorter ones are padded by the transmitter
constexpr size_t kFcsBytes = 4;
constexpr size_t kMaxFrameBytes = 9618;  // the limit that a card gets, without the FCS

struct Frame {
  Bytes bytes;
  uint32_t idle_cycles_before = 0;  // the user waits this long after its previous frame

  // Deliberate breaches of the user rule, for tests. The frame must then arrive with a bad FCS.
  enum class Breach : uint8_t { kNone, kUnderrun, kUserError, kIllegalKeep };
  Breach breach = Breach::kNone;
  uint32_t breach_word = 0;    // the word it happens at
  uint32_t breach_cycles = 1;  // underrun: how many cycles tvalid stays low
};

using FramePtr = std::shared_ptr<const Frame>;

// What the receiver says of a frame, together with it.
struct Verdict {
  bool good = false;
  bool fcs = false;
  bool code = false;
  bool runt = false;
  bool oversize = false;
};

struct ReceivedFrame {
  Bytes bytes;  // without the FCS
  Verdict verdict;
  uint64_t sof_edge = 0;  // edges of the user's clock at which these were first sampled high
  uint64_t sop_edge = 0;
  int64_t sof_ps = 0;
  int64_t sop_ps = 0;
  bool has_data = false;  // false: cut short before its first word, sop_* mean nothing
};

}  // namespace ullnic
