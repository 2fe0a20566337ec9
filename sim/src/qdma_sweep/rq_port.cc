// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
#include "qdma_sweep/rq_port.h"

#include <cstring>
#include <utility>

namespace ullnic::qdma_sweep {

namespace {

// Bits of tuser
constexpr unsigned kFirstBe = 0, kLastBe = 8, kIsSop = 20, kSopPtr = 22, kIsEop = 26, kEopPtr = 28;
constexpr unsigned kSeqNum = 61;
// Bits of the descriptor
constexpr unsigned kDwords = 64, kType = 75, kFunction = 80, kTag = 96;
constexpr unsigned kDescriptorDwords = 4;
constexpr uint32_t kRead = 0, kWrite = 1;
constexpr uint8_t kNoNumber = 32;  // bit 5: the TLP has no sequence number

}  // namespace

void RqPort::Drive(Dma& dma, const pcie::Link& link) {
  ready_ = link.up.waiting_bytes(pcie::Kind::kPosted) < kPostedBytes &&
           link.up.waiting(pcie::Kind::kNonPosted) < kReads;
  dma.s_axis_rq_tready = ready_;
  ShowSequenceNumbers(dma, link);
}

void RqPort::ShowSequenceNumbers(Dma& dma, const pcie::Link& link) {
  uint8_t shown[2] = {};
  size_t count = 0;
  const size_t waiting = link.up.waiting(pcie::Kind::kPosted);
  for (; count < 2 && numbers_.size() > waiting; ++count) {
    shown[count] = numbers_.front();
    numbers_.pop_front();
  }
  dma.pcie_rq_seq_num_vld0 = count > 0;
  dma.pcie_rq_seq_num_vld1 = count > 1;
  dma.pcie_rq_seq_num0 = shown[0];
  dma.pcie_rq_seq_num1 = shown[1];
}

void RqPort::Begin(const Dma& dma, unsigned index) {
  first_be_ = static_cast<uint8_t>(Bits(dma.s_axis_rq_tuser, kFirstBe + 4 * index, 4));
  last_be_ = static_cast<uint8_t>(Bits(dma.s_axis_rq_tuser, kLastBe + 4 * index, 4));
  number_ = static_cast<uint8_t>(Bits(dma.s_axis_rq_tuser, kSeqNum + 6 * index, 6));
}

void RqPort::Seen(const Dma& dma, pcie::Link& link, int64_t now_ps) {
  if (!dma.s_axis_rq_tvalid || !ready_) return;
  ++beats_;
  const auto& user = dma.s_axis_rq_tuser;
  const unsigned sops = Bits(user, kIsSop, 2), eops = Bits(user, kIsEop, 2);
  unsigned sop = 0, eop = 0;  // seen in this beat
  for (unsigned at = 0; at < kBeatDwords; ++at) {
    if (sop < 2 && (sops >> sop & 1) != 0 && 4 * Bits(user, kSopPtr + 2 * sop, 2) == at) {
      if (!open_.empty()) Fault("RQ: a TLP begins within another");
      Begin(dma, sop++);
    } else if (open_.empty()) {
      continue;
    }
    open_.push_back(dma.s_axis_rq_tdata[at]);
    if (eop < 2 && (eops >> eop & 1) != 0 && Bits(user, kEopPtr + 4 * eop, 4) == at) {
      ++eop;
      End(link, now_ps);
    }
  }
}

void RqPort::End(pcie::Link& link, int64_t now_ps) {
  const uint32_t type = Bits(open_, kType, 4), dwords = Bits(open_, kDwords, 11);
  const bool is_read = type == kRead;
  if ((!is_read && type != kWrite) ||
      open_.size() != kDescriptorDwords + (is_read ? 0 : size_t{dwords})) {
    Fault("RQ: a TLP whose length is not that of its descriptor");
  }
  pcie::Tlp tlp;
  tlp.kind = is_read ? pcie::Kind::kNonPosted : pcie::Kind::kPosted;
  tlp.address = (uint64_t{open_[1]} << 32 | open_[0]) & ~uint64_t{3};
  tlp.function = static_cast<uint8_t>(Bits(open_, kFunction, 8));
  tlp.dwords = dwords;
  tlp.first_be = first_be_;
  tlp.last_be = last_be_;
  if (is_read) {
    tlp.tag = static_cast<uint16_t>(Bits(open_, kTag, 8));
    on_read(tlp);
  } else {
    tlp.data.resize(size_t{4} * dwords);
    std::memcpy(tlp.data.data(), open_.data() + kDescriptorDwords, tlp.data.size());
    if (number_ >= kNoNumber) Fault("RQ: a write without a sequence number");
    numbers_.push_back(number_);
    ++posted_;
  }
  open_.clear();
  if (log_ != nullptr) {
    log_->rq.push_back({.cycle = now_ps / kCyclePs, .kind = tlp.kind, .bytes = tlp.data.size()});
  }
  link.up.Offer(std::move(tlp), now_ps);
}

}  // namespace ullnic::qdma_sweep
