// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0

#include "qdma/c2h.h"

#include <algorithm>

namespace ullnic::qdma {
namespace {

constexpr unsigned kPacketsPerPoll = 32;        // per queue
constexpr uint64_t kDescriptorsPerPoll = 4096;  // per queue, or those of one packet
constexpr uint64_t kMaxPacketBytes = 0xffff;    // the largest length of an entry
constexpr uint32_t kMaxBuffers = 31;            // per packet

// Most bytes of a packet that all buffers of the ring can hold.
uint64_t MostBytes(const DescriptorQueue& queue, uint32_t buffer_bytes) {
  const uint64_t buffers = std::min(queue.entries() - 1, kMaxBuffers);
  return std::min(buffers * buffer_bytes, kMaxPacketBytes);
}

}  // namespace

void C2hEngine::Doorbell(unsigned qid, uint32_t value) {
  DescriptorQueue queue(core_, true, qid);
  const bool was_enabled = queue.enabled();
  if (!queue.UpdatePidx(Bits(value, 15, 0)) && was_enabled) completion_.Fail(qid, 2);
}

// Ignores the number of descriptors: Move() must see a packet that can never fit, to drop it.
bool C2hEngine::Ready(unsigned qid) const {
  DescriptorQueue queue(core_, true, qid);
  const ContextWords& prefetch = core_.contexts.At(Selector::kPrefetch, qid);
  return queue.enabled() && queue.entries() != 0 && prefetch::kValid.Get(prefetch) &&
         queue.pidx() != queue.cidx() && completion_.HasRoom(qid);
}

bool C2hEngine::HasWork() const {
  for (unsigned qid = 0; qid < std::min(core_.user.queues(), reg::kQueues); ++qid) {
    if (!Ready(qid)) continue;
    const size_t bytes = core_.user.PeekC2h(qid).size();
    if (bytes == 0) continue;
    DescriptorQueue queue(core_, true, qid);
    const ContextWords& prefetch = core_.contexts.At(Selector::kPrefetch, qid);
    const uint32_t buffer = core_.csr(reg::kBufferSizes, prefetch::kBufferSize.Get(prefetch));
    const size_t available = queue.Available(queue.cidx());
    if (available * buffer >= bytes || bytes > MostBytes(queue, buffer)) return true;
  }
  return false;
}

bool C2hEngine::Poll() {
  bool moved = false;
  for (unsigned qid = 0; qid < std::min(core_.user.queues(), reg::kQueues); ++qid) {
    const uint64_t begin = core_.counters.descriptors;
    for (unsigned i = 0; i < kPacketsPerPoll && Ready(qid) && Move(qid); ++i) {
      moved = true;
      if (core_.counters.descriptors - begin >= kDescriptorsPerPoll) break;
    }
  }
  return moved;
}

// False: no packet, it must wait, or the queue was stopped.
bool C2hEngine::Move(unsigned qid) {
  const std::span<const uint8_t> packet = core_.user.PeekC2h(qid);
  if (packet.empty()) return false;
  DescriptorQueue queue(core_, true, qid);
  ContextWords& prefetch = core_.contexts.At(Selector::kPrefetch, qid);
  const uint32_t buffer = core_.csr(reg::kBufferSizes, prefetch::kBufferSize.Get(prefetch));
  if (!queue.Check()) {
    completion_.Fail(qid, 2);
    return false;
  }
  if (prefetch::kBypass.Get(prefetch)) {
    queue.StopAtDescriptor();
    completion_.Fail(qid, 2);
    return false;
  }
  if (packet.size() > MostBytes(queue, buffer)) {  // it would wait forever
    core_.errors.C2h(reg::kC2hLengthMismatch, qid);
    ++core_.counters.c2h_too_long;
    core_.user.PopC2h(qid);
    return true;
  }
  if (uint64_t{buffer} * queue.Available(queue.cidx()) < packet.size()) return false;
  if (!Scatter(queue, packet, buffer)) {
    prefetch::kError.Set(prefetch, 1);
    completion_.Fail(qid, 2);
    return false;
  }
  if (!completion_.Post(qid, static_cast<uint32_t>(packet.size()))) {
    sw::kEnable.Set(queue.software(), 0);
    return false;
  }
  ++core_.counters.c2h_packets;
  core_.counters.c2h_bytes += packet.size();
  core_.user.PopC2h(qid);
  return true;
}

// libqdma's struct qdma_c2h_desc: the buffer's address, 8 bytes.
bool C2hEngine::Scatter(DescriptorQueue& queue, std::span<const uint8_t> packet,
                        uint32_t buffer_bytes) {
  while (!packet.empty()) {
    uint8_t raw[8];
    uint64_t address = 0;
    if (!queue.Fetch(queue.cidx(), raw)) return false;
    std::memcpy(&address, raw, sizeof address);
    const auto piece = packet.first(std::min<size_t>(buffer_bytes, packet.size()));
    if (!core_.host.WriteHost(address, piece)) {
      queue.StopAtData();
      return false;
    }
    packet = packet.subspan(piece.size());
    queue.set_cidx(queue.Next(queue.cidx()));
  }
  return true;
}

}  // namespace ullnic::qdma
