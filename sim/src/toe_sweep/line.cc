// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0

#include "toe_sweep/line.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "core/user_error.h"
#include "partner/crc32.h"

namespace ullnic::toe {
namespace {

MacWord Word(const Bytes& bytes, size_t at) {
  MacWord word;
  const size_t count = std::min(kMacBytes, bytes.size() - at);
  for (size_t i = 0; i < count; ++i) word.data |= uint32_t{bytes[at + i]} << (8 * i);
  word.keep = static_cast<uint8_t>((1u << count) - 1);
  word.valid = true;
  word.last = at + count == bytes.size();
  return word;
}

void Append(Bytes& bytes, const MacWord& word) {
  const int count = std::popcount(word.keep);
  if (word.keep != (1u << count) - 1 || count == 0 || (count < 4 && !word.last)) {
    throw UserError(fmt::format("a word with tkeep {:#x}, tlast {}", word.keep, word.last),
                    "this is a fault of the engine");
  }
  for (int i = 0; i < count; ++i) bytes.push_back(static_cast<uint8_t>(word.data >> (8 * i)));
}

void PadAndSeal(Bytes& frame) {
  frame.resize(std::max(frame.size(), kMinFrameBytes));
  const uint32_t fcs = partner::Fcs(frame);
  for (size_t i = 0; i < kFcsBytes; ++i) frame.push_back(static_cast<uint8_t>(fcs >> (8 * i)));
}

}  // namespace

int64_t ArrivingLine::Send(Bytes frame, int64_t units, int share) {
  const int64_t start = std::max(units, free_);
  free_ = start + LineBytes(frame.size()) * clock_.byte * 100 / share;
  PadAndSeal(frame);
  frames_.push_back({.bytes = std::move(frame), .start = start});
  return start;
}

MacWord ArrivingLine::At(int64_t cycle) {
  if (frames_.empty()) return {};
  const Sent& frame = frames_.front();
  if ((frame.start + 4 * word_ * clock_.byte) / clock_.cycle > cycle) return {};
  if (word_ == 0) first_cycle_ = cycle;
  const MacWord word = Word(frame.bytes, static_cast<size_t>(word_) * kMacBytes);
  ++word_;
  if (word.last) {
    last_cycle_ = cycle;
    word_ = 0;
    frames_.pop_front();
  }
  return word;
}

bool LeavingLine::Ready(int64_t cycle) const {
  const int64_t begins = words_ == 0 ? free_ : frame_.start + 4 * words_ * clock_.byte;
  return cycle * clock_.cycle >= begins;
}

std::optional<LeftFrame> LeavingLine::Watch(int64_t cycle, const MacWord& word) {
  if (!word.valid) {
    if (words_ > 0 && Ready(cycle)) {
      throw UserError(fmt::format("a pause before word {} of a frame, cycle {}", words_, cycle),
                      "this is a fault of the engine");
    }
    return std::nullopt;
  }
  if (!offered_) frame_.offered = cycle;
  offered_ = true;
  if (!Ready(cycle)) return std::nullopt;
  if (words_ == 0) {
    // The first cycle in which the line is free: no line time was lost.
    const int64_t now = cycle * clock_.cycle;
    frame_.start = now - free_ < clock_.cycle ? free_ : now;
  }
  ++words_;
  Append(frame_.bytes, word);
  if (!word.last) return std::nullopt;
  frame_.taken_back = word.error;
  free_ = frame_.start + LineBytes(frame_.bytes.size()) * clock_.byte;
  words_ = 0;
  offered_ = false;
  return std::exchange(frame_, {});
}

bool Wire::Ready(int64_t cycle) const {
  if (!tail_.empty()) return false;
  return words_ == 0 ? cycle * clock_.cycle >= free_ : Due(cycle);
}

MacWord Wire::Pass(int64_t cycle, const MacWord& word) {
  if (tail_.empty()) {
    if (!word.valid || !Ready(cycle)) return {};
    if (words_ == 0) start_ = cycle * clock_.cycle;
    Append(frame_, word);
    ++words_;
    if (!word.last) return word;
    tail_ = std::exchange(frame_, {});
    PadAndSeal(tail_);
    free_ = start_ + (static_cast<int64_t>(tail_.size()) + kBetweenBytes) * clock_.byte;
    --words_;  // this one is sent again, with the tail
  }
  if (!Due(cycle)) return {};
  const MacWord next = Word(tail_, static_cast<size_t>(words_) * kMacBytes);
  ++words_;
  if (next.last) {
    tail_.clear();
    words_ = 0;
  }
  return next;
}

}  // namespace ullnic::toe
