// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Whether a frame is a segment of a TCP connection: byte by byte, with checksums of its own
// arithmetic.
#pragma once

#include <cstdint>
#include <string>

#include "ate_sweep/connection.h"
#include "core/frame.h"

namespace ullnic {

constexpr size_t kHeaderBytes = 54;  // Ethernet, IPv4, TCP

struct Segment {
  Bytes payload;
  std::string wrong;  // the first thing that is not as it should be; "": nothing
};

// `frame`: without FCS. `seq`: that of the payload's first byte.
Segment ReadSegment(const Bytes& frame, const Connection& connection, uint32_t seq);

// The sum of the bytes as 16-bit words in network order, folded; 0xffff over a header that holds
// its own checksum.
uint16_t OnesSum(const uint8_t* bytes, size_t count, uint32_t start = 0);

}  // namespace ullnic
