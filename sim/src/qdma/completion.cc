// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0

#include "qdma/completion.h"

#include <algorithm>
#include <vector>

namespace ullnic::qdma {
namespace {

constexpr uint32_t kStateTrigger = 1;
constexpr uint32_t kStateService = 0;

uint64_t BaseOf(const ContextWords& ring) {
  return uint64_t{cmpl::kBaseLow.Get(ring)} << 2 | uint64_t{cmpl::kBaseMiddle.Get(ring)} << 6 |
         uint64_t{cmpl::kBaseHigh.Get(ring)} << 38;
}

uint32_t EntryBytes(const ContextWords& ring) { return 8u << cmpl::kEntrySize.Get(ring); }

uint32_t Pidx(const ContextWords& ring) {
  return cmpl::kPidxLow.Get(ring) | cmpl::kPidxHigh.Get(ring) << 4;
}

void SetPidx(ContextWords& ring, uint32_t pidx) {
  cmpl::kPidxLow.Set(ring, pidx);
  cmpl::kPidxHigh.Set(ring, pidx >> 4);
}

// Number of entries between software's index and ours; 0 for indices outside the ring.
uint32_t Unread(const ContextWords& ring, uint32_t entries) {
  if (entries == 0) return 0;
  return (Pidx(ring) % entries + entries - cmpl::kCidx.Get(ring) % entries) % entries;
}

// {error [36:35], state [34:33], colour 32, cidx, pidx}: the guide's "Completion Status Structure"
uint64_t StatusOf(const ContextWords& ring) {
  return uint64_t{Pidx(ring)} | uint64_t{cmpl::kCidx.Get(ring)} << 16 |
         uint64_t{cmpl::kColour.Get(ring)} << 32 | uint64_t{cmpl::kState.Get(ring)} << 33 |
         uint64_t{cmpl::kError.Get(ring)} << 35;
}

bool TimerMode(uint32_t trigger) {
  return trigger == cmpl::kUserTimer || trigger == cmpl::kUserTimerCount;
}

bool CountMode(uint32_t trigger) {
  return trigger == cmpl::kUserCount || trigger == cmpl::kUserTimerCount;
}

}  // namespace

bool CompletionEngine::HasRoom(unsigned qid) const {
  const ContextWords& ring = core_.contexts.At(Selector::kCompletion, qid);
  const uint32_t entries = core_.RingEntries(cmpl::kRingSize.Get(ring));
  if (!cmpl::kValid.Get(ring) || entries == 0 || Pidx(ring) >= entries) return false;
  return cmpl::kOverflowUnchecked.Get(ring) || Unread(ring, entries) + 1 < entries;
}

bool CompletionEngine::WriteEntry(unsigned qid, uint32_t length, bool error) {
  ContextWords& ring = core_.contexts.At(Selector::kCompletion, qid);
  const uint32_t entries = core_.RingEntries(cmpl::kRingSize.Get(ring));
  const uint32_t bytes = EntryBytes(ring);
  const uint32_t pidx = Pidx(ring);
  const uint64_t address = BaseOf(ring) + uint64_t{pidx} * bytes;
  // {length [19:4], descriptor used 3, error 2, colour 1, format 0}: libqdma's qdma_regs.h
  const uint64_t first = uint64_t{cmpl::kColour.Get(ring)} << 1 | uint64_t{error} << 2 |
                         uint64_t{!error} << 3 | uint64_t{length & 0xffff} << 4;
  // The rest is written first: the colour shows that the whole entry is valid.
  static constexpr uint8_t kZeros[56] = {};
  if (bytes > 8 && !core_.host.WriteHost(address + 8, std::span(kZeros, bytes - 8))) return false;
  if (!core_.WriteHost64(address, first)) return false;
  ++core_.counters.completions;
  if (pidx + 1 == entries) cmpl::kColour.Set(ring, !cmpl::kColour.Get(ring));
  SetPidx(ring, pidx + 1 == entries ? 0 : pidx + 1);
  return true;
}

bool CompletionEngine::Post(unsigned qid, uint32_t length) {
  if (!WriteEntry(qid, length, false)) {
    Fail(qid, 2);
    return false;
  }
  Evaluate(qid);
  return true;
}

void CompletionEngine::Evaluate(unsigned qid) {
  ContextWords& ring = core_.contexts.At(Selector::kCompletion, qid);
  const uint32_t unread = Unread(ring, core_.RingEntries(cmpl::kRingSize.Get(ring)));
  if (unread == 0) {
    StopTimer(qid);
    return;
  }
  if (cmpl::kState.Get(ring) != kStateTrigger) return;
  const uint32_t trigger = cmpl::kTrigger.Get(ring);
  const uint32_t limit = Bits(core_.csr(reg::kCountLimits, cmpl::kCount.Get(ring)), 15, 0);
  if (trigger == cmpl::kEvery || (CountMode(trigger) && unread >= std::max(limit, 1u))) {
    Trigger(qid);
  } else if (TimerMode(trigger) && !deadlines_ps_.contains(qid)) {
    const int64_t ticks = Bits(core_.csr(reg::kTimerCounts, cmpl::kTimer.Get(ring)), 15, 0);
    const int64_t clocks = ticks * core_.csr(reg::kTimerTick);
    deadlines_ps_[qid] = core_.now_ps() + clocks * reg::kUserClockPs;
    cmpl::kTimerRunning.Set(ring, 1);
  }
}

void CompletionEngine::Trigger(unsigned qid) {
  ContextWords& ring = core_.contexts.At(Selector::kCompletion, qid);
  StopTimer(qid);
  const bool outstanding = cmpl::kState.Get(ring) != kStateTrigger;
  cmpl::kState.Set(ring, kStateService);
  if (cmpl::kStatusEnable.Get(ring)) {
    const uint32_t entries = core_.RingEntries(cmpl::kRingSize.Get(ring));
    const uint64_t slot = BaseOf(ring) + uint64_t{entries} * EntryBytes(ring);
    if (core_.WriteHost64(slot, StatusOf(ring))) {
      ++core_.counters.status_writes;
    } else if (cmpl::kError.Get(ring) == 0) {
      cmpl::kState.Set(ring, kStateTrigger);  // so that the failure itself can interrupt
      Fail(qid, 2);
      return;
    }
  }
  if (cmpl::kInterruptEnable.Get(ring) && !outstanding) {
    core_.interrupts.Raise({.c2h = true,
                            .qid = qid,
                            .target = cmpl::kVector.Get(ring),
                            .aggregate = cmpl::kAggregate.Get(ring) != 0,
                            .status = StatusOf(ring)});
  }
}

void CompletionEngine::Fail(unsigned qid, uint32_t error) {
  ContextWords& ring = core_.contexts.At(Selector::kCompletion, qid);
  if (!cmpl::kValid.Get(ring)) return;
  if (error == 2 && HasRoom(qid)) WriteEntry(qid, 0, true);
  cmpl::kError.Set(ring, error);
  cmpl::kValid.Set(ring, 0);
  ++core_.counters.queue_errors;
  core_.errors.C2h(error == 1 ? reg::kC2hBadCidx : reg::kC2hDescriptor, qid);
  Trigger(qid);
}

void CompletionEngine::UpdateCidx(unsigned qid, uint32_t doorbell) {
  ContextWords& ring = core_.contexts.At(Selector::kCompletion, qid);
  if (!cmpl::kValid.Get(ring)) {
    ++core_.counters.doorbells_ignored;
    return;
  }
  const uint32_t entries = core_.RingEntries(cmpl::kRingSize.Get(ring));
  const uint32_t cidx = Bits(doorbell, 15, 0);
  const uint32_t old = cmpl::kCidx.Get(ring);
  const bool in_ring = cidx < entries && old < entries;
  if (!in_ring || (cidx + entries - old) % entries > Unread(ring, entries)) {
    Fail(qid, 1);
    return;
  }
  cmpl::kCidx.Set(ring, cidx);
  if (cmpl::kFullUpdate.Get(ring)) {
    cmpl::kCount.Set(ring, Bits(doorbell, 19, 16));
    cmpl::kTimer.Set(ring, Bits(doorbell, 23, 20));
    cmpl::kTrigger.Set(ring, Bits(doorbell, 26, 24));
    cmpl::kStatusEnable.Set(ring, Bits(doorbell, 27, 27));
    cmpl::kInterruptEnable.Set(ring, Bits(doorbell, 28, 28));
    if (!TimerMode(cmpl::kTrigger.Get(ring))) StopTimer(qid);
  }
  cmpl::kState.Set(ring, kStateTrigger);
  Evaluate(qid);
}

uint32_t CompletionEngine::ReadDoorbell(unsigned qid) const {
  const ContextWords& ring = core_.contexts.At(Selector::kCompletion, qid);
  return cmpl::kCidx.Get(ring) | cmpl::kCount.Get(ring) << 16 | cmpl::kTimer.Get(ring) << 20 |
         cmpl::kTrigger.Get(ring) << 24 | cmpl::kStatusEnable.Get(ring) << 27 |
         cmpl::kInterruptEnable.Get(ring) << 28;
}

void CompletionEngine::StopTimer(unsigned qid) {
  if (deadlines_ps_.erase(qid) != 0) {
    cmpl::kTimerRunning.Set(core_.contexts.At(Selector::kCompletion, qid), 0);
  }
}

bool CompletionEngine::PollTimers() {
  if (deadlines_ps_.empty()) return false;
  const int64_t now = core_.now_ps();
  std::vector<unsigned> due;
  for (const auto& [qid, deadline] : deadlines_ps_) {
    if (deadline <= now) due.push_back(qid);
  }
  for (const unsigned qid : due) Trigger(qid);
  return !due.empty();
}

std::optional<int64_t> CompletionEngine::next_deadline_ps() const {
  std::optional<int64_t> next;
  for (const auto& [qid, deadline] : deadlines_ps_) {
    if (!next || deadline < *next) next = deadline;
  }
  return next;
}

}  // namespace ullnic::qdma
