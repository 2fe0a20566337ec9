// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// The card's transmitter, read by the link partner's strict decoder.

#include "partner/crc32.h"
#include "test_support.h"

namespace ullnic {
namespace {

using partner::Breach;

class RtlTransmitter : public SeededTest {
 protected:
  void SetUp() override {
    SeededTest::SetUp();
    ASSERT_TRUE(bench_.Lock());
  }
  void ExpectCleanLine() {
    EXPECT_EQ(bench_.decoder().breaches(), 0u) << bench_.decoder().first_breach();
  }
  void ExpectFrames(const std::deque<Bytes>& sent) {
    ASSERT_EQ(bench_.decoded().size(), sent.size());
    for (size_t i = 0; i < sent.size(); ++i) {
      ASSERT_TRUE(bench_.decoded()[i].good) << "frame " << i;
      ASSERT_EQ(bench_.decoded()[i].bytes, Padded(sent[i])) << "frame " << i;
    }
  }
  PartnerBench bench_;
};

TEST_F(RtlTransmitter, EveryLengthWithEveryPauseIsReadWhole) {
  std::deque<Bytes> sent;
  for (size_t length = 1; length <= 140; ++length) {
    for (int round = 0; round < 12; ++round) {
      Frame frame;
      frame.bytes = RandomBytes(length, rng_);
      frame.idle_cycles_before = static_cast<uint32_t>(rng_.Below(4) == 0 ? 0 : rng_.Below(70));
      sent.push_back(frame.bytes);
      bench_.SendFromRtl(std::move(frame));
    }
  }
  bench_.Drain();
  ExpectFrames(sent);
  ExpectCleanLine();
  EXPECT_EQ(bench_.rtl().counters().tx_frames, sent.size());
  EXPECT_EQ(bench_.rtl().counters().tx_errors, 0u);
}

TEST_F(RtlTransmitter, LongFrames) {
  std::deque<Bytes> sent;
  for (const size_t length : {1514u, 9000u, 9617u, 9618u}) {
    sent.push_back(RandomBytes(length, rng_));
    bench_.SendFromRtl({.bytes = sent.back()});
  }
  bench_.Drain();
  ExpectFrames(sent);
  ExpectCleanLine();
}

// Full speed: the gap is 12 octets in the mean, never below 9, and both start lanes are used.
TEST_F(RtlTransmitter, BackToBackAtFullRate) {
  std::deque<Bytes> sent;
  for (int i = 0; i < 6000; ++i) {
    sent.push_back(RandomBytes(rng_.Range(60, 130), rng_));
    bench_.SendFromRtl({.bytes = sent.back()});
  }
  bench_.Drain();
  ExpectFrames(sent);
  ExpectCleanLine();
  double sum = 0;
  uint64_t count = 0;
  for (const auto& [gap, n] : bench_.decoder().gaps()) {
    sum += static_cast<double>(gap) * static_cast<double>(n);
    count += n;
    EXPECT_GE(gap, 9);
    EXPECT_LE(gap, 15) << n << " times";
  }
  EXPECT_NEAR(sum / static_cast<double>(count), 12.0, 0.02);
  EXPECT_GT(bench_.decoder().lane4_starts(), 1000u);
}

struct BreachCase {
  Frame::Breach breach;
  const char* name;
};

class RtlTransmitterUserBreach : public RtlTransmitter,
                                 public ::testing::WithParamInterface<BreachCase> {};

// The frame must end on the line with an inverted FCS over the part sent; the next one is good.
TEST_P(RtlTransmitterUserBreach, PoisonsTheFrameAndOnlyThat) {
  const Frame::Breach breach = GetParam().breach;
  uint64_t breaches = 0;
  for (size_t length = 1; length <= 90; ++length) {
    const auto words = static_cast<uint32_t>((length + 3) / 4);
    for (uint32_t word = breach == Frame::Breach::kUnderrun ? 1 : 0; word < words; ++word) {
      if (word > 3 && word + 3 < words && rng_.Below(3) != 0) continue;
      SCOPED_TRACE(::testing::Message() << "length " << length << " word " << word);
      const Bytes before = RandomBytes(60 + rng_.Below(8), rng_);
      const Bytes after = RandomBytes(60 + rng_.Below(8), rng_);
      const Bytes victim = RandomBytes(length, rng_);
      bench_.decoded().clear();
      bench_.SendFromRtl({.bytes = before});
      bench_.SendFromRtl({.bytes = victim,
                          .idle_cycles_before = static_cast<uint32_t>(rng_.Below(34)),
                          .breach = breach,
                          .breach_word = word,
                          .breach_cycles = static_cast<uint32_t>(1 + rng_.Below(5))});
      bench_.SendFromRtl({.bytes = after});
      bench_.Drain();
      ++breaches;
      auto& got = bench_.decoded();
      ASSERT_EQ(got.size(), 3u);
      EXPECT_TRUE(got[0].good);
      EXPECT_EQ(got[0].bytes, before);
      EXPECT_FALSE(got[1].good);
      EXPECT_TRUE(got[1].Has(Breach::kWrongFcs));
      EXPECT_EQ(got[1].fcs, ~partner::Fcs(got[1].bytes)) << "not the inverted FCS";
      EXPECT_EQ(got[1].breaches & ~(1u << static_cast<int>(Breach::kWrongFcs)), 0u)
          << "more than a wrong FCS";
      // The part sent before the violation is the user's data.
      const size_t intact = std::min<size_t>(word * 4, length);
      EXPECT_TRUE(std::equal(victim.begin(), victim.begin() + static_cast<ptrdiff_t>(intact),
                             got[1].bytes.begin()));
      EXPECT_TRUE(got[2].good);
      EXPECT_EQ(got[2].bytes, after);
      if (::testing::Test::HasFailure()) return;
    }
  }
  const EndCounters& counters = bench_.rtl().counters();
  if (breach == Frame::Breach::kUnderrun) {
    EXPECT_EQ(counters.tx_underruns, breaches);
  } else {
    EXPECT_EQ(counters.tx_errors, breaches);
    EXPECT_EQ(counters.tx_underruns, 0u);
  }
}

INSTANTIATE_TEST_SUITE_P(Kinds, RtlTransmitterUserBreach,
                         ::testing::Values(BreachCase{Frame::Breach::kUnderrun, "Underrun"},
                                           BreachCase{Frame::Breach::kUserError, "UserError"},
                                           BreachCase{Frame::Breach::kIllegalKeep, "IllegalKeep"}),
                         [](const auto& test) { return test.param.name; });

}  // namespace
}  // namespace ullnic
