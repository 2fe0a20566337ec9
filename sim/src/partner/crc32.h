// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// The frame check sequence of IEEE 802.3 clause 3.2.9, in the link partner's independent
// arithmetic.
#pragma once

#include <cstdint>
#include <span>

namespace ullnic::partner {

// The FCS field of a frame that has these bytes; its low byte is sent first.
uint32_t Fcs(std::span<const uint8_t> bytes);

// True if the last four bytes are the FCS of those before them.
bool FcsIsGood(std::span<const uint8_t> bytes_with_fcs);

}  // namespace ullnic::partner
