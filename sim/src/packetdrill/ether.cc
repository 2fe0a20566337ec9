// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0

#include "packetdrill/ether.h"

#include <netinet/in.h>

#include <algorithm>

namespace ullnic::packetdrill {
namespace {

constexpr size_t kEtherBytes = 14, kIpBytes = 20, kTcpBytes = 20, kArpBytes = 28;
constexpr uint16_t kTypeIpv4 = 0x0800, kTypeArp = 0x0806;
constexpr uint16_t kArpRequest = 1, kArpReply = 2;
constexpr uint8_t kFlagSyn = 0x02, kFlagAck = 0x10;
constexpr uint8_t kOptionEnd = 0, kOptionNop = 1, kOptionMss = 2, kOptionTimestamps = 8;
constexpr uint16_t kDefaultMss = 536;

uint16_t Get16(View bytes, size_t at) {
  return static_cast<uint16_t>(bytes[at] << 8 | bytes[at + 1]);
}
uint32_t Get32(View bytes, size_t at) {
  return static_cast<uint32_t>(Get16(bytes, at)) << 16 | Get16(bytes, at + 2);
}
void Put(Bytes& bytes, uint64_t value, int count) {
  for (int i = count - 1; i >= 0; --i) bytes.push_back(static_cast<uint8_t>(value >> (8 * i)));
}

Bytes EtherHeader(uint64_t to, uint16_t type) {
  Bytes frame;
  Put(frame, to, 6);
  Put(frame, kPeerMac, 6);
  Put(frame, type, 2);
  return frame;
}

// The value of an option of this kind and length.
std::optional<View> Option(View options, uint8_t kind, size_t bytes) {
  for (size_t at = 0; at < options.size() && options[at] != kOptionEnd;) {
    if (options[at] == kOptionNop) {
      ++at;
      continue;
    }
    if (at + 1 >= options.size() || options[at + 1] < 2) break;
    if (options[at] == kind && options[at + 1] == bytes && at + bytes <= options.size()) {
      return options.subspan(at + 2, bytes - 2);
    }
    at += options[at + 1];
  }
  return {};
}

}  // namespace

bool IsIpv4(View packet) { return packet.size() >= kIpBytes && packet[0] >> 4 == 4; }

uint32_t Destination(View packet) { return Get32(packet, 16); }

Bytes WithEthernet(View packet, uint64_t to_mac) {
  Bytes frame = EtherHeader(to_mac, kTypeIpv4);
  frame.insert(frame.end(), packet.begin(), packet.end());
  return frame;
}

std::optional<View> Ipv4Of(View frame) {
  if (frame.size() < kEtherBytes + kIpBytes || Get16(frame, 12) != kTypeIpv4) return {};
  const View packet = frame.subspan(kEtherBytes);
  return packet.first(std::min<size_t>(packet.size(), Get16(packet, 2)));
}

std::optional<Bytes> ArpAnswer(View frame) {
  if (frame.size() < kEtherBytes + kArpBytes || Get16(frame, 12) != kTypeArp) return {};
  const View arp = frame.subspan(kEtherBytes);
  const uint32_t asks = Get32(arp, 14), wanted = Get32(arp, 24);
  // A request for the sender's own address is an announcement or a probe for duplicates.
  if (Get16(arp, 6) != kArpRequest || asks == wanted || asks == 0) return {};
  const uint64_t asker = static_cast<uint64_t>(Get16(arp, 8)) << 32 | Get32(arp, 10);
  Bytes answer = EtherHeader(asker, kTypeArp);
  answer.insert(answer.end(), arp.begin(), arp.begin() + 6);  // address types
  Put(answer, kArpReply, 2);
  Put(answer, kPeerMac, 6);
  Put(answer, wanted, 4);
  Put(answer, asker, 6);
  Put(answer, asks, 4);
  return answer;
}

std::optional<Syn> SynOf(View packet) {
  if (!IsIpv4(packet) || packet[9] != IPPROTO_TCP) return {};
  const size_t ip_bytes = (packet[0] & 15u) * 4;
  if (packet.size() < ip_bytes + kTcpBytes) return {};
  const View tcp = packet.subspan(ip_bytes);
  if (!(tcp[13] & kFlagSyn)) return {};
  const size_t header = std::clamp<size_t>((tcp[12] >> 4) * 4, kTcpBytes, tcp.size());
  const View options = tcp.subspan(kTcpBytes, header - kTcpBytes);
  const auto mss = Option(options, kOptionMss, 4);
  return Syn{.peer_ip = Get32(packet, 12),
             .peer_port = Get16(tcp, 0),
             .local_port = Get16(tcp, 2),
             .ack = (tcp[13] & kFlagAck) != 0,
             .mss = mss ? Get16(*mss, 0) : kDefaultMss,
             .stamps = Option(options, kOptionTimestamps, 10).has_value()};
}

}  // namespace ullnic::packetdrill
