// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// A frame in flight: from the destination address on, without preamble and FCS.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

namespace ullnic {

using Bytes = std::vector<uint8_t>;

constexpr size_t kMinFrameBytes = 60;  // without FCS; shorter ones are padded by the transmitter
constexpr size_t kFcsBytes = 4;
constexpr size_t kMaxFrameBytes = 9618;  // the limit configured in a card, without the FCS

struct Frame {
  Bytes bytes;
  uint32_t idle_cycles_before = 0;  // the user's pause after its previous frame

  // Deliberate violations of the user interface, for tests. The frame must then have a bad FCS.
  enum class Breach : uint8_t { kNone, kUnderrun, kUserError, kIllegalKeep };
  Breach breach = Breach::kNone;
  uint32_t breach_word = 0;    // the word it happens at
  uint32_t breach_cycles = 1;  // underrun: how many cycles tvalid stays low
};

using FramePtr = std::shared_ptr<const Frame>;

// The receiver's verdict on a frame, with it.
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
  bool has_data = false;  // false: truncated before its first word, sop_* are invalid
};

}  // namespace ullnic
