// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0

#include "fuzz/ate/connections.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/ones_sum.h"

namespace ullnic::fuzz {
namespace {

constexpr uint16_t kFirstPort = 0x1000;

uint32_t Fold(uint32_t sum) {
  while (sum >> 16 != 0) sum = (sum & 0xffff) + (sum >> 16);
  return sum;
}

void Put(Bytes& bytes, size_t count, uint32_t value) {
  for (size_t i = count; i-- > 0;) bytes.push_back(static_cast<uint8_t>(value >> (8 * i)));
}

uint32_t Number(const Bytes& bytes, size_t at, size_t count) {
  uint32_t value = 0;
  for (size_t i = 0; i < count; ++i) value = value << 8 | bytes[at + i];
  return value;
}

size_t IpAt(const Bytes& frame) {
  return frame.size() > 16 && Number(frame, 12, 2) == 0x8100 ? 18 : 14;
}

}  // namespace

Connection Connection::Random(unsigned index, Rng& rng) {
  Connection c;
  for (uint8_t& byte : c.macs) byte = static_cast<uint8_t>(rng.Next());
  c.src_ip = rng.Word();
  c.dst_ip = rng.Word();
  c.src_port = static_cast<uint16_t>(kFirstPort + index);
  c.dst_port = static_cast<uint16_t>(rng.Next());
  c.seq = rng.Chance(0.5) ? rng.Word() : static_cast<uint32_t>(-rng.Below(3000));
  c.acks.fill({rng.Word(), static_cast<uint16_t>(rng.Next())});
  c.max_seq = c.seq + (1u << 30);
  c.control = kEnable | (rng.Chance(0.5) ? kCheck : 0);
  c.vlan = rng.Chance(0.3) ? static_cast<int>(rng.Below(65536)) : -1;
  return c;
}

void Connection::SetAck(AckWindow value) {
  std::rotate(acks.begin(), acks.end() - 1, acks.end());
  acks[0] = value;
}

uint32_t Connection::Word(unsigned word) const {
  const uint32_t halves = (src_ip >> 16) + (src_ip & 0xffff) + (dst_ip >> 16) + (dst_ip & 0xffff);
  const auto mac = [this](size_t at) {
    return macs[at] | macs[at + 1] << 8 | macs[at + 2] << 16 |
           static_cast<uint32_t>(macs[at + 3]) << 24;
  };
  switch (word) {
    case kMac0:
      return mac(0);
    case kMac1:
      return mac(4);
    case kMac2:
      return mac(8);
    case kPartCsum:
      return Fold(0x501a + halves + src_port + dst_port) << 16 | Fold(0xc506 + halves);
    case kSrcIp:
      return __builtin_bswap32(src_ip);
    case kDstIp:
      return __builtin_bswap32(dst_ip);
    case kPorts:
      return __builtin_bswap32(uint32_t{src_port} << 16 | dst_port);
    case kSeq:
      return __builtin_bswap32(seq);
    case kAck:
    case kAck2:
      return __builtin_bswap32(acks[0].ack);
    case kWindow:
    case kWindow2:
      return uint32_t{__builtin_bswap16(acks[0].window)} << 16;
    case kControl:
      return control;
    case kMaxSeq:
      return __builtin_bswap32(max_seq);
    case kVlan:
      return vlan < 0 ? 0 : 1u << 16 | static_cast<uint32_t>(vlan);
    default:
      return 0;
  }
}

std::string Connection::Differs(const Bytes& frame, const Bytes& payload, bool any_sum) const {
  const auto tcp_bytes = static_cast<uint32_t>(20 + payload.size());
  const size_t at = header_bytes() - 40;
  Bytes want(macs.begin(), macs.end());
  if (vlan >= 0) Put(want, 4, 0x81000000u | static_cast<uint32_t>(vlan));
  Put(want, 4, 0x08004500);
  Put(want, 2, 20 + tcp_bytes);
  Put(want, 4, 0x00004000);
  Put(want, 2, 0x4006);
  Put(want, 2, 0);
  Put(want, 4, src_ip);
  Put(want, 4, dst_ip);
  const uint16_t ip_sum = static_cast<uint16_t>(~OnesSum(&want[at], 20));
  want[at + 10] = static_cast<uint8_t>(ip_sum >> 8);
  want[at + 11] = static_cast<uint8_t>(ip_sum);
  Put(want, 2, src_port);
  Put(want, 2, dst_port);
  Put(want, 4, seq);
  Put(want, 4, 0);
  Put(want, 2, payload.empty() ? 0x5010 : 0x5018);
  Put(want, 2, 0);
  Put(want, 4, 0);
  want.insert(want.end(), payload.begin(), payload.end());
  if (frame.size() != want.size()) {
    return fmt::format("it has {} bytes, {} are due", frame.size(), want.size());
  }
  const size_t tcp = at + 20;
  const AckWindow found{Number(frame, tcp + 8, 4),
                        static_cast<uint16_t>(Number(frame, tcp + 14, 2))};
  if (std::find(acks.begin(), acks.end(), found) == acks.end()) {
    return fmt::format("ACK {:#x} and window {:#x} were not set together", found.ack, found.window);
  }
  for (const size_t byte : {8, 9, 10, 11, 14, 15}) want[tcp + byte] = frame[tcp + byte];
  const uint32_t pseudo = OnesSum(&want[at + 12], 8, 6 + tcp_bytes);
  const auto sum = static_cast<uint16_t>(~OnesSum(&want[tcp], tcp_bytes, pseudo));
  for (const size_t byte : {0, 1}) {
    want[tcp + 16 + byte] =
        any_sum ? frame[tcp + 16 + byte] : static_cast<uint8_t>(sum >> (8 - 8 * byte));
  }
  const auto differ = std::mismatch(want.begin(), want.end(), frame.begin());
  if (differ.first == want.end()) return "";
  return fmt::format("byte {} is {:#x}, {:#x} is due", differ.first - want.begin(), *differ.second,
                     *differ.first);
}

int ConnectionOf(const Bytes& frame) {
  const size_t at = IpAt(frame);
  if (frame.size() < at + 40 || Number(frame, at - 2, 3) != 0x080045) return -1;
  const uint32_t port = Number(frame, at + 20, 2);
  return port >= kFirstPort && port < kFirstPort + kConnections
             ? static_cast<int>(port - kFirstPort)
             : -1;
}

size_t PayloadAt(const Bytes& frame, std::string& wrong) {
  const size_t at = IpAt(frame);
  if (frame.size() < at + 40) {
    wrong = fmt::format("it has {} bytes", frame.size());
  } else if (const uint32_t total = Number(frame, at + 2, 2); at + total != frame.size()) {
    wrong = fmt::format("its total length is {}, and {} bytes left", total, frame.size());
  }
  return at + 40;
}

uint32_t PayloadSum(const Bytes& payload) {
  uint32_t sum = 0;
  for (size_t i = 0; i < payload.size(); ++i) sum += uint32_t{payload[i]} << (i % 2 == 0 ? 0 : 8);
  return sum;
}

}  // namespace ullnic::fuzz
