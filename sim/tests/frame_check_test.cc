// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Generator, faults, and the checks that the link runs on every frame.

#include "card/rx_monitor.h"
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
  // A swap with a corrupted neighbour cannot be seen.
  EXPECT_LE(report["swapped"].get<uint64_t>(), c.reordered);
  EXPECT_GE(report["swapped"].get<uint64_t>() * 4, c.reordered * 3);
  // A corrupted frame is missing as it was and foreign as it is; twice if it was doubled too.
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
    t.Offered(std::make_shared<const Frame>(Frame{.bytes = Bytes(70, i)}), 0, i == 1 ? 100 : 0);
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

TEST(FrameTracker, PaddingMustBeZero) {
  FrameTracker t;
  t.Offered(std::make_shared<const Frame>(Frame{.bytes = {1, 2, 3}}), 0, 0);
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

// ---- The receive monitor must notice what a broken receiver does.

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

uint64_t Violations(const std::vector<RxUserWord>& words) {
  RxMonitor monitor;
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

}  // namespace
}  // namespace ullnic
