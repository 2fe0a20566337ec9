// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// The DMA's writes and reads of the host's memory, and its interrupt messages. There is no link: a
// write is in memory in the cycle in which it is accepted, and a read is answered in the next one.
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "card_dma/model.h"
#include "qdma/host_side.h"

namespace ullnic::card_dma {

class MemoryChannel {
 public:
  // The message of MSI-X vector n is a write to the dword n from here. No memory is there.
  static constexpr uint64_t kMessages = 0xffff'ffff'ffff'f000;

  struct Counters {
    uint64_t reads = 0, read_bytes = 0, reads_failed = 0;  // outside the memory that is mapped
    uint64_t writes = 0, write_bytes = 0, writes_failed = 0;
    uint64_t interrupts = 0, interrupts_lost = 0;  // there is no such vector
  };

  explicit MemoryChannel(qdma::HostSide& host) : host_(host) {}

  void Drive(Model& model) const;
  // An edge, after the model has settled. True: something moved.
  bool Clock(const Model& model);

  // Nothing reaches the host any more, until Reset.
  void Close() { is_closed_ = true; }
  void Reset();
  bool busy() const { return !answers_.empty() || !open_.empty(); }
  const Counters& counters() const { return counters_; }

 private:
  struct Answer {
    uint8_t tag;
    uint8_t status;
    uint8_t lower_address;
    uint16_t bytes;
    std::vector<uint32_t> dwords;
  };

  void TakeWrite(const Model& model);
  void EndWrite(const Model& model);
  void TakeRead(const Model& model);

  qdma::HostSide& host_;
  std::deque<Answer> answers_;
  size_t answered_ = 0;         // dwords of the oldest
  std::vector<uint32_t> open_;  // of a write of several beats
  bool is_closed_ = false;
  Counters counters_;
};

}  // namespace ullnic::card_dma
