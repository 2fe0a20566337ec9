// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// The card's receiver, fed by the link partner's encoder: good traffic at every bit offset, then
// noise, bit slips and loss of signal.

#include "core/frame_tracker.h"
#include "test_support.h"

namespace ullnic {
namespace {

using partner::WireFrame;

class RtlReceiver : public SeededTest {};

// All 66 offsets x both start lanes x every length modulo 8 x back to back or with a gap.
TEST_F(RtlReceiver, EveryOffsetLaneLengthAndGap) {
  for (int offset = 0; offset < 66; ++offset) {
    SCOPED_TRACE(::testing::Message() << "offset " << offset);
    PartnerBench bench(64 + offset);
    ASSERT_TRUE(bench.Lock());
    std::vector<Bytes> sent;
    std::vector<WireFrame> frames;
    for (const int lane : {0, 4, -1}) {
      for (size_t length = 60; length < 76; ++length) {
        for (const uint32_t gap : {0u, 5u, 24u}) {
          WireFrame frame;
          frame.bytes = RandomBytes(length, rng_);
          frame.start_lane = lane;
          frame.gap_octets = gap + static_cast<uint32_t>(gap == 24 ? rng_.Below(200) : 0);
          frames.push_back(std::move(frame));
        }
      }
    }
    for (size_t i = frames.size(); i > 1; --i) std::swap(frames[i - 1], frames[rng_.Below(i)]);
    for (WireFrame& frame : frames) {
      sent.push_back(frame.bytes);
      bench.SendFromPartner(std::move(frame));
      if (rng_.Below(4) == 0) bench.partner().transmitter().encoder().EnqueueOrderedSet(0x010000);
    }
    bench.Drain();
    ASSERT_EQ(bench.received().size(), sent.size());
    for (size_t i = 0; i < sent.size(); ++i) {
      ASSERT_TRUE(bench.received()[i].verdict.good) << "frame " << i;
      ASSERT_EQ(bench.received()[i].bytes, sent[i]) << "frame " << i;
    }
    bench.rtl().FinishMonitor();
    ASSERT_EQ(bench.rtl().monitor().violations(), 0u) << bench.rtl().monitor().first_violation();
    ASSERT_EQ(bench.rtl().counters().rx_bad_blocks, 0u);
  }
}

TEST_F(RtlReceiver, LongFrames) {
  PartnerBench bench;
  ASSERT_TRUE(bench.Lock());
  for (const size_t length : {1514u, 9000u, 9617u, 9618u}) {
    WireFrame frame;
    frame.bytes = RandomBytes(length, rng_);
    const Bytes sent = frame.bytes;
    bench.SendFromPartner(std::move(frame));
    bench.Drain();
    ASSERT_EQ(bench.received().size(), 1u);
    EXPECT_TRUE(bench.received()[0].verdict.good);
    EXPECT_EQ(bench.received()[0].bytes, sent);
    bench.received().clear();
  }
}

// Traffic with `harm` before each step; then clean traffic, all of which must arrive.
class NoisyLine : public RtlReceiver {
 protected:
  void Run(uint64_t cycles, const std::function<void(PartnerBench&)>& harm, int offset) {
    PartnerBench bench(300 + offset);
    ASSERT_TRUE(bench.Lock());
    FrameTracker tracker;
    const auto feed = [&] {
      while (bench.partner().tx_backlog() < 3) {
        auto frame = std::make_shared<Frame>();
        frame->bytes = RandomBytes(rng_.Range(1, 300), rng_);
        if (rng_.Below(3) == 0) frame->idle_cycles_before = static_cast<uint32_t>(rng_.Below(40));
        tracker.Offered(frame, 0, 0, 0);
        bench.partner().Send(frame);
      }
    };
    const auto collect = [&] {
      for (; !bench.received().empty(); bench.received().pop_front()) {
        tracker.Received(bench.received().front());
      }
    };
    for (uint64_t i = 0; i < cycles; ++i) {
      feed();
      harm(bench);
      bench.Step();
      collect();
    }
    bench.to_rtl().set_bit_error_rate(0);
    bench.Step(100);  // the harm that is on the line can still set hi_ber
    for (int i = 0; i < 100'000 && !bench.rtl().block_lock(); ++i) bench.Step();
    ASSERT_TRUE(bench.rtl().block_lock()) << "no lock on a clean line";
    bench.Drain();
    collect();
    EXPECT_EQ(tracker.wrong_as_good(), 0u);
    tracker.GiveUpPending();
    const uint64_t delivered = tracker.delivered();
    const uint64_t errors = tracker.errors();
    for (int i = 0; i < 60; ++i) {
      feed();
      bench.Drain();
    }
    collect();
    EXPECT_GE(tracker.delivered(), delivered + 60) << "frames lost on a clean line";
    EXPECT_EQ(tracker.pending(), 0u);
    EXPECT_EQ(tracker.errors(), errors) << "errors on a clean line";
    bench.rtl().FinishMonitor();
    EXPECT_EQ(bench.rtl().monitor().violations(), 0u) << bench.rtl().monitor().first_violation();
    errors_ += tracker.errors();
    lock_losses_ += bench.rtl().counters().rx_lock_losses;
  }
  uint64_t errors_ = 0;
  uint64_t lock_losses_ = 0;
};

TEST_F(NoisyLine, BitErrors) {
  for (const double rate : {1e-5, 1e-4, 1e-3, 1e-2, 5e-2, 0.3}) {
    for (int offset = 0; offset < 66; offset += 13) {
      SCOPED_TRACE(::testing::Message() << "rate " << rate << " offset " << offset);
      bool set = false;
      Run(
          8'000,
          [&](PartnerBench& bench) {
            if (!set) bench.to_rtl().set_bit_error_rate(rate);
            set = true;
          },
          offset);
    }
  }
  EXPECT_GT(errors_, 100u);
  EXPECT_GT(lock_losses_, 5u);
}

TEST_F(NoisyLine, BitSlips) {
  for (int offset = 0; offset < 66; ++offset) {
    SCOPED_TRACE(::testing::Message() << "offset " << offset);
    Run(
        4'000,
        [&](PartnerBench& bench) {
          if (rng_.Below(800) == 0) bench.to_rtl().Slip(rng_.Below(2) != 0 ? 1 : -1);
        },
        offset);
  }
  EXPECT_GT(lock_losses_, 66u);
}

TEST_F(NoisyLine, BurstsOfNoise) {
  for (int offset = 0; offset < 66; offset += 3) {
    SCOPED_TRACE(::testing::Message() << "offset " << offset);
    uint64_t left = 0;
    Run(
        8'000,
        [&](PartnerBench& bench) {
          if (left == 0 && rng_.Below(600) == 0) {
            left = 1 + rng_.Below(60);
            bench.to_rtl().set_bit_error_rate(0.5);
          } else if (left > 0 && --left == 0) {
            bench.to_rtl().set_bit_error_rate(0);
          }
        },
        offset);
  }
  EXPECT_GT(errors_, 50u);
}

}  // namespace
}  // namespace ullnic
