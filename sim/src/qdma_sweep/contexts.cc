// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
#include "qdma_sweep/contexts.h"

#include <bit>

namespace ullnic::qdma_sweep {

using qdma::ContextWords;

namespace {

// Sizes of descriptors and entries: 8 << n bytes
uint32_t SizeCode(unsigned bytes) { return static_cast<uint32_t>(std::countr_zero(bytes / 8)); }

uint32_t Part(uint64_t value, unsigned low, unsigned bits) {
  return static_cast<uint32_t>(value >> low & ((uint64_t{1} << bits) - 1));
}

}  // namespace

ContextWords FunctionMap(unsigned queues) {
  ContextWords words{};
  qdma::fmap::kCount.Set(words, queues);
  return words;
}

ContextWords SoftwareContext(unsigned function, uint64_t ring, unsigned descriptor_bytes,
                             bool fetch_credits) {
  namespace sw = qdma::sw;
  ContextWords words{};
  sw::kFunction.Set(words, function);
  sw::kEnable.Set(words, 1);
  sw::kFetchCredits.Set(words, fetch_credits);
  sw::kStatusAtEnd.Set(words, 1);
  sw::kStatusInterval.Set(words, 1);
  sw::kStatusEnable.Set(words, 1);
  sw::kRingSize.Set(words, kSizeIndex);
  sw::kDescriptorSize.Set(words, SizeCode(descriptor_bytes));
  sw::kBaseLow.Set(words, Part(ring, 0, 32));
  sw::kBaseHigh.Set(words, Part(ring, 32, 32));
  return words;
}

ContextWords PrefetchContext(bool is_inline) {
  ContextWords words{};
  qdma::prefetch::kInline.Set(words, is_inline);
  qdma::prefetch::kBufferSize.Set(words, kSizeIndex);
  qdma::prefetch::kPrefetch.Set(words, 1);
  qdma::prefetch::kValid.Set(words, 1);
  return words;
}

ContextWords CompletionContext(unsigned function, uint64_t ring, unsigned entry_bytes) {
  namespace cmpl = qdma::cmpl;
  ContextWords words{};
  cmpl::kFunction.Set(words, function);
  cmpl::kStatusEnable.Set(words, 1);
  cmpl::kTrigger.Set(words, kTrigger);
  cmpl::kCount.Set(words, kSizeIndex);
  cmpl::kTimer.Set(words, kSizeIndex);
  cmpl::kColour.Set(words, 1);
  cmpl::kRingSize.Set(words, kSizeIndex);
  cmpl::kBaseLow.Set(words, Part(ring, 2, 4));
  cmpl::kBaseMiddle.Set(words, Part(ring, 6, 32));
  cmpl::kBaseHigh.Set(words, Part(ring, 38, 26));
  cmpl::kEntrySize.Set(words, SizeCode(entry_bytes));
  cmpl::kValid.Set(words, 1);
  cmpl::kFullUpdate.Set(words, 1);
  cmpl::kToHost.Set(words, 1);
  return words;
}

uint32_t CidxDoorbell(unsigned cidx) {
  constexpr unsigned kCount = 16, kTimer = 20, kMode = 24, kStatus = 27;
  return cidx | kSizeIndex << kCount | kSizeIndex << kTimer | uint32_t{kTrigger} << kMode |
         1u << kStatus;
}

}  // namespace ullnic::qdma_sweep
