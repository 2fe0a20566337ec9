// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Whole cards in RTL between their far ends and a host.

#include <algorithm>
#include <array>

#include "core/user_error.h"
#include "nic/trade_tracker.h"
#include "nic_bench.h"

namespace ullnic {
namespace {

class Nic : public ::testing::TestWithParam<const char*> {
 protected:
  NicRig::Config Config() const {
    NicRig::Config config;
    config.card = GetParam();
    config.seed = TestSeed();
    return config;
  }
  Bytes AnyFrame(size_t min_bytes = 60, size_t max_bytes = 1514) {
    Bytes frame = RandomBytes(rng_.Range(min_bytes, max_bytes), rng_);
    frame[0] &= 0xfe;  // no trigger
    return frame;
  }
  Rng rng_ = Rng::Stream(TestSeed(), 98);
};

std::vector<Bytes> FramesOf(const std::vector<HeardFrame>& heard) {
  std::vector<Bytes> frames;
  for (const HeardFrame& f : heard) frames.push_back(f.frame.bytes);
  return frames;
}

std::vector<Bytes> FramesOf(const std::vector<NicBench::ToHost>& packets) {
  std::vector<Bytes> frames;
  for (const NicBench::ToHost& p : packets) frames.push_back(p.frame);
  return frames;
}

TEST_P(Nic, SaysWhatItIs) {
  NicBench bench(Config());
  EXPECT_EQ(bench.Read(0x00), 0x554c4e43u);
  EXPECT_EQ(bench.Read(0x08) >> 8 & 0xf, bench.rig().info().ports);
  EXPECT_EQ(bench.Read(0x08) >> 16, static_cast<uint32_t>(bench.rig().info().pma_bits));
  EXPECT_EQ(bench.Read(0x0c), bench.rig().info().tcp_enables);
  EXPECT_EQ(bench.Read(0x10), 0x303u);
  for (unsigned port = 0; port < 2; ++port)
    EXPECT_EQ(bench.Read(0x10000 + port * 0x1000), 0x4d504353u);
  EXPECT_EQ(bench.Read(0x21000), 0x41544530u);
  EXPECT_EQ(bench.card().counters(0).register_errors, 0u);
  // Unimplemented addresses.
  for (const uint32_t hole : {0x700u, 0x12000u, 0x20000u, 0x40000u, 0x50000u}) {
    EXPECT_EQ(bench.Read(hole), ~uint32_t{0}) << std::hex << hole;
  }
  bench.Write(0x00, 1);  // read-only
  EXPECT_EQ(bench.card().counters(0).register_errors, 6u);
  bench.ExpectNoViolation();
}

// The host may send it in the last poll before the simulation would sleep.
TEST_P(Nic, IsNotIdleWithAPacketOfTheHost) {
  NicBench bench(Config());
  ASSERT_TRUE(bench.Drain());
  EXPECT_TRUE(bench.rig().idle());
  EXPECT_TRUE(bench.card().SendH2c(0, RawChunk(AnyFrame())));
  EXPECT_FALSE(bench.rig().idle());
  ASSERT_TRUE(bench.Drain());
  EXPECT_EQ(bench.heard(0).size(), 1u);
}

// Between two rests, what has come in is passed on, however long; an access takes little of them.
TEST_P(Nic, IsEmptyWhenItIsIdle) {
  NicBench bench(Config());
  ASSERT_TRUE(bench.Drain());
  const auto seen = [&bench] {
    return std::array{bench.heard(0).size(), bench.heard(1).size(), bench.to_host(0).size(),
                      bench.to_host(1).size()};
  };
  uint64_t access_cycles = 0;
  for (int turn = 0; turn < 40; ++turn) {
    bench.rig().Jump(1'000'000);
    const uint64_t begin = bench.rig().cycles();
    const bool only_access = turn % 4 == 0;
    const size_t bytes = std::array{60, 300, 1514, 9618}[rng_.Below(4)];
    for (unsigned port = 0; port < 2 && !only_access; ++port) {
      if (turn % 4 != 1) bench.FromHost(port, RawChunk(AnyFrame(bytes, bytes)));
      if (turn % 4 != 2) bench.FromFarEnd(port, AnyFrame(bytes, bytes));
    }
    if (only_access) bench.Read(0x10);
    ASSERT_TRUE(bench.Drain());
    if (only_access) access_cycles = std::max(access_cycles, bench.rig().cycles() - begin);
    const auto before = seen();
    bench.rig().Cycles(8000);
    bench.Step();
    EXPECT_EQ(seen(), before) << turn;
    ASSERT_TRUE(bench.Drain());
  }
  EXPECT_LT(access_cycles, 2000u) << "a rest after 10 us would be 3200, or 6400 with 16 bits";
}

TEST_P(Nic, FramesGoBothWaysOnEachPort) {
  NicRig::Config config = Config();
  config.h2c_pause = 0.05;
  config.clocks.rx_ppm = {0, 100};
  config.clocks.rx_phase = {{}, {3, 7}};
  NicBench bench(config);
  std::vector<Bytes> down[2], up[2];
  for (int i = 0; i < 40; ++i) {
    for (unsigned port = 0; port < 2; ++port) {
      down[port].push_back(AnyFrame(14));
      bench.FromHost(port, RawChunk(down[port].back()));
      up[port].push_back(AnyFrame(60, i == 7 ? 9618 : 300));
      bench.FromFarEnd(port, up[port].back(), static_cast<uint32_t>(rng_.Below(100)));
    }
  }
  ASSERT_TRUE(bench.Drain());
  for (unsigned port = 0; port < 2; ++port) {
    for (Bytes& frame : down[port]) frame = Padded(std::move(frame));
    EXPECT_EQ(FramesOf(bench.heard(port)), down[port]);
    EXPECT_EQ(FramesOf(bench.to_host(port)), up[port]);
    for (const auto& packet : bench.to_host(port)) {
      EXPECT_EQ(packet.header.type, C2hHeader::kReceived);
    }
  }
  bench.ExpectNoViolation();
}

// Both ports, both directions, back to back: everything arrives.
TEST_P(Nic, LineRateIsWithoutLoss) {
  for (const size_t bytes : {60, 61, 1514}) {
    NicBench bench(Config());
    const int count = bytes > 1000 ? 30 : 300;
    for (int i = 0; i < count; ++i) {
      for (unsigned port = 0; port < 2; ++port) {
        bench.FromFarEnd(port, AnyFrame(bytes, bytes));
        bench.FromHost(port, RawChunk(AnyFrame(bytes, bytes)));
      }
    }
    ASSERT_TRUE(bench.Drain());
    for (unsigned port = 0; port < 2; ++port) {
      EXPECT_EQ(bench.to_host(port).size(), static_cast<size_t>(count));
      EXPECT_EQ(bench.heard(port).size(), static_cast<size_t>(count));
      EXPECT_EQ(FramesOf(bench.to_host(port)), FramesOf(bench.sent(port)));
    }
    bench.ExpectNoViolation();
  }
}

TEST_P(Nic, AcceleratedFramesAreMirrored) {
  NicBench bench(Config());
  constexpr unsigned kPort = 1, kConnection = 5;
  bench.Connect(kPort, kConnection);
  std::vector<Bytes> payloads;
  for (int i = 0; i < 20; ++i) {
    payloads.push_back(RandomBytes(rng_.Range(0, 1460), rng_));
    Bytes content(18, 0);
    content[2] = kConnection;
    content.insert(content.end(), payloads.back().begin(), payloads.back().end());
    bench.FromHost(kPort, Chunk(2, content));
    if (i % 3 == 0) bench.FromFarEnd(kPort, AnyFrame());
  }
  ASSERT_TRUE(bench.Drain());
  ASSERT_EQ(bench.heard(kPort).size(), payloads.size());
  std::vector<Bytes> mirrors, received;
  for (const auto& packet : bench.to_host(kPort)) {
    (packet.header.type == C2hHeader::kMirror ? mirrors : received).push_back(packet.frame);
  }
  EXPECT_EQ(received, FramesOf(bench.sent(kPort)));
  ASSERT_EQ(mirrors.size(), payloads.size());
  for (size_t i = 0; i < mirrors.size(); ++i) {
    EXPECT_EQ(Padded(mirrors[i]), bench.heard(kPort)[i].frame.bytes);
    ASSERT_EQ(mirrors[i].size(), 54 + payloads[i].size());
    EXPECT_TRUE(std::equal(payloads[i].begin(), payloads[i].end(), mirrors[i].begin() + 54));
  }
  EXPECT_TRUE(bench.to_host(0).empty());
  bench.ExpectNoViolation();
}

// A chunk that the port cannot accept is counted, and the next one is sent.
TEST_P(Nic, BadChunksAreRefused) {
  NicBench bench(Config());
  const Bytes good = AnyFrame();
  Bytes wrong_length = RawChunk(AnyFrame());
  wrong_length[4] ^= 4;
  for (unsigned port = 0; port < 2; ++port) {
    bench.FromHost(port, Chunk(9, AnyFrame()));
    bench.FromHost(port, wrong_length);
    bench.FromHost(port, {1, 2, 3});
    bench.FromHost(port, RawChunk(Bytes(20'000, 0)));
    bench.FromHost(port, RawChunk(good));
  }
  bench.FromHost(0, Chunk(2, Bytes(40, 0)));  // no engine
  bench.FromHost(0, RawChunk(good));
  ASSERT_TRUE(bench.Drain());
  EXPECT_EQ(FramesOf(bench.heard(0)), (std::vector<Bytes>{good, good}));
  EXPECT_EQ(FramesOf(bench.heard(1)), (std::vector<Bytes>{good}));
  bench.ExpectNoViolation();
}

// A host that does not accept packets loses whole frames, in the order of the line, and counted;
// those that it receives are correct.
TEST_P(Nic, AHostThatSleepsLosesWholeFrames) {
  NicBench bench(Config());
  bench.set_takes(false);
  for (int i = 0; i < 200; ++i) bench.FromFarEnd(0, AnyFrame(1000, 1514));
  ASSERT_TRUE(bench.Drain());
  bench.set_takes(true);
  ASSERT_TRUE(bench.Drain());
  bench.FromFarEnd(0, AnyFrame());
  ASSERT_TRUE(bench.Drain());
  const auto got = FramesOf(bench.to_host(0)), sent = FramesOf(bench.sent(0));
  EXPECT_GT(got.size(), 16u);
  EXPECT_LT(got.size(), 200u);
  size_t at = 0;
  for (const Bytes& frame : got) {
    at = static_cast<size_t>(
        std::find(sent.begin() + static_cast<ptrdiff_t>(at), sent.end(), frame) - sent.begin());
    ASSERT_LT(at, sent.size());
    ++at;
  }
  EXPECT_EQ(got.back(), sent.back());
  bench.ExpectNoViolation();
}

TEST_P(Nic, AHostThatStallsGetsAll) {
  NicRig::Config config = Config();
  config.c2h_stall = {.stall = 0.02, .max_edges = 20};
  NicBench bench(config);
  for (int i = 0; i < 100; ++i) {
    for (unsigned port = 0; port < 2; ++port) bench.FromFarEnd(port, AnyFrame(60, 400), 40);
  }
  ASSERT_TRUE(bench.Drain());
  for (unsigned port = 0; port < 2; ++port) {
    EXPECT_EQ(FramesOf(bench.to_host(port)), FramesOf(bench.sent(port)));
  }
  bench.ExpectNoViolation();
}

// Virtual time jumps while nothing is in flight; all settings are kept, and frames pass as before.
TEST_P(Nic, IdleTimeIsJumpedOver) {
  NicRig::Config config = Config();
  config.clocks.rx_ppm = {0, -50};
  NicBench bench(config);
  bench.Connect(1, 3);
  const auto card_time_ps = [&] {
    const int64_t low = bench.Read(0x18), high = bench.Read(0x1c);
    return (high << 32 | low) * 4000;
  };
  for (int i = 0; i < 20; ++i) {
    ASSERT_TRUE(bench.Drain());
    const int64_t before = bench.rig().now_ps();
    const int64_t card_before = card_time_ps();
    const int64_t skipped = bench.rig().Jump(777'777'777'777);
    EXPECT_GT(skipped, 777'777'000'000);
    bench.Step();
    EXPECT_GE(bench.rig().now_ps() - before, skipped);
    EXPECT_NEAR(static_cast<double>(card_time_ps() - card_before), static_cast<double>(skipped),
                1e6);
    for (unsigned port = 0; port < 2; ++port) {
      bench.FromFarEnd(port, AnyFrame());
      bench.FromHost(port, RawChunk(AnyFrame()));
    }
    ASSERT_TRUE(bench.Drain());
    for (unsigned port = 0; port < 2; ++port) {
      ASSERT_EQ(bench.to_host(port).size(), static_cast<size_t>(i + 1));
      ASSERT_EQ(bench.heard(port).size(), static_cast<size_t>(i + 1));
    }
  }
  EXPECT_EQ(bench.Read(ConnectionAt(1, 3)), 0x01010101u);
  bench.ExpectNoViolation();
}

TEST_P(Nic, ARunIsRepeatedFromItsSeed) {
  const auto run = [&](uint64_t seed) {
    NicRig::Config config = Config();
    config.seed = seed;
    config.c2h_stall = {.stall = 0.1, .max_edges = 9};
    config.h2c_pause = 0.1;
    NicBench bench(config);
    Rng rng = Rng::Stream(TestSeed(), 7);
    for (int i = 0; i < 20; ++i) {
      bench.FromFarEnd(0, RandomBytes(rng.Range(60, 200), rng));
      bench.FromHost(1, RawChunk(RandomBytes(rng.Range(60, 200), rng)));
      if (i % 5 == 4) {
        bench.Drain();
        bench.rig().Jump(1'000'000'000);
      }
    }
    bench.Drain();
    std::vector<int64_t> times;
    for (const HeardFrame& f : bench.heard(1)) times.push_back(f.start_ps);
    for (const auto& packet : bench.to_host(0)) {
      times.push_back(static_cast<int64_t>(packet.header.timestamp));
    }
    return times;
  };
  const auto first = run(1);
  EXPECT_EQ(first.size(), 40u);
  EXPECT_EQ(run(1), first);
  EXPECT_NE(run(2), first);
}

// Market data in, an order out: tick to trade is measured on the wire.
TEST_P(Nic, TriggersAreAnsweredAndTimed) {
  NicBench bench(Config());
  constexpr unsigned kConnection = 9;
  bench.Connect(1, kConnection);
  constexpr uint32_t kLogic = 0x8000;
  bench.Write(kLogic + 0x10, kConnection);
  bench.Write(kLogic + 0x14, 8);  // bytes
  bench.Write(kLogic + 0x104, 0x64726f77);
  bench.Write(kLogic + 0x0c, 1);  // arm
  ASSERT_TRUE(bench.Drain());
  ASSERT_EQ(bench.Read(kLogic + 0x20) & 1, 1u);
  TradeTracker trades(RuleOf(bench.rig().info().trade_rule));
  bench.rig().far_end(0).set_on_sent([&](HeardFrame&& f) { trades.Arriving(f, 0); });
  bench.rig().far_end(1).set_on_heard([&](HeardFrame&& f) { trades.Leaving(f, 1); });
  for (int i = 0; i < 200; ++i) {
    Bytes frame = AnyFrame(60, 120);
    if (i % 2 == 0) std::fill_n(frame.begin(), 4, 0xff);
    bench.FromFarEnd(0, frame, static_cast<uint32_t>(rng_.Range(40, 80)));
  }
  ASSERT_TRUE(bench.Drain());
  trades.GiveUpPending();
  EXPECT_EQ(trades.triggers(), 100u);
  EXPECT_EQ(trades.lost(), 0u);
  EXPECT_EQ(trades.others(), 0u);
  ASSERT_EQ(trades.samples().size(), 100u);
  const auto [low, high] = std::minmax_element(
      trades.samples().begin(), trades.samples().end(),
      [](const auto& a, const auto& b) { return a.latency_ui() < b.latency_ui(); });
  // It includes both transceivers and the time of the deciding byte.
  EXPECT_GT(low->latency_ui(), 98 + bench.rig().delay_ui());
  EXPECT_LT(high->latency_ui(), 98 + bench.rig().delay_ui() + 300);
  EXPECT_LT(low->latency_ui(), high->latency_ui());
  for (const TradeSample& s : trades.samples()) EXPECT_EQ(s.latency_ui() - s.actionable_ui(), 98);
  bench.ExpectNoViolation();
}

INSTANTIATE_TEST_SUITE_P(Cards, Nic, ::testing::Values("trigger_pma16", "trigger_pma32"),
                         [](const auto& param) { return std::string(param.param); });

// The same for the other card: its frames state the position of their index, and the connection.
TEST(StacT0, TriggersAreAnsweredAndTimed) {
  NicRig::Config config;
  config.card = "stac_t0_pma16";
  config.seed = TestSeed();
  NicBench bench(config);
  Rng rng = Rng::Stream(TestSeed(), 97);
  constexpr unsigned kMarket = 1, kOrders = 0, kConnection = 3;
  ASSERT_EQ(bench.rig().info().timing_port, kMarket);
  bench.Connect(kOrders, kConnection);
  bench.Write(0x8000 + 0x0c, 1);  // arm
  ASSERT_TRUE(bench.Drain());
  ASSERT_EQ(bench.Read(0x8000 + 0x24) & 1, 1u);
  TradeTracker trades(RuleOf(bench.rig().info().trade_rule));
  bench.rig().far_end(kMarket).set_on_sent([&](HeardFrame&& f) { trades.Arriving(f, kMarket); });
  bench.rig().far_end(kOrders).set_on_heard([&](HeardFrame&& f) { trades.Leaving(f, kOrders); });
  for (int i = 0; i < 60; ++i) {
    const bool is_long = i % 3 == 0, asks = i % 2 == 0;
    Bytes frame = RandomBytes(is_long ? 503 : 64, rng);
    frame[42] = is_long ? 0x41 : 0x42;
    frame[44] = kConnection;
    frame[45] = 0;
    const size_t end = is_long ? 282 : 54;
    frame[end] = asks ? 0 : 1;
    frame[end - 1] &= 0xfc;
    bench.FromFarEnd(kMarket, frame, static_cast<uint32_t>(rng.Range(40, 80)));
  }
  ASSERT_TRUE(bench.Drain());
  trades.GiveUpPending();
  EXPECT_EQ(trades.triggers(), 30u);
  EXPECT_EQ(trades.samples().size(), 30u);
  EXPECT_EQ(trades.lost() + trades.others(), 0u);
  for (const TradeSample& s : trades.samples()) {
    EXPECT_GT(s.actionable_ui(), bench.rig().delay_ui());
    EXPECT_LT(s.actionable_ui(), bench.rig().delay_ui() + 300);
  }
  bench.ExpectNoViolation();
}

TEST(NicClocksTest, TheTimingPortIsTheCardsClock) {
  NicRig::Config config;
  config.card = "trigger_pma16";
  config.clocks.rx_ppm = {10, 0};
  EXPECT_THROW(NicRig{config}, UserError);
  config.card = "no_such_card";
  EXPECT_THROW(NicRig{config}, UserError);
}

}  // namespace
}  // namespace ullnic
