// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// A perfect source on a link, without a card: as many reads and writes as the link takes, in the
// proportions of a DMA. What it reaches is held against the formula of the overheads.
#pragma once

#include <cstdint>

#include "pcie/link_settings.h"

namespace ullnic::pcie {

// What goes with each packet. Entries, descriptors, status and doorbells come once for so many.
struct Traffic {
  bool to_host = true;    // C2H: writes of the payload
  bool from_host = true;  // H2C: reads of it
  int size = 64;
  int entry_bytes = 16;
  int entries = 8;       // of a write
  int descriptors = 16;  // of a read
  int burst = 64;        // packets of a status, and of the doorbells
};

// Packets a second, over so many packets; the first quarter does not count.
double PerfectRate(const LinkSettings& settings, const Traffic& traffic, uint64_t packets);

}  // namespace ullnic::pcie
