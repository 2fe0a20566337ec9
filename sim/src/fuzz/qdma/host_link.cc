// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0

#include "fuzz/qdma/host_link.h"

#include <bit>
#include <cstring>

#include "fuzz/fuzzer.h"
#include "fuzz/qdma/hostile_words.h"

namespace ullnic::fuzz {
namespace {

constexpr unsigned kOk = 0, kUnsupported = 1, kAborted = 4, kReserved = 7;
constexpr size_t kOldest = 8;       // of the due reads, the next part belongs to one of these
constexpr size_t kClosedKept = 24;  // tags that may have a stray completion
constexpr size_t kMostOpen = 128;   // while there are more, a closed tag may be open again soon
constexpr unsigned kAfterOff = 3;   // writes that the core holds after the check of bus master
constexpr uint64_t kLongLatency = 1500;

// Bytes that the enables select, which must be contiguous: first one, and how many.
struct Enabled {
  unsigned first, bytes;
};
Enabled ReadEnables(unsigned dwords, unsigned first_be, unsigned last_be, const char* what) {
  if (dwords == 1 && last_be != 0) Fault("{} of one dword has last enables {:#x}", what, last_be);
  const unsigned end = dwords == 1 ? first_be : last_be;
  if (first_be == 0 || end == 0) Fault("{} without bytes in its first or last dword", what);
  const auto first = static_cast<unsigned>(std::countr_zero(first_be));
  const auto after = static_cast<unsigned>(std::countl_zero(end << 28));
  const unsigned from = 0xfu << first & 0xf, to = 0xfu >> after;
  const bool is_whole = dwords == 1 ? first_be == (from & to) : first_be == from && last_be == to;
  if (!is_whole) Fault("{} has byte enables {:#x} and {:#x}", what, first_be, last_be);
  return {.first = first, .bytes = 4 * dwords - first - after};
}

}  // namespace

uint64_t HostMemory::Allocate(size_t bytes, bool is_read, bool is_written) {
  const uint64_t address = base_ + used_;
  const size_t lines = (bytes + kBeatBytes - 1) / kBeatBytes;
  const size_t first = used_ / kBeatBytes;
  used_ += (lines + 1) * kBeatBytes;  // and a line that nobody may touch
  if (used_ > kBytes) Fault("the memory of a function is too small");
  const auto what =
      static_cast<uint8_t>((is_read ? kRead : uint8_t{0}) | (is_written ? kWritten : uint8_t{0}));
  std::fill_n(lines_.begin() + static_cast<ptrdiff_t>(first), lines, what);
  return address;
}

uint64_t HostMemory::Load(uint64_t address) const {
  uint64_t value = 0;
  std::memcpy(&value, bytes_.data() + (address - base_), sizeof value);
  return value;
}
void HostMemory::Store(uint64_t address, uint64_t value) {
  std::memcpy(At(address), &value, sizeof value);
}

bool HostMemory::May(uint64_t address, size_t bytes, uint8_t what) const {
  const uint64_t at = address - base_;
  if (address < base_ || at + bytes > kBytes) return false;
  for (size_t line = at / kBeatBytes; line <= (at + bytes - 1) / kBeatBytes; ++line) {
    if ((lines_[line] & what) == 0) return false;
  }
  return true;
}

void HostLink::SetMaster(unsigned place, bool is_master) {
  is_master_[place] = is_master;
  after_off_[place] = 0;
}

unsigned HostLink::CheckSource(unsigned func, const char* what) {
  const unsigned place = PlaceOf(func);
  if (place == kPlaces) Fault("{} of function {}, which does not exist", what, func);
  if (at_rest_[place]) Fault("{} of function {} after its reset", what, func);
  return place;
}

void HostLink::CheckOwner(unsigned place, uint64_t address, const char* what) const {
  const unsigned owner = OwnerOf(address);
  if (owner != kPlaces && owner != place && !is_wild_)
    Fault("{} of function {} at {:#x}, an address of function {}", what, kFunctions[place], address,
          kFunctions[owner]);
}

// --- Reads
void HostLink::Drive(QdmaModel& m) {
  max_payload_ = 128u << m.max_payload;
  max_read_ = std::min<unsigned>(128u << m.max_read_request, kMostBytes);
  m.host_write_ready = rates.write >= 1 || rng_.Chance(rates.write);
  m.host_read_ready = rates.read >= 1 || rng_.Chance(rates.read);
  if (part_beat_ == nullptr && (rates.part >= 1 || rng_.Chance(rates.part))) NextPart();
  m.host_completion_valid = part_beat_ != nullptr;
  if (part_beat_ == nullptr) return;
  if (is_new_) {
    is_new_ = false;
    m.host_completion_status = static_cast<uint8_t>(shown_.status);
    m.host_completion_is_poisoned = shown_.is_poisoned;
    m.host_completion_is_timeout = shown_.is_timeout;
    m.host_completion_is_final = shown_.is_final || shown_.status != kOk;
    m.host_completion_tag = static_cast<uint8_t>(shown_tag_);
    m.host_completion_dwords = static_cast<uint16_t>(shown_dwords_);
    m.host_completion_byte_count = static_cast<uint16_t>(shown_.left);
    m.host_completion_lower_addr = shown_.address & 0x7f;
  }
  std::memcpy(&m.host_completion_data[0], part_beat_, kBeatBytes);
  m.host_completion_last = part_beat_ + kBeatDwords >= part_end_;
}

void HostLink::Clock(const QdmaModel& m) {
  ++cycle_;
  if (part_beat_ != nullptr) {
    part_beat_ += kBeatDwords;
    if (m.host_completion_last) {
      part_beat_ = nullptr;
      ++counts_.parts;
    }
  }
  if (m.host_read_valid && m.host_read_ready) TakeRead(m);
  if (m.host_write_valid && m.host_write_ready) TakeWrite(m);
}

void HostLink::TakeRead(const QdmaModel& m) {
  const unsigned place = CheckSource(m.host_read_func, "a read");
  Read& read = reads_[m.host_read_tag];
  if (read.is_open) Fault("tag {} is used twice", unsigned{m.host_read_tag});
  const unsigned dwords = m.host_read_dwords;
  const uint64_t address = m.host_read_addr;
  if (dwords == 0 || 4 * dwords > max_read_ || address % 4 != 0)
    Fault("a read of {} dwords at {:#x}", dwords, address);
  if (address / kPage != (address + 4 * dwords - 1) / kPage) Fault("a read crosses 4 KiB");
  const Enabled enabled = ReadEnables(dwords, m.host_read_first_be, m.host_read_last_be, "a read");
  read.place = place;
  read.address = address + enabled.first;
  read.bytes = enabled.bytes;
  read.is_open = true;
  read.due = cycle_ + rng_.Range(1, rates.latency);
  CheckOwner(place, address, "a read");
  const HostMemory* memory = memory_[place];
  if (memory != nullptr && !memory->MayRead(read.address, read.bytes))
    Fault("function {} reads {} bytes at {:#x}, which its driver has not given", kFunctions[place],
          read.bytes, read.address);
  Cut(read);
  ++counts_.reads;
  if (memory == nullptr) {
    ++counts_.hostile_reads;
    if (rng_.Chance(0.002)) read.due += rng_.Below(kLongLatency);
    if (rng_.Chance(rates.fault)) Spoil(read);
  }
  open_.push_back(m.host_read_tag);
  lines_ += static_cast<unsigned>((read.address % kBeatBytes + read.bytes + 63) / kBeatBytes);
  if (lines_ > kCreditLines) Fault("{} lines of completions in flight", lines_);
}

// Parts end at multiples of 64 bytes. The last byte may be the last of all addresses.
void HostLink::Cut(Read& read) {
  read.parts.clear();
  read.next = 0;
  uint64_t at = read.address;
  for (unsigned left = read.bytes; left > 0;) {
    const auto line = static_cast<unsigned>(at % kBeatBytes);
    const auto lines = static_cast<unsigned>(rng_.Range(1, kPartBytes / kBeatBytes));
    const unsigned bytes = std::min<unsigned>(left, lines * kBeatBytes - line);
    read.parts.push_back({.address = at, .bytes = bytes, .left = left, .is_final = bytes == left});
    at += bytes;
    left -= bytes;
  }
}

// A fault of the completer, or of the path to it, after which the chunk has failed.
void HostLink::Spoil(Read& read) {
  ++counts_.failed;
  std::vector<Part>& parts = read.parts;
  size_t at = rng_.Below(parts.size());
  uint64_t kind = rng_.Below(12);
  if (kind >= 8 && parts.size() == 1) kind = rng_.Below(8);
  switch (kind) {
    case 0:
    case 1:
    case 2:
    case 3: {  // ends here, without data
      Part& part = parts[at];
      parts.resize(at + 1);
      part.bytes = 0;
      part.is_timeout = kind == 3;
      part.status = kind == 0 ? kUnsupported : kind == 1 ? kAborted : kind == 2 ? kReserved : kOk;
      break;
    }
    case 4:
      parts[at].is_poisoned = true;
      break;
    case 5:  // short of what it says
      parts.back().left += 4;
      break;
    case 6:
      parts.back().bytes += 4 * static_cast<unsigned>(rng_.Range(1, 3));
      break;
    case 7:  // the last part is not final
      parts.back().is_final = false;
      parts.push_back({.address = read.address, .is_timeout = true});
      break;
    case 8:
      parts[at].address ^= uint64_t{4} << rng_.Below(4);
      break;
    case 9:
      parts[at].left ^= 2u << rng_.Below(3);
      break;
    case 10:
      at = std::min(at, parts.size() - 2);
      parts.insert(parts.begin() + static_cast<ptrdiff_t>(at), Part(parts[at]));
      break;
    default:
      parts.erase(parts.begin() + static_cast<ptrdiff_t>(std::min(at, parts.size() - 2)));
  }
}

void HostLink::NextPart() {
  if (rates.fault > 0 && !closed_.empty() && open_.size() < kMostOpen &&
      rng_.Chance(rates.fault / 16))
    return Stray();
  std::array<size_t, kOldest> due;
  size_t count = 0;
  for (size_t i = 0; i < open_.size() && i < 4 * kOldest && count < kOldest; ++i) {
    if (reads_[open_[i]].due <= cycle_) due[count++] = i;
  }
  if (count == 0) return;
  const size_t at = due[rng_.Below(count)];
  const unsigned tag = open_[at];
  Read& read = reads_[tag];
  const Part& part = read.parts[read.next++];
  Show(read, tag, part);
  if (read.next < read.parts.size()) return;
  read.is_open = false;
  lines_ -= static_cast<unsigned>((read.address % kBeatBytes + read.bytes + 63) / kBeatBytes);
  open_.erase(open_.begin() + static_cast<ptrdiff_t>(at));
  closed_.push_back(static_cast<uint8_t>(tag));
  if (closed_.size() > kClosedKept) closed_.pop_front();
}

// A completion with a tag that has ended.
void HostLink::Stray() {
  const unsigned tag = closed_.back();
  if (reads_[tag].is_open) return;
  ++counts_.unexpected;
  const Part part{.address = rng_.Next(),
                  .bytes = static_cast<unsigned>(rng_.Range(1, 64)),
                  .left = static_cast<unsigned>(rng_.Range(1, kPage)),
                  .status = rng_.Chance(0.2) ? kUnsupported : kOk,
                  .is_poisoned = rng_.Chance(0.2),
                  .is_timeout = rng_.Chance(0.1),
                  .is_final = rng_.Chance(0.5)};
  Show(reads_[tag], tag, part);
}

void HostLink::Show(const Read& read, unsigned tag, const Part& part) {
  const auto lead = static_cast<unsigned>(part.address % 4);
  shown_ = part;
  shown_tag_ = tag;
  const bool has_data = part.bytes > 0 && part.status == kOk && !part.is_timeout;
  shown_dwords_ = has_data ? (lead + part.bytes + 3) / 4 : 0;
  const HostMemory* memory = memory_[read.place];
  if (memory != nullptr && memory->MayRead(part.address, std::max(part.bytes, 1u))) {
    std::memcpy(part_.data(), const_cast<HostMemory*>(memory)->At(part.address - lead),
                4 * size_t{shown_dwords_});
  } else {
    Imitate(part_.data(), shown_dwords_, read.place);
  }
  part_beat_ = part_.data();
  part_end_ = part_.data() + std::max(shown_dwords_, 1u);
  is_new_ = true;
}

void HostLink::Imitate(uint32_t* dwords, size_t count, unsigned place) {
  HostileWords(rng_, place).Descriptors(dwords, count);
}

// --- Writes
void HostLink::TakeWrite(const QdmaModel& m) {
  if (write_.taken == 0) {
    write_.func = m.host_write_func;
    write_.dwords = m.host_write_dwords;
    write_.first_be = m.host_write_first_be;
    write_.last_be = m.host_write_last_be;
    write_.address = m.host_write_addr;
    if (write_.dwords == 0 || 4 * write_.dwords > std::min<unsigned>(max_payload_, kMostBytes))
      Fault("a write of {} dwords", write_.dwords);
  }
  std::memcpy(data_.data() + write_.taken, &m.host_write_data[0], kBeatBytes);
  write_.taken += kBeatDwords;
  if (m.host_write_last != (write_.taken >= write_.dwords))
    Fault("a write of {} dwords has its last beat at {}", write_.dwords, write_.taken);
  if (m.host_write_last) EndWrite();
}

void HostLink::EndWrite() {
  write_.taken = 0;
  ++counts_.writes;
  const unsigned place = CheckSource(write_.func, "a write");
  const Enabled enabled = ReadEnables(write_.dwords, write_.first_be, write_.last_be, "a write");
  const uint64_t address = write_.address;
  if (address % 4 != 0) Fault("a write at {:#x}", address);
  if (address / kPage != (address + 4 * write_.dwords - 1) / kPage) Fault("a write crosses 4 KiB");
  if (!is_master_[place] && ++after_off_[place] > kAfterOff)
    Fault("function {} writes, and is no bus master", write_.func);
  CheckOwner(place, address, "a write");
  HostMemory* memory = memory_[place];
  if (memory == nullptr) {
    ++counts_.hostile_writes;
    return;
  }
  if (address >= memory->messages()) {
    ++counts_.messages;
    memory->on_message(static_cast<unsigned>((address - memory->messages()) / 4), data_[0]);
    return;
  }
  if (!memory->MayWrite(address + enabled.first, enabled.bytes))
    Fault("function {} writes {} bytes at {:#x}, which its driver has not given", write_.func,
          enabled.bytes, address + enabled.first);
  std::memcpy(memory->At(address + enabled.first),
              reinterpret_cast<const uint8_t*>(data_.data()) + enabled.first, enabled.bytes);
}

}  // namespace ullnic::fuzz
