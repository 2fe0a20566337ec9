// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Software at one port of a card: valid and invalid chunks to it, and packets from it. Frames on
// the line and packets read are checked against frames sent and received.
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
    uint64_t nowhere = 0;            // valid ones for a connection that is not enabled
    uint64_t payloads = 0, raw = 0;  // transmitted
    uint64_t received = 0;           // frames of the line
    uint64_t mirrors = 0, bad_mirrors = 0;
  };

  // On a port with an engine, its connection belongs to software.
  PortHost(NicCard& card, unsigned port, bool has_engine, Rng& rng);

  // Offers a chunk, unless eight are queued. Returns whether it did.
  bool Send(bool good);
  // A good frame to the card, which software may receive.
  void Arriving(Bytes frame);
  // A good frame sent by the port. Returns whether it is software's; faults if it differs from the
  // one sent.
  void Leaving(const Bytes& frame);
  // The card has sent this frame, and software must receive a copy.
  void ExpectMirror(const Bytes& frame, size_t payload_bytes);
  void Read();

  // Checks that no sent frame is missing, and nothing is left to read. Received frames that were
  // not delivered are discarded: the card's counters account for them.
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
  std::deque<Bytes> raw_, payloads_;  // not sent yet
  std::deque<Bytes> arriving_;
  std::deque<Bytes> mirrors_, mirrored_;  // due, read
  uint32_t number_ = 0;
  Counts counts_;
};

}  // namespace ullnic::fuzz
