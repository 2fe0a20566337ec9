// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// What else the card has beside the streams: its memory on AXI4, and registers on AXI4-Lite. The
// memory keeps what belongs to a function, by the upper half of the address; everywhere else it is
// none, and answers with errors now and then.
#pragma once

#include <array>
#include <deque>

#include "core/frame.h"
#include "core/rng.h"
#include "fuzz/qdma/model.h"

namespace ullnic::fuzz {

class CardSide {
 public:
  static constexpr size_t kBytes = 1 << 16;  // of each function
  static constexpr uint32_t kRefused = 0x7'fffc;
  static constexpr size_t kRegisters = 64;  // of each function, again and again in its user BAR

  explicit CardSide(Rng rng) : rng_(rng) {}

  void Drive(QdmaModel& model);
  void Clock(const QdmaModel& model);
  // A function whose memory is kept, and answers without errors.
  void SetGood(unsigned place, bool good) { is_good_[place] = good; }
  bool idle() const { return writes_.empty() && answers_.empty() && reads_.empty() && !lite_; }

  double pause = 0;  // of each channel, in each cycle
  double error = 0;  // of a burst elsewhere
  uint64_t bursts = 0, user_accesses = 0, refused = 0;

 private:
  struct Burst {
    uint64_t address;
    unsigned beats;
    unsigned at = 0;
    unsigned response = 0;
  };
  static Burst Check(uint64_t address, unsigned len, const char* what);
  uint8_t* Find(uint64_t address);
  void ClockWrites(const QdmaModel& model);
  void ClockReads(const QdmaModel& model);
  void ClockLite(const QdmaModel& model);
  unsigned Response(uint64_t address);

  Rng rng_;
  std::array<bool, kPlaces> is_good_{};
  std::array<Bytes, kPlaces> memory_ = [] {
    std::array<Bytes, kPlaces> memory;
    memory.fill(Bytes(kBytes));
    return memory;
  }();
  std::deque<Burst> writes_, reads_;
  struct Beat {
    std::array<uint32_t, kBeatDwords> data;
    uint64_t strobe;
    bool is_last;
  };
  std::deque<Beat> beats_;  // may come before their address
  std::deque<unsigned> answers_;
  bool read_is_shown_ = false, answer_is_shown_ = false;
  // AXI4-Lite
  bool lite_ = false, lite_is_write_ = false, lite_is_shown_ = false;
  unsigned lite_response_ = 0;
  uint32_t lite_data_ = 0;
  std::array<std::array<uint32_t, kRegisters>, kPhysical> registers_{};
};

}  // namespace ullnic::fuzz
