// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// The loopback card of the DMA in RTL: properties that driver tests rely on.

#include "card_dma/loop_dma.h"
#include "qdma_bench.h"

namespace ullnic {
namespace {

using card_dma::kPorts;
using card_dma::LoopDma;

class CardDmaLoopTest : public SeededTest {
 protected:
  static constexpr size_t kDepth = 8;

  void SetUp() override { SetUpDma(); }
  void SetUpDma() {
    driver_.WriteArray(0x204, {65, 65, 129});
    driver_.WriteArray(0xAB0, {2048});
    driver_.MapFunction(0, kPorts);
  }
  TestDriver::Queue Open(unsigned qid) {
    QueueSetup setup;
    setup.qid = qid;
    setup.completion_size = 2;
    return driver_.Open(setup);
  }
  uint32_t Read(unsigned bar, uint32_t address) {
    std::optional<uint32_t> answer;
    dma_.Read(bar, address, [&](uint32_t value) { answer = value; });
    for (int i = 0; i < 1000 && !answer; ++i) dma_.Poll();
    EXPECT_TRUE(answer) << "no answer";
    return answer.value_or(0);
  }
  void Write(unsigned bar, uint32_t address, uint32_t value) {
    dma_.Write(bar, address, value, [] {});
  }
  void Rest() {
    for (int i = 0; i < 10'000 && dma_.HasWork(); ++i) dma_.Poll();
    EXPECT_FALSE(dma_.HasWork()) << "it does not come to rest";
  }
  static C2hHeader Header(const Bytes& packet) { return C2hHeader::Read(packet); }
  static Bytes Payload(const Bytes& packet) {
    return {packet.begin() + C2hHeader::kBytes, packet.end()};
  }

  TestHost host_;
  LoopDma dma_{host_, kDepth};
  TestDriver driver_{host_, [this](uint32_t address) { return Read(0, address); },
                     [this](uint32_t address, uint32_t value) { Write(0, address, value); }};
};

TEST_F(CardDmaLoopTest, GivesBackWhatWasSentBehindAHeader) {
  std::vector<TestDriver::Queue> queues;
  for (unsigned qid = 0; qid < kPorts; ++qid) queues.push_back(Open(qid));
  std::array<uint32_t, kPorts> sequence{};
  uint64_t last = 0;
  for (unsigned n = 0; n < 60; ++n) {
    const auto qid = static_cast<unsigned>(rng_.Below(kPorts));
    const Bytes packet = RandomBytes(1 + rng_.Below(4096), rng_);
    driver_.SendH2c(queues[qid], packet);
    Rest();
    const std::optional<Bytes> got = driver_.TakeC2h(queues[qid]);
    ASSERT_TRUE(got) << "packet " << n << " of " << packet.size() << " bytes";
    driver_.RingCompletion(queues[qid]);
    const C2hHeader header = Header(*got);
    EXPECT_EQ(header.length, packet.size());
    EXPECT_EQ(header.type, C2hHeader::kReceived);
    EXPECT_EQ(header.port, qid);
    EXPECT_EQ(header.sequence, sequence[qid]++);
    EXPECT_GT(header.timestamp, last) << "in cycles";
    last = header.timestamp;
    EXPECT_EQ(Payload(*got), packet);
  }
}

// A driver that reads nothing is held back, and loses nothing.
TEST_F(CardDmaLoopTest, KeepsWhatIsNotTaken) {
  TestDriver::Queue queue = Open(0);
  std::vector<Bytes> sent;
  for (unsigned n = 0; n < 500; ++n) {
    if (driver_.H2cFree(queue) == 0) Rest();
    if (driver_.H2cFree(queue) == 0) break;
    sent.push_back(RandomBytes(1500, rng_));
    driver_.SendH2c(queue, sent.back());
  }
  Rest();
  EXPECT_LT(sent.size(), 400u) << "it takes without end";
  for (size_t n = 0; n < sent.size(); ++n) {
    std::optional<Bytes> got;
    for (int i = 0; i < 100 && !(got = driver_.TakeC2h(queue)); ++i) dma_.Poll();
    ASSERT_TRUE(got) << "packet " << n << " of " << sent.size();
    driver_.RingCompletion(queue);
    EXPECT_EQ(Header(*got).sequence, n);
    ASSERT_EQ(Payload(*got), sent[n]);
  }
}

TEST_F(CardDmaLoopTest, TheNextProgramDoesNotGetIt) {
  for (int round = 0; round < 5; ++round) {
    TestDriver::Queue queue = Open(0);
    const Bytes first = RandomBytes(100, rng_);
    driver_.SendH2c(queue, first);
    Rest();
    const std::optional<Bytes> got = driver_.TakeC2h(queue);
    ASSERT_TRUE(got);
    EXPECT_EQ(Header(*got).sequence, 0u) << "numbers begin anew";
    EXPECT_EQ(Payload(*got), first) << "of round " << round;
    // More than its buffers and room, left in any state.
    for (int n = 0; n < 60; ++n) driver_.SendH2c(queue, RandomBytes(4000, rng_));
    for (uint64_t i = rng_.Below(100); i > 0; --i) dma_.Poll();
    dma_.Reset();
    host_.Release();
    SetUpDma();
  }
}

TEST_F(CardDmaLoopTest, RegistersAreMemory) {
  Write(qdma::kUserBar, 0x7fff8, 9);
  Write(qdma::kUserBar, 0x100, 0xdeadbeef);
  EXPECT_EQ(Read(qdma::kUserBar, 0x7fff8), 9u);
  EXPECT_EQ(Read(qdma::kUserBar, 0x100), 0xdeadbeefu);
  EXPECT_EQ(Read(qdma::kUserBar, 0x104), 0u);
}

}  // namespace
}  // namespace ullnic
