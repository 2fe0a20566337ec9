// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Requester requests (RQ) of the PCIe block: writes and reads of the card, straddled at 32 bytes,
// at most a beat per cycle, into buffers of the block that the link empties. PG213 defines the
// fields.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <vector>

#include "pcie/link.h"
#include "qdma_sweep/boundary_log.h"
#include "qdma_sweep/dma.h"

namespace ullnic::qdma_sweep {

class RqPort {
 public:
  void Drive(Dma& dma, const pcie::Link& link);
  void Seen(const Dma& dma, pcie::Link& link, int64_t now_ps);

  // Called for each read that has been sent.
  std::function<void(const pcie::Tlp&)> on_read;
  void set_log(BoundaryLog* log) { log_ = log; }
  uint64_t beats() const { return beats_; }
  uint64_t posted() const { return posted_; }
  bool idle() const { return open_.empty(); }

 private:
  // The block's capacity for requests that the link has not started.
  static constexpr size_t kPostedBytes = 4096;
  static constexpr size_t kReads = 32;

  void ShowSequenceNumbers(Dma& dma, const pcie::Link& link);
  void Begin(const Dma& dma, unsigned index);
  void End(pcie::Link& link, int64_t now_ps);

  std::vector<uint32_t> open_;  // dwords of the incomplete TLP
  uint8_t first_be_ = 0, last_be_ = 0, number_ = 0;
  bool ready_ = false;
  BoundaryLog* log_ = nullptr;
  std::deque<uint8_t> numbers_;  // of posted TLPs that the link has not started
  uint64_t beats_ = 0, posted_ = 0;
};

}  // namespace ullnic::qdma_sweep
