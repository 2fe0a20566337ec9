// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Counters of the model beyond the contract's registers, for reports. Every loss shows in one of
// these or in a status register.
#pragma once

#include <cstdint>

namespace ullnic::qdma {

struct Counters {
  uint64_t h2c_packets = 0;
  uint64_t h2c_bytes = 0;
  uint64_t h2c_empty = 0;  // empty packets, which are not passed to the card
  uint64_t c2h_packets = 0;
  uint64_t c2h_bytes = 0;
  uint64_t c2h_too_long = 0;  // packets too long for all buffers of their queue
  uint64_t descriptors = 0;
  uint64_t completions = 0;
  uint64_t status_writes = 0;
  uint64_t h2c_interrupts = 0;
  uint64_t c2h_interrupts = 0;
  uint64_t error_interrupts = 0;
  uint64_t interrupts_lost = 0;  // no such vector, or no such ring
  uint64_t context_commands = 0;
  uint64_t context_errors = 0;  // commands for a context that does not exist
  uint64_t doorbells = 0;
  uint64_t doorbells_out_of_range = 0;  // the function has no such queue
  uint64_t doorbells_ignored = 0;       // the queue is not enabled
  uint64_t unmapped_accesses = 0;       // registers that do not exist
  uint64_t queue_errors = 0;            // queues stopped
  uint64_t user_reads = 0;
  uint64_t user_writes = 0;
  uint64_t resets = 0;
};

}  // namespace ullnic::qdma
