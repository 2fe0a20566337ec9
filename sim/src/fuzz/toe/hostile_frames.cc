// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0

#include "fuzz/toe/hostile_frames.h"

#include <algorithm>

#include "core/ones_sum.h"
#include "fuzz/line_damage.h"

namespace ullnic::fuzz {
namespace {

constexpr uint64_t kHostileMac = HostileFrames::kMac;
constexpr uint32_t kHostileIp = 198u << 24 | 18u << 16 | 200;  // and up to 50 more
constexpr uint8_t kIcmp = 1, kTcpProtocol = 6, kUdpProtocol = 17;

void Put(Bytes& bytes, size_t count, uint64_t value) {
  for (size_t i = count; i-- > 0;) bytes.push_back(static_cast<uint8_t>(value >> (8 * i)));
}

}  // namespace

const std::array<const char*, HostileFrames::kKinds> HostileFrames::kNames = {
    "ip_sum",     "tcp_sum", "line",     "short",      "long", "arp", "echo",
    "icmp_error", "udp",     "fragment", "ip_options", "vlan", "tcp", "random"};

Bytes HostileFrames::Random(size_t count) {
  Bytes bytes(count);
  for (uint8_t& byte : bytes) byte = static_cast<uint8_t>(rng_.Next() >> 32);
  return bytes;
}

Bytes HostileFrames::Ip(uint8_t protocol, Bytes payload, size_t option_words, uint16_t fragment) {
  Bytes frame;
  Put(frame, 6,
      rng_.Chance(0.95)  ? addresses_.card_mac
      : rng_.Chance(0.5) ? ~uint64_t{0}
                         : rng_.Next());
  Put(frame, 6, kHostileMac);
  Put(frame, 2, 0x0800);
  frame.push_back(static_cast<uint8_t>(0x45 + option_words));
  frame.push_back(0);
  Put(frame, 2, 20 + 4 * option_words + payload.size());
  Put(frame, 2, rng_.Next());
  Put(frame, 2, fragment);
  frame.push_back(64);
  frame.push_back(protocol);
  Put(frame, 2, 0);
  Put(frame, 4, kHostileIp + rng_.Below(50));
  Put(frame, 4, rng_.Chance(0.95) ? addresses_.card_ip : rng_.Word());
  const Bytes options = Random(4 * option_words);
  frame.insert(frame.end(), options.begin(), options.end());
  frame.insert(frame.end(), payload.begin(), payload.end());
  SetNumber(frame, kIpAt + 10, 2, 0xffffu ^ OnesSum(&frame[kIpAt], 20 + 4 * option_words));
  return frame;
}

Bytes HostileFrames::Icmp(uint8_t type, uint8_t code, Bytes rest) {
  Bytes message = {type, code, 0, 0};
  message.insert(message.end(), rest.begin(), rest.end());
  SetNumber(message, 2, 2, 0xffffu ^ OnesSum(message.data(), message.size()));
  return Ip(kIcmp, std::move(message));
}

Bytes HostileFrames::ArpRequest() const {
  Bytes frame;
  Put(frame, 6, ~uint64_t{0});
  Put(frame, 6, addresses_.own_mac);
  Put(frame, 8, 0x0806000108000604);
  Put(frame, 2, 1);
  Put(frame, 6, addresses_.own_mac);
  Put(frame, 4, addresses_.own_ip);
  Put(frame, 6, 0);
  Put(frame, 4, addresses_.card_ip);
  return frame;
}

Bytes HostileFrames::Ping(uint16_t number, size_t bytes) {
  Bytes rest;
  Put(rest, 4, 0x77770000u | number);
  const Bytes data = Random(bytes);
  rest.insert(rest.end(), data.begin(), data.end());
  Bytes frame = Icmp(8, 0, rest);
  SetNumber(frame, 0, 6, addresses_.card_mac);
  SetNumber(frame, 6, 6, addresses_.own_mac);
  SetNumber(frame, kIpAt + 12, 4, addresses_.own_ip);
  SetNumber(frame, kIpAt + 16, 4, addresses_.card_ip);
  SetNumber(frame, kIpAt + 10, 2, 0);
  SetNumber(frame, kIpAt + 10, 2, 0xffffu ^ OnesSum(&frame[kIpAt], 20));
  return frame;
}

// Inverts up to 15 adjacent bits: any 16-bit one's complement sum detects it.
void HostileFrames::Burst(Bytes& frame, size_t from, size_t to) {
  const size_t bits = 8 * (std::min(to, frame.size()) - from);
  const size_t length = rng_.Range(1, 15);
  const size_t first = rng_.Below(bits - length + 1);
  const auto turn = [&](size_t bit) {
    frame[from + bit / 8] ^= static_cast<uint8_t>(0x80 >> bit % 8);
  };
  turn(first);
  for (size_t i = 1; i < length; ++i) {
    if (rng_.Chance(0.5)) turn(first + i);
  }
}

partner::WireFrame HostileFrames::Make(const Bytes& good) {
  partner::WireFrame wire;
  auto kind = static_cast<Kind>(rng_.Below(kKinds));
  if (kind == kLong && rng_.Chance(0.8)) kind = kTcp;  // they take line time
  ++counts_[kind];
  switch (kind) {
    case kIpSum: {
      wire.bytes = good;
      // Identification, or checksum and source address: other fields would be rejected first
      const bool low = rng_.Chance(0.3);
      Burst(wire.bytes, kIpAt + (low ? 4 : 10), kIpAt + (low ? 6 : 16));
      break;
    }
    case kTcpSum:  // not the ports, which identify the connection, nor the offset
      wire.bytes = good;
      if (rng_.Chance(0.5))
        Burst(wire.bytes, kTcpAt + 4, kTcpAt + 12);
      else
        Burst(wire.bytes, kTcpAt + 14, kIpAt + Number(good, kIpAt + 2, 2));
      break;
    case kLine:
      wire.bytes = good;
      DamageLine(wire, rng_);
      break;
    case kShort:
      wire.bytes = good;
      wire.bytes.resize(rng_.Below(good.size()));
      wire.pad = rng_.Chance(0.7);
      break;
    case kLong:
      wire.bytes = Ip(static_cast<uint8_t>(rng_.Below(20)),
                      Random(rng_.Chance(0.1) ? rng_.Range(1480, 9600) : rng_.Range(1480, 1520)));
      break;
    case kArp: {
      wire.bytes = ArpRequest();
      SetNumber(wire.bytes, 6, 6, kHostileMac);
      if (rng_.Chance(0.7)) SetNumber(wire.bytes, 14 + rng_.Below(27), 1, rng_.Next());
      SetNumber(wire.bytes, 22, 6, rng_.Chance(0.8) ? kHostileMac : rng_.Next());
      SetNumber(wire.bytes, 28, 4,
                rng_.Chance(0.9)   ? kHostileIp + rng_.Below(50)
                : rng_.Chance(0.5) ? addresses_.card_ip
                                   : 0);
      if (rng_.Chance(0.2)) SetNumber(wire.bytes, 20, 2, 2);
      break;
    }
    case kEcho:
      wire.bytes =
          Icmp(rng_.Chance(0.8) ? 8 : static_cast<uint8_t>(rng_.Next()), rng_.Chance(0.8) ? 0 : 1,
               Random(rng_.Below(rng_.Chance(0.95) ? 60 : 1472)));
      if (rng_.Chance(0.4)) Burst(wire.bytes, kTcpAt, wire.bytes.size());
      break;
    case kIcmpError: {
      Bytes rest = Random(4);
      const auto end = good.begin() + static_cast<ptrdiff_t>(
                                          std::min<size_t>(good.size(), kIpAt + rng_.Range(0, 40)));
      rest.insert(rest.end(), good.begin() + kIpAt, end);
      if (rng_.Chance(0.5) && rest.size() > 24)
        std::swap_ranges(rest.begin() + 16, rest.begin() + 20, rest.begin() + 20);
      wire.bytes = Icmp(std::array<uint8_t, 5>{3, 4, 5, 11, 12}[rng_.Below(5)],
                        static_cast<uint8_t>(rng_.Below(16)), rest);
      break;
    }
    case kUdp:
      wire.bytes = Ip(kUdpProtocol, Random(rng_.Below(60)));
      break;
    case kFragment:
      wire.bytes = Ip(rng_.Chance(0.5) ? kTcpProtocol : kIcmp, Random(rng_.Range(8, 60)), 0,
                      static_cast<uint16_t>(rng_.Chance(0.5) ? 0x2000 : rng_.Range(1, 0x1fff)));
      break;
    case kIpOptions:
      wire.bytes = Ip(rng_.Chance(0.7) ? kTcpProtocol : kIcmp, Random(rng_.Range(20, 100)),
                      rng_.Range(1, 10));
      break;
    case kVlan: {
      const Bytes tag = {0x81, 0x00, static_cast<uint8_t>(rng_.Next()),
                         static_cast<uint8_t>(rng_.Next())};
      wire.bytes = Ip(kTcpProtocol, Random(rng_.Range(20, 100)));
      for (uint64_t n = rng_.Range(1, 2); n > 0; --n)
        wire.bytes.insert(wire.bytes.begin() + 12, tag.begin(), tag.end());
      break;
    }
    case kTcp: {
      wire.bytes = Ip(kTcpProtocol, Random(20 + 4 * rng_.Below(11) + rng_.Below(100)));
      SetNumber(
          wire.bytes, kTcpAt + 2, 2,
          rng_.Chance(0.7) ? std::array<uint16_t, 4>{7, 9, 19, 80}[rng_.Below(4)] : rng_.Word());
      if (rng_.Chance(0.8)) SetNumber(wire.bytes, kTcpAt + 12, 1, rng_.Range(5, 15) << 4);
      Seal(wire.bytes);
      break;
    }
    default:
      wire.bytes = Random(rng_.Range(1, 300));
      if (wire.bytes.size() > 14 && rng_.Chance(0.8)) {
        SetNumber(wire.bytes, 0, 6, addresses_.card_mac);
        SetNumber(wire.bytes, 12, 2,
                  std::array<uint16_t, 4>{0x0800, 0x0806, 0x8100, 0x86dd}[rng_.Below(4)]);
      }
      break;
  }
  return wire;
}

}  // namespace ullnic::fuzz
