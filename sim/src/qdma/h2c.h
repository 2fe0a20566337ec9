// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Host to card: gathers packets from descriptors and passes them to the card.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <vector>

#include "qdma/core.h"
#include "qdma/descriptor_queue.h"

namespace ullnic::qdma {

class H2cEngine {
 public:
  explicit H2cEngine(Core& core) : core_(core) {}

  void Doorbell(unsigned qid, uint32_t value);
  // Transfers a bounded number of packets and descriptors. True: something was transferred, or the
  // bound was reached.
  bool Poll();
  // Descriptors are pending, or a packet waits for room in the card.
  bool HasWork() const { return !active_.empty(); }
  // The queue's context was written or cleared.
  void Forget(unsigned qid);
  void Reset();

 private:
  struct Packet {
    std::vector<uint8_t> bytes;
    uint32_t descriptors = 0;  // fetched and not yet consumed
    bool open = false;         // its last descriptor has not been fetched
    bool complete = false;
  };

  bool Service(unsigned qid);
  bool Gather(unsigned qid, DescriptorQueue& queue, Packet& packet);
  void Consume(unsigned qid, DescriptorQueue& queue, Packet& packet);
  void Arm(unsigned qid);
  void Stopped(unsigned qid);
  void Report(unsigned qid);

  Core& core_;
  std::set<unsigned> active_;  // enabled queues with something to do
  unsigned last_ = 0;          // the queue that was served last
  unsigned budget_ = 0;        // descriptors that this Poll may still fetch
  std::map<unsigned, Packet> packets_;
};

}  // namespace ullnic::qdma
