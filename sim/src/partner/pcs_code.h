// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// 64b/66b: eight XGMII octets to a block and back (49.2.4, figure 49-7).
#pragma once

#include "partner/block.h"

namespace ullnic::partner {

// Throws std::invalid_argument for octets that no block can carry.
Block EncodeBlock(const OctetBlock& octets);

enum class BlockFault : uint8_t {
  kNone,
  kBadHeader,
  kBadType,
  kReservedBits,    // bits that must be zero
  kBadControlCode,  // a 7-bit or ordered-set code that is not in table 49-1
};

struct DecodedBlock {
  OctetBlock octets;  // all errors if the block is not decodable at all (header, type)
  BlockFault fault = BlockFault::kNone;
};

DecodedBlock DecodeBlock(const Block& block);

}  // namespace ullnic::partner
