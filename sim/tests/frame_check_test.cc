// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Generator, faults, and the link's checks of every frame.

#include <nlohmann/json.hpp>

#include "card/back_pressure.h"
#include "card/rx_monitor.h"
#include "card/tx_driver.h"
#include "core/cycle_histogram.h"
#include "core/frame_tracker.h"
#include "port/fault_port.h"
#include "port/generator_port.h"
#include "test_support.h"

namespace ullnic {
namespace {

using Generator = SeededTest;

GeneratorConfig SmallGenerator() {
  return {.frames = 5000, .min_bytes = 1, .max_bytes = 300, .burst = true, .seed = TestSeed()};
}

TEST_F(Generator, TheSameSeedMakesTheSameFrames) {
  FrameGenerator a(SmallGenerator()), b(SmallGenerator());
  Frame fa, fb;
  size_t n = 0;
  for (; a.Next(fa); ++n) {
    ASSERT_TRUE(b.Next(fb));
    ASSERT_EQ(fa.bytes, fb.bytes);
    ASSERT_EQ(fa.idle_cycles_before, fb.idle_cycles_before);
  }
  EXPECT_EQ(n, 5000u);
  EXPECT_FALSE(b.Next(fb));
}

TEST_F(Generator, TheCheckerCountsWhatFaultsDid) {
  GeneratorConfig config = SmallGenerator();
  config.min_bytes = 30;  // so long that no two frames are alike
  FaultPort source(std::make_unique<GeneratorPort>(config),
                   {.drop = 0.02, .dup = 0.02, .reorder = 0.02, .corrupt = 0.02}, TestSeed());
  FrameChecker checker(config);
  Frame frame;
  while (source.Receive(frame)) checker.Check(Padded(frame.bytes));
  checker.Finish();
  const FaultPort::Counts& c = source.counts();
  const auto report = checker.Report();
  EXPECT_GT(c.dropped, 50u);
  EXPECT_GT(c.duplicated, 50u);
  EXPECT_GT(c.reordered, 50u);
  EXPECT_GT(c.corrupted, 50u);
  // A swap with a corrupted neighbour cannot be detected.
  EXPECT_LE(report["swapped"].get<uint64_t>(), c.reordered);
  EXPECT_GE(report["swapped"].get<uint64_t>() * 4, c.reordered * 3);
  // A corrupted frame counts as missing and, changed, as foreign; twice if it was duplicated too.
  EXPECT_EQ(report["missing"], c.dropped + c.corrupted);
  EXPECT_GE(report["foreign"].get<uint64_t>(), c.corrupted);
  EXPECT_EQ(report["foreign"].get<uint64_t>() + report["doubled"].get<uint64_t>(),
            c.corrupted + c.duplicated);
  EXPECT_EQ(report["matched"].get<uint64_t>() + report["missing"].get<uint64_t>(), 5000u);
}

TEST_F(Generator, TheCheckerFindsNothingWhenAllIsWell) {
  FrameGenerator source(SmallGenerator());
  FrameChecker checker(SmallGenerator());
  Frame frame;
  while (source.Next(frame)) checker.Check(Padded(frame.bytes));
  checker.Finish();
  EXPECT_EQ(checker.faults(), 0u) << checker.Report();
}

TEST(FaultPort, AHeldFrameComesOutOnFlush) {
  FaultPort port(std::make_unique<GeneratorPort>(GeneratorConfig{.frames = 1}), {.reorder = 1}, 1);
  Frame frame;
  EXPECT_TRUE(port.Receive(frame)) << "the only frame has nothing to wait for";
  EXPECT_FALSE(port.Receive(frame));
  EXPECT_TRUE(port.finished());
}

ReceivedFrame GoodFrame(Bytes bytes) {
  ReceivedFrame f;
  f.bytes = std::move(bytes);
  f.verdict.good = true;
  f.sop_edge = 12;
  f.sof_edge = 10;
  return f;
}

TEST(FrameTracker, TellsDeliveredLostAndInventedFramesApart) {
  FrameTracker t;
  for (uint8_t i = 1; i <= 4; ++i) {
    t.Offered(std::make_shared<const Frame>(Frame{.bytes = Bytes(70, i)}), 0, 0, i == 1 ? 100 : 0);
  }
  EXPECT_TRUE(t.Received(GoodFrame(Bytes(70, 1))));
  EXPECT_TRUE(t.Received(GoodFrame(Bytes(70, 3)))) << "2 is lost";
  EXPECT_FALSE(t.Received(GoodFrame(Bytes(70, 9)))) << "never sent";
  ReceivedFrame bad = GoodFrame(Bytes(70, 4));
  bad.verdict = {.good = false, .fcs = true};
  EXPECT_FALSE(t.Received(bad));
  EXPECT_EQ(t.lost(), 1u);
  t.GiveUpPending();
  EXPECT_EQ(t.delivered(), 2u);
  EXPECT_EQ(t.lost(), 2u);
  EXPECT_EQ(t.wrong_as_good(), 1u);
  EXPECT_EQ(t.errors(), 1u);
  EXPECT_EQ(t.sop_to_sop().samples(), 2u);
  EXPECT_EQ(t.sop_to_sop_unqueued().samples(), 1u);
  EXPECT_EQ(t.sop_to_sof().min(), 10);
}

TEST(FrameTracker, TwoClocksAreComparedInPicoseconds) {
  FrameTracker t({.idle_edges = 5, .one_clock = false});
  for (const uint64_t idle_edges : {4u, 5u}) {
    t.Offered(std::make_shared<const Frame>(Frame{.bytes = Bytes(70, 1)}), 1000, 7000, idle_edges);
    ReceivedFrame f = GoodFrame(Bytes(70, 1));
    f.sof_ps = 7777;
    f.sop_ps = 9999;
    EXPECT_TRUE(t.Received(f));
  }
  EXPECT_EQ(t.sop_to_sof().min(), 777);
  EXPECT_EQ(t.sop_to_sop().max(), 2999);
  EXPECT_EQ(t.sop_to_sop_unqueued().samples(), 1u) << "only the one that found it idle";
  EXPECT_DOUBLE_EQ(t.sop_to_sop().NanosecondsJson(Period{1, 1})["min"], 2.999);
}

TEST(FrameTracker, LatencyByPhaseIsOfUnqueuedFramesOnly) {
  FrameTracker t({.idle_edges = 5});
  const auto cross = [&t](uint64_t edge, uint64_t idle_edges, std::optional<int> phase) {
    t.Offered(std::make_shared<const Frame>(Frame{.bytes = Bytes(70, 1)}), edge, 0, idle_edges,
              phase);
    EXPECT_TRUE(t.Received(GoodFrame(Bytes(70, 1))));
  };
  cross(2, 5, 64);
  cross(1, 5, 64);
  cross(0, 5, 0);
  cross(0, 4, 64);  // waited
  cross(0, 5, {});
  ASSERT_EQ(t.by_phase().size(), 2u);
  const Latency& last = t.by_phase().at(64);
  EXPECT_EQ(last.sop_to_sop.counts(), (std::map<int64_t, uint64_t>{{10, 1}, {11, 1}}));
  EXPECT_EQ(last.sop_to_sof.counts(), (std::map<int64_t, uint64_t>{{8, 1}, {9, 1}}));
  EXPECT_EQ(t.by_phase().at(0).sop_to_sop.counts(), (std::map<int64_t, uint64_t>{{12, 1}}));
  EXPECT_EQ(t.sop_to_sop_unqueued().samples(), 4u);
}

TEST(FrameTracker, PaddingMustBeZero) {
  FrameTracker t;
  t.Offered(std::make_shared<const Frame>(Frame{.bytes = {1, 2, 3}}), 0, 0, 0);
  Bytes padded(60);
  padded[0] = 1, padded[1] = 2, padded[2] = 3;
  padded[40] = 1;
  EXPECT_FALSE(t.Received(GoodFrame(padded)));
  padded[40] = 0;
  EXPECT_TRUE(t.Received(GoodFrame(padded)));
}

TEST(CycleHistogram, PercentilesAndExactNanoseconds) {
  CycleHistogram h;
  for (int i = 1; i <= 100; ++i) h.Add(i);
  EXPECT_EQ(h.Percentile(1), 1);
  EXPECT_EQ(h.Percentile(50), 50);
  EXPECT_EQ(h.Percentile(99.9), 100);
  EXPECT_DOUBLE_EQ(h.mean(), 50.5);
  CycleHistogram one;
  one.Add(11);
  EXPECT_DOUBLE_EQ(one.NanosecondsJson(LinePeriod(32))["min"], 34.133333);
  EXPECT_EQ(CycleHistogram().NanosecondsJson(LinePeriod(32))["samples"], 0);
}

// ---- The receive monitor must detect a faulty receiver.

RxUserWord Quiet() { return RxUserWord{}; }
RxUserWord Sof() {
  RxUserWord w{};
  w.sof = true;
  return w;
}
RxUserWord Word(uint32_t data, bool last = false, uint8_t keep = 0xf) {
  RxUserWord w{};
  w.tvalid = true;
  w.tdata = data;
  w.tlast = last;
  w.tkeep = keep;
  return w;
}
RxUserWord Status(bool good) {
  RxUserWord w{};
  w.status_valid = true;
  w.status_good = good;
  w.err_fcs = !good;
  return w;
}

uint64_t Violations(const std::vector<RxUserWord>& words, const RxMonitor::Config& config = {}) {
  RxMonitor monitor(config);
  uint64_t edge = 0;
  for (const RxUserWord& w : words) monitor.Clock(w, edge++, 0);
  monitor.Finish(edge);
  return monitor.violations();
}

TEST(RxMonitor, AcceptsWhatTheContractAllows) {
  EXPECT_EQ(Violations({Sof(), Quiet(), Word(1), Word(2, true), Status(false)}), 0u);
  EXPECT_EQ(Violations({Sof(), Word(0, true, 0), Status(false)}), 0u) << "cut short at once";
}

TEST(RxMonitor, NoticesEveryBrokenRule) {
  EXPECT_GT(Violations({Sof()}), 0u) << "never ends";
  EXPECT_GT(Violations({Sof(), Word(1, true)}), 0u) << "no verdict";
  EXPECT_GT(Violations({Word(1, true), Status(false)}), 0u) << "no start";
  EXPECT_GT(Violations({Sof(), Word(1, true), Status(false), Status(false)}), 0u) << "two verdicts";
  EXPECT_GT(Violations({Sof(), Word(1, false, 7), Word(2, true), Status(false)}), 0u) << "tkeep";
  EXPECT_GT(Violations({Sof(), Word(1, true, 5), Status(false)}), 0u) << "tkeep at the end";
  EXPECT_GT(Violations({Sof(), Sof(), Word(1), Word(1), Word(1), Word(1), Word(1, true),
                        Word(1, true), Status(false), Status(false)}),
            0u)
      << "goes on after the next was announced";
  EXPECT_GT(Violations({Sof(), Word(1), Word(2, true), Status(true)}), 0u) << "wrong FCS as good";
  RxUserWord both = Status(true);
  both.err_code = true;
  EXPECT_GT(Violations({Sof(), Word(1), Word(2, true), both}), 0u) << "good and in error";
}

TEST(RxMonitor, WordsOf16Bits) {
  const RxMonitor::Config config{.word_bytes = 2};
  EXPECT_EQ(
      Violations({Sof(), Quiet(), Word(1, false, 3), Word(2, true, 1), Status(false)}, config), 0u);
  EXPECT_EQ(
      Violations({Sof(), Quiet(), Word(1, false, 3), Word(2, true, 0), Status(false)}, config), 0u);
  for (const uint8_t keep : {0x1, 0x2, 0x7, 0xf}) {
    EXPECT_GT(
        Violations({Sof(), Quiet(), Word(1, false, keep), Word(2, true, 3), Status(false)}, config),
        0u)
        << "keep " << int{keep};
  }
  EXPECT_GT(Violations({Sof(), Quiet(), Word(2, true, 2), Status(false)}, config), 0u);
}

// With a bridge or FIFO the verdict is part of the last word.
RxUserWord LastWithVerdict(bool good, uint8_t keep = 0xf) {
  RxUserWord w = Word(2, true, keep);
  w.status_valid = true;
  w.status_good = good;
  w.err_fcs = !good;
  w.tuser = !good;
  return w;
}

TEST(RxMonitor, VerdictWithTheLastWord) {
  const RxMonitor::Config config{.verdict_with_last = true};
  EXPECT_EQ(Violations({Sof(), Word(1), LastWithVerdict(false)}, config), 0u);
  EXPECT_GT(Violations({Sof(), Word(1), Word(2, true), Status(false)}, config), 0u) << "later";
  RxUserWord silent = LastWithVerdict(false);
  silent.tuser = false;
  EXPECT_GT(Violations({Sof(), Word(1), silent}, config), 0u) << "bad, but not for tuser";
  EXPECT_GT(Violations({Sof(), Status(false), Word(1), LastWithVerdict(false)}, config), 0u);
}

RxUserWord Stalled(RxUserWord w) {
  w.stalled = true;
  return w;
}

TEST(RxMonitor, AWordThatIsNotTakenWaits) {
  const RxMonitor::Config config{.can_wait = true, .verdict_with_last = true};
  const RxUserWord last = LastWithVerdict(false);
  EXPECT_EQ(
      Violations({Sof(), Stalled(Word(1)), Stalled(Word(1)), Word(1), Stalled(last), last}, config),
      0u);
  EXPECT_GT(Violations({Sof(), Stalled(Word(1)), Word(9), last}, config), 0u) << "other data";
  EXPECT_GT(Violations({Sof(), Stalled(Word(1)), Quiet(), Word(1), last}, config), 0u) << "gone";
  EXPECT_GT(Violations({Sof(), Word(1), Stalled(last)}, config), 0u) << "never taken";
  // Each part of a word alone; the verdict's rules hold for the word that is taken.
  const auto changed = [&](RxUserWord first) {
    return Violations({Sof(), Word(1), Stalled(first), last}, config);
  };
  EXPECT_EQ(changed(last), 0u);
  RxUserWord other = last;
  other.tkeep = 7;
  EXPECT_EQ(changed(other), 1u) << "other tkeep";
  other = last;
  other.tuser = false;
  EXPECT_EQ(changed(other), 1u) << "other tuser";
  other = last;
  other.tlast = other.status_valid = false;
  EXPECT_EQ(changed(other), 1u) << "other tlast";
  other = last;
  ++other.tdata;
  EXPECT_EQ(changed(other), 1u) << "other tdata";

  // The start of packet is when the word is valid, not when it is accepted.
  struct Observer final : EndObserver {
    void OnOffer(const FramePtr&, uint64_t, int64_t, uint64_t) override {}
    void OnReceive(ReceivedFrame&& f) override { frame = std::move(f); }
    ReceivedFrame frame;
  } observer;
  RxMonitor monitor(config);
  monitor.set_observer(&observer);
  uint64_t edge = 0;
  for (const RxUserWord& w : {Sof(), Quiet(), Stalled(Word(1)), Word(1), last}) {
    monitor.Clock(w, edge, static_cast<int64_t>(100 * edge));
    ++edge;
  }
  EXPECT_EQ(observer.frame.sop_edge, 2u);
  EXPECT_EQ(observer.frame.sop_ps, 200);
  EXPECT_EQ(observer.frame.sof_ps, 0);
  EXPECT_EQ(observer.frame.bytes.size(), 4u) << "each word once, without the FCS";
}

TEST(TxDriver, SendsEveryByteInWordsOfEitherWidth) {
  Rng rng = Rng::Stream(TestSeed(), 5);
  for (const size_t word_bytes : {2u, 4u}) {
    for (size_t length = 1; length <= 12; ++length) {
      TxDriver driver({.word_bytes = word_bytes});
      const Bytes sent = RandomBytes(length, rng);
      driver.Enqueue(std::make_shared<const Frame>(Frame{.bytes = sent}));
      Bytes got;
      bool ended = false;
      for (uint64_t edge = 0; edge < 100 && !ended; ++edge) {
        const TxUserWord word = driver.word();
        const bool tready = rng.Below(3) != 0;
        if (word.tvalid && tready) {
          for (size_t i = 0; i < 4; ++i) {
            if (word.tkeep >> i & 1) got.push_back(static_cast<uint8_t>(word.tdata >> (8 * i)));
          }
          EXPECT_LT(word.tkeep, 1u << word_bytes);
          EXPECT_EQ(word.tkeep + 1u,
                    1u << std::min(word_bytes, length - got.size() + std::popcount(word.tkeep)));
          ended = word.tlast;
        }
        driver.Clock(tready, edge, 0);
      }
      EXPECT_TRUE(ended);
      EXPECT_EQ(got, sent);
      EXPECT_EQ(driver.backlog(), 0u);
    }
  }
}

TEST(BackPressure, StallsAsOftenAndAsLongAsItIsTold) {
  BackPressure never({});
  BackPressure some({.stall = 0.1, .max_edges = 4, .seed = TestSeed()});
  int stalls = 0, longest = 0, run = 0, edges = 0;
  for (int i = 0; i < 20'000; ++i) {
    EXPECT_TRUE(never.tready());
    run = some.tready() ? 0 : run + 1;
    stalls += run == 1;
    edges += run > 0;
    longest = std::max(longest, run);
    never.Clock();
    some.Clock();
  }
  EXPECT_EQ(longest, 4);
  EXPECT_NEAR(static_cast<double>(edges) / stalls, 2.5, 0.2);
  EXPECT_NEAR(stalls / 20'000.0, 0.1 / (1 + 0.1 * 2.5), 0.01);
}

}  // namespace
}  // namespace ullnic
