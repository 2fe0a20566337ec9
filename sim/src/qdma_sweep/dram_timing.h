// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// A channel of DDR4 SDRAM behind a controller: open rows in 16 banks, refresh, turn-round of the
// data bus. Within a direction accesses are executed in order. A bank is opened as soon as the
// first access that waits for it is accepted. The direction changes after a batch if the other one
// waits; writes begin when half a batch of them waits, or after a time.
//
// Source: JESD79-4, DDR4-2400R, devices of 8 Gb and 8 bits. Commands begin at any picosecond, not
// at edges of the memory's clock. Left out: the limits of the command bus, calibration, and the
// reads that writes of parts of 64 bytes need with ECC.
#pragma once

#include <array>
#include <cstdint>
#include <deque>

#include "qdma_sweep/memory_timing.h"

namespace ullnic::qdma_sweep {

struct DramSettings {
  int64_t clock_ps = 833;
  // In clocks
  int cl = 17, cwl = 12, rcd = 17, rp = 17, ras = 39;
  int burst = 4;              // of 64 bytes on the data bus
  int ccd_s = 4, ccd_l = 6;   // column accesses of different bank groups, of the same one
  int rrd_s = 4, rrd_l = 6;   // the same of rows that are opened
  int faw = 26;               // at most four rows are opened in this time
  int wr = 18, rtp = 9;       // from written data, from a read to the precharge
  int wtr_s = 3, wtr_l = 9;   // from written data to a read
  int read_to_write_gap = 2;  // on the data bus
  int64_t refi_ps = 7'800'000, rfc_ps = 350'000;  // refresh: its interval, its duration
  int64_t controller_ps = 60'000;  // controller and PHY, of a read, both ways together
};

class DramTiming : public MemoryTiming {
 public:
  static constexpr size_t kReads = 64, kWrites = 64;  // that wait, at most
  static constexpr unsigned kBatch = 32;              // of one direction, while the other waits
  static constexpr int64_t kPatiencePs = 200'000;     // of a write, until it begins a batch
  static constexpr double kAccessBytes = 64;
  static constexpr int kGroups = 4, kBanks = 16;

  explicit DramTiming(const DramSettings& settings) : s_(settings), next_refresh_ps_(s_.refi_ps) {}

  bool Accepts(bool is_write) const override;
  void Accept(uint64_t address, bool is_write, int64_t now_ps) override;
  void Advance(int64_t now_ps) override;
  std::optional<int64_t> TakeRead() override;
  bool idle() const override { return reads_.empty() && writes_.empty() && done_ps_.empty(); }

  // The data bus is always busy, but for refresh.
  double most_bytes_per_us() const override {
    const double refresh = static_cast<double>(s_.rfc_ps) / static_cast<double>(s_.refi_ps);
    return kAccessBytes * 1e6 / static_cast<double>(Clocks(s_.burst)) * (1 - refresh);
  }
  uint64_t rows_opened() const { return rows_opened_; }
  uint64_t refreshes() const { return refreshes_; }

 private:
  static constexpr int64_t kClosed = -1;
  struct Access {
    unsigned bank;
    int64_t row;
    int64_t accepted_ps;
  };
  struct Bank {
    int64_t row = kClosed;
    int64_t opened_ps = 0;     // when the row was opened
    int64_t column_ps = 0;     // a column access is possible from here on
    int64_t precharge_ps = 0;  // the row can be closed from here on
    int waiting = 0;           // accesses
  };

  int64_t Clocks(int count) const { return count * s_.clock_ps; }
  static unsigned GroupOf(unsigned bank) { return bank % kGroups; }
  void Open(const Access& access, int64_t now_ps);
  // The next access of this bank in either queue has its row opened.
  void OpenNext(unsigned bank, int64_t now_ps);
  // The queue whose first access is next; nullptr: none.
  const std::deque<Access>* Next(int64_t now_ps) const;
  int64_t ColumnTime(const Access& access, bool is_write) const;
  void Execute(bool is_write, int64_t column_ps);
  void Refresh();

  const DramSettings s_;
  std::deque<Access> reads_, writes_;
  std::array<Bank, kBanks> banks_;
  std::deque<int64_t> opened_ps_;  // the last four rows that were opened
  unsigned opened_group_ = 0;      // of the last one
  std::deque<int64_t> done_ps_;    // of reads
  // The last column access
  int64_t last_ps_ = INT64_MIN / 2;
  unsigned last_group_ = 0;
  bool last_is_write_ = false;
  unsigned batch_ = 0;  // accesses since the direction has changed
  int64_t next_refresh_ps_;
  uint64_t rows_opened_ = 0, refreshes_ = 0;
};

}  // namespace ullnic::qdma_sweep
