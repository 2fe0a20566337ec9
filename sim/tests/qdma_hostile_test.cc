// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Faulty or malicious drivers: the affected queue stops and reports why, the others continue, and
// the DMA keeps working.

#include "dma_bench.h"

namespace ullnic {
namespace {

constexpr uint64_t kNowhere = 0x123'4567'8000;

class QdmaModelHostile : public QdmaTest {
 protected:
  void SetUp() override {
    QdmaTest::SetUp();
    Sizes({17, 0, 2, 5}, {2048, 0, 64});
    bystander_ = OpenQueue({.qid = 3, .completion_control = 1 | 2 | 1 << 2, .vector = 3});
  }
  // Checks that another queue works in both directions.
  void ExpectOthersWork() {
    const Bytes packet = Packet(100);
    driver_.SendH2c(bystander_, packet);
    card_.to_host[3].push_back(packet);
    PollAll();
    ASSERT_EQ(card_.from_host[3].size(), 1u);
    EXPECT_EQ(card_.from_host[3].front(), packet);
    card_.from_host[3].clear();
    EXPECT_EQ(driver_.TakeC2h(bystander_), packet);
    driver_.RingCompletion(bystander_);
  }
  void ExpectStopped(bool c2h, unsigned qid) {
    const auto software = driver_.ReadContext(c2h ? 0 : 1, qid);
    EXPECT_EQ(software[1] & 1, 0u) << "disabled";
    EXPECT_NE(software[1] >> 26 & 3, 0u) << "with an error";
    EXPECT_FALSE(device_.HasWork());
    if (!c2h) return;
    const auto completion = driver_.ReadContext(6, qid);
    EXPECT_EQ(completion[3] >> 28, 2u << 1) << "not valid, descriptor error";
  }
  TestDriver::Queue bystander_;
};

TEST_F(QdmaModelHostile, DescriptorsThatMakeNoPacketDoNotHoldUpTheRest) {
  constexpr unsigned kQueues = 50;
  constexpr uint32_t kEntries = 8000;
  driver_.WriteArray(0x204, {17, 0, 2, 5, kEntries + 1});
  driver_.MapFunction(0, kPorts + kQueues);
  const uint64_t ring = host_.Allocate(16 * (kEntries + 1));
  const uint64_t data = host_.Allocate(1);
  for (uint32_t i = 0; i < kEntries; ++i) {  // the first one begins a packet, none ends it
    host_.Write64(ring + 16 * i, 1u << 16 | uint64_t{1} << 32 | uint64_t{i == 0} << 48);
    host_.Write64(ring + 16 * i + 8, data);
  }
  for (unsigned qid = kPorts; qid < kPorts + kQueues; ++qid) {
    driver_.WriteContext(1, qid,
                         {0, 1 | 1u << 16 | 4u << 12, static_cast<uint32_t>(ring),
                          static_cast<uint32_t>(ring >> 32)});
    driver_.Doorbell(1, qid, kEntries - 1);
  }
  const Bytes packet = Packet(100);
  const uint64_t begin = device_.counters().descriptors;
  uint64_t before = begin;
  for (unsigned polls = 1; device_.HasWork(); ++polls) {
    device_.Poll();
    ASSERT_LE(device_.counters().descriptors - before, 4096u) << "poll " << polls;
    before = device_.counters().descriptors;
    if (polls == 1) driver_.SendH2c(bystander_, packet);
    if (polls == kQueues + 2) {
      ASSERT_EQ(card_.from_host[3].size(), 1u) << "every queue has had its turn";
      EXPECT_EQ(card_.from_host[3].front(), packet);
    }
  }
  EXPECT_GE(before - begin, kQueues * (kEntries - 1)) << "all were fetched";
  card_.from_host[3].clear();
  for (unsigned qid = kPorts; qid < kPorts + kQueues; ++qid) ExpectStopped(false, qid);
  ExpectOthersWork();
}

TEST_F(QdmaModelHostile, BadH2cDescriptors) {
  struct Case {
    const char* name;
    uint64_t length[2];
    uint64_t flags[2];
    bool unmapped;
    uint32_t descriptor_errors;
    uint32_t h2c_errors;
  };
  const Case cases[] = {
      {"no bytes within a packet", {10, 0}, {1, 2}, false, 1u << 4, 1},
      {"data outside mapped memory", {100, 0}, {0, 0}, true, 1u << 20 | 1u << 2, 0},
      {"an end without a begin", {100, 0}, {2, 0}, false, 1u << 4, 0},
      {"a begin within a packet", {100, 100}, {1, 1}, false, 1u << 4, 0},
      {"a packet within a packet", {100, 100}, {1, 3}, false, 1u << 4, 0},
      {"more than 65535 bytes", {65535, 1}, {1, 2}, false, 1u << 4, 0},
  };
  uint64_t errors = 0;
  for (const Case& c : cases) {
    SCOPED_TRACE(c.name);
    auto q = OpenQueue({.h2c_size = 0, .vector = 5, .h2c_interrupt = true});
    const int before = host_.interrupts[5];
    for (int i = 0; i < 2; ++i) {
      driver_.PutDescriptor(q, c.unmapped ? kNowhere : q.h2c_memory, c.length[i], c.flags[i]);
    }
    driver_.RingH2c(q, true);
    PollAll();
    ExpectStopped(false, 0);
    EXPECT_EQ(device_.counters().queue_errors, ++errors);
    EXPECT_EQ(host_.Read64(q.h2c_ring + 16 * q.h2c_entries) & 3, 1u) << "status tells of it";
    EXPECT_EQ(host_.interrupts[5], before + 1);
    EXPECT_EQ(driver_.Read(0x254), c.descriptor_errors);
    EXPECT_EQ(driver_.Read(0xE00), c.h2c_errors);
    EXPECT_EQ(driver_.Read(0x25C), 1u << 31) << "H2C queue 0";
    EXPECT_TRUE(card_.from_host[0].empty());
    driver_.RingH2c(q, true);  // no effect
    PollAll();
    EXPECT_EQ(host_.interrupts[5], before + 1);
    for (const uint32_t status : {0x254u, 0xE00u, 0x25Cu}) driver_.Write(status, ~0u);
    ExpectOthersWork();
  }
}

TEST_F(QdmaModelHostile, APacketThatFillsTheRing) {
  auto q = OpenQueue({.h2c_size = 3});  // of 4
  for (int i = 0; i < 3; ++i) driver_.PutDescriptor(q, q.h2c_memory, 10, i == 0 ? 1 : 0);
  driver_.RingH2c(q);
  PollAll();
  ExpectStopped(false, 0);
  ExpectOthersWork();
}

TEST_F(QdmaModelHostile, ContextsThatMakeNoQueue) {
  // Word 1 of the software context: no ring, a ring of the status slot alone, descriptors of the
  // other direction's size, memory-mapped, bypass.
  const uint32_t h2c[] = {1 | 1 << 12 | 1 << 16, 1 | 2 << 12 | 1 << 16, 1, 1 | 1 << 16 | 1u << 31,
                          1 | 1 << 16 | 1 << 18};
  const uint32_t c2h[] = {1 | 1 << 12, 1 | 2 << 12, 1 | 1 << 16, 1 | 1u << 31, 1 | 1 << 18};
  for (size_t i = 0; i < std::size(h2c); ++i) {
    SCOPED_TRACE(i);
    OpenQueue();
    driver_.WriteContext(1, 0, {0, h2c[i], 0, 7});
    driver_.Doorbell(1, 0, 1);
    PollAll();
    ExpectStopped(false, 0);
    driver_.WriteContext(0, 0, {0, c2h[i], 0, 7});
    driver_.Doorbell(2, 0, 1);
    PollAll();
    ExpectStopped(true, 0);
    ExpectOthersWork();
  }
}

// A context that is written with descriptors needs no doorbell: the next packet finds it.
TEST_F(QdmaModelHostile, AContextThatMakesNoRingFoundByAPacket) {
  // Descriptors of the other direction's size, memory-mapped, bypass.
  for (const uint32_t c2h : {1u | 1u << 16, 1u | 1u << 31, 1u | 1u << 18}) {
    SCOPED_TRACE(c2h);
    OpenQueue();
    driver_.WriteContext(0, 0, {1, c2h, 0, 7});
    card_.to_host[0].push_back(Packet(100));
    PollAll();
    ExpectStopped(true, 0);
    EXPECT_EQ(card_.to_host[0].size(), 1u);
    card_.to_host[0].clear();
    ExpectOthersWork();
  }
}

TEST_F(QdmaModelHostile, IndicesOutsideTheRing) {
  for (const uint32_t index : {16u, 17u, 0xffffu}) {
    auto q = OpenQueue({.completion_control = 1 | 2 | 1 << 2, .vector = 6});
    driver_.RingCompletion(q);
    driver_.Doorbell(1, 0, index);
    ExpectStopped(false, 0);
    EXPECT_EQ(driver_.Read(0x254), 1u << 21) << "invalid producer index";
    EXPECT_EQ(driver_.Read(0x27C), index);
    driver_.Write(0x25C, 0);
    const int before = host_.interrupts[6];
    driver_.Doorbell(2, 0, index);
    ExpectStopped(true, 0);
    EXPECT_EQ(driver_.Read(0x25C), 3u << 30) << "C2H queue 0";
    EXPECT_EQ(driver_.CompletionStatus(q) >> 35 & 3, 2u);
    EXPECT_EQ(host_.interrupts[6], before + 1);
    driver_.Write(0x25C, 0);
    driver_.Write(0x254, ~0u);

    q = OpenQueue({.completion_control = 1 | 2 | 1 << 2, .vector = 6});
    driver_.RingCompletion(q);
    driver_.Doorbell(3, 0, index);
    EXPECT_EQ(driver_.ReadContext(6, 0)[3] >> 28, 1u << 1) << "bad consumer index";
    EXPECT_EQ(driver_.CompletionStatus(q) >> 35 & 3, 1u);
    EXPECT_EQ(host_.interrupts[6], before + 2);
    EXPECT_TRUE(driver_.Read(0xAF0) & 1u << 14);
    driver_.Write(0xAF0, ~0u);
    card_.to_host[0].push_back(Packet(60));
    PollAll();
    EXPECT_EQ(card_.to_host[0].size(), 1u) << "waits for a queue";
    card_.to_host[0].clear();
    ExpectOthersWork();
  }
}

TEST_F(QdmaModelHostile, AConsumerIndexAheadOfTheProducer) {
  OpenQueue();
  driver_.Doorbell(3, 0, 0);
  card_.to_host[0].push_back(Packet(60));
  PollAll();
  driver_.Doorbell(3, 0, 1);
  EXPECT_EQ(driver_.ReadContext(6, 0)[3] >> 28, 1u);
  driver_.Doorbell(3, 0, 2);
  EXPECT_EQ(driver_.ReadContext(6, 0)[3] >> 28, 1u << 1);
}

TEST_F(QdmaModelHostile, RingsOutsideMappedMemory) {
  const auto low = static_cast<uint32_t>(kNowhere);
  const auto high = static_cast<uint32_t>(kNowhere >> 32);
  OpenQueue();
  driver_.WriteContext(1, 0, {0, 1 | 4 | 1 << 16 | 1 << 20, low, high});
  driver_.Doorbell(1, 0, 1);
  PollAll();
  ExpectStopped(false, 0);
  EXPECT_EQ(driver_.Read(0x254), 1u << 2);

  driver_.WriteContext(0, 0, {0, 1, ~0u, ~0u});  // at the end of all addresses
  driver_.Doorbell(2, 0, 5);
  card_.to_host[0].push_back(Packet(60));
  PollAll();
  ExpectStopped(true, 0);
  EXPECT_EQ(card_.to_host[0].size(), 1u);

  OpenQueue();  // a nonexistent completion ring: the packet is not discarded
  driver_.WriteContext(6, 0, {1 | 2 | 1 << 2 | 1u << 27, low, 0, 1u << 28, 4 << 4});
  driver_.Doorbell(3, 0, 0);
  PollAll();
  EXPECT_EQ(driver_.ReadContext(6, 0)[3] >> 28, 2u << 1);
  EXPECT_EQ(host_.interrupts[4], 1) << "reported by the one way that is left";
  EXPECT_EQ(card_.to_host[0].size(), 1u);
  ExpectOthersWork();
}

// The descriptors are mapped, the status entry after them is not.
TEST_F(QdmaModelHostile, AnH2cStatusOutsideMappedMemory) {
  OpenQueue();
  constexpr uint64_t kRing = TestHost::kBase + TestHost::kBytes - uint64_t{16} * 16;
  host_.Write64(kRing, 1u << 16 | uint64_t{64} << 32 | uint64_t{3} << 48);
  host_.Write64(kRing + 8, TestHost::kBase);
  driver_.WriteContext(1, 0,
                       {0, 1 | 4 | 1 << 16 | 1 << 20, static_cast<uint32_t>(kRing),
                        static_cast<uint32_t>(kRing >> 32)});
  driver_.Doorbell(1, 0, 1);
  PollAll();
  EXPECT_EQ(card_.from_host[0].size(), 1u) << "what could be read was sent";
  ExpectStopped(false, 0);
  ExpectOthersWork();
}

TEST_F(QdmaModelHostile, AC2hBufferOutsideMappedMemory) {
  auto q = OpenQueue({.completion_control = 1 | 2 | 1 << 2, .vector = 8});
  driver_.RingCompletion(q);
  const int before = host_.interrupts[8];
  host_.Write64(q.c2h_ring, kNowhere);
  card_.to_host[0].push_back(Packet(100));
  PollAll();
  ExpectStopped(true, 0);
  const uint64_t entry = host_.Read64(q.completion_ring);
  EXPECT_EQ(entry, 2u | 4u) << "an entry with the error bit, without a descriptor";
  EXPECT_EQ(driver_.CompletionStatus(q) >> 35 & 3, 2u);
  EXPECT_EQ(host_.interrupts[8], before + 1);
  EXPECT_EQ(card_.to_host[0].size(), 1u) << "still the card's";
  card_.to_host[0].clear();
  ExpectOthersWork();
}

TEST_F(QdmaModelHostile, APacketThatAnEntryCannotDescribe) {
  auto q = OpenQueue();
  card_.to_host[0].push_back(Packet(65536));
  const Bytes next = Packet(100);
  card_.to_host[0].push_back(next);
  PollAll();
  EXPECT_EQ(driver_.TakeC2h(q), next);
  EXPECT_EQ(device_.counters().c2h_too_long, 1u);
  EXPECT_EQ(driver_.Read(0xAF0), 1u << 1);
  ExpectOthersWork();
}

TEST_F(QdmaModelHostile, AQueueWithoutAPort) {
  driver_.MapFunction(0, 2048);
  for (const unsigned qid : {kPorts, 2047u}) {
    auto q = OpenQueue({.qid = qid});
    driver_.SendH2c(q, Packet(60));
    PollAll();
    ExpectStopped(false, qid);
    EXPECT_EQ(driver_.Read(0xE00), 1u << 2);
    EXPECT_EQ(driver_.Read(0xE08) & 0x1fff, qid);
    driver_.Write(0xE00, ~0u);
  }
  ExpectOthersWork();
}

TEST_F(QdmaModelHostile, DoorbellsWithoutAQueue) {
  const auto ignored = [&] { return device_.counters().doorbells_ignored; };
  const uint64_t before = ignored();
  for (unsigned kind = 0; kind < 4; ++kind) driver_.Doorbell(kind, 0, 1);
  EXPECT_EQ(ignored(), before + 4);
  EXPECT_EQ(device_.counters().doorbells_out_of_range, 0u);
  driver_.Doorbell(1, kPorts, 1);
  driver_.Doorbell(2, 2047, 1);
  EXPECT_EQ(device_.counters().doorbells_out_of_range, 2u);
  EXPECT_EQ(driver_.Read(0x264), 1u << 5);
  EXPECT_EQ(device_.counters().queue_errors, 0u);
}

// Registers, contexts and doorbells at random, with packets in between; half the values are close
// to a driver's.
TEST_F(QdmaModelHostile, RandomWritesDoNoHarm) {
  const auto address_in_memory = [&] {
    return TestHost::kBase + (rng_.Below(TestHost::kBytes - 4096) & ~uint64_t{63});
  };
  // An address in memory is a C2H descriptor, and two are an H2C descriptor of 7 bytes.
  for (size_t at = 0; at < TestHost::kBytes; at += 8) {
    host_.Write64(TestHost::kBase + at, address_in_memory());
  }
  const auto enough = [&] { return device_.counters().c2h_packets > 300; };
  for (int i = 0; i < 150'000 || (i < 1'500'000 && !enough()); ++i) {  // some seeds take longer
    switch (rng_.Below(8)) {
      case 0:
        driver_.Write(static_cast<uint32_t>(rng_.Below(0x40000)), rng_.Word());
        break;
      case 1:
        driver_.Read(static_cast<uint32_t>(rng_.Below(0x40000)));
        break;
      case 2:
        driver_.WriteArray(rng_.Chance(0.5) ? 0x204 : 0xAB0,
                           {static_cast<uint32_t>(rng_.Below(400)), 17, 5, rng_.Word()});
        break;
      case 3: {
        const auto selector = static_cast<unsigned>(rng_.Below(16));
        std::vector<uint32_t> words(8);
        for (uint32_t& word : words) word = rng_.Word();
        if (rng_.Chance(0.7)) {  // a queue that can run
          const uint64_t base = address_in_memory();
          words[0] &= selector == 6 ? 0x0fff001f : 3;
          words[1] = 1 | 4 | static_cast<uint32_t>(rng_.Below(4)) << 12 | 1u << 20 | 1u << 21;
          if (selector == 1) words[1] |= 1u << 16;
          words[2] = static_cast<uint32_t>(base);
          words[3] = static_cast<uint32_t>(base >> 32);
          if (selector == 6) {
            words[1] = static_cast<uint32_t>(base >> 6);
            words[2] = static_cast<uint32_t>(base >> 38);
            words[3] = 1u << 28;
          }
          if (selector == 7) words[1] = 1u << 13;
          if (selector == 12) words = {0, 2048};
        }
        driver_.WriteContext(selector, static_cast<unsigned>(rng_.Below(kPorts + 1)), words,
                             rng_.Chance(0.9) ? ~0u : rng_.Word());
        break;
      }
      case 4:
        driver_.Doorbell(static_cast<unsigned>(rng_.Below(4)),
                         static_cast<unsigned>(rng_.Below(kPorts + 1)),
                         rng_.Chance(0.9) ? rng_.Word() & 0x1f'000f : rng_.Word());
        break;
      case 5:
        card_.to_host[rng_.Below(kPorts)].push_back(Packet(rng_.Range(1, 300)));
        break;
      case 6:
        if (rng_.Chance(0.001)) device_.Reset();
        if (rng_.Chance(0.01)) host_.Write64(address_in_memory(), rng_.Next());
        now_ps_ += static_cast<int64_t>(rng_.Below(1'000'000'000));
        break;
      default:
        device_.Poll();
        device_.HasWork();
        device_.next_deadline_ps();
    }
    for (auto& packets : card_.from_host) packets.clear();
    for (auto& packets : card_.to_host) {
      if (packets.size() > 50) packets.clear();
    }
  }
  std::cout << "queues stopped: " << device_.counters().queue_errors
            << ", packets: " << device_.counters().h2c_packets << " to the card, "
            << device_.counters().c2h_packets << " to the host\n";
  EXPECT_GT(device_.counters().queue_errors, 1000u);
  EXPECT_GT(device_.counters().h2c_packets, 1000u);
  EXPECT_TRUE(enough());
  // After a reset it works again.
  device_.Reset();
  for (auto& packets : card_.to_host) packets.clear();
  Sizes({17});
  TestDriver::Queue fresh = bystander_;
  fresh.h2c_pidx = fresh.c2h_pidx = fresh.c2h_next = fresh.completion_cidx = 0;
  fresh.colour = true;
  std::memset(host_.At(fresh.completion_ring), 0, 8 * 17);
  std::memset(host_.At(fresh.h2c_ring), 0, 16 * 17);
  driver_.WriteContexts(fresh);
  driver_.PostBuffers(fresh, fresh.c2h_entries - 1);
  bystander_ = fresh;
  ExpectOthersWork();
}

class QdmaHostile : public DmaTest {
 protected:
  static constexpr unsigned kBystander = 1;

  void SetUp() override {
    DmaTest::SetUp();
    Sizes({17, 0, 2, 5}, {2048, 0, 64});
    bystander_ = OpenQueue({.qid = kBystander, .completion_control = 1 | 2 | 1 << 2, .vector = 3});
    driver_.RingCompletion(bystander_);
  }
  void ExpectOthersWork() {
    const Bytes packet = Packet(100);
    driver_.SendH2c(bystander_, packet);
    const Bytes back = SendToHost(kBystander, 100);
    Settle();
    ExpectFromHost(kBystander, packet);
    EXPECT_EQ(driver_.TakeC2h(bystander_), back);
    driver_.RingCompletion(bystander_);
  }
  // {error at a descriptor, at its data}: bits 26 and 27 of the context's word 1. PG302, "Errors":
  // the queue is invalidated.
  void ExpectStopped(bool c2h, unsigned qid, uint32_t error) {
    const auto software = driver_.ReadContext(c2h ? 0 : 1, qid);
    EXPECT_EQ(software[1] >> 26 & 3, error);
    EXPECT_EQ(software[1] & 1, 0u) << "disabled";
  }
  TestDriver::Queue bystander_;
};
ULLNIC_BOTH_DMAS(QdmaHostile);

TEST_P(QdmaHostile, DescriptorsThatMakeNoPacket) {
  constexpr uint32_t kDescriptor = 1, kData = 2;
  struct Case {
    const char* name;
    uint64_t length[2];
    uint64_t flags[2];
    bool unmapped;
    uint32_t error;
  };
  const Case cases[] = {
      {"no bytes within a packet", {10, 0}, {1, 2}, false, kDescriptor},
      {"no bytes at the begin of a packet", {0, 10}, {1, 2}, false, kDescriptor},
      {"data outside mapped memory", {100, 0}, {0, 0}, true, kData},
      {"an end without a begin", {100, 0}, {2, 0}, false, kDescriptor},
      {"a begin within a packet", {100, 100}, {1, 1}, false, kDescriptor},
      {"a packet within a packet", {100, 100}, {1, 3}, false, kDescriptor},
      {"a packet without its end", {100, 100}, {1, 0}, false, kDescriptor},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.name);
    auto q = OpenQueue({.vector = 5, .h2c_interrupt = true});
    const int before = host_.interrupts[5];
    for (int i = 0; i < 2; ++i) {
      driver_.PutDescriptor(q, c.unmapped ? kNowhere : q.h2c_memory, c.length[i], c.flags[i]);
    }
    driver_.RingH2c(q, true);
    Settle();
    ExpectStopped(false, 0, c.error);
    // PG302: 1, whatever the error; 2 and 3 are reserved.
    EXPECT_EQ(host_.Read64(q.h2c_ring + 16 * q.h2c_entries) & 0xffff, 1u) << "status tells of it";
    EXPECT_EQ(host_.interrupts[5], before + 1);
    EXPECT_NE(driver_.Read(0x254), 0u);
    EXPECT_EQ(driver_.Read(0x25C), 1u << 31) << "H2C queue 0";
    EXPECT_TRUE(bench_->TakeFromHost(0).empty());
    driver_.RingH2c(q, true);  // no effect
    Settle();
    EXPECT_EQ(host_.interrupts[5], before + 1);
    for (const uint32_t status : {0x254u, 0xE00u, 0x25Cu}) driver_.Write(status, ~0u);
    ExpectOthersWork();
  }
}

TEST_P(QdmaHostile, ContextsThatMakeNoDescriptorRing) {
  struct Case {
    const char* name;
    uint32_t h2c, c2h;  // word 1 of the software context
    bool has_ring;
  };
  constexpr uint32_t kStatus = 1u << 20, kInterrupt = 1u << 21;
  for (const Case& c : {Case{"no ring", 1 << 12 | 1 << 16, 1 << 12, false},
                        Case{"a ring of the status slot alone", 2 << 12 | 1 << 16, 2 << 12, false},
                        Case{"descriptors of the other direction", 0, 1 << 16, true},
                        Case{"descriptors of 32 bytes", 2 << 16, 2 << 16, true},
                        Case{"descriptors of 64 bytes", 3 << 16, 3 << 16, true},
                        Case{"memory-mapped", 1u << 31 | 1 << 16, 1u << 31, true},
                        Case{"bypass", 1 << 18 | 1 << 16, 1 << 18, true}}) {
    SCOPED_TRACE(c.name);
    for (const bool c2h : {false, true}) {
      SCOPED_TRACE(c2h);
      OpenQueue();
      const uint64_t ring = host_.Allocate(16 * 64);
      const uint32_t word = 1 | kStatus | (c2h ? c.c2h : c.h2c | kInterrupt);
      driver_.WriteContext(
          c2h ? 0 : 1, 0,
          {1u << 16, word, static_cast<uint32_t>(ring), static_cast<uint32_t>(ring >> 32), 7});
      const int before = host_.interrupts[7];
      driver_.Doorbell(c2h ? 2 : 1, 0, 1);
      Settle();
      // Without a valid ring the doorbell is rejected; otherwise the queue is stopped.
      if (c.has_ring) ExpectStopped(c2h, 0, 1);
      if (c.has_ring && !c2h) {
        const uint64_t slot = ring + 16 * uint64_t{8u << (word >> 16 & 3)};
        EXPECT_EQ(host_.Read64(slot), uint64_t{1} << 32 | 1) << "status tells of it";
        EXPECT_EQ(host_.interrupts[7], before + 1);
      }
      EXPECT_TRUE(bench_->TakeFromHost(0).empty());
      EXPECT_NE(driver_.Read(0x254), 0u);
      driver_.Write(0x254, ~0u);
      driver_.Write(0x25C, 0);
      ExpectOthersWork();
    }
  }
}

// PG302, IRQ_REQ: an interrupt due to an error is pending until armed.
TEST_P(QdmaHostile, TheInterruptOfAnErrorWaitsForTheArm) {
  auto q = OpenQueue({.vector = 5, .h2c_interrupt = true});
  driver_.PutDescriptor(q, q.h2c_memory, 100, 2);  // an end without a start
  driver_.RingH2c(q);
  Settle();
  ExpectStopped(false, 0, 1);
  EXPECT_EQ(host_.interrupts[5], 0) << "not armed";
  driver_.Write(0x254, ~0u);
  driver_.PutDescriptor(q, q.h2c_memory, 100, 3);
  driver_.RingH2c(q, true);
  Settle();
  EXPECT_EQ(host_.interrupts[5], 1);
  ExpectStopped(false, 0, 1);
  EXPECT_TRUE(bench_->TakeFromHost(0).empty()) << "no packet of a queue that is stopped";
  EXPECT_EQ(driver_.Read(0x254), 0u) << "the driver did not know yet";
  ExpectOthersWork();
}

// A driver sets up a stopped queue again: no earlier state is left in it. With a command that
// clears it, or one that only clears its error.
TEST_P(QdmaHostile, AStoppedQueueWorksOnceItIsSetUpAgain) {
  for (const bool clears : {true, false}) {
    SCOPED_TRACE(clears);
    auto q = OpenQueue();
    SendToHost(0, 2000);
    Settle();
    // The ring's base moves to unmapped memory: the next read of descriptors fails.
    std::vector<uint32_t> words = driver_.ReadContext(0, 0);
    words[2] = static_cast<uint32_t>(kNowhere);
    words[3] = static_cast<uint32_t>(kNowhere >> 32);
    driver_.WriteContext(0, 0, words);
    EXPECT_TRUE(driver_.TakeC2h(q).has_value());  // posts its buffer
    SendToHost(0, 2000);
    Settle();
    ExpectStopped(true, 0, is_rtl() ? 2 : 1);
    if (!is_rtl()) bench_->Queue(0).clear();
    EXPECT_TRUE(bench_->Queue(0).empty());
    driver_.Write(0x254, ~0u);
    driver_.Write(0xAF0, ~0u);
    if (clears) {
      driver_.Command(0, 0, 0);
    } else {
      driver_.WriteContext(0, 0, {0, 1}, 0x0c00'0001);
    }
    q = OpenQueue();
    for (int i = 0; i < 40; ++i) {
      const Bytes packet = SendToHost(0, 3000);
      Settle();
      EXPECT_EQ(driver_.TakeC2h(q), packet);
      driver_.RingCompletion(q);
    }
    for (unsigned selector = 0; selector < 8; ++selector) driver_.Command(selector, 0, 0);
    ExpectOthersWork();
  }
}

// PG302, "Descriptor Context": software only clears them. Here it writes arbitrary values.
TEST_P(QdmaHostile, HardwareContextsThatLie) {
  for (const unsigned direction : {0u, 1u}) {
    OpenQueue();
    Settle();
    const uint32_t fetches = driver_.ReadContext(2 + direction, 0)[1] & 0x7800;
    driver_.WriteContext(2 + direction, 0, {~0u, ~0u});
    EXPECT_EQ(driver_.ReadContext(2 + direction, 0)[1] & 0x7f00, fetches | 0x700);
    driver_.Command(direction, 3, 0);  // ends
    driver_.Command(direction, 0, 0);
    auto q = OpenQueue();
    const Bytes packet = Packet(100);
    driver_.SendH2c(q, packet);
    const Bytes back = SendToHost(0, 100);
    Settle();
    ExpectFromHost(0, packet);
    EXPECT_EQ(driver_.TakeC2h(q), back);
    for (unsigned selector = 0; selector < 8; ++selector) driver_.Command(selector, 0, 0);
  }
  ExpectOthersWork();
}

TEST_P(QdmaHostile, HardwareContextsThatAreClearedUnderTraffic) {
  driver_.WriteArray(0x204, {17, 0, 2, 5, 257});
  auto q = OpenQueue({.c2h_size = 4, .completion_size = 4, .buffer_size = 2});
  for (int i = 0; i < 60; ++i) {
    const auto selector = static_cast<unsigned>(rng_.Range(2, 5));
    if (rng_.Chance(0.5)) {
      driver_.Command(selector, rng_.Chance(0.5) ? 0 : 3, 0);
    } else {
      driver_.WriteContext(selector, 0, {rng_.Word() & 0xff, rng_.Word()});
    }
    driver_.Doorbell(2, 0, rng_.Word() & 0xff);
    if (rng_.Chance(0.3)) driver_.Doorbell(1, 0, rng_.Word() & 0xf);
    if (rng_.Chance(0.5)) SendToHost(0, rng_.Range(16, 500));
    for (uint64_t edges = rng_.Below(300); edges > 0; --edges) bench_->Step();
    bench_->TakeFromHost(0);
  }
  driver_.Command(0, 3, 0);
  for (unsigned selector = 0; selector < 8; ++selector) driver_.Command(selector, 0, 0);
  for (int i = 0; i < 20'000; ++i) bench_->Step();
  bench_->Queue(0).clear();
  bench_->TakeFromHost(0);
  for (const uint32_t status : {0x254u, 0xAF0u, 0xE00u}) driver_.Write(status, ~0u);
  ExpectOthersWork();
}

// A packet that does not fit all buffers of its queue is dropped and reported.
TEST_P(QdmaHostile, APacketThatItsRingCannotHold) {
  struct Case {
    const char* name;
    unsigned ring, buffer_size;
    size_t bytes;
  };
  for (const Case& c :
       {Case{"a ring of 3 buffers", 3, 2, 64 * 3 + 1},
        Case{"all buffers of a ring", 0, 2, 64 * 15 + 1}, Case{"buffers of no bytes", 0, 1, 100}}) {
    SCOPED_TRACE(c.name);
    auto q = OpenQueue({.c2h_size = c.ring, .buffer_size = c.buffer_size});
    Settle();
    SendToHost(0, c.bytes);
    Settle();
    EXPECT_FALSE(bench_->dma().HasWork());
    EXPECT_EQ(driver_.Read(0xAF0), 1u << 1) << "length";
    EXPECT_EQ(driver_.Read(0xB30), 1u << 16) << "queue 0";
    driver_.Write(0xAF0, ~0u);
    EXPECT_EQ(driver_.ReadContext(0, 0)[1] & (1u | 3u << 26), 1u) << "the queue goes on";
    if (q.buffer_bytes != 0) {
      const Bytes packet = SendToHost(0, c.bytes - 1);
      Settle();
      EXPECT_EQ(driver_.TakeC2h(q), packet);
    }
    EXPECT_EQ(driver_.Read(0xAF0) | driver_.Read(0x254), 0u);
    for (unsigned selector = 0; selector < 8; ++selector) driver_.Command(selector, 0, 0);
    ExpectOthersWork();
  }
}

TEST_P(QdmaHostile, AnIndexOutsideTheRing) {
  for (const uint32_t index : {16u, 17u, 0xffffu}) {
    for (const unsigned kind : {1u, 2u}) {
      OpenQueue();
      driver_.Doorbell(kind, 0, index);
      Settle();
      EXPECT_EQ(driver_.Read(0x254), 1u << 21) << "invalid producer index";
      EXPECT_EQ(driver_.Read(0x25C), 1u << 31 | (kind == 2 ? 1u << 30 : 0));
      EXPECT_EQ(driver_.Read(0x27C) & 0xffff, index);
      driver_.Write(0x254, ~0u);
      driver_.Write(0x25C, 0);
    }
    OpenQueue();
    driver_.Doorbell(3, 0, index);
    Settle();
    EXPECT_NE(driver_.Read(0xAF0) & 1u << 14, 0u) << "invalid consumer index";
    driver_.Write(0xAF0, ~0u);
    ExpectOthersWork();
  }
}

TEST_P(QdmaHostile, AConsumerIndexAheadOfTheProducer) {
  auto q = OpenQueue({.completion_control = 1 | 2 | 1 << 2, .vector = 6});
  driver_.Doorbell(3, 0, 0);
  SendToHost(0, 60);
  Settle();
  EXPECT_EQ(host_.interrupts[6], 1);
  driver_.Doorbell(3, 0, 1);
  EXPECT_EQ(driver_.ReadContext(6, 0)[3] >> 28, 1u);
  driver_.Doorbell(3, 0, 2);
  Settle();
  EXPECT_EQ(driver_.ReadContext(6, 0)[3] >> 28, 1u << 1) << "not valid, bad consumer index";
  EXPECT_EQ(driver_.CompletionStatus(q) >> 35 & 3, 1u);
  EXPECT_EQ(host_.interrupts[6], 2);
  EXPECT_EQ(driver_.Read(0xAF0), 1u << 14);
  ExpectOthersWork();
}

TEST_P(QdmaHostile, RingsOfDescriptorsOutsideMappedMemory) {
  OpenQueue();
  driver_.WriteContext(1, 0,
                       {0, 1 | 4 | 1 << 16 | 1 << 20, static_cast<uint32_t>(kNowhere),
                        static_cast<uint32_t>(kNowhere >> 32)});
  driver_.Doorbell(1, 0, 1);
  Settle();
  EXPECT_NE(driver_.ReadContext(1, 0)[1] >> 26 & 3, 0u);
  EXPECT_NE(driver_.Read(0x254), 0u);
  driver_.Write(0x254, ~0u);
  driver_.WriteContext(0, 0, {0, 1, ~7u, ~0u});  // at the end of all addresses
  driver_.Doorbell(2, 0, 5);
  SendToHost(0, 60);
  Settle();
  EXPECT_NE(driver_.ReadContext(0, 0)[1] >> 26 & 3, 0u);
  EXPECT_NE(driver_.Read(0x254), 0u);
  ExpectOthersWork();
}

TEST_P(QdmaHostile, DoorbellsOutsideTheFunction) {
  driver_.Doorbell(1, kPorts, 1);
  EXPECT_EQ(driver_.Read(0x264), 1u << 5);
  driver_.Write(0x264, ~0u);
  driver_.Doorbell(2, 2047, 1);
  EXPECT_EQ(driver_.Read(0x264), 1u << 5);
  EXPECT_EQ(driver_.Read(0x26C) & 0x1ffff, 0x18000u + 16 * 2047 + 8);
  EXPECT_EQ(driver_.Read(0x254), 0u);
  ExpectOthersWork();
}

// A function changes only the index of its own interrupt rings, within the ring.
TEST_P(QdmaHostile, InterruptRingsThatAreNotTheFunctions) {
  constexpr uint32_t kRing = 9;
  const uint64_t page = host_.Allocate(4096) >> 12;
  const auto set_up = [&](bool is_valid, uint32_t function) {
    driver_.WriteContext(
        8, kRing,
        {(is_valid ? 1u : 0u) | 5 << 1 | 1u << 14 | static_cast<uint32_t>(page << 15),
         static_cast<uint32_t>(page >> 17), static_cast<uint32_t>(page >> 49), function << 18});
  };
  const auto is_refused = [&](uint32_t index) {
    driver_.Doorbell(0, 0, kRing << 16 | index);
    const bool refused = driver_.Read(0x264) == 1u << 5;
    driver_.Write(0x264, ~0u);
    return refused;
  };
  set_up(true, 0);
  EXPECT_FALSE(is_refused(0));
  EXPECT_TRUE(is_refused(512)) << "beyond its page";
  set_up(true, 1);
  EXPECT_TRUE(is_refused(0)) << "another function's";
  set_up(false, 0);
  EXPECT_TRUE(is_refused(0)) << "not valid";
  EXPECT_EQ(host_.interrupts[5], 0);
  ExpectOthersWork();
}

TEST_P(QdmaHostile, AnErrorInterruptOnceItIsArmed) {
  constexpr uint32_t kArm = 1u << 24 | 2u << 12;
  driver_.Write(0x24C, 1u << 3);
  driver_.Write(0x268, 1u << 5);
  driver_.Write(0xB04, kArm);
  driver_.Write(0x848, 0);  // of the same leaf, but masked
  Settle();
  EXPECT_EQ(host_.interrupts[2], 0);
  driver_.Doorbell(1, kPorts, 1);
  Settle();
  EXPECT_EQ(host_.interrupts[2], 1);
  EXPECT_EQ(driver_.Read(0x248), 1u << 3);
  driver_.Doorbell(1, kPorts, 1);
  Settle();
  EXPECT_EQ(host_.interrupts[2], 1) << "not armed";
  // One that occurs between clearing the leaf and the global register is not lost.
  driver_.Write(0x264, ~0u);
  EXPECT_EQ(driver_.Read(0x248), 0u);
  driver_.Doorbell(1, kPorts, 1);
  driver_.Write(0x248, ~0u);
  driver_.Write(0xB04, kArm);
  Settle();
  EXPECT_EQ(host_.interrupts[2], 2) << "a cause was pending";
  driver_.Write(0x264, ~0u);
  driver_.Write(0xB04, kArm);
  Settle();
  EXPECT_EQ(host_.interrupts[2], 2) << "no cause is left";
  driver_.Doorbell(1, kPorts, 1);
  Settle();
  EXPECT_EQ(host_.interrupts[2], 3);
  // One to a nonexistent vector must not request itself again.
  driver_.Write(0x24C, ~0u);
  driver_.Write(0xAF4, ~0u);
  driver_.Write(0xB04, 1u << 24 | 2000u << 12);
  Settle();
  EXPECT_EQ(driver_.Read(0xB04) & 1u << 24, 0u);
  EXPECT_EQ(host_.interrupts[2], 3);
}

// Registers, contexts and doorbells at random; after a reset the DMA works again.
TEST_P(QdmaHostile, RandomAccessesDoNoHarm) {
  const auto any_address = [&] {
    return TestHost::kBase + (rng_.Below(TestHost::kBytes - 4096) & ~uint64_t{63});
  };
  for (size_t at = 0; at < TestHost::kBytes; at += 8) {
    host_.Write64(TestHost::kBase + at, any_address());
  }
  for (int i = 0; i < 20'000; ++i) {
    switch (rng_.Below(7)) {
      case 0:
        driver_.Write(static_cast<uint32_t>(rng_.Below(0x10000)) * 4, rng_.Word());
        break;
      case 1:
        driver_.Read(static_cast<uint32_t>(rng_.Below(0x10000)) * 4);
        break;
      case 2:
        driver_.WriteArray(rng_.Chance(0.5) ? 0x204 : 0xAB0,
                           {static_cast<uint32_t>(rng_.Below(400)), 17, 5, rng_.Word()});
        break;
      case 3: {
        const auto selector = static_cast<unsigned>(rng_.Below(16));
        const uint64_t base = any_address();
        for (uint32_t w = 0; w < 8; ++w) {
          uint32_t word = rng_.Word();
          if (rng_.Chance(0.7)) {  // close to a driver's values
            if (selector < 2 && w == 1) {
              word = 1 | 4 | (word & 0x3000) | 1u << 20 | 1u << 21 | (selector == 1 ? 1u << 16 : 0);
            }
            if (selector < 2 && w == 2) word = static_cast<uint32_t>(base);
            if (selector < 2 && w == 3) word = static_cast<uint32_t>(base >> 32);
            if (selector == 6 && w == 1) word = static_cast<uint32_t>(base >> 6);
            if (selector == 6 && w == 2) word = static_cast<uint32_t>(base >> 38);
            if (selector == 6 && w == 3) word = 1u << 28;
            if (selector == 7 && w == 1) word = 1u << 13;
            if (selector == 12) word = w == 1 ? 2048 : 0;
          }
          driver_.Write(0x804 + 4 * w, word);
          driver_.Write(0x824 + 4 * w, ~0u);
        }
        driver_.Write(0x844, static_cast<uint32_t>(rng_.Below(kPorts + 1)) << 7 |
                                 static_cast<uint32_t>(rng_.Below(4)) << 5 | selector << 1);
        break;
      }
      case 4:
        driver_.Doorbell(static_cast<unsigned>(rng_.Below(4)),
                         static_cast<unsigned>(rng_.Below(kPorts + 1)),
                         rng_.Chance(0.9) ? rng_.Word() & 0x1f'000f : rng_.Word());
        break;
      case 5: {
        const auto port = static_cast<unsigned>(rng_.Below(kPorts));
        if (bench_->Queue(port).size() < 50) SendToHost(port, rng_.Range(16, 300));
        break;
      }
      default:
        bench_->Wait(static_cast<int64_t>(rng_.Below(200)) * DmaBench::kEdgePs);
    }
    if (rng_.Chance(0.0005)) bench_->dma().Reset();
    for (unsigned port = 0; port < kPorts; ++port) bench_->TakeFromHost(port);
  }
  bench_->dma().Reset();
  Settle();
  for (unsigned port = 0; port < kPorts; ++port) {
    for (int i = 0; i < 100'000 && !bench_->Queue(port).empty(); ++i) bench_->Drop(port);
    bench_->TakeFromHost(port);
  }
  host_.Release();
  host_.interrupts.clear();
  Sizes({17, 0, 2, 5}, {2048, 0, 64});
  bystander_ = OpenQueue({.qid = kBystander, .completion_control = 1 | 2 | 1 << 2, .vector = 3});
  driver_.RingCompletion(bystander_);
  for (int i = 0; i < 20; ++i) ExpectOthersWork();
}

}  // namespace
}  // namespace ullnic
