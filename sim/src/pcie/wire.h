// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// One direction of a link: bytes follow each other at the byte time. Exact: times are kept in
// fractions of a picosecond of which a byte is a whole number, so nothing drifts.
#pragma once

#include <algorithm>
#include <cstdint>

#include "pcie/link_settings.h"

namespace ullnic::pcie {

class Wire {
 public:
  explicit Wire(const LinkSettings& settings)
      : byte_(TimeOfByte(settings)),
        skp_bytes_(settings.has_skp ? kSkpBytes * settings.lanes : 0),
        skp_interval_(int64_t{kSkpBlocks} * kSkpBytes * settings.lanes) {}

  // Sends `bytes` bytes, not before `ready_ps`. Returns when the last one has been sent.
  int64_t Send(int bytes, int64_t ready_ps) {
    if (skp_bytes_ != 0 && (free_ - skp_at_) / byte_.num >= skp_interval_) {
      skp_at_ = free_ += skp_bytes_ * byte_.num;
    }
    free_ = std::max(free_, ready_ps * byte_.den) + bytes * byte_.num;
    bytes_ += bytes;
    return (free_ + byte_.den - 1) / byte_.den;
  }
  // When the next byte can start.
  int64_t free_ps() const { return (free_ + byte_.den - 1) / byte_.den; }
  uint64_t bytes() const { return bytes_; }
  // Bytes that fit on the wire from time 0 to `ps`.
  double Capacity(int64_t ps) const {
    return static_cast<double>(ps) * static_cast<double>(byte_.den) /
           static_cast<double>(byte_.num);
  }

 private:
  ByteTime byte_;
  int64_t skp_bytes_, skp_interval_;
  int64_t skp_at_ = 0;
  int64_t free_ = 0;  // 1 / den ps
  uint64_t bytes_ = 0;
};

}  // namespace ullnic::pcie
