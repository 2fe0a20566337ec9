// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Software at the engine: valid and invalid chunks to send, and accesses to the registers.
#pragma once

#include <deque>
#include <functional>

#include "fuzz/ate/model.h"

namespace ullnic::fuzz {

struct Chunk {
  std::vector<uint32_t> words;
  bool good = false;   // valid, for an existing and enabled connection
  bool whole = false;  // is a chunk: the engine does not count it as BAD_CHUNK
  bool raw = false;
  uint16_t conn = 0;
  Bytes bytes;  // payload or raw frame that must be sent
};

class Chunks {
 public:
  explicit Chunks(uint64_t seed) : rng_(Rng::Stream(seed, 3)) {}
  Chunk Good();
  Chunk Bad();
  void Offer(Chunk chunk) { chunks_.push_back(std::move(chunk)); }
  void Drive(AteModel& model);
  // After Settle(); `on_given` is called with each chunk whose last word is accepted.
  template <class F>
  void Sample(const AteModel& model, F&& on_given) {
    if (!shown_) {
      if (pause_ > 0) --pause_;
      return;
    }
    if (!model.ports().s_host_tready) {
      if (at_ > 0) Fault("s_host_tready falls in a chunk");
      return;
    }
    shown_ = false;
    if (++at_ < chunks_.front().words.size()) return;
    at_ = 0;
    on_given(chunks_.front());
    chunks_.pop_front();
    if (rng_.Chance(0.5)) pause_ = rng_.Below(40);
  }
  bool idle() const { return chunks_.empty(); }

 private:
  Rng rng_;
  std::deque<Chunk> chunks_;
  size_t at_ = 0;
  bool shown_ = false;
  uint64_t pause_ = 0;
  uint32_t number_ = 0;
};

// AXI4-Lite accesses, one after another; channels may be in any order and the response may be
// delayed.
class Registers {
 public:
  using Answer = std::function<void(uint32_t data, bool refused)>;
  explicit Registers(uint64_t seed) : rng_(Rng::Stream(seed, 4)) {}
  void Write(uint32_t address, uint32_t data, uint8_t strobe = 15, Answer answer = {}) {
    accesses_.push_back({true, address, data, strobe, std::move(answer)});
  }
  void Read(uint32_t address, Answer answer) {
    accesses_.push_back({false, address, 0, 0, std::move(answer)});
  }
  void Drive(AteModel& model);
  void Sample(const AteModel& model);
  bool idle() const { return accesses_.empty(); }

 private:
  static constexpr uint64_t kLimitCycles = 64;
  struct Access {
    bool write;
    uint32_t address, data;
    uint8_t strobe;
    Answer answer;
  };
  Rng rng_;
  std::deque<Access> accesses_;
  bool begun_ = false, address_given_ = false, data_given_ = false;
  uint64_t address_in_ = 0, data_in_ = 0, ready_in_ = 0, cycles_ = 0;
};

}  // namespace ullnic::fuzz
