// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// The MSI-X table as the client wrote it. vfio-user has interrupts by descriptors, so the RTL's own
// table is ours: the message of each vector says which one it is.
#pragma once

#include <array>
#include <cstdint>

#include "card_dma/target_channel.h"
#include "qdma/registers.h"

namespace ullnic::card_dma {

class MsixTable {
 public:
  MsixTable() { MaskAll(); }

  void MaskAll();
  // nullptr: the address is not of the table.
  uint32_t* Word(unsigned bar, uint32_t address);
  // Before all that waits: the messages of MemoryChannel.
  static void SetUp(TargetChannel& target);

 private:
  std::array<uint32_t, 4 * qdma::reg::kMsixVectors> words_;
};

}  // namespace ullnic::card_dma
