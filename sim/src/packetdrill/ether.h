// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Conversion between packetdrill's IPv4 packets and the engine's Ethernet frames, and the few TCP
// header fields that the engine does not pass to its user.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "core/frame.h"

namespace ullnic::packetdrill {

constexpr uint64_t kPeerMac = 0x02000000000a;  // every neighbour has it

using View = std::span<const uint8_t>;

bool IsIpv4(View packet);
uint32_t Destination(View packet);  // of an IPv4 packet

Bytes WithEthernet(View packet, uint64_t to_mac);
// The IPv4 packet in a frame, without padding.
std::optional<View> Ipv4Of(View frame);
// The reply to an ARP request, for any address.
std::optional<Bytes> ArpAnswer(View frame);

// A peer's SYN.
struct Syn {
  uint32_t peer_ip;
  uint16_t peer_port;
  uint16_t local_port;
  bool ack;
  uint16_t mss;  // 536 without the option (RFC 9293, MUST-15)
  bool stamps;   // it has timestamps
};
std::optional<Syn> SynOf(View packet);

}  // namespace ullnic::packetdrill
