// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Virtual time: clocks, scheduler, and the line between two ends.

#include <gtest/gtest.h>

#include <deque>
#include <vector>

#include "core/clock.h"
#include "core/scheduler.h"
#include "line/serial_line.h"
#include "test_support.h"

namespace ullnic {
namespace {

int64_t ExactEdgePs(int64_t n, Period p, Phase phase = {}) {
  const auto periods = static_cast<__int128>(n) * phase.of + phase.count;
  return static_cast<int64_t>(periods * p.num_ps / (static_cast<__int128>(p.den) * phase.of));
}

TEST(Clock, EdgesNeverDrift) {
  for (const Period p : {LinePeriod(32), LinePeriod(16), MakePeriod(20000, 7), MakePeriod(4000, 1),
                         LinePeriod(32, 100), LinePeriod(32, -100)}) {
    Clock clock("c", p);
    for (int64_t n = 0; n < 200'000; ++n) {
      ASSERT_EQ(clock.next_edge_ps(), ExactEdgePs(n, p)) << "edge " << n;
      clock.Advance();
    }
  }
}

TEST(Clock, APhaseShiftsEveryEdgeByExactlySoMuch) {
  for (const Phase phase : {Phase{1, 16}, Phase{31, 32}, Phase{1, 2}, Phase{5, 7}}) {
    for (const Period p : {LinePeriod(32), LinePeriod(16, -100), KilohertzPeriod(350'000)}) {
      Clock clock("c", p, phase);
      Clock skipped("s", p, phase);
      for (int64_t n = 0; n < 20'000; ++n) {
        ASSERT_EQ(clock.next_edge_ps(), ExactEdgePs(n, p, phase)) << "edge " << n;
        if (n % 777 == 0) {
          skipped.SkipTo(clock.next_edge_ps());
          ASSERT_EQ(skipped.next_edge(), clock.next_edge());
          ASSERT_EQ(skipped.next_edge_ps(), clock.next_edge_ps());
        }
        clock.Advance();
      }
      skipped.SkipEdges(clock.next_edge() - skipped.next_edge());
      ASSERT_EQ(skipped.next_edge_ps(), clock.next_edge_ps());
    }
  }
  EXPECT_THROW(Clock("c", LinePeriod(32), Phase{2, 2}), std::invalid_argument);
  EXPECT_THROW(Clock("c", LinePeriod(32), Phase{-1, 2}), std::invalid_argument);
}

TEST(Clock, KilohertzPeriodIs350MHz) {
  EXPECT_EQ(KilohertzPeriod(350'000), (Period{20000, 7}));
  EXPECT_EQ(KilohertzPeriod(250'000), (Period{4000, 1}));
  EXPECT_GT(KilohertzPeriod(350'000, -100).ns(), KilohertzPeriod(350'000).ns());
}

TEST(Clock, LinePeriodIs322And644MHz) {
  EXPECT_EQ(LinePeriod(32), (Period{102400, 33}));
  EXPECT_EQ(LinePeriod(16), (Period{51200, 33}));
}

TEST(Clock, SkippingEqualsStepping) {
  Rng rng = Rng::Stream(TestSeed(), 7);
  for (const Period p : {LinePeriod(32), MakePeriod(20000, 7), LinePeriod(32, 37)}) {
    Clock stepped("s", p);
    Clock skipped("k", p);
    for (int round = 0; round < 2000; ++round) {
      const int64_t target = stepped.next_edge_ps() + static_cast<int64_t>(rng.Below(100'000));
      uint64_t steps = 0;
      for (; stepped.next_edge_ps() < target; ++steps) stepped.Advance();
      ASSERT_EQ(skipped.SkipTo(target), steps);
      ASSERT_EQ(skipped.next_edge_ps(), stepped.next_edge_ps());
      ASSERT_EQ(skipped.next_edge(), stepped.next_edge());
    }
  }
}

// Counts its edges and checks the order of the phases.
class Probe final : public ClockedModel {
 public:
  Probe(const Scheduler& s, std::vector<int64_t>& times) : scheduler_(s), times_(times) {}
  void Settle() override { EXPECT_EQ(phase_++, 0); }
  void Resettle() override { EXPECT_EQ(phase_++, 1); }
  void Sample(EdgeSet) override { EXPECT_EQ(phase_++, 2); }
  void Rise(EdgeSet rising) override {
    EXPECT_EQ(phase_, 3);
    phase_ = 0;
    rising_.push_back(rising);
    times_.push_back(scheduler_.now_ps());
  }
  std::vector<EdgeSet> rising_;

 private:
  const Scheduler& scheduler_;
  std::vector<int64_t>& times_;
  int phase_ = 0;
};

TEST(Scheduler, SeveralClocksInOrderOfTimeAndTogetherWhenTheyCoincide) {
  Scheduler scheduler;
  const EdgeSet fast = scheduler.AddClock(Clock("644", LinePeriod(16)));
  const EdgeSet slow = scheduler.AddClock(Clock("322", LinePeriod(32)));
  const EdgeSet user = scheduler.AddClock(Clock("250", MakePeriod(4000, 1)));
  EXPECT_EQ(scheduler.AddClock(Clock("322 again", LinePeriod(32))), slow);
  std::vector<int64_t> times;
  Probe probe(scheduler, times);
  scheduler.AddModel(&probe, fast | slow | user, true);
  int64_t n[3] = {};
  const Period period[3] = {LinePeriod(16), LinePeriod(32), MakePeriod(4000, 1)};
  for (int i = 0; i < 20'000; ++i) {
    scheduler.Step();
    int64_t first = INT64_MAX;
    for (int c = 0; c < 3; ++c) first = std::min(first, ExactEdgePs(n[c], period[c]));
    EdgeSet due = 0;
    const EdgeSet bit[3] = {fast, slow, user};
    for (int c = 0; c < 3; ++c) {
      if (ExactEdgePs(n[c], period[c]) == first) {
        due |= bit[c];
        ++n[c];
      }
    }
    ASSERT_EQ(times.back(), first);
    ASSERT_EQ(probe.rising_.back(), due);
  }
  EXPECT_EQ(n[0], 2 * n[1] - n[0] % 2);  // every second edge of 644 MHz is one of 322 MHz
}

TEST(Scheduler, ModelsSeeOnlyTheirClocks) {
  Scheduler scheduler;
  const EdgeSet a = scheduler.AddClock(Clock("a", LinePeriod(32)));
  const EdgeSet b = scheduler.AddClock(Clock("b", MakePeriod(4000, 1)));
  std::vector<int64_t> times_a, times_b;
  Probe probe_a(scheduler, times_a), probe_b(scheduler, times_b);
  scheduler.AddModel(&probe_a, a, true);
  scheduler.AddModel(&probe_b, b, true);
  while (scheduler.now_ps() < 10'000'000) scheduler.Step();
  EXPECT_NEAR(static_cast<double>(times_a.size()), 1e7 / LinePeriod(32).ns() / 1000, 2);
  EXPECT_NEAR(static_cast<double>(times_b.size()), 2500, 2);
}

// A bridge's clocks: the slow edges are fast edges, in the same picosecond, forever.
TEST(Scheduler, AHalfClockHasEverySecondEdge) {
  for (const int ppm : {0, 100, -73}) {
    for (const bool odd : {false, true}) {
      Scheduler scheduler;
      const EdgeSet fast =
          scheduler.AddClock(Clock("fast", LinePeriod(16, ppm), Phase{odd ? 3 : 0, 16}));
      const EdgeSet slow = scheduler.AddHalfClock(fast, odd);
      EXPECT_EQ(scheduler.AddHalfClock(fast, odd), slow);
      EXPECT_NE(scheduler.AddHalfClock(fast, !odd), slow);
      std::vector<int64_t> times;
      Probe probe(scheduler, times);
      scheduler.AddModel(&probe, fast | slow, true);
      Rng rng = Rng::Stream(TestSeed(), 11);
      // The half clock of the other kind takes part in steps; it has no separate steps here.
      for (int i = 0; i < 50'000; ++i) {
        scheduler.Step();
        const EdgeSet other = ~(fast | slow);
        const EdgeSet due = i % 2 == (odd ? 1 : 0) ? fast | slow : fast;
        ASSERT_EQ(probe.rising_.back() & ~other, due) << i;
        // Sleeping logic must find the clocks in the same phase.
        if (rng.Below(100) == 0) {
          scheduler.JumpBy(static_cast<int64_t>(rng.Below(1'000'000)));
        }
      }
    }
  }
}

TEST(Scheduler, PhasesMakeClocksDifferent) {
  Scheduler scheduler;
  const EdgeSet a = scheduler.AddClock(Clock("a", LinePeriod(32)));
  EXPECT_EQ(scheduler.AddClock(Clock("same", LinePeriod(32), Phase{0, 32})), a);
  const EdgeSet b = scheduler.AddClock(Clock("b", LinePeriod(32), Phase{8, 32}));
  EXPECT_NE(a, b);
  EXPECT_EQ(scheduler.AddClock(Clock("c", LinePeriod(32), Phase{1, 4})), b);
}

TEST(Scheduler, JumpMovesAllClocksToTheSameTime) {
  Scheduler scheduler;
  const EdgeSet a = scheduler.AddClock(Clock("a", LinePeriod(32)));
  const EdgeSet b = scheduler.AddClock(Clock("b", LinePeriod(32, 50)));
  const int64_t skipped = scheduler.JumpBy(1'000'000'000'000);
  EXPECT_NEAR(static_cast<double>(skipped), 1e12, 4000);
  EXPECT_NEAR(static_cast<double>(scheduler.clock(a).next_edge_ps()),
              static_cast<double>(scheduler.clock(b).next_edge_ps()), 4000);
  EXPECT_EQ(scheduler.JumpBy(0), 0);
}

// The line compared with a plain queue of bits.
TEST(SerialLine, DelaysEveryBitByExactlySoMuch) {
  Rng rng = Rng::Stream(TestSeed(), 3);
  for (const int width : {16, 32}) {
    for (int delay = 0; delay <= 200; ++delay) {
      SerialLine line({.word_bits = width, .delay_ui = delay});
      EXPECT_EQ(line.same_cycle(), delay < width);
      std::deque<int> bits(static_cast<size_t>(delay), 0);
      for (int n = 0; n < 50; ++n) {
        const uint32_t word = rng.Word() & (width == 32 ? ~0u : 0xffffu);
        for (int i = 0; i < width; ++i) bits.push_back(word >> i & 1);
        uint32_t expected = 0;
        for (int i = 0; i < width; ++i) {
          expected |= static_cast<uint32_t>(bits.front()) << i;
          bits.pop_front();
        }
        if (!line.same_cycle()) {
          ASSERT_EQ(line.Output(), expected) << "before the word";
        }
        line.Offer(word);
        ASSERT_EQ(line.Output(), expected) << "delay " << delay << " word " << n;
        line.Commit();
        ASSERT_EQ(line.last_word(), word);
      }
    }
  }
}

TEST(SerialLine, BitErrorsComeAtTheirRate) {
  for (const double rate : {1e-4, 1e-2, 0.3, 1.0}) {
    SerialLine line({.delay_ui = 0, .bit_error_rate = rate, .seed = TestSeed()});
    const int words = 200'000;
    uint64_t turned = 0;
    for (int n = 0; n < words; ++n) {
      line.Offer(0);
      line.Commit();
      turned += static_cast<uint64_t>(std::popcount(line.last_word()));
    }
    EXPECT_EQ(turned, line.bit_errors());
    const double expected = rate * 32 * words;
    EXPECT_NEAR(static_cast<double>(turned), expected, 5 * std::sqrt(expected) + 1) << rate;
  }
}

TEST(SerialLine, ASlipLosesOrRepeatsOneBit) {
  SerialLine line({.delay_ui = 100});
  EXPECT_TRUE(line.Slip(1));
  EXPECT_EQ(line.delay_ui(), 101);
  EXPECT_TRUE(line.Slip(-1));
  EXPECT_TRUE(line.Slip(-1));
  EXPECT_EQ(line.delay_ui(), 99);
  SerialLine shortest({.delay_ui = 32});
  EXPECT_FALSE(shortest.Slip(-1)) << "it would become a same-cycle path";
  EXPECT_EQ(shortest.delay_ui(), 32);
}

TEST(SerialLine, RefusesWhatItCannotBe) {
  EXPECT_THROW(SerialLine({.delay_ui = -1}), std::invalid_argument);
  EXPECT_THROW(SerialLine({.delay_ui = 1'000'000}), std::invalid_argument);
  EXPECT_THROW(SerialLine({.word_bits = 20}), std::invalid_argument);
  EXPECT_THROW(SerialLine({.bit_error_rate = 2}), std::invalid_argument);
}

}  // namespace
}  // namespace ullnic
