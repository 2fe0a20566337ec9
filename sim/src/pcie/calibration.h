// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// A perfect source on a link, without a card: as many reads and writes as the link accepts, in the
// proportions of a DMA. Its rate is compared with the overhead formula.
#pragma once

#include <cstdint>

#include "pcie/link_settings.h"

namespace ullnic::pcie {

// Traffic per packet. Entries, descriptors, status and doorbells are shared by several packets.
struct Traffic {
  bool to_host = true;    // C2H: writes of the payload
  bool from_host = true;  // H2C: reads of it
  int size = 64;
  int entry_bytes = 16;
  int entries = 8;       // per write
  int descriptors = 16;  // per read
  int burst = 64;        // packets per status, and per doorbells
};

// Packets per second, over `packets` packets; the first quarter is not measured.
double PerfectRate(const LinkSettings& settings, const Traffic& traffic, uint64_t packets);

}  // namespace ullnic::pcie
