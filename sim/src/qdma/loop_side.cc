// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0

#include "qdma/loop_side.h"

#include <cstring>

namespace ullnic::qdma {

// The header that every packet of a card has: {length 16, type 8, port 8, sequence number 32,
// timestamp 64 in cycles of 4 ns}.
bool LoopSide::SendH2c(unsigned qid, std::span<const uint8_t> packet) {
  Queue& queue = queues_[qid];
  if (queue.packets.size() >= depth_) return false;
  constexpr size_t kHeaderBytes = 16;
  std::vector<uint8_t> copy(kHeaderBytes + packet.size());
  const auto length = static_cast<uint16_t>(packet.size());
  const uint32_t sequence = queue.sequence++;
  const uint64_t timestamp = static_cast<uint64_t>(now_ps_()) / 4000;
  std::memcpy(copy.data(), &length, sizeof length);
  copy[2] = 0;  // received
  copy[3] = static_cast<uint8_t>(qid);
  std::memcpy(copy.data() + 4, &sequence, sizeof sequence);
  std::memcpy(copy.data() + 8, &timestamp, sizeof timestamp);
  std::memcpy(copy.data() + kHeaderBytes, packet.data(), packet.size());
  queue.packets.push_back(std::move(copy));
  return true;
}

std::span<const uint8_t> LoopSide::PeekC2h(unsigned qid) {
  const Queue& queue = queues_[qid];
  return queue.packets.empty() ? std::span<const uint8_t>() : queue.packets.front();
}

void LoopSide::OnReset() {
  for (Queue& queue : queues_) queue = Queue();
}

}  // namespace ullnic::qdma
