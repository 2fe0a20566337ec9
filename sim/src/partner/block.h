// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// The vocabulary of IEEE 802.3 clauses 46 and 49: XGMII characters and 64b/66b blocks.
#pragma once

#include <array>
#include <cstdint>

namespace ullnic::partner {

// An XGMII octet: data, or one of the control characters of table 46-3.
struct Octet {
  uint8_t value = 0x07;
  bool control = true;

  bool Is(uint8_t control_character) const { return control && value == control_character; }
  bool operator==(const Octet&) const = default;
};

constexpr uint8_t kIdle = 0x07;
constexpr uint8_t kLowPowerIdle = 0x06;
constexpr uint8_t kSequence = 0x9c;  // first octet of a sequence ordered set
constexpr uint8_t kStart = 0xfb;
constexpr uint8_t kTerminate = 0xfd;
constexpr uint8_t kError = 0xfe;

using Column = std::array<Octet, 4>;
using OctetBlock = std::array<Octet, 8>;

constexpr int kBlockBits = 66;  // with its header

// A block before scrambling. Bit 0 of each field is first on the wire.
struct Block {
  uint8_t header = 0;    // 2 bits
  uint64_t payload = 0;  // block type (in control blocks) in the low byte
  bool operator==(const Block&) const = default;
};

// 49.2.4.3: the wire carries 01 for data and 10 for control, left bit first.
constexpr uint8_t kDataHeader = 0b10;
constexpr uint8_t kControlHeader = 0b01;

// Block type fields, figure 49-7.
enum BlockType : uint8_t {
  kTypeC0C4 = 0x1e,  // eight control characters
  kTypeC0O4 = 0x2d,
  kTypeC0S4 = 0x33,
  kTypeO0S4 = 0x66,
  kTypeO0O4 = 0x55,
  kTypeS0 = 0x78,
  kTypeO0C4 = 0x4b,
};
// The type of a block whose terminate character is octet n.
constexpr std::array<uint8_t, 8> kTypeTerminate = {0x87, 0x99, 0xaa, 0xb4, 0xcc, 0xd2, 0xe1, 0xff};

}  // namespace ullnic::partner
