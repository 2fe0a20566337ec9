// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
#include "qdma_sweep/completer_ports.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace ullnic::qdma_sweep {

namespace {

// CQ: bits of the descriptor and of tuser
constexpr unsigned kDwords = 64, kIsWrite = 75, kRequestTag = 96, kFunction = 104, kAperture = 115;
constexpr unsigned kRequestDwords = 4;
constexpr unsigned kFirstBe = 0, kLastBe = 8;
// CC: bits of the descriptor
constexpr unsigned kStatus = 43, kAnswerTag = 64;
constexpr size_t kAnswerDwords = 3;

}  // namespace

void CqPort::Split(const pcie::Tlp& request) {
  const bool is_write = request.kind == pcie::Kind::kPosted;
  std::vector<uint32_t> dwords(kRequestDwords);
  dwords[0] = static_cast<uint32_t>(request.address);
  SetBits(dwords, kDwords, request.dwords);
  SetBits(dwords, kIsWrite, is_write);
  SetBits(dwords, kRequestTag, request.tag);
  SetBits(dwords, kFunction, request.function);
  SetBits(dwords, kAperture, kBarBits);
  dwords.resize(kRequestDwords + request.data.size() / 4);
  std::memcpy(dwords.data() + kRequestDwords, request.data.data(), request.data.size());
  for (size_t at = 0; at < dwords.size(); at += kBeatDwords) {
    Beat beat{};
    std::copy_n(dwords.begin() + static_cast<std::ptrdiff_t>(at),
                std::min<size_t>(kBeatDwords, dwords.size() - at), beat.begin());
    beats_.push_back(beat);
  }
}

void CqPort::Drive(Dma& dma) {
  if (beats_.empty() && !requests_.empty()) Split(requests_.front());
  dma.m_axis_cq_tvalid = !beats_.empty();
  if (beats_.empty()) return;
  std::copy_n(beats_.front().begin(), kBeatDwords, dma.m_axis_cq_tdata.data());
  std::fill_n(dma.m_axis_cq_tuser.data(), dma.m_axis_cq_tuser.Words, 0);
  SetBits(dma.m_axis_cq_tuser, kFirstBe, requests_.front().first_be);
  SetBits(dma.m_axis_cq_tuser, kLastBe, requests_.front().last_be);
  dma.m_axis_cq_tlast = beats_.size() == 1;
}

void CqPort::Seen(const Dma& dma, pcie::Link& link, int64_t now_ps) {
  if (beats_.empty() || !dma.m_axis_cq_tready) return;
  beats_.pop_front();
  if (!beats_.empty()) return;
  link.ConsumedByCard(requests_.front(), now_ps);
  requests_.pop_front();
}

void CcPort::Seen(const Dma& dma, pcie::Link& link, int64_t now_ps) {
  if (!dma.s_axis_cc_tvalid) return;
  const int count = std::popcount(static_cast<unsigned>(dma.s_axis_cc_tkeep));
  for (int i = 0; i < count; ++i) open_.push_back(dma.s_axis_cc_tdata[i]);
  if (!dma.s_axis_cc_tlast) return;
  if (Bits(open_, kStatus, 3) != 0) Fault("CC: the card refuses an access to BAR 0");
  pcie::Tlp tlp;
  tlp.kind = pcie::Kind::kCompletion;
  tlp.tag = static_cast<uint16_t>(Bits(open_, kAnswerTag, 8));
  tlp.data.resize(4 * (open_.size() - kAnswerDwords));
  std::memcpy(tlp.data.data(), open_.data() + kAnswerDwords, tlp.data.size());
  open_.clear();
  link.up.Offer(std::move(tlp), now_ps);
}

}  // namespace ullnic::qdma_sweep
