// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0

#include "fuzz/line_damage.h"

namespace ullnic::fuzz {
namespace {

// A valid sync header, rarely an invalid one: with 16 invalid ones within 125 us no frame is
// received (IEEE 802.3, 49.2.13.2.2, hi_ber).
uint8_t Header(Rng& rng) {
  return static_cast<uint8_t>(rng.Chance(0.03) ? rng.Below(2) * 3 : rng.Range(1, 2));
}

}  // namespace

void DamageLine(partner::WireFrame& frame, Rng& rng) {
  using partner::Mutation;
  switch (rng.Below(6)) {
    case 0:
      frame.wrong_fcs = true;
      return;
    case 1:
      frame.preamble = rng.Next() >> 8;
      break;
    case 2:
      frame.bytes.resize(rng.Below(60));
      frame.pad = false;
      return;
    default:
      break;
  }
  frame.wrong_fcs = true;
  if (rng.Chance(0.3)) frame.gap_octets = static_cast<uint32_t>(rng.Range(1, 8));
  const auto blocks = static_cast<int>((frame.bytes.size() + 12) / 8);
  for (uint64_t n = rng.Range(1, 3); n > 0; --n) {
    const auto kind = static_cast<Mutation::Kind>(rng.Below(4));
    uint64_t value = rng.Next();
    if (kind == Mutation::Kind::kHeader) value = Header(rng);
    // Half of the time only the low byte, the block type of control blocks
    if (kind == Mutation::Kind::kXorPayload && rng.Chance(0.5)) value &= 0xff;
    frame.mutations.push_back(
        {.kind = kind,
         .at = rng.Chance(0.3) ? Mutation::kTerminateBlock
                               : static_cast<int>(rng.Below(static_cast<uint64_t>(blocks))),
         .value = value,
         .block = {Header(rng), rng.Next()}});
  }
}

}  // namespace ullnic::fuzz
