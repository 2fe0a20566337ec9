// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// The error registers: four leaves (descriptors, register targets, C2H, H2C), each with a status
// and a mask, collected in a global status, which may cause one interrupt until it is rearmed.
// Product guide PG302, "Error Aggregator"; addresses and bits in registers.h.
//
// The leaves' bits of the global status are not stored, and the interrupt is level-driven: an error
// that occurs while a driver clears another one interrupts as soon as it is rearmed.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

namespace ullnic::qdma {

class ErrorLog {
 public:
  explicit ErrorLog(std::function<void(unsigned vector)> interrupt)
      : interrupt_(std::move(interrupt)) {}

  // An error of a descriptor queue: bit numbers of kDescriptorErrorStatus. The first one is kept in
  // the log until a driver writes it.
  void Descriptor(uint32_t bits, unsigned type, bool c2h, unsigned qid, uint32_t cidx);
  void BadPidx(bool c2h, unsigned qid, uint32_t cidx, uint32_t old_pidx, uint32_t new_pidx);
  void Target(unsigned bit, uint32_t address);
  void C2h(unsigned bit, unsigned qid);
  void H2c(unsigned bit, unsigned qid);
  void ContextCommand();

  // Returns nothing or false for other registers.
  std::optional<uint32_t> Read(uint32_t address) const;
  bool Write(uint32_t address, uint32_t value);
  void Reset();

 private:
  enum Leaf { kDescriptor, kTarget, kC2h, kH2c, kLeaves };
  void Raise(Leaf leaf, uint32_t bits);
  uint32_t Status() const;
  void Evaluate();

  std::function<void(unsigned)> interrupt_;
  struct {
    uint32_t status = 0;
    uint32_t mask = 0;
  } leaves_[kLeaves];
  uint32_t status_ = 0;  // global, without the leaves
  uint32_t mask_ = 0;
  uint32_t interrupt_register_ = 0;
  uint32_t log_[3] = {};
  uint32_t target_log_ = 0;
  uint32_t c2h_first_ = 0;
  uint32_t h2c_first_ = 0;
};

}  // namespace ullnic::qdma
