// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// A line of 10 Gb/s as a MAC presents it to its user, words of 32 bits in cycles of the user's
// clock. Times are whole `units`, in which both the cycle and the time of a byte are whole, so
// nothing drifts.
//
// A word is valid in the cycle in which its first byte starts on the line: if a frame's first byte
// starts with a cycle, word k is floor(k * 4 bytes / cycle) cycles after word 0, with a pause after
// every 32 words at 322.27 MHz and after every 8 or 9 at 350 MHz. The published figures show the
// same pauses (docs/measurement.md). Between frames are FCS, gap (12 octets) and preamble (8).
#pragma once

#include <cstdint>
#include <deque>
#include <numeric>
#include <optional>
#include <string>

#include "core/clock.h"
#include "core/frame.h"
#include "toe_sweep/engine.h"

namespace ullnic::toe {

struct LineClock {
  const char* mhz;  // as in reference/tcp_latency.csv
  Period period;
  int64_t cycle;  // units
  int64_t byte;

  // Positions of a frame's first byte within a cycle that differ in the positions of the pauses.
  int64_t phase_step() const { return std::gcd(4 * byte, cycle); }
};
// 10 Gb/s are 128/33 and 25/7 bytes in a cycle.
inline constexpr LineClock kClocks[] = {
    {.mhz = "322.265625", .period = {102400, 33}, .cycle = 128, .byte = 33},
    {.mhz = "350", .period = {20000, 7}, .cycle = 25, .byte = 7},
};

constexpr int64_t kBetweenBytes = 12 + 8;  // mean gap, preamble with the start of frame

// Line time of a frame, in bytes.
inline int64_t LineBytes(size_t frame_bytes) {
  return static_cast<int64_t>(std::max(frame_bytes, kMinFrameBytes) + kFcsBytes) + kBetweenBytes;
}

// Frames to the engine: padded, with FCS.
class ArrivingLine {
 public:
  explicit ArrivingLine(const LineClock& clock) : clock_(clock) {}

  // The frame starts at `units`, or later if the line is not free. `share`: percentage of the
  // line's rate that may be used. Returns when it starts.
  int64_t Send(Bytes frame, int64_t units, int share = 100);
  MacWord At(int64_t cycle);

  bool idle() const { return frames_.empty(); }
  size_t waiting() const { return frames_.size(); }
  int64_t free() const { return free_; }                // units
  int64_t first_cycle() const { return first_cycle_; }  // of the last frame with a word 0
  int64_t last_cycle() const { return last_cycle_; }    // of the last one's last word

 private:
  struct Sent {
    Bytes bytes;
    int64_t start;
  };
  const LineClock clock_;
  std::deque<Sent> frames_;
  int64_t word_ = 0;
  int64_t free_ = 0;
  int64_t first_cycle_ = 0, last_cycle_ = 0;
};

struct LeftFrame {
  Bytes bytes;          // without padding and FCS
  int64_t offered = 0;  // the cycle in which its first word was first valid
  int64_t start = 0;    // units; of its first byte on the line
  bool taken_back = false;
};

// Frames from the engine.
class LeavingLine {
 public:
  explicit LeavingLine(const LineClock& clock) : clock_(clock) {}

  bool Ready(int64_t cycle) const;
  // Processes the engine's offer in this cycle, whether it is accepted or not. Returns a complete
  // frame. Throws UserError if the engine pauses within one.
  std::optional<LeftFrame> Watch(int64_t cycle, const MacWord& word);

 private:
  const LineClock clock_;
  LeftFrame frame_;
  bool offered_ = false;
  int64_t words_ = 0;  // accepted
  int64_t free_ = 0;
};

// From one engine's transmitter to another's receiver: words pass in the same cycle, at the line's
// pace; padding and FCS are appended.
class Wire {
 public:
  explicit Wire(const LineClock& clock) : clock_(clock) {}

  bool Ready(int64_t cycle) const;
  MacWord Pass(int64_t cycle, const MacWord& word);

 private:
  bool Due(int64_t cycle) const {
    return (start_ + 4 * words_ * clock_.byte) / clock_.cycle <= cycle;
  }
  const LineClock clock_;
  Bytes frame_, tail_;  // so far; what follows the engine's last word
  int64_t start_ = 0, words_ = 0, free_ = 0;
};

}  // namespace ullnic::toe
