// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// The DMA model's registers and contexts.

#include "qdma_bench.h"

namespace ullnic {
namespace {

using QdmaContexts = QdmaTest;

constexpr unsigned kSelectors[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 12};

unsigned CountOf(unsigned selector) { return selector < 8 ? 2048 : 256; }

TEST_F(QdmaContexts, DriversRecogniseTheDevice) {
  EXPECT_EQ(driver_.Read(0x0) >> 16, 0x1fd3u);
  EXPECT_EQ(driver_.Read(0x104) & 0x3f, 1u);  // configuration: BAR0
  EXPECT_EQ(driver_.Read(0x10C) & 0x3f, 4u);  // user: BAR2
  EXPECT_EQ(driver_.Read(0x118), 0x30000u);   // streams both ways, no memory-mapped engine
  EXPECT_EQ(driver_.Read(0x120) & 0xfff, 2048u);
  const uint32_t misc = driver_.Read(0x134);
  EXPECT_EQ(misc >> 28, 0u);        // soft
  EXPECT_EQ(misc >> 20 & 0xf, 2u);  // 5.0
  EXPECT_EQ(misc >> 2 & 3, 2u);     // descriptors are fetched: there is no bypass
  EXPECT_EQ(misc & 3, 2u);          // FLR, no mailbox
  EXPECT_NE(driver_.Read(0x1014) >> 16, 0x1fd3u);
  EXPECT_NE(driver_.Read(0x5014) >> 16, 0x1fd3u);  // that would be a virtual function
}

TEST_F(QdmaContexts, EveryContextKeepsWhatIsWritten) {
  std::map<std::pair<unsigned, unsigned>, std::vector<uint32_t>> written;
  for (int i = 0; i < 2000; ++i) {
    const unsigned selector = kSelectors[rng_.Below(std::size(kSelectors))];
    unsigned index = static_cast<unsigned>(rng_.Below(CountOf(selector)));
    if (rng_.Chance(0.1)) index = CountOf(selector) - 1;
    std::vector<uint32_t> words(8);
    for (uint32_t& word : words) word = rng_.Word();
    const uint32_t mask = rng_.Chance(0.5) ? ~0u : rng_.Word();
    auto& want = written[{selector, index}];
    want.resize(8);
    for (unsigned w = 0; w < 8; ++w) want[w] = (want[w] & ~mask) | (words[w] & mask);
    driver_.WriteContext(selector, index, words, mask);
  }
  for (const auto& [where, want] : written) {
    EXPECT_EQ(driver_.ReadContext(where.first, where.second), want)
        << "selector " << where.first << ", index " << where.second;
  }
}

TEST_F(QdmaContexts, ClearAndInvalidateEmptyOneContextOnly) {
  const std::vector<uint32_t> words(8, 0xa5a5a5a5);
  for (const unsigned selector : kSelectors) {
    for (const unsigned operation : {0u, 3u}) {
      for (const unsigned index : {6u, 7u, 8u}) driver_.WriteContext(selector, index, words);
      driver_.Command(selector, operation, 7);
      EXPECT_EQ(driver_.ReadContext(selector, 7), std::vector<uint32_t>(8));
      EXPECT_EQ(driver_.ReadContext(selector, 6), words);
      EXPECT_EQ(driver_.ReadContext(selector, 8), words);
    }
  }
}

TEST_F(QdmaContexts, ContextsThatDoNotExistAreErrors) {
  const std::pair<unsigned, unsigned> nowhere[] = {{0, 2048}, {1, 8191}, {6, 2048}, {7, 4096},
                                                   {8, 256},  {9, 0},    {10, 0},   {11, 0},
                                                   {12, 256}, {13, 0},   {15, 8191}};
  uint64_t errors = 0;
  for (const auto& [selector, index] : nowhere) {
    driver_.WriteContext(selector, index, {1, 2, 3});
    EXPECT_EQ(driver_.ReadContext(selector, index), std::vector<uint32_t>(8));
    EXPECT_EQ(device_.counters().context_errors, errors += 2);
    EXPECT_EQ(driver_.Read(0x248), 1u << 9);
    driver_.Write(0x248, 1u << 9);
    EXPECT_EQ(driver_.Read(0x248), 0u);
  }
}

// What the public drivers do before they open a queue.
TEST_F(QdmaContexts, ADriversStart) {
  for (unsigned queue = 0; queue < 2048; ++queue) {
    for (unsigned selector = 0; selector < 8; ++selector) driver_.Command(selector, 0, queue);
  }
  driver_.Command(12, 0, 0);
  std::vector<uint32_t> values(16);
  for (const uint32_t array : {0x204u, 0xA00u, 0xA40u, 0xAB0u}) {
    for (uint32_t& value : values) value = rng_.Word() & 0xffff;
    driver_.WriteArray(array, values);
    for (uint32_t i = 0; i < 16; ++i) EXPECT_EQ(driver_.Read(array + 4 * i), values[i]);
  }
  for (const uint32_t tuning : {0x4Cu, 0x250u, 0xA80u, 0xA84u, 0xB08u, 0xB0Cu, 0xB50u, 0xE24u,
                                0x1204u, 0x1004u, 0x1400u, 0x1484u, 0x158u, 0x24Cu}) {
    const uint32_t value = rng_.Word();
    driver_.Write(tuning, value);
    EXPECT_EQ(driver_.Read(tuning), value) << std::hex << tuning;
  }
  for (const uint32_t constant : {0x0u, 0x118u, 0x120u, 0x134u, 0xBE0u, 0xBE4u}) {
    const uint32_t value = driver_.Read(constant);
    driver_.Write(constant, ~value);
    EXPECT_EQ(driver_.Read(constant), value) << std::hex << constant;
  }
  EXPECT_EQ(driver_.Read(0xBE0), 64u);
  EXPECT_EQ(driver_.Read(0xBE4), 32u);
  EXPECT_EQ(device_.counters().unmapped_accesses, 0u);
  EXPECT_EQ(driver_.Read(0x248), 0u);
}

TEST_F(QdmaContexts, UnmappedRegistersAreCountedAndReadAsZero) {
  uint64_t count = 0;
  for (const uint32_t address : {0x848u, 0x2000u, 0x22400u, 0x2fffcu, 0x30200u, 0x33ffcu, 0x34008u,
                                 0x3fffcu, 0x205u, 0x800u}) {
    EXPECT_EQ(driver_.Read(address), 0u);
    driver_.Write(address, 1);
    EXPECT_EQ(device_.counters().unmapped_accesses, count += 2) << std::hex << address;
  }
  EXPECT_EQ(driver_.Read(0x264), 1u);
  EXPECT_EQ(driver_.Read(0x26C) & 0x1ffff, 0x848u) << "the first one is logged";
  EXPECT_EQ(driver_.Read(0x1800C), 0u);  // doorbells cannot be read
  EXPECT_EQ(driver_.Read(0x264), 1u << 4 | 1);
  driver_.Write(0x264, 1);
  EXPECT_EQ(driver_.Read(0x264), 1u << 4);
}

TEST_F(QdmaContexts, MsixTableIsMaskedAtFirstAndKeepsItsEntries) {
  for (uint32_t vector = 0; vector < 32; ++vector) {
    EXPECT_EQ(driver_.Read(0x30000 + 16 * vector + 12), 1u);
    driver_.Write(0x30000 + 16 * vector, vector);
  }
  for (uint32_t vector = 0; vector < 32; ++vector) {
    EXPECT_EQ(driver_.Read(0x30000 + 16 * vector), vector);
  }
  for (const uint32_t pending : {0x34000u, 0x34004u}) EXPECT_EQ(driver_.Read(pending), 0u);
  EXPECT_EQ(device_.counters().unmapped_accesses, 0u);
}

TEST_F(QdmaContexts, ResetForgetsContextsAndRegisters) {
  Sizes({65});
  driver_.WriteContext(1, 5, {1, 2, 3});
  driver_.Write(0x848, 0);  // an error
  device_.Reset();
  EXPECT_EQ(driver_.ReadContext(1, 5), std::vector<uint32_t>(8));
  EXPECT_EQ(driver_.ReadContext(12, 0), std::vector<uint32_t>(8));
  EXPECT_EQ(driver_.Read(0x204), 0u);
  EXPECT_EQ(driver_.Read(0x264), 0u);
  EXPECT_EQ(card_.resets, 1);
  driver_.Write(0x804, 0x12345678);
  driver_.WriteContext(1, 5, {1, 2, 3});
  Sizes({65});
  driver_.Write(0x2500, 1);  // function-level: the queues, not the card-wide registers
  EXPECT_EQ(driver_.Read(0x2500), 0u);
  EXPECT_EQ(driver_.ReadContext(1, 5), std::vector<uint32_t>(8));
  EXPECT_EQ(driver_.Read(0x204), 65u);
  EXPECT_EQ(card_.resets, 2);
}

TEST_F(QdmaContexts, TheUserBarIsHandedThroughInOrder) {
  std::vector<int> order;
  device_.WriteUser(0x40, 7, [&] { order.push_back(1); });
  device_.ReadUser(0x40, [&](uint32_t value) {
    EXPECT_EQ(value, 7u);
    order.push_back(2);
  });
  EXPECT_TRUE(device_.HasWork()) << "the simulation must go on until the card has answered";
  EXPECT_TRUE(order.empty());
  while (!card_.answers.empty()) {
    card_.answers.front()();
    card_.answers.pop_front();
  }
  EXPECT_EQ(order, (std::vector<int>{1, 2}));
  EXPECT_FALSE(device_.HasWork());
}

}  // namespace
}  // namespace ullnic
