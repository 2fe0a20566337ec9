// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
#include "qdma_sweep/card_memory.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace ullnic::qdma_sweep {

namespace {

constexpr unsigned kSize64 = 6, kIncrementing = 1;  // AxSIZE, AxBURST
constexpr uint64_t kPage = 4096;

uint64_t LineOf(uint64_t address) { return address & ~uint64_t{kBeatBytes - 1}; }

void CheckBurst(uint64_t address, unsigned beats, unsigned size, unsigned burst) {
  if (size != kSize64 || burst != kIncrementing) Fault("a burst of AXI of another size or type");
  if (LineOf(address) % kPage + uint64_t{beats} * kBeatBytes > kPage) {
    Fault("a burst of AXI crosses 4 KiB");
  }
}

}  // namespace

void CardMemory::Drive(Dma& dma, int64_t now_ps) {
  dma.m_axi_mm_awready = writes_.size() < kBursts;
  dma.m_axi_mm_wready = write_beats_.size() < kBeats;
  dma.m_axi_mm_bvalid = !responses_ps_.empty() && responses_ps_.front() <= now_ps;
  dma.m_axi_mm_arready = reads_.size() < kBursts;
  dma.m_axi_mm_rvalid = !read_ps_.empty() && read_ps_.front() <= now_ps;
  if (dma.m_axi_mm_rvalid) {
    std::memcpy(&dma.m_axi_mm_rdata[0], read_beats_.front().data.data(), kBeatBytes);
    dma.m_axi_mm_rlast = read_beats_.front().is_last;
  }
}

void CardMemory::Seen(const Dma& dma, int64_t now_ps) {
  if (dma.m_axi_mm_awvalid && dma.m_axi_mm_awready) {
    writes_.push_back({dma.m_axi_mm_awaddr, dma.m_axi_mm_awlen + 1u});
    CheckBurst(dma.m_axi_mm_awaddr, dma.m_axi_mm_awlen + 1u, dma.m_axi_mm_awsize,
               dma.m_axi_mm_awburst);
  }
  if (dma.m_axi_mm_wvalid && dma.m_axi_mm_wready) {
    WriteBeat& beat = write_beats_.emplace_back();
    std::memcpy(beat.data.data(), &dma.m_axi_mm_wdata[0], kBeatBytes);
    beat.strobes = dma.m_axi_mm_wstrb;
    beat.is_last = dma.m_axi_mm_wlast;
  }
  if (dma.m_axi_mm_arvalid && dma.m_axi_mm_arready) {
    reads_.push_back({dma.m_axi_mm_araddr, dma.m_axi_mm_arlen + 1u});
    CheckBurst(dma.m_axi_mm_araddr, dma.m_axi_mm_arlen + 1u, dma.m_axi_mm_arsize,
               dma.m_axi_mm_arburst);
  }
  if (dma.m_axi_mm_bvalid && dma.m_axi_mm_bready) responses_ps_.pop_front();
  if (dma.m_axi_mm_rvalid && dma.m_axi_mm_rready) {
    read_beats_.pop_front();
    read_ps_.pop_front();
  }

  Write(now_ps);
  Read(now_ps);
  timing_->Advance(now_ps);
  while (const auto at_ps = timing_->TakeRead()) read_ps_.push_back(*at_ps);
}

// A beat a cycle.
void CardMemory::Write(int64_t now_ps) {
  if (writes_.empty() || write_beats_.empty() || !timing_->Accepts(true)) return;
  Burst& burst = writes_.front();
  const WriteBeat& beat = write_beats_.front();
  if (beat.is_last != (burst.beats == 1)) Fault("WLAST is not with the last beat of a burst");
  const uint64_t line = LineOf(burst.address);
  // Bytes without a strobe may be nobody's.
  for (unsigned i = 0; i < kBeatBytes; ++i) {
    if ((beat.strobes >> i & 1) == 0) continue;
    if (line + i < burst.address) Fault("a strobe is below the address of its burst");
    memory_.At(line + i, 1)[0] = beat.data[i];
  }
  written_bytes_ += static_cast<unsigned>(std::popcount(beat.strobes));
  timing_->Accept(line, true, now_ps);
  burst.address = line + kBeatBytes;
  if (--burst.beats == 0) {
    writes_.pop_front();
    responses_ps_.push_back(now_ps + kCyclePs);
  }
  write_beats_.pop_front();
}

void CardMemory::Read(int64_t now_ps) {
  if (reads_.empty() || !timing_->Accepts(false)) return;
  Burst& burst = reads_.front();
  const uint64_t line = LineOf(burst.address);
  ReadBeat& beat = read_beats_.emplace_back();
  // The memory has whole lines, also where a transfer ends within one.
  std::ranges::copy(memory_.At(line, kBeatBytes), beat.data.begin());
  beat.is_last = burst.beats == 1;
  timing_->Accept(line, false, now_ps);
  burst.address = line + kBeatBytes;
  if (--burst.beats == 0) reads_.pop_front();
}

bool CardMemory::idle() const {
  return writes_.empty() && reads_.empty() && write_beats_.empty() && read_beats_.empty() &&
         responses_ps_.empty() && timing_->idle();
}

}  // namespace ullnic::qdma_sweep
