// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// The DMA's registers and contexts.

#include "dma_bench.h"

namespace ullnic {
namespace {

constexpr unsigned kSelectors[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 12};
using Words = std::vector<uint32_t>;

// Bits that the contract defines; others need not be stored. timer_running of a completion context
// is excluded: a command stops the timer. So is the count of fetches of a hardware context, which
// no command changes.
Words NamedBits(unsigned selector) {
  switch (selector) {
    case 0:
    case 1:
      return {0x1fffffff, 0xfffff1ff, ~0u, ~0u, ~0u, 0x7ff, 0, 0};
    case 2:
    case 3:
      return {~0u, 0x0700, 0, 0, 0, 0, 0, 0};
    case 4:
    case 5:
      return {0xffff, 0, 0, 0, 0, 0, 0, 0};
    case 6:
      return {~0u, ~0u, ~0u, ~0u, ~1u, 0x007fffff, 0, 0};
    case 7:
      return {0xfc3fffff, 0x3fff, 0, 0, 0, 0, 0, 0};
    case 8:
      return {0xffffefff, ~0u, ~0u, 0x3ffc3fff, 0, 0, 0, 0};
    default:
      return {0x7ff, 0xfff, 0, 0, 0, 0, 0, 0};
  }
}

// Word and mask of the valid bit; no word: the contract has none.
std::pair<size_t, uint32_t> ValidBit(unsigned selector) {
  switch (selector) {
    case 0:
    case 1:
      return {1, 1};
    case 6:
      return {3, 1u << 28};
    case 7:
      return {1, 1u << 13};
    case 8:
      return {0, 1};
    default:
      return {0, 0};
  }
}

class QdmaContexts : public DmaTest {
 protected:
  unsigned CountOf(unsigned selector) const {
    if (selector < 8) return bench_->queues();
    return selector == 8 ? 256 : bench_->functions();
  }
  Words ReadNamed(unsigned selector, unsigned index) {
    return Named(selector, driver_.ReadContext(selector, index));
  }
  static Words Named(unsigned selector, Words words) {
    const Words named = NamedBits(selector);
    for (size_t i = 0; i < words.size(); ++i) words[i] &= named[i];
    return words;
  }
};
ULLNIC_BOTH_DMAS(QdmaContexts);
using QdmaModelContexts = QdmaTest;

TEST_P(QdmaContexts, DriversRecogniseTheDevice) {
  EXPECT_EQ(driver_.Read(0x0) >> 16, 0x1fd3u);
  EXPECT_EQ(driver_.Read(0x104) & 0x3f, 1u);  // configuration: BAR0
  EXPECT_EQ(driver_.Read(0x10C) & 0x3f, 4u);  // user: BAR2
  EXPECT_EQ(driver_.Read(0x118), 0x30000u);   // streams in both directions, no memory-mapped engine
  EXPECT_EQ(driver_.Read(0x120) & 0xfff, bench_->queues());
  const uint32_t misc = driver_.Read(0x134);
  EXPECT_EQ(misc >> 28, 0u);        // soft
  EXPECT_EQ(misc >> 20 & 0xf, 2u);  // 5.0
  EXPECT_EQ(misc >> 2 & 3, 2u);     // descriptors are fetched: there is no bypass
  EXPECT_EQ(misc & 3, 2u);          // FLR; no mailbox without virtual functions
  EXPECT_NE(driver_.Read(0x1014) >> 16, 0x1fd3u);
  EXPECT_NE(driver_.Read(0x5014) >> 16, 0x1fd3u);  // that would be a virtual function
}

TEST_P(QdmaContexts, EveryContextKeepsWhatIsWritten) {
  std::map<std::pair<unsigned, unsigned>, std::vector<uint32_t>> written;
  for (int i = 0; i < 2000; ++i) {
    const unsigned selector = kSelectors[rng_.Below(std::size(kSelectors))];
    unsigned index = static_cast<unsigned>(rng_.Below(CountOf(selector)));
    if (rng_.Chance(0.1)) index = CountOf(selector) - 1;
    Words words(8);
    for (uint32_t& word : words) word = rng_.Word();
    const uint32_t mask = rng_.Chance(0.5) ? ~0u : rng_.Word();
    auto& want = written[{selector, index}];
    want.resize(8);
    for (unsigned w = 0; w < 8; ++w) want[w] = (want[w] & ~mask) | (words[w] & mask);
    driver_.WriteContext(selector, index, words, mask);
  }
  for (const auto& [where, want] : written) {
    EXPECT_EQ(ReadNamed(where.first, where.second), Named(where.first, want))
        << "selector " << where.first << ", index " << where.second;
  }
}

// Invalidating clears the valid bit, and keeps the rest for diagnosis.
TEST_P(QdmaContexts, ClearAndInvalidateChangeOneContextOnly) {
  for (const unsigned selector : kSelectors) {
    for (const unsigned operation : {0u, 3u}) {
      const bool has_neighbours = CountOf(selector) > 8;
      const unsigned index = has_neighbours ? 7 : 0;
      Words words(8, 0xa5a5a5a5);
      const auto [valid_word, valid_bit] = ValidBit(selector);
      words[valid_word] |= valid_bit;
      for (const unsigned i : {6u, 7u, 8u}) {
        if (has_neighbours || i == 7) driver_.WriteContext(selector, has_neighbours ? i : 0, words);
      }
      driver_.Command(selector, operation, index);
      Words want(8);
      if (operation == 3) {
        want = words;
        want[valid_word] &= ~valid_bit;
      }
      EXPECT_EQ(ReadNamed(selector, index), Named(selector, want)) << selector;
      if (!has_neighbours) continue;
      EXPECT_EQ(ReadNamed(selector, 6), Named(selector, words)) << selector;
      EXPECT_EQ(ReadNamed(selector, 8), Named(selector, words)) << selector;
    }
  }
}

// The bit of the global status is not published.
TEST_P(QdmaContexts, ContextsThatDoNotExistAreErrors) {
  constexpr uint32_t kCommandErrors = 0x7e00;
  const unsigned queues = bench_->queues(), functions = bench_->functions();
  const std::pair<unsigned, unsigned> nowhere[] = {
      {0, queues}, {1, 8191}, {6, queues},     {7, 4096}, {8, 256},  {9, 0},
      {10, 0},     {11, 0},   {12, functions}, {13, 0},   {15, 8191}};
  for (const auto& [selector, index] : nowhere) {
    driver_.WriteContext(selector, index, {1, 2, 3});
    EXPECT_NE(driver_.Read(0x248) & kCommandErrors, 0u);
    driver_.Write(0x248, kCommandErrors);
    EXPECT_EQ(driver_.Read(0x248), 0u);
    EXPECT_EQ(driver_.ReadContext(selector, index), Words(8));
    EXPECT_NE(driver_.Read(0x248) & kCommandErrors, 0u);
    driver_.Write(0x248, kCommandErrors);
  }
}

// Accesses of the public drivers before they open a queue.
TEST_P(QdmaContexts, ADriversStart) {
  for (unsigned queue = 0; queue < bench_->queues(); ++queue) {
    for (unsigned selector = 0; selector < 8; ++selector) driver_.Command(selector, 0, queue);
  }
  driver_.Command(12, 0, 0);
  std::vector<uint32_t> values(16);
  for (const uint32_t array : {0x204u, 0xA00u, 0xA40u, 0xAB0u}) {
    for (uint32_t& value : values) value = rng_.Word() & 0xffff;
    driver_.WriteArray(array, values);
    for (uint32_t i = 0; i < 16; ++i) EXPECT_EQ(driver_.Read(array + 4 * i), values[i]);
  }
  // The published core's control of its PCIe block; the RTL has none.
  if (!is_rtl()) {
    driver_.Write(0x4C, 0x12345);
    EXPECT_EQ(driver_.Read(0x4C), 0x12345u);
  }
  for (const uint32_t tuning : {0x250u, 0xA80u, 0xA84u, 0xB08u, 0xB0Cu, 0xB50u, 0xE24u, 0x1204u,
                                0x1004u, 0x1400u, 0x1484u, 0x158u, 0x24Cu}) {
    const uint32_t value = rng_.Word();
    driver_.Write(tuning, value);
    EXPECT_EQ(driver_.Read(tuning), value) << std::hex << tuning;
  }
  EXPECT_EQ(driver_.Read(0x264), 0u) << "no access of what is not there";
  for (const uint32_t constant : {0x0u, 0x118u, 0x120u, 0x134u, 0xBE0u, 0xBE4u}) {
    const uint32_t value = driver_.Read(constant);
    driver_.Write(constant, ~value);
    EXPECT_EQ(driver_.Read(constant), value) << std::hex << constant;
  }
  EXPECT_EQ(driver_.Read(0xBE0), 64u);
  EXPECT_EQ(driver_.Read(0xBE4), 32u);
  EXPECT_EQ(driver_.Read(0x248), 0u);
}

TEST_P(QdmaContexts, UnmappedRegistersReadAsZeroAndAreErrors) {
  for (const uint32_t address :
       {0x848u, 0x2000u, 0x22400u, 0x2fffcu, 0x30200u, 0x33ffcu, 0x34008u, 0x3fffcu, 0x800u}) {
    EXPECT_EQ(driver_.Read(address), 0u) << std::hex << address;
    EXPECT_EQ(driver_.Read(0x264), 1u) << std::hex << address;
    EXPECT_EQ(driver_.Read(0x26C) & 0x1ffff, address & 0x1ffff);
    driver_.Write(0x264, ~0u);
    driver_.Write(address, 1);
    EXPECT_EQ(driver_.Read(0x264), 1u) << std::hex << address;
    driver_.Read(0x2000);
    EXPECT_EQ(driver_.Read(0x26C) & 0x1ffff, address & 0x1ffff) << "the first one is logged";
    driver_.Write(0x264, ~0u);
    EXPECT_EQ(driver_.Read(0x264), 0u);
  }
}

// Linux reads the settings of a completion ring here, changes one, and writes them back.
TEST_P(QdmaContexts, DoorbellsReadAsTheContextHasThem) {
  Sizes({65});
  for (int i = 0; i < 20; ++i) {
    const auto qid = static_cast<unsigned>(rng_.Below(kPorts));
    host_.Release();
    auto q = OpenQueue({.qid = qid, .completion_control = 0, .full_update = true});
    const uint32_t settings = rng_.Word() & 0x18ff0000 | static_cast<uint32_t>(rng_.Below(6)) << 24;
    driver_.RingCompletion(q, settings);
    EXPECT_EQ(driver_.Read(0x1800C + 16 * qid), settings);
    EXPECT_EQ(driver_.Read(0x18008 + 16 * qid) & 0xffff, q.c2h_pidx);
    EXPECT_EQ(driver_.Read(0x18004 + 16 * qid), 0u);
    EXPECT_EQ(driver_.Read(0x18000 + 16 * qid), 0u);
    driver_.PutH2c(q, Packet(64), {64}, false);
    driver_.RingH2c(q, true);
    EXPECT_EQ(driver_.Read(0x18004 + 16 * qid), 1u | 1u << 16);
  }
  EXPECT_EQ(driver_.Read(0x264), 0u);
  EXPECT_EQ(driver_.Read(0x1800C + 16 * kPorts), 0u);
  EXPECT_EQ(driver_.Read(0x264), 1u << 5) << "of a queue that the function does not have";
}

TEST_P(QdmaContexts, MsixTableIsMaskedAtFirstAndKeepsItsEntries) {
  for (uint32_t vector = 0; vector < 32; ++vector) {
    EXPECT_EQ(driver_.Read(0x30000 + 16 * vector + 12), 1u);
    driver_.Write(0x30000 + 16 * vector, vector);
  }
  for (uint32_t vector = 0; vector < 32; ++vector) {
    EXPECT_EQ(driver_.Read(0x30000 + 16 * vector), vector);
  }
  for (const uint32_t pending : {0x34000u, 0x34004u}) EXPECT_EQ(driver_.Read(pending), 0u);
  EXPECT_EQ(driver_.Read(0x264), 0u);
}

TEST_P(QdmaContexts, ResetForgetsContextsAndRegisters) {
  Sizes({65});
  driver_.WriteContext(1, 5, {1, 2, 3});
  driver_.Write(0x848, 0);  // an error
  EXPECT_EQ(driver_.Read(0x264), 1u);
  bench_->dma().Reset();
  EXPECT_EQ(driver_.ReadContext(1, 5), Words(8));
  EXPECT_EQ(driver_.ReadContext(12, 0), Words(8));
  EXPECT_EQ(driver_.Read(0x204), 0u);
  EXPECT_EQ(driver_.Read(0x264), 0u);
}

TEST_P(QdmaContexts, FunctionLevelResetForgetsTheFunctionsContexts) {
  Sizes({65});
  driver_.WriteContext(1, 5, {1, 2, 3});
  driver_.Write(0x2500, 1);
  int reads = 0;
  while (driver_.Read(0x2500) != 0) ASSERT_LT(++reads, 10000) << "it does not end";
  EXPECT_EQ(driver_.ReadContext(1, 5), Words(8));
  EXPECT_EQ(driver_.ReadContext(12, 0), Words(8));
  EXPECT_EQ(driver_.Read(0x204), 65u);
  EXPECT_EQ(driver_.Read(0x264), 0u);
}

TEST_F(QdmaModelContexts, FunctionLevelResetForgetsContextsOnly) {
  device_.Reset();
  EXPECT_EQ(card_.resets, 1);
  driver_.Write(0x804, 0x12345678);
  driver_.WriteContext(1, 5, {1, 2, 3});
  Sizes({65});
  driver_.Write(0x2500, 1);  // function-level: the queues, not the card-wide registers
  EXPECT_EQ(driver_.Read(0x2500), 0u);
  EXPECT_EQ(driver_.ReadContext(1, 5), Words(8));
  EXPECT_EQ(driver_.Read(0x204), 65u);
  EXPECT_EQ(card_.resets, 2);
}

// Counters besides the error registers.
TEST_F(QdmaModelContexts, ErrorsAreCounted) {
  driver_.WriteContext(9, 0, {1, 2, 3});
  EXPECT_EQ(driver_.ReadContext(12, 256), Words(8));
  EXPECT_EQ(device_.counters().context_errors, 2u);
  driver_.Read(0x205);
  driver_.Write(0x848, 1);
  EXPECT_EQ(device_.counters().unmapped_accesses, 2u);
}

TEST_F(QdmaModelContexts, TheUserBarIsHandedThroughInOrder) {
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
