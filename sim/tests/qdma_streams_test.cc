// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Packets through the DMA, in both directions, with a driver written from the contract.

#include "dma_bench.h"
#include "qdma/loop_side.h"

namespace ullnic {
namespace {

using QdmaStreams = DmaTest;
ULLNIC_BOTH_DMAS(QdmaStreams);
using QdmaModelStreams = QdmaTest;

std::vector<size_t> Split(size_t bytes, size_t pieces, Rng& rng) {
  std::vector<size_t> sizes;
  for (; pieces > 1 && bytes > 1; --pieces) {
    sizes.push_back(rng.Range(1, bytes - 1));
    bytes -= sizes.back();
  }
  sizes.push_back(bytes);
  return sizes;
}

TEST_P(QdmaStreams, OnePacketADescriptor) {
  Sizes({9});
  auto q = OpenQueue();
  for (int i = 0; i < 50; ++i) {  // several times through the ring of 8
    const Bytes packet = Packet(rng_.Range(1, 9600));
    driver_.SendH2c(q, packet);
    EXPECT_TRUE(bench_->dma().HasWork());
    Settle();
    EXPECT_FALSE(bench_->dma().HasWork());
    ExpectFromHost(0, packet);
    EXPECT_EQ(driver_.H2cCidx(q), q.h2c_pidx) << "status after the last descriptor";
    EXPECT_EQ(driver_.ReadContext(3, 0)[0] & 0xffff, q.h2c_pidx);
  }
}

TEST_P(QdmaStreams, APacketOverSeveralDescriptors) {
  Sizes({17});
  auto q = OpenQueue();
  for (size_t pieces = 1; pieces <= 12; ++pieces) {
    const Bytes packet = Packet(1000);
    driver_.PutH2c(q, packet, Split(packet.size(), pieces, rng_), true);
    driver_.RingH2c(q);
    Settle();
    ExpectFromHost(0, packet);
    EXPECT_EQ(driver_.H2cCidx(q), q.h2c_pidx);
  }
  EXPECT_EQ(driver_.Read(0x254), 0u) << "no error of a descriptor";
}

// The contract allows them with both flags; Linux omits the flags. The card's streams have no empty
// packets, so they are not passed to it.
TEST_P(QdmaStreams, PacketsOfNoBytesAreDescriptorsAsOthers) {
  Sizes({9});
  auto q = OpenQueue();
  for (int i = 0; i < 40; ++i) {
    const Bytes packet = Packet(rng_.Range(1, 200));
    driver_.PutDescriptor(q, rng_.Chance(0.5) ? 0 : q.h2c_memory, 0, rng_.Chance(0.5) ? 3 : 0);
    driver_.PutH2c(q, packet, {packet.size()}, rng_.Chance(0.5));
    if (rng_.Chance(0.5)) driver_.PutDescriptor(q, q.h2c_memory, 0, 3);
    driver_.RingH2c(q);
    Settle();
    ExpectFromHost(0, packet);
    EXPECT_EQ(driver_.H2cCidx(q), q.h2c_pidx);
  }
  EXPECT_EQ(driver_.Read(0x254), 0u);
}

TEST_P(QdmaStreams, ACardWithoutRoomHoldsPacketsBackInOrder) {
  Sizes({65});
  auto q = OpenQueue();
  for (int round = 0; round < 5; ++round) {
    bench_->Stop(true);
    bench_->Step();
    std::vector<Bytes> sent;
    for (int i = 0; i < 20; ++i) {
      sent.push_back(Packet(rng_.Range(100, 3000)));
      driver_.SendH2c(q, sent.back());
    }
    Settle();
    EXPECT_TRUE(bench_->TakeFromHost(0).empty());
    bench_->Stop(false);
    Settle();
    EXPECT_EQ(bench_->TakeFromHost(0), sent);
    EXPECT_EQ(driver_.H2cCidx(q), q.h2c_pidx);
  }
}

TEST_F(QdmaModelStreams, ACardWithRoomForAFewPacketsTakesThese) {
  Sizes({65});
  auto q = OpenQueue();
  card_.room = 3;
  std::deque<Bytes> sent;
  for (int i = 0; i < 20; ++i) {
    sent.push_back(Packet(100));
    driver_.SendH2c(q, sent.back());
  }
  while (!sent.empty()) {
    PollAll();
    ASSERT_EQ(card_.from_host[0].size(), std::min<size_t>(3, sent.size()));
    EXPECT_EQ(device_.HasWork(), sent.size() > 3);
    EXPECT_EQ(card_.from_host[0].front(), sent.front());
    card_.from_host[0].pop_front();
    sent.pop_front();
  }
}

TEST_P(QdmaStreams, StatusAtIntervals) {
  Sizes({129});
  driver_.Write(0x250, 1);  // every 8 descriptors
  auto q = OpenQueue({.h2c_control = 0x8});
  for (uint32_t i = 1; i <= 30; ++i) {
    driver_.SendH2c(q, Packet(60));
    Settle();
    EXPECT_EQ(driver_.H2cCidx(q), i / 8 * 8);
  }
  EXPECT_EQ(bench_->TakeFromHost(0).size(), 30u);
}

// PG302, "Internal Mode Writeback and Interrupts": WBI_CHK reports the last descriptor at PIDX.
TEST_P(QdmaStreams, StatusWhenAllIsDone) {
  Sizes({129});
  auto q = OpenQueue({.h2c_control = 0x4});
  const uint64_t slot = q.h2c_ring + 16 * q.h2c_entries;
  int statuses = 0;
  host_.on_write = [&](uint64_t address, std::span<const uint8_t>) {
    if (address == slot) ++statuses;
  };
  for (int round = 1; round <= 5; ++round) {
    for (int i = 0; i < 100; ++i) driver_.PutH2c(q, Packet(60), {60}, false);
    driver_.RingH2c(q);
    Settle();
    EXPECT_EQ(driver_.H2cCidx(q), q.h2c_pidx);
    EXPECT_EQ(statuses, round) << "a status of each doorbell";
  }
  host_.on_write = {};
  EXPECT_EQ(bench_->TakeFromHost(0).size(), 500u);
}

TEST_P(QdmaStreams, NoStatusAndNoInterruptThatIsNotAskedFor) {
  Sizes({129});
  auto q = OpenQueue({.h2c_control = 0, .vector = 3, .h2c_interrupt = true});
  for (int i = 0; i < 100; ++i) driver_.SendH2c(q, Packet(60));
  driver_.RingH2c(q, true);
  Settle();
  EXPECT_EQ(bench_->TakeFromHost(0).size(), 100u);
  EXPECT_EQ(host_.Read64(q.h2c_ring + 16 * q.h2c_entries), 0u);
  EXPECT_EQ(host_.interrupts[3], 0);
  driver_.PutDescriptor(q, q.h2c_memory, 100, 2);  // an error is reported in any case
  driver_.RingH2c(q);
  Settle();
  EXPECT_EQ(host_.Read64(q.h2c_ring + 16 * q.h2c_entries) & 0xffff, 1u);
  EXPECT_EQ(host_.interrupts[3], 1);
}

// The end of the ring ends an interval.
TEST_P(QdmaStreams, IntervalsInASmallRing) {
  Sizes({6});               // 5 descriptors, 4 of them posted at most
  driver_.Write(0x250, 0);  // every 4 descriptors
  auto q = OpenQueue({.h2c_control = 0x8});
  for (int i = 0; i < 40; ++i) {
    ASSERT_GT(driver_.H2cFree(q), 0u) << "a ring that is not reported";
    driver_.SendH2c(q, Packet(60));
    Settle();
    EXPECT_EQ(driver_.H2cCidx(q), q.h2c_pidx / 4 * 4);
  }
  EXPECT_EQ(bench_->TakeFromHost(0).size(), 40u);
}

TEST_P(QdmaStreams, APacketFillsBuffersToTheByte) {
  Sizes({17}, {256});
  auto q = OpenQueue();
  for (const size_t bytes : {16, 17, 255, 256, 257, 511, 512, 513, 2560, 3840}) {
    const uint32_t before = q.c2h_next;
    const Bytes packet = SendToHost(0, bytes);
    EXPECT_TRUE(is_rtl() || bench_->dma().HasWork());
    Settle();
    EXPECT_FALSE(bench_->dma().HasWork());
    const uint32_t posted = q.c2h_pidx;
    const auto got = driver_.TakeC2h(q);
    ASSERT_TRUE(got.has_value()) << bytes;
    EXPECT_EQ(*got, packet);
    EXPECT_EQ((q.c2h_next + q.c2h_entries - before) % q.c2h_entries, (bytes + 255) / 256);
    // Fetched descriptors are used, or will be.
    const uint32_t fetched = driver_.ReadContext(2, 0)[0] & 0xffff;
    const auto from_used = [&](uint32_t index) {
      return (index + q.c2h_entries - q.c2h_next) % q.c2h_entries;
    };
    EXPECT_LE(from_used(fetched), is_rtl() ? from_used(q.c2h_pidx) : 0) << posted;
    driver_.RingCompletion(q);
  }
  EXPECT_FALSE(driver_.TakeC2h(q).has_value());
}

TEST_P(QdmaStreams, NothingIsLostWithoutBuffersOrEntries) {
  Sizes({17, 5}, {2048});
  auto few_buffers = OpenQueue({.qid = 0, .c2h_size = 1});
  auto few_entries = OpenQueue({.qid = 1, .completion_size = 1});
  std::vector<Bytes> sent;
  for (int i = 0; i < 40; ++i) {
    const Bytes payload = Packet(rng_.Range(60, 1500));
    sent.push_back(payload);
    for (const unsigned queue : {0u, 1u}) bench_->SendToHost(queue, payload);
  }
  Settle();
  for (const unsigned queue : {0u, 1u}) {  // 4 descriptors, or entries, less one
    const auto ring = driver_.ReadContext(6, queue);
    EXPECT_EQ(ring[2] >> 28 | (ring[3] & 0xfff) << 4, 3u) << "producer index of queue " << queue;
  }
  Settle();
  EXPECT_FALSE(bench_->dma().HasWork()) << "only software can help now";
  for (const Bytes& want : sent) {
    for (auto* q : {&few_buffers, &few_entries}) {
      const auto got = driver_.TakeC2h(*q);
      ASSERT_TRUE(got.has_value());
      EXPECT_EQ(Bytes(got->begin() + DmaBench::kHeaderBytes, got->end()), want);
      driver_.RingCompletion(*q);
    }
    Settle();
  }
  EXPECT_EQ(driver_.Read(0x254) | driver_.Read(0xAF0), 0u) << "no error";
}

TEST_P(QdmaStreams, AQueueOfAnotherFunctionsRangeIsReachedThroughTheMap) {
  Sizes({17});
  driver_.MapFunction(1, 1);
  auto q = OpenQueue({.qid = 1});  // which rings 1: beyond the function's one queue
  EXPECT_EQ(driver_.Read(0x264), 1u << 5);
  q.setup.qid = 0;  // in the function's numbering
  const Bytes packet = Packet(64);
  driver_.SendH2c(q, packet);
  Settle();
  ExpectFromHost(1, packet);
}

TEST_F(QdmaModelStreams, AResetDropsWhatIsUnderWay) {
  Sizes({17});
  auto q = OpenQueue();
  card_.room = 0;
  driver_.SendH2c(q, Packet(64));
  PollAll();
  EXPECT_TRUE(device_.HasWork());
  driver_.Write(0x2500, 1);
  EXPECT_FALSE(device_.HasWork());
  card_.room = 10;
  card_.to_host[0].push_back(Packet(64));
  PollAll();
  EXPECT_TRUE(card_.from_host[0].empty());
  EXPECT_EQ(card_.to_host[0].size(), 1u) << "no queue to put it into";
  driver_.Doorbell(1, 0, 1);  // the function has no queues now
  EXPECT_EQ(device_.counters().doorbells_out_of_range, 1u);
  // It works again once it is set up again.
  driver_.MapFunction(0, kPorts);
  auto again = OpenQueue();
  PollAll();
  EXPECT_TRUE(driver_.TakeC2h(again).has_value());
}

// The card model in tests of drivers.
TEST_F(QdmaModelStreams, TheLoopSendsPacketsBackBehindAHeader) {
  qdma::LoopSide loop(2, 3, [this] { return now_ps_; });
  now_ps_ = 4000 * 77;
  const Bytes packet = Packet(300);
  for (uint32_t i = 0; i < 3; ++i) EXPECT_TRUE(loop.SendH2c(1, packet));
  EXPECT_FALSE(loop.SendH2c(1, packet)) << "full";
  EXPECT_TRUE(loop.PeekC2h(0).empty());
  for (uint8_t i = 0; i < 3; ++i) {
    // {length 300, received, port 1, sequence number, 77 cycles of 4 ns}
    Bytes want = {0x2c, 1, 0, 1, i, 0, 0, 0, 77, 0, 0, 0, 0, 0, 0, 0};
    want.insert(want.end(), packet.begin(), packet.end());
    const auto got = loop.PeekC2h(1);
    EXPECT_EQ(Bytes(got.begin(), got.end()), want);
    loop.PopC2h(1);
  }
  EXPECT_TRUE(loop.PeekC2h(1).empty());
  EXPECT_TRUE(loop.SendH2c(1, packet));
  loop.OnReset();
  EXPECT_TRUE(loop.PeekC2h(1).empty()) << "the next program does not get it";
  loop.WriteUser(0x7fffc, 9, [] {});
  uint32_t value = 0;
  loop.ReadUser(0x7fffc, [&value](uint32_t read) { value = read; });
  EXPECT_EQ(value, 9u);
}

// Everything at once: queues of different shapes, both directions, the card and the driver at
// random.
TEST_F(QdmaModelStreams, RandomTraffic) {
  const std::vector<uint32_t> rings = {5, 9, 34, 65, 130};
  const std::vector<uint32_t> buffers = {64, 256, 2048, 4096};
  Sizes(rings, buffers);
  card_.room = 5;
  struct Flow {
    TestDriver::Queue queue;
    std::deque<Bytes> to_card;
    std::deque<Bytes> to_host;
    size_t largest = 0;
    int received = 0;
  };
  std::vector<Flow> flows(kPorts);
  for (unsigned qid = 0; qid < kPorts; ++qid) {
    const auto any_ring = [&] { return static_cast<unsigned>(rng_.Below(rings.size())); };
    flows[qid].queue = OpenQueue({.qid = qid,
                                  .h2c_size = any_ring(),
                                  .c2h_size = any_ring(),
                                  .completion_size = any_ring(),
                                  .buffer_size = static_cast<unsigned>(rng_.Below(buffers.size())),
                                  .entry_log = static_cast<unsigned>(rng_.Below(4))});
    const auto& q = flows[qid].queue;
    const size_t buffers = std::min<size_t>(q.c2h_entries - 1, 31);
    flows[qid].largest = std::min<size_t>(9000, q.buffer_bytes * buffers);
  }
  for (int step = 0; step < 60'000; ++step) {
    const auto qid = static_cast<unsigned>(rng_.Below(kPorts));
    Flow& flow = flows[qid];
    switch (rng_.Below(6)) {
      case 0: {  // the driver sends
        const size_t most = std::min<size_t>(driver_.H2cFree(flow.queue), 4);
        if (most == 0) break;
        flow.to_card.push_back(Packet(rng_.Range(1, 1600)));
        const auto sizes = Split(flow.to_card.back().size(), rng_.Range(1, most), rng_);
        driver_.PutH2c(flow.queue, flow.to_card.back(), sizes, rng_.Chance(0.5));
        if (rng_.Chance(0.7)) driver_.RingH2c(flow.queue);
        break;
      }
      case 1:
        if (card_.to_host[qid].size() > 20) break;
        flow.to_host.push_back(Packet(rng_.Range(1, flow.largest)));
        card_.to_host[qid].push_back(flow.to_host.back());
        break;
      case 2:
        while (const auto got = driver_.TakeC2h(flow.queue)) {
          ASSERT_FALSE(flow.to_host.empty()) << "queue " << qid << ": nothing was sent";
          ASSERT_EQ(*got, flow.to_host.front()) << "queue " << qid << ", step " << step;
          flow.to_host.pop_front();
          ++flow.received;
        }
        driver_.RingCompletion(flow.queue);
        break;
      case 3:
        driver_.RingH2c(flow.queue);
        [[fallthrough]];
      case 4:
        if (!card_.from_host[qid].empty()) {
          ASSERT_FALSE(flow.to_card.empty());
          ASSERT_EQ(card_.from_host[qid].front(), flow.to_card.front()) << "step " << step;
          card_.from_host[qid].pop_front();
          flow.to_card.pop_front();
        }
        break;
      default:
        device_.Poll();
    }
  }
  EXPECT_EQ(device_.counters().queue_errors, 0u);
  for (const Flow& flow : flows) EXPECT_GT(flow.received, 500);
}

}  // namespace
}  // namespace ullnic
