// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0

#include "fuzz/qdma/card_side.h"

#include <cstring>

#include "fuzz/fuzzer.h"

namespace ullnic::fuzz {
namespace {

constexpr unsigned kMostBeats = 64, kSlaveError = 2, kDecodeError = 3;
constexpr size_t kMostBursts = 64, kEarlyBeats = 2 * kMostBeats;

}  // namespace

CardSide::Burst CardSide::Check(uint64_t address, unsigned len, const char* what) {
  const unsigned beats = len + 1;
  const uint64_t last = (address & ~uint64_t{kBeatBytes - 1}) + kBeatBytes * beats - 1;
  if (beats > kMostBeats || last / kPage != address / kPage)
    Fault("a burst that {} {} beats from {:#x} on", what, beats, address);
  return {.address = address & ~uint64_t{kBeatBytes - 1}, .beats = beats};
}

uint8_t* CardSide::Find(uint64_t address) {
  const unsigned owner = OwnerOf(address);
  const uint64_t at = address & 0xffff'ffff;
  return owner == kPlaces || at + kBeatBytes > kBytes ? nullptr : &memory_[owner][at];
}

unsigned CardSide::Response(uint64_t address) {
  const unsigned owner = OwnerOf(address);
  const bool is_good = owner != kPlaces && is_good_[owner];
  if (is_good || !rng_.Chance(error)) return 0;
  return rng_.Chance(0.5) ? kSlaveError : kDecodeError;
}

void CardSide::Drive(QdmaModel& m) {
  const auto goes = [this] { return pause <= 0 || !rng_.Chance(pause); };
  m.m_axi_mm_awready = writes_.size() < kMostBursts && goes();
  m.m_axi_mm_wready = beats_.size() < kEarlyBeats && goes();
  m.m_axi_mm_arready = reads_.size() < kMostBursts && goes();
  if (!answer_is_shown_ && !answers_.empty() && goes()) {
    m.m_axi_mm_bresp = static_cast<uint8_t>(answers_.front());
    answer_is_shown_ = true;
  }
  m.m_axi_mm_bvalid = answer_is_shown_;
  if (!read_is_shown_ && !reads_.empty() && goes()) {
    const Burst& burst = reads_.front();
    const uint8_t* from = Find(burst.address + kBeatBytes * burst.at);
    if (from != nullptr) std::memcpy(&m.m_axi_mm_rdata[0], from, kBeatBytes);
    m.m_axi_mm_rresp = static_cast<uint8_t>(burst.response);
    m.m_axi_mm_rlast = burst.at + 1 == burst.beats;
    read_is_shown_ = true;
  }
  m.m_axi_mm_rvalid = read_is_shown_;

  if (lite_ && !lite_is_shown_ && goes()) {
    lite_is_shown_ = true;
    m.m_axil_user_bresp = m.m_axil_user_rresp = static_cast<uint8_t>(lite_response_);
    m.m_axil_user_rdata = lite_data_;
  }
  m.m_axil_user_bvalid = lite_is_shown_ && lite_is_write_;
  m.m_axil_user_rvalid = lite_is_shown_ && !lite_is_write_;
  // Each is accepted alone: a write when both of its parts are there.
  const bool ready = !lite_ && goes();
  m.m_axil_user_awready = m.m_axil_user_wready =
      ready && m.m_axil_user_awvalid && m.m_axil_user_wvalid;
  m.m_axil_user_arready = ready;
}

void CardSide::Clock(const QdmaModel& m) {
  ClockWrites(m);
  ClockReads(m);
  ClockLite(m);
}

void CardSide::ClockWrites(const QdmaModel& m) {
  if (m.m_axi_mm_bvalid && m.m_axi_mm_bready) {
    answers_.pop_front();
    answer_is_shown_ = false;
  }
  if (m.m_axi_mm_awvalid && m.m_axi_mm_awready) {
    writes_.push_back(Check(m.m_axi_mm_awaddr, m.m_axi_mm_awlen, "writes"));
    ++bursts;
  }
  if (m.m_axi_mm_wvalid && m.m_axi_mm_wready) {
    Beat beat{.strobe = m.m_axi_mm_wstrb, .is_last = m.m_axi_mm_wlast != 0};
    std::memcpy(beat.data.data(), &m.m_axi_mm_wdata[0], kBeatBytes);
    beats_.push_back(beat);
  }
  while (!writes_.empty() && !beats_.empty()) {
    Burst& burst = writes_.front();
    const Beat& beat = beats_.front();
    uint8_t* to = Find(burst.address + kBeatBytes * burst.at);
    const auto* from = reinterpret_cast<const uint8_t*>(beat.data.data());
    if (to != nullptr) {
      for (size_t i = 0; i < kBeatBytes; ++i) {
        if (beat.strobe >> i & 1) to[i] = from[i];
      }
    }
    ++burst.at;
    if (beat.is_last != (burst.at == burst.beats))
      Fault("a burst of {} beats has its last at {}", burst.beats, burst.at);
    beats_.pop_front();
    if (burst.at < burst.beats) continue;
    answers_.push_back(Response(burst.address));
    writes_.pop_front();
  }
}

void CardSide::ClockReads(const QdmaModel& m) {
  if (m.m_axi_mm_rvalid && m.m_axi_mm_rready) {
    read_is_shown_ = false;
    if (++reads_.front().at == reads_.front().beats) reads_.pop_front();
  }
  if (!m.m_axi_mm_arvalid || !m.m_axi_mm_arready) return;
  reads_.push_back(Check(m.m_axi_mm_araddr, m.m_axi_mm_arlen, "reads"));
  reads_.back().response = Response(reads_.back().address);
  ++bursts;
}

void CardSide::ClockLite(const QdmaModel& m) {
  if ((m.m_axil_user_bvalid && m.m_axil_user_bready) ||
      (m.m_axil_user_rvalid && m.m_axil_user_rready)) {
    lite_ = lite_is_shown_ = false;
    return;
  }
  const bool writes = m.m_axil_user_awvalid && m.m_axil_user_awready;
  const bool reads = m.m_axil_user_arvalid && m.m_axil_user_arready;
  if (!writes && !reads) return;
  if (writes && reads) Fault("the user BAR reads and writes at once");
  if (m.m_axil_user_func >= kPhysical)
    Fault("function {} has a user BAR", unsigned{m.m_axil_user_func});
  ++user_accesses;
  lite_ = true;
  lite_is_write_ = writes;
  const uint32_t address = writes ? m.m_axil_user_awaddr : m.m_axil_user_araddr;
  lite_response_ = address == kRefused ? kSlaveError : 0;
  refused += lite_response_ != 0;
  uint32_t& word = registers_.at(m.m_axil_user_func)[address / 4 % kRegisters];
  if (writes) {
    word = m.m_axil_user_wdata;
  } else {
    lite_data_ = word;
  }
}

}  // namespace ullnic::fuzz
