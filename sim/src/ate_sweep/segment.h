// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Checks that a frame is a segment of a TCP connection: byte by byte, with independently computed
// checksums.
#pragma once

#include <cstdint>
#include <string>

#include "ate_sweep/connection.h"
#include "core/frame.h"
#include "core/ones_sum.h"

namespace ullnic {

constexpr size_t kHeaderBytes = 54;  // Ethernet, IPv4, TCP

struct Segment {
  Bytes payload;
  std::string wrong;  // the first error; "": none
};

// `frame`: without FCS. `seq`: that of the payload's first byte.
Segment ReadSegment(const Bytes& frame, const Connection& connection, uint32_t seq);

}  // namespace ullnic
