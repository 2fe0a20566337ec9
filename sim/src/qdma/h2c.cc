// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0

#include "qdma/h2c.h"

namespace ullnic::qdma {
namespace {

constexpr unsigned kPacketsPerPoll = 32;  // per queue, so that one does not block the others
// For all queues: full rings must not block the server.
constexpr unsigned kDescriptorsPerPoll = 4096;
constexpr size_t kMaxPacketBytes = 65535;  // guide, "H2C Stream Descriptor"

// libqdma's struct qdma_h2c_desc: {address 64, flags 16, length 16, payload length 16, header 16}.
// Flags: SOP 1, EOP 2. Linux leaves them 0: then a descriptor is a packet. DPDK sets both.
struct Descriptor {
  uint64_t address;
  uint32_t length;
  bool sop;
  bool eop;

  explicit Descriptor(const uint8_t (&raw)[16]) {
    uint16_t length_and_flags[2];
    std::memcpy(length_and_flags, raw + 4, sizeof length_and_flags);
    std::memcpy(&address, raw + 8, sizeof address);
    length = length_and_flags[0];
    sop = length_and_flags[1] & 1;
    eop = length_and_flags[1] & 2;
  }
};

}  // namespace

void H2cEngine::Doorbell(unsigned qid, uint32_t value) {
  DescriptorQueue queue(core_, false, qid);
  const bool arms = Bits(value, 16, 16);
  if (!queue.enabled()) {
    ++core_.counters.doorbells_ignored;
    if (queue.stopped() && arms) Arm(qid);  // its error may have a pending interrupt
    return;
  }
  if (!queue.UpdatePidx(Bits(value, 15, 0))) {
    Stopped(qid);
    return;
  }
  active_.insert(qid);
  if (arms) Arm(qid);
}

void H2cEngine::Arm(unsigned qid) {
  ContextWords& software = core_.contexts.Software(false, qid);
  sw::kArmed.Set(software, 1);
  // An interrupt that occurred while the queue was not armed was held until now. The queue stays
  // armed: the driver may have seen its status already.
  if (sw::kInterruptHeld.Get(software)) {
    Report(qid);
    sw::kArmed.Set(software, 1);
  }
}

bool H2cEngine::Poll() {
  bool moved = false;
  budget_ = kDescriptorsPerPoll;
  // Starts after the queue where the last Poll() ended, so that all queues are served in turn.
  for (size_t left = active_.size(); left != 0 && !active_.empty() && budget_ != 0; --left) {
    auto it = active_.upper_bound(last_);
    if (it == active_.end()) it = active_.begin();
    last_ = *it;
    moved |= Service(last_);
  }
  return moved || budget_ == 0;
}

bool H2cEngine::Service(unsigned qid) {
  DescriptorQueue queue(core_, false, qid);
  for (unsigned i = 0; i < kPacketsPerPoll; ++i) {
    // Registers and contexts may have changed since the doorbell.
    if (!queue.enabled() || !queue.Check()) {
      if (sw::kError.Get(queue.software())) Stopped(qid);
      active_.erase(qid);
      return true;
    }
    Packet& packet = packets_[qid];
    if (!packet.complete && !Gather(qid, queue, packet)) return i != 0;
    if (qid >= core_.user.queues()) {
      core_.errors.H2c(reg::kH2cNoReceiver, qid);
      queue.StopAtDescriptor();
      Stopped(qid);
      return true;
    }
    // An empty packet is legal, but has no word for the card.
    if (packet.bytes.empty()) {
      ++core_.counters.h2c_empty;
    } else if (!core_.user.SendH2c(qid, packet.bytes)) {
      return i != 0;
    }
    Consume(qid, queue, packet);
  }
  return true;
}

// Fetches until a packet is complete. False: none, or none yet.
bool H2cEngine::Gather(unsigned qid, DescriptorQueue& queue, Packet& packet) {
  while (!packet.complete) {
    const uint32_t index = (queue.cidx() + packet.descriptors) % queue.entries();
    if (index == queue.pidx()) {
      active_.erase(qid);  // until the next doorbell
      if (packet.open) {   // software must post complete packets
        queue.StopAtDescriptor();
        Stopped(qid);
      }
      return false;
    }
    if (budget_ == 0) return false;
    --budget_;
    uint8_t raw[16];
    if (!queue.Fetch(index, raw)) {
      Stopped(qid);
      return false;
    }
    const Descriptor descriptor(raw);
    const bool single = !packet.open && !descriptor.sop && !descriptor.eop;
    const bool whole = single || (!packet.open && descriptor.sop && descriptor.eop);
    const size_t begin = packet.bytes.size();
    if (descriptor.length == 0 && !whole) {
      core_.errors.H2c(reg::kH2cZeroLength, qid);
      queue.StopAtDescriptor();
    } else if (begin + descriptor.length > kMaxPacketBytes ||
               (descriptor.sop ? packet.open : !packet.open && !single)) {
      queue.StopAtDescriptor();  // too long, or first and last descriptors do not pair
    } else {
      packet.bytes.resize(begin + descriptor.length);
      if (descriptor.length != 0 &&
          !core_.host.ReadHost(descriptor.address, std::span(packet.bytes).subspan(begin))) {
        queue.StopAtData();
      }
    }
    if (!queue.enabled()) {
      Stopped(qid);
      return false;
    }
    ++packet.descriptors;
    packet.complete = descriptor.eop || single;
    packet.open = !packet.complete;
  }
  return true;
}

// The card has accepted the packet: its descriptors are returned to software.
void H2cEngine::Consume(unsigned qid, DescriptorQueue& queue, Packet& packet) {
  ++core_.counters.h2c_packets;
  core_.counters.h2c_bytes += packet.bytes.size();
  const uint32_t first = queue.cidx();
  queue.set_cidx((first + packet.descriptors) % queue.entries());
  packet.bytes.clear();
  packet.descriptors = 0;
  packet.complete = false;

  const ContextWords& software = queue.software();
  const uint32_t interval = 4u << Bits(core_.csr(reg::kDescriptorConfig), 2, 0);
  const bool at_end = queue.cidx() == queue.pidx();
  // The end of the ring also ends an interval.
  const bool ends_interval = first / interval != queue.cidx() / interval || queue.cidx() < first;
  if ((at_end && sw::kStatusAtEnd.Get(software)) ||
      (ends_interval && sw::kStatusInterval.Get(software))) {
    Report(qid);
  }
}

// The one report that an error makes.
void H2cEngine::Stopped(unsigned qid) {
  active_.erase(qid);
  packets_.erase(qid);
  ContextWords& software = core_.contexts.Software(false, qid);
  if (sw::kErrorReported.Get(software)) return;
  sw::kErrorReported.Set(software, 1);
  Report(qid);
}

// Status {pidx [47:32], cidx [31:16], error [1:0]}: the guide's "H2C Stream Status Descriptor
// Writeback". (libqdma calls bits 15..0 pidx, and reads cidx only.)
void H2cEngine::Report(unsigned qid) {
  DescriptorQueue queue(core_, false, qid);
  ContextWords& software = queue.software();
  const uint64_t error = sw::kError.Get(software) != 0;
  const uint64_t status = error | uint64_t{queue.cidx()} << 16 | uint64_t{queue.pidx()} << 32;
  if (sw::kStatusEnable.Get(software) && queue.entries() != 0) {
    const uint64_t descriptor = 8u << sw::kDescriptorSize.Get(software);
    const uint64_t slot = queue.base() + queue.entries() * descriptor;
    if (core_.WriteHost64(slot, status)) {
      ++core_.counters.status_writes;
    } else if (!error) {
      queue.StopAtData();
      Stopped(qid);
      return;
    }
  }
  if (!sw::kInterruptEnable.Get(software)) return;
  if (!sw::kArmed.Get(software)) {
    sw::kInterruptHeld.Set(software, 1);
    return;
  }
  sw::kArmed.Set(software, 0);
  sw::kInterruptHeld.Set(software, 0);
  core_.interrupts.Raise({.c2h = false,
                          .qid = qid,
                          .target = sw::kVector.Get(software),
                          .aggregate = sw::kAggregate.Get(software) != 0,
                          .status = uint64_t{queue.pidx()} | uint64_t{queue.cidx()} << 16});
}

void H2cEngine::Forget(unsigned qid) {
  packets_.erase(qid);
  active_.erase(qid);
}

void H2cEngine::Reset() {
  packets_.clear();
  active_.clear();
}

}  // namespace ullnic::qdma
