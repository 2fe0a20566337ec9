// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
#include "qdma_sweep/mm_driver.h"

#include <fmt/format.h>
#include <qdma_regs.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

#include "qdma_sweep/contexts.h"
#include "qdma_sweep/dma.h"

namespace ullnic::qdma_sweep {

namespace {

using qdma::Selector;

constexpr unsigned kDescriptor = 32;
constexpr uint32_t kFlags = 7u << 28;  // DV, SOP, EOP: the public drivers set them
constexpr uint64_t kLine = 64;

uint64_t RoundedUp(uint64_t bytes, uint64_t to) { return (bytes + to - 1) / to * to; }

}  // namespace

MmDriver::MmDriver(const Point& point, Memory& host, Memory& card, RegistersPort& registers,
                   const Pattern& pattern)
    : point_(point),
      host_(host),
      card_(card),
      registers_(registers),
      pattern_(pattern),
      host_stride_(RoundedUp(point.size + point.offset, kPage)),
      card_stride_(RoundedUp(point.size, kLine)) {}

void MmDriver::Wrong(const Ring& ring, const std::string& what) const {
  Fault(fmt::format("queue {}, {}: {}", ring.queue, ring.to_host ? "C2H" : "H2C", what));
}

// --- Setting up

void MmDriver::Start() {
  registers_.Write(offsetof(qdma_regs_t, GLBL_RNG_SZ), kRing + 1);
  registers_.WriteContext(Selector::kFunctionMap, point_.function(), FunctionMap(point_.queues));
  for (unsigned queue = 0; queue < point_.queues; ++queue) {
    if (point_.from_host()) AddRing(queue, false);
    if (point_.to_host()) AddRing(queue, true);
  }
  registers_.Write(offsetof(qdma_regs_t, H2C_MM_CTL), 1);
  registers_.Write(offsetof(qdma_regs_t, C2H_MM_CTL), 1);
}

void MmDriver::AddRing(unsigned queue, bool to_host) {
  const Ring ring{.queue = queue,
                  .to_host = to_host,
                  .descriptors = host_.Allocate((kRing + 1) * kDescriptor, kPage),
                  .host = host_.Allocate(buffers() * host_stride_, kPage) + point_.offset,
                  .card = card_.Allocate(buffers() * card_stride_, kPage)};
  ring_of_[ring.descriptors + kRing * kDescriptor] = static_cast<unsigned>(rings_.size());
  rings_.push_back(ring);
  registers_.WriteContext(to_host ? Selector::kHwC2h : Selector::kHwH2c, queue, {});
  qdma::ContextWords words =
      SoftwareContext(point_.function(), ring.descriptors, kDescriptor, false);
  qdma::sw::kMemoryMapped.Set(words, 1);
  registers_.WriteContext(to_host ? Selector::kSwC2h : Selector::kSwH2c, queue, words);
}

// --- Descriptors

uint64_t MmDriver::HostAddress(const Ring& ring, uint64_t number) const {
  return ring.host + number % buffers() * host_stride_;
}

uint64_t MmDriver::CardAddress(const Ring& ring, uint64_t number) const {
  return ring.card + number % buffers() * card_stride_;
}

std::span<const uint8_t> MmDriver::Contents(const Ring& ring, uint64_t number) const {
  return pattern_.Of(2 * ring.queue + (ring.to_host ? 1 : 0), number, point_.size);
}

void MmDriver::PostBurst(Ring& ring) {
  for (unsigned i = 0; i < kBurst; ++i) {
    const uint64_t number = ring.posted++;
    const uint64_t host = HostAddress(ring, number), card = CardAddress(ring, number);
    const auto [from, to] = ring.to_host ? std::pair(card, host) : std::pair(host, card);
    Memory& source = ring.to_host ? card_ : host_;
    std::ranges::copy(Contents(ring, number), source.At(from, point_.size).begin());
    const std::array<uint32_t, kDescriptor / 4> descriptor = {
        static_cast<uint32_t>(from), static_cast<uint32_t>(from >> 32), point_.size | kFlags, 0,
        static_cast<uint32_t>(to),   static_cast<uint32_t>(to >> 32)};
    host_.Store(ring.descriptors + number % kRing * kDescriptor, descriptor);
  }
  posted_ += kBurst;
  registers_.Doorbell(ring.queue, ring.to_host ? kC2hPidx : kH2cPidx,
                      static_cast<uint32_t>(ring.posted % kRing));
}

void MmDriver::Begin() {
  for (unsigned posted = 0; posted < point_.in_flight_of_queue(); posted += kBurst) {
    for (Ring& ring : rings_) PostBurst(ring);
  }
}

// --- What the card writes

void MmDriver::Written(uint64_t address, uint64_t bytes) {
  const auto found = ring_of_.find(address);
  if (found == ring_of_.end()) return;  // payload
  Ring& ring = rings_[found->second];
  if (bytes != kStatusBytes) Wrong(ring, fmt::format("a status of {} bytes", bytes));
  ++statuses_;
  if (!std::exchange(ring.has_status, true)) work_.push_back(found->second);
}

void MmDriver::Poll() {
  for (const unsigned number : std::exchange(work_, {})) {
    Ring& ring = rings_[number];
    ring.has_status = false;
    ReadStatus(ring);
    while (!is_stopped_ && ring.posted - ring.done + kBurst <= point_.in_flight_of_queue()) {
      PostBurst(ring);
    }
  }
}

void MmDriver::ReadStatus(Ring& ring) {
  const auto status = host_.Load<uint64_t>(ring.descriptors + kRing * kDescriptor);
  const auto cidx = static_cast<unsigned>(status >> kCidxPlace & 0xFFFF);
  if ((status & 3) != 0) Wrong(ring, "the ring has an error");
  for (; ring.done % kRing != cidx; ++ring.done) {
    if (ring.done == ring.posted) Wrong(ring, "CIDX is beyond what was posted");
    const uint64_t to = ring.to_host ? HostAddress(ring, ring.done) : CardAddress(ring, ring.done);
    Memory& target = ring.to_host ? host_ : card_;
    if (!std::ranges::equal(target.At(to, point_.size), Contents(ring, ring.done))) {
      Wrong(ring, fmt::format("transfer {} has other bytes, or they are not there yet", ring.done));
    }
    ++(ring.to_host ? done_to_host_ : done_to_card_);
  }
}

}  // namespace ullnic::qdma_sweep
