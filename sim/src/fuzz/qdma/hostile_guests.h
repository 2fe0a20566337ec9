// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// The hostile functions: accesses of every place of every BAR, in all sizes; context commands,
// doorbells, mailbox messages, resets, interrupts, C2H packets for queues that may not exist. A
// third of what they do has sense.
//
// A physical function can change what all share, and the contexts of every queue. So as long as
// there are good functions (a round that is not wild), it leaves the settings alone that they
// depend on, and its commands are for queues, maps and rings that are no good function's. A virtual
// function may do all that it can in either case.
#pragma once

#include <array>
#include <vector>

#include "core/rng.h"
#include "fuzz/qdma/accesses.h"
#include "fuzz/qdma/hostile_words.h"
#include "fuzz/qdma/stream_user.h"

namespace ullnic::fuzz {

class HostileGuests {
 public:
  struct Counts {
    uint64_t accesses = 0, doorbells = 0, commands = 0, set_ups = 0, messages = 0, packets = 0;
  };

  HostileGuests(Accesses& accesses, StreamUser& user, Rng rng)
      : accesses_(accesses), user_(user), rng_(rng) {}

  // Places; wild: there are no others.
  void Begin(std::vector<unsigned> places, bool is_wild);
  void Act();      // by an access
  void SendC2h();  // as their user
  unsigned AnyPlace() { return places_[rng_.Below(places_.size())]; }
  const Counts& counts() const { return counts_; }

 private:
  void AccessAnywhere();
  uint32_t AnyAddress(unsigned func, unsigned bar);
  bool IsShared(const Access& access) const;
  uint32_t AnyWord(unsigned place, uint32_t address);
  void Ring();
  void Message();
  void SetUp();
  void Command();
  void CommandWith(unsigned selector);
  std::vector<uint32_t> Software(bool is_h2c, unsigned place);
  std::vector<uint32_t> Completion(unsigned place);
  std::vector<uint32_t> InterruptRing(unsigned place);
  std::vector<uint32_t> Map();
  unsigned AnyQueue();
  unsigned PlaceOfQueue(unsigned qid) const;
  unsigned AnyPhysical();

  Accesses& accesses_;
  StreamUser& user_;
  Rng rng_;
  std::vector<unsigned> places_;
  bool is_wild_ = false;
  Counts counts_;
};

}  // namespace ullnic::fuzz
