// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// An ideal polling driver of memory-mapped queues: H2C writes the card's memory, C2H reads it. It
// sees the status of a ring at once, checks each transfer, and posts bursts of 64 descriptors, each
// with a doorbell. Its work takes no time.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "qdma_sweep/host_driver.h"
#include "qdma_sweep/memory.h"
#include "qdma_sweep/pattern.h"
#include "qdma_sweep/registers_port.h"
#include "qdma_sweep/settings.h"

namespace ullnic::qdma_sweep {

class MmDriver : public HostDriver {
 public:
  MmDriver(const Point& point, Memory& host, Memory& card, RegistersPort& registers,
           const Pattern& pattern);

  void Start() override;
  void Begin() override;
  void Stop() override { is_stopped_ = true; }
  void Written(uint64_t address, uint64_t bytes) override;
  void Poll() override;

  uint64_t due_bytes() const override { return done_to_host_ * point_.size; }
  // Transfers, in total
  uint64_t posted() const { return posted_; }
  uint64_t done_to_host() const { return done_to_host_; }
  uint64_t done_to_card() const { return done_to_card_; }

 private:
  static constexpr uint64_t kPage = 4096;
  struct Ring {
    unsigned queue;
    bool to_host;
    uint64_t descriptors;  // address of the ring
    uint64_t host, card;   // addresses of the first buffer
    uint64_t posted = 0, done = 0;
    bool has_status = false;
  };

  void AddRing(unsigned queue, bool to_host);
  // Buffers of a ring are used in turn.
  unsigned buffers() const { return point_.in_flight_of_queue() + kBurst; }
  uint64_t HostAddress(const Ring& ring, uint64_t number) const;
  uint64_t CardAddress(const Ring& ring, uint64_t number) const;
  std::span<const uint8_t> Contents(const Ring& ring, uint64_t number) const;
  void PostBurst(Ring& ring);
  void ReadStatus(Ring& ring);
  [[noreturn]] void Wrong(const Ring& ring, const std::string& what) const;

  const Point point_;
  Memory& host_;
  Memory& card_;
  RegistersPort& registers_;
  const Pattern& pattern_;
  uint64_t host_stride_, card_stride_;  // of buffers
  std::vector<Ring> rings_;
  std::unordered_map<uint64_t, unsigned> ring_of_;  // by the address of its status
  std::vector<unsigned> work_;                      // rings with a new status
  bool is_stopped_ = false;
  uint64_t posted_ = 0, done_to_host_ = 0, done_to_card_ = 0;
};

}  // namespace ullnic::qdma_sweep
