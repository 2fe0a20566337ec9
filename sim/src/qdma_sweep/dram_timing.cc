// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
#include "qdma_sweep/dram_timing.h"

#include <algorithm>

namespace ullnic::qdma_sweep {

namespace {

// An address from its low end: 64 bytes, bank group, column, bank, row. So a stream alternates
// between groups, which is the fastest order, and four banks are open for each 32 KiB of it.
constexpr unsigned kLineBits = 6, kGroupBits = 2, kColumnBits = 7, kBankBits = 2;

}  // namespace

bool DramTiming::Accepts(bool is_write) const {
  return is_write ? writes_.size() < kWrites : reads_.size() < kReads;
}

void DramTiming::Accept(uint64_t address, bool is_write, int64_t now_ps) {
  const uint64_t line = address >> kLineBits;
  const auto group = static_cast<unsigned>(line % kGroups);
  const auto inner =
      static_cast<unsigned>(line >> (kGroupBits + kColumnBits)) & ((1u << kBankBits) - 1);
  const Access access{.bank = inner * kGroups + group,
                      .row = static_cast<int64_t>(line >> (kGroupBits + kColumnBits + kBankBits)),
                      .accepted_ps = now_ps};
  (is_write ? writes_ : reads_).push_back(access);
  if (++banks_[access.bank].waiting == 1) Open(access, now_ps);
}

void DramTiming::Open(const Access& access, int64_t now_ps) {
  Bank& bank = banks_[access.bank];
  if (bank.row == access.row) return;
  int64_t at = now_ps;
  if (bank.row != kClosed) at = std::max(at, bank.precharge_ps) + Clocks(s_.rp);
  at = std::max(at, bank.column_ps);  // of a refresh
  if (!opened_ps_.empty()) {
    const bool is_same = GroupOf(access.bank) == opened_group_;
    at = std::max(at, opened_ps_.back() + Clocks(is_same ? s_.rrd_l : s_.rrd_s));
  }
  if (opened_ps_.size() == 4) {
    at = std::max(at, opened_ps_.front() + Clocks(s_.faw));
    opened_ps_.pop_front();
  }
  opened_ps_.push_back(at);
  opened_group_ = GroupOf(access.bank);
  bank.row = access.row;
  bank.opened_ps = at;
  bank.column_ps = at + Clocks(s_.rcd);
  bank.precharge_ps = at + Clocks(s_.ras);
  ++rows_opened_;
}

void DramTiming::OpenNext(unsigned number, int64_t now_ps) {
  const auto is_of_bank = [&](const Access& access) { return access.bank == number; };
  const auto read = std::ranges::find_if(reads_, is_of_bank);
  const auto write = std::ranges::find_if(writes_, is_of_bank);
  const bool has_read = read != reads_.end(), has_write = write != writes_.end();
  if (!has_read && !has_write) return;
  const bool takes_write = has_write && (!has_read || last_is_write_);
  Open(takes_write ? *write : *read, now_ps);
}

const std::deque<DramTiming::Access>* DramTiming::Next(int64_t now_ps) const {
  const bool wants_write =
      writes_.size() >= kBatch / 2 ||
      (!writes_.empty() && now_ps - writes_.front().accepted_ps >= kPatiencePs);
  if (last_is_write_) {
    const bool continues = !writes_.empty() && (batch_ < kBatch || reads_.empty());
    if (continues) return &writes_;
  } else if (wants_write && (batch_ >= kBatch || reads_.empty())) {
    return &writes_;
  }
  return reads_.empty() ? nullptr : &reads_;
}

int64_t DramTiming::ColumnTime(const Access& access, bool is_write) const {
  const bool is_same = GroupOf(access.bank) == last_group_;
  int64_t gap = Clocks(is_same ? s_.ccd_l : s_.ccd_s);
  if (is_write && !last_is_write_) gap = Clocks(s_.cl - s_.cwl + s_.burst + s_.read_to_write_gap);
  if (!is_write && last_is_write_) {
    gap = Clocks(s_.cwl + s_.burst + (is_same ? s_.wtr_l : s_.wtr_s));
  }
  return std::max({access.accepted_ps, banks_[access.bank].column_ps, last_ps_ + gap});
}

void DramTiming::Execute(bool is_write, int64_t column_ps) {
  auto& queue = is_write ? writes_ : reads_;
  const unsigned number = queue.front().bank;
  queue.pop_front();
  Bank& bank = banks_[number];
  last_ps_ = column_ps;
  last_group_ = GroupOf(number);
  batch_ = is_write == last_is_write_ ? batch_ + 1 : 1;
  last_is_write_ = is_write;
  const int64_t busy = is_write ? Clocks(s_.cwl + s_.burst + s_.wr) : Clocks(s_.rtp);
  bank.precharge_ps = std::max(bank.precharge_ps, column_ps + busy);
  if (!is_write) {
    done_ps_.push_back(column_ps + Clocks(s_.cl + s_.burst) + s_.controller_ps);
  }
  if (--bank.waiting > 0) OpenNext(number, column_ps);
}

// All banks are closed for it.
void DramTiming::Refresh() {
  int64_t at = next_refresh_ps_;
  const auto is_open = [](const Bank& bank) { return bank.row != kClosed; };
  for (const Bank& bank : banks_) {
    if (is_open(bank)) at = std::max(at, bank.precharge_ps);
  }
  if (std::ranges::any_of(banks_, is_open)) at += Clocks(s_.rp);
  for (Bank& bank : banks_) {
    bank.row = kClosed;
    bank.column_ps = at + s_.rfc_ps;
  }
  for (unsigned i = 0; i < kBanks; ++i) OpenNext(i, at + s_.rfc_ps);
  next_refresh_ps_ += s_.refi_ps;
  ++refreshes_;
}

void DramTiming::Advance(int64_t now_ps) {
  for (;;) {
    if (next_refresh_ps_ <= now_ps) Refresh();
    const std::deque<Access>* const queue = Next(now_ps);
    if (queue == nullptr) return;
    const bool is_write = queue == &writes_;
    const Access& access = queue->front();
    // Another access of this bank may have had its row opened, or a refresh has closed it.
    if (banks_[access.bank].row != access.row) Open(access, std::max(now_ps, last_ps_));
    const int64_t column_ps = ColumnTime(access, is_write);
    if (column_ps > now_ps) return;
    Execute(is_write, column_ps);
  }
}

std::optional<int64_t> DramTiming::TakeRead() {
  if (done_ps_.empty()) return std::nullopt;
  const int64_t at_ps = done_ps_.front();
  done_ps_.pop_front();
  return at_ps;
}

}  // namespace ullnic::qdma_sweep
