// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Requester completions (RC) of the PCIe block: straddled at 16 bytes, at most a beat per cycle.
// The block holds completions until the card accepts them, with limited room: the card must not
// request more.
#pragma once

#include <cstdint>
#include <deque>

#include "pcie/link.h"
#include "qdma_sweep/dma.h"

namespace ullnic::qdma_sweep {

class RcPort {
 public:
  // A read has been sent: the block must have room for its completions, each of which may use a
  // line of 64 bytes alone. Throws UserError if it has not.
  void Reserve(const pcie::Tlp& read);
  // A completion has arrived.
  void Take(const pcie::Tlp& completion);
  void Drive(Dma& dma);
  void Seen(const Dma& dma);

  uint64_t beats() const { return beats_; }
  bool idle() const { return lanes_.empty() && !is_shown_; }

 private:
  static constexpr size_t kHeaders = 256;
  static constexpr size_t kDataBytes = 16 * 1024;
  static constexpr size_t kLineBytes = 64;

  struct Lane {
    uint32_t dword;
    bool begins, ends;  // a TLP
    size_t lines = 0;   // of its completion, with the end
  };
  void Show(Dma& dma);

  std::deque<Lane> lanes_;
  bool is_shown_ = false;
  size_t headers_ = 0;
  size_t reserved_ = 0;  // lines that the card has not accepted
  uint64_t beats_ = 0;
};

}  // namespace ullnic::qdma_sweep
