// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Every configuration of the card that is built, against the link partner: tests beyond the sweep
// of latencies (tests/measure).

#include <algorithm>

#include "core/frame_tracker.h"
#include "core/user_error.h"
#include "test_support.h"

namespace ullnic {
namespace {

using partner::WireFrame;

class EveryConfig : public SeededTest, public ::testing::WithParamInterface<std::string> {
 protected:
  PartnerBench::Config Bench() const { return {.card = GetParam()}; }
  static void ExpectNoViolation(PartnerBench& bench) {
    bench.rtl().FinishMonitor();
    EXPECT_EQ(bench.rtl().monitor().violations(), 0u) << bench.rtl().monitor().first_violation();
  }
};

TEST_P(EveryConfig, IsWhatItsNameSays) {
  const CardInfo info = CardLibrary(GetParam()).info();
  const std::string& name = GetParam();
  EXPECT_EQ(info.name, name);
  const auto has = [&](const char* part) { return name.find(part) != std::string::npos; };
  EXPECT_EQ(info.pma_bits, has("pma16") ? 16 : 32);
  EXPECT_EQ(info.tx_user_bits, has("mac16") ? 16 : 32);
  EXPECT_EQ(info.rx_user_bits, has("mac16") ? 16 : 32);
  EXPECT_EQ(info.tx_fifo, has("txrxfifo"));
  EXPECT_EQ(info.rx_fifo, has("rxfifo"));
  EXPECT_EQ(info.transceiver_ui, has("pma16") ? 160 : 282);
  // The user's clock matches the width of its words, or is a separate clock.
  Scheduler scheduler;
  const EdgeSet tx = scheduler.AddClock(Clock("tx", LinePeriod(info.pma_bits)));
  const EdgeSet rx = scheduler.AddClock(Clock("rx", LinePeriod(info.pma_bits, 100)));
  const CardClocks clocks = JoinClocks(info, scheduler, tx, rx);
  const Period user = scheduler.clock(clocks.tx_user).period();
  EXPECT_EQ(user, has("txrxfifo") ? KilohertzPeriod(350'000) : LinePeriod(info.tx_user_bits));
  // Without FIFO the receiving user is on the recovered clock, with it on its own.
  const Period rx_user = scheduler.clock(clocks.rx_user).period();
  EXPECT_EQ(rx_user, info.rx_fifo ? user : LinePeriod(info.rx_user_bits, 100));
}

TEST_P(EveryConfig, TransmitsEveryLengthWithAndWithoutGaps) {
  PartnerBench bench(Bench());
  ASSERT_TRUE(bench.Lock());
  std::deque<Bytes> sent;
  for (size_t length = 1; length <= 100; ++length) {
    for (int round = 0; round < 4; ++round) {
      Frame frame;
      frame.bytes = RandomBytes(length, rng_);
      frame.idle_cycles_before = static_cast<uint32_t>(rng_.Below(2) == 0 ? 0 : rng_.Below(70));
      sent.push_back(frame.bytes);
      bench.SendFromRtl(std::move(frame));
    }
  }
  for (const size_t length : {1514u, 9618u}) {
    sent.push_back(RandomBytes(length, rng_));
    bench.SendFromRtl({.bytes = sent.back()});
  }
  bench.Drain();
  ASSERT_EQ(bench.decoded().size(), sent.size());
  for (size_t i = 0; i < sent.size(); ++i) {
    ASSERT_TRUE(bench.decoded()[i].good) << "frame " << i;
    ASSERT_EQ(bench.decoded()[i].bytes, Padded(sent[i])) << "frame " << i;
  }
  EXPECT_EQ(bench.decoder().breaches(), 0u) << bench.decoder().first_breach();
  EXPECT_EQ(bench.rtl().counters().tx_underruns, 0u);
}

// A user's word with tuser causes a bad FCS on the line, whatever is between.
TEST_P(EveryConfig, PoisonsAFrameOnlyWhenTold) {
  PartnerBench bench(Bench());
  ASSERT_TRUE(bench.Lock());
  for (int i = 0; i < 60; ++i) {
    const auto words = static_cast<uint64_t>(20);
    const bool poison = i % 3 == 1;
    bench.SendFromRtl({.bytes = RandomBytes(words * 4, rng_),
                       .breach = poison ? Frame::Breach::kUserError : Frame::Breach::kNone,
                       .breach_word = static_cast<uint32_t>(rng_.Below(words))});
  }
  bench.Drain();
  ASSERT_EQ(bench.decoded().size(), 60u);
  // The published generics have MAC_TX_CRC32_CORRUPTED_ON_ERROR = 0: s_axis_tuser is ignored.
  const bool obeyed = GetParam().find("theirs") == std::string::npos;
  for (size_t i = 0; i < 60; ++i) {
    EXPECT_EQ(bench.decoded()[i].good, !obeyed || i % 3 != 1) << "frame " << i;
  }
}

TEST_P(EveryConfig, ReceivesEveryLengthInEitherLaneWithClocksApart) {
  const bool own_clock = CardLibrary(GetParam()).info().rx_fifo;
  for (int offset = 0; offset < 66; offset += 11) {
    for (const int ppm : {0, 200, -200}) {
      if (ppm != 0 && !own_clock && offset != 0) continue;  // everything is on one clock
      SCOPED_TRACE(::testing::Message() << "offset " << offset << " ppm " << ppm);
      PartnerBench::Config config = Bench();
      config.to_rtl_delay_ui = 64 + offset;
      config.ppm = ppm;
      config.user_ppm = -ppm;
      PartnerBench bench(config);
      ASSERT_TRUE(bench.Lock());
      std::vector<Bytes> sent;
      for (int i = 0; i < 200; ++i) {
        WireFrame frame;
        frame.bytes = RandomBytes(i == 100 ? 9618 : 60 + rng_.Below(40), rng_);
        frame.start_lane = static_cast<int>(rng_.Below(3)) * 4 - 4;
        frame.gap_octets = static_cast<uint32_t>(rng_.Below(2) == 0 ? 0 : rng_.Below(200));
        if (frame.start_lane < 0) frame.start_lane = -1;
        sent.push_back(frame.bytes);
        bench.SendFromPartner(std::move(frame));
      }
      bench.Drain();
      ASSERT_EQ(bench.received().size(), sent.size());
      for (size_t i = 0; i < sent.size(); ++i) {
        ASSERT_TRUE(bench.received()[i].verdict.good) << "frame " << i;
        ASSERT_EQ(bench.received()[i].bytes, sent[i]) << "frame " << i;
      }
      EXPECT_EQ(bench.rtl().counters().rx_overflows, 0u);
      ExpectNoViolation(bench);
    }
  }
}

// Errors on the line: no bad frame passes as good, and afterwards everything arrives.
TEST_P(EveryConfig, GetsOverBitErrors) {
  PartnerBench bench(Bench());
  ASSERT_TRUE(bench.Lock());
  FrameTracker tracker;
  const auto traffic = [&](int frames) {
    for (int i = 0; i < frames; ++i) {
      auto frame = std::make_shared<Frame>();
      frame->bytes = RandomBytes(rng_.Range(1, 200), rng_);
      tracker.Offered(frame, 0, 0, 0);
      bench.partner().Send(frame);
    }
    bench.Drain();
    for (; !bench.received().empty(); bench.received().pop_front()) {
      tracker.Received(bench.received().front());
    }
  };
  bench.to_rtl().set_bit_error_rate(1e-3);
  traffic(300);
  bench.to_rtl().set_bit_error_rate(0);
  // A high bit error ratio lasts for up to 125 us.
  for (int i = 0; i < 400'000 && !bench.rtl().block_lock(); ++i) bench.Step();
  ASSERT_TRUE(bench.rtl().block_lock()) << "no link on a clean line";
  traffic(1);  // until the last loss is reported
  tracker.GiveUpPending();
  const uint64_t errors = tracker.errors();
  const uint64_t delivered = tracker.delivered();
  EXPECT_GT(errors, 20u);
  traffic(100);
  EXPECT_EQ(tracker.delivered(), delivered + 100);
  EXPECT_EQ(tracker.errors(), errors);
  EXPECT_EQ(tracker.wrong_as_good(), 0u);
  ExpectNoViolation(bench);
}

// A user that cannot always accept a word. With a FIFO, short stalls lose nothing; a user that is
// too slow loses frames, each of them counted, and no bad frame passes as good. Without a FIFO,
// tready is ignored.
TEST_P(EveryConfig, BackPressure) {
  const bool fifo = CardLibrary(GetParam()).info().rx_fifo;
  for (const bool too_slow : {false, true}) {
    SCOPED_TRACE(too_slow ? "too slow" : "now and then");
    PartnerBench::Config config = Bench();
    config.back_pressure = {
        .stall = too_slow ? 0.05 : 0.01, .max_edges = too_slow ? 20u : 1u, .seed = TestSeed()};
    PartnerBench bench(config);
    ASSERT_TRUE(bench.Lock());
    FrameTracker tracker;
    for (int i = 0; i < 400; ++i) {
      auto frame = std::make_shared<Frame>();
      frame->bytes = RandomBytes(rng_.Range(60, 200), rng_);
      frame->idle_cycles_before = 40;
      tracker.Offered(frame, 0, 0, 0);
      bench.partner().Send(frame);
    }
    bench.Drain();
    bench.Step(3000);
    for (auto& frame : bench.received()) tracker.Received(frame);
    tracker.GiveUpPending();
    EXPECT_EQ(tracker.wrong_as_good(), 0u);
    const uint64_t overflows = bench.rtl().counters().rx_overflows;
    EXPECT_EQ(tracker.delivered() + overflows, 400u);
    if (too_slow && fifo) {
      EXPECT_GT(overflows, 10u);
      EXPECT_GT(tracker.delivered(), 0u);
    } else {
      EXPECT_EQ(overflows, 0u);
    }
    ExpectNoViolation(bench);
  }
}

INSTANTIATE_TEST_SUITE_P(Cards, EveryConfig, ::testing::ValuesIn(CardLibrary::Names()),
                         [](const auto& test) { return test.param; });

TEST(CardLibrary, AnUnknownConfigurationIsRefusedWithTheChoices) {
  try {
    CardLibrary("nonsense");
    FAIL();
  } catch (const UserError& error) {
    EXPECT_NE(std::string(error.what()).find("nonsense"), std::string::npos);
    EXPECT_NE(std::string(error.remedy()).find(kDefaultCard), std::string::npos);
  }
}

TEST(JoinClocks, RefusesAClockThatItDoesNotKnow) {
  CardInfo info = CardLibrary(kDefaultCard).info();
  for (const char* text : {"", "fast", "350000", "350MHz", "-1kHz", "0kHz", "tx/3"}) {
    Scheduler scheduler;
    const EdgeSet tx = scheduler.AddClock(Clock("tx", LinePeriod(32)));
    info.rx_user_clock = text;
    EXPECT_THROW(JoinClocks(info, scheduler, tx, tx), UserError) << text;
  }
}

}  // namespace
}  // namespace ullnic
