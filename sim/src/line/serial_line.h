// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// The transceiver pair and the fibre between two ends, one direction, as a delay of any number of
// unit intervals on parallel words. Bit 0 of a word is first on the wire. With a delay shorter than
// a word, bits pass within the cycle. Bit errors come from a seeded geometric process; a bit slip
// shortens or lengthens the delay by one bit while words are in flight.
#pragma once

#include <array>
#include <cstdint>

#include "core/rng.h"

namespace ullnic {

class SerialLine {
 public:
  struct Config {
    int word_bits = 32;  // 16 or 32
    int delay_ui = 0;
    double bit_error_rate = 0;
    uint64_t seed = 1;
  };

  explicit SerialLine(const Config& config);

  // True where Output() depends on the word offered in the same cycle.
  bool same_cycle() const { return delay_ui_ < word_bits_; }
  int delay_ui() const { return delay_ui_; }
  int word_bits() const { return word_bits_; }

  // Signal that replaces the sender's bits from the next word on. Like bit errors, not on a line
  // shorter than a word.
  enum class Signal : uint8_t { kSender, kZeros, kOnes, kNoise };
  void set_signal(Signal signal) { signal_ = signal; }

  // The sender's word of the current cycle; may be called again until Commit().
  void Offer(uint32_t word) { history_[index_ & kMask] = word; }

  // The edge that ends the cycle: the offered word enters the line.
  void Commit() {
    if (bits_to_error_ < static_cast<uint64_t>(word_bits_)) InjectErrors();
    bits_to_error_ -= static_cast<uint64_t>(word_bits_);
    if (signal_ != Signal::kSender) history_[index_ & kMask] = ForeignWord();
    ++index_;
  }

  // The last committed word, with its bit errors.
  uint32_t last_word() const { return history_[(index_ - 1) & kMask]; }

  // The receiver's word of the current cycle.
  uint32_t Output() const {
    const uint64_t newer = history_[(index_ - words_) & kMask];
    const uint64_t older = history_[(index_ - words_ - 1) & kMask];
    return static_cast<uint32_t>((newer << word_bits_ | older) >> (word_bits_ - shift_)) &
           word_mask_;
  }

  // +1 repeats a bit, -1 loses one, from the next word on. Returns false if the delay cannot change
  // further in that direction.
  bool Slip(int bits);
  void set_bit_error_rate(double rate);
  uint64_t bit_errors() const { return bit_errors_; }

 private:
  static constexpr int kDepth = 512;  // words; the delay must fit
  static constexpr uint64_t kMask = kDepth - 1;

  void SetDelay(int delay_ui);
  void InjectErrors();
  uint32_t ForeignWord();

  int word_bits_;
  uint32_t word_mask_;
  int delay_ui_ = 0;
  uint64_t words_ = 0;  // the delay in whole words ...
  int shift_ = 0;       // ... and bits
  uint64_t index_ = kDepth;
  std::array<uint32_t, kDepth> history_{};
  double bit_error_rate_;
  uint64_t bits_to_error_;
  uint64_t bit_errors_ = 0;
  Signal signal_ = Signal::kSender;
  Rng rng_;
};

}  // namespace ullnic
