// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Common part of H2C and C2H descriptor queues: the ring, the producer's doorbell, and how an error
// stops a queue.
//
// Product guide PG302, "Errors": an error disables the queue, is recorded in the context and in the
// status registers, and is reported once. Then the queue is silent until its context is cleared.
#pragma once

#include <cstdint>
#include <span>

#include "qdma/core.h"

namespace ullnic::qdma {

class DescriptorQueue {
 public:
  DescriptorQueue(Core& core, bool c2h, unsigned qid)
      : core_(core),
        qid_(qid),
        c2h_(c2h),
        software_(core.contexts.Software(c2h, qid)),
        hardware_(core.contexts.Hardware(c2h, qid)) {}

  bool enabled() const { return sw::kEnable.Get(software_) != 0; }
  bool stopped() const { return !enabled() && sw::kError.Get(software_) != 0; }  // by an error
  uint32_t entries() const { return core_.RingEntries(sw::kRingSize.Get(software_)); }
  uint32_t pidx() const { return sw::kPidx.Get(software_); }
  uint32_t cidx() const { return hw::kCidx.Get(hardware_); }
  void set_cidx(uint32_t cidx) { hw::kCidx.Set(hardware_, cidx); }
  uint32_t Next(uint32_t index) const { return index + 1 == entries() ? 0 : index + 1; }
  // Number of descriptors from `index` to the producer's index.
  uint32_t Available(uint32_t index) const { return (pidx() + entries() - index) % entries(); }
  uint64_t base() const {
    return uint64_t{sw::kBaseHigh.Get(software_)} << 32 | sw::kBaseLow.Get(software_);
  }
  ContextWords& software() { return software_; }

  // The producer's doorbell. False: the queue is not enabled, or the value was invalid and has
  // stopped the queue.
  bool UpdatePidx(uint32_t pidx);
  // False: the contexts are invalid; the queue has been stopped.
  bool Check();
  // False: the descriptor is outside mapped memory; the queue has been stopped.
  bool Fetch(uint32_t index, std::span<uint8_t> descriptor);

  // Marks the queue as stopped and logs why.
  void Stop(uint32_t context_error, uint32_t bits, unsigned type);
  void StopAtData() {
    Stop(kDataError, 1u << reg::kDscDma | 1u << reg::kDscUnsupportedRequest, reg::kDscDma);
  }
  void StopAtDescriptor() { Stop(kDescriptorError, 1u << reg::kDscParameter, reg::kDscParameter); }

 private:
  static constexpr uint32_t kDescriptorError = 1;  // in sw::kError
  static constexpr uint32_t kDataError = 2;

  Core& core_;
  unsigned qid_;
  bool c2h_;
  ContextWords& software_;
  ContextWords& hardware_;
};

}  // namespace ullnic::qdma
