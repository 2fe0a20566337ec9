// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0

#include "qdma/interrupts.h"

#include <cstring>

namespace ullnic::qdma {
namespace {

constexpr uint32_t kEntriesPerPage = 4096 / 8;

uint32_t EntriesOf(const ContextWords& ring) {
  return kEntriesPerPage * (intr::kPages.Get(ring) + 1);
}

uint64_t BaseOf(const ContextWords& ring) {
  return uint64_t{intr::kBaseLow.Get(ring)} << 12 | uint64_t{intr::kBaseMiddle.Get(ring)} << 29 |
         uint64_t{intr::kBaseHigh.Get(ring)} << 61;
}

}  // namespace

void Interrupts::Send(unsigned qid, unsigned vector) {
  if (!host_.Interrupt(vector)) Lose(qid);
}

void Interrupts::Lose(unsigned qid) {
  ++counters_.interrupts_lost;
  errors_.C2h(reg::kC2hInterruptFailed, qid);
}

void Interrupts::RaiseError(unsigned vector) {
  ++counters_.error_interrupts;
  // Not through Send(): a lost interrupt is an error, which would request this interrupt again.
  if (!host_.Interrupt(vector)) ++counters_.interrupts_lost;
}

void Interrupts::Raise(const QueueInterrupt& interrupt) {
  ++(interrupt.c2h ? counters_.c2h_interrupts : counters_.h2c_interrupts);
  if (!interrupt.aggregate) {
    Send(interrupt.qid, interrupt.target);
    return;
  }
  if (interrupt.target >= reg::kInterruptRings) {
    Lose(interrupt.qid);
    return;
  }
  ContextWords& ring = contexts_.At(Selector::kInterrupt, interrupt.target);
  const uint32_t entries = EntriesOf(ring);
  const uint32_t pidx = intr::kPidx.Get(ring);
  const uint32_t next = pidx + 1 >= entries ? 0 : pidx + 1;
  // Software has not read the full ring: another entry would overwrite an unread one.
  if (!intr::kValid.Get(ring) || pidx >= entries || next == cidx_[interrupt.target]) {
    Lose(interrupt.qid);
    return;
  }
  const uint64_t entry = (interrupt.status & ((uint64_t{1} << 37) - 1)) |
                         uint64_t{interrupt.c2h} << 38 | uint64_t{interrupt.qid} << 39 |
                         uint64_t{intr::kColour.Get(ring)} << 63;
  uint8_t bytes[8];
  std::memcpy(bytes, &entry, sizeof bytes);
  if (!host_.WriteHost(BaseOf(ring) + uint64_t{pidx} * 8, bytes)) {
    Lose(interrupt.qid);
    return;
  }
  intr::kPidx.Set(ring, next);
  if (next == 0) intr::kColour.Set(ring, !intr::kColour.Get(ring));
  if (intr::kState.Get(ring)) return;  // one is outstanding
  intr::kState.Set(ring, 1);
  Send(interrupt.qid, intr::kVector.Get(ring));
}

bool Interrupts::UpdateCidx(unsigned ring_index, uint32_t cidx) {
  ContextWords& ring = contexts_.At(Selector::kInterrupt, ring_index);
  const bool is_ours = intr::kFunction.Get(ring) == reg::kThisFunction;
  if (!intr::kValid.Get(ring) || !is_ours || cidx >= EntriesOf(ring)) return false;
  cidx_[ring_index] = static_cast<uint16_t>(cidx);
  const bool more = cidx != intr::kPidx.Get(ring);
  intr::kState.Set(ring, more);
  if (more) Send(0, intr::kVector.Get(ring));
  return true;
}

}  // namespace ullnic::qdma
