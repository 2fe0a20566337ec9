// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// When a memory of the card executes its accesses, of 64 bytes each. Reads are answered in their
// order. A write is done when it is accepted: the memory's controller keeps the order.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace ullnic::qdma_sweep {

class MemoryTiming {
 public:
  virtual ~MemoryTiming() = default;

  // Whether an access can be accepted now.
  virtual bool Accepts(bool is_write) const = 0;
  virtual void Accept(uint64_t address, bool is_write, int64_t now_ps) = 0;
  // Executes what begins up to this time.
  virtual void Advance(int64_t now_ps) = 0;
  // The time at which the oldest read that has not been taken has its data, once it is known.
  virtual std::optional<int64_t> TakeRead() = 0;
  // Nothing waits.
  virtual bool idle() const = 0;
  // The most that it can transfer in both directions together, in bytes per us; 0: a beat of AXI in
  // each direction and cycle.
  virtual double most_bytes_per_us() const = 0;
};

// "bram": an access of each kind in each cycle, data after two cycles. "ddr4": DramTiming. Throws
// UserError for another name.
std::unique_ptr<MemoryTiming> MakeMemoryTiming(const std::string& name);

}  // namespace ullnic::qdma_sweep
