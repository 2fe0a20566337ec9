// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0

#include "fuzz/chunk.h"

#include "core/ones_sum.h"

namespace ullnic::fuzz {

Bytes RandomBytes(size_t count, Rng& rng) {
  Bytes bytes(count);
  for (uint8_t& byte : bytes) byte = static_cast<uint8_t>(rng.Next() >> 32);
  return bytes;
}

Bytes RawBody(const Bytes& frame, Rng& rng) {
  Bytes body = RandomBytes(kRawPad, rng);
  body.insert(body.end(), frame.begin(), frame.end());
  return body;
}

Bytes TcpBody(uint16_t connection, const Bytes& payload, Rng& rng) {
  Bytes body = RandomBytes(kTcpPad, rng);
  // The sum is over the words in little-endian memory order.
  const uint16_t sum = OnesSum(payload.data(), payload.size());
  body[2] = static_cast<uint8_t>(sum);
  body[3] = static_cast<uint8_t>(sum >> 8);
  body[4] = static_cast<uint8_t>(connection);
  body[5] = static_cast<uint8_t>(connection >> 8);
  body.insert(body.end(), payload.begin(), payload.end());
  return body;
}

Bytes MakeChunk(uint8_t type, size_t length, const Bytes& body, Rng& rng) {
  Bytes bytes = RandomBytes(kChunkHeader, rng);
  bytes[4] = static_cast<uint8_t>(length);
  bytes[5] = static_cast<uint8_t>(length >> 8);
  bytes[6] = type;
  bytes.insert(bytes.end(), body.begin(), body.end());
  return bytes;
}

}  // namespace ullnic::fuzz
