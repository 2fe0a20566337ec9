// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0

#include "card_dma/memory_channel.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <span>

namespace ullnic::card_dma {
namespace {

constexpr uint8_t kUnsupportedRequest = 1;

unsigned FirstByte(unsigned enables) { return static_cast<unsigned>(std::countr_zero(enables)); }
unsigned BytesAfter(unsigned enables) {
  return static_cast<unsigned>(std::countl_zero(enables << 28));
}

}  // namespace

void MemoryChannel::Drive(Model& model) const {
  model.host_write_ready = 1;
  model.host_read_ready = 1;
  model.host_completion_valid = !answers_.empty();
  if (answers_.empty()) return;
  const Answer& answer = answers_.front();
  model.host_completion_status = answer.status;
  model.host_completion_is_final = 1;
  model.host_completion_tag = answer.tag;
  model.host_completion_dwords = static_cast<uint16_t>(answer.dwords.size());
  model.host_completion_byte_count = answer.bytes;
  model.host_completion_lower_addr = answer.lower_address;
  const size_t count = std::min<size_t>(answer.dwords.size() - answered_, kBeatDwords);
  std::memcpy(&model.host_completion_data[0], answer.dwords.data() + answered_, 4 * count);
  model.host_completion_last = answered_ + count == answer.dwords.size();
}

bool MemoryChannel::Clock(const Model& model) {
  const bool answers = model.host_completion_valid;
  if (answers) {
    answered_ += kBeatDwords;
    if (model.host_completion_last) {
      answers_.pop_front();
      answered_ = 0;
    }
  }
  if (model.host_write_valid) TakeWrite(model);
  if (model.host_read_valid) TakeRead(model);
  return answers || model.host_write_valid || model.host_read_valid;
}

void MemoryChannel::TakeWrite(const Model& model) {
  const size_t left = model.host_write_dwords - open_.size();
  const auto* data = &model.host_write_data[0];
  open_.insert(open_.end(), data, data + std::min<size_t>(left, kBeatDwords));
  if (model.host_write_last) EndWrite(model);
}

void MemoryChannel::EndWrite(const Model& model) {
  const unsigned first = FirstByte(model.host_write_first_be);
  const unsigned after =
      BytesAfter(open_.size() > 1 ? model.host_write_last_be : model.host_write_first_be);
  const std::span<const uint8_t> all(reinterpret_cast<const uint8_t*>(open_.data()),
                                     4 * open_.size());
  const auto bytes = all.subspan(first, all.size() - first - after);
  const uint64_t address = model.host_write_addr + first;
  if (is_closed_) {
    // The host has the function for reset already.
  } else if (address >= kMessages) {
    ++counters_.interrupts;
    const auto vector = static_cast<unsigned>((address - kMessages) / 4);
    counters_.interrupts_lost += !host_.Interrupt(vector);
  } else {
    ++counters_.writes;
    counters_.write_bytes += bytes.size();
    // A host sees the lowest word of a line no earlier than the others: it has the colour of an
    // entry.
    constexpr size_t kLine = 64, kWord = 8;
    bool written = true;
    if (bytes.size() <= kLine && bytes.size() % kWord == 0) {
      for (size_t at = bytes.size(); at > 0; at -= kWord) {
        written =
            written && host_.WriteHost(address + at - kWord, bytes.subspan(at - kWord, kWord));
      }
    } else {
      written = host_.WriteHost(address, bytes);
    }
    counters_.writes_failed += !written;
  }
  open_.clear();
}

void MemoryChannel::TakeRead(const Model& model) {
  const size_t dwords = model.host_read_dwords;
  const unsigned first = FirstByte(model.host_read_first_be);
  const unsigned after =
      BytesAfter(dwords > 1 ? model.host_read_last_be : model.host_read_first_be);
  Answer answer{.tag = model.host_read_tag,
                .status = 0,
                .lower_address = static_cast<uint8_t>((model.host_read_addr + first) & 0x7f),
                .bytes = static_cast<uint16_t>(4 * dwords - first - after),
                .dwords = std::vector<uint32_t>(dwords)};
  auto* bytes = reinterpret_cast<uint8_t*>(answer.dwords.data());
  ++counters_.reads;
  counters_.read_bytes += answer.bytes;
  if (is_closed_ ||
      !host_.ReadHost(model.host_read_addr + first, std::span(bytes + first, answer.bytes))) {
    counters_.reads_failed += !is_closed_;
    answer.status = kUnsupportedRequest;
    answer.dwords.clear();
  }
  answers_.push_back(std::move(answer));
}

void MemoryChannel::Reset() {
  answers_.clear();
  open_.clear();
  answered_ = 0;
  is_closed_ = false;
}

}  // namespace ullnic::card_dma
