// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// The card's memory at m_axi_mm: an AXI4 slave of 512 bits whose accesses take the time of a block
// RAM or of a DDR4 channel. It checks each burst: its size, its type, 4 KiB, WLAST.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <memory>

#include "qdma_sweep/dma.h"
#include "qdma_sweep/memory.h"
#include "qdma_sweep/memory_timing.h"

namespace ullnic::qdma_sweep {

class CardMemory {
 public:
  CardMemory(uint64_t bytes, std::unique_ptr<MemoryTiming> timing)
      : memory_(bytes), timing_(std::move(timing)) {}

  Memory& memory() { return memory_; }
  void Drive(Dma& dma, int64_t now_ps);
  void Seen(const Dma& dma, int64_t now_ps);

  uint64_t written_bytes() const { return written_bytes_; }
  double most_bytes_per_us() const { return timing_->most_bytes_per_us(); }
  bool idle() const;

 private:
  static constexpr size_t kBursts = 32;  // of each kind that have not begun
  static constexpr size_t kBeats = 64;   // of W that wait for AW or the memory
  using Line = std::array<uint8_t, kBeatBytes>;
  struct Burst {
    uint64_t address;
    unsigned beats;  // that are left
  };
  struct WriteBeat {
    Line data;
    uint64_t strobes;
    bool is_last;
  };
  struct ReadBeat {
    Line data;
    bool is_last;
  };

  void Write(int64_t now_ps);
  void Read(int64_t now_ps);

  Memory memory_;
  std::unique_ptr<MemoryTiming> timing_;
  std::deque<Burst> writes_, reads_;
  std::deque<WriteBeat> write_beats_;
  std::deque<ReadBeat> read_beats_;
  std::deque<int64_t> read_ps_;  // when the first ones of them can be shown
  std::deque<int64_t> responses_ps_;
  uint64_t written_bytes_ = 0;
};

}  // namespace ullnic::qdma_sweep
