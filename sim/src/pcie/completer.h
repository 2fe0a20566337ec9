// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// The host as the completer of reads: each has its latency, and its completions are split at
// multiples of `completion_bytes`. The next one on the link is of any of the oldest `window` reads
// that are due: out of order between reads, in order within each.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <span>

#include "core/rng.h"
#include "pcie/transmitter.h"

namespace ullnic::pcie {

class Completer {
 public:
  // Copies host memory from this address on; throws if it must not be read.
  using Fetch = std::function<void(uint64_t address, std::span<uint8_t> bytes)>;

  Completer(const LinkSettings& settings, uint64_t seed, Fetch fetch)
      : settings_(settings), rng_(seed), fetch_(std::move(fetch)) {}

  // A read has arrived. Throws UserError if it violates a rule of PCIe.
  void Accept(const Tlp& read, int64_t at_ps);
  // Sends completions that are due, as many as keep the link busy.
  void Advance(Transmitter& down, int64_t now_ps);

  size_t open() const { return reads_.size(); }
  uint64_t reads() const { return accepted_; }

 private:
  struct Read {
    uint16_t tag;
    uint64_t address;  // of the next byte
    uint32_t left;     // bytes
    int64_t due_ps;
  };
  Tlp NextPart(Read& read);

  LinkSettings settings_;
  Rng rng_;
  Fetch fetch_;
  std::deque<Read> reads_;  // by the time when they are due
  uint64_t accepted_ = 0;
};

}  // namespace ullnic::pcie
