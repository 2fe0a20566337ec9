// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
#include "qdma_sweep/driver.h"

#include <fmt/format.h>
#include <qdma_regs.h>

#include <algorithm>
#include <cstddef>
#include <cstring>

#include "core/user_error.h"
#include "qdma_sweep/contexts.h"

namespace ullnic::qdma_sweep {

namespace {

using qdma::Selector;

constexpr unsigned kC2hDescriptor = 8, kH2cDescriptor = 16;
constexpr uint32_t kSopEop = 3;  // flags of an H2C descriptor

uint32_t Register(size_t offset) { return static_cast<uint32_t>(offset); }

}  // namespace

Driver::Driver(const Point& point, Memory& memory, RegistersPort& registers, const Pattern& pattern)
    : point_(point),
      memory_(memory),
      registers_(registers),
      pattern_(pattern),
      queues_(point.queues) {}

void Driver::Wrong(const Queue& queue, const std::string& what) const {
  throw UserError(fmt::format("queue {}: {}", queue.number, what),
                  "a fault of the card or of the rig: repeat with the same options and seed");
}

// --- Setting up

void Driver::Start() {
  SetGlobals();
  for (unsigned i = 0; i < point_.queues; ++i) AddQueue(i);
}

void Driver::SetGlobals() {
  registers_.Write(Register(offsetof(qdma_regs_t, GLBL_RNG_SZ)), kRing + 1);
  registers_.Write(Register(offsetof(qdma_regs_t, C2H_BUF_SZ)), kBufferBytes);
  registers_.Write(Register(offsetof(qdma_regs_t, C2H_CNT_TH)), kBurst);
  registers_.Write(Register(offsetof(qdma_regs_t, C2H_TIMER_CNT)), point_.timer_ticks);
  constexpr uint32_t kTick = 25;  // cycles
  registers_.Write(Register(offsetof(qdma_regs_t, C2H_WRB_COAL_CFG)),
                   kCoalesce << QDMA_REGS__C2H_WRB_COAL_CFG__MAX_BUF_SZ_bp |
                       kTick << QDMA_REGS__C2H_WRB_COAL_CFG__TICK_VAL_bp |
                       point_.coalesce_ticks << QDMA_REGS__C2H_WRB_COAL_CFG__TICK_CNT_bp);
  registers_.WriteContext(Selector::kFunctionMap, point_.function(), FunctionMap(point_.queues));
}

void Driver::AddQueue(unsigned number) {
  Queue& queue = queues_[number];
  queue.number = number;
  queue.c2h_ring = memory_.Allocate((kRing + 1) * kC2hDescriptor, kPage);
  queue.h2c_ring = memory_.Allocate((kRing + 1) * kH2cDescriptor, kPage);
  queue.entry_ring = memory_.Allocate((kRing + 1) * point_.entry_bytes(), kPage);
  for (unsigned at = 0; at < (kRing + 1) * point_.entry_bytes(); at += kPage) {
    pages_[(queue.entry_ring + at) / kPage] = {.queue = number, .is_entries = true};
  }
  pages_[(queue.h2c_ring + kRing * kH2cDescriptor) / kPage] = {.queue = number,
                                                               .is_entries = false};
  // Each buffer has its own pages: unused ones cost no memory.
  constexpr uint64_t kStride = 2 * kPage;
  const unsigned buffers = kRing + point_.in_flight_of_queue() + 2 * kBurst;
  const uint64_t first = memory_.Allocate(buffers * kStride, kPage) + point_.offset;
  for (unsigned i = buffers; i-- > 0;) queue.free.push_back(first + i * kStride);
  WriteContexts(queue);
}

void Driver::WriteContexts(const Queue& queue) {
  const unsigned number = queue.number;
  if (point_.from_host()) {
    registers_.WriteContext(Selector::kHwH2c, number, {});
    registers_.WriteContext(
        Selector::kSwH2c, number,
        SoftwareContext(point_.function(), queue.h2c_ring, kH2cDescriptor, false));
  }
  if (!point_.to_host()) return;
  registers_.WriteContext(Selector::kHwC2h, number, {});
  registers_.WriteContext(Selector::kPrefetch, number, PrefetchContext(point_.opts_in));
  registers_.WriteContext(Selector::kSwC2h, number,
                          SoftwareContext(point_.function(), queue.c2h_ring, kC2hDescriptor, true));
  registers_.WriteContext(
      Selector::kCompletion, number,
      CompletionContext(point_.function(), queue.entry_ring, point_.entry_bytes()));
  Doorbell(queue, kEntryCidx, CidxDoorbell(0));
  PostBuffers(queues_[number], kRing);
}

void Driver::Begin() {
  if (!point_.from_host()) return;
  for (unsigned sent = 0; sent < point_.in_flight_of_queue(); sent += kBurst) {
    for (Queue& queue : queues_) SendBurst(queue);
  }
}

// --- What the card writes

void Driver::Written(uint64_t address, uint64_t bytes) {
  const auto found = pages_.find(address / kPage);
  if (found == pages_.end()) return;
  Queue& queue = queues_[found->second.queue];
  if (!found->second.is_entries) {
    ++statuses_;
    if (address != queue.h2c_ring + kRing * kH2cDescriptor) Wrong(queue, "a write into a ring");
    queue.has_h2c_status = true;
  } else if (address == queue.entry_ring + kRing * point_.entry_bytes()) {
    ++statuses_;
    queue.has_entry_status = true;
  } else {
    const uint64_t place = queue.entry_ring + queue.entries_written % kRing * point_.entry_bytes();
    if (address != place || bytes % point_.entry_bytes() != 0)
      Wrong(queue, "an entry is not in its place");
    for (uint64_t i = 0; i < bytes / point_.entry_bytes(); ++i) CheckEntry(queue);
    ++entry_writes_;
    if (!is_stopped_) return;  // normally the status triggers the read
  }
  AddWork(queue);
}

void Driver::AddWork(Queue& queue) {
  if (!queue.has_work) work_.push_back(queue.number);
  queue.has_work = true;
}

void Driver::Stop() {
  is_stopped_ = true;
  for (Queue& queue : queues_) AddWork(queue);
}

void Driver::Poll() {
  for (const unsigned number : std::exchange(work_, {})) {
    Queue& queue = queues_[number];
    queue.has_work = false;
    if (std::exchange(queue.has_h2c_status, false)) Reclaim(queue);
    if (std::exchange(queue.has_entry_status, false) || is_stopped_) Receive(queue);
    if (point_.mode == Mode::kForwarding) continue;
    while (point_.from_host() && !is_stopped_ &&
           queue.h2c_posted.size() + kBurst <= point_.in_flight_of_queue()) {
      SendBurst(queue);
    }
  }
}

uint64_t Driver::due_bytes() const {
  return (point_.is_inline() ? 0 : received_ * point_.size) +
         entries_written_ * point_.entry_bytes();
}

// --- C2H

void Driver::Receive(Queue& queue) {
  if (!point_.to_host()) return;
  const auto status = memory_.Load<uint64_t>(queue.entry_ring + kRing * point_.entry_bytes());
  const auto read = static_cast<unsigned>(queue.received % kRing);
  unsigned unread = (static_cast<unsigned>(status & 0xFFFF) + kRing - read) % kRing;
  const uint64_t there = queue.entries_written - queue.received;
  if (is_stopped_) unread = static_cast<unsigned>(there);  // by the entries' colour
  if (unread > there) Wrong(queue, "a status counts entries that are not there");
  if (unread > kBurst) unread -= is_stopped_ ? 0 : unread % kBurst;
  while (unread > 0) {
    const unsigned burst = std::min(unread, kBurst);
    for (unsigned i = 0; i < burst; ++i) ReceivePacket(queue);
    unread -= burst;
    PostBuffers(queue, burst);
    Doorbell(queue, kEntryCidx, CidxDoorbell(static_cast<unsigned>(queue.received % kRing)));
    if (point_.mode == Mode::kForwarding && !is_stopped_) RingH2c(queue);
  }
}

void Driver::CheckEntry(Queue& queue) {
  const uint64_t number = queue.entries_written;
  const auto entry = memory_.Load<std::array<uint32_t, 4>>(queue.entry_ring +
                                                           number % kRing * point_.entry_bytes());
  const uint32_t colour = 1 ^ (number / kRing & 1);
  // {length [19:4], descriptor used 3, error 2, colour 1, format 0}, then the user's
  const uint32_t used = point_.is_inline() ? 0 : 1;
  const auto user = static_cast<uint32_t>(number << kUserBit);
  if (entry[0] != (user | point_.size << 4 | used << 3 | colour << 1)) {
    Wrong(queue, fmt::format("entry {} is {:#x}", number, entry[0]));
  }
  if (!point_.is_inline() && entry[kUserWord] != static_cast<uint32_t>(number)) {
    Wrong(queue, "the entry of another one");
  }
  const auto wanted = pattern_.Of(queue.number, number, point_.size);
  if (!std::ranges::equal(memory_.At(PlaceOf(queue, number), point_.size), wanted)) {
    Wrong(queue, fmt::format("packet {} is not what was sent, or not there yet", number));
  }
  ++queue.entries_written;
  ++entries_written_;
}

uint64_t Driver::PlaceOf(const Queue& queue, uint64_t number) const {
  if (point_.is_inline()) {
    return queue.entry_ring + number % kRing * point_.entry_bytes() + kInlineAt;
  }
  const uint64_t ahead = number - queue.received;  // packets that the driver has not read
  if (ahead >= queue.c2h_posted.size()) Wrong(queue, "an entry without a buffer");
  return queue.c2h_posted[ahead];
}

void Driver::ReceivePacket(Queue& queue) {
  // Of an inline packet: what is sent is copied into a free buffer.
  auto& buffers = point_.is_inline() ? queue.free : queue.c2h_posted;
  if (buffers.empty()) Wrong(queue, "there is no buffer");
  const uint64_t buffer = buffers.front();
  buffers.pop_front();
  ++queue.received;
  ++received_;
  if (point_.mode == Mode::kForwarding && !is_stopped_) {
    Send(queue, buffer);
  } else {
    queue.free.push_back(buffer);
  }
}

void Driver::PostBuffers(Queue& queue, unsigned most) {
  unsigned count = std::min({most, queue.c2h_room(), static_cast<unsigned>(queue.free.size())});
  if (count == 0) return;
  for (; count > 0; --count) {
    const uint64_t buffer = queue.free.back();
    queue.free.pop_back();
    memory_.Store(queue.c2h_ring + queue.c2h_pidx * kC2hDescriptor, buffer);
    queue.c2h_posted.push_back(buffer);
    queue.c2h_pidx = Next(queue.c2h_pidx);
  }
  Doorbell(queue, kC2hPidx, queue.c2h_pidx);
}

// --- H2C

void Driver::Send(Queue& queue, uint64_t buffer) {
  if (queue.h2c_room() == 0) Wrong(queue, "the H2C ring is full");
  const auto bytes = pattern_.Of(queue.number, queue.sent, point_.size);
  std::ranges::copy(bytes, memory_.At(buffer, point_.size).begin());
  const std::array<uint32_t, 4> descriptor = {
      static_cast<uint32_t>(queue.sent), point_.size | kSopEop << 16, static_cast<uint32_t>(buffer),
      static_cast<uint32_t>(buffer >> 32)};
  memory_.Store(queue.h2c_ring + queue.h2c_pidx * kH2cDescriptor, descriptor);
  queue.h2c_posted.push_back(buffer);
  queue.h2c_pidx = Next(queue.h2c_pidx);
  ++queue.sent;
  ++sent_;
}

void Driver::SendBurst(Queue& queue, unsigned count) {
  for (unsigned i = 0; i < count; ++i) {
    Send(queue, queue.free.back());
    queue.free.pop_back();
  }
  RingH2c(queue);
}

void Driver::RingH2c(Queue& queue) { Doorbell(queue, kH2cPidx, queue.h2c_pidx); }

void Driver::Reclaim(Queue& queue) {
  const auto status = memory_.Load<uint64_t>(queue.h2c_ring + kRing * kH2cDescriptor);
  const auto cidx = static_cast<unsigned>(status >> kCidxPlace & 0xFFFF);
  if ((status & 3) != 0) Wrong(queue, "the H2C ring has an error");
  while (queue.h2c_cidx != cidx) {
    if (queue.h2c_posted.empty()) Wrong(queue, "CIDX is beyond what was posted");
    queue.free.push_back(queue.h2c_posted.front());
    queue.h2c_posted.pop_front();
    queue.h2c_cidx = Next(queue.h2c_cidx);
  }
}

void Driver::Doorbell(const Queue& queue, unsigned kind, uint32_t value) {
  registers_.Doorbell(queue.number, kind, value);
}

}  // namespace ullnic::qdma_sweep
