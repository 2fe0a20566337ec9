// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// The ports, the host and the driver of ullnic-qdma-sweep, with a test in the card's place: fields
// of the PCIe block as PG213 defines them, and each fault of a card that they must notice. With the
// RTL they run in tests/measure, only when something has changed.

#include <gtest/gtest.h>
#include <qdma_regs.h>

#include <cstring>
#include <numeric>
#include <utility>

#include "fault_of.h"
#include "qdma_sweep/completer_ports.h"
#include "qdma_sweep/contexts.h"
#include "qdma_sweep/driver.h"
#include "qdma_sweep/rc_port.h"
#include "qdma_sweep/rq_port.h"
#include "qdma_sweep/user_side.h"

namespace ullnic::qdma_sweep {
namespace {

using pcie::Kind;
using pcie::Tlp;

constexpr int64_t kLongPs = 20'000'000;  // everything has crossed the link

Tlp Write(uint64_t address, const std::vector<uint32_t>& data) {
  Tlp tlp;
  tlp.address = address;
  tlp.dwords = static_cast<uint32_t>(data.size());
  tlp.data.resize(4 * data.size());
  std::memcpy(tlp.data.data(), data.data(), tlp.data.size());
  return tlp;
}

Tlp Read(uint64_t address, uint32_t dwords) {
  Tlp tlp;
  tlp.kind = Kind::kNonPosted;
  tlp.address = address;
  tlp.dwords = dwords;
  return tlp;
}

std::vector<uint32_t> Dwords(const std::vector<uint8_t>& bytes) {
  std::vector<uint32_t> dwords(bytes.size() / 4);
  std::memcpy(dwords.data(), bytes.data(), bytes.size());
  return dwords;
}

std::vector<uint32_t> Count(uint32_t from, size_t count) {
  std::vector<uint32_t> dwords(count);
  std::iota(dwords.begin(), dwords.end(), from);
  return dwords;
}

WidePort Beat(const std::vector<uint32_t>& dwords, size_t at = 0) {
  WidePort beat{};
  std::copy_n(dwords.begin(), dwords.size(), beat.begin() + static_cast<std::ptrdiff_t>(at));
  return beat;
}

struct Ports : ::testing::Test {
  void TestBody() override {}  // some are made within a test
  Dma dma;
  pcie::Link link{pcie::LinkSettings{}};
};

// --- CQ

struct Cq : Ports {
  CqPort port;

  void Shows(const std::vector<uint32_t>& dwords, bool last, const char* what) {
    SCOPED_TRACE(what);
    port.Drive(dma);
    EXPECT_EQ(dma.m_axis_cq_tvalid, 1);
    EXPECT_EQ(dma.m_axis_cq_tdata, Beat(dwords));
    EXPECT_EQ(dma.m_axis_cq_tlast, last);
  }
  void Seen(bool ready) {
    dma.m_axis_cq_tready = ready;
    port.Seen(dma, link, 0);
  }
};

TEST_F(Cq, AWriteIsShownUntilItIsAccepted) {
  port.Drive(dma);
  EXPECT_EQ(dma.m_axis_cq_tvalid, 0);
  EXPECT_TRUE(port.idle());
  Tlp write = Write(0x1804, {0xcafe});
  write.tag = 0x21;
  write.function = 4;
  write.first_be = 5;
  write.last_be = 0;
  port.Take(write);
  EXPECT_FALSE(port.idle());
  const std::vector<uint32_t> shown = {0x1804, 0, 1u << 11 | 1, 18u << 19 | 4 << 8 | 0x21, 0xcafe};
  for (const bool ready : {false, false, true}) {
    Shows(shown, true, "a write");
    EXPECT_EQ(dma.m_axis_cq_tuser, Beat({5}));
    EXPECT_FALSE(port.idle());
    Seen(ready);
  }
  EXPECT_TRUE(port.idle());
  port.Drive(dma);
  EXPECT_EQ(dma.m_axis_cq_tvalid, 0);
}

TEST_F(Cq, BeatsOfLongWritesAndReads) {
  Tlp two = Write(8, {7, 8});
  two.first_be = 0xe;
  two.last_be = 3;
  port.Take(Write(0x40, Count(100, 16)));
  port.Take(Write(0x80, Count(300, 12)));
  port.Take(Read(0x20, 1));
  port.Take(two);
  const std::vector<uint32_t> head = {0x40, 0, 1u << 11 | 16, 18u << 19};
  std::vector<uint32_t> beat = head;
  const auto data = Count(100, 12);
  beat.insert(beat.end(), data.begin(), data.end());
  Shows(beat, false, "the first of two beats");
  Seen(true);
  Shows(Count(112, 4), true, "the second, with nothing of the first");
  Seen(true);
  beat = {0x80, 0, 1u << 11 | 12, 18u << 19};
  const auto full = Count(300, 12);
  beat.insert(beat.end(), full.begin(), full.end());
  Shows(beat, true, "one that fills a beat");
  EXPECT_EQ(dma.m_axis_cq_tuser, Beat({0xf0f}));
  Seen(true);
  Shows({0x20, 0, 1, 18u << 19}, true, "a read");
  Seen(true);
  Shows({8, 0, 1u << 11 | 2, 18u << 19, 7, 8}, true, "byte enables");
  EXPECT_EQ(dma.m_axis_cq_tuser, Beat({0x30e}));
  Seen(true);
  EXPECT_TRUE(port.idle());
}

TEST_F(Cq, ItsRoomIsReturnedWithTheLastBeat) {
  port.Take(Write(0x40, Count(0, 16)));
  int64_t now_ps = 0;
  const auto dllps = [&] {
    for (int i = 0; i < 3; ++i) link.Advance(now_ps += kLongPs);
    return link.up.wire().bytes();
  };
  port.Drive(dma);
  Seen(true);
  EXPECT_EQ(dllps(), 0u);
  port.Drive(dma);
  Seen(true);
  EXPECT_GT(dllps(), 0u);
}

// --- CC

struct Cc : Ports {
  CcPort port;

  void Seen(const std::vector<uint32_t>& dwords, bool last) {
    dma.s_axis_cc_tdata = Beat(dwords);
    dma.s_axis_cc_tkeep = static_cast<uint16_t>((1u << dwords.size()) - 1);
    dma.s_axis_cc_tlast = last;
    dma.s_axis_cc_tvalid = 1;
    port.Seen(dma, link, 0);
    dma.s_axis_cc_tvalid = 0;
    port.Seen(dma, link, 0);
  }
};

TEST_F(Cc, Completions) {
  port.Drive(dma);
  EXPECT_EQ(dma.s_axis_cc_tready, 1);
  Seen({1, 2, 0xabcd00fe, 0x1234}, true);
  Seen({1, ~(7u << 11), 0x55}, false);
  EXPECT_EQ(link.up.waiting(Kind::kCompletion), 1u);
  Seen(Count(5, 16), false);
  Seen({77}, true);
  link.Advance(kLongPs);
  ASSERT_EQ(link.at_host.size(), 2u);
  EXPECT_EQ(link.at_host[0].tlp.kind, Kind::kCompletion);
  EXPECT_EQ(link.at_host[0].tlp.tag, 0xfe);
  EXPECT_EQ(Dwords(link.at_host[0].tlp.data), std::vector<uint32_t>{0x1234});
  auto data = Count(5, 16);
  data.push_back(77);
  EXPECT_EQ(link.at_host[1].tlp.tag, 0x55);
  EXPECT_EQ(Dwords(link.at_host[1].tlp.data), data);
}

TEST_F(Cc, ARefusalIsAFault) {
  for (const uint32_t status : {1u, 2u, 4u}) {
    CcPort fresh;
    std::swap(port, fresh);
    EXPECT_EQ(FaultOf([&] { Seen({0, status << 11, 0, 0}, true); }),
              "CC: the card refuses an access to BAR 0");
  }
}

// --- RQ

struct Rq : Ports {
  RqPort port;
  std::vector<uint64_t> reads;

  Rq() {
    port.on_read = [this](const Tlp& read) { reads.push_back(read.address); };
  }

  struct User {
    std::vector<uint32_t> sops, eops;  // lanes
    std::array<uint32_t, 2> first_be = {15, 15}, last_be = {15, 15}, number = {0, 1};
  };
  void Seen(const std::vector<uint32_t>& dwords, const User& user, int64_t now_ps = 0) {
    dma.s_axis_rq_tdata = Beat(dwords);
    dma.s_axis_rq_tuser = {};
    auto& u = dma.s_axis_rq_tuser;
    for (uint32_t i = 0; i < 2; ++i) {
      u[0] |= user.first_be[i] << 4 * i | user.last_be[i] << (8 + 4 * i);
      const uint64_t number = uint64_t{user.number[i]} << (61 - 32 + 6 * i);
      u[1] |= static_cast<uint32_t>(number);
      u[2] |= static_cast<uint32_t>(number >> 32);
    }
    for (uint32_t i = 0; i < user.sops.size(); ++i) {
      u[0] |= 1u << (20 + i) | user.sops[i] / 4 << (22 + 2 * i);
    }
    for (uint32_t i = 0; i < user.eops.size(); ++i) {
      u[0] |= 1u << (26 + i) | (i == 0 ? user.eops[i] << 28 : 0);
      if (i == 1) u[1] |= user.eops[i];
    }
    dma.s_axis_rq_tvalid = 1;
    port.Drive(dma, link);
    port.Seen(dma, link, now_ps);
    dma.s_axis_rq_tvalid = 0;
    port.Seen(dma, link, now_ps);
  }
  static std::vector<uint32_t> Head(uint32_t low, uint32_t high, uint32_t dwords, uint32_t type,
                                    uint32_t tag = 0) {
    return {low, high, dwords | type << 11, tag};
  }
};

TEST_F(Rq, WritesAndReadsStraddled) {
  BoundaryLog log;
  port.set_log(&log);
  auto beat = Head(0x1000, 0, 64, 0, 0x5c);  // a read in lanes 0 to 3
  beat[2] |= 5u << 16;                       // of function 5
  beat.resize(8, 0xbad);
  const auto write = Head(0x2003, 9, 6, 1, 0xff);  // a write from lane 8 on: four of its six dwords
  beat.insert(beat.end(), write.begin(), write.end());
  const auto data = Count(50, 4);
  beat.insert(beat.end(), data.begin(), data.end());
  Seen(beat,
       {.sops = {0, 8}, .eops = {3}, .first_be = {3, 14}, .last_be = {12, 7}, .number = {40, 31}},
       3 * kCyclePs);
  EXPECT_FALSE(port.idle());
  beat = {54, 55, 0xbad, 0xbad};
  const auto read = Head(0x3000, 0, 1, 0, 0x11);
  beat.insert(beat.end(), read.begin(), read.end());
  Seen(beat, {.sops = {4}, .eops = {1, 7}, .first_be = {6, 0}, .last_be = {0, 0}}, 4 * kCyclePs);
  EXPECT_TRUE(port.idle());
  EXPECT_EQ(port.beats(), 2u);
  EXPECT_EQ(port.posted(), 1u);
  EXPECT_EQ(reads, (std::vector<uint64_t>{0x1000, 0x3000}));
  ASSERT_EQ(log.rq.size(), 3u);
  EXPECT_EQ(log.rq[0].cycle, 3);
  EXPECT_EQ(log.rq[1].cycle, 4);
  EXPECT_EQ(log.rq[1].kind, Kind::kPosted);
  EXPECT_EQ(log.rq[1].bytes, 24u);
  EXPECT_EQ(log.rq[2].bytes, 0u);
  link.Advance(kLongPs);
  ASSERT_EQ(link.at_host.size(), 3u);
  const Tlp& first = link.at_host[0].tlp;
  EXPECT_EQ(first.kind, Kind::kNonPosted);
  EXPECT_EQ(first.address, 0x1000u);
  EXPECT_EQ(first.dwords, 64u);
  EXPECT_EQ(first.function, 5);
  EXPECT_EQ(first.tag, 0x5c);
  EXPECT_EQ(first.first_be, 3);
  EXPECT_EQ(first.last_be, 12);
  const Tlp& second = link.at_host[1].tlp;
  EXPECT_EQ(second.kind, Kind::kPosted);
  EXPECT_EQ(second.address, 0x9'0000'2000u) << "without the address type's bits";
  EXPECT_EQ(second.function, 0);
  EXPECT_EQ(second.first_be, 14);
  EXPECT_EQ(second.last_be, 7);
  EXPECT_EQ(Dwords(second.data), Count(50, 6));
  EXPECT_EQ(link.at_host[2].tlp.tag, 0x11);
  EXPECT_EQ(link.at_host[2].tlp.first_be, 6);
}

TEST_F(Rq, FaultsOfACard) {
  const auto one = Head(0, 0, 1, 1);
  const auto with = [](std::vector<uint32_t> head, size_t more) {
    head.resize(head.size() + more);
    return head;
  };
  const char* const kLength = "RQ: a TLP whose length is not that of its descriptor";
  EXPECT_EQ(FaultOf([&] { Rq().Seen(with(one, 1), {.sops = {0}, .eops = {4}}); }), "");
  EXPECT_EQ(FaultOf([&] { Rq().Seen(with(one, 2), {.sops = {0}, .eops = {5}}); }), kLength);
  EXPECT_EQ(FaultOf([&] { Rq().Seen(one, {.sops = {0}, .eops = {3}}); }), kLength);
  EXPECT_EQ(FaultOf([&] { Rq().Seen(with(Head(0, 0, 1, 2), 1), {.sops = {0}, .eops = {4}}); }),
            kLength);
  EXPECT_EQ(FaultOf([&] { Rq().Seen(with(Head(0, 0, 1, 0), 1), {.sops = {0}, .eops = {4}}); }),
            kLength);
  EXPECT_EQ(
      FaultOf([&] { Rq().Seen(with(one, 1), {.sops = {0}, .eops = {4}, .number = {32, 0}}); }),
      "RQ: a write without a sequence number");
  EXPECT_EQ(FaultOf([&] {
              Rq().Seen(with(Head(0, 0, 1, 0), 0), {.sops = {0}, .eops = {3}, .number = {32, 0}});
            }),
            "")
      << "a read needs none";
  EXPECT_EQ(FaultOf([&] { Rq().Seen(with(one, 12), {.sops = {0, 8}}); }),
            "RQ: a TLP begins within another");
}

// Posted TLPs that the link has started are reported to the card, two in a cycle, in their order.
TEST_F(Rq, SequenceNumbers) {
  for (const uint32_t number : {9u, 31u, 0u}) {
    auto write = Head(0, 0, 1, 1);
    write.push_back(0);
    Seen(write, {.sops = {0}, .eops = {4}, .number = {number, 0}});
  }
  const auto reported = [&] {
    port.Drive(dma, link);
    return std::vector<int>{dma.pcie_rq_seq_num_vld0, dma.pcie_rq_seq_num_vld1,
                            dma.pcie_rq_seq_num_vld0 ? dma.pcie_rq_seq_num0 : -1,
                            dma.pcie_rq_seq_num_vld1 ? dma.pcie_rq_seq_num1 : -1};
  };
  EXPECT_EQ(reported(), (std::vector<int>{0, 0, -1, -1})) << "the link has not started them";
  link.Advance(kLongPs);
  EXPECT_EQ(reported(), (std::vector<int>{1, 1, 9, 31}));
  EXPECT_EQ(reported(), (std::vector<int>{1, 0, 0, -1}));
  EXPECT_EQ(reported(), (std::vector<int>{0, 0, -1, -1}));
}

TEST_F(Rq, NotReadyWhileTheBlockIsFull) {
  const auto ready = [&] {
    port.Drive(dma, link);
    return dma.s_axis_rq_tready != 0;
  };
  for (int i = 0; i < 16; ++i) {
    EXPECT_TRUE(ready()) << i;
    link.up.Offer(Write(0, Count(0, 58)), 0);  // 256 bytes on the link, of 4096
  }
  EXPECT_FALSE(ready());
  Seen({0, 0, 1, 0}, {.sops = {0}, .eops = {3}});
  EXPECT_EQ(port.beats(), 0u) << "a beat that was not accepted";
  EXPECT_TRUE(reads.empty());
  link.Advance(kLongPs);
  for (int i = 0; i < 32; ++i) {
    EXPECT_TRUE(ready()) << i;
    link.up.Offer(Read(0, 1), kLongPs);
  }
  EXPECT_FALSE(ready());
}

// --- RC

struct Rc : Ports {
  RcPort port;

  static Tlp Completion(uint32_t lower, const std::vector<uint32_t>& data, uint16_t tag = 0) {
    Tlp tlp = Write(0, data);
    tlp.kind = Kind::kCompletion;
    tlp.lower_address = lower;
    tlp.byte_count = static_cast<uint32_t>(4 * data.size());
    tlp.tag = tag;
    return tlp;
  }
  bool Show(bool ready = true) {
    port.Drive(dma);
    dma.m_axis_rc_tready = ready;
    port.Seen(dma);
    return dma.m_axis_rc_tvalid != 0;
  }
};

TEST_F(Rc, ACompletionsFields) {
  EXPECT_FALSE(Show());
  EXPECT_TRUE(port.idle());
  Tlp tlp = Completion(0x7c, {0xbeef}, 0x1ff);
  tlp.byte_count = 0x104;
  tlp.is_final = true;
  port.Take(tlp);
  EXPECT_FALSE(port.idle());
  EXPECT_TRUE(Show(false));
  port.Take(Completion(0, {1}));  // does not change what is shown
  EXPECT_TRUE(Show(false));
  EXPECT_EQ(dma.m_axis_rc_tdata, Beat({1u << 30 | 0x104 << 16 | 0x7c, 1, 0x1ff, 0xbeef}));
  EXPECT_EQ(dma.m_axis_rc_tuser, Beat({1u | 1u << 12 | 3u << 16}, 2));
  EXPECT_EQ(port.beats(), 0u);
  EXPECT_TRUE(Show());
  EXPECT_EQ(port.beats(), 1u);
  EXPECT_FALSE(port.idle());
  EXPECT_TRUE(Show());
  EXPECT_EQ(dma.m_axis_rc_tdata, Beat({4u << 16, 1, 0, 1})) << "not final";
  EXPECT_TRUE(port.idle());
}

TEST_F(Rc, FourBeginInABeat) {
  for (uint32_t i = 0; i < 3; ++i) port.Take(Completion(0, {100 + i}, static_cast<uint16_t>(i)));
  port.Take(Completion(0, Count(200, 3), 3));  // with the last lanes of the beat, and two more
  EXPECT_TRUE(Show());
  std::vector<uint32_t> lanes;
  for (uint32_t i = 0; i < 3; ++i) {
    for (const uint32_t lane : {4u << 16, 1u, i, 100 + i}) lanes.push_back(lane);
  }
  for (const uint32_t lane : {12u << 16, 3u, 3u, 200u}) lanes.push_back(lane);
  EXPECT_EQ(dma.m_axis_rc_tdata, Beat(lanes));
  // is_sop [67:64] and its lanes [75:68], is_eop [79:76] and its lanes [95:80]
  EXPECT_EQ(dma.m_axis_rc_tuser, Beat({0xfu | 0xe4u << 4 | 0x7u << 12 | 0xb73u << 16}, 2));
  EXPECT_TRUE(Show());
  EXPECT_EQ(dma.m_axis_rc_tdata, Beat({201, 202}));
  EXPECT_EQ(dma.m_axis_rc_tuser, Beat({1u << 12 | 1u << 16}, 2));
  EXPECT_EQ(port.beats(), 2u);
}

TEST_F(Rc, RoomForCompletions) {
  const char* const kTooMany = "RQ: the card asks for more completions than the block can hold";
  for (int i = 0; i < 31; ++i) port.Reserve(Read(0x1000, 128));  // 8 lines of 256
  port.Reserve(Read(0x1000 + 60, 112));                          // 8 more, with the lead
  EXPECT_EQ(FaultOf([&] { port.Reserve(Read(0x1000, 1)); }), kTooMany);
  for (const bool crosses : {false, true}) {
    RcPort fresh;
    for (int i = 0; i < 254; ++i) fresh.Reserve(Read(0, 16));
    fresh.Reserve(Read(crosses ? 60 : 56, 2));
    EXPECT_EQ(FaultOf([&] { fresh.Reserve(Read(0, 1)); }), crosses ? kTooMany : "");
  }
}

// A completion's lines are free when its end has been shown.
TEST_F(Rc, ShownCompletionsReturnTheirLines) {
  for (int i = 0; i < 32; ++i) port.Reserve(Read(0, 128));
  port.Take(Completion(60, {1, 2}));       // two lines
  port.Take(Completion(0, Count(0, 17)));  // two more
  EXPECT_TRUE(Show());
  port.Reserve(Read(60, 2));
  EXPECT_NE(FaultOf([&] { port.Reserve(Read(0, 1)); }), "");
  RcPort other;
  for (int i = 0; i < 32; ++i) other.Reserve(Read(0, 128));
  other.Take(Completion(0, Count(0, 13)));  // fills the beat
  other.Drive(dma);
  EXPECT_EQ(dma.m_axis_rc_tuser, Beat({1u | 1u << 12 | 15u << 16}, 2));
  other.Reserve(Read(0, 16));
  EXPECT_NE(FaultOf([&] { other.Reserve(Read(0, 1)); }), "");
}

TEST_F(Rc, TheBlocksRoomIsLimited) {
  const char* const kFull =
      "RC: the block has no room for a completion: the card has asked for too many";
  for (int i = 0; i < 256; ++i) port.Take(Completion(0, {1}));
  EXPECT_EQ(FaultOf([&] { port.Take(Completion(0, {1})); }), kFull);
  RcPort data;
  for (int i = 0; i < 64; ++i) data.Take(Completion(0, Count(0, 64)));
  EXPECT_EQ(FaultOf([&] { data.Take(Completion(0, Count(0, 64))); }), kFull);
  RcPort again;
  for (int i = 0; i < 256; ++i) again.Take(Completion(0, {1}));
  again.Drive(dma);  // four of them leave
  for (int i = 0; i < 4; ++i) again.Take(Completion(0, {1}));
  EXPECT_EQ(FaultOf([&] { again.Take(Completion(0, {1})); }), kFull);
}

// --- Memory of the host

TEST(MemoryOfTheSweep, RangesAndByteEnables) {
  Memory memory(1 << 20);
  const uint64_t first = memory.Allocate(100, 4096), second = memory.Allocate(64, 4096);
  EXPECT_EQ(first % 4096, 0u);
  EXPECT_EQ(second, first + 4096);
  EXPECT_EQ(memory.Allocate(1, 64), second + 64);
  EXPECT_EQ(memory.At(second, 65).size(), 65u);
  const std::string nobodys = FaultOf([&] { memory.At(second, 66); });
  EXPECT_NE(nobodys.find("66 bytes"), std::string::npos) << nobodys;
  EXPECT_NE(FaultOf([&] { memory.At(first - 1, 1); }), "");
  EXPECT_NE(FaultOf([&] { memory.At(first + (1 << 20), 1); }), "");
  EXPECT_NE(FaultOf([&] { memory.At(second, ~uint64_t{0}); }), "");
  EXPECT_NE(FaultOf([&] { memory.Allocate(1 << 20, 64); }), "");

  const auto write = [&](size_t dwords, uint8_t first_be, uint8_t last_be) {
    const auto place = memory.At(second, 64);
    std::fill(place.begin(), place.end(), uint8_t{0});
    std::vector<uint8_t> data(4 * dwords);
    std::iota(data.begin(), data.end(), uint8_t{1});
    memory.Write(second, data, first_be, last_be);
    std::vector<uint8_t> read(4 * dwords + 4);
    memory.Read(second, read);
    return read;
  };
  using Bytes = std::vector<uint8_t>;
  EXPECT_EQ(write(1, 6, 0), (Bytes{0, 2, 3, 0, 0, 0, 0, 0}));
  EXPECT_EQ(write(2, 14, 3), (Bytes{0, 2, 3, 4, 5, 6, 0, 0, 0, 0, 0, 0}));
  EXPECT_EQ(write(3, 8, 1), (Bytes{0, 0, 0, 4, 5, 6, 7, 8, 9, 0, 0, 0, 0, 0, 0, 0}));
  EXPECT_EQ(write(4, 15, 7),
            (Bytes{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 0, 0, 0, 0, 0}));
  memory.Store(first, uint32_t{0x12345678});
  EXPECT_EQ(memory.Load<uint16_t>(first + 2), 0x1234);
}

// --- Contexts: the words, as the public drivers write them

TEST(ContextsOfTheSweep, Words) {
  using Words = qdma::ContextWords;
  constexpr uint64_t kRingAt = 0x8765'4321'9abc'def4u & ~uint64_t{3};
  EXPECT_EQ(FunctionMap(2048), (Words{0, 2048}));
  EXPECT_EQ(SoftwareContext(5, kRingAt, 16, false),
            (Words{5 << 17, 1 | 3 << 2 | 1 << 16 | 1 << 20, 0x9abcdef4, 0x87654321}));
  EXPECT_EQ(SoftwareContext(5, kRingAt, 8, true),
            (Words{5 << 17, 3 | 3 << 2 | 1 << 20, 0x9abcdef4, 0x87654321}));
  EXPECT_EQ(PrefetchContext(false), (Words{1 << 27, 1 << 13}));
  EXPECT_EQ(PrefetchContext(true), (Words{1 << 27 | 1 << 8, 1 << 13}));
  for (const auto& [bytes, code] : {std::pair{16u, 1u}, {64u, 3u}}) {
    EXPECT_EQ(CompletionContext(5, kRingAt, bytes),
              (Words{1 | 5 << 2 | 5 << 5 | 1 << 27, static_cast<uint32_t>(kRingAt >> 6),
                     static_cast<uint32_t>(kRingAt >> 38) | code << 26, 1 << 28, 1 << 1 | 1 << 18,
                     (0xf4 >> 2 & 15) << 14}));
  }
  EXPECT_EQ(CidxDoorbell(77), 77u | 5u << 24 | 1u << 27);
}

// --- User

struct User : Ports {
  Point point{.size = 100, .queues = 3};
  Pattern pattern{5};

  WidePort Data(unsigned queue, uint64_t number, size_t at) const {
    const auto bytes = pattern.Of(queue, number, point.size).subspan(at);
    WidePort data{};
    std::memcpy(data.data(), bytes.data(), std::min<size_t>(bytes.size(), 64));
    return data;
  }
};

struct UserSource : User {
  Source source{point, pattern};
  int64_t cycle = 0;

  // Asks of this queue are accepted, and answered.
  void Step(int answer = -1, unsigned queue = 0) {
    source.Drive(dma);
    dma.c2h_answer_valid = answer >= 0;
    dma.c2h_answer = static_cast<uint8_t>(answer);
    dma.c2h_answer_qid = static_cast<uint16_t>(queue);
    source.Seen(dma, ++cycle);
    dma.c2h_answer_valid = dma.c2h_buffer_event = dma.c2h_room_event = 0;
  }
};

TEST_F(UserSource, APacketsBeats) {
  source.Offer(2);
  EXPECT_EQ(source.waiting(), 1u);
  Step();
  EXPECT_EQ(dma.c2h_ask_valid, 1);
  EXPECT_EQ(dma.c2h_ask_qid, 2);
  EXPECT_EQ(dma.c2h_ask_len, 100);
  EXPECT_EQ(dma.c2h_ask_has_cmpt, 1);
  EXPECT_EQ(dma.c2h_ask_marker, 0);
  dma.c2h_ask_ready = 1;
  Step();
  EXPECT_EQ(dma.c2h_ask_valid, 1) << "until it is accepted";
  Step(0, 2);
  EXPECT_EQ(dma.c2h_ask_valid, 0);
  EXPECT_EQ(dma.s_axis_c2h_tvalid, 0) << "not granted before";
  EXPECT_EQ(source.granted(), 1u);
  source.set_stalled(true);
  Step();
  EXPECT_EQ(dma.s_axis_c2h_tvalid, 0);
  source.set_stalled(false);
  for (const bool ready : {false, true}) {
    dma.s_axis_c2h_tready = ready;
    Step();
    EXPECT_EQ(dma.s_axis_c2h_tvalid, 1);
    EXPECT_EQ(dma.s_axis_c2h_tdata, Data(2, 0, 0));
    EXPECT_EQ(dma.s_axis_c2h_tlast, 0);
    EXPECT_EQ(dma.s_axis_c2h_tuser_mty, 0);
  }
  EXPECT_EQ(source.sent(), 0u);
  Step();
  WidePort rest = Data(2, 0, 64);
  EXPECT_EQ(std::memcmp(dma.s_axis_c2h_tdata.data(), rest.data(), 36), 0);
  EXPECT_EQ(dma.s_axis_c2h_tlast, 1);
  EXPECT_EQ(dma.s_axis_c2h_tuser_mty, 28);
  EXPECT_EQ(dma.s_axis_c2h_tuser_cmpt_data[kUserWord], 0u);
  EXPECT_EQ(source.sent(), 1u);
  EXPECT_EQ(source.last_beat_cycle(), cycle);
  EXPECT_EQ(source.waiting(), 0u);
  Step();
  EXPECT_EQ(dma.s_axis_c2h_tvalid, 0);
  source.Offer(2);
  Step();
  Step(0, 2);
  Step();
  EXPECT_EQ(dma.s_axis_c2h_tdata, Data(2, 1, 0)) << "the next number";
  EXPECT_EQ(dma.s_axis_c2h_tuser_cmpt_data[kUserWord], 1u);
}

TEST_F(UserSource, AHeldAskWaitsForAnEventOfItsQueue) {
  dma.c2h_ask_ready = 1;
  source.Offer(1);
  Step();
  Step(1, 1);
  EXPECT_EQ(source.held(), 1u);
  for (int i = 0; i < 3; ++i) {
    dma.c2h_buffer_event = 1;
    dma.c2h_buffer_event_qid = 2;
    Step();
    Step();
    EXPECT_EQ(dma.c2h_ask_valid, 0) << "an event of another queue";
  }
  dma.c2h_room_event = 1;
  dma.c2h_room_event_qid = 1;
  Step();
  Step();
  EXPECT_EQ(dma.c2h_ask_valid, 1);
  EXPECT_EQ(dma.c2h_ask_qid, 1);
  // An event between the ask and its answer applies to it; one in the cycle of the ask does not.
  dma.c2h_buffer_event = 1;
  dma.c2h_buffer_event_qid = 1;
  Step();
  Step(1, 1);
  Step();
  EXPECT_EQ(dma.c2h_ask_valid, 1);
  Step(1, 1);
  EXPECT_EQ(source.held(), 3u);
  Step();
  EXPECT_EQ(dma.c2h_ask_valid, 0);
}

TEST_F(UserSource, FaultsOfACard) {
  dma.c2h_ask_ready = 1;
  EXPECT_EQ(FaultOf([&] { Step(0, 1); }), "an answer of another ask") << "none";
  source.Offer(1);
  Step();
  EXPECT_EQ(FaultOf([&] { Step(0, 2); }), "an answer of another ask");
  EXPECT_EQ(FaultOf([&] { Step(2, 1); }), "queue 1: a C2H packet is refused, with answer 2");
  for (const bool stopped : {false, true}) {
    dma.c2h_done_mismatched = !stopped;
    dma.c2h_done_stopped = stopped;
    dma.c2h_done_valid = 0;
    EXPECT_EQ(FaultOf([&] { Step(); }), "");
    dma.c2h_done_valid = 1;
    EXPECT_EQ(FaultOf([&] { Step(); }), "a C2H packet was not written as it was sent");
  }
}

TEST_F(UserSource, ItGeneratesForEachQueueInTurn) {
  source.set_generates(true);
  dma.c2h_ask_ready = 1;
  std::vector<int> asked;
  for (int i = 0; i < 6; ++i) {
    Step();
    asked.push_back(dma.c2h_ask_valid ? dma.c2h_ask_qid : -1);
    EXPECT_LE(source.waiting(), 8u);
  }
  EXPECT_EQ(asked, (std::vector<int>{0, 1, 2, 0, 1, 2}));
  Step(1, 0);  // held
  asked.clear();
  for (int i = 0; i < 6; ++i) {
    Step();
    asked.push_back(dma.c2h_ask_valid ? dma.c2h_ask_qid : -1);
  }
  EXPECT_EQ(asked, (std::vector<int>{1, 2, 1, 2, 1, 2})) << "none of a queue that waits";
  dma.c2h_buffer_event = 1;
  dma.c2h_buffer_event_qid = 0;
  Step();
  asked.clear();
  for (int i = 0; i < 4; ++i) {
    Step();
    asked.push_back(dma.c2h_ask_qid);
  }
  EXPECT_EQ(std::count(asked.begin(), asked.end(), 0), 2) << "the held one, and its next";
  source.set_generates(false);
  Step();
  Step();
  Step();
  EXPECT_EQ(dma.c2h_ask_valid, 0);
}

struct UserSink : User {
  Sink sink{point, pattern};
  std::vector<unsigned> queues;

  UserSink() {
    sink.on_packet = [this](unsigned queue) { queues.push_back(queue); };
  }
  void Seen(const WidePort& data, bool last, uint8_t empty, unsigned queue, bool ready = true) {
    sink.Drive(dma, ready);
    EXPECT_EQ(dma.m_axis_h2c_tready, ready);
    dma.m_axis_h2c_tvalid = 1;
    dma.m_axis_h2c_tdata = data;
    dma.m_axis_h2c_tlast = last;
    dma.m_axis_h2c_tuser_mty = empty;
    dma.m_axis_h2c_tuser_qid = static_cast<uint16_t>(queue);
    sink.Seen(dma);
    dma.m_axis_h2c_tvalid = 0;
    sink.Seen(dma);
  }
  void Packet(unsigned queue, uint64_t number) {
    Seen(Data(queue, number, 0), false, 0, queue);
    Seen(Data(queue, number, 64), true, 28, queue);
  }
};

TEST_F(UserSink, PacketsAreChecked) {
  Seen(Data(0, 0, 0), false, 0, 0, false);  // not accepted
  Packet(0, 0);
  Packet(2, 0);
  Packet(0, 1);
  EXPECT_EQ(sink.packets(), 3u);
  EXPECT_EQ(queues, (std::vector<unsigned>{0, 2, 0}));
  EXPECT_EQ(FaultOf([&] { Packet(0, 3); }), "queue 0: H2C packet 2 is not what was posted");
  EXPECT_EQ(FaultOf([&] { UserSink().Packet(3, 0); }), "an H2C packet of queue 3 with an error");
  EXPECT_EQ(FaultOf([&] { UserSink().Seen(Data(0, 0, 0), true, 0, 0); }),
            "queue 0: H2C packet 0 is not what was posted");
  UserSink failed;
  failed.dma.m_axis_h2c_tuser_err = 1;
  EXPECT_EQ(FaultOf([&] { failed.Packet(1, 0); }), "an H2C packet of queue 1 with an error");
}

// --- Registers and driver

struct Host : Ports {
  Point point{.mode = Mode::kC2h, .size = 64, .queues = 2};
  Memory memory{uint64_t{256} << 20};
  Pattern pattern{7};
  int64_t now_ps = 0;
  int busy = 0;  // reads that still find the command busy
  int silent = 0;
  std::vector<std::pair<uint64_t, std::vector<uint32_t>>> writes;
  std::vector<unsigned> functions;  // of them
  RegistersPort registers{link, [this] { PassTime(); }};
  std::unique_ptr<Driver> driver;

  void PassTime() {
    now_ps += 1'000'000;
    link.Advance(now_ps);
    registers.set_now(now_ps);
    for (; !link.at_card.empty(); link.at_card.pop_front()) {
      const Tlp& tlp = link.at_card.front().tlp;
      link.ConsumedByCard(tlp, now_ps);
      if (tlp.kind == Kind::kPosted) {
        functions.push_back(tlp.function);
        writes.emplace_back(tlp.address, Dwords(tlp.data));
        EXPECT_EQ(tlp.dwords, writes.back().second.size());
        EXPECT_EQ(tlp.last_be, tlp.dwords == 1 ? 0 : 15);
        EXPECT_EQ(tlp.first_be, 15);
        continue;
      }
      EXPECT_EQ(tlp.dwords, 1u);
      EXPECT_EQ(tlp.last_be, 0);
      if (silent > 0) continue;
      const uint32_t value = busy-- > 0 ? QDMA_REGS__IND_CTXT_CMD__BUSY_bm : 0;
      registers.Answered(Write(0, {value}));
    }
  }
  Driver& Started(Mode mode) {
    point.mode = mode;
    driver = std::make_unique<Driver>(point, memory, registers, pattern);
    driver->Start();
    Arrive();
    return *driver;
  }
  void Arrive() {
    do {
      PassTime();
    } while (!link.idle());
  }
  // The writes to an address since the last call, the last dword of each.
  std::vector<uint32_t> At(uint64_t address) {
    Arrive();
    std::vector<uint32_t> values;
    for (const auto& [at, dwords] : writes) {
      if (at == address) values.push_back(dwords.back());
    }
    writes.clear();
    return values;
  }
  static uint64_t Doorbell(unsigned queue, unsigned kind) { return 0x18000 + 16 * queue + kind; }
};

TEST_F(Host, ARegisterThatIsNotAnsweredIsAFault) {
  silent = 1;
  EXPECT_EQ(FaultOf([&] { registers.Read(0); }), "a read of a register is not answered");
}

TEST_F(Host, DoorbellsAreThoseOfTheDriversFunction) {
  registers.Doorbell(3, kC2hPidx, 7);
  RegistersPort vf{link, [this] { PassTime(); }, 4};
  vf.Doorbell(3, kEntryCidx, 8);
  vf.Write(0x100, 9);
  Arrive();
  ASSERT_EQ(writes.size(), 3u);
  EXPECT_EQ(writes[0].first, 0x18000u + 16 * 3 + 8);
  EXPECT_EQ(writes[1].first, 0x3000u + 16 * 3 + 12);
  EXPECT_EQ(writes[1].second, std::vector{8u});
  EXPECT_EQ(functions, (std::vector<unsigned>{0, 4, 0})) << "PF 0 sets up the card";
}

TEST_F(Host, AContextIsWrittenAndAwaited) {
  busy = 3;
  registers.WriteContext(qdma::Selector::kPrefetch, 5, {1, 2, 3, 4, 5, 6, 7, 8});
  EXPECT_LT(busy, 0) << "as long as the command is busy";
  ASSERT_EQ(writes.size(), 2u);
  EXPECT_EQ(writes[0].first, offsetof(qdma_regs_t, IND_CTXT_DATA));
  std::vector<uint32_t> data = {1, 2, 3, 4, 5, 6, 7, 8};
  data.resize(16, ~0u);
  EXPECT_EQ(writes[0].second, data);
  EXPECT_EQ(writes[1].first, offsetof(qdma_regs_t, IND_CTXT_CMD));
  EXPECT_EQ(writes[1].second, (std::vector<uint32_t>{5u << 7 | 1u << 5 | 7u << 1}));
}

TEST_F(Host, TheDriverSetsUpItsQueues) {
  Started(Mode::kC2h);
  std::map<uint64_t, uint32_t> last;
  std::vector<uint32_t> commands;
  for (const auto& [at, dwords] : writes) {
    last[at] = dwords.back();
    if (at == offsetof(qdma_regs_t, IND_CTXT_CMD)) commands.push_back(dwords[0]);
  }
  EXPECT_EQ(last.at(offsetof(qdma_regs_t, GLBL_RNG_SZ)), 2049u);
  EXPECT_EQ(last.at(offsetof(qdma_regs_t, C2H_BUF_SZ)), 4224u);
  EXPECT_EQ(last.at(offsetof(qdma_regs_t, C2H_CNT_TH)), 64u);
  EXPECT_EQ(last.at(offsetof(qdma_regs_t, C2H_TIMER_CNT)), 2000u);
  const auto command = [](unsigned queue, unsigned selector) {
    return queue << 7 | 1u << 5 | selector << 1;
  };
  EXPECT_EQ(commands, (std::vector<uint32_t>{command(0, 12), command(0, 2), command(0, 7),
                                             command(0, 0), command(0, 6), command(1, 2),
                                             command(1, 7), command(1, 0), command(1, 6)}));
  for (unsigned queue : {0u, 1u}) {
    EXPECT_EQ(last.at(Doorbell(queue, 8)), 2047u) << "buffers in all places but one";
    EXPECT_EQ(last.at(Doorbell(queue, 12)), CidxDoorbell(0));
    EXPECT_EQ(last.count(Doorbell(queue, 4)), 0u);
  }
  writes.clear();
  driver->Begin();
  EXPECT_TRUE(At(Doorbell(0, 4)).empty()) << "nothing to send";
}

// The rings of the only queue, from the contexts that the driver writes.
struct OneQueue : Host {
  uint64_t c2h_ring = 0, h2c_ring = 0, entry_ring = 0;
  uint64_t written = 0;  // entries

  Driver& StartedWith(Mode mode, unsigned size) {
    point.queues = 1;
    point.size = size;
    Started(mode);
    std::vector<uint32_t> data;
    for (const auto& [at, dwords] : writes) {
      if (at == offsetof(qdma_regs_t, IND_CTXT_DATA)) data = dwords;
      if (at != offsetof(qdma_regs_t, IND_CTXT_CMD)) continue;
      const unsigned selector = dwords[0] >> 1 & 15;
      const uint64_t base = data.size() < 8 ? 0 : uint64_t{data[3]} << 32 | data[2];
      if (selector == 0) c2h_ring = base;
      if (selector == 1) h2c_ring = base;
      if (selector == 6) {
        entry_ring = uint64_t{data[5] >> 14 & 15} << 2 | uint64_t{data[1]} << 6 |
                     uint64_t{data[2] & 0x3ffffff} << 38;
      }
    }
    writes.clear();
    return *driver;
  }
  // As the card: a packet, and its entry, whose first words can be wrong.
  uint64_t Entry(uint32_t change = 0, uint32_t other = 0, bool has_payload = true) {
    const uint64_t place = written % kRing, at = entry_ring + place * point.entry_bytes();
    const auto number = static_cast<uint32_t>(written);
    const uint32_t used = point.is_inline() ? 0 : 8, colour = 1 ^ (written / kRing & 1);
    const uint32_t first = number << 20 | point.size << 4 | used | colour << 1;
    memory.Store(at, std::array<uint32_t, 4>{first ^ change, 0, number ^ other, 0});
    if (has_payload) {
      const auto packet = point.is_inline() ? at + 4 : memory.Load<uint64_t>(c2h_ring + 8 * place);
      std::ranges::copy(pattern.Of(0, written, point.size), memory.At(packet, point.size).begin());
    }
    ++written;
    return at;
  }
  void Status(uint64_t pidx) {
    const uint64_t at = entry_ring + kRing * point.entry_bytes();
    memory.Store(at, pidx);
    driver->Written(at, 8);
    driver->Poll();
  }
};

TEST_F(OneQueue, PacketsToTheHost) {
  StartedWith(Mode::kC2h, 100);
  ASSERT_NE(entry_ring, 0u);
  for (int i = 0; i < 3; ++i) driver->Written(Entry(), 16);
  const uint64_t two = Entry();
  Entry();
  driver->Written(two, 32);
  EXPECT_EQ(driver->entries_written(), 5u);
  EXPECT_EQ(driver->entry_writes(), 4u);
  driver->Poll();
  EXPECT_EQ(driver->received(), 0u) << "not before a status";
  Status(5);
  EXPECT_EQ(driver->received(), 5u);
  EXPECT_EQ(driver->statuses(), 1u);
  Arrive();
  const auto all = writes;
  EXPECT_EQ(At(Doorbell(0, 12)), (std::vector<uint32_t>{CidxDoorbell(5)}));
  writes = all;
  EXPECT_EQ(At(Doorbell(0, 8)), (std::vector<uint32_t>{(2047 + 5) % 2048}));
  // More than a burst: whole bursts only, each with its doorbells.
  for (int i = 0; i < 130; ++i) driver->Written(Entry(), 16);
  Status(135);
  EXPECT_EQ(driver->received(), 5u + 128);
  EXPECT_EQ(At(Doorbell(0, 12)),
            (std::vector<uint32_t>{CidxDoorbell(5 + 64), CidxDoorbell(5 + 128)}));
  driver->Stop();
  driver->Poll();
  EXPECT_EQ(driver->received(), 135u) << "all at the end";
  // Around the ring's end: places, colour, indexes, and buffers that come back.
  for (int i = 0; i < 3300; ++i) {  // more than there are buffers
    driver->Written(Entry(), 16);
    driver->Poll();
  }
  EXPECT_EQ(driver->received(), 3435u);
  EXPECT_EQ(At(Doorbell(0, 12)).back(), CidxDoorbell(3435 % 2048));
}

TEST_F(OneQueue, FaultsOfACardThatWrites) {
  const auto fault = [](auto call) {
    OneQueue host;
    host.StartedWith(Mode::kC2h, 100);
    return FaultOf([&] { call(host); });
  };
  const auto first = [&](uint32_t change, uint32_t other, bool has_payload) {
    return fault([&](OneQueue& h) { h.driver->Written(h.Entry(change, other, has_payload), 16); });
  };
  EXPECT_EQ(first(0, 0, true), "");
  for (const uint32_t bit : {0, 1, 2, 3, 4, 19, 20, 31}) {
    EXPECT_NE(first(1u << bit, 0, true), "") << "bit " << bit << " of an entry";
  }
  EXPECT_EQ(first(0, 1, true), "queue 0: the entry of another one");
  EXPECT_EQ(first(0, 0, false), "queue 0: packet 0 is not what was sent, or not there yet");
  EXPECT_EQ(fault([](OneQueue& h) {
              h.Entry();
              h.driver->Written(h.Entry(), 16);
            }),
            "queue 0: an entry is not in its place");
  EXPECT_EQ(fault([](OneQueue& h) { h.driver->Written(h.Entry(), 12); }),
            "queue 0: an entry is not in its place");
  EXPECT_EQ(fault([](OneQueue& h) {
              h.driver->Written(h.Entry(), 16);
              h.Status(2);
            }),
            "queue 0: a status counts entries that are not there");
  EXPECT_EQ(fault([](OneQueue& h) {
              for (int i = 0; i < 2047; ++i) h.driver->Written(h.Entry(), 16);
              h.driver->Written(h.Entry(0, 0, false), 16);
            }),
            "queue 0: an entry without a buffer");
}

TEST_F(OneQueue, PacketsWithinTheirEntries) {
  point.opts_in = true;
  StartedWith(Mode::kC2h, 60);
  for (int i = 0; i < 3; ++i) driver->Written(Entry(), 64);
  Status(3);
  EXPECT_EQ(driver->received(), 3u);
  Arrive();
  EXPECT_EQ(At(Doorbell(0, 8)), std::vector<uint32_t>{}) << "no buffer was used";
  const auto fault = [](uint32_t change, bool has_payload) {
    OneQueue host;
    host.point.opts_in = true;
    host.StartedWith(Mode::kC2h, 60);
    return FaultOf([&] { host.driver->Written(host.Entry(change, 0, has_payload), 64); });
  };
  EXPECT_EQ(fault(0, true), "");
  EXPECT_NE(fault(1u << 3, true), "") << "no descriptor is used";
  EXPECT_NE(fault(1u << 20, true), "") << "the entry of another one";
  EXPECT_EQ(fault(0, false), "queue 0: packet 0 is not what was sent, or not there yet");
}

TEST_F(OneQueue, PacketsFromTheHost) {
  StartedWith(Mode::kH2c, 100);
  driver->Begin();
  EXPECT_EQ(point.in_flight(), 1024u);
  EXPECT_EQ(driver->sent(), 1024u);
  const auto doorbells = At(Doorbell(0, 4));
  ASSERT_EQ(doorbells.size(), 16u);
  EXPECT_EQ(doorbells.front(), 64u);
  EXPECT_EQ(doorbells.back(), 1024u);
  for (const uint32_t number : {0u, 1u, 1023u}) {
    const auto descriptor = memory.Load<std::array<uint32_t, 4>>(h2c_ring + 16 * number);
    EXPECT_EQ(descriptor[0], number);
    EXPECT_EQ(descriptor[1], 100u | 3u << 16);
    const uint64_t buffer = uint64_t{descriptor[3]} << 32 | descriptor[2];
    EXPECT_TRUE(std::ranges::equal(memory.At(buffer, 100), pattern.Of(0, number, 100)));
  }
  const auto status = [&](uint64_t value) {
    memory.Store(h2c_ring + 16 * kRing, value);
    driver->Written(h2c_ring + 16 * kRing, 8);
    driver->Poll();
  };
  status(63u << 16);
  EXPECT_EQ(driver->sent(), 1024u) << "not a burst yet";
  status(64u << 16);
  EXPECT_EQ(driver->sent(), 1024u + 64);
  EXPECT_EQ(driver->statuses(), 2u);
  EXPECT_EQ(At(Doorbell(0, 4)), (std::vector<uint32_t>{1024 + 64}));
  driver->Stop();
  status(1000u << 16);
  EXPECT_EQ(driver->sent(), 1024u + 64);
  EXPECT_EQ(FaultOf([&] { status(1000u << 16 | 2); }), "queue 0: the H2C ring has an error");
  EXPECT_EQ(FaultOf([&] { status(1089u << 16); }), "queue 0: CIDX is beyond what was posted");
  EXPECT_EQ(FaultOf([&] { driver->Written(h2c_ring + 16 * kRing + 8, 8); }),
            "queue 0: a write into a ring");
}

TEST_F(OneQueue, ForwardedPacketsKeepTheirBuffers) {
  StartedWith(Mode::kForwarding, 100);
  const auto buffer = memory.Load<uint64_t>(c2h_ring);
  driver->Written(Entry(), 16);
  Status(1);
  EXPECT_EQ(driver->sent(), 1u);
  const auto descriptor = memory.Load<std::array<uint32_t, 4>>(h2c_ring);
  EXPECT_EQ(uint64_t{descriptor[3]} << 32 | descriptor[2], buffer);
  EXPECT_EQ(At(Doorbell(0, 4)), (std::vector<uint32_t>{1}));
  driver->Stop();
  driver->Written(Entry(), 16);
  driver->Poll();
  EXPECT_EQ(driver->received(), 2u);
  EXPECT_EQ(driver->sent(), 1u) << "stopped";
}

}  // namespace
}  // namespace ullnic::qdma_sweep
