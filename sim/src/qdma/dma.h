// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Interface of a DMA to the endpoint: the functional model (device.h) or the RTL
// (card_dma/rtl_dma.h).
#pragma once

#include <cstdint>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <optional>

namespace ullnic::qdma {

class Dma {
 public:
  virtual ~Dma() = default;

  // 32-bit words of BAR 0 and of the user BAR. `done` may be called later, or before the call
  // returns. Accesses take effect in the order of the calls.
  virtual void Read(unsigned bar, uint32_t address, std::function<void(uint32_t value)> done) = 0;
  virtual void Write(unsigned bar, uint32_t address, uint32_t value,
                     std::function<void()> done) = 0;

  // Transfers what can be transferred. True: something was.
  virtual bool Poll() = 0;
  // The simulation must continue, and Poll() must be called again.
  virtual bool HasWork() const = 0;
  // When a timer expires: call Poll() then even if HasWork() is false.
  virtual std::optional<int64_t> next_deadline_ps() const { return std::nullopt; }
  // Resets to the power-up state. Earlier requests no longer read or write the host's memory.
  virtual void Reset() = 0;

  virtual nlohmann::json Describe() const = 0;  // counters, for reports
};

inline constexpr unsigned kUserBar = 2;

}  // namespace ullnic::qdma
