// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// The card's memory and the driver of memory-mapped queues of ullnic-qdma-sweep, with a test in the
// card's place: times of DDR4 as JESD79-4 defines them, data, and each fault of a card that they
// must notice.

#include <gtest/gtest.h>
#include <qdma_regs.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <vector>

#include "fault_of.h"
#include "qdma_sweep/card_memory.h"
#include "qdma_sweep/contexts.h"
#include "qdma_sweep/dram_timing.h"
#include "qdma_sweep/mm_driver.h"

namespace ullnic::qdma_sweep {
namespace {

// --- DDR4

constexpr DramSettings kDdr4;
// Addresses: 4 bank groups from line to line, 4 banks of each from 32 KiB to 32 KiB, then rows
constexpr uint64_t kSameGroup = 4 * 64, kOtherBank = 32 << 10, kOtherRow = 128 << 10;

int64_t Clocks(int count) { return count * kDdr4.clock_ps; }
int64_t LatencyPs(int clocks) {
  return Clocks(clocks + kDdr4.cl + kDdr4.burst) + kDdr4.controller_ps;
}

struct Dram : testing::Test {
  DramTiming dram{kDdr4};
  int64_t now_ps = 1'000'000;

  // When each of these reads, which wait together, has its data.
  std::vector<int64_t> Reads(const std::vector<uint64_t>& addresses) {
    for (const uint64_t address : addresses) dram.Accept(address, false, now_ps);
    return Wait(addresses.size());
  }
  std::vector<int64_t> Wait(size_t count) {
    std::vector<int64_t> at;
    const int64_t begin_ps = now_ps;
    for (; at.size() < count; now_ps += 100) {
      dram.Advance(now_ps);
      while (const auto done = dram.TakeRead()) at.push_back(*done - begin_ps);
      if (now_ps - begin_ps > 10'000'000) ADD_FAILURE() << "a read is not answered";
      if (now_ps - begin_ps > 10'000'000) break;
    }
    return at;
  }
};

TEST_F(Dram, ARowIsOpenedForTheFirstAccess) {
  EXPECT_EQ(Reads({0}), std::vector{LatencyPs(kDdr4.rcd)});
  EXPECT_EQ(dram.rows_opened(), 1u);
  now_ps += 1'000'000;
  EXPECT_EQ(Reads({kSameGroup}), std::vector{LatencyPs(0)}) << "it stays open";
  now_ps += 1'000'000;
  EXPECT_EQ(Reads({kOtherRow}), std::vector{LatencyPs(kDdr4.rp + kDdr4.rcd)});
  EXPECT_EQ(dram.rows_opened(), 2u);
}

TEST_F(Dram, ColumnsOfOneBankGroupAreFurtherApart) {
  const auto same = Reads({0, kSameGroup, 2 * kSameGroup});
  EXPECT_EQ(same[1] - same[0], Clocks(kDdr4.ccd_l));
  EXPECT_EQ(same[2] - same[1], Clocks(kDdr4.ccd_l));
  Reads({64});
  now_ps += 1'000'000;
  const auto other = Reads({0, 64, 0, 64});
  for (int i = 1; i < 4; ++i) EXPECT_EQ(other[i] - other[i - 1], Clocks(kDdr4.ccd_s));
}

TEST_F(Dram, RowsOfOneBankAreATimeApart) {
  const auto at = Reads({0, kOtherRow, 2 * kOtherRow});
  for (int i = 1; i < 3; ++i) EXPECT_EQ(at[i] - at[i - 1], Clocks(kDdr4.ras + kDdr4.rp));
}

TEST_F(Dram, NoMoreThanFourRowsAreOpenedAtOnce) {
  // Two groups and their banks in turn: rows are opened rrd_s apart
  const auto at = Reads({0, 64, kOtherBank, kOtherBank + 64, 2 * kOtherBank});
  EXPECT_EQ(at[1] - at[0], Clocks(kDdr4.rrd_s));
  EXPECT_EQ(at[3] - at[0], Clocks(3 * kDdr4.rrd_s));
  EXPECT_EQ(at[4] - at[0], Clocks(kDdr4.faw));
}

TEST_F(Dram, TheBusTurnsRound) {
  Reads({0, 64});  // opens both rows
  for (const auto& [address, wtr] : {std::pair(64, kDdr4.wtr_s), std::pair(0, kDdr4.wtr_l)}) {
    now_ps += 1'000'000;
    dram.Accept(address, false, now_ps);
    dram.Advance(now_ps);
    // The second read waits for the writes between both.
    constexpr int kWrites = int(DramTiming::kBatch) / 2;
    for (int i = 0; i < kWrites; ++i) dram.Accept(0, true, now_ps);
    const int turn = kDdr4.cl - kDdr4.cwl + kDdr4.burst + kDdr4.read_to_write_gap;
    dram.Advance(now_ps + Clocks(turn));
    dram.Accept(address, false, now_ps);
    const auto at = Wait(2);
    EXPECT_EQ(at[0], LatencyPs(0));
    const int writes = (kWrites - 1) * kDdr4.ccd_l;
    EXPECT_EQ(at[1] - at[0], Clocks(turn + writes + kDdr4.cwl + kDdr4.burst + wtr));
  }
}

TEST_F(Dram, AFewWritesWaitForATimeAndNoLonger) {
  dram.Accept(0, true, now_ps);
  dram.Advance(now_ps + DramTiming::kPatiencePs - 1);
  EXPECT_FALSE(dram.idle());
  dram.Advance(now_ps + DramTiming::kPatiencePs);
  EXPECT_TRUE(dram.idle());
}

TEST_F(Dram, RefreshTakesItsTimeAndClosesTheRows) {
  now_ps = kDdr4.refi_ps - 1'000'000;
  Reads({0});
  now_ps = kDdr4.refi_ps + 1000;
  dram.Advance(now_ps);
  EXPECT_EQ(dram.refreshes(), 1u);
  EXPECT_EQ(Reads({0}), std::vector{kDdr4.rfc_ps - 1000 + Clocks(kDdr4.rp) + LatencyPs(kDdr4.rcd)});
  dram.Advance(kDdr4.refi_ps * 100);
  for (int i = 0; i < 100; ++i) dram.Advance(kDdr4.refi_ps * 100);
  EXPECT_EQ(dram.refreshes(), 100u);
}

// Bytes per second in each direction, with as many accesses as the memory accepts
struct Rates {
  double reads, writes;
};
Rates RatesOf(bool reads, bool writes, uint64_t step) {
  DramTiming dram{kDdr4};
  constexpr int64_t kStepPs = 1000, kEndPs = 200'000'000;
  uint64_t read = 0, done = 0, written = 0;
  for (int64_t now_ps = 0; now_ps < kEndPs; now_ps += kStepPs) {
    if (reads && dram.Accepts(false)) dram.Accept(read++ * step, false, now_ps);
    if (writes && dram.Accepts(true)) dram.Accept((1 << 28) + written++ * step, true, now_ps);
    dram.Advance(now_ps);
    while (dram.TakeRead()) ++done;
  }
  return {double(done) * 64 / kEndPs * 1000, double(written) * 64 / kEndPs * 1000};
}

TEST(DramRates, StreamsReachThePeakButForRefresh) {
  const double peak = 64.0 / double(Clocks(kDdr4.burst)) * 1000;  // 19.2 GB/s
  for (const Rates rates : {RatesOf(true, false, 64), RatesOf(false, true, 64)}) {
    EXPECT_GT(rates.reads + rates.writes, 0.92 * peak);
    EXPECT_LT(rates.reads + rates.writes,
              peak * (1 - double(kDdr4.rfc_ps) / double(kDdr4.refi_ps)) * 1.002);
  }
  const Rates both = RatesOf(true, true, 64);
  EXPECT_NEAR(both.reads / both.writes, 1, 0.05) << "neither direction starves";
  EXPECT_LT(both.reads + both.writes, 0.75 * peak) << "turn-round, and rows of the same banks";
  EXPECT_GT(both.reads + both.writes, 0.4 * peak);
  const double random = RatesOf(true, false, kOtherRow).reads;
  EXPECT_NEAR(random, 64.0 / double(Clocks(kDdr4.ras + kDdr4.rp)) * 1000, 0.1);
}

// --- AXI4

struct Axi : testing::Test {
  void TestBody() override {}  // some are made within a test
  Dma dma;
  CardMemory memory{1 << 20, MakeMemoryTiming("bram")};
  uint64_t base = memory.memory().Allocate(64 << 10, 4096);
  int64_t now_ps = 0;
  std::vector<std::vector<uint32_t>> read;  // beats
  int responses = 0;

  void Cycle() {
    memory.Drive(dma, now_ps);
    if (dma.m_axi_mm_rvalid) {
      read.emplace_back(dma.m_axi_mm_rdata.begin(), dma.m_axi_mm_rdata.end());
      EXPECT_EQ(dma.m_axi_mm_rlast, read.size() == wanted);
    }
    responses += dma.m_axi_mm_bvalid;
    memory.Seen(dma, now_ps);
    now_ps += kCyclePs;
  }
  void Aw(uint64_t address, unsigned beats) {
    dma.m_axi_mm_awaddr = address;
    dma.m_axi_mm_awlen = uint8_t(beats - 1);
    dma.m_axi_mm_awvalid = 1;
    Cycle();
    dma.m_axi_mm_awvalid = 0;
  }
  void W(uint32_t first, bool is_last, uint64_t strobes = ~uint64_t{0}) {
    for (unsigned i = 0; i < 16; ++i) dma.m_axi_mm_wdata[i] = first + i;
    dma.m_axi_mm_wstrb = strobes;
    dma.m_axi_mm_wlast = is_last;
    dma.m_axi_mm_wvalid = 1;
    Cycle();
    dma.m_axi_mm_wvalid = 0;
  }
  void Ar(uint64_t address, unsigned beats) {
    wanted = read.size() + beats;
    dma.m_axi_mm_araddr = address;
    dma.m_axi_mm_arlen = uint8_t(beats - 1);
    dma.m_axi_mm_arvalid = 1;
    Cycle();
    dma.m_axi_mm_arvalid = 0;
    for (int i = 0; i < 100 && read.size() < wanted; ++i) Cycle();
  }
  size_t wanted = 0;
};

TEST_F(Axi, WhatIsWrittenIsRead) {
  W(100, false);  // before its address
  Aw(base + 64, 2);
  EXPECT_EQ(responses, 0);
  W(200, true);
  for (int i = 0; i < 3; ++i) Cycle();
  EXPECT_EQ(responses, 1);
  EXPECT_EQ(memory.written_bytes(), 128u);
  Ar(base + 64, 2);
  ASSERT_EQ(read.size(), 2u);
  EXPECT_EQ(read[0][0], 100u);
  EXPECT_EQ(read[1][15], 215u);
  EXPECT_TRUE(memory.idle());
}

TEST_F(Axi, OnlyBytesWithAStrobeAreWritten) {
  Aw(base, 1);
  W(0x01010101, true);
  Aw(base + 4, 1);
  W(0x02020202, true, 0xF0);
  Cycle();
  EXPECT_EQ(memory.written_bytes(), 68u);
  EXPECT_EQ(memory.memory().Load<uint32_t>(base), 0x01010101u);
  EXPECT_EQ(memory.memory().Load<uint32_t>(base + 4), 0x02020203u);
  EXPECT_EQ(memory.memory().Load<uint32_t>(base + 8), 0x01010103u);
}

TEST_F(Axi, ABlockRamAnswersAfterTwoCycles) {
  dma.m_axi_mm_araddr = base;
  dma.m_axi_mm_arvalid = 1;
  wanted = 1;
  Cycle();
  dma.m_axi_mm_arvalid = 0;
  Cycle();
  EXPECT_TRUE(read.empty());
  Cycle();
  EXPECT_EQ(read.size(), 1u);
}

TEST_F(Axi, ABeatThatIsNotAcceptedStays) {
  dma.m_axi_mm_rready = 0;
  memory.memory().Store(base, uint32_t{77});
  dma.m_axi_mm_araddr = base;
  dma.m_axi_mm_arvalid = 1;
  wanted = 1;
  Cycle();
  dma.m_axi_mm_arvalid = 0;
  for (int i = 0; i < 5; ++i) {
    memory.Drive(dma, now_ps);
    memory.Seen(dma, now_ps);
    now_ps += kCyclePs;
  }
  EXPECT_TRUE(dma.m_axi_mm_rvalid);
  EXPECT_EQ(dma.m_axi_mm_rdata[0], 77u);
  EXPECT_FALSE(memory.idle());
}

TEST_F(Axi, BurstsThatAreNotLegal) {
  const auto fault = [](auto call) {
    Axi axi;
    return FaultOf([&] { call(axi); });
  };
  EXPECT_EQ(fault([](Axi& a) { a.Aw(a.base + 4096 - 64, 1); }), "");
  const char* const crosses = "a burst of AXI crosses 4 KiB";
  EXPECT_EQ(fault([](Axi& a) { a.Aw(a.base + 4096 - 64, 2); }), crosses);
  EXPECT_EQ(fault([](Axi& a) { a.Ar(a.base + 4096 - 1, 2); }), crosses);
  const char* const kind = "a burst of AXI of another size or type";
  EXPECT_EQ(fault([](Axi& a) { a.dma.m_axi_mm_awsize = 5, a.Aw(a.base, 1); }), kind);
  EXPECT_EQ(fault([](Axi& a) { a.dma.m_axi_mm_arburst = 0, a.Ar(a.base, 1); }), kind);
  const char* const last = "WLAST is not with the last beat of a burst";
  EXPECT_EQ(fault([](Axi& a) { a.Aw(a.base, 1), a.W(0, false); }), last);
  EXPECT_EQ(fault([](Axi& a) { a.Aw(a.base, 2), a.W(0, true); }), last);
  EXPECT_EQ(fault([](Axi& a) { a.Aw(a.base + 4, 1), a.W(0, true, 0xF8); }),
            "a strobe is below the address of its burst");
  EXPECT_NE(fault([](Axi& a) { a.Aw(1 << 20, 1), a.W(0, true); }), "") << "not allocated";
}

TEST(MemoryTimings, NamesOfMemories) {
  EXPECT_NE(MakeMemoryTiming("bram"), nullptr);
  EXPECT_NE(MakeMemoryTiming("ddr4"), nullptr);
  EXPECT_EQ(FaultOf([] { MakeMemoryTiming("hbm"); }), "there is no memory 'hbm'");
}

// --- The driver

struct Mm : testing::Test {
  void TestBody() override {}
  Point point{.mode = Mode::kMmBoth, .size = 100, .queues = 2};
  Memory host{uint64_t{256} << 20}, card{uint64_t{256} << 20};
  Pattern pattern{7};
  pcie::Link link{point.link};
  int64_t now_ps = 0;
  std::vector<std::pair<uint64_t, std::vector<uint32_t>>> writes;
  RegistersPort registers{link, [this] { PassTime(); }};
  std::map<unsigned, uint64_t> rings;  // by 2 * queue + (C2H ? 1 : 0)
  std::map<unsigned, uint32_t> flags;  // word 1 of their contexts
  std::unique_ptr<MmDriver> driver;

  void PassTime() {
    now_ps += 1'000'000;
    link.Advance(now_ps);
    registers.set_now(now_ps);
    for (; !link.at_card.empty(); link.at_card.pop_front()) {
      const pcie::Tlp& tlp = link.at_card.front().tlp;
      link.ConsumedByCard(tlp, now_ps);
      if (tlp.kind == pcie::Kind::kPosted) {
        std::vector<uint32_t> dwords(tlp.data.size() / 4);
        std::memcpy(dwords.data(), tlp.data.data(), tlp.data.size());
        writes.emplace_back(tlp.address, dwords);
        continue;
      }
      pcie::Tlp answer;
      answer.data.resize(4);
      registers.Answered(answer);
    }
  }
  void Started() {
    driver = std::make_unique<MmDriver>(point, host, card, registers, pattern);
    driver->Start();
    Arrive();
    std::vector<uint32_t> data;
    for (const auto& [at, dwords] : writes) {
      if (at == offsetof(qdma_regs_t, IND_CTXT_DATA)) data = dwords;
      if (at != offsetof(qdma_regs_t, IND_CTXT_CMD)) continue;
      const unsigned selector = dwords[0] >> 1 & 15, queue = dwords[0] >> 7;
      if (selector > 1) continue;
      rings[2 * queue + 1 - selector] = uint64_t{data[3]} << 32 | data[2];
      flags[2 * queue + 1 - selector] = data[1];
    }
  }
  void Arrive() {
    do {
      PassTime();
    } while (!link.idle());
  }
  std::vector<uint32_t> Doorbells(unsigned queue, unsigned kind) {
    Arrive();
    std::vector<uint32_t> values;
    for (const auto& [at, dwords] : writes) {
      if (at == 0x18000 + 16 * queue + kind) values.push_back(dwords[0]);
    }
    return values;
  }
  struct Descriptor {
    uint64_t from, to;
    uint32_t bytes;
  };
  Descriptor At(unsigned ring, unsigned index) {
    const auto words = host.Load<std::array<uint32_t, 8>>(rings.at(ring) + 32 * index);
    EXPECT_EQ(words[2] >> 28, 7u) << "DV, SOP, EOP";
    return {uint64_t{words[1]} << 32 | words[0], uint64_t{words[5]} << 32 | words[4],
            words[2] & 0xFFFFFFF};
  }
  // As the card: executes these descriptors, and writes the status.
  void Execute(unsigned ring, unsigned from, unsigned to) {
    for (unsigned index = from; index != to; index = (index + 1) % kRing) {
      const Descriptor d = At(ring, index);
      Memory& source = ring % 2 != 0 ? card : host;
      Memory& target = ring % 2 != 0 ? host : card;
      std::ranges::copy(source.At(d.from, d.bytes), target.At(d.to, d.bytes).begin());
    }
    Status(ring, uint64_t{to} << 16);
  }
  void Status(unsigned ring, uint64_t value, unsigned bytes = 8) {
    const uint64_t at = rings.at(ring) + 32 * kRing;
    host.Store(at, value);
    driver->Written(at, bytes);
    driver->Poll();
  }
};

TEST_F(Mm, BothDirectionsOfEachQueueAreSetUp) {
  Started();
  ASSERT_EQ(rings.size(), 4u);
  for (const auto& [ring, word] : flags) {
    EXPECT_EQ(word >> 31, 1u) << "memory-mapped";
    EXPECT_EQ(word >> 16 & 3, 2u) << "descriptors of 32 bytes";
    EXPECT_EQ(word & 1, 1u);
  }
  std::map<uint64_t, uint32_t> last;
  for (const auto& [at, dwords] : writes) last[at] = dwords.back();
  EXPECT_EQ(last.at(0x1004), 1u);
  EXPECT_EQ(last.at(0x1204), 1u);
}

TEST_F(Mm, TransfersAreCheckedAndPostedAgain) {
  Started();
  driver->Begin();
  EXPECT_EQ(driver->posted(), 4 * point.in_flight() / point.queues);
  const auto in_flight = static_cast<uint32_t>(point.in_flight() / point.queues);
  for (const unsigned ring : {0, 1, 2, 3}) {
    const Descriptor d = At(ring, 3);
    EXPECT_EQ(d.bytes, 100u);
    Memory& source = ring % 2 != 0 ? card : host;
    EXPECT_TRUE(std::ranges::equal(source.At(d.from, 100), pattern.Of(ring, 3, 100)));
    EXPECT_EQ(Doorbells(ring / 2, ring % 2 != 0 ? 8 : 4).back(), in_flight);
  }
  Execute(1, 0, 63);
  EXPECT_EQ(driver->done_to_host(), 63u);
  EXPECT_EQ(driver->due_bytes(), 6300u);
  EXPECT_EQ(Doorbells(0, 8).back(), in_flight) << "not a burst yet";
  Execute(1, 63, 64);
  EXPECT_EQ(Doorbells(0, 8).back(), in_flight + 64);
  EXPECT_EQ(driver->done_to_card(), 0u);
  // Around the end of the ring, and of the buffers
  for (unsigned i = 64; i < 4000; i += 32) Execute(1, i % kRing, (i + 32) % kRing);
  EXPECT_EQ(driver->done_to_host(), 4000u);
  driver->Stop();
  const uint64_t posted = driver->posted();
  Execute(1, 4000 % kRing, 4064 % kRing);
  EXPECT_EQ(driver->posted(), posted);
  EXPECT_EQ(driver->statuses(), 2 + 123 + 1u);
}

TEST_F(Mm, FaultsOfACard) {
  const auto fault = [](auto call) {
    Mm mm;
    mm.Started();
    mm.driver->Begin();
    return FaultOf([&] { call(mm); });
  };
  EXPECT_EQ(fault([](Mm& m) { m.Execute(2, 0, 5); }), "");
  EXPECT_EQ(fault([](Mm& m) { m.Status(2, 1 << 16); }),
            "queue 1, H2C: transfer 0 has other bytes, or they are not there yet");
  EXPECT_EQ(fault([](Mm& m) {
              const Descriptor d = m.At(1, 4);
              m.Execute(1, 0, 4);
              m.card.At(d.from + 99, 1)[0] ^= 1;
              m.Execute(1, 4, 5);
            }),
            "queue 0, C2H: transfer 4 has other bytes, or they are not there yet");
  EXPECT_EQ(fault([](Mm& m) { m.Status(0, 2); }), "queue 0, H2C: the ring has an error");
  EXPECT_EQ(fault([](Mm& m) { m.Status(0, 0, 4); }), "queue 0, H2C: a status of 4 bytes");
  EXPECT_EQ(fault([](Mm& m) {
              const auto all = static_cast<unsigned>(m.point.in_flight() / 2);
              m.driver->Stop();
              m.Execute(0, 0, all);
              m.Status(0, uint64_t{all + 1} << 16);
            }),
            "queue 0, H2C: CIDX is beyond what was posted");
}

}  // namespace
}  // namespace ullnic::qdma_sweep
