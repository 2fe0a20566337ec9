// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// The link partner's transmitter against an independent decoder: one bit at a time, with the block
// formats of figure 49-7 as strings.

#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "partner/line_codec.h"
#include "test_support.h"

namespace ullnic::partner {
namespace {

// What the octets of a block are: D data, I idle, S start, T terminate, Q ordered set (and three
// data octets that are no frame's).
const std::map<int, std::string> kFormatNames = {
    {0x1e, "IIIIIIII"}, {0x2d, "IIIIQqqq"}, {0x33, "IIIISDDD"}, {0x66, "QqqqSDDD"},
    {0x55, "QqqqQqqq"}, {0x78, "SDDDDDDD"}, {0x4b, "QqqqIIII"}, {0x87, "TIIIIIII"},
    {0x99, "DTIIIIII"}, {0xaa, "DDTIIIII"}, {0xb4, "DDDTIIII"}, {0xcc, "DDDDTIII"},
    {0xd2, "DDDDDTII"}, {0xe1, "DDDDDDTI"}, {0xff, "DDDDDDDT"}};

struct SerialFrame {
  std::vector<int> octets;  // from the start character's successor to the last FCS octet
  int lane = 0;
  int gap = -1;
};

class SerialDecoder {
 public:
  void Bit(int bit) {
    if (position_ >= 2) {
      const int out = bit ^ Tap(39) ^ Tap(58);
      history_.push_back(bit);
      block_.push_back(out);
    } else {
      block_.push_back(bit);
    }
    if (++position_ == 66) {
      if (skip_ > 0) {
        --skip_;
      } else {
        EndOfBlock();
      }
      position_ = 0;
      block_.clear();
    }
  }
  std::vector<SerialFrame> frames;
  std::map<int, int> types;

 private:
  int Tap(size_t back) const {
    return history_.size() < back ? 0 : history_[history_.size() - back];
  }
  int Field(int from) const {
    int value = 0;
    for (int i = 0; i < 8; ++i) value |= block_.at(static_cast<size_t>(2 + from + i)) << i;
    return value;
  }

  void EndOfBlock() {
    if (block_[0] == 0 && block_[1] == 1) {  // data
      for (int i = 0; i < 8; ++i) Data(Field(8 * i));
      return;
    }
    if (!(block_[0] == 1 && block_[1] == 0)) throw std::runtime_error("sync header");
    const int type = Field(0);
    ++types[type];
    const std::string& format = kFormatNames.at(type);
    int data_bit = 8;  // data octets follow the type; in a second half they end the block
    for (int lane = 0; lane < 8; ++lane) {
      const char c = format[static_cast<size_t>(lane)];
      if (lane == 4 && format[4] != 'D' && format[4] != 'T') data_bit = 40;
      if (c == 'S') {
        if (open_) throw std::runtime_error("start in a frame");
        open_ = true;
        current_ = {};
        current_.lane = lane;
        current_.gap = gap_;
      } else if (c == 'D') {
        Data(Field(data_bit));
        data_bit += 8;
      } else if (c == 'T') {
        if (!open_) throw std::runtime_error("terminate outside a frame");
        open_ = false;
        frames.push_back(current_);
        gap_ = 1;
      } else {
        if (open_) throw std::runtime_error("control in a frame");
        if (c == 'q') data_bit += 8;
        if (gap_ >= 0) ++gap_;
      }
    }
  }
  void Data(int octet) {
    if (!open_) throw std::runtime_error("data outside a frame");
    current_.octets.push_back(octet);
  }

  std::vector<int> block_;
  std::vector<int> history_;
  int position_ = 0;
  int skip_ = 1;  // the first block has no history to be descrambled with
  bool open_ = false;
  int gap_ = -1;
  SerialFrame current_;
};

using PartnerTransmitter = SeededTest;

TEST_F(PartnerTransmitter, IsReadByAnIndependentSerialDecoder) {
  LineTransmitter tx;
  SerialDecoder rx;
  std::vector<Bytes> sent;
  const int frames = 3000;
  for (int i = 0; i < 10 * 32; i += 32) {  // the decoder needs a block to synchronise
    const uint32_t word = tx.NextWord(32);
    for (int b = 0; b < 32; ++b) rx.Bit(word >> b & 1);
  }
  for (int words = 0; static_cast<int>(rx.frames.size()) < frames; ++words) {
    ASSERT_LT(words, frames * 500) << "frames are missing";
    if (static_cast<int>(sent.size()) < frames && tx.encoder().backlog() < 3 &&
        rng_.Below(3) == 0) {
      WireFrame frame;
      frame.bytes = RandomBytes(rng_.Range(1, 200), rng_);
      if (rng_.Below(4) == 0) frame.start_lane = rng_.Below(2) != 0 ? 4 : 0;
      if (rng_.Below(4) == 0) frame.gap_octets = static_cast<uint32_t>(rng_.Range(12, 100));
      sent.push_back(Padded(frame.bytes));
      tx.encoder().Enqueue(std::move(frame));
      if (rng_.Below(3) == 0) tx.encoder().EnqueueOrderedSet(0x010000, rng_.Below(2) != 0 ? 4 : -1);
    }
    const uint32_t word = tx.NextWord(32);
    for (int i = 0; i < 32; ++i) rx.Bit(word >> i & 1);
  }
  int deficit = 0;
  for (int n = 0; n < frames; ++n) {
    const SerialFrame& f = rx.frames[static_cast<size_t>(n)];
    const Bytes& want = sent[static_cast<size_t>(n)];
    ASSERT_EQ(f.octets.size(), 7 + want.size() + 4);
    for (size_t i = 0; i < 7; ++i) ASSERT_EQ(f.octets[i], i == 6 ? 0xd5 : 0x55);
    ASSERT_TRUE(std::equal(want.begin(), want.end(), f.octets.begin() + 7)) << "frame " << n;
    // CRC-32, bit by bit, over frame and FCS must leave the known residue.
    uint32_t crc = ~0u;
    for (size_t i = 7; i < f.octets.size(); ++i) {
      for (int b = 0; b < 8; ++b) {
        const uint32_t out = (crc ^ static_cast<uint32_t>(f.octets[i] >> b)) & 1;
        crc = crc >> 1 ^ (out != 0 ? 0xedb88320u : 0);
      }
    }
    ASSERT_EQ(crc, 0xdebb20e3u) << "FCS of frame " << n;
    if (f.gap < 0) continue;
    ASSERT_GE(f.gap, 9);
    deficit = std::max(0, deficit + 12 - f.gap);
    ASSERT_LE(deficit, 3) << "deficit idle count at frame " << n;
  }
  for (const int type :
       {0x1e, 0x2d, 0x33, 0x66, 0x78, 0x4b, 0x87, 0x99, 0xaa, 0xb4, 0xcc, 0xd2, 0xe1, 0xff}) {
    EXPECT_GT(rx.types[type], 0) << "block type " << std::hex << type << " never occurred";
  }
}

TEST_F(PartnerTransmitter, BackToBackGapsAreTwelveInTheMean) {
  LineTransmitter tx;
  SerialDecoder rx;
  const auto send_word = [&] {
    const uint32_t word = tx.NextWord(16);
    for (int i = 0; i < 16; ++i) rx.Bit(word >> i & 1);
  };
  for (int i = 0; i < 10; ++i) send_word();  // the decoder needs a block to synchronise
  while (rx.frames.size() < 4000) {
    while (tx.encoder().backlog() < 3) {
      WireFrame frame;
      frame.bytes = RandomBytes(rng_.Range(60, 90), rng_);
      tx.encoder().Enqueue(std::move(frame));
    }
    send_word();
  }
  double sum = 0;
  for (const SerialFrame& f : rx.frames) sum += f.gap < 0 ? 12 : f.gap;
  EXPECT_NEAR(sum / static_cast<double>(rx.frames.size()), 12.0, 0.01);
}

}  // namespace
}  // namespace ullnic::partner
