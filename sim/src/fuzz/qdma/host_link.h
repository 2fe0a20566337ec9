// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// The host as the DMA's writes and reads see it. Each TLP must be legal, and may come only from a
// function that exists, that is not at rest after a reset, and, for writes, that is bus master. Its
// address must belong to its function; that of a function with a good driver must be in the memory
// that the driver has given for it.
//
// Reads of good functions are answered by their memory, those of hostile ones by bytes that look
// like descriptors, some with a fault. Parts come in any order of the reads.
#pragma once

#include <array>
#include <deque>
#include <functional>
#include <vector>

#include "core/frame.h"
#include "core/rng.h"
#include "fuzz/qdma/model.h"

namespace ullnic::fuzz {

// Of a function with a good driver: what may be read and written there, in lines of 64 bytes.
class HostMemory {
 public:
  static constexpr size_t kBytes = 1 << 18;
  static constexpr uint32_t kMessages = 0xfee0'0000;  // lower half: a dword a vector

  explicit HostMemory(unsigned place) : base_(HostBase(place)) {}

  uint64_t Allocate(size_t bytes, bool is_read, bool is_written);
  uint8_t* At(uint64_t address) { return bytes_.data() + (address - base_); }
  uint64_t Load(uint64_t address) const;
  void Store(uint64_t address, uint64_t value);
  bool MayRead(uint64_t address, size_t bytes) const { return May(address, bytes, kRead); }
  bool MayWrite(uint64_t address, size_t bytes) const { return May(address, bytes, kWritten); }
  uint64_t messages() const { return base_ + kMessages; }

  std::function<void(unsigned vector, uint32_t data)> on_message;

 private:
  static constexpr uint8_t kRead = 1, kWritten = 2;
  bool May(uint64_t address, size_t bytes, uint8_t what) const;

  uint64_t base_;
  size_t used_ = kPage;
  Bytes bytes_ = Bytes(kBytes);
  Bytes lines_ = Bytes(kBytes / kBeatBytes);
};

class HostLink {
 public:
  struct Counts {
    uint64_t reads = 0, failed = 0, unexpected = 0, parts = 0;
    uint64_t writes = 0, messages = 0, hostile_writes = 0, hostile_reads = 0;
  };
  struct Rates {
    double write = 1, read = 1, part = 1;  // that one is accepted, or begins, in a cycle
    double fault = 0;                      // of a hostile read
    uint64_t latency = 60;                 // most cycles of a read; a few have more
  };
  static constexpr unsigned kCreditLines = 256;

  explicit HostLink(Rng rng) : rng_(rng) {}

  // The memory must outlive its use; null: hostile.
  void Join(unsigned place, HostMemory* memory) { memory_[place] = memory; }
  // After a reset, until it is set up again: no TLP.
  void SetAtRest(unsigned place, bool at_rest) { at_rest_[place] = at_rest; }
  void SetMaster(unsigned place, bool is_master);
  // Wild: contexts may have the address of one function and the number of another.
  void SetWild(bool is_wild) { is_wild_ = is_wild; }
  bool is_master(unsigned place) const { return is_master_[place]; }
  bool is_hostile(unsigned place) const { return memory_[place] == nullptr; }

  void Drive(QdmaModel& model);
  void Clock(const QdmaModel& model);

  bool idle() const { return open_.empty() && part_beat_ == nullptr; }
  const Counts& counts() const { return counts_; }
  Rates rates;

 private:
  static constexpr size_t kPartBytes = 256, kMostBytes = 1024;
  static constexpr size_t kPartDwords = kMostBytes / 4 + kBeatDwords;

  struct Part {
    uint64_t address = 0;
    unsigned bytes = 0, left = 0, status = 0;
    bool is_poisoned = false, is_timeout = false, is_final = false;
  };
  struct Read {
    unsigned place = 0;
    uint64_t address = 0;
    unsigned bytes = 0;
    uint64_t due = 0;
    bool is_open = false;
    std::vector<Part> parts{};
    size_t next = 0;
  };

  void TakeRead(const QdmaModel& model);
  void TakeWrite(const QdmaModel& model);
  void EndWrite();
  void CheckWrite(unsigned place, uint64_t address, size_t bytes);
  unsigned CheckSource(unsigned func, const char* what);
  void CheckOwner(unsigned place, uint64_t address, const char* what) const;
  void Cut(Read& read);
  void Spoil(Read& read);
  void NextPart();
  void Stray();
  void Show(const Read& read, unsigned tag, const Part& part);
  void Imitate(uint32_t* dwords, size_t count, unsigned place);

  Rng rng_;
  std::array<HostMemory*, kPlaces> memory_{};
  std::array<bool, kPlaces> at_rest_{}, is_master_{};
  bool is_wild_ = false;
  std::array<unsigned, kPlaces> after_off_{};  // writes since the function is no bus master
  std::array<Read, 256> reads_;
  std::vector<uint8_t> open_;   // tags, the oldest first
  std::deque<uint8_t> closed_;  // the latest ones
  unsigned lines_ = 0;
  // The part in progress
  std::array<uint32_t, kPartDwords> part_{};
  const uint32_t* part_beat_ = nullptr;
  const uint32_t* part_end_ = nullptr;
  Part shown_;
  unsigned shown_tag_ = 0, shown_dwords_ = 0;
  bool is_new_ = false;
  // The write in progress
  struct {
    unsigned func = 0, dwords = 0, first_be = 0, last_be = 0, taken = 0;
    uint64_t address = 0;
  } write_;
  std::array<uint32_t, kPartDwords> data_{};
  unsigned max_payload_ = 0, max_read_ = 0;  // bytes
  uint64_t cycle_ = 0;
  Counts counts_;
};

}  // namespace ullnic::fuzz
