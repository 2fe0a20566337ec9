// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// The link partner's receiver: strict, and it reports the right violation.

#include <memory>
#include <vector>

#include "partner/line_codec.h"
#include "test_support.h"

namespace ullnic::partner {
namespace {

class PartnerReceiver : public SeededTest {
 protected:
  // Sends good frame, `bad`, good frame; returns what arrives.
  std::vector<DecodedFrame> Exchange(WireFrame bad) {
    LineTransmitter tx;
    rx_ = std::make_unique<LineReceiver>();
    std::vector<DecodedFrame> arrived;
    rx_->decoder().set_on_frame([&](DecodedFrame&& f) { arrived.push_back(std::move(f)); });
    while (!rx_->block_lock()) rx_->TakeWord(tx.NextWord(32), 32);
    for (int i = 0; i < 10; ++i) rx_->TakeWord(tx.NextWord(32), 32);
    WireFrame good;
    good.bytes = RandomBytes(70, rng_);
    good_ = good.bytes;
    tx.encoder().Enqueue(good);
    tx.encoder().Enqueue(std::move(bad));
    tx.encoder().Enqueue(good);
    while (tx.encoder().backlog() > 0) rx_->TakeWord(tx.NextWord(32), 32);
    for (int i = 0; i < 20; ++i) rx_->TakeWord(tx.NextWord(32), 32);
    return arrived;
  }
  void ExpectFound(WireFrame bad, Breach breach) {
    const auto arrived = Exchange(std::move(bad));
    EXPECT_GE(rx_->decoder().breaches(breach), 1u) << "not noticed: " << BreachName(breach);
    EXPECT_EQ(rx_->decoder().good_frames(), 2u) << BreachName(breach);
    ASSERT_GE(arrived.size(), 2u);
    EXPECT_TRUE(arrived.front().good);
    EXPECT_TRUE(arrived.back().good) << "the frame after: " << BreachName(breach);
    EXPECT_EQ(arrived.back().bytes, good_);
  }
  WireFrame Victim() {
    WireFrame frame;
    frame.bytes = RandomBytes(100, rng_);
    frame.start_lane = 0;
    return frame;
  }
  static Mutation At(int at, Mutation::Kind kind, uint64_t value = 0) {
    return {.kind = kind, .at = at, .value = value};
  }
  std::unique_ptr<LineReceiver> rx_;
  Bytes good_;
};

TEST_F(PartnerReceiver, NoticesEveryBreach) {
  using K = Mutation::Kind;
  constexpr int kEnd = Mutation::kTerminateBlock;
  WireFrame f = Victim();
  f.wrong_fcs = true;
  ExpectFound(f, Breach::kWrongFcs);
  f = Victim();
  f.preamble = 0xd5555555555554;
  ExpectFound(f, Breach::kBadPreamble);
  f = Victim();
  f.preamble = 0xd4555555555555;
  ExpectFound(f, Breach::kBadPreamble);
  f = Victim();
  f.pad = false;
  f.bytes.resize(59);
  ExpectFound(f, Breach::kRunt);
  f = Victim();
  f.bytes = RandomBytes(kMaxFrameBytes + 1, rng_);
  ExpectFound(f, Breach::kGiant);
  f = Victim();
  f.mutations = {At(3, K::kHeader, 0b00)};
  ExpectFound(f, Breach::kBadHeader);
  f.mutations = {At(3, K::kHeader, 0b11)};
  ExpectFound(f, Breach::kBadHeader);
  f.mutations = {{.kind = K::kReplace, .at = 3, .block = {kControlHeader, 0x00}}};
  ExpectFound(f, Breach::kBadType);
  f.mutations = {{.kind = K::kReplace, .at = 3, .block = {kControlHeader, kTypeC0C4}}};
  ExpectFound(f, Breach::kMissingTerminate);
  ExpectFound(f, Breach::kDataOutsideFrame);
  ExpectFound(f, Breach::kTerminateOutsideFrame);
  f.mutations = {{.kind = K::kReplace, .at = 3, .block = {kControlHeader, 0xd555555555555578}}};
  ExpectFound(f, Breach::kStartInFrame);
  f.mutations = {{.kind = K::kReplace, .at = 3, .block = {kControlHeader, 0x3c78f1e3c78f1e1e}}};
  ExpectFound(f, Breach::kErrorCharacter);
  f.mutations = {At(kEnd, K::kOmit)};
  ExpectFound(f, Breach::kMissingTerminate);
  f.mutations = {At(kEnd, K::kReplace)};
  f.mutations[0].block = {kControlHeader, 0x00000000000007'87 | 0x1000};
  ExpectFound(f, Breach::kReservedBits);
  f.mutations[0].block = {kControlHeader, uint64_t{0x11} << 57 | 0x87};
  ExpectFound(f, Breach::kBadControlCode);
}

TEST_F(PartnerReceiver, MeasuresTheGap) {
  for (uint32_t gap = 1; gap <= 8; ++gap) {
    WireFrame f = Victim();
    f.start_lane = -1;
    f.gap_octets = gap;
    const auto arrived = Exchange(f);
    ASSERT_EQ(arrived.size(), 3u);
    // Starts are on every fourth octet, so some gaps are longer than requested.
    EXPECT_EQ(rx_->decoder().breaches(Breach::kGapTooShort), arrived[1].gap_octets < 9 ? 1u : 0u);
    EXPECT_GE(arrived[1].gap_octets, gap);
    EXPECT_LT(arrived[1].gap_octets, gap + 8);
  }
}

TEST_F(PartnerReceiver, LosesLockAfterSixteenBadHeadersAndComesBack) {
  LineTransmitter tx;
  LineReceiver rx;
  while (!rx.block_lock()) rx.TakeWord(tx.NextWord(32), 32);
  for (int i = 0; i < 2000 && rx.block_lock(); ++i) rx.TakeWord(rng_.Word(), 32);
  EXPECT_FALSE(rx.block_lock());
  EXPECT_EQ(rx.lock_losses(), 1u);
  EXPECT_GE(rx.bad_headers(), 16u);
  for (int i = 0; i < 20'000 && !rx.block_lock(); ++i) rx.TakeWord(tx.NextWord(32), 32);
  EXPECT_TRUE(rx.block_lock());
}

TEST_F(PartnerReceiver, KnowsWhereInABlockAWordBegins) {
  for (const int word_bits : {16, 32}) {
    for (int skipped = 0; skipped < kBlockBits; ++skipped) {
      LineTransmitter tx;
      LineReceiver rx;
      for (int i = 0; i < skipped; ++i) tx.NextWord(1);
      int bits = skipped;
      for (int words = 0; words < 20'000 && !rx.block_lock(); ++words, bits += word_bits) {
        rx.TakeWord(tx.NextWord(word_bits), word_bits);
      }
      ASSERT_TRUE(rx.block_lock());
      for (int words = 0; words < 100; ++words, bits += word_bits) {
        ASSERT_EQ(rx.block_bit(), bits % kBlockBits) << skipped << " bits skipped";
        rx.TakeWord(tx.NextWord(word_bits), word_bits);
      }
    }
  }
}

TEST_F(PartnerReceiver, StartsAreAsFarApartAsTheirOctets) {
  LineTransmitter tx;
  LineReceiver rx;
  std::vector<DecodedFrame> arrived;
  rx.decoder().set_on_frame([&](DecodedFrame&& f) { arrived.push_back(std::move(f)); });
  while (!rx.block_lock()) rx.TakeWord(tx.NextWord(32), 32);
  // From a start to the next: preamble, frame, FCS, and a gap that begins with the terminate.
  const std::vector<size_t> sizes = {60, 64, 68, 76, 60};
  for (const size_t size : sizes) {
    WireFrame f;
    f.bytes = RandomBytes(size, rng_);
    tx.encoder().Enqueue(f);
  }
  while (tx.encoder().backlog() > 0) rx.TakeWord(tx.NextWord(32), 32);
  for (int i = 0; i < 20; ++i) rx.TakeWord(tx.NextWord(32), 32);
  ASSERT_EQ(arrived.size(), sizes.size());
  int lane4_starts = 0;
  for (size_t i = 1; i < sizes.size(); ++i) {
    const uint64_t octets = 8 + sizes[i - 1] + 4 + static_cast<uint64_t>(arrived[i].gap_octets);
    EXPECT_EQ((arrived[i].start_ui() - arrived[i - 1].start_ui()) * 8, octets * kBlockBits) << i;
    lane4_starts += arrived[i].start_lane == 4;
  }
  EXPECT_GT(lane4_starts, 0);
}

TEST_F(PartnerReceiver, AcceptsOrderedSetsAndEveryStart) {
  LineTransmitter tx;
  LineReceiver rx;
  uint64_t good = 0;
  rx.decoder().set_on_frame([&](DecodedFrame&& f) { good += f.good; });
  while (!rx.block_lock()) rx.TakeWord(tx.NextWord(16), 16);
  for (int n = 0; n < 1000; ++n) {
    WireFrame f;
    f.bytes = RandomBytes(rng_.Range(1, 100), rng_);
    tx.encoder().Enqueue(f);
    tx.encoder().EnqueueOrderedSet(0x020000);
    while (tx.encoder().backlog() > 1) rx.TakeWord(tx.NextWord(16), 16);
  }
  for (int i = 0; i < 100; ++i) rx.TakeWord(tx.NextWord(16), 16);
  EXPECT_EQ(good, 1000u);
  EXPECT_EQ(rx.decoder().breaches(), 0u) << rx.decoder().first_breach();
  EXPECT_GE(rx.decoder().ordered_sets(), 999u);
}

}  // namespace
}  // namespace ullnic::partner
