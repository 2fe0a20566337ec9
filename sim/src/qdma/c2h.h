// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Card to host: writes the card's packets into the buffers of the descriptors, then the completion.
// A packet without a buffer or completion entry waits in the card. The published DMA drops it; this
// model does not, because the card must lose nothing that it has numbered. A driver that respects
// its rings cannot see the difference. A packet that does not fit all buffers of its ring together
// is dropped and counted.
#pragma once

#include <cstdint>
#include <span>

#include "qdma/completion.h"
#include "qdma/core.h"
#include "qdma/descriptor_queue.h"

namespace ullnic::qdma {

class C2hEngine {
 public:
  C2hEngine(Core& core, CompletionEngine& completion) : core_(core), completion_(completion) {}

  void Doorbell(unsigned qid, uint32_t value);
  bool Poll();
  // A packet can be transferred now.
  bool HasWork() const;

 private:
  bool Ready(unsigned qid) const;
  bool Move(unsigned qid);
  bool Scatter(DescriptorQueue& queue, std::span<const uint8_t> packet, uint32_t buffer_bytes);

  Core& core_;
  CompletionEngine& completion_;
};

}  // namespace ullnic::qdma
