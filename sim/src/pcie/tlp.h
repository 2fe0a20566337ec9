// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// A transaction layer packet, and its cost on the link.
#pragma once

#include <cstdint>
#include <vector>

#include "pcie/link_settings.h"

namespace ullnic::pcie {

enum class Kind : uint8_t { kPosted, kNonPosted, kCompletion };
inline constexpr int kKinds = 3;

struct Tlp {
  Kind kind = Kind::kPosted;
  uint8_t function = 0;  // that a request is of, or for
  uint64_t address = 0;  // of a dword
  uint32_t dwords = 0;   // of the payload, or requested
  uint8_t first_be = 15;
  uint8_t last_be = 15;
  uint16_t tag = 0;
  uint32_t byte_count = 0;  // of a completion: bytes left of its read, including these
  uint32_t lower_address = 0;
  bool is_final = false;      // of its read's completions
  std::vector<uint8_t> data;  // whole dwords
  uint64_t cookie = 0;        // sender's value

  int payload_bytes() const { return static_cast<int>(data.size()); }
  int wire_bytes() const {
    return (kind == Kind::kCompletion ? kCompletionBytes : kRequestBytes) + payload_bytes();
  }
  int data_credits() const { return (payload_bytes() + kCreditBytes - 1) / kCreditBytes; }
};

}  // namespace ullnic::pcie
