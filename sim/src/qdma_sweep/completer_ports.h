// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Completer requests and completions (CQ, CC) of the PCIe block: accesses of the host to BAR 0, and
// their completions. Not straddled.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <vector>

#include "pcie/link.h"
#include "qdma_sweep/dma.h"

namespace ullnic::qdma_sweep {

class CqPort {
 public:
  void Take(const pcie::Tlp& request) { requests_.push_back(request); }
  void Drive(Dma& dma);
  void Seen(const Dma& dma, pcie::Link& link, int64_t now_ps);
  bool idle() const { return requests_.empty() && beats_.empty(); }

 private:
  using Beat = std::array<uint32_t, kBeatDwords>;
  static constexpr unsigned kBarBits = 18;
  void Split(const pcie::Tlp& request);

  std::deque<pcie::Tlp> requests_;  // the first one is on the port
  std::deque<Beat> beats_;          // of it
};

class CcPort {
 public:
  void Drive(Dma& dma) { dma.s_axis_cc_tready = 1; }
  void Seen(const Dma& dma, pcie::Link& link, int64_t now_ps);

 private:
  std::vector<uint32_t> open_;
};

}  // namespace ullnic::qdma_sweep
