// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// A TCP connection of the card's transmit engine, and its registers (cores/ate/README.md).
#pragma once

#include <array>
#include <cstdint>
#include <functional>

#include "core/rng.h"

namespace ullnic {

using WriteRegister = std::function<void(uint32_t address, uint32_t value)>;

struct Endpoint {
  std::array<uint8_t, 6> mac;
  std::array<uint8_t, 4> ip;
  uint16_t port;
};

struct Connection {
  static constexpr uint32_t kSeqOffset = 28;

  uint16_t id;
  Endpoint source;  // the card
  Endpoint destination;
  uint32_t seq;  // of the card's next byte
  uint32_t ack;
  uint16_t window;
  bool second_bank;
  bool check_max_seq;

  // Address of its registers in the user BAR.
  uint32_t address(unsigned port) const { return 0x40000 | port << 15 | uint32_t{id} << 6; }
};

// A random connection, whose SEQ is often about to wrap.
Connection RandomConnection(Rng& rng);

// Sets it up on a port of the card and enables it.
void SetUp(const Connection& connection, unsigned port, const WriteRegister& write);

// Converts between a number and the contents of a register in network order.
constexpr uint32_t NetworkOrder(uint32_t value) { return __builtin_bswap32(value); }

}  // namespace ullnic
