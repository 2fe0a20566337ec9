// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Interrupts of queues: directly to an MSI-X vector, or through a ring in host memory that
// aggregates those of many queues and has its own vector (interrupt aggregation). Product guide
// PG302, "Interrupts"; the entry's layout as libqdma's qdma_intr.h reads it.
#pragma once

#include <array>
#include <cstdint>

#include "qdma/context_store.h"
#include "qdma/counters.h"
#include "qdma/error_log.h"
#include "qdma/host_side.h"
#include "qdma/registers.h"

namespace ullnic::qdma {

struct QueueInterrupt {
  bool c2h;
  unsigned qid;
  unsigned target;  // vector, or ring
  bool aggregate;
  uint64_t status;  // as in the status entry: bits 63..37 are the ring's own
};

class Interrupts {
 public:
  Interrupts(HostSide& host, ContextStore& contexts, ErrorLog& errors, Counters& counters)
      : host_(host), contexts_(contexts), errors_(errors), counters_(counters) {}

  void Raise(const QueueInterrupt& interrupt);
  void RaiseError(unsigned vector);
  // Software has read the ring up to here. False: no such ring, or no such entry.
  bool UpdateCidx(unsigned ring, uint32_t cidx);
  void Reset() { cidx_.fill(0); }
  // The ring's context was cleared.
  void Forget(unsigned ring) { cidx_[ring] = 0; }

 private:
  void Send(unsigned qid, unsigned vector);
  void Lose(unsigned qid);

  HostSide& host_;
  ContextStore& contexts_;
  ErrorLog& errors_;
  Counters& counters_;
  std::array<uint16_t, reg::kInterruptRings> cidx_{};
};

}  // namespace ullnic::qdma
