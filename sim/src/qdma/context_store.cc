// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0

#include "qdma/context_store.h"

#include "qdma/registers.h"

namespace ullnic::qdma {
namespace {

// Number of contexts of a kind; 0: the kind is not part of this model (PASID, timer).
unsigned CountOf(unsigned selector) {
  if (selector <= static_cast<unsigned>(Selector::kPrefetch)) return reg::kQueues;
  if (selector == static_cast<unsigned>(Selector::kInterrupt)) return reg::kInterruptRings;
  if (selector == static_cast<unsigned>(Selector::kFunctionMap)) return reg::kFunctions;
  return 0;
}

bool IsHardware(Selector selector) {
  return selector == Selector::kHwC2h || selector == Selector::kHwH2c;
}

void Invalidate(Selector selector, ContextWords& words) {
  switch (selector) {
    case Selector::kSwC2h:
    case Selector::kSwH2c:
      sw::kEnable.Set(words, 0);
      break;
    case Selector::kCompletion:
      cmpl::kValid.Set(words, 0);
      break;
    case Selector::kPrefetch:
      prefetch::kValid.Set(words, 0);
      break;
    case Selector::kInterrupt:
      intr::kValid.Set(words, 0);
      break;
    default:
      break;
  }
}

}  // namespace

std::optional<ContextStore::Access> ContextStore::Decode(uint32_t command) {
  const unsigned selector = Bits(command, 4, 1);
  const unsigned index = Bits(command, 19, 7);
  if (index >= CountOf(selector)) return std::nullopt;
  return Access{static_cast<Selector>(selector), static_cast<ContextOp>(Bits(command, 6, 5)),
                index};
}

void ContextStore::Execute(const Access& access, ContextWords& data, const ContextWords& mask) {
  ContextWords& words = At(access.selector, access.index);
  switch (access.operation) {
    case ContextOp::kRead:
      data = words;
      break;
    case ContextOp::kWrite: {
      const uint32_t fetches = IsHardware(access.selector) ? hw::kFetches.Get(words) : 0;
      for (size_t i = 0; i < words.size(); ++i) {
        words[i] = (words[i] & ~mask[i]) | (data[i] & mask[i]);
      }
      if (IsHardware(access.selector)) hw::kFetches.Set(words, fetches);
      break;
    }
    case ContextOp::kClear:
      words = {};
      break;
    case ContextOp::kInvalidate:
      Invalidate(access.selector, words);
      break;
  }
}

void ContextStore::ClearAll() {
  for (unsigned i = 0; i < kKinds; ++i) kinds_[i].assign(CountOf(i), ContextWords{});
}

}  // namespace ullnic::qdma
