// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
#include "qdma_sweep/rc_port.h"

#include <algorithm>
#include <cstring>

namespace ullnic::qdma_sweep {

namespace {

// Bits of tuser
constexpr unsigned kIsSop = 64, kSopPtr = 68, kIsEop = 76, kEopPtr = 80;
// Bits of the descriptor
constexpr unsigned kLowerAddress = 0, kByteCount = 16, kCompleted = 30, kDwords = 32, kTag = 64;
constexpr unsigned kDescriptorDwords = 3;
constexpr size_t kStraddle = 4;  // dwords

}  // namespace

void RcPort::Reserve(const pcie::Tlp& read) {
  const size_t lead = read.address % kLineBytes;
  reserved_ += (lead + size_t{4} * read.dwords + kLineBytes - 1) / kLineBytes;
  if (reserved_ > kHeaders) Fault("RQ: the card asks for more completions than the block can hold");
}

void RcPort::Take(const pcie::Tlp& completion) {
  uint32_t descriptor[kDescriptorDwords] = {};
  SetBits(descriptor, kLowerAddress, completion.lower_address);
  SetBits(descriptor, kByteCount, completion.byte_count);
  SetBits(descriptor, kCompleted, completion.is_final);
  SetBits(descriptor, kDwords, completion.dwords);
  SetBits(descriptor, kTag, completion.tag);
  for (unsigned i = 0; i < kDescriptorDwords; ++i) {
    lanes_.push_back({.dword = descriptor[i], .begins = i == 0, .ends = false});
  }
  for (size_t at = 0; at < completion.data.size(); at += 4) {
    uint32_t dword = 0;
    std::memcpy(&dword, completion.data.data() + at, sizeof dword);
    lanes_.push_back({.dword = dword, .begins = false, .ends = false});
  }
  const size_t lead = completion.lower_address / 4 * 4 % kLineBytes;
  lanes_.back().ends = true;
  lanes_.back().lines = (lead + completion.data.size() + kLineBytes - 1) / kLineBytes;
  while (lanes_.size() % kStraddle != 0) lanes_.push_back({});
  ++headers_;
  if (headers_ > kHeaders || lanes_.size() * 4 > kDataBytes + 16 * headers_) {
    Fault("RC: the block has no room for a completion: the card has asked for too many");
  }
}

void RcPort::Show(Dma& dma) {
  std::fill_n(dma.m_axis_rc_tdata.data(), kBeatDwords, 0);
  std::fill_n(dma.m_axis_rc_tuser.data(), dma.m_axis_rc_tuser.Words, 0);
  unsigned sop = 0, eop = 0;
  const size_t count = std::min<size_t>(lanes_.size(), kBeatDwords);
  for (unsigned at = 0; at < count; ++at) {
    const Lane lane = lanes_[at];
    dma.m_axis_rc_tdata[at] = lane.dword;
    if (lane.begins) {
      SetBits(dma.m_axis_rc_tuser, kIsSop + sop, 1);
      SetBits(dma.m_axis_rc_tuser, kSopPtr + 2 * sop++, at / kStraddle);
    }
    if (lane.ends) {
      SetBits(dma.m_axis_rc_tuser, kIsEop + eop, 1);
      SetBits(dma.m_axis_rc_tuser, kEopPtr + 4 * eop++, at);
      reserved_ -= lane.lines;
    }
  }
  lanes_.erase(lanes_.begin(), lanes_.begin() + static_cast<std::ptrdiff_t>(count));
  headers_ -= eop;
  is_shown_ = true;
}

void RcPort::Drive(Dma& dma) {
  if (!is_shown_ && !lanes_.empty()) Show(dma);
  dma.m_axis_rc_tvalid = is_shown_;
}

void RcPort::Seen(const Dma& dma) {
  if (!is_shown_ || !dma.m_axis_rc_tready) return;
  ++beats_;
  is_shown_ = false;
}

}  // namespace ullnic::qdma_sweep
