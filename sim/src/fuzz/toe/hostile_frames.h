// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Invalid frames for the line to the card: of every protocol that it processes, damaged at every
// layer from the block up. None may legitimately end a peer's connection: frames that match one are
// damaged so that a checksum detects it.
#pragma once

#include <array>

#include "core/rng.h"
#include "fuzz/toe/echo_peer.h"
#include "partner/frame_encoder.h"

namespace ullnic::fuzz {

class HostileFrames {
 public:
  enum Kind : size_t {
    kIpSum,      // one burst of wrong bits in the IP header
    kTcpSum,     // in the segment
    kLine,       // bad FCS, blocks, headers, preamble, gap
    kShort,      // ends anywhere
    kLong,       // up to 9,700 bytes
    kArp,        // valid and invalid ones
    kEcho,       // valid and invalid pings
    kIcmpError,  // quotes anything
    kUdp,
    kFragment,
    kIpOptions,
    kVlan,
    kTcp,  // any flags and options, of no connection
    kRandom,
    kKinds
  };
  static const std::array<const char*, kKinds> kNames;
  static constexpr uint64_t kMac = 0x020000000077;  // their source address

  HostileFrames(const PeerAddresses& addresses, uint64_t seed)
      : addresses_(addresses), rng_(Rng::Stream(seed, 11)) {}

  // `good`: a segment that a peer has sent to the card.
  partner::WireFrame Make(const Bytes& good);
  const std::array<uint64_t, kKinds>& counts() const { return counts_; }
  // A valid ARP request for the card's address, and a valid ping.
  Bytes ArpRequest() const;
  Bytes Ping(uint16_t number, size_t bytes);

 private:
  void Burst(Bytes& frame, size_t from, size_t to);
  Bytes Ip(uint8_t protocol, Bytes payload, size_t option_words = 0, uint16_t fragment = 0x4000);
  Bytes Icmp(uint8_t type, uint8_t code, Bytes rest);
  Bytes Random(size_t bytes);

  PeerAddresses addresses_;
  Rng rng_;
  std::array<uint64_t, kKinds> counts_{};
};

}  // namespace ullnic::fuzz
