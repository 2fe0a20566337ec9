// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// The other end of a session: it makes segments, and checks those of the engine byte by byte.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "ate_sweep/connection.h"
#include "core/frame.h"

namespace ullnic::toe {

constexpr uint8_t kSyn = 0x02, kPsh = 0x08, kAck = 0x10;

class Peer {
 public:
  // `source` of the connection is the engine's address, `seq` and `ack` are set by the handshake.
  Peer(const Connection& connection, uint32_t seq) : connection_(connection), next_(seq) {}

  const Connection& connection() const { return connection_; }

  Bytes Syn(uint16_t mss);
  // Checks the engine's answer to it. Returns the error, or "".
  std::string TakeSynAck(const Bytes& frame);
  Bytes Ack() const { return Segment(kAck, {}); }
  Bytes Data(std::span<const uint8_t> payload);

  // Checks a segment of the engine and extracts its payload. Returns the error, or "".
  std::string Take(const Bytes& frame, Bytes& payload);
  // Bytes that may be sent now.
  uint32_t room() const {
    const uint32_t unacknowledged = next_ - una_;
    return unacknowledged < window_ ? window_ - unacknowledged : 0;
  }

 private:
  Bytes Segment(uint8_t flags, std::span<const uint8_t> payload, uint16_t mss = 0) const;

  Connection connection_;
  uint32_t next_;          // SND.NXT
  uint32_t una_ = 0;       // SND.UNA
  uint32_t window_ = 0;    // SND.WND
  uint32_t expected_ = 0;  // RCV.NXT
};

}  // namespace ullnic::toe
