// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Packets through the DMA model, both ways, with a driver written from the contract.

#include "qdma/loop_side.h"
#include "qdma_bench.h"

namespace ullnic {
namespace {

using QdmaStreams = QdmaTest;

std::vector<size_t> Split(size_t bytes, size_t pieces, Rng& rng) {
  std::vector<size_t> sizes;
  for (; pieces > 1 && bytes > 1; --pieces) {
    sizes.push_back(rng.Range(1, bytes - 1));
    bytes -= sizes.back();
  }
  sizes.push_back(bytes);
  return sizes;
}

TEST_F(QdmaStreams, OnePacketADescriptor) {
  Sizes({9});
  auto q = OpenQueue();
  for (int i = 0; i < 50; ++i) {  // round the ring of 8 several times
    const Bytes packet = Packet(rng_.Range(1, 9600));
    driver_.SendH2c(q, packet);
    EXPECT_TRUE(device_.HasWork());
    PollAll();
    EXPECT_FALSE(device_.HasWork());
    ASSERT_EQ(card_.from_host[0].size(), 1u);
    EXPECT_EQ(card_.from_host[0].front(), packet);
    card_.from_host[0].clear();
    EXPECT_EQ(driver_.H2cCidx(q), q.h2c_pidx) << "status after the last descriptor";
    EXPECT_EQ(driver_.ReadContext(3, 0)[0] & 0xffff, q.h2c_pidx);
  }
}

TEST_F(QdmaStreams, APacketOverSeveralDescriptors) {
  Sizes({17});
  auto q = OpenQueue();
  for (size_t pieces = 1; pieces <= 12; ++pieces) {
    const Bytes packet = Packet(1000);
    const auto sizes = Split(packet.size(), pieces, rng_);
    const uint32_t before = driver_.H2cCidx(q);
    driver_.PutH2c(q, packet, sizes, true);
    // All but the last first: the packet must wait for it, and its descriptors are not given back.
    const uint32_t end = q.h2c_pidx;
    if (sizes.size() > 1) {
      q.h2c_pidx = (end + q.h2c_entries - 1) % q.h2c_entries;
      driver_.RingH2c(q);
      PollAll();
      EXPECT_TRUE(card_.from_host[0].empty());
      EXPECT_EQ(driver_.H2cCidx(q), before);
      EXPECT_FALSE(device_.HasWork());
    }
    q.h2c_pidx = end;
    driver_.RingH2c(q);
    PollAll();
    ASSERT_EQ(card_.from_host[0].size(), 1u);
    EXPECT_EQ(card_.from_host[0].front(), packet);
    card_.from_host[0].clear();
    EXPECT_EQ(driver_.H2cCidx(q), end);
  }
  EXPECT_EQ(device_.counters().queue_errors, 0u);
}

TEST_F(QdmaStreams, ACardWithoutRoomHoldsPacketsBackInOrder) {
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

TEST_F(QdmaStreams, StatusAtIntervals) {
  Sizes({129});
  driver_.Write(0x250, 1);  // every 8 descriptors
  auto q = OpenQueue({.h2c_control = 0x8});
  for (int i = 1; i <= 30; ++i) {
    driver_.SendH2c(q, Packet(60));
    PollAll();
    EXPECT_EQ(driver_.H2cCidx(q), static_cast<uint32_t>(i / 8 * 8));
  }
  auto silent = OpenQueue({.qid = 1, .h2c_control = 0});
  driver_.SendH2c(silent, Packet(60));
  PollAll();
  EXPECT_EQ(driver_.H2cCidx(silent), 0u);
  EXPECT_EQ(card_.from_host[1].size(), 1u);
}

TEST_F(QdmaStreams, APacketFillsBuffersToTheByte) {
  Sizes({17}, {256});
  auto q = OpenQueue();
  for (const size_t bytes : {1, 255, 256, 257, 511, 512, 513, 2560, 3840}) {
    const Bytes packet = Packet(bytes);
    const uint32_t before = q.c2h_next;
    card_.to_host[0].push_back(packet);
    EXPECT_TRUE(device_.HasWork());
    PollAll();
    EXPECT_FALSE(device_.HasWork());
    const auto got = driver_.TakeC2h(q);
    ASSERT_TRUE(got.has_value()) << bytes;
    EXPECT_EQ(*got, packet);
    EXPECT_EQ((q.c2h_next + q.c2h_entries - before) % q.c2h_entries, (bytes + 255) / 256);
    EXPECT_EQ(driver_.ReadContext(2, 0)[0] & 0xffff, q.c2h_next);
    driver_.RingCompletion(q);
  }
  EXPECT_FALSE(driver_.TakeC2h(q).has_value());
}

TEST_F(QdmaStreams, NothingIsLostWithoutBuffersOrEntries) {
  Sizes({17, 5}, {2048});
  auto few_buffers = OpenQueue({.qid = 0, .c2h_size = 1});
  auto few_entries = OpenQueue({.qid = 1, .completion_size = 1});
  std::deque<Bytes> sent;
  for (int i = 0; i < 40; ++i) {
    sent.push_back(Packet(rng_.Range(60, 1500)));
    for (const unsigned queue : {0u, 1u}) card_.to_host[queue].push_back(sent.back());
  }
  PollAll();
  EXPECT_EQ(card_.to_host[0].size(), 40u - 3) << "4 descriptors less one";
  EXPECT_EQ(card_.to_host[1].size(), 40u - 3) << "4 entries less one";
  EXPECT_FALSE(device_.HasWork()) << "only software can help now";
  for (const Bytes& want : sent) {
    for (auto* q : {&few_buffers, &few_entries}) {
      const auto got = driver_.TakeC2h(*q);
      ASSERT_TRUE(got.has_value());
      EXPECT_EQ(*got, want);
      driver_.RingCompletion(*q);
    }
    PollAll();
  }
  EXPECT_EQ(device_.counters().queue_errors, 0u);
}

TEST_F(QdmaStreams, AQueueOfAnotherFunctionsRangeIsReachedThroughTheMap) {
  Sizes({17});
  driver_.MapFunction(2, 2);
  auto q = OpenQueue({.qid = 3});  // which rings 3: beyond the function's two queues
  EXPECT_EQ(device_.counters().doorbells_out_of_range, 1u);
  q.setup.qid = 1;  // as the function numbers it
  driver_.SendH2c(q, Packet(64));
  PollAll();
  EXPECT_EQ(card_.from_host[3].size(), 1u);
}

TEST_F(QdmaStreams, AResetDropsWhatIsUnderWay) {
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

// What stands for a card in tests of drivers.
TEST_F(QdmaStreams, TheLoopSendsPacketsBackBehindAHeader) {
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

// Everything at once: queues of different shapes, both ways, the card and the driver at random.
TEST_F(QdmaStreams, RandomTraffic) {
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
    flows[qid].largest = std::min<size_t>(9000, size_t{q.buffer_bytes} * (q.c2h_entries - 1));
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
