// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0

#include "card_dma/msix_table.h"

#include <vector>

#include "card_dma/memory_channel.h"

namespace ullnic::card_dma {
namespace {

constexpr unsigned kConfigBar = 0;
constexpr uint32_t kMasked = 1;  // the fourth dword of a vector
constexpr unsigned kVectorsOfTlp = kBeatDwords / 4;

}  // namespace

void MsixTable::MaskAll() {
  for (unsigned i = 0; i < words_.size(); ++i) words_[i] = i % 4 == 3 ? kMasked : 0;
}

uint32_t* MsixTable::Word(unsigned bar, uint32_t address) {
  const uint32_t offset = address - at_;
  const bool is_there = bar == kConfigBar && offset < 4 * words_.size();
  return is_there ? &words_[offset / 4] : nullptr;
}

void MsixTable::SetUp(TargetChannel& target) const {
  for (unsigned first = 0; first < words_.size() / 4; first += kVectorsOfTlp) {
    std::vector<uint32_t> dwords;
    for (unsigned vector = first; vector < first + kVectorsOfTlp; ++vector) {
      const uint64_t address = MemoryChannel::kMessages + 4 * vector;
      dwords.insert(dwords.end(), {static_cast<uint32_t>(address),
                                   static_cast<uint32_t>(address >> 32), vector, 0});
    }
    target.WriteFirst(kConfigBar, at_ + 16 * first, std::move(dwords), func_);
  }
}

}  // namespace ullnic::card_dma
