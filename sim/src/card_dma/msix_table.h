// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// The MSI-X table as the client wrote it. vfio-user delivers interrupts by descriptors, so the
// RTL's table has our own contents: the message of each vector identifies it.
#pragma once

#include <cstdint>
#include <vector>

#include "card_dma/target_channel.h"

namespace ullnic::card_dma {

class MsixTable {
 public:
  // The table of a function; `at` is its address in BAR 0.
  MsixTable(unsigned func, uint32_t at, unsigned vectors)
      : func_(func), at_(at), words_(size_t{4} * vectors) {
    MaskAll();
  }

  void MaskAll();
  // nullptr: the address is outside the table.
  uint32_t* Word(unsigned bar, uint32_t address);
  // Writes the messages of MemoryChannel, before all queued accesses.
  void SetUp(TargetChannel& target) const;

 private:
  unsigned func_;
  uint32_t at_;
  std::vector<uint32_t> words_;
};

}  // namespace ullnic::card_dma
