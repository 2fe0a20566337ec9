// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// A driver's accesses to BAR 0, as TLPs on the link, and the commands of contexts. PF 0 sets up the
// card; doorbells are those of the driver's function.
#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <span>

#include "pcie/link.h"
#include "qdma/context.h"

namespace ullnic::qdma_sweep {

// Doorbells of a queue
inline constexpr unsigned kH2cPidx = 4, kC2hPidx = 8, kEntryCidx = 12;

class RegistersPort {
 public:
  // `pass_time` advances time while a completion is awaited.
  RegistersPort(pcie::Link& link, std::function<void()> pass_time, unsigned function = 0)
      : link_(link), pass_time_(std::move(pass_time)), function_(function) {}

  void set_now(int64_t now_ps) { now_ps_ = now_ps; }
  void Write(uint64_t address, std::span<const uint32_t> dwords);
  void Write(uint64_t address, uint32_t value) { Write(address, std::span(&value, 1)); }
  // `kind`: an offset, kH2cPidx and its like.
  void Doorbell(unsigned queue, unsigned kind, uint32_t value);
  uint32_t Read(uint64_t address);
  void Answered(const pcie::Tlp& answer);
  // Writes a context, and waits while the command is busy.
  void WriteContext(qdma::Selector selector, unsigned index, const qdma::ContextWords& words);

 private:
  void Write(unsigned function, uint64_t address, std::span<const uint32_t> dwords);

  pcie::Link& link_;
  std::function<void()> pass_time_;
  unsigned function_;  // of the driver
  int64_t now_ps_ = 0;
  bool is_answered_ = false;
  uint32_t answer_ = 0;
};

}  // namespace ullnic::qdma_sweep
