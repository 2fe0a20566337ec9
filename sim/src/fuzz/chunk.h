// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Transmit chunks as software makes them (cores/ate/README.md): 8 bytes of header, then as many as
// the header's length.
#pragma once

#include "core/frame.h"
#include "core/rng.h"

namespace ullnic::fuzz {

constexpr uint8_t kChunkRaw = 1, kChunkTcp = 2;
constexpr size_t kChunkHeader = 8;
constexpr size_t kRawPad = 2, kTcpPad = 20;  // of a chunk's body, before the frame or payload

Bytes RandomBytes(size_t count, Rng& rng);

// The body after the header.
Bytes RawBody(const Bytes& frame, Rng& rng);
Bytes TcpBody(uint16_t connection, const Bytes& payload, Rng& rng);

// `length`: that of the header, which may differ from the body's.
Bytes MakeChunk(uint8_t type, size_t length, const Bytes& body, Rng& rng);
inline Bytes MakeChunk(uint8_t type, const Bytes& body, Rng& rng) {
  return MakeChunk(type, body.size(), body, rng);
}

}  // namespace ullnic::fuzz
