// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Between blocks and the line: scrambler and gearbox in one direction, block lock (figure 49-12),
// gearbox and descrambler in the other. Words of any width up to 32 bits.
#pragma once

#include <cstdint>

#include "partner/frame_decoder.h"
#include "partner/frame_encoder.h"
#include "partner/scrambler.h"

namespace ullnic::partner {

class LineTransmitter {
 public:
  FrameEncoder& encoder() { return encoder_; }
  const FrameEncoder& encoder() const { return encoder_; }

  uint32_t NextWord(int word_bits) {
    while (count_ < word_bits) Append(encoder_.NextBlock());
    const auto word = static_cast<uint32_t>(bits_ & ((uint64_t{1} << word_bits) - 1));
    bits_ >>= word_bits;
    count_ -= word_bits;
    return word;
  }

 private:
  void Append(const Block& block) {
    bits_ |= static_cast<unsigned __int128>(block.header) << count_;
    bits_ |= static_cast<unsigned __int128>(scrambler_.Scramble(block.payload)) << (count_ + 2);
    count_ += kBlockBits;
  }

  FrameEncoder encoder_;
  Scrambler scrambler_;
  unsigned __int128 bits_ = 0;
  int count_ = 0;
};

class LineReceiver {
 public:
  FrameDecoder& decoder() { return decoder_; }
  const FrameDecoder& decoder() const { return decoder_; }
  bool block_lock() const { return block_lock_; }
  // The bit of a block, 0 to 65, with which the next word begins; known once there is lock.
  int block_bit() const { return count_; }
  uint64_t bad_headers() const { return bad_headers_; }
  uint64_t lock_losses() const { return lock_losses_; }

  void TakeWord(uint32_t word, int word_bits) {
    bits_ |= static_cast<unsigned __int128>(word) << count_;
    count_ += word_bits;
    while (count_ >= kBlockBits) {
      if (TestHeader()) {
        const Block block{static_cast<uint8_t>(bits_ & 3),
                          descrambler_.Descramble(static_cast<uint64_t>(bits_ >> 2))};
        Drop(kBlockBits);
        if (settled_) decoder_.TakeBlock(block);
        settled_ = block_lock_;  // the descrambler needs one block to synchronise
      } else {
        Drop(1);
      }
    }
  }

 private:
  void Drop(int bits) {
    bits_ >>= bits;
    count_ -= bits;
  }
  // One pass of the lock state machine; false: slip a bit.
  bool TestHeader();

  static constexpr int kWindowBlocks = 64;
  static constexpr int kMaxBadHeaders = 16;

  FrameDecoder decoder_;
  Scrambler descrambler_;
  unsigned __int128 bits_ = 0;
  int count_ = 0;
  bool block_lock_ = false;
  bool settled_ = false;
  int headers_ = 0;
  int bad_in_window_ = 0;
  uint64_t bad_headers_ = 0;
  uint64_t lock_losses_ = 0;
};

}  // namespace ullnic::partner
