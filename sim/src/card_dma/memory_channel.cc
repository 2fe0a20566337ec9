// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0

#include "card_dma/memory_channel.h"

#include <bit>

namespace ullnic::card_dma {
namespace {

constexpr uint8_t kUnsupportedRequest = 1;

unsigned FirstByte(unsigned enables) { return static_cast<unsigned>(std::countr_zero(enables)); }
unsigned BytesAfter(unsigned enables) {
  return static_cast<unsigned>(std::countl_zero(enables << 28));
}

}  // namespace

void MemoryChannel::TakeAnswer(bool is_last) {
  answered_ += kBeatDwords;
  if (!is_last) return;
  answers_.pop_front();
  answered_ = 0;
}

void MemoryChannel::TakeWrite(const uint32_t* data, const Header& header, bool is_last) {
  const size_t left = header.dwords - open_.size();
  open_.insert(open_.end(), data, data + std::min<size_t>(left, kBeatDwords));
  if (is_last) EndWrite(header);
}

void MemoryChannel::EndWrite(const Header& header) {
  const unsigned first = FirstByte(header.first_be);
  const unsigned after = BytesAfter(open_.size() > 1 ? header.last_be : header.first_be);
  const std::span<const uint8_t> all(reinterpret_cast<const uint8_t*>(open_.data()),
                                     4 * open_.size());
  const auto bytes = all.subspan(first, all.size() - first - after);
  const uint64_t address = header.address + first;
  const Function& function = functions_.at(header.func);
  if (!function.is_closed && address >= kMessages) {
    ++counters_.interrupts;
    const auto vector = static_cast<unsigned>((address - kMessages) / 4);
    counters_.interrupts_lost += !function.host || !function.host->Interrupt(vector);
  } else if (!function.is_closed) {
    ++counters_.writes;
    counters_.write_bytes += bytes.size();
    counters_.writes_failed += !function.host || !WriteHost(*function.host, address, bytes);
  }
  open_.clear();
}

// A host sees the lowest word of a line no earlier than the others: it has the colour of an entry.
bool MemoryChannel::WriteHost(qdma::HostSide& host, uint64_t address,
                              std::span<const uint8_t> bytes) {
  constexpr size_t kLine = 64, kWord = 8;
  if (bytes.size() > kLine || bytes.size() % kWord != 0) return host.WriteHost(address, bytes);
  bool written = true;
  for (size_t at = bytes.size(); at > 0; at -= kWord) {
    written = written && host.WriteHost(address + at - kWord, bytes.subspan(at - kWord, kWord));
  }
  return written;
}

void MemoryChannel::TakeRead(const Header& header, uint8_t tag) {
  const size_t dwords = header.dwords;
  const unsigned first = FirstByte(header.first_be);
  const unsigned after = BytesAfter(dwords > 1 ? header.last_be : header.first_be);
  Answer answer{.tag = tag,
                .status = 0,
                .lower_address = static_cast<uint8_t>((header.address + first) & 0x7f),
                .bytes = static_cast<uint16_t>(4 * dwords - first - after),
                .dwords = std::vector<uint32_t>(dwords)};
  auto* bytes = reinterpret_cast<uint8_t*>(answer.dwords.data());
  ++counters_.reads;
  counters_.read_bytes += answer.bytes;
  const Function& function = functions_.at(header.func);
  if (!function.host || function.is_closed ||
      !function.host->ReadHost(header.address + first, std::span(bytes + first, answer.bytes))) {
    counters_.reads_failed += !function.is_closed;
    answer.status = kUnsupportedRequest;
    answer.dwords.clear();
  }
  answers_.push_back(std::move(answer));
}

void MemoryChannel::Reset() {
  answers_.clear();
  open_.clear();
  answered_ = 0;
}

}  // namespace ullnic::card_dma
