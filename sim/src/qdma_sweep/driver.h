// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// An ideal polling driver: it sees the card's writes at once, and its work takes no time. Like
// DPDK's it reads the status of a ring, processes packets in bursts of 64, and rings the doorbells
// once per burst. A burst has fewer packets only if the ring's timer has expired without more.
#pragma once

#include <cstdint>
#include <functional>
#include <unordered_map>
#include <vector>

#include "qdma_sweep/host_driver.h"
#include "qdma_sweep/memory.h"
#include "qdma_sweep/pattern.h"
#include "qdma_sweep/queue.h"
#include "qdma_sweep/registers_port.h"

namespace ullnic::qdma_sweep {

class Driver : public HostDriver {
 public:
  Driver(const Point& point, Memory& memory, RegistersPort& registers, const Pattern& pattern);

  // Also posts C2H buffers.
  void Start() override;
  // Sends the first H2C packets: half a ring per queue, fewer with many queues.
  void Begin() override;
  // Sends one packet, with its doorbell.
  void SendOne(unsigned queue) { SendBurst(queues_[queue], 1); }
  // Entries are then detected by their colour, as a status may not be written.
  void Stop() override;
  void Written(uint64_t address, uint64_t bytes) override;
  void Poll() override;

  uint64_t due_bytes() const override;
  uint64_t entries_written() const { return entries_written_; }
  uint64_t received() const { return received_; }
  uint64_t sent() const { return sent_; }
  uint64_t entry_writes() const { return entry_writes_; }

 private:
  struct Place {
    unsigned queue;
    bool is_entries;  // a page of its completion ring, else the end of its H2C ring
  };
  static constexpr uint64_t kPage = 4096;

  void SetGlobals();
  void AddQueue(unsigned number);
  void WriteContexts(const Queue& queue);
  void Doorbell(const Queue& queue, unsigned kind, uint32_t value);
  // Checks a new entry, and its payload, which must have been written before it.
  void CheckEntry(Queue& queue);
  // Where a packet is that the driver has not read.
  uint64_t PlaceOf(const Queue& queue, uint64_t number) const;
  void Receive(Queue& queue);
  void ReceivePacket(Queue& queue);
  void PostBuffers(Queue& queue, unsigned most);
  void Send(Queue& queue, uint64_t buffer);
  void SendBurst(Queue& queue, unsigned count = kBurst);
  void RingH2c(Queue& queue);
  void Reclaim(Queue& queue);
  void AddWork(Queue& queue);
  [[noreturn]] void Wrong(const Queue& queue, const std::string& what) const;

  const Point point_;
  Memory& memory_;
  RegistersPort& registers_;
  const Pattern& pattern_;
  std::vector<Queue> queues_;
  std::unordered_map<uint64_t, Place> pages_;  // of rings, by the number of the page
  std::vector<unsigned> work_;                 // queues with new data
  bool is_stopped_ = false;
  uint64_t entries_written_ = 0, received_ = 0, sent_ = 0, entry_writes_ = 0;
};

}  // namespace ullnic::qdma_sweep
