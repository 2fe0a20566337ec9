// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Completion rings: entries with a colour, the status slot, and when status and interrupt are due.
//
// Product guide PG302, "Completion Status/Interrupt Moderation": a queue is in one of two states.
// TRIG waits for its trigger (every entry, a count, a timer). Then status is written, the interrupt
// is sent, and the state becomes ISR, in which nothing more is reported until software writes its
// consumer index. The initial state is ISR: a driver must write the index once to be notified.
#pragma once

#include <cstdint>
#include <map>
#include <optional>

#include "qdma/core.h"

namespace ullnic::qdma {

class CompletionEngine {
 public:
  explicit CompletionEngine(Core& core) : core_(core) {}

  // A packet's entry can be written now.
  bool HasRoom(unsigned qid) const;
  // After HasRoom(). False: the ring is outside mapped memory; the queue has been stopped.
  bool Post(unsigned qid, uint32_t length);
  // Stops the queue: 1 bad consumer index, 2 descriptor error.
  void Fail(unsigned qid, uint32_t error);
  void UpdateCidx(unsigned qid, uint32_t doorbell);
  // The doorbell value that would change nothing.
  uint32_t ReadDoorbell(unsigned qid) const;

  bool PollTimers();
  std::optional<int64_t> next_deadline_ps() const;
  // The context was written, invalidated or cleared.
  void Forget(unsigned qid) { StopTimer(qid); }
  void Reset() { deadlines_ps_.clear(); }

 private:
  bool WriteEntry(unsigned qid, uint32_t length, bool error);
  void Evaluate(unsigned qid);
  void Trigger(unsigned qid);
  void StopTimer(unsigned qid);

  Core& core_;
  std::map<unsigned, int64_t> deadlines_ps_;  // by queue, while its timer runs
};

}  // namespace ullnic::qdma
