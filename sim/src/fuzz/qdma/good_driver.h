// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// A driver that keeps the rules, of one function: two pairs of streaming queues and a pair of
// memory-mapped ones. It sets them up by the registers of function 0, as the first that uses them
// after a reset of its function. Every packet and transfer is checked byte by byte, statuses and
// entries bit by bit, and each must be done in time. Of one pair the driver reads completions only
// after an interrupt.
#pragma once

#include <array>
#include <deque>

#include "core/rng.h"
#include "fuzz/qdma/accesses.h"
#include "fuzz/qdma/card_side.h"
#include "fuzz/qdma/host_link.h"
#include "fuzz/qdma/stream_user.h"

namespace ullnic::fuzz {

class GoodDriver {
 public:
  struct Parts {
    Accesses& accesses;
    HostLink& link;
    StreamUser& user;
    CardSide& card;
  };
  struct Counts {
    uint64_t h2c = 0, c2h = 0, moved = 0, interrupts = 0, longest = 0;
  };

  // Contexts are those of a function after its reset, or of a core after it.
  GoodDriver(unsigned place, const Parts& parts, Rng rng);
  ~GoodDriver();

  // The registers that all functions share, as all of these drivers use them.
  static void SetUpShared(Accesses& accesses, Rng& rng);

  bool is_ready() const { return setup_ == Setup::kReady; }
  // Some work, maybe. `starts`: new packets, too.
  void Work(uint64_t cycle, bool starts);
  // Everything that was sent has come.
  bool idle() const;
  void Granted(unsigned qid, C2hPacket&& packet);
  bool owns(unsigned qid) const;
  const Counts& counts() const { return counts_; }

 private:
  static constexpr unsigned kStreams = 2;
  static constexpr uint64_t kLimitCycles = 400'000;
  enum class Setup { kClear, kPoll, kReady };

  struct Ring {
    uint64_t base = 0;
    unsigned entries = 0, pidx = 0, cidx = 0;
  };
  struct Sent {
    unsigned pidx = 0;  // after it
    uint64_t cycle = 0;
  };
  struct Arriving {
    C2hPacket packet;
    uint64_t cycle = 0;
  };
  struct Stream {
    unsigned queue = 0;  // of the function
    bool is_interrupted = false, is_due = true;
    Ring h2c, c2h, entries;
    uint64_t h2c_data = 0, c2h_data = 0;
    unsigned buffer_bytes = 0, next_buffer = 0;
    bool colour = true;
    uint64_t asleep_until = 0;
    std::deque<Sent> sent;
    std::deque<Arriving> arriving;
  };
  struct Transfer {
    unsigned slot = 0, bytes = 0, offset = 0, card_offset = 0;
    uint64_t cycle = 0;
  };
  struct Moves {
    unsigned queue = 0;
    Ring there, back;
    uint64_t from = 0, to = 0;
    std::deque<Transfer> going, coming;
  };

  unsigned func() const { return kFunctions[place_]; }
  unsigned Absolute(unsigned queue) const { return FirstQueue(place_) + queue; }
  void MakeRings();
  void Clear();
  void Poll();
  void WriteContexts();
  void WriteStream(const Stream& stream, unsigned index);
  void Doorbell(unsigned queue, unsigned kind, uint32_t value);
  void PostBuffers(Stream& stream, unsigned count);
  void SendH2c(Stream& stream);
  void SendC2h(Stream& stream);
  void Sleep(Stream& stream);
  void TakeStatus(Stream& stream);
  void TakeEntries(Stream& stream);
  void TakeEntry(Stream& stream, uint64_t entry);
  void Arm(Stream& stream);
  void UseRegister();
  void Move(Moves& moves);
  void TakeMoves(Moves& moves);
  void CheckTime(uint64_t since, const char* what);
  unsigned Length(unsigned most);

  const unsigned place_;
  Parts parts_;
  Rng rng_;
  HostMemory memory_;
  Setup setup_ = Setup::kClear;
  std::array<Stream, kStreams> streams_;
  Moves moves_;
  uint64_t cycle_ = 0;
  Counts counts_;
};

}  // namespace ullnic::fuzz
