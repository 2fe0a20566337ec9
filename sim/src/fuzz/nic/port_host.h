// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Software at one port of a card: chunks to it, right and wrong ones, and packets from it. What
// leaves on the line, and what it reads, are held against what it has sent and what has come.
#pragma once

#include <deque>

#include "ate_sweep/connection.h"
#include "core/rng.h"
#include "nic/nic_card.h"

namespace ullnic::fuzz {

class PortHost {
 public:
  struct Counts {
    uint64_t good = 0, bad = 0;      // chunks, of which the card refuses the bad ones
    uint64_t begun = 0;              // bad ones with a good header: the engine drops them
    uint64_t nowhere = 0;            // good ones for a connection that is not enabled
    uint64_t payloads = 0, raw = 0;  // that have left
    uint64_t received = 0;           // frames of the line
    uint64_t mirrors = 0, bad_mirrors = 0;
  };

  // Its connection is software's own, on a port with an engine.
  PortHost(NicCard& card, unsigned port, bool has_engine, Rng& rng);

  // Offers a chunk, unless eight wait. Returns whether it did.
  bool Send(bool good);
  // A good frame that goes to the card: software may be given it.
  void Arriving(Bytes frame);
  // A good frame that has left the port: software's? Faults if it is another than was sent.
  void Leaving(const Bytes& frame);
  // The card has sent this, and software is to be shown a copy.
  void ExpectMirror(const Bytes& frame, size_t payload_bytes);
  void Read();

  // Nothing of what was sent is missing, and nothing is left to be read. Frames that have come and
  // were not given out are forgotten: the card's counters say why they were not.
  void Rest();

  Connection& connection() { return connection_; }
  const Counts& counts() const { return counts_; }

 private:
  static constexpr size_t kMaxPayload = 1460;

  Bytes BadChunk();
  bool HasGoodHeader(const Bytes& chunk) const;
  void Take(std::span<const uint8_t> packet);

  NicCard& card_;
  unsigned port_;
  bool has_engine_;
  size_t most_raw_;
  Rng& rng_;
  Connection connection_;
  std::deque<Bytes> raw_, payloads_;  // not left yet
  std::deque<Bytes> arriving_;
  std::deque<Bytes> mirrors_, mirrored_;  // due, read
  uint32_t number_ = 0;
  Counts counts_;
};

}  // namespace ullnic::fuzz
