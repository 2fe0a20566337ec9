// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// An Ethernet frame with a TCP segment in IPv4, without IP options: parsed and built.
#pragma once

#include <cstdint>
#include <optional>

#include "core/frame.h"

namespace ullnic {

namespace tcp_flag {
constexpr uint8_t kFin = 1, kSyn = 2, kRst = 4, kPsh = 8, kAck = 16, kUrg = 32;
}

// Offsets in the frame
constexpr size_t kIpAt = 14, kTcpAt = 34, kTcpPayloadAt = 54;

struct TcpFrame {
  uint64_t to_mac = 0, from_mac = 0;
  uint32_t from_ip = 0, to_ip = 0;
  uint16_t from_port = 0, to_port = 0;
  uint32_t seq = 0, ack = 0;
  uint8_t flags = 0;
  uint16_t window = 0;
  Bytes options;  // a multiple of four
  Bytes payload;

  bool has(uint8_t flag) const { return (flags & flag) != 0; }
  // Its length in sequence numbers.
  uint32_t length() const {
    return static_cast<uint32_t>(payload.size()) + has(tcp_flag::kSyn) + has(tcp_flag::kFin);
  }

  // Nothing if it is not one; checksums are not checked.
  static std::optional<TcpFrame> Read(const Bytes& frame);
  Bytes Write() const;
};

uint32_t Number(const Bytes& frame, size_t at, size_t bytes);
void SetNumber(Bytes& frame, size_t at, size_t bytes, uint64_t value);
// Sets both checksums, by the lengths in the headers, within the frame.
void Seal(Bytes& frame);

}  // namespace ullnic
