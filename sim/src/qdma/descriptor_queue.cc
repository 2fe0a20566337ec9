// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0

#include "qdma/descriptor_queue.h"

namespace ullnic::qdma {

bool DescriptorQueue::UpdatePidx(uint32_t pidx) {
  if (!enabled()) {
    ++core_.counters.doorbells_ignored;
    return false;
  }
  if (entries() != 0 && pidx >= entries()) {
    core_.errors.BadPidx(c2h_, qid_, cidx(), this->pidx(), pidx);
    Stop(kDescriptorError, 1u << reg::kDscPidx, reg::kDscPidx);
    return false;
  }
  sw::kPidx.Set(software_, pidx);
  return Check();
}

bool DescriptorQueue::Check() {
  const uint32_t size = c2h_ ? 0 : 1;  // a stream's descriptors: 8 bytes C2H, 16 bytes H2C
  if (entries() != 0 && pidx() < entries() && cidx() < entries() &&
      sw::kDescriptorSize.Get(software_) == size && !sw::kMemoryMapped.Get(software_) &&
      !sw::kBypass.Get(software_)) {
    return true;
  }
  StopAtDescriptor();
  return false;
}

bool DescriptorQueue::Fetch(uint32_t index, std::span<uint8_t> descriptor) {
  if (core_.host.ReadHost(base() + uint64_t{index} * descriptor.size(), descriptor)) {
    ++core_.counters.descriptors;
    return true;
  }
  Stop(kDescriptorError, 1u << reg::kDscUnsupportedRequest, reg::kDscUnsupportedRequest);
  return false;
}

void DescriptorQueue::Stop(uint32_t context_error, uint32_t bits, unsigned type) {
  sw::kEnable.Set(software_, 0);
  sw::kError.Set(software_, context_error);
  ++core_.counters.queue_errors;
  core_.errors.Descriptor(bits, type, c2h_, qid_, cidx());
}

}  // namespace ullnic::qdma
