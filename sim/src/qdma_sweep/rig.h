// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// The card's RTL behind the model of the PCIe block, the link and the host, with a driver on one
// side and a user on the other. A cycle is one of the user clock, 250 MHz.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "pcie/completer.h"
#include "pcie/link.h"
#include "qdma_sweep/boundary_log.h"
#include "qdma_sweep/card_memory.h"
#include "qdma_sweep/completer_ports.h"
#include "qdma_sweep/dma.h"
#include "qdma_sweep/driver.h"
#include "qdma_sweep/mm_driver.h"
#include "qdma_sweep/rc_port.h"
#include "qdma_sweep/rq_port.h"
#include "qdma_sweep/user_side.h"

namespace ullnic::qdma_sweep {

// Counts up to a cycle.
struct Counts {
  int64_t cycle = 0;
  uint64_t to_host = 0;    // packets whose entry is in host memory; memory-mapped: transfers
  uint64_t from_host = 0;  // packets that the user has received, transfers in the card's memory
  uint64_t rq_beats = 0, rc_beats = 0;
  uint64_t up_bytes = 0, down_bytes = 0;
  uint64_t statuses = 0, entry_writes = 0, reads = 0, held = 0;
};

class Rig {
 public:
  explicit Rig(const Point& point);
  ~Rig();

  // Resets the card; its driver sets up the queues.
  void Start();
  void Cycle();
  // Runs until `holds` returns true; UserError with `what` after the time limit.
  void Until(const std::function<bool()>& holds, const char* what);
  Counts Now() const;
  // At the end: checks that the card has written payload, entries and status, and nothing else.
  void CheckWrites() const;
  // Nothing is in flight any more.
  bool IsIdle() const;
  double CapacityOfCycles(int64_t cycles) const {
    return link_.up.wire().Capacity(cycles * kCyclePs);
  }

  const CardMemory& card_memory() const { return card_memory_; }

  // Records transfers at the ports from now on.
  BoundaryLog& KeepLog();
  HostDriver& host_driver() { return host_driver_; }
  Driver& driver() { return driver_; }  // of the streams
  MmDriver& mm_driver() { return mm_driver_; }
  Source& source() { return source_; }
  Sink& sink() { return sink_; }

 private:
  // Bytes that may wait between sink and source, and minimum number of packets
  static constexpr size_t kForwardingBytes = 32 * 1024, kForwardingLeast = 8;
  static constexpr int64_t kQuietCycles = 1000;

  int64_t now_ps() const { return cycle_ * kCyclePs; }
  bool SinkIsReady() const;
  void Log();
  void Configure();
  void Deliver();
  void AtHost(const pcie::Transmitter::Sent& sent);
  void CheckCounters() const;

  const Point point_;
  std::unique_ptr<Dma> dma_;
  pcie::Link link_;
  Memory memory_;  // of the host
  CardMemory card_memory_;
  pcie::Completer completer_;
  Pattern pattern_;
  RegistersPort registers_;
  Driver driver_;
  MmDriver mm_driver_;
  HostDriver& host_driver_;  // the one that the mode has
  Source source_;
  Sink sink_;
  RqPort rq_;
  RcPort rc_;
  CqPort cq_;
  CcPort cc_;
  BoundaryLog log_;
  bool keeps_log_ = false;
  uint64_t written_bytes_ = 0;  // of host memory
  int64_t cycle_ = 0;
  int64_t last_busy_ = 0;  // the last cycle with a transfer
};

}  // namespace ullnic::qdma_sweep
