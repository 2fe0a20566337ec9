// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// The soak's own checks, against ends that are deliberately faulty: each fault must be detected,
// without false alarms.

#include <gtest/gtest.h>

#include <deque>
#include <set>

#include "card/rx_monitor.h"
#include "card/tx_driver.h"
#include "line/serial_line.h"
#include "partner/crc32.h"
#include "soak/soak_run.h"
#include "soak/way_check.h"

namespace ullnic {
namespace {

constexpr int64_t kUs = 1'000'000;

FramePtr Numbered(uint64_t number, size_t size) {
  Rng rng(number);
  auto frame = std::make_shared<Frame>();
  frame->bytes = NumberedFrame(number, size, rng);
  return frame;
}

ReceivedFrame Arrival(const FramePtr& frame, int64_t sof_ps) {
  ReceivedFrame received;
  received.bytes = Bytes(std::max(frame->bytes.size(), kMinFrameBytes));
  std::copy(frame->bytes.begin(), frame->bytes.end(), received.bytes.begin());
  received.verdict.good = true;
  received.sof_ps = sof_ps;
  return received;
}

TEST(WayCheck, TakesWhatIsRight) {
  WayCheck check("way");
  for (uint64_t n = 0; n < 300; ++n) {
    const FramePtr frame = Numbered(n, 1 + n % 90);
    check.Offered(frame, static_cast<int64_t>(n) * kUs);
    check.Received(Arrival(frame, static_cast<int64_t>(n) * kUs),
                   static_cast<int64_t>(n) * kUs + 1);
  }
  check.Finish();
  EXPECT_EQ(check.failure(), "");
  EXPECT_EQ(check.delivered(), 300u);
  EXPECT_EQ(check.lost(), 0u);
}

TEST(WayCheck, SeesADamagedFrameThatPassesAsGood) {
  for (const size_t at : {0u, 30u, 63u}) {
    WayCheck check("way");
    check.Cause(kUs);  // no cause excuses it
    const FramePtr frame = Numbered(1, 64);
    check.Offered(frame, kUs);
    ReceivedFrame received = Arrival(frame, kUs);
    received.bytes[at] ^= 0x10;
    check.Received(received, 2 * kUs);
    EXPECT_NE(check.failure().find("passed as good"), std::string::npos) << "byte " << at;
  }
}

TEST(WayCheck, SeesWrongPaddingLengthDoubleAndOrder) {
  const FramePtr first = Numbered(1, 20), second = Numbered(2, 64);
  const auto failure = [&](const std::vector<ReceivedFrame>& arrivals) {
    WayCheck check("way");
    check.Offered(first, kUs);
    check.Offered(second, kUs);
    check.Cause(kUs);
    for (const ReceivedFrame& frame : arrivals) check.Received(frame, 2 * kUs);
    check.Finish();
    return check.failure();
  };
  ReceivedFrame padded = Arrival(first, kUs), cut = Arrival(second, kUs), longer = cut;
  padded.bytes[40] = 1;
  cut.bytes.pop_back();
  longer.bytes.push_back(0);
  EXPECT_EQ(failure({Arrival(first, kUs), Arrival(second, kUs)}), "");
  EXPECT_EQ(failure({Arrival(second, kUs)}), "");  // the first was lost, with a cause
  EXPECT_NE(failure({padded}), "");
  EXPECT_NE(failure({cut}), "");
  EXPECT_NE(failure({longer}), "");
  EXPECT_NE(failure({Arrival(first, kUs), Arrival(first, kUs)}), "");
  EXPECT_NE(failure({Arrival(second, kUs), Arrival(first, kUs)}), "");
}

TEST(WayCheck, ALossOrABadMarkNeedsACause) {
  for (const bool marked : {false, true}) {
    for (const int64_t cause_us : {-1, 5, 99, 101, 110, 200}) {
      SCOPED_TRACE(::testing::Message() << "marked " << marked << " cause " << cause_us);
      WayCheck check("way");
      // Before the frame, or (an overflow is reported late) soon after its end.
      const bool excuses = cause_us >= 99 && cause_us < 200;
      if (cause_us >= 0 && cause_us < 105) check.Cause(cause_us * kUs);
      check.Offered(Numbered(1, 64), 100 * kUs);
      if (marked) {
        ReceivedFrame received;
        received.sof_ps = 101 * kUs;
        check.Received(received, 102 * kUs);
      }
      check.Offered(Numbered(2, 64), 102 * kUs);
      check.Received(Arrival(Numbered(2, 64), 102 * kUs), 103 * kUs);
      for (int64_t us = 104; us < 300; ++us) {
        if (us == cause_us) check.Cause(us * kUs);
        check.Judge(us * kUs);
      }
      EXPECT_EQ(check.failure().empty(), excuses) << check.failure();
      EXPECT_EQ(check.lost(), 1u);
      EXPECT_EQ(check.bad(), marked ? 1u : 0u);
    }
  }
}

// The result of a receiver with MAC_RX_MIN_PKT_LENGTH = `runt_bytes` for a frame padded to
// `padded`.
ReceivedFrame ArrivalOf(const FramePtr& frame, size_t padded, size_t runt_bytes) {
  ReceivedFrame received;
  received.bytes = frame->bytes;
  received.bytes.resize(std::max(frame->bytes.size(), padded));
  received.verdict.runt = received.bytes.size() + kFcsBytes < runt_bytes;
  received.verdict.good = !received.verdict.runt;
  received.sof_ps = kUs;
  return received;
}

TEST(WayCheck, KnowsTheGenericsOfPaddingAndRunts) {
  for (const size_t padded : {12u, 60u, 252u}) {
    for (const size_t runt_bytes : {8u, 64u, 65u, 128u}) {
      SCOPED_TRACE(::testing::Message()
                   << "padded to " << padded << ", runts below " << runt_bytes);
      const WayCheck::Rules rules{.min_bytes = padded, .runt_bytes = runt_bytes};
      WayCheck check("way", rules);
      const auto failure = [&](const FramePtr& frame, const ReceivedFrame& received) {
        WayCheck one("way", rules);
        one.Offered(frame, kUs);
        one.Received(received, 2 * kUs);
        one.Finish();
        return one.failure();
      };
      for (uint64_t n = 0; n < 300; ++n) {
        const FramePtr frame = Numbered(n, 1 + n);
        const ReceivedFrame right = ArrivalOf(frame, padded, runt_bytes);
        check.Offered(frame, kUs);
        check.Received(right, 2 * kUs);
        ReceivedFrame other = right;
        std::swap(other.verdict.good, other.verdict.runt);
        EXPECT_NE(failure(frame, other), "") << 1 + n;
        other = right;
        other.bytes.push_back(0);  // padded to one byte more
        EXPECT_NE(failure(frame, other), "") << 1 + n;
        other = right;
        other.bytes[0] ^= 1;
        EXPECT_NE(failure(frame, other), "") << 1 + n;
        other = right;
        other.verdict.good = false;
        other.verdict.fcs = true;
        EXPECT_NE(failure(frame, other), "") << 1 + n;
      }
      check.Finish();
      EXPECT_EQ(check.failure(), "");
      EXPECT_EQ(check.delivered(), 300u);
      EXPECT_EQ(check.lost() + check.bad(), 0u);
    }
  }
}

TEST(WayCheck, WithoutFcsCheckOnlyACauseExcusesDamage) {
  for (const bool cause : {false, true}) {
    WayCheck check("way", {.fcs_checked = false});
    const FramePtr frame = Numbered(1, 64);
    if (cause) check.Cause(kUs);
    check.Offered(frame, kUs);
    ReceivedFrame received = Arrival(frame, kUs);
    received.bytes[30] ^= 0x10;
    check.Received(received, 2 * kUs);
    check.Received(Arrival(frame, kUs), 2 * kUs);  // so none is lost, one is too many
    check.Finish();
    EXPECT_EQ(check.failure().empty(), cause) << check.failure();
    EXPECT_EQ(check.bad(), 1u);
    EXPECT_EQ(check.lost(), 0u);
    EXPECT_EQ(check.delivered(), 1u);
  }
}

enum class Wrong { kNothing, kDamagesAsGood, kLoses, kMarksBad, kNeverUp, kGoesDown, kHangs };

std::vector<std::vector<size_t>> g_lengths;  // sent, by each destroyed FakeEnd

// Passes its frames to the other end without a line, with one fault at frame 70.
class FakeEnd final : public Card {
 public:
  FakeEnd(Wrong wrong, const Scheduler& scheduler) : wrong_(wrong), scheduler_(scheduler) {}
  void Join(FakeEnd* other) { other_ = other; }
  ~FakeEnd() override { g_lengths.push_back(lengths_); }

  void SetReset(ResetSet) override {}
  void SetBackPressure(const BackPressureConfig&) override {}
  void FinishMonitor() override {}
  const RxMonitor& monitor() const override { return monitor_; }
  void Send(FramePtr frame) override { queue_.push_back(std::move(frame)); }
  size_t tx_backlog() const override { return queue_.size(); }
  bool rx_idle() const override { return true; }
  bool block_lock() const override {
    return wrong_ != Wrong::kNeverUp && !(wrong_ == Wrong::kGoesDown && count_ > 70);
  }
  const EndCounters& counters() const override { return counters_; }
  void set_observer(EndObserver* observer) override { observer_ = observer; }
  void Settle() override {}
  void Rise(EdgeSet) override {}
  void Sample(EdgeSet rising) override {
    if (!(rising & 1) || queue_.empty() || ++wait_ < 200) return;
    if (wrong_ == Wrong::kHangs && count_ == 70) return;
    wait_ = 0;
    const int64_t now = scheduler_.now_ps();
    const FramePtr frame = queue_.front();
    queue_.pop_front();
    observer_->OnOffer(frame, 0, now, 0);
    lengths_.push_back(frame->bytes.size());
    ReceivedFrame received = Arrival(frame, now);
    if (count_++ == 70) {
      if (wrong_ == Wrong::kLoses) return;
      if (wrong_ == Wrong::kMarksBad) received.verdict = {.good = false, .fcs = true};
      if (wrong_ == Wrong::kDamagesAsGood) received.bytes.back() ^= 1;
    }
    other_->observer_->OnReceive(std::move(received));
  }

 private:
  Wrong wrong_;
  const Scheduler& scheduler_;
  FakeEnd* other_ = nullptr;
  std::deque<FramePtr> queue_;
  EndObserver* observer_ = nullptr;
  EndCounters counters_;
  RxMonitor monitor_;
  std::vector<size_t> lengths_;
  int count_ = 0;
  int wait_ = 0;
};

// Frames 0 to 39 while it is disturbed, then 60 that must arrive.
constexpr SoakConfig kFakeSoak{.frames = 40, .episodes = 1, .clean_frames = 60};

SoakResult RunFake(Wrong wrong, const SoakConfig& config = kFakeSoak) {
  g_lengths.clear();
  FakeEnd* made = nullptr;
  const SoakCards cards{
      CardInfo{"fake", 32, 32, 32, "tx", "rx", 282, false, false, false},
      [&](const CardConfig&, const Scheduler& scheduler, SerialLine&, SerialLine&) {
        auto end = std::make_unique<FakeEnd>(made == nullptr ? wrong : Wrong::kNothing, scheduler);
        if (made != nullptr) {
          made->Join(end.get());
          end->Join(made);
        }
        made = end.get();
        return end;
      }};
  return SoakRun(cards, config).Run();
}

TEST(SoakRun, HasNothingAgainstAGoodLink) {
  const SoakResult result = RunFake(Wrong::kNothing);
  EXPECT_EQ(result.failure, "");
  EXPECT_EQ(result.sent, 200u);
  EXPECT_EQ(result.delivered, 200u);
}

TEST(SoakRun, SeesEachWrong) {
  const std::pair<Wrong, const char*> wrongs[] = {
      {Wrong::kDamagesAsGood, "passed as good"}, {Wrong::kLoses, "lost without a cause"},
      {Wrong::kMarksBad, "marked bad without"},  {Wrong::kNeverUp, "the link is down"},
      {Wrong::kGoesDown, "the link went down"},  {Wrong::kHangs, "no frame is taken"}};
  for (const auto& [wrong, text] : wrongs) {
    const SoakResult result = RunFake(wrong);
    EXPECT_NE(result.failure.find(text), std::string::npos) << text << ": " << result.failure;
  }
}

TEST(SoakRun, StepsThroughEveryLength) {
  SoakConfig config = kFakeSoak;
  config.min_bytes = 405;
  config.max_bytes = 524;
  config.step_bytes = 77;
  config.episodes = 2;
  std::set<size_t> passed[2];
  // Each run continues where the last one stopped: three of 40 make 120 lengths.
  for (uint32_t run = 0; run < 3; ++run) {
    config.first_bytes = 405 + (100 + run * 40 * 77) % 120;
    const SoakResult result = RunFake(Wrong::kNothing, config);
    EXPECT_EQ(result.failure, "");
    EXPECT_EQ(result.lengths, 40u);
    ASSERT_EQ(g_lengths.size(), 2u);
    for (int way = 0; way < 2; ++way) {
      EXPECT_EQ(g_lengths[way][0], config.first_bytes);
      const auto first = g_lengths[way].begin(), second = first + 20 + kFakeSoak.clean_frames;
      passed[way].insert(first, first + 20);
      passed[way].insert(second, second + 20);
    }
  }
  for (const auto& lengths : passed) {
    EXPECT_EQ(lengths.size(), 120u);
    EXPECT_EQ(*lengths.begin(), 405u);
    EXPECT_EQ(*lengths.rbegin(), 524u);
  }
  EXPECT_EQ(RunFake(Wrong::kNothing).lengths, 0u);
}

TEST(SerialLine, ASignalThatIsLostComesBack) {
  using Signal = SerialLine::Signal;
  SerialLine line({.word_bits = 16, .delay_ui = 32});
  uint32_t noise_or = 0;
  const auto last = [&] {
    line.Offer(0x1234);
    line.Commit();
    return line.last_word();
  };
  EXPECT_EQ(last(), 0x1234u);
  line.set_signal(Signal::kZeros);
  EXPECT_EQ(last(), 0u);
  line.set_signal(Signal::kOnes);
  EXPECT_EQ(last(), 0xffffu);
  line.set_signal(Signal::kNoise);
  for (int i = 0; i < 10; ++i) noise_or |= last() ^ 0x1234;
  EXPECT_NE(noise_or, 0u);
  EXPECT_LE(noise_or, 0xffffu);
  line.set_signal(Signal::kSender);
  EXPECT_EQ(last(), 0x1234u);
  EXPECT_EQ(line.bit_errors(), 0u);
}

TEST(TxDriver, AResetGivesUpTheFrameThatWasBegun) {
  TxDriver driver;
  for (uint64_t n = 0; n < 2; ++n) driver.Enqueue(Numbered(n, 64));
  for (uint64_t edge = 0; edge < 5; ++edge) driver.Clock(true, edge, 0);
  EXPECT_TRUE(driver.word().tvalid);
  driver.Reset();
  EXPECT_FALSE(driver.word().tvalid);
  EXPECT_EQ(driver.backlog(), 1u);
  driver.Reset();  // nothing has been started since
  EXPECT_EQ(driver.backlog(), 1u);
  driver.Clock(true, 6, 0);
  EXPECT_EQ(driver.word().tdata & 0xff, 1u);  // the second frame, from its first word
}

// The card's input for a frame of n bytes.
Bytes Driven(TxFcs fcs, size_t min_bytes, const FramePtr& frame, size_t word_bytes) {
  TxDriver driver({.word_bytes = word_bytes, .fcs = fcs, .min_bytes = min_bytes});
  driver.Enqueue(frame);
  Bytes bytes;
  for (uint64_t edge = 0; driver.backlog() > 0; ++edge) {
    const TxUserWord word = driver.word();
    for (size_t i = 0; word.tvalid && i < word_bytes; ++i) {
      if (word.tkeep >> i & 1) bytes.push_back(static_cast<uint8_t>(word.tdata >> (8 * i)));
    }
    driver.Clock(true, edge, 0);
  }
  return bytes;
}

TEST(TxDriver, GivesTheFcsWhereTheUserHasTo) {
  for (const size_t word_bytes : {2u, 4u}) {
    for (size_t size = 1; size < 100; ++size) {
      const FramePtr frame = Numbered(size, size);
      Bytes padded = frame->bytes;
      padded.resize(std::max<size_t>(size, 44));
      EXPECT_EQ(Driven(TxFcs::kAdded, 44, frame, word_bytes), frame->bytes);
      Bytes given = Driven(TxFcs::kFromUser, 44, frame, word_bytes);
      EXPECT_TRUE(partner::FcsIsGood(given)) << size;
      given.resize(given.size() - kFcsBytes);
      EXPECT_EQ(given, padded);
      given = Driven(TxFcs::kReplaced, 44, frame, word_bytes);
      EXPECT_FALSE(partner::FcsIsGood(given)) << size;
      given.resize(given.size() - kFcsBytes);
      EXPECT_EQ(given, frame->bytes);
    }
  }
}

RxUserWord StartOfFrame() {
  RxUserWord word{};
  word.sof = true;
  return word;
}

RxUserWord DataWord(bool stalled) {
  RxUserWord word{};
  word.tkeep = 0xf;
  word.tvalid = true;
  word.stalled = stalled;
  return word;
}

// A frame of two words whose end is late, after the start of the next one has been signalled.
uint64_t ViolationsOfALateEnd(bool user_stalls, int edges) {
  RxMonitor::Config config;
  config.can_wait = config.verdict_with_last = true;
  RxMonitor monitor(config);
  uint64_t edge = 0;
  monitor.Clock(StartOfFrame(), edge++, 0);
  monitor.Clock(DataWord(false), edge++, 0);
  monitor.Clock(StartOfFrame(), edge++, 0);
  RxUserWord end = DataWord(true);
  end.tlast = end.tuser = true;
  for (int i = 0; i < edges; ++i) monitor.Clock(user_stalls ? end : RxUserWord{}, edge++, 0);
  end.stalled = false;
  end.status_valid = end.err_fcs = true;
  monitor.Clock(end, edge++, 0);
  return monitor.violations();
}

TEST(RxMonitor, AFrameMayWaitForItsUserButNotForTheReceiver) {
  EXPECT_EQ(ViolationsOfALateEnd(true, 200), 0u);
  EXPECT_EQ(ViolationsOfALateEnd(false, 200), 1u);
  EXPECT_EQ(ViolationsOfALateEnd(false, 1), 0u);
}

TEST(RxMonitor, AResetForgetsWhatWasUnderWay) {
  RxMonitor::Config config;
  config.can_wait = config.verdict_with_last = true;
  RxMonitor monitor(config);
  monitor.Clock(StartOfFrame(), 0, 0);
  monitor.Clock(DataWord(true), 1, 0);
  EXPECT_FALSE(monitor.idle());
  monitor.Reset();
  EXPECT_TRUE(monitor.idle());
  monitor.Clock({}, 2, 0);
  monitor.Finish(3);
  EXPECT_EQ(monitor.violations(), 0u) << monitor.first_violation();
}

}  // namespace
}  // namespace ullnic
