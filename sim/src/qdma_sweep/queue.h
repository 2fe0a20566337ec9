// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// A driver's queue pair: an H2C ring, a C2H ring and its completion ring, their buffers, and what
// is expected next.
#pragma once

#include <cstdint>
#include <deque>

#include "qdma_sweep/settings.h"

namespace ullnic::qdma_sweep {

struct Queue {
  unsigned number = 0;
  uint64_t c2h_ring = 0, h2c_ring = 0, entry_ring = 0;  // bus addresses
  std::deque<uint64_t> free;                            // buffers

  std::deque<uint64_t> c2h_posted;  // buffers, in the order of the ring
  unsigned c2h_pidx = 0;
  uint64_t entries_written = 0;   // by the card, in total
  uint64_t received = 0;          // packets read by the driver, in total
  bool has_work = false;          // something has been written
  bool has_entry_status = false;  // not read yet
  bool has_h2c_status = false;

  std::deque<uint64_t> h2c_posted;  // buffers whose packets the card may still read
  unsigned h2c_pidx = 0, h2c_cidx = 0;
  uint64_t sent = 0;  // packets, in total

  unsigned c2h_room() const { return kRing - 1 - static_cast<unsigned>(c2h_posted.size()); }
  unsigned h2c_room() const { return kRing - 1 - static_cast<unsigned>(h2c_posted.size()); }
};

inline unsigned Next(unsigned index) { return (index + 1) % kRing; }

}  // namespace ullnic::qdma_sweep
