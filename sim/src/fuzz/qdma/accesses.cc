// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0

#include "fuzz/qdma/accesses.h"

#include <bit>

#include "fuzz/fuzzer.h"

namespace ullnic::fuzz {
namespace {

constexpr uint64_t kLimitCycles = 20'000;  // for the oldest access to be accepted, and answered
constexpr uint32_t kContextData = 0x804, kContextCommand = 0x844;
constexpr size_t kContextWords = 8;
constexpr unsigned kConfigBar = 0, kUserBar = 2;
constexpr uint64_t kConfigBytes = 1 << 18, kUserBytes = 1 << 19;

// PCI Express Base 5.0, 2.3.1.1
unsigned ByteCount(const Access& a) {
  const unsigned last = a.dwords == 1 ? a.first_be : a.last_be;
  if (a.first_be == 0 && a.dwords == 1) return 1;
  const auto first = a.first_be == 0 ? 0 : static_cast<unsigned>(std::countr_zero(a.first_be));
  const auto after = last == 0 ? 3 : static_cast<unsigned>(std::countl_zero(last << 28));
  return 4 * a.dwords - first - after;
}

bool IsSupported(const Access& a) {
  const bool is_user = a.bar == kUserBar && a.func < kPhysical;
  const uint64_t bytes = is_user ? kUserBytes : kConfigBytes;
  return (is_user || a.bar == kConfigBar) && a.dwords <= kBeatDwords &&
         uint64_t{a.address} + 4 * a.dwords <= bytes;
}

}  // namespace

void Accesses::Write(unsigned func, uint32_t address, std::vector<uint32_t> data, unsigned bar) {
  const auto dwords = static_cast<unsigned>(data.size());
  Push({.is_write = true,
        .func = func,
        .bar = bar,
        .address = address,
        .dwords = dwords,
        .last_be = dwords > 1 ? 0xfu : 0u,
        .data = std::move(data)});
}

void Accesses::Read(unsigned func, uint32_t address, std::function<void(uint32_t)> done,
                    unsigned bar) {
  Push({.func = func,
        .bar = bar,
        .address = address,
        .done = [done = std::move(done)](const uint32_t* dwords) { done(dwords[0]); }});
}

void Accesses::Command(unsigned func, unsigned selector, unsigned operation, unsigned index,
                       std::vector<uint32_t> words, std::vector<uint32_t> mask) {
  if (!words.empty()) {
    words.resize(kContextWords);
    mask.resize(kContextWords, ~0u);
    words.insert(words.end(), mask.begin(), mask.end());
    Write(func, kContextData, std::move(words));
  }
  Write(func, kContextCommand, {index << 7 | operation << 5 | selector << 1});
}

void Accesses::Drive(QdmaModel& m) {
  m.bar_answer_ready = answer_rate >= 1 || rng_.Chance(answer_rate);
  m.bar_request_valid = !queue_.empty();
  if (queue_.empty() || is_shown_) return;
  is_shown_ = true;
  const Access& access = queue_.front();
  if (beat_ == 0) {
    const uint64_t random = rng_.Next();
    requester_ = random & 0xffff, tag_ = random >> 16 & 0x3ff;
    tc_ = random >> 32 & 7, attr_ = random >> 40 & 7;
  }
  m.bar_request_is_write = access.is_write;
  m.bar_request_func = static_cast<uint8_t>(access.func);
  m.bar_request_bar = static_cast<uint8_t>(access.bar);
  m.bar_request_addr = access.address;
  m.bar_request_dwords = static_cast<uint16_t>(access.dwords);
  m.bar_request_first_be = static_cast<uint8_t>(access.first_be);
  m.bar_request_last_be = static_cast<uint8_t>(access.last_be);
  m.bar_request_requester = static_cast<uint16_t>(requester_);
  m.bar_request_tag = static_cast<uint16_t>(tag_);
  m.bar_request_tc = static_cast<uint8_t>(tc_);
  m.bar_request_attr = static_cast<uint8_t>(attr_);
  m.bar_request_last = !access.is_write || (beat_ + 1) * kBeatDwords >= access.dwords;
  for (size_t i = 0; i < kBeatDwords; ++i) {
    const size_t at = beat_ * kBeatDwords + i;
    m.bar_request_data[i] = at < access.data.size() ? access.data[at] : 0;
  }
}

void Accesses::Clock(const QdmaModel& m) {
  if (m.bar_answer_valid && m.bar_answer_ready) TakeAnswer(m);
  if (idle()) return;
  longest_ = std::max(longest_, ++waited_);
  if (waited_ > kLimitCycles) Fault("no access of the BARs has moved for {} cycles", waited_);
  if (!m.bar_request_valid || !m.bar_request_ready) return;
  is_shown_ = false;
  if (m.bar_request_last) {
    Accept();
  } else {
    ++beat_;
  }
}

void Accesses::Accept() {
  Access& access = queue_.front();
  if (!access.is_write) {
    const auto lead =
        access.first_be == 0 ? 0 : static_cast<unsigned>(std::countr_zero(access.first_be));
    const bool supported = IsSupported(access);
    open_.push_back({.func = access.func,
                     .dwords = supported ? access.dwords : 0,
                     .status = supported ? 0u : 1u,
                     .byte_count = ByteCount(access) & 0x1fff,
                     .lower_addr = (access.address + lead) & 0x7f,
                     .requester = requester_,
                     .tag = tag_,
                     .tc = tc_,
                     .attr = attr_,
                     .done = std::move(access.done)});
  }
  queue_.pop_front();
  ++given_;
  waited_ = 0;
  beat_ = 0;
}

void Accesses::TakeAnswer(const QdmaModel& m) {
  if (open_.empty()) Fault("an answer to no read of a BAR");
  const Open open = std::move(open_.front());
  open_.pop_front();
  waited_ = 0;
  const auto equal = [&](const char* name, unsigned found, unsigned wanted) {
    if (found != wanted)
      Fault("an answer of function {}: {} is {:#x}, not {:#x}", open.func, name, found, wanted);
  };
  equal("status", m.bar_answer_status, open.status);
  equal("function", m.bar_answer_func, open.func);
  equal("dwords", m.bar_answer_dwords, open.dwords);
  equal("requester", m.bar_answer_requester, open.requester);
  equal("tag", m.bar_answer_tag, open.tag);
  equal("tc", m.bar_answer_tc, open.tc);
  equal("attr", m.bar_answer_attr, open.attr);
  equal("byte count", m.bar_answer_byte_count, open.byte_count);
  equal("lower address", m.bar_answer_lower_addr, open.lower_addr);
  if (open.done) open.done(&m.bar_answer_data[0]);
}

}  // namespace ullnic::fuzz
