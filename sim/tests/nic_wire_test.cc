// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Far ends of a whole card without the card: meters, faults, and matching of orders and triggers.

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "core/user_error.h"
#include "nic/far_end.h"
#include "nic/port_point.h"
#include "nic/trade_tracker.h"
#include "test_support.h"

namespace ullnic {
namespace {

// Two far ends that face each other: a line of this many bits in each direction.
struct FarPair {
  explicit FarPair(int word_bits, int delay_ui, int ppm = 0)
      : there({.word_bits = word_bits, .delay_ui = delay_ui}),
        back({.word_bits = word_bits, .delay_ui = 2 * word_bits + 1}) {
    const EdgeSet a_clock = scheduler.AddClock(Clock("a", LinePeriod(word_bits)));
    clock = a_clock;
    const EdgeSet b_clock = scheduler.AddClock(Clock("b", LinePeriod(word_bits, ppm)));
    a = std::make_unique<FarEnd>(FarEnd::Config{.tx_clock = a_clock, .rx_clock = b_clock},
                                 scheduler, there, back);
    b = std::make_unique<FarEnd>(FarEnd::Config{.tx_clock = b_clock, .rx_clock = a_clock},
                                 scheduler, back, there);
    scheduler.AddModel(a.get(), a_clock | b_clock, back.same_cycle());
    scheduler.AddModel(b.get(), a_clock | b_clock, there.same_cycle());
  }
  void Step(int steps) {
    for (int i = 0; i < steps; ++i) scheduler.Step();
  }
  bool Lock() {
    for (int i = 0; i < 400'000 && !(a->block_lock() && b->block_lock()); ++i) scheduler.Step();
    Step(300);
    return a->block_lock() && b->block_lock();
  }
  void Drain() {
    while (a->tx_backlog() > 0 || b->tx_backlog() > 0) scheduler.Step();
    Step(3000);
  }

  Scheduler scheduler;
  EdgeSet clock = 0;  // of a
  SerialLine there, back;
  std::unique_ptr<FarEnd> a, b;
};

FramePtr MakeFrame(Bytes bytes, uint32_t idle = 0) {
  auto frame = std::make_shared<Frame>();
  frame->bytes = std::move(bytes);
  frame->idle_cycles_before = idle;
  return frame;
}

using Meters = SeededTest;

// The meters at both ends of a line differ by its delay, to the bit, at any phase of words and
// blocks and in either lane.
TEST_F(Meters, AgreeToTheBit) {
  for (const int word_bits : {16, 32}) {
    for (const int delay_ui : {0, 12, 80, 141, 282}) {
      FarPair pair(word_bits, delay_ui);
      std::vector<HeardFrame> sent, heard;
      pair.a->set_on_sent([&](HeardFrame&& f) { sent.push_back(std::move(f)); });
      pair.b->set_on_heard([&](HeardFrame&& f) { heard.push_back(std::move(f)); });
      ASSERT_TRUE(pair.Lock());
      std::vector<Bytes> frames;
      for (int i = 0; i < 40; ++i) {
        frames.push_back(RandomBytes(rng_.Range(60, 300), rng_));
        pair.a->Send(MakeFrame(frames.back(), static_cast<uint32_t>(rng_.Below(40))));
      }
      pair.Drain();
      ASSERT_EQ(sent.size(), frames.size());
      ASSERT_EQ(heard.size(), frames.size());
      int in_lane4 = 0;
      for (size_t i = 0; i < frames.size(); ++i) {
        EXPECT_TRUE(heard[i].frame.good);
        EXPECT_EQ(heard[i].frame.bytes, frames[i]);
        // Edges are in whole ps.
        EXPECT_NEAR(static_cast<double>(heard[i].start_ps - sent[i].start_ps),
                    static_cast<double>(UiToPs(delay_ui)), 2);
        EXPECT_EQ(PsToUi(heard[i].start_ps - sent[i].start_ps), delay_ui);
        in_lane4 += sent[i].frame.start_lane == 4;
      }
      EXPECT_GT(in_lane4, 0);
      EXPECT_LT(in_lane4, 40);
    }
  }
}

TEST_F(Meters, KeepCountOverAJump) {
  FarPair pair(16, 100);
  std::vector<HeardFrame> sent, heard;
  pair.a->set_on_sent([&](HeardFrame&& f) { sent.push_back(std::move(f)); });
  pair.b->set_on_heard([&](HeardFrame&& f) { heard.push_back(std::move(f)); });
  ASSERT_TRUE(pair.Lock());
  for (int i = 0; i < 10; ++i) {
    pair.scheduler.JumpBy(1'234'567'891);
    // Without a step the time is still that of the last edge before the jump.
    if (i > 0) pair.Step(static_cast<int>(rng_.Below(33)));
    const int64_t next_ps = pair.scheduler.clock(pair.clock).next_edge_ps();
    pair.a->Send(MakeFrame(RandomBytes(100, rng_)));
    pair.Drain();
    ASSERT_EQ(heard.size(), static_cast<size_t>(i + 1));
    EXPECT_EQ(PsToUi(heard.back().start_ps - sent.back().start_ps), 100);
    EXPECT_NEAR(static_cast<double>(sent.back().start_ps - next_ps), 0, 30'000);
  }
}

// Byte k ends 8 k + 8 + the preamble's bits after the start, plus two for each header between.
TEST_F(Meters, KnowWhereAByteEnds) {
  HeardFrame frame;
  frame.start_ps = 1'000'000;
  const auto ends = [&](int lane, size_t byte) {
    frame.frame.start_lane = lane;
    return PsToUi(frame.byte_end_ps(byte) - frame.start_ps);
  };
  EXPECT_EQ(ends(0, 3), 98);  // the next block's header is between
  EXPECT_EQ(ends(4, 3), 98);
  EXPECT_EQ(ends(0, 0), 74);
  EXPECT_EQ(ends(0, 8), 64 + 2 + 64 + 2 + 8);
  EXPECT_EQ(ends(4, 4), 32 + 2 + 64 + 2 + 8);
}

// A port that stores the frames delivered to it.
class Keeper final : public FramePort {
 public:
  explicit Keeper(std::vector<Bytes>& kept) : kept_(kept) {}
  nlohmann::json Describe() const override { return {{"kind", "keeper"}}; }
  bool Receive(Frame&) override { return false; }
  void Deliver(const Bytes& frame, int64_t) override { kept_.push_back(frame); }
  bool finished() const override { return true; }

 private:
  std::vector<Bytes>& kept_;
};

using Points = SeededTest;

TEST_F(Points, HarmWhatTheCardSends) {
  constexpr int kSent = 1000;  // with fewer a kind of harm may come too seldom
  FarPair pair(32, 100);
  std::vector<Bytes> kept;
  PortPoint point(std::make_unique<Keeper>(kept), *pair.b,
                  {.to_card = {},
                   .from_card = {.drop = 0.2, .dup = 0.2, .reorder = 0.2, .corrupt = 0.2},
                   .seed = TestSeed()});
  int on_wire = 0;
  point.set_on_heard([&](const HeardFrame&) { ++on_wire; });
  ASSERT_TRUE(pair.Lock());
  std::vector<Bytes> sent;
  for (int i = 0; i < kSent; ++i) {
    sent.push_back(RandomBytes(60, rng_));
    pair.a->Send(MakeFrame(sent.back()));
  }
  pair.Drain();
  point.Flush();
  EXPECT_EQ(on_wire, kSent);
  const auto faults = point.Json()["from_card"]["faults"];
  for (const char* kind : {"dropped", "duplicated", "reordered", "corrupted"}) {
    EXPECT_GT(faults[kind].get<int>(), kSent / 20) << kind;
  }
  EXPECT_EQ(kept.size(),
            kSent - faults["dropped"].get<size_t>() + faults["duplicated"].get<size_t>());
  EXPECT_NE(kept, sent);
  size_t intact = 0;
  for (const Bytes& frame : kept) intact += std::count(sent.begin(), sent.end(), frame) == 1;
  EXPECT_GT(intact, kSent / 2u);
  EXPECT_LT(intact, kept.size());
}

// -------------------------------------------------------------------------------- trades

HeardFrame Heard(Bytes bytes, int64_t start_ps) {
  HeardFrame frame;
  frame.frame.bytes = std::move(bytes);
  frame.frame.good = true;
  frame.start_ps = start_ps;
  return frame;
}

Bytes TriggerFrame() {
  Bytes bytes(64, 0x11);
  std::fill_n(bytes.begin(), 4, 0xff);
  return bytes;
}

Bytes TcpFrame(const Bytes& payload, bool vlan = false) {
  Bytes bytes(12, 0x02);
  if (vlan) bytes.insert(bytes.end(), {0x81, 0x00, 0x00, 0x05});
  const auto total = static_cast<uint8_t>(40 + payload.size());
  bytes.insert(bytes.end(), {0x08, 0x00, 0x45, 0, 0, total, 0, 0, 0x40, 0, 64, 6, 0, 0});
  bytes.insert(bytes.end(), 8, 10);                           // addresses
  bytes.insert(bytes.end(), 12, 1);                           // ports, SEQ, ACK
  bytes.insert(bytes.end(), {0x50, 0x18, 0, 0, 0, 0, 0, 0});  // to the urgent pointer
  bytes.insert(bytes.end(), payload.begin(), payload.end());
  if (bytes.size() < kMinFrameBytes) bytes.resize(kMinFrameBytes);
  return bytes;
}

Bytes Order(uint8_t number, bool vlan = false) {
  return TcpFrame({0, 0, 0, number, 'x', 'y'}, vlan);
}

TEST(Trades, AreMatchedInWhateverOrderTheFramesEnd) {
  TradeTracker trades(TriggerRule());
  trades.Arriving(Heard(TriggerFrame(), 1'000), 0);
  trades.Leaving(Heard(Order(1), 31'000), 1);
  // A long trigger ends after its answer.
  trades.Leaving(Heard(Order(2, true), 231'000), 1);
  EXPECT_EQ(trades.samples().size(), 1u);
  trades.Arriving(Heard(TriggerFrame(), 200'000), 0);
  ASSERT_EQ(trades.samples().size(), 2u);
  EXPECT_EQ(trades.samples()[1].latency_ui(), PsToUi(31'000));
  EXPECT_EQ(trades.samples()[1].actionable_ui(), PsToUi(31'000 - UiToPs(98)));
  EXPECT_EQ(trades.lost() + trades.others() + trades.pending(), 0u);
}

TEST(Trades, OtherFramesAreNone) {
  TradeTracker trades(TriggerRule());
  Bytes nearly = TriggerFrame();
  nearly[3] = 0xfe;
  trades.Arriving(Heard(nearly, 0), 0);
  EXPECT_EQ(trades.triggers(), 0u);
  trades.Arriving(Heard(TriggerFrame(), 1'000'000), 0);
  trades.Leaving(Heard(Order(7), 1'030'000), 1);
  // Software sends in between: its frame does not have the next number.
  trades.Arriving(Heard(TriggerFrame(), 2'000'000), 0);
  trades.Leaving(Heard(TcpFrame({'h', 'e', 'l', 'l', 'o'}), 2'020'000), 1);
  trades.Leaving(Heard(TcpFrame({}), 2'100'000), 1);
  trades.Leaving(Heard(Order(8), 2'200'000), 1);
  // A trigger that was refused, and a retransmission that is too late to be an answer.
  trades.Arriving(Heard(TriggerFrame(), 20'000'000), 0);
  trades.Leaving(Heard(Order(9), 29'000'000), 1);
  trades.GiveUpPending();
  EXPECT_EQ(trades.triggers(), 3u);
  ASSERT_EQ(trades.samples().size(), 2u);
  EXPECT_EQ(trades.samples()[1].order_ps, 2'200'000);
  EXPECT_EQ(trades.lost(), 1u);
  EXPECT_EQ(trades.others(), 3u);
}

TEST(Trades, StacT0AnswersCarryTheIndex) {
  TradeTracker trades(StacT0Rule());
  const auto data = [](size_t size, size_t at, uint16_t low) {
    Bytes bytes(size, 0x5a);
    bytes[42] = at == 275 ? 0x41 : 0x42;
    bytes[at + 6] = static_cast<uint8_t>(low >> 8);
    bytes[at + 7] = static_cast<uint8_t>(low);
    return bytes;
  };
  const auto order = [](uint16_t low) {
    Bytes payload(4, 0);
    payload.insert(payload.end(), 6, 0x5a);
    payload.push_back(static_cast<uint8_t>(low >> 8));
    payload.push_back(static_cast<uint8_t>(low));
    return TcpFrame(payload);
  };
  trades.Arriving(Heard(data(503, 275, 0x0401), 0), 1);  // not a trigger
  trades.Arriving(Heard(data(64, 47, 0x0400), 1'000'000), 1);
  trades.Arriving(Heard(data(503, 275, 0x0800), 2'000'000), 1);
  trades.Leaving(Heard(order(0x0800), 2'300'000), 0);
  trades.GiveUpPending();
  ASSERT_EQ(trades.samples().size(), 1u);
  EXPECT_EQ(trades.samples()[0].trigger_ps, 2'000'000);
  EXPECT_EQ(trades.lost(), 1u);
}

TEST(Trades, SamplesAreWritten) {
  TradeTracker trades(TriggerRule());
  trades.Arriving(Heard(TriggerFrame(), 1'000), 0);
  trades.Leaving(Heard(Order(1), 1'000 + UiToPs(330)), 1);
  const auto folder = std::filesystem::temp_directory_path();
  const std::string csv = folder / fmt::format("ullnic-samples-{}.csv", getpid());
  trades.WriteSamples(csv);
  std::ifstream file(csv);
  std::string head, line;
  std::getline(file, head);
  std::getline(file, line);
  std::filesystem::remove(csv);
  EXPECT_EQ(line, "1000,10503,33000,0,1,32.0000,22.4970");
  EXPECT_EQ(trades.Json()["sof_to_sof_ns"]["min"], 32.0);
  EXPECT_THROW(trades.WriteSamples("/nowhere/at/all.csv"), UserError);
}

}  // namespace
}  // namespace ullnic
