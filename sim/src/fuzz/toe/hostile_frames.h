// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Frames that nobody should send, for the line to the card: of every protocol that it reads,
// damaged at every layer from the block up. None is what a peer's connection could not survive:
// what names one is damaged so that a checksum shows it.
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
    kLine,       // wrong FCS, blocks, headers, preamble, gap
    kShort,      // ends anywhere
    kLong,       // up to 9,700 bytes
    kArp,        // right and wrong ones
    kEcho,       // pings, right and wrong ones
    kIcmpError,  // quotes anything
    kUdp,
    kFragment,
    kIpOptions,
    kVlan,
    kTcp,  // any flags and options, of nobody's
    kRandom,
    kKinds
  };
  static const std::array<const char*, kKinds> kNames;
  static constexpr uint64_t kMac = 0x020000000077;  // their sender

  HostileFrames(const PeerAddresses& addresses, uint64_t seed)
      : addresses_(addresses), rng_(Rng::Stream(seed, 11)) {}

  // `good`: a segment of a peer's that the card has been sent.
  partner::WireFrame Make(const Bytes& good);
  const std::array<uint64_t, kKinds>& counts() const { return counts_; }
  // A right ARP request for the card's address, and a right ping.
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
