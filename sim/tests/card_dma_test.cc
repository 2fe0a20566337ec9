// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// The DMA in RTL as part of a card, as seen by the host's software and the card.

#include <nlohmann/json.hpp>

#include "card_dma_bench.h"

namespace ullnic {
namespace {

using card_dma::kPorts;

constexpr unsigned kUserSpace = qdma::kUserBar;

class CardDmaTest : public SeededTest {
 protected:
  std::unique_ptr<DmaRig> MakeRig(double pause = 0.2, bool is_gated = true) {
    auto rig = std::make_unique<DmaRig>(TestSeed(), pause, is_gated);
    rig->driver.WriteArray(0x204, {65, 65, 129});
    rig->driver.WriteArray(0xAB0, {2048});
    rig->driver.MapFunction(0, kPorts);
    return rig;
  }
  static std::vector<TestDriver::Queue> OpenAll(DmaRig& rig, QueueSetup setup = {}) {
    setup.completion_size = 2;
    std::vector<TestDriver::Queue> queues;
    for (unsigned port = 0; port < kPorts; ++port) {
      setup.qid = port;
      queues.push_back(rig.driver.Open(setup));
    }
    // Buffers are fetched, and the doorbells have been accepted.
    rig.Read(0, 0);
    return queues;
  }
  Bytes Packet(size_t bytes) { return RandomBytes(bytes, rng_); }
  size_t AnyLength() { return rng_.Chance(0.5) ? 1 + rng_.Below(130) : 1 + rng_.Below(4000); }
};

// The next packet of a queue, without the card's header.
std::optional<Bytes> Take(DmaRig& rig, TestDriver::Queue& queue) {
  std::optional<Bytes> packet = rig.driver.TakeC2h(queue);
  if (packet) {
    packet->erase(packet->begin(), packet->begin() + C2hHeader::kBytes);
    rig.driver.RingCompletion(queue);
  }
  return packet;
}

TEST_F(CardDmaTest, PacketsOfAllLengthsGoBothWays) {
  const auto rig = MakeRig();
  auto queues = OpenAll(*rig);
  std::array<std::vector<Bytes>, kPorts> to_card, to_host;
  std::array<std::vector<Bytes>, kPorts> received;
  for (unsigned n = 0; n < 200; ++n) {
    const auto port = static_cast<unsigned>(rng_.Below(kPorts));
    TestDriver::Queue& queue = queues[port];
    ASSERT_TRUE(rig->Until([&] { return rig->driver.H2cFree(queue) >= 1; }));
    to_card[port].push_back(Packet(n < 64 ? n + 1 : AnyLength()));
    rig->driver.SendH2c(queue, to_card[port].back());
    to_host[port].push_back(Packet(n < 64 ? n : AnyLength()));
    rig->card.SendToHost(port, to_host[port].back());
    for (unsigned i = 0; i < kPorts; ++i) {
      while (auto packet = Take(*rig, queues[i])) received[i].push_back(*std::move(packet));
    }
  }
  for (unsigned port = 0; port < kPorts; ++port) {
    EXPECT_TRUE(rig->Until([&] {
      while (auto packet = Take(*rig, queues[port])) received[port].push_back(*std::move(packet));
      return received[port].size() == to_host[port].size() &&
             rig->card.from_host[port].size() == to_card[port].size();
    }));
    EXPECT_EQ(received[port], to_host[port]) << "port " << port;
    EXPECT_EQ(rig->card.from_host[port], to_card[port]) << "port " << port;
    EXPECT_EQ(rig->dma.counters(port).violations, 0u) << rig->dma.counters(port).first_violation;
  }
  const nlohmann::json counts = rig->dma.Describe();
  for (const char* name : {"reads_failed", "writes_failed", "h2c_dropped", "c2h_dropped",
                           "c2h_without_queue", "c2h_mismatched", "completions_unexpected"}) {
    EXPECT_EQ(counts.at(name), 0) << name;
  }
}

TEST_F(CardDmaTest, RegistersOfTheCardAreTheUserBar) {
  const auto rig = MakeRig();
  for (int i = 0; i < 50; ++i) {
    const auto address = static_cast<uint32_t>(4 * rng_.Below(0x1ffff));
    const auto value = static_cast<uint32_t>(rng_.Next());
    rig->Write(kUserSpace, address, value);
    EXPECT_EQ(rig->Read(kUserSpace, address), value);
    EXPECT_EQ(rig->card.registers.at(address), value);
  }
  rig->card.registers[StreamCard::kRefused] = 7;
  EXPECT_EQ(rig->Read(kUserSpace, StreamCard::kRefused), ~0u);
  rig->Write(kUserSpace, StreamCard::kRefused, 8);
  EXPECT_EQ(rig->Read(kUserSpace, 0x100), rig->card.registers[0x100]);
  EXPECT_EQ(rig->card.registers[StreamCard::kRefused], 7u);
  EXPECT_EQ(rig->dma.counters(0).register_errors, 2u);
}

// A client that writes faster than the card accepts waits, and does not fill the simulation's
// memory.
TEST_F(CardDmaTest, WritesThatAreNotTakenWait) {
  const auto rig = MakeRig();
  rig->Read(0, 0);
  constexpr int kWrites = 200, kPosted = 64;
  int done = 0;
  for (int i = 0; i < kWrites; ++i) {
    rig->dma.Write(kUserSpace, 0x1000, static_cast<uint32_t>(i), [&] { ++done; });
  }
  EXPECT_EQ(done, kPosted);
  EXPECT_TRUE(rig->Until([&] { return done == kWrites; }));
  EXPECT_EQ(rig->Read(kUserSpace, 0x1000), kWrites - 1u);
}

// The same traffic with the clock always running and with it stopped while there is nothing to do:
// the host's memory, the card's input and the latency of each packet are the same.
TEST_F(CardDmaTest, StoppingTheClockChangesNothing) {
  struct Result {
    std::vector<uint64_t> times;
    std::array<std::vector<Bytes>, kPorts> from_host;
    std::vector<Bytes> received;
    uint64_t evaluated = 0, edges = 0;
    unsigned longest_pause = 0;
  };
  const auto run = [this](bool is_gated) {
    rng_ = Rng(TestSeed());
    Result result;
    const auto rig = MakeRig(0.1, is_gated);
    auto queues = OpenAll(*rig);
    for (int n = 0; n < 60; ++n) {
      const auto port = static_cast<unsigned>(rng_.Below(kPorts));
      TestDriver::Queue& queue = queues[port];
      const uint64_t sent = rig->edges;
      const size_t before = rig->card.from_host[port].size();
      rig->driver.SendH2c(queue, Packet(AnyLength()));
      rig->card.SendToHost(port, Packet(AnyLength()));
      const bool came = rig->Until([&] {
        auto packet = Take(*rig, queue);
        if (packet) result.received.push_back(*std::move(packet));
        return result.received.size() == static_cast<size_t>(n + 1) &&
               rig->card.from_host[port].size() == before + 1;
      });
      EXPECT_TRUE(came);
      result.times.push_back(rig->edges - sent);
      for (uint64_t pause = rng_.Below(3) * rng_.Below(2000); pause > 0; --pause) rig->Step();
    }
    result.from_host = rig->card.from_host;
    result.evaluated = rig->dma.edges();
    result.longest_pause = rig->dma.longest_pause();
    result.edges = rig->edges;
    return result;
  };
  const Result always = run(false), gated = run(true);
  EXPECT_GT(always.longest_pause, 0u);
  EXPECT_LT(always.longest_pause, card_dma::RtlDma::kQuietEdges * 3 / 4);
  EXPECT_EQ(always.evaluated, always.edges);
  EXPECT_LT(gated.evaluated, gated.edges * 3 / 4) << "the clock never stops";
  EXPECT_EQ(gated.edges, always.edges);
  EXPECT_EQ(gated.times, always.times);
  EXPECT_EQ(gated.received, always.received);
  EXPECT_EQ(gated.from_host, always.from_host);
}

// The bridge drops frames of a port whose queue is not open while the DMA sleeps; once it is open
// they are delivered. The result is the same with the clock always on.
TEST_F(CardDmaTest, FramesWithoutAQueueDoNotWakeTheDma) {
  static constexpr unsigned kFrames = 50;
  const auto run = [this](bool is_gated) {
    rng_ = Rng(TestSeed());
    const auto rig = MakeRig(0.1, is_gated);
    rig->Read(0, 0);
    rig->card.SendToHost(0, Packet(60));
    for (int i = 0; i < 500; ++i) rig->Step();
    const uint64_t evaluated = rig->dma.edges();
    for (unsigned n = 1; n < kFrames; ++n) {
      rig->card.SendToHost(0, Packet(AnyLength()));
      for (uint64_t pause = rng_.Below(400); pause > 0; --pause) rig->Step();
    }
    EXPECT_TRUE(rig->Until([&] { return rig->card.to_host[0].empty(); }));
    for (int i = 0; i < 200; ++i) rig->Step();
    if (is_gated) {
      EXPECT_EQ(rig->dma.edges(), evaluated);
    }
    EXPECT_EQ(rig->dma.Describe().at("c2h_without_queue"), kFrames);
    EXPECT_LT(rig->dma.longest_bridge_pause(), card_dma::RtlDma::kBridgeQuietEdges * 3 / 4);
    auto queues = OpenAll(*rig);
    std::vector<uint64_t> times;
    for (unsigned n = 0; n < 20; ++n) {
      const unsigned port = n % kPorts;
      const Bytes sent = Packet(AnyLength());
      rig->card.SendToHost(port, sent);
      std::optional<Bytes> packet;
      EXPECT_TRUE(rig->Until([&] { return (packet = Take(*rig, queues[port])).has_value(); }));
      EXPECT_EQ(packet, sent);
      times.push_back(rig->edges);
    }
    EXPECT_EQ(rig->dma.Describe().at("c2h_without_queue"), kFrames);
    return times;
  };
  EXPECT_EQ(run(true), run(false));
}

// Software sends more to a port than it accepts: its packets wait in the host's memory, and those
// of the other port are sent as if it were alone. The same with the clock always on.
TEST_F(CardDmaTest, APausedPortDoesNotSlowTheOther) {
  static constexpr unsigned kPackets = 60, kBytes = 1500, kWords = (kBytes + 7) / 8;
  const auto run = [this](bool is_gated) {
    rng_ = Rng(TestSeed());
    const auto rig = MakeRig(0, is_gated);
    auto queues = OpenAll(*rig);
    rig->card.is_paused[1] = true;
    std::array<std::vector<Bytes>, kPorts> sent;
    for (unsigned n = 0; n < kPackets; ++n) {
      for (unsigned port = 0; port < kPorts; ++port) {
        sent[port].push_back(Packet(kBytes));
        rig->driver.SendH2c(queues[port], sent[port].back());
      }
    }
    std::vector<uint64_t> times{rig->edges};
    EXPECT_TRUE(rig->Until([&] { return rig->card.from_host[0].size() == kPackets; }));
    times.push_back(rig->edges);
    EXPECT_LT(times[1] - times[0], kPackets * kWords * 105 / 100 + 400);
    for (int i = 0; i < 1000; ++i) rig->Step();
    EXPECT_TRUE(rig->card.from_host[1].empty());
    EXPECT_EQ(rig->dma.HasWork(), false) << "it waits for the card, and burns time";
    rig->card.is_paused[1] = false;
    EXPECT_TRUE(rig->Until([&] { return rig->card.from_host[1].size() == kPackets; }));
    times.push_back(rig->edges);
    EXPECT_TRUE(rig->card.from_host == sent);
    EXPECT_EQ(rig->dma.Describe().at("h2c_dropped_port_stuck"), 0);
    return times;
  };
  EXPECT_EQ(run(true), run(false));
}

// A completion timer runs while everything else is stopped, whatever edges were skipped before it.
TEST_F(CardDmaTest, TimersFireThoughTheClockStops) {
  const auto rig = MakeRig(0);
  rig->driver.WriteArray(0xA00, {50});  // of 25 clocks
  constexpr uint32_t kTimer = 4u << 2;
  auto queues = OpenAll(*rig, {.completion_control = 1 | kTimer});
  for (TestDriver::Queue& queue : queues) rig->driver.RingCompletion(queue, 1u << 27 | 4u << 24);
  constexpr uint64_t kTimeout = 50 * 25, kTick = 25, kTurn = 80;
  for (int n = 0; n < 20; ++n) {
    for (uint64_t pause = 300 + rng_.Below(3000); pause > 0; --pause) rig->Step();
    TestDriver::Queue& queue = queues[n % kPorts];
    rig->card.SendToHost(queue.setup.qid, Packet(60));
    std::optional<Bytes> packet;
    ASSERT_TRUE(rig->Until([&] {
      packet = rig->driver.TakeC2h(queue);
      return packet.has_value();
    }));
    const uint64_t status = rig->driver.CompletionStatus(queue), came = rig->edges;
    ASSERT_TRUE(rig->Until([&] { return rig->driver.CompletionStatus(queue) != status; }));
    EXPECT_GE(rig->edges - came + kTick + kTurn, kTimeout);
    EXPECT_LE(rig->edges - came, kTimeout + kTick + kTurn);
    rig->driver.RingCompletion(queue, 1u << 27 | 4u << 24);
  }
}

TEST_F(CardDmaTest, InterruptsGoToTheirVectors) {
  const auto rig = MakeRig();
  auto queues = OpenAll(*rig, {.completion_control = 1 | 2 | 1 << 2, .vector = 5});
  for (TestDriver::Queue& queue : queues)
    rig->driver.RingCompletion(queue, 1u << 28 | 1u << 27 | 1u << 24);
  rig->Read(0, 0);
  rig->card.SendToHost(0, Packet(100));
  EXPECT_TRUE(rig->Until([&] { return rig->host.interrupts[5] == 1; }));
  // The client's own values in the table are kept.
  rig->Write(0, 0x30000 + 16 * 5, 0x1234);
  EXPECT_EQ(rig->Read(0, 0x30000 + 16 * 5), 0x1234u);
  rig->driver.RingCompletion(queues[0], 1u << 28 | 1u << 27 | 1u << 24);
  EXPECT_TRUE(rig->Until([&] { return rig->host.interrupts[5] == 2; }));
}

// A program that disconnects at any time: nothing is written to its memory afterwards, the card is
// disabled, and the next one finds everything as after power-up.
// While the legacy interrupt is enabled there is no message. Its bit stays until it is cleared, and
// neither a stopped clock nor a reset loses or leaves it.
TEST_F(CardDmaTest, LegacyInterruptIsALevel) {
  constexpr uint32_t kConfig = 0x2C4, kEnable = 1, kPending = 2, kArm = 1u << 28 | 1u << 24;
  const auto rig = MakeRig();
  constexpr uint32_t kEvery = 1u << 2, kInterrupt = 2;
  auto queues = OpenAll(*rig, {.completion_control = kInterrupt | kEvery});
  for (TestDriver::Queue& queue : queues) rig->driver.RingCompletion(queue, kArm);
  rig->Write(0, kConfig, kEnable);
  EXPECT_EQ(rig->Read(0, kConfig), kEnable);
  for (int n = 0; n < 20; ++n) {
    TestDriver::Queue& queue = queues[n % kPorts];
    rig->card.SendToHost(queue.setup.qid, Packet(60));
    ASSERT_TRUE(rig->Until([&] { return rig->host.intx; }));
    for (uint64_t pause = rng_.Below(500); pause > 0; --pause) rig->Step();
    EXPECT_TRUE(rig->host.intx);
    EXPECT_EQ(rig->Read(0, kConfig), kEnable | kPending);
    ASSERT_TRUE(rig->driver.TakeC2h(queue).has_value()) << "an interrupt before its entry";
    rig->Write(0, kConfig, kEnable | kPending);
    ASSERT_TRUE(rig->Until([&] { return !rig->host.intx; }));
    rig->driver.RingCompletion(queue, kArm);
    for (uint64_t pause = rng_.Below(500); pause > 0; --pause) rig->Step();
    EXPECT_EQ(rig->Read(0, kConfig), kEnable);
  }
  EXPECT_TRUE(rig->host.interrupts.empty());
  rig->card.SendToHost(0, Packet(60));
  ASSERT_TRUE(rig->Until([&] { return rig->host.intx; }));
  rig->dma.Reset();
  ASSERT_TRUE(rig->Until([&] { return !rig->dma.has_reset(); }));
  EXPECT_FALSE(rig->host.intx);
  EXPECT_EQ(rig->Read(0, kConfig), 0u);
}

TEST_F(CardDmaTest, AResetLeavesNothingBehind) {
  const auto rig = MakeRig();
  for (int round = 0; round < 8; ++round) {
    auto queues = OpenAll(*rig);
    constexpr uint32_t kLogicControl = 0x0800c;
    rig->Write(kUserSpace, kLogicControl, 1);
    for (int n = 0; n < 8; ++n) {
      rig->driver.SendH2c(queues[n % kPorts], Packet(AnyLength()));
      rig->card.SendToHost(n % kPorts, Packet(AnyLength()));
    }
    for (uint64_t pause = rng_.Below(400); pause > 0; --pause) rig->Step();
    rig->dma.Reset();
    rig->host.Release();
    const uint64_t writes = rig->dma.Describe().at("writes");
    for (int i = 0; i < 3000; ++i) rig->Step();
    EXPECT_EQ(rig->dma.Describe().at("writes"), writes) << "the host has let its memory go";
    EXPECT_EQ(rig->card.registers[kLogicControl], 0u) << "it would go on without a program";
    EXPECT_EQ(rig->driver.ReadContext(0, 0), std::vector<uint32_t>(8));
    // The card's packets are discarded completely; those of the host, except for one in progress.
    EXPECT_TRUE(
        rig->Until([&] { return rig->card.to_host[0].empty() && rig->card.to_host[1].empty(); }));
    rig->driver.WriteArray(0x204, {65, 65, 129});
    rig->driver.WriteArray(0xAB0, {2048});
    rig->driver.MapFunction(0, kPorts);
  }
  auto queues = OpenAll(*rig);
  for (unsigned port = 0; port < kPorts; ++port) {
    const Bytes there = Packet(500), back = Packet(500);
    const size_t before = rig->card.from_host[port].size();
    rig->driver.SendH2c(queues[port], there);
    rig->card.SendToHost(port, back);
    std::optional<Bytes> packet;
    EXPECT_TRUE(rig->Until([&] {
      if (!packet) packet = Take(*rig, queues[port]);
      return packet && rig->card.from_host[port].size() == before + 1;
    }));
    EXPECT_EQ(packet, back);
    EXPECT_EQ(rig->card.from_host[port].back(), there);
  }
}

// Packets wait for buffers; nothing is lost, and the other port continues.
TEST_F(CardDmaTest, AProgramThatDoesNotReadStopsItsOwnQueue) {
  const auto rig = MakeRig();
  auto queues = OpenAll(*rig);
  constexpr unsigned kPackets = 150;  // a ring has 63 buffers
  std::vector<Bytes> sent;
  for (unsigned n = 0; n < kPackets; ++n) {
    sent.push_back(Packet(AnyLength() % 2000));
    rig->card.SendToHost(0, sent.back());
  }
  for (int i = 0; i < 60'000; ++i) rig->Step();
  EXPECT_FALSE(rig->dma.HasWork()) << "it waits for the host, and burns time";
  for (int n = 0; n < 20; ++n) {
    const Bytes other = Packet(AnyLength());
    rig->card.SendToHost(1, other);
    std::optional<Bytes> packet;
    ASSERT_TRUE(rig->Until([&] { return (packet = Take(*rig, queues[1])).has_value(); }));
    EXPECT_EQ(*packet, other);
  }
  std::vector<Bytes> received;
  EXPECT_TRUE(rig->Until([&] {
    if (auto packet = Take(*rig, queues[0])) received.push_back(*std::move(packet));
    return received.size() == kPackets;
  }));
  EXPECT_EQ(received, sent);
}

// With the watchdog armed the clock does not stop, or a queue that stands still would never be
// found. Queues with progress, or without work, are not found however long it takes.
TEST_F(CardDmaTest, TheWatchdogFindsTheQueueThatStandsStill) {
  constexpr uint32_t kControl = 0x1E20, kLimit = 0x1E24, kTick = 0x1E28, kStatus = 0x1E2C;
  constexpr uint32_t kTicks = 8, kFound = 1u << 31, kC2h = 1u << 30;
  const auto rig = MakeRig();
  auto queues = OpenAll(*rig);
  const uint64_t limit = uint64_t{kTicks} * rig->Read(0, kTick);
  const auto pass = [&](uint64_t edges) {
    for (; edges > 0; --edges) rig->Step();
  };
  const auto found = [&] { return rig->Read(0, kStatus) & ~(0x7fu << 16); };
  const auto exchange = [&](unsigned port) {
    rig->driver.SendH2c(queues[port], Packet(AnyLength()));
    rig->card.SendToHost(port, Packet(AnyLength()));
    ASSERT_TRUE(rig->Until([&] { return Take(*rig, queues[port]).has_value(); }));
  };
  rig->Write(0, kLimit, kTicks);
  for (unsigned port = 0; port < kPorts; ++port) {
    rig->Write(0, kControl, 1);
    for (int n = 0; n < 20; ++n) {
      exchange(n % kPorts);
      pass(rng_.Below(limit));
    }
    pass(3 * limit);
    EXPECT_TRUE(rig->dma.HasWork()) << "it is armed";
    EXPECT_EQ(found() & kFound, 0u);
    rig->card.is_paused[port] = true;
    for (int n = 0; n < 40; ++n) rig->driver.SendH2c(queues[port], Packet(1000));
    for (uint64_t edges = 0; edges < 4 * limit; edges += limit / 8) {
      pass(limit / 8);
      exchange((port + 1) % kPorts);
    }
    EXPECT_EQ(found(), kFound | port) << "H2C";
    EXPECT_TRUE(rig->Until([&] { return !rig->dma.HasWork(); }, 5000)) << "it is armed no longer";
    rig->card.is_paused[port] = false;
    ASSERT_TRUE(rig->Until([&] { return rig->driver.H2cFree(queues[port]) == 63; }));
  }
  rig->Write(0, kControl, 1);
  for (int n = 0; n < 70; ++n) rig->card.SendToHost(1, Packet(60));  // a ring has 63 buffers
  pass(3 * limit);
  EXPECT_EQ(found(), kFound | kC2h | 1u);
}

// A descriptor that points outside the host's memory stops only its queue.
TEST_F(CardDmaTest, AddressesOutsideAreAnErrorOfTheirQueue) {
  const auto rig = MakeRig();
  auto queues = OpenAll(*rig);
  rig->driver.PutDescriptor(queues[0], 0x1000, 100, 0);
  rig->driver.RingH2c(queues[0]);
  EXPECT_TRUE(rig->Until([&] { return rig->dma.Describe().at("reads_failed") == 1; }));
  EXPECT_TRUE(rig->Until([&] { return (rig->driver.Read(0x254) & 1u << 20) != 0; }));
  EXPECT_NE(rig->driver.ReadContext(1, 0)[1] >> 26 & 3, 0u) << "the context has its error";
  EXPECT_TRUE(rig->card.from_host[0].empty());
  const Bytes packet = Packet(300);
  rig->driver.SendH2c(queues[1], packet);
  EXPECT_TRUE(rig->Until([&] { return rig->card.from_host[1].size() == 1; }));
  EXPECT_EQ(rig->card.from_host[1].front(), packet);
}

}  // namespace
}  // namespace ullnic
