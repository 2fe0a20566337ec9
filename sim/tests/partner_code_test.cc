// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// The link partner's arithmetic and code tables against published values.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "core/frame.h"
#include "partner/crc32.h"
#include "partner/pcs_code.h"
#include "partner/scrambler.h"
#include "test_support.h"

namespace ullnic::partner {
namespace {

Bytes BytesOf(const std::string& text) { return Bytes(text.begin(), text.end()); }

// "Check" of CRC-32/ISO-HDLC in the catalogue of parametrised CRC algorithms (reveng).
TEST(Crc32, CheckValue) { EXPECT_EQ(Fcs(BytesOf("123456789")), 0xcbf43926u); }

TEST(Crc32, KnownWords) {
  EXPECT_EQ(Fcs({}), 0x00000000u);
  EXPECT_EQ(Fcs(BytesOf("a")), 0xe8b7be43u);  // zlib's crc32("a")
}

// 802.3 clause 3.2.9 by its own words: complement the first 32 bits, divide by G(x), complement.
uint32_t SerialFcs(const Bytes& bytes) {
  uint32_t remainder = 0xffffffff;  // coefficient of x^31 in the top bit
  for (const uint8_t byte : bytes) {
    for (int i = 0; i < 8; ++i) {
      const bool out = (remainder >> 31 ^ (byte >> i & 1)) & 1;
      remainder <<= 1;
      if (out) remainder ^= 0x04c11db7;
    }
  }
  uint32_t field = 0;  // x^31 is sent first
  for (int i = 0; i < 32; ++i) field |= (~remainder >> (31 - i) & 1) << i;
  return field;
}

// The remainder over a frame and its FCS: 0xC704DD7B (clause 3.2.9 form), 0xDEBB20E3 reflected.
TEST(Crc32, ResidueOfAnyFrame) {
  Rng rng = Rng::Stream(TestSeed(), 1);
  for (size_t size = 0; size < 200; ++size) {
    Bytes bytes(size);
    for (uint8_t& b : bytes) b = static_cast<uint8_t>(rng.Next());
    const uint32_t fcs = Fcs(bytes);
    ASSERT_EQ(fcs, SerialFcs(bytes)) << size << " bytes";
    for (int i = 0; i < 4; ++i) bytes.push_back(static_cast<uint8_t>(fcs >> (8 * i)));
    ASSERT_EQ(~Fcs(bytes), 0xdebb20e3u);
    ASSERT_TRUE(FcsIsGood(bytes));
    bytes[rng.Below(bytes.size())] ^= static_cast<uint8_t>(1u << rng.Below(8));
    ASSERT_FALSE(FcsIsGood(bytes));
  }
}

// Figure 49-8: one bit at a time through a shift register of 58, taps 39 and 58.
struct SerialScrambler {
  std::vector<int> s = std::vector<int>(58, 1);
  int Scramble(int in) {
    const int out = in ^ s[38] ^ s[57];
    s.insert(s.begin(), out);
    s.pop_back();
    return out;
  }
};

TEST(Scrambler, EqualsTheSerialRegister) {
  Rng rng = Rng::Stream(TestSeed(), 2);
  Scrambler fast;
  SerialScrambler slow;
  for (int n = 0; n < 500; ++n) {
    const uint64_t payload = n % 7 == 0 ? 0 : rng.Next();
    uint64_t expected = 0;
    for (int i = 0; i < 64; ++i) {
      expected |= static_cast<uint64_t>(slow.Scramble(static_cast<int>(payload >> i & 1))) << i;
    }
    ASSERT_EQ(fast.Scramble(payload), expected) << "block " << n;
  }
}

TEST(Scrambler, DescramblerNeedsOneBlockToFollow) {
  Rng rng = Rng::Stream(TestSeed(), 3);
  Scrambler tx(0x0123456789abcdef);
  Scrambler rx(0);
  for (int n = 0; n < 100; ++n) {
    const uint64_t payload = rng.Next();
    const uint64_t back = rx.Descramble(tx.Scramble(payload));
    if (n > 0) {
      ASSERT_EQ(back, payload);
    }
  }
}

Octet D(int v) { return {static_cast<uint8_t>(v), false}; }
Octet C(int v) { return {static_cast<uint8_t>(v), true}; }
const Octet I = C(kIdle), S = C(kStart), T = C(kTerminate), Q = C(kSequence), E = C(kError);

struct Format {
  const char* name;
  OctetBlock octets;
  Block block;
};

// Written out by hand from figure 49-7: low byte of the payload first on the wire.
const Format kFormats[] = {
    {"data", {D(1), D(2), D(3), D(4), D(5), D(6), D(7), D(8)}, {0b10, 0x0807060504030201}},
    {"idle", {I, I, I, I, I, I, I, I}, {0b01, 0x000000000000001e}},
    {"errors", {E, E, E, E, E, E, E, E}, {0b01, 0x3c78f1e3c78f1e1e}},
    {"start 0", {S, D(1), D(2), D(3), D(4), D(5), D(6), D(7)}, {0b01, 0x0706050403020178}},
    {"start 4", {I, I, I, I, S, D(5), D(6), D(7)}, {0b01, 0x0706050000000033}},
    {"O0 start 4", {Q, D(1), D(2), D(3), S, D(5), D(6), D(7)}, {0b01, 0x0706050003020166}},
    {"O0 O4", {Q, D(1), D(2), D(3), Q, D(5), D(6), D(7)}, {0b01, 0x0706050003020155}},
    {"O0 idle", {Q, D(1), D(2), D(3), I, I, I, I}, {0b01, 0x000000000302014b}},
    {"idle O4", {I, I, I, I, Q, D(5), D(6), D(7)}, {0b01, 0x070605000000002d}},
    {"T0", {T, I, I, I, I, I, I, I}, {0b01, 0x0000000000000087}},
    {"T1", {D(1), T, I, I, I, I, I, I}, {0b01, 0x0000000000000199}},
    {"T2", {D(1), D(2), T, I, I, I, I, I}, {0b01, 0x00000000000201aa}},
    {"T3", {D(1), D(2), D(3), T, I, I, I, I}, {0b01, 0x00000000030201b4}},
    {"T4", {D(1), D(2), D(3), D(4), T, I, I, I}, {0b01, 0x00000004030201cc}},
    {"T5", {D(1), D(2), D(3), D(4), D(5), T, I, I}, {0b01, 0x00000504030201d2}},
    {"T6", {D(1), D(2), D(3), D(4), D(5), D(6), T, I}, {0b01, 0x00060504030201e1}},
    {"T7", {D(1), D(2), D(3), D(4), D(5), D(6), D(7), T}, {0b01, 0x07060504030201ff}},
    {"T6 error", {D(1), D(2), D(3), D(4), D(5), D(6), T, E}, {0b01, 0x3c060504030201e1}},
};

TEST(BlockCode, Figure49_7) {
  for (const Format& f : kFormats) {
    EXPECT_EQ(EncodeBlock(f.octets), f.block) << f.name;
    const DecodedBlock decoded = DecodeBlock(f.block);
    EXPECT_EQ(decoded.fault, BlockFault::kNone) << f.name;
    EXPECT_EQ(decoded.octets, f.octets) << f.name;
  }
}

TEST(BlockCode, OnlyFifteenTypesExist) {
  int known = 0;
  for (uint64_t type = 0; type < 256; ++type) {
    known += DecodeBlock({kControlHeader, type}).fault != BlockFault::kBadType;
  }
  EXPECT_EQ(known, 15);
}

TEST(BlockCode, HeadersThatAreNeither) {
  EXPECT_EQ(DecodeBlock({0b00, 0x1e}).fault, BlockFault::kBadHeader);
  EXPECT_EQ(DecodeBlock({0b11, 0x1e}).fault, BlockFault::kBadHeader);
}

// Every bit of a block that must be zero, and every control code, is checked.
TEST(BlockCode, EveryFixedBitIsChecked) {
  for (const Format& f : kFormats) {
    if (f.block.header == kDataHeader) continue;
    for (int bit = 8; bit < 64; ++bit) {
      const Block changed{f.block.header, f.block.payload ^ uint64_t{1} << bit};
      const DecodedBlock decoded = DecodeBlock(changed);
      // An inverted bit either changes an octet or is detected.
      EXPECT_TRUE(decoded.fault != BlockFault::kNone || decoded.octets != f.octets)
          << f.name << " bit " << bit;
    }
  }
}

TEST(BlockCode, WhatNoBlockCanCarry) {
  EXPECT_THROW(EncodeBlock({I, I, D(1), I, I, I, I, I}), std::invalid_argument);
  EXPECT_THROW(EncodeBlock({S, I, I, I, I, I, I, I}), std::invalid_argument);
  EXPECT_THROW(EncodeBlock({D(1), I, T, I, I, I, I, I}), std::invalid_argument);
  EXPECT_THROW(EncodeBlock({T, I, I, I, S, D(1), D(2), D(3)}), std::invalid_argument);
}

}  // namespace
}  // namespace ullnic::partner
