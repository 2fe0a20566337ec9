// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0

#include "ate_sweep/connection.h"

#include "ate_sweep/segment.h"

namespace ullnic {
namespace {

constexpr uint32_t kConnections = 512;
constexpr uint32_t kIpSeed = 0xc506, kTcpSeed = 0x501a;
constexpr uint32_t kWindowAhead = 0x4000'0000;  // MAX_SEQ, where it is checked

Endpoint RandomEndpoint(Rng& rng) {
  Endpoint end;
  for (uint8_t& b : end.mac) b = static_cast<uint8_t>(rng.Next());
  end.mac[0] &= 0xfe;  // no group
  for (uint8_t& b : end.ip) b = static_cast<uint8_t>(rng.Next());
  end.port = static_cast<uint16_t>(rng.Next());
  return end;
}

// Four bytes in memory order.
uint32_t Register(const uint8_t* bytes) {
  return bytes[0] | bytes[1] << 8 | bytes[2] << 16 | static_cast<uint32_t>(bytes[3]) << 24;
}

}  // namespace

Connection RandomConnection(Rng& rng) {
  Connection c;
  c.id = static_cast<uint16_t>(rng.Below(kConnections));
  c.source = RandomEndpoint(rng);
  c.destination = RandomEndpoint(rng);
  c.seq = rng.Below(2) != 0 ? rng.Word() : -static_cast<uint32_t>(rng.Below(1000));
  c.ack = rng.Word();
  c.window = static_cast<uint16_t>(rng.Next());
  c.second_bank = rng.Below(2) != 0;
  c.check_max_seq = rng.Below(2) != 0;
  return c;
}

void SetUp(const Connection& c, unsigned port, const WriteRegister& write) {
  const uint32_t base = c.address(port);
  std::array<uint8_t, 12> macs;
  for (size_t i = 0; i < 6; ++i) {
    macs[i] = c.destination.mac[i];
    macs[6 + i] = c.source.mac[i];
  }
  write(base + 48, 0);  // disabled meanwhile
  for (uint32_t i = 0; i < 3; ++i) write(base + 4 * i, Register(&macs[4 * i]));
  const uint32_t ip_sum = OnesSum(c.destination.ip.data(), 4, OnesSum(c.source.ip.data(), 4));
  const uint8_t ports[4] = {
      static_cast<uint8_t>(c.source.port >> 8), static_cast<uint8_t>(c.source.port),
      static_cast<uint8_t>(c.destination.port >> 8), static_cast<uint8_t>(c.destination.port)};
  const uint32_t ip_part = OnesSum(nullptr, 0, kIpSeed + ip_sum);
  const uint32_t tcp_part = OnesSum(ports, 4, kTcpSeed + ip_sum);
  write(base + 12, tcp_part << 16 | ip_part);
  write(base + 16, Register(c.source.ip.data()));
  write(base + 20, Register(c.destination.ip.data()));
  write(base + 24, Register(ports));
  write(base + Connection::kSeqOffset, NetworkOrder(c.seq));
  // The inactive bank holds other values.
  const uint32_t chosen = base + (c.second_bank ? 40 : 32);
  const uint32_t other = base + (c.second_bank ? 32 : 40);
  write(chosen, NetworkOrder(c.ack));
  write(chosen + 4, NetworkOrder(c.window));
  write(other, ~NetworkOrder(c.ack));
  write(other + 4, NetworkOrder(c.window ^ 0xffffu));
  write(base + 52, NetworkOrder(c.seq + kWindowAhead));
  write(base + 48, 1u | (c.check_max_seq ? 2u : 0u) | (c.second_bank ? 4u : 0u));
}

}  // namespace ullnic
