// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// The DMA's writes and reads of the host's memory, and its interrupt messages. There is no link: a
// write is in memory in the cycle in which it is accepted, and a read is answered in the next one.
// Each function has its own host, which knows the memory mapped for it.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <deque>
#include <span>
#include <vector>

#include "qdma/host_side.h"

namespace ullnic::card_dma {

inline constexpr unsigned kBeatDwords = 16;

// Model: Verilated, with the ports host_* of qdma.
class MemoryChannel {
 public:
  // The message of MSI-X vector n is a write to the dword n from here. There is no memory.
  static constexpr uint64_t kMessages = 0xffff'ffff'ffff'f000;

  struct Counters {
    uint64_t reads = 0, read_bytes = 0, reads_failed = 0;  // outside mapped memory
    uint64_t writes = 0, write_bytes = 0, writes_failed = 0;
    uint64_t interrupts = 0, interrupts_lost = 0;  // no such vector
  };

  // Sets the host, which must outlive this, of a function. For all other functions, reads fail and
  // writes are lost.
  void Join(unsigned func, qdma::HostSide& host) { functions_.at(func).host = &host; }

  template <class Model>
  void Drive(Model& model) const {
    model.host_write_ready = 1;
    model.host_read_ready = 1;
    model.host_completion_valid = !answers_.empty();
    if (answers_.empty()) return;
    const Answer& answer = answers_.front();
    model.host_completion_status = answer.status;
    model.host_completion_is_final = 1;
    model.host_completion_tag = answer.tag;
    model.host_completion_dwords = static_cast<uint16_t>(answer.dwords.size());
    model.host_completion_byte_count = answer.bytes;
    model.host_completion_lower_addr = answer.lower_address;
    const size_t count = std::min<size_t>(answer.dwords.size() - answered_, kBeatDwords);
    std::memcpy(&model.host_completion_data[0], answer.dwords.data() + answered_, 4 * count);
    model.host_completion_last = answered_ + count == answer.dwords.size();
  }
  // An edge, after the model has settled. True: something was transferred.
  template <class Model>
  bool Clock(const Model& model) {
    const bool answers = model.host_completion_valid;
    if (answers) TakeAnswer(model.host_completion_last);
    if (model.host_write_valid) {
      TakeWrite(&model.host_write_data[0],
                {.func = model.host_write_func,
                 .address = model.host_write_addr,
                 .dwords = model.host_write_dwords,
                 .first_be = model.host_write_first_be,
                 .last_be = model.host_write_last_be},
                model.host_write_last);
    }
    if (model.host_read_valid) {
      TakeRead({.func = model.host_read_func,
                .address = model.host_read_addr,
                .dwords = model.host_read_dwords,
                .first_be = model.host_read_first_be,
                .last_be = model.host_read_last_be},
               model.host_read_tag);
    }
    return answers || model.host_write_valid || model.host_read_valid;
  }

  // Blocks all access to the function's host until Open().
  void Close(unsigned func = 0) { functions_.at(func).is_closed = true; }
  void Open(unsigned func = 0) { functions_.at(func).is_closed = false; }
  // The DMA has discarded its requests.
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

  struct Function {
    qdma::HostSide* host = nullptr;
    bool is_closed = false;  // the host already considers the function reset
  };

  struct Header {
    unsigned func;
    uint64_t address;
    unsigned dwords;
    unsigned first_be, last_be;
  };

  void TakeAnswer(bool is_last);
  void TakeWrite(const uint32_t* data, const Header& header, bool is_last);
  void EndWrite(const Header& header);
  static bool WriteHost(qdma::HostSide& host, uint64_t address, std::span<const uint8_t> bytes);
  void TakeRead(const Header& header, uint8_t tag);

  std::array<Function, 256> functions_;
  std::deque<Answer> answers_;
  size_t answered_ = 0;         // dwords of the oldest
  std::vector<uint32_t> open_;  // of a write of several beats
  Counters counters_;
};

}  // namespace ullnic::card_dma
