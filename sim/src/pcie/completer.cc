// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
#include "pcie/completer.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "core/user_error.h"

namespace ullnic::pcie {

namespace {

constexpr uint64_t kPage = 4096;
// Enough for more than a cycle of the user clock on any link.
constexpr size_t kCompletionsAheadBytes = 512;

}  // namespace

void Completer::Accept(const Tlp& read, int64_t at_ps) {
  const uint32_t lead = static_cast<uint32_t>(std::countr_zero(uint32_t{read.first_be}));
  const uint32_t last = read.dwords == 1 ? read.first_be : read.last_be;
  const uint32_t tail = static_cast<uint32_t>(std::countl_zero(last << 28));
  const uint32_t bytes = 4 * read.dwords - lead - tail;
  if (read.dwords == 0 || 4 * read.dwords > static_cast<uint32_t>(settings_.mrrs) ||
      read.address / kPage != (read.address + 4 * read.dwords - 1) / kPage) {
    throw UserError(
        fmt::format("the card reads {} dwords at {:#x}: more than MRRS, or across 4 KiB",
                    read.dwords, read.address),
        "a fault of the card: repeat with the same seed");
  }
  const auto spread = static_cast<uint64_t>(settings_.read_spread_ps);
  const int64_t due = at_ps + settings_.read_latency_ps - settings_.read_spread_ps +
                      static_cast<int64_t>(rng_.Range(0, 2 * spread));
  const auto place = std::ranges::upper_bound(reads_, due, {}, &Read::due_ps);
  reads_.insert(place,
                {.tag = read.tag, .address = read.address + lead, .left = bytes, .due_ps = due});
  ++accepted_;
}

Tlp Completer::NextPart(Read& read) {
  const auto step = static_cast<uint64_t>(settings_.completion_bytes);
  const auto bytes =
      static_cast<uint32_t>(std::min<uint64_t>(read.left, step - read.address % step));
  const auto lead = static_cast<uint32_t>(read.address % 4);
  Tlp part;
  part.kind = Kind::kCompletion;
  part.tag = read.tag;
  part.dwords = (lead + bytes + 3) / 4;
  part.byte_count = read.left;
  part.lower_address = static_cast<uint32_t>(read.address % 128);
  part.is_final = bytes == read.left;
  part.data.resize(size_t{4} * part.dwords);
  fetch_(read.address, std::span(part.data).subspan(lead, bytes));
  read.address += bytes;
  read.left -= bytes;
  return part;
}

void Completer::Advance(Transmitter& down, int64_t now_ps) {
  while (down.waiting_bytes(Kind::kCompletion) < kCompletionsAheadBytes) {
    uint64_t due = 0;
    const auto most = std::min<uint64_t>(reads_.size(), static_cast<uint64_t>(settings_.window));
    while (due < most && reads_[due].due_ps <= now_ps) ++due;
    if (due == 0) return;
    const auto chosen = reads_.begin() + static_cast<std::ptrdiff_t>(rng_.Below(due));
    down.Offer(NextPart(*chosen), now_ps);
    if (chosen->left == 0) reads_.erase(chosen);
  }
}

}  // namespace ullnic::pcie
