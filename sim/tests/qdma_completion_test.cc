// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// When the DMA notifies software of packets: entries, status, interrupts, timers.

#include "dma_bench.h"

namespace ullnic {
namespace {

constexpr uint32_t kStatus = 1;
constexpr uint32_t kInterrupt = 2;
constexpr uint32_t kEvery = 1 << 2;
constexpr uint32_t kUserCount = 2 << 2;
constexpr uint32_t kUserTimer = 4 << 2;
constexpr uint32_t kTimerOrCount = 5 << 2;

constexpr uint32_t kLongTimer = 1 << 21;  // index 1

constexpr int64_t kLongTimeoutPs = 50 * 25 * DmaBench::kEdgePs;
constexpr int64_t kTimeoutPs = 5 * 25 * DmaBench::kEdgePs;  // of the timer of index 0
constexpr int64_t kTimerLatePs =
    150 * DmaBench::kEdgePs;  // a tick, a turn of the timer wheel, the status
constexpr int64_t kReadPs = 300 * DmaBench::kEdgePs;  // of a context

// Tests of both DMAs, and of the model's times.
template <class Fixture>
class CompletionTest : public Fixture {
 protected:
  TestDriver::Queue Open(uint32_t control, bool full_update = false) {
    this->Sizes({65});
    driver().WriteArray(0xA40, {4, 10});  // counts
    driver().WriteArray(0xA00, {5, 50});  // timers, in ticks
    driver().Write(0xB0C, 25);            // of 100 ns
    return this->OpenQueue(
        {.completion_control = control, .full_update = full_update, .vector = kVector});
  }
  int interrupts() { return this->host_.interrupts[kVector]; }
  uint32_t StatusPidx(const TestDriver::Queue& q) {
    return static_cast<uint32_t>(driver().CompletionStatus(q) & 0xffff);
  }
  void TakeAll(TestDriver::Queue& q) {
    while (driver().TakeC2h(q)) {
    }
  }
  static constexpr unsigned kVector = 7;

 private:
  TestDriver& driver() { return this->driver_; }
};

class QdmaModelCompletion : public CompletionTest<QdmaTest> {
 protected:
  void Receive(int packets = 1) {
    for (int i = 0; i < packets; ++i) card_.to_host[0].push_back(Packet(64));
    PollAll();
  }
};

class QdmaCompletion : public CompletionTest<DmaTest> {
 protected:
  void Receive(int packets = 1) {
    for (int i = 0; i < packets; ++i) SendToHost(0, 64);
    Settle();
  }
  void RingCompletion(const TestDriver::Queue& q, uint32_t mode_bits = 0) {
    driver_.RingCompletion(q, mode_bits);
    Settle();
  }
};
ULLNIC_BOTH_DMAS(QdmaCompletion);

TEST_P(QdmaCompletion, NothingIsToldBeforeTheFirstDoorbell) {
  auto q = Open(kStatus | kInterrupt | kEvery);
  Receive(3);
  EXPECT_EQ(interrupts(), 0);
  EXPECT_EQ(driver_.CompletionStatus(q), 0u);
  RingCompletion(q);  // with the current index: arms
  EXPECT_EQ(interrupts(), 1);
  EXPECT_EQ(StatusPidx(q), 3u);
}

TEST_P(QdmaCompletion, OneInterruptIsOutstanding) {
  auto q = Open(kStatus | kInterrupt | kEvery);
  RingCompletion(q);
  EXPECT_EQ(interrupts(), 0) << "there is nothing to read";
  Receive();
  EXPECT_EQ(interrupts(), 1);
  EXPECT_EQ(driver_.CompletionStatus(q), 1u | uint64_t{1} << 32);  // index 1, colour 1, waits
  Receive(5);
  EXPECT_EQ(interrupts(), 1);
  EXPECT_EQ(StatusPidx(q), 1u);
  driver_.TakeC2h(q);
  RingCompletion(q);  // five are left
  EXPECT_EQ(interrupts(), 2);
  EXPECT_EQ(driver_.CompletionStatus(q), 6u | 1u << 16 | uint64_t{1} << 32);
  TakeAll(q);
  RingCompletion(q);
  EXPECT_EQ(interrupts(), 2);
  Receive();
  EXPECT_EQ(interrupts(), 3);
}

TEST_P(QdmaCompletion, StatusAndInterruptAreEnabledApart) {
  auto status = Open(kStatus | kEvery);
  RingCompletion(status);
  Receive();
  EXPECT_EQ(StatusPidx(status), 1u);
  EXPECT_EQ(interrupts(), 0);
  auto interrupt = Open(kInterrupt | kEvery);
  RingCompletion(interrupt);
  Receive();
  EXPECT_EQ(driver_.CompletionStatus(interrupt), 0u);
  EXPECT_EQ(interrupts(), 1);
}

TEST_P(QdmaCompletion, ModesThatWaitForUserLogicStaySilent) {
  for (const uint32_t mode : {0u, 3u, 6u, 7u}) {
    auto q = Open(kStatus | kInterrupt | mode << 2);
    RingCompletion(q);
    Receive(20);
    bench_->Wait(50'000'000);
    Settle();
    EXPECT_EQ(interrupts(), 0);
    EXPECT_EQ(driver_.CompletionStatus(q), 0u);
    EXPECT_TRUE(driver_.TakeC2h(q).has_value()) << "the entries are there, though";
  }
}

TEST_P(QdmaCompletion, ACountOfUnreadEntries) {
  auto q = Open(kStatus | kInterrupt | kUserCount);
  RingCompletion(q);
  Receive(3);
  EXPECT_EQ(interrupts(), 0);
  Receive();
  EXPECT_EQ(interrupts(), 1);
  EXPECT_EQ(StatusPidx(q), 4u);
  for (int i = 0; i < 4; ++i) driver_.TakeC2h(q);
  Receive(3);
  RingCompletion(q);
  EXPECT_EQ(interrupts(), 1);
  Receive();
  EXPECT_EQ(interrupts(), 2);
}

// From the first unread entry on: its time, a tick and the time of the notification.
TEST_P(QdmaCompletion, ATimerFiresInItsTime) {
  auto q = Open(kStatus | kInterrupt | kUserTimer | kLongTimer);
  RingCompletion(q);
  const auto edges_until = [&](const std::function<bool()>& holds) {
    int64_t edges = 0;
    for (; edges < 10'000 && !holds(); ++edges) bench_->Step();
    return edges;
  };
  for (int round = 0; round < 20; ++round) {
    const int before = interrupts();
    const TestDriver::Queue seen = q;
    SendToHost(0, 64);
    const uint64_t entry = q.completion_ring + 8 * q.completion_cidx;
    edges_until([&] { return (host_.Read64(entry) >> 1 & 1) == seen.colour; });
    EXPECT_EQ(driver_.ReadContext(6, 0)[4] & 1, 1u) << "the timer runs";
    SendToHost(0, 64);  // does not delay it
    EXPECT_EQ(interrupts(), before);
    const int64_t edges = edges_until([&] { return interrupts() != before; });
    EXPECT_LE(edges * DmaBench::kEdgePs, kLongTimeoutPs + kTimerLatePs);
    EXPECT_GE(edges * DmaBench::kEdgePs, kLongTimeoutPs - kReadPs - kTimerLatePs);
    EXPECT_EQ(driver_.ReadContext(6, 0)[4] & 1, 0u);
    EXPECT_EQ(StatusPidx(q), (seen.completion_cidx + 2) % 64);
    TakeAll(q);
    RingCompletion(q);  // none is unread: it does not run
    EXPECT_EQ(driver_.ReadContext(6, 0)[4] & 1, 0u);
    bench_->Wait(2 * kLongTimeoutPs);
    EXPECT_EQ(interrupts(), before + 1);
  }
}

TEST_P(QdmaCompletion, ACountOrATimer) {
  auto q = Open(kStatus | kInterrupt | kTimerOrCount);
  RingCompletion(q);
  Receive(4);
  EXPECT_EQ(interrupts(), 1) << "the count";
  bench_->Wait(2 * kTimeoutPs);
  EXPECT_EQ(interrupts(), 1) << "the timer has been stopped";
  TakeAll(q);
  RingCompletion(q);
  Receive();
  bench_->Wait(kTimeoutPs + kTimerLatePs);
  EXPECT_EQ(interrupts(), 2) << "the timer";
}

TEST_P(QdmaCompletion, TheDoorbellChangesTheModeOnlyIfTheContextSaysSo) {
  const uint32_t every = 1u << 28 | 1u << 27 | 1u << 24;
  auto fixed = Open(kStatus | kInterrupt | kUserCount);
  RingCompletion(fixed, every);
  Receive();
  EXPECT_EQ(interrupts(), 0);
  auto q = Open(kUserCount, true);
  RingCompletion(q, every);
  Receive();
  EXPECT_EQ(interrupts(), 1);
  EXPECT_EQ(StatusPidx(q), 1u);
  TakeAll(q);
  // Count of index 1 is 10, timer of index 1 is 50 ticks; no interrupt.
  RingCompletion(q, 1u << 27 | 5u << 24 | 1u << 20 | 1u << 16);
  Receive(9);
  EXPECT_EQ(StatusPidx(q), 1u);
  Receive();
  EXPECT_EQ(StatusPidx(q), 11u);
  EXPECT_EQ(interrupts(), 1);
}

TEST_P(QdmaCompletion, EntriesOfEverySizeTurnTheColourAtTheEnd) {
  Sizes({6});  // 5 entries
  for (unsigned log = 0; log < 4; ++log) {
    const unsigned qid = log % kPorts;
    auto q = OpenQueue({.qid = qid, .entry_log = log});
    RingCompletion(q);
    const size_t bytes = 8u << log;
    std::memset(host_.At(q.completion_ring), 0x55, bytes * 5);
    for (uint32_t i = 0; i < 20; ++i) {
      SendToHost(qid, 100 + i);
      Settle();
      const uint64_t entry = q.completion_ring + bytes * (i % 5);
      const uint64_t colour = i / 5 % 2 == 0 ? 2 : 0;
      EXPECT_EQ(host_.Read64(entry), (100 + i) << 4 | 8 | colour);
      for (size_t at = 8; at < bytes; at += 8) EXPECT_EQ(host_.Read64(entry + at), 0u);
      // The status has the colour of the next entry.
      const uint64_t next_colour = (i + 1) / 5 % 2 == 0;
      EXPECT_EQ(driver_.CompletionStatus(q) >> 32 & 1, next_colour);
      EXPECT_EQ(driver_.CompletionStatus(q) & 0xffff, (i + 1) % 5);
      q.completion_cidx = (i + 1) % 5;
      driver_.PostBuffers(q, 1);
      RingCompletion(q);
    }
  }
}

TEST_P(QdmaCompletion, H2cInterruptsAreArmedByTheDoorbell) {
  Sizes({65});
  auto q = OpenQueue({.vector = kVector, .h2c_interrupt = true});
  const auto send = [&](bool arm) {
    driver_.PutH2c(q, Packet(64), {64}, false);
    driver_.RingH2c(q, arm);
    Settle();
  };
  send(true);
  EXPECT_EQ(interrupts(), 1);
  send(false);
  send(false);
  EXPECT_EQ(interrupts(), 1) << "held";
  EXPECT_EQ(driver_.ReadContext(1, 0)[1] >> 29 & 1, 1u);
  driver_.RingH2c(q, true);
  Settle();
  EXPECT_EQ(interrupts(), 2) << "let go";
  EXPECT_EQ(driver_.ReadContext(1, 0)[1] >> 29 & 1, 0u);
  send(false);
  EXPECT_EQ(interrupts(), 3) << "one that was held leaves the arm: it may be old";
  send(false);
  EXPECT_EQ(interrupts(), 3);
}

TEST_P(QdmaCompletion, InterruptsOfSeveralQueuesGatherInARing) {
  Sizes({65});
  const uint64_t ring = host_.Allocate(4096);
  constexpr uint32_t kRing = 9;
  const uint64_t page = ring >> 12;
  driver_.WriteContext(8, kRing,
                       {1 | kVector << 1 | 1u << 14 | static_cast<uint32_t>(page << 15),
                        static_cast<uint32_t>(page >> 17), static_cast<uint32_t>(page >> 49)});
  std::vector<TestDriver::Queue> queues;
  for (unsigned qid = 0; qid < kPorts; ++qid) {
    queues.push_back(OpenQueue({.qid = qid,
                                .completion_control = kInterrupt | kEvery,
                                .vector = kRing,
                                .completion_vector_bits = 1u << 15}));
  }
  uint64_t colour = 1;
  uint32_t at = 0;
  int want_interrupts = 0;
  for (int i = 0; i < 1200; ++i) {  // twice through the 512 entries
    const auto qid = static_cast<unsigned>(rng_.Below(kPorts));
    auto& q = queues[qid];
    RingCompletion(q);
    SendToHost(qid, 64);
    Settle();
    EXPECT_TRUE(driver_.TakeC2h(q).has_value());
    const uint64_t entry = host_.Read64(ring + 8 * at);
    ASSERT_EQ(entry >> 63, colour) << i;
    EXPECT_EQ(entry >> 39 & 0xffffff, qid);
    EXPECT_EQ(entry >> 38 & 1, 1u) << "C2H";
    EXPECT_EQ(interrupts(), want_interrupts + 1);
    if (++at == 512) {
      at = 0;
      colour ^= 1;
    }
    if (rng_.Chance(0.5)) {  // read up to here; else the next one has no interrupt
      driver_.Doorbell(0, 0, kRing << 16 | at);
      Settle();
      ++want_interrupts;
    }
  }
  EXPECT_EQ(bench_->dma().Describe().at("interrupts_lost"), 0);
  EXPECT_EQ(driver_.Read(0xAF0), 0u);
}

TEST_P(QdmaCompletion, InterruptsThatGoNowhereAreCounted) {
  Sizes({65});
  uint64_t lost = 0;
  // A nonexistent vector, a nonexistent ring, an invalid ring.
  for (const auto& [vector, bits] : {std::pair{32u, 0u}, {700u, 1u << 15}, {3u, 1u << 15}}) {
    auto q = OpenQueue({.completion_control = kInterrupt | kEvery,
                        .vector = vector,
                        .completion_vector_bits = bits});
    RingCompletion(q);
    Receive();
    EXPECT_TRUE(driver_.TakeC2h(q).has_value());
    EXPECT_EQ(driver_.Read(0xAF0), 1u << 7);
    lost += !is_rtl() || bits != 0;  // the RTL does not count nonexistent vectors
    EXPECT_EQ(bench_->dma().Describe().at("interrupts_lost"), lost);
    driver_.Write(0xAF0, ~0u);
  }
}

TEST_F(QdmaModelCompletion, ATimerFromTheFirstUnreadEntry) {
  auto q = Open(kStatus | kInterrupt | kUserTimer);
  driver_.RingCompletion(q);
  EXPECT_FALSE(device_.next_deadline_ps().has_value());
  now_ps_ = 1'000'000;
  Receive();
  // 5 ticks of 25 clocks of 4 ns
  EXPECT_EQ(device_.next_deadline_ps(), 1'000'000 + 500'000);
  EXPECT_EQ(driver_.ReadContext(6, 0)[4] & 1, 1u) << "the timer runs";
  now_ps_ += 400'000;
  Receive(3);
  EXPECT_EQ(device_.next_deadline_ps(), 1'500'000) << "later ones do not put it off";
  EXPECT_EQ(interrupts(), 0);
  now_ps_ = 1'499'999;
  EXPECT_FALSE(device_.Poll());
  now_ps_ = 1'500'000;
  EXPECT_TRUE(device_.Poll());
  EXPECT_EQ(interrupts(), 1);
  EXPECT_EQ(StatusPidx(q), 4u);
  EXPECT_FALSE(device_.next_deadline_ps().has_value());
  EXPECT_EQ(driver_.ReadContext(6, 0)[4] & 1, 0u);
  driver_.TakeC2h(q);
  driver_.RingCompletion(q);  // three are unread: the timer runs again
  EXPECT_EQ(device_.next_deadline_ps(), 2'000'000);
  TakeAll(q);
  driver_.RingCompletion(q);  // none: it is stopped
  EXPECT_FALSE(device_.next_deadline_ps().has_value());
  now_ps_ += 10'000'000;
  PollAll();
  EXPECT_EQ(interrupts(), 1);
}

// The doorbell can choose another timer, too.
TEST_F(QdmaModelCompletion, TheDoorbellChoosesTheTimer) {
  auto q = Open(kStatus | kUserCount, true);
  driver_.RingCompletion(q, 1u << 27 | 5u << 24 | 1u << 20 | 1u << 16);
  Receive(9);
  EXPECT_EQ(device_.next_deadline_ps(), now_ps_ + 5'000'000);
}

}  // namespace
}  // namespace ullnic
