// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0

#include "partner/pcs_code.h"

#include <algorithm>
#include <stdexcept>

namespace ullnic::partner {
namespace {

// Table 49-1: control characters and their 7-bit codes; 4-bit codes of ordered sets.
struct ControlCode {
  uint8_t character;
  uint8_t code;
};
constexpr ControlCode kControlCodes[] = {{kIdle, 0x00}, {kLowPowerIdle, 0x06}, {kError, 0x1e},
                                         {0x1c, 0x2d},  {0x3c, 0x33},          {0x7c, 0x4b},
                                         {0xbc, 0x55},  {0xdc, 0x66},          {0xf7, 0x78}};
constexpr uint8_t kSignal = 0x5c;  // first octet of a signal ordered set
constexpr ControlCode kOrderedSetCodes[] = {{kSequence, 0x0}, {kSignal, 0xf}};

constexpr Octet kErrorOctet{kError, true};

// Contents of one half of a control block that is neither start nor terminate.
enum class Half { kControls, kOrderedSet, kStart };

bool IsOrderedSet(const Octet* o) {
  return o[0].control && (o[0].value == kSequence || o[0].value == kSignal) && !o[1].control &&
         !o[2].control && !o[3].control;
}

uint64_t CodeOf(const Octet& octet) {
  for (const ControlCode& c : kControlCodes) {
    if (octet.Is(c.character)) return c.code;
  }
  throw std::invalid_argument("an octet that has no place in its block");
}

uint64_t OrderedSetCodeOf(const Octet& octet) { return octet.value == kSignal ? 0xf : 0x0; }

Half HalfOf(const Octet* o) {
  if (o[0].Is(kStart)) return Half::kStart;
  return IsOrderedSet(o) ? Half::kOrderedSet : Half::kControls;
}

// Three data octets from bit `bit` on.
uint64_t ThreeData(const Octet* o, int bit) {
  uint64_t field = 0;
  for (int i = 0; i < 3; ++i) {
    if (o[i].control) throw std::invalid_argument("a control octet where data must be");
    field |= uint64_t{o[i].value} << (bit + 8 * i);
  }
  return field;
}

uint64_t Controls(const OctetBlock& o, size_t first, size_t last, int bit) {
  uint64_t field = 0;
  for (size_t i = first; i <= last; ++i, bit += 7) field |= CodeOf(o[i]) << bit;
  return field;
}

Block EncodeTerminate(const OctetBlock& o, size_t at) {
  uint64_t payload = kTypeTerminate[at];
  for (size_t i = 0; i < at; ++i) {
    if (o[i].control) throw std::invalid_argument("a control octet before a terminate");
    payload |= uint64_t{o[i].value} << (8 + 8 * i);
  }
  // The control characters are at the end; the bits between are zero.
  const int bit = 64 - 7 * static_cast<int>(7 - at);
  if (at < 7) payload |= Controls(o, at + 1, 7, bit);
  return {kControlHeader, payload};
}

// Reads a payload and records its errors.
class Reader {
 public:
  explicit Reader(uint64_t payload) : payload_(payload) {}

  Octet Data(int bit) const { return {static_cast<uint8_t>(payload_ >> bit), false}; }
  Octet Control(int bit) {
    const uint8_t code = payload_ >> bit & 0x7f;
    return Lookup(kControlCodes, std::size(kControlCodes), code);
  }
  Octet OrderedSet(int bit) {
    const uint8_t code = payload_ >> bit & 0xf;
    return Lookup(kOrderedSetCodes, std::size(kOrderedSetCodes), code);
  }
  void Zero(int bit, int count) {
    if (count > 0 && (payload_ >> bit & ((uint64_t{1} << count) - 1)) != 0) {
      fault_ = BlockFault::kReservedBits;
    }
  }
  BlockFault fault() const { return fault_; }

 private:
  Octet Lookup(const ControlCode* codes, size_t count, uint8_t code) {
    const auto* found =
        std::find_if(codes, codes + count, [=](const ControlCode& c) { return c.code == code; });
    if (found != codes + count) return {found->character, true};
    fault_ = BlockFault::kBadControlCode;
    return kErrorOctet;
  }

  uint64_t payload_;
  BlockFault fault_ = BlockFault::kNone;
};

// The first half of a block: bits 8 to 35 as four controls, or D1 D2 D3 and (bits 32..35) O0.
void DecodeFirstHalf(Half half, Reader& in, OctetBlock& out) {
  if (half == Half::kControls) {
    for (int i = 0; i < 4; ++i) out[static_cast<size_t>(i)] = in.Control(8 + 7 * i);
    return;
  }
  out[0] = half == Half::kStart ? Octet{kStart, true} : in.OrderedSet(32);
  for (int i = 0; i < 3; ++i) out[static_cast<size_t>(1 + i)] = in.Data(8 + 8 * i);
}

// The second half: bits 36 to 63 as four controls, or (bits 36..39) O4 or zeros and D5 D6 D7.
void DecodeSecondHalf(Half half, Reader& in, OctetBlock& out) {
  if (half == Half::kControls) {
    for (int i = 0; i < 4; ++i) out[static_cast<size_t>(4 + i)] = in.Control(36 + 7 * i);
    return;
  }
  if (half == Half::kStart) {
    out[4] = {kStart, true};
    in.Zero(36, 4);
  } else {
    out[4] = in.OrderedSet(36);
  }
  for (int i = 0; i < 3; ++i) out[static_cast<size_t>(5 + i)] = in.Data(40 + 8 * i);
}

void DecodeTerminate(int at, Reader& in, OctetBlock& out) {
  const int first_control = 64 - 7 * (7 - at);
  in.Zero(8 + 8 * at, first_control - (8 + 8 * at));
  for (int i = 0; i < 8; ++i) {
    Octet& o = out[static_cast<size_t>(i)];
    if (i < at) {
      o = in.Data(8 + 8 * i);
    } else if (i == at) {
      o = {kTerminate, true};
    } else {
      o = in.Control(first_control + 7 * (i - at - 1));
    }
  }
}

}  // namespace

Block EncodeBlock(const OctetBlock& o) {
  for (size_t i = 0; i < 8; ++i) {
    if (o[i].Is(kTerminate)) return EncodeTerminate(o, i);
  }
  if (std::none_of(o.begin(), o.end(), [](const Octet& x) { return x.control; })) {
    uint64_t payload = 0;
    for (size_t i = 0; i < 8; ++i) payload |= uint64_t{o[i].value} << (8 * i);
    return {kDataHeader, payload};
  }
  const Half first = HalfOf(&o[0]);
  if (first == Half::kStart) {
    uint64_t payload = kTypeS0 | ThreeData(&o[1], 8) | ThreeData(&o[4], 32);
    if (o[7].control) throw std::invalid_argument("a control octet where data must be");
    return {kControlHeader, payload | uint64_t{o[7].value} << 56};
  }
  const Half second = HalfOf(&o[4]);
  const uint64_t low = first == Half::kControls
                           ? Controls(o, 0, 3, 8)
                           : ThreeData(&o[1], 8) | OrderedSetCodeOf(o[0]) << 32;
  uint64_t high = 0;
  switch (second) {
    case Half::kControls:
      high = Controls(o, 4, 7, 36);
      break;
    case Half::kOrderedSet:
      high = OrderedSetCodeOf(o[4]) << 36 | ThreeData(&o[5], 40);
      break;
    case Half::kStart:
      high = ThreeData(&o[5], 40);
      break;
  }
  constexpr uint8_t kTypes[2][3] = {{kTypeC0C4, kTypeC0O4, kTypeC0S4},
                                    {kTypeO0C4, kTypeO0O4, kTypeO0S4}};
  const uint8_t type = kTypes[first == Half::kOrderedSet][static_cast<int>(second)];
  return {kControlHeader, type | low | high};
}

DecodedBlock DecodeBlock(const Block& block) {
  DecodedBlock out;
  Reader in(block.payload);
  if (block.header == kDataHeader) {
    for (int i = 0; i < 8; ++i) out.octets[static_cast<size_t>(i)] = in.Data(8 * i);
    return out;
  }
  out.octets.fill(kErrorOctet);
  if (block.header != kControlHeader) {
    out.fault = BlockFault::kBadHeader;
    return out;
  }
  const auto type = static_cast<uint8_t>(block.payload);
  const auto both = [&](Half first, Half second) {
    DecodeFirstHalf(first, in, out.octets);
    DecodeSecondHalf(second, in, out.octets);
  };
  switch (type) {
    case kTypeC0C4:
      both(Half::kControls, Half::kControls);
      break;
    case kTypeC0O4:
      both(Half::kControls, Half::kOrderedSet);
      break;
    case kTypeC0S4:
      both(Half::kControls, Half::kStart);
      break;
    case kTypeO0C4:
      both(Half::kOrderedSet, Half::kControls);
      break;
    case kTypeO0O4:
      both(Half::kOrderedSet, Half::kOrderedSet);
      break;
    case kTypeO0S4:
      both(Half::kOrderedSet, Half::kStart);
      break;
    case kTypeS0:
      out.octets[0] = {kStart, true};
      for (int i = 1; i < 8; ++i) out.octets[static_cast<size_t>(i)] = in.Data(8 * i);
      break;
    default: {
      const auto* t = std::find(kTypeTerminate.begin(), kTypeTerminate.end(), type);
      if (t == kTypeTerminate.end()) {
        out.fault = BlockFault::kBadType;
        return out;
      }
      DecodeTerminate(static_cast<int>(t - kTypeTerminate.begin()), in, out.octets);
    }
  }
  out.fault = in.fault();
  return out;
}

}  // namespace ullnic::partner
