// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Malformed input of every kind into the card's receiver, between two good frames: the good ones
// arrive, errors are flagged, no bad frame passes as good, and every announced frame ends (the
// monitor checks the last point in every run).

#include <functional>

#include "partner/pcs_code.h"
#include "test_support.h"

namespace ullnic {
namespace {

using partner::Block;
using partner::Mutation;
using partner::WireFrame;
using Kind = partner::Mutation::Kind;

constexpr uint64_t kStart0 = 0xd5'55'55'55'55'55'55'78;
constexpr uint64_t kStart4 = 0x55'55'55'00'00'00'00'33;
constexpr uint64_t kOrderedStart4 = 0x55'55'55'00'02'00'00'66;
constexpr uint64_t kErrors = 0x3c78f1e3c78f1e1e;

class RtlMalformed : public SeededTest {
 protected:
  void SetUp() override {
    SeededTest::SetUp();
    ASSERT_TRUE(bench_.Lock());
  }
  void TearDown() override {
    bench_.rtl().FinishMonitor();
    EXPECT_EQ(bench_.rtl().monitor().violations(), 0u) << bench_.rtl().monitor().first_violation();
  }

  WireFrame Good() {
    WireFrame frame;
    frame.bytes = RandomBytes(rng_.Range(60, 80), rng_);
    return frame;
  }
  WireFrame Victim() {
    WireFrame frame;
    frame.bytes = RandomBytes(rng_.Range(60, 140), rng_);
    return frame;
  }
  static int Blocks(const WireFrame& f) { return static_cast<int>(f.bytes.size() + 4 + 8) / 8; }

  struct Outcome {
    Verdict flags;             // of everything between the good frames
    size_t frames = 0;         // between the good ones
    uint64_t stat_pulses = 0;  // bad blocks and headers counted
  };

  // Sends good, victim, good, and checks what must hold for any victim. next_gap 1: the last frame
  // starts as early as possible.
  Outcome Exchange(WireFrame victim, uint32_t next_gap = 0) {
    Outcome out;
    LeaveBerWindow();
    const EndCounters before = bench_.rtl().counters();
    bench_.received().clear();
    const Bytes victim_bytes = Padded(victim.bytes);
    const WireFrame first = Good();
    WireFrame last = Good();
    const Bytes first_bytes = first.bytes, last_bytes = last.bytes;
    last.gap_octets = next_gap;
    bench_.SendFromPartner(first);
    bench_.SendFromPartner(std::move(victim));
    bench_.SendFromPartner(std::move(last));
    bench_.Drain();
    auto& got = bench_.received();
    if (got.size() < 2) {
      ADD_FAILURE() << "only " << got.size() << " frames arrived";
      return out;
    }
    EXPECT_TRUE(got.front().verdict.good) << "the frame before";
    EXPECT_EQ(got.front().bytes, first_bytes);
    EXPECT_TRUE(got.back().verdict.good) << "the frame after";
    EXPECT_EQ(got.back().bytes, last_bytes);
    for (size_t i = 1; i + 1 < got.size(); ++i) {
      EXPECT_TRUE(!got[i].verdict.good || got[i].bytes == victim_bytes)
          << "a wrong frame of " << got[i].bytes.size() << " bytes passed as good";
      out.flags.fcs |= got[i].verdict.fcs;
      out.flags.code |= got[i].verdict.code;
      out.flags.runt |= got[i].verdict.runt;
      out.flags.oversize |= got[i].verdict.oversize;
      ++out.frames;
    }
    const EndCounters& after = bench_.rtl().counters();
    out.stat_pulses =
        after.rx_bad_blocks - before.rx_bad_blocks + after.rx_bad_headers - before.rx_bad_headers;
    return out;
  }

  // 16 bad headers within 125 us are a high bit error ratio, which blocks all frames: an exchange
  // has at most three, and after 13 the test waits for the next window.
  void LeaveBerWindow() {
    const uint64_t bad_headers = bench_.rtl().counters().rx_bad_headers;
    if (bad_headers - bad_headers_before_window_ < 13) return;
    bench_.Step(41'000);
    bad_headers_before_window_ = bad_headers;
  }

  // The mutation at every block of frames of many lengths and both start lanes.
  void AtEveryBlock(int first_block, const std::function<Mutation()>& make,
                    const std::function<void(const Outcome&, int block, int blocks)>& check) {
    for (int round = 0; round < 8; ++round) {
      for (int block = first_block;; ++block) {
        WireFrame victim = Victim();
        victim.bytes.resize(60 + static_cast<size_t>(round) + 8 * rng_.Below(5));
        victim.start_lane = round % 2 != 0 ? 4 : 0;
        // In lane 4 the frame begins half a block later.
        const int blocks =
            (static_cast<int>(victim.bytes.size()) + 4 + 8 + (victim.start_lane == 4 ? 4 : 0)) / 8 +
            1;
        if (block >= blocks) break;
        Mutation m = make();
        m.at = block;
        victim.mutations = {m};
        SCOPED_TRACE(::testing::Message()
                     << "block " << block << " of " << blocks << ", " << victim.bytes.size()
                     << " bytes, lane " << victim.start_lane);
        check(Exchange(victim), block, blocks);
        if (HasFailure()) return;
      }
    }
  }

  PartnerBench bench_{64 + static_cast<int>(TestSeed() % 66)};
  uint64_t bad_headers_before_window_ = 0;
};

TEST_F(RtlMalformed, WrongFcs) {
  for (int i = 0; i < 100; ++i) {
    WireFrame f = Victim();
    f.wrong_fcs = true;
    const Outcome o = Exchange(f);
    EXPECT_TRUE(o.flags.fcs);
    EXPECT_FALSE(o.flags.code || o.flags.runt || o.flags.oversize);
  }
}

TEST_F(RtlMalformed, OneBitOfTheFrameTurned) {
  for (int i = 0; i < 300; ++i) {
    WireFrame f = Victim();
    const int block = 2 + static_cast<int>(rng_.Below(6));
    f.mutations = {{.kind = Kind::kXorPayload, .at = block, .value = 1ull << rng_.Below(64)}};
    EXPECT_TRUE(Exchange(f).flags.fcs);
  }
}

TEST_F(RtlMalformed, BadSyncHeader) {
  for (const uint64_t header : {0b00u, 0b11u}) {
    AtEveryBlock(
        0, [&] { return Mutation{.kind = Kind::kHeader, .value = header}; },
        [](const Outcome& o, int block, int) {
          EXPECT_GE(o.stat_pulses, 1u);
          // A frame whose start block is bad is never announced.
          if (block > 0) {
            EXPECT_TRUE(o.flags.code);
          }
        });
  }
}

TEST_F(RtlMalformed, BadBlockType) {
  AtEveryBlock(
      0,
      [&] {
        Mutation m{.kind = Kind::kReplace};
        do {
          m.block = {partner::kControlHeader, rng_.Next()};
        } while (DecodeBlock(m.block).fault != partner::BlockFault::kBadType);
        return m;
      },
      [](const Outcome& o, int block, int) {
        EXPECT_GE(o.stat_pulses, 1u);
        if (block > 0) {
          EXPECT_TRUE(o.flags.code);
        }
      });
}

TEST_F(RtlMalformed, ControlBlockInAFrame) {
  for (const uint64_t payload : {uint64_t{0x1e}, kErrors, uint64_t{0x00000000'0001004b},
                                 uint64_t{0x00000100'0000002d}, uint64_t{0x00000100'00010055}}) {
    AtEveryBlock(
        1,
        [&] {
          return Mutation{.kind = Kind::kReplace, .block = {partner::kControlHeader, payload}};
        },
        [](const Outcome& o, int, int) { EXPECT_TRUE(o.flags.code); });
  }
}

TEST_F(RtlMalformed, StartInAFrame) {
  for (const uint64_t payload : {kStart0, kStart4, kOrderedStart4}) {
    AtEveryBlock(
        1,
        [&] {
          return Mutation{.kind = Kind::kReplace, .block = {partner::kControlHeader, payload}};
        },
        [](const Outcome& o, int, int) {
          EXPECT_TRUE(o.flags.code);
          EXPECT_GE(o.frames, 2u) << "the frame cut short and the one that was started";
        });
  }
}

TEST_F(RtlMalformed, TerminateInAFrame) {
  for (const uint8_t type : partner::kTypeTerminate) {
    AtEveryBlock(
        1,
        [&] { return Mutation{.kind = Kind::kReplace, .block = {partner::kControlHeader, type}}; },
        [](const Outcome& o, int block, int blocks) {
          if (block == blocks - 1) return;  // it may be the correct block
          EXPECT_TRUE(o.flags.fcs || o.flags.runt || o.flags.code);
        });
  }
}

// Neither a terminate block nor a gap: the next frame's start truncates it.
TEST_F(RtlMalformed, MissingTerminate) {
  for (int i = 0; i < 200; ++i) {
    WireFrame f = Victim();
    f.mutations = {{.kind = Kind::kOmit, .at = Mutation::kTerminateBlock}};
    EXPECT_TRUE(Exchange(f, static_cast<uint32_t>(1 + rng_.Below(8))).flags.code);
  }
}

// The MAC checks the delimiter only (IEEE 802.3, 4.2.9); so does the core by default.
TEST_F(RtlMalformed, WrongPreambleOrDelimiter) {
  for (int lane : {0, 4}) {
    for (int bit = 0; bit < 56; ++bit) {
      SCOPED_TRACE(::testing::Message() << "lane " << lane << " bit " << bit);
      WireFrame f = Victim();
      f.start_lane = lane;
      f.preamble = 0xd5'55'55'55'55'55'55 ^ uint64_t { 1 } << bit;
      EXPECT_EQ(Exchange(f).flags.code, bit >= 48);
    }
  }
}

// From no octet between delimiter and terminate on.
TEST_F(RtlMalformed, Runts) {
  for (size_t length = 0; length < 60; ++length) {
    for (const int lane : {0, 4}) {
      SCOPED_TRACE(::testing::Message() << length << " bytes and FCS, lane " << lane);
      WireFrame f;
      f.bytes = RandomBytes(length, rng_);
      f.pad = false;
      f.start_lane = lane;
      const Outcome o = Exchange(f);
      EXPECT_TRUE(o.flags.runt);
      EXPECT_FALSE(o.flags.fcs || o.flags.code || o.flags.oversize);
      EXPECT_EQ(o.frames, 1u);
    }
  }
  for (size_t length = 0; length < 8; ++length) {
    SCOPED_TRACE(::testing::Message() << length << " bytes without FCS");
    WireFrame f;
    f.bytes = RandomBytes(length, rng_);
    f.pad = false;
    f.append_fcs = false;
    const Outcome o = Exchange(f);
    EXPECT_TRUE(o.flags.runt);
    EXPECT_EQ(o.frames, 1u);
  }
}

TEST_F(RtlMalformed, Giants) {
  for (const size_t length : {9619u, 9620u, 9621u, 9622u, 9626u, 12'000u, 40'000u}) {
    SCOPED_TRACE(::testing::Message() << length << " bytes and FCS");
    WireFrame f;
    f.bytes = RandomBytes(length, rng_);
    const Outcome o = Exchange(f);
    EXPECT_TRUE(o.flags.oversize);
    EXPECT_FALSE(o.flags.fcs || o.flags.code || o.flags.runt);
  }
}

// A receiver must accept gaps down to 5 octets (46.2.1); this one accepts any.
TEST_F(RtlMalformed, ShortGapsAreNoError) {
  for (uint32_t gap = 1; gap <= 11; ++gap) {
    for (int i = 0; i < 20; ++i) {
      bench_.received().clear();
      std::vector<Bytes> sent;
      for (int n = 0; n < 4; ++n) {
        WireFrame f = Good();
        f.gap_octets = gap;
        sent.push_back(f.bytes);
        bench_.SendFromPartner(std::move(f));
      }
      bench_.Drain();
      ASSERT_EQ(bench_.received().size(), sent.size()) << "gap " << gap;
      for (size_t n = 0; n < sent.size(); ++n) {
        ASSERT_TRUE(bench_.received()[n].verdict.good) << "gap " << gap;
        ASSERT_EQ(bench_.received()[n].bytes, sent[n]) << "gap " << gap;
      }
    }
  }
}

// Random blocks replaced, omitted or inverted in random frames.
TEST_F(RtlMalformed, RandomHarm) {
  for (int i = 0; i < 1500; ++i) {
    SCOPED_TRACE(::testing::Message() << "round " << i);
    WireFrame f = Victim();
    for (uint64_t n = 1 + rng_.Below(3); n > 0; --n) {
      Mutation m{.kind = static_cast<Kind>(rng_.Below(5)),
                 .at = static_cast<int>(1 + rng_.Below(8)),
                 .value = rng_.Next(),
                 .block = {static_cast<uint8_t>(rng_.Below(4)), rng_.Next()}};
      if (m.kind == Kind::kXorPayload) m.value = uint64_t{1} << rng_.Below(64);
      if (m.kind == Kind::kHeader) m.value = rng_.Below(2) != 0 ? 0b00 : 0b11;
      f.mutations.push_back(m);
    }
    Exchange(f);
    if (HasFailure()) return;
  }
}

}  // namespace
}  // namespace ullnic
