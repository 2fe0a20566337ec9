// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Words that a hostile function writes, or has in its memory. Its addresses are its own, or
// nobody's: what it does with them then shows whether it reaches another function.
#pragma once

#include <optional>

#include "core/rng.h"
#include "fuzz/qdma/model.h"

namespace ullnic::fuzz {

// The number of a function that does not exist; none if all exist.
inline std::optional<unsigned> NoFunction(Rng& rng) {
  if (kPlaces == kNumbers) return std::nullopt;
  for (;;) {
    const auto limit = rng.Chance(0.5) ? kFirstVirtual : kNumbers;
    const auto func = static_cast<unsigned>(rng.Below(limit));
    if (PlaceOf(func) == kPlaces) return func;
  }
}

class HostileWords {
 public:
  HostileWords(Rng& rng, unsigned place) : rng_(rng), place_(place) {}

  uint32_t Half() {
    const uint64_t random = rng_.Next();
    switch (random & 15) {
      case 0:
        return 0;
      case 1:
        return ~0u;
      case 2: {
        const auto half = static_cast<uint32_t>(random >> 32);
        return OwnerOf(uint64_t{half} << 32) == kPlaces ? half : 0;
      }
      default:
        return kHalves[place_];
    }
  }
  uint64_t Address() { return uint64_t{Half()} << 32 | Low(); }
  // Of a transfer: short, or as many as there are bits.
  uint32_t Length(uint32_t most) {
    const uint64_t random = rng_.Next();
    if ((random & 0xff) == 0) return static_cast<uint32_t>(random >> 32) % (most + 1);
    if ((random & 0xf0) == 0) return 0;
    return static_cast<uint32_t>(random >> 32) % ((random & 0xc00) == 0 ? 2000 : 130);
  }
  void Descriptors(uint32_t* dwords, size_t count) {
    const uint64_t kind = rng_.Below(16);
    for (size_t i = 0; i < count; ++i) dwords[i] = 0;
    if (kind == 0) return;
    if (kind == 1) {
      for (size_t i = 0; i < count; ++i) dwords[i] = Half();
    } else if (kind < 6) {
      for (size_t i = 0; i + 2 <= count; i += 2) Put(dwords + i, Address());
    } else if (kind < 11) {
      for (size_t i = 0; i + 4 <= count; i += 4) {
        const uint64_t length = Length(0xffff), flags = rng_.Below(kind == 6 ? 4 : 1);
        const uint64_t marks = kind < 8 ? flags : rng_.Chance(0.5) ? 3 : 0;
        Put(dwords + i, length << 16 | length << 32 | marks << 48);
        Put(dwords + i + 2, Address());
      }
    } else {
      for (size_t i = 0; i + 8 <= count; i += 8) {
        Put(dwords + i, Address());
        dwords[i + 2] = Length(0x0fff'ffff);
        Put(dwords + i + 4, Address());
      }
    }
  }

 private:
  // Many addresses are close to each other, or to the end of a page.
  uint32_t Low() {
    const uint32_t word = rng_.Word();
    switch (word & 7) {
      case 0:
        return word;
      case 1:
        return (word & 0xf000) + 0xff0 + (word >> 28);
      default:
        return word >> 12 & 0xffffffc0;
    }
  }
  static void Put(uint32_t* at, uint64_t value) {
    at[0] = static_cast<uint32_t>(value);
    at[1] = static_cast<uint32_t>(value >> 32);
  }

  Rng& rng_;
  unsigned place_;
};

}  // namespace ullnic::fuzz
