// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0

#include "line/serial_line.h"

#include <fmt/format.h>

#include <stdexcept>

namespace ullnic {

SerialLine::SerialLine(const Config& config)
    : word_bits_(config.word_bits),
      word_mask_(config.word_bits == 32 ? ~0u : 0xffffu),
      bit_error_rate_(config.bit_error_rate),
      rng_(config.seed) {
  if (word_bits_ != 16 && word_bits_ != 32) {
    throw std::invalid_argument("a transceiver word has 16 or 32 bits");
  }
  if (bit_error_rate_ < 0 || bit_error_rate_ > 1) {
    throw std::invalid_argument("a bit error rate is a probability from 0 to 1");
  }
  SetDelay(config.delay_ui);
  bits_to_error_ = rng_.Skip(bit_error_rate_);
}

void SerialLine::SetDelay(int delay_ui) {
  const int max_ui = (kDepth - 2) * word_bits_;
  if (delay_ui < 0 || delay_ui > max_ui) {
    throw std::invalid_argument(
        fmt::format("a line delay of {} UI is outside 0 to {}", delay_ui, max_ui));
  }
  delay_ui_ = delay_ui;
  words_ = static_cast<uint64_t>(delay_ui / word_bits_);
  shift_ = delay_ui % word_bits_;
}

bool SerialLine::Slip(int bits) {
  const int wanted = delay_ui_ + bits;
  // The order in which models settle was chosen when the line was connected: a line must not become
  // or cease to be a same-cycle path afterwards.
  if (wanted < 0 || wanted > (kDepth - 2) * word_bits_) return false;
  if ((wanted < word_bits_) != same_cycle()) return false;
  SetDelay(wanted);
  return true;
}

void SerialLine::set_bit_error_rate(double rate) {
  bit_error_rate_ = rate;
  bits_to_error_ = rng_.Skip(rate);
}

uint32_t SerialLine::ForeignWord() {
  if (signal_ == Signal::kZeros) return 0;
  return (signal_ == Signal::kOnes ? ~0u : rng_.Word()) & word_mask_;
}

void SerialLine::InjectErrors() {
  while (bits_to_error_ < static_cast<uint64_t>(word_bits_)) {
    history_[index_ & kMask] ^= uint32_t{1} << bits_to_error_;
    ++bit_errors_;
    const uint64_t gap = rng_.Skip(bit_error_rate_);
    bits_to_error_ = gap > UINT64_MAX - bits_to_error_ - 1 ? UINT64_MAX : bits_to_error_ + 1 + gap;
  }
}

}  // namespace ullnic
