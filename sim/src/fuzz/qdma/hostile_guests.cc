// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0

#include "fuzz/qdma/hostile_guests.h"

#include "fuzz/chunk.h"

namespace ullnic::fuzz {
namespace {

constexpr unsigned kFunctionMap = 12, kInterrupt = 8, kCompletion = 6, kPrefetch = 7;
constexpr unsigned kGoodRings = 16;  // interrupt rings from here on are nobody's
constexpr size_t kMostWaiting = 20;
constexpr unsigned kQueueNumbers = 2048;  // that a packet can name

// Registers that good drivers depend on: from, to.
struct Span {
  uint32_t from, to;
};
constexpr std::array<Span, 9> kShared = {{{0x204, 0x244},
                                          {0x250, 0x254},
                                          {0x804, 0x848},
                                          {0xA00, 0xA80},
                                          {0xAB0, 0xAF0},
                                          {0xB04, 0xB10},
                                          {0xB50, 0xB54},
                                          {0xBC4, 0xBE0},
                                          {0x1000, 0x1300}}};
// Where there is something in BAR 0, of a physical function and of a virtual one.
constexpr std::array<Span, 9> kPhysicalPlaces = {{{0x0, 0x2000},
                                                  {0x804, 0x848},
                                                  {0x18000, 0x18080},
                                                  {0x18000, 0x20000},
                                                  {0x22400, 0x23400},
                                                  {0x22400, 0x22424},
                                                  {0x2500, 0x2504},
                                                  {0x30000, 0x30200},
                                                  {0x34000, 0x34008}}};
constexpr std::array<Span, 9> kVirtualPlaces = {{{0x3000, 0x3080},
                                                 {0x3000, 0x4000},
                                                 {0x4000, 0x4080},
                                                 {0x4000, 0x4200},
                                                 {0x4800, 0x4808},
                                                 {0x5000, 0x6000},
                                                 {0x5000, 0x5024},
                                                 {0x1100, 0x1104},
                                                 {0x0, 0x8000}}};
constexpr uint32_t kPhysicalTable = 0x30000, kVirtualTable = 0x4000, kTableBytes = 0x200;

}  // namespace

void HostileGuests::Begin(std::vector<unsigned> places, bool is_wild) {
  places_ = std::move(places);
  is_wild_ = is_wild;
}

void HostileGuests::Act() {
  if (accesses_.waiting() > kMostWaiting) return;
  switch (rng_.Below(16)) {
    case 0:
    case 1:
    case 2:
    case 3:
    case 4:
      return AccessAnywhere();
    case 5:
    case 6:
      return Command();
    case 7:
    case 8:
      return SetUp();
    case 9:
      return Message();
    default:
      return Ring();
  }
}

unsigned HostileGuests::AnyQueue() {
  const uint64_t random = rng_.Below(20);
  if (random == 0) return static_cast<unsigned>(rng_.Range(kQueues, 8191));
  if (random == 1) return static_cast<unsigned>(rng_.Range(kFreeQueues, kQueues - 1));
  return FirstQueue(AnyPlace()) + static_cast<unsigned>(rng_.Below(kQueuesEach));
}

// A queue keeps its function, so that addresses in its rings are this function's.
unsigned HostileGuests::PlaceOfQueue(unsigned qid) const {
  for (const unsigned place : places_) {
    if (qid >= FirstQueue(place) && qid < FirstQueue(place) + kQueuesEach) return place;
  }
  return places_[qid % places_.size()];
}

// --- Accesses
bool HostileGuests::IsShared(const Access& access) const {
  if (is_wild_ || !access.is_write || access.bar != 0 || access.func >= kPhysical) return false;
  const uint64_t from = access.address, to = from + 4 * access.dwords;
  return std::ranges::any_of(kShared,
                             [&](const Span& span) { return from < span.to && to > span.from; });
}

uint32_t HostileGuests::AnyAddress(unsigned func, unsigned bar) {
  const uint64_t kind = rng_.Below(16);
  if (kind == 0) return rng_.Word() & ~3u;
  if (kind == 1 || bar != 0) return rng_.Word() >> 12 & ~3u;  // beyond its end, too
  const Span span = IsVirtual(func) ? kVirtualPlaces[rng_.Below(kVirtualPlaces.size())]
                                    : kPhysicalPlaces[rng_.Below(kPhysicalPlaces.size())];
  return static_cast<uint32_t>(span.from + rng_.Below(span.to - span.from)) & ~3u;
}

// The upper half of a message's address is one of the function's own.
uint32_t HostileGuests::AnyWord(unsigned place, uint32_t address) {
  const bool is_virtual = IsVirtual(kFunctions[place]);
  const uint32_t in_table = address - (is_virtual ? kVirtualTable : kPhysicalTable);
  if (in_table < kTableBytes && (in_table & 0xc) == 4) return HostileWords(rng_, place).Half();
  const uint32_t word = rng_.Word();
  return rng_.Chance(0.5) ? word : word & 0x1f;
}

void HostileGuests::AccessAnywhere() {
  ++counts_.accesses;
  const unsigned place = AnyPlace(), func = kFunctions[place];
  Access access{.is_write = rng_.Chance(0.6), .func = func};
  if (rng_.Chance(0.1)) access.bar = static_cast<unsigned>(rng_.Chance(0.7) ? 2 : rng_.Below(7));
  if (rng_.Chance(0.01)) access.func = NoFunction(rng_).value_or(func);
  access.address = AnyAddress(func, access.bar);
  if (rng_.Chance(0.3))
    access.dwords =
        static_cast<unsigned>(rng_.Chance(0.95) ? rng_.Range(1, 17) : rng_.Range(1, 1024));
  access.last_be = access.dwords > 1 ? 0xf : 0;
  if (rng_.Chance(0.2)) {
    access.first_be = static_cast<unsigned>(rng_.Below(16));
    if (access.dwords > 1) access.last_be = static_cast<unsigned>(rng_.Below(16));
  }
  if (IsShared(access)) access.is_write = false;
  if (access.is_write) {
    const unsigned words = std::min<unsigned>(access.dwords, 32);
    for (unsigned i = 0; i < words; ++i)
      access.data.push_back(AnyWord(place, access.address + 4 * i));
  }
  accesses_.Push(std::move(access));
}

void HostileGuests::Ring() {
  ++counts_.doorbells;
  const unsigned func = kFunctions[AnyPlace()];
  const bool is_virtual = IsVirtual(func);
  const auto queue = static_cast<unsigned>(rng_.Chance(0.9) ? rng_.Below(kQueuesEach)
                                                            : rng_.Below(is_virtual ? 256 : 2048));
  const auto kind = static_cast<unsigned>(rng_.Below(4));
  uint32_t value = rng_.Word();
  if (rng_.Chance(0.9)) value = (value & 0x1f) | (rng_.Chance(0.5) ? 1u << 16 : 0);
  if (kind == 0) value = (value & 0xffff) | rng_.Word() >> 8 << 16;
  if (kind == 3 && rng_.Chance(0.8)) {
    value = (value & 0x1f) | 1u << 27 | (rng_.Word() & 7) << 24 | (rng_.Word() & 0x100000ff) << 16;
  }
  accesses_.Write(func, (is_virtual ? 0x3000 : 0x18000) + 16 * queue + 4 * kind, {value});
}

void HostileGuests::Message() {
  ++counts_.messages;
  const unsigned func = kFunctions[AnyPlace()];
  const uint32_t base = IsVirtual(func) ? 0x5000 : 0x22400;
  if (!IsVirtual(func))
    accesses_.Write(func, base + 0xc, {static_cast<uint32_t>(rng_.Below(kEndVirtual + 1))});
  switch (rng_.Below(4)) {
    case 0: {
      std::vector<uint32_t> words(rng_.Range(1, 16));
      for (uint32_t& word : words) word = rng_.Word();
      accesses_.Write(func, base + 0xc00 + 4 * static_cast<uint32_t>(rng_.Below(20)), words);
      return accesses_.Write(func, base + 4, {1});
    }
    case 1:
      accesses_.Read(func, base + 0x800 + 4 * static_cast<uint32_t>(rng_.Below(32)),
                     [](uint32_t) {});
      return accesses_.Write(func, base + 4, {2});
    case 2:
      accesses_.Write(func, base + 8, {static_cast<uint32_t>(rng_.Below(32))});
      return accesses_.Write(func, base + 0x10, {static_cast<uint32_t>(rng_.Below(2))});
    default:
      accesses_.Read(func, base, [](uint32_t) {});
      return accesses_.Write(func, base + 0x20, {rng_.Word()});
  }
}

void HostileGuests::SendC2h() {
  unsigned queue = AnyQueue();
  if (queue >= kQueueNumbers) queue = kFreeQueues + queue % (kQueueNumbers - kFreeQueues);
  if (user_.c2h_waiting(queue) > 1) return;
  ++counts_.packets;
  const auto asked = static_cast<unsigned>(
      rng_.Chance(0.01) ? rng_.Below(0x1'0000) : rng_.Below(rng_.Chance(0.2) ? 2000 : 200));
  size_t bytes = asked;
  if (rng_.Chance(0.1)) bytes = rng_.Below(2 * asked + 100);
  user_.SendC2h(queue, {.bytes = RandomBytes(bytes, rng_),
                        .user = rng_.Next(),
                        .asked = asked,
                        .is_marker = rng_.Chance(0.05),
                        .has_entry = rng_.Chance(0.9)});
}

// --- Context commands
// Who sends the commands. A virtual function has none, and asks a physical one. While a function is
// reset, parts of its commands are ignored, and the rest means anything: so a good one sends them.
unsigned HostileGuests::AnyPhysical() {
  const bool has_first = !is_wild_ && std::ranges::find(places_, 0u) != places_.end();
  return has_first || (is_wild_ && rng_.Chance(0.5)) ? 1 : 0;
}

// A queue that has all that it needs, for a while.
void HostileGuests::SetUp() {
  ++counts_.set_ups;
  const unsigned place = AnyPlace(), func = kFunctions[place];
  const auto queue = static_cast<unsigned>(rng_.Below(kQueuesEach));
  const unsigned index = FirstQueue(place) + queue, physical = AnyPhysical();
  if (rng_.Chance(0.3)) {
    for (unsigned selector = 0; selector < 8; ++selector)
      accesses_.Command(physical, selector, 0, index);
  }
  const auto write = [&](unsigned selector, std::vector<uint32_t> words) {
    accesses_.Command(physical, selector, 1, index, std::move(words));
  };
  accesses_.Command(physical, kFunctionMap, 1, func, {FirstQueue(place), kQueuesEach});
  write(kPrefetch, {static_cast<uint32_t>(rng_.Below(16)) << 1, 1 << 13});
  write(kCompletion, Completion(place));
  const bool is_mm = rng_.Chance(0.3);
  for (const bool is_h2c : {true, false}) {
    std::vector<uint32_t> words = Software(is_h2c, place);
    const uint32_t size = is_mm ? 2 : is_h2c ? 1 : 0;
    words[0] &= ~0xffffu;
    words[1] =
        (words[1] & (0xeu | 0xfu << 12 | 3u << 20)) | 1 | size << 16 | (is_mm ? 1u << 31 : 0);
    words[2] &= ~0x3fu;
    write(is_h2c ? 1 : 0, std::move(words));
  }
  const uint32_t doorbell = (IsVirtual(func) ? 0x3000 : 0x18000) + 16 * queue;
  accesses_.Write(func, doorbell + 4, {static_cast<uint32_t>(rng_.Range(1, 16))});
  accesses_.Write(func, doorbell + 8, {static_cast<uint32_t>(rng_.Range(1, 16)) | 1u << 16});
}

void HostileGuests::Command() {
  ++counts_.commands;
  static constexpr std::array<uint8_t, 16> kSelectors = {0, 0, 0, 1,  1, 1, 6, 6,
                                                         7, 7, 8, 12, 2, 3, 4, 5};
  CommandWith(rng_.Chance(0.97) ? kSelectors[rng_.Below(kSelectors.size())]
                                : static_cast<unsigned>(rng_.Below(16)));
}

void HostileGuests::CommandWith(unsigned selector) {
  unsigned index = AnyQueue(), place = PlaceOfQueue(index);
  if (selector == kInterrupt) {
    index = static_cast<unsigned>(rng_.Range(kGoodRings, rng_.Chance(0.1) ? 8191 : 40));
    place = places_[index % places_.size()];
  } else if (selector == kFunctionMap) {
    place = AnyPlace();
    index = rng_.Chance(0.95) ? kFunctions[place]
                              : static_cast<unsigned>(rng_.Range(kEndVirtual, 8191));
  }
  static constexpr std::array<uint8_t, 8> kOperations = {1, 1, 1, 1, 1, 0, 2, 3};
  const unsigned operation = kOperations[rng_.Below(kOperations.size())];
  std::vector<uint32_t> words(8), mask(8, ~0u);
  switch (selector) {
    case 0:
    case 1:
      words = Software(selector == 1, place);
      break;
    case kCompletion:
      words = Completion(place);
      break;
    case kPrefetch:
      words[0] = static_cast<uint32_t>(rng_.Below(16)) << 1 | (rng_.Chance(0.05) ? 1 : 0) |
                 (rng_.Chance(0.2) ? 1u << 9 : 0);
      words[1] = rng_.Chance(0.9) ? 1u << 13 : rng_.Word();
      break;
    case kInterrupt:
      words = InterruptRing(place);
      break;
    case kFunctionMap:
      words = Map();
      break;
    default:
      for (uint32_t& word : words) word = rng_.Chance(0.5) ? rng_.Word() : rng_.Word() & 0x1f;
  }
  // Part of a context: not of the words that have its function and its address.
  if (selector < 2 && rng_.Chance(0.1)) mask[1] = rng_.Word(), mask[4] = rng_.Word();
  if (selector == kCompletion && rng_.Chance(0.1)) mask[4] = mask[5] = rng_.Word();
  accesses_.Command(AnyPhysical(), selector, operation, index, std::move(words), std::move(mask));
}

std::vector<uint32_t> HostileGuests::Software(bool is_h2c, unsigned place) {
  const uint64_t base = HostileWords(rng_, place).Address();
  const uint32_t random = rng_.Word();
  const bool is_mm = rng_.Chance(0.4);
  uint32_t size = is_mm ? 2 : is_h2c ? 1 : 0;
  if (rng_.Chance(0.05)) size = random & 3;
  const uint32_t fixed = (rng_.Chance(0.9) ? 1 : 0) | size << 16 | (is_mm ? 1u << 31 : 0);
  // fcrd_en, wbi_chk, wbi_intvl_en, rng_sz, wbk_en, irq_en; seldom bypass, err, irq_req
  uint32_t any = random & (0xeu | 0xfu << 12 | 3u << 20);
  if (rng_.Chance(0.03)) any |= rng_.Word() & (1u << 18 | 7u << 26 | 1u << 29);
  const auto index = static_cast<uint32_t>(rng_.Chance(0.7) ? 0 : rng_.Below(40));
  return {index | (random & 1u << 16) | kFunctions[place] << 17,
          fixed | any,
          static_cast<uint32_t>(base),
          static_cast<uint32_t>(base >> 32),
          static_cast<uint32_t>(rng_.Below(48)) | (rng_.Chance(0.3) ? 1u << 11 : 0),
          0,
          0,
          0};
}

std::vector<uint32_t> HostileGuests::Completion(unsigned place) {
  const uint64_t base = HostileWords(rng_, place).Address();
  const uint32_t random = rng_.Word();
  std::vector<uint32_t> words = {
      (random & 0x1f) | kFunctions[place] << 5 | (random & 0xffff'0000) >> 17 << 17,
      static_cast<uint32_t>(base >> 6),
      static_cast<uint32_t>(base >> 38) | (rng_.Word() & 3) << 26,
      (rng_.Chance(0.9) ? 1u << 28 : 0) | (rng_.Chance(0.1) ? rng_.Word() & 0x7f'ffff : 0),
      static_cast<uint32_t>(rng_.Below(48)) << 4 | (rng_.Word() & 0x800e),
      (rng_.Chance(0.2) ? static_cast<uint32_t>(base >> 2 & 0xf) << 14 : 0) |
          (rng_.Chance(0.3) ? 1u << 31 : 0),
      0,
      0};
  if (rng_.Chance(0.5)) words[0] = (words[0] & ~0x1eu) | 1u << 2 | (words[0] & 2);
  return words;
}

std::vector<uint32_t> HostileGuests::InterruptRing(unsigned place) {
  const uint64_t page = HostileWords(rng_, place).Address() >> 12;
  const auto pages = static_cast<uint32_t>(rng_.Chance(0.8) ? 0 : rng_.Below(8));
  return {(rng_.Chance(0.9) ? 1u : 0) | static_cast<uint32_t>(rng_.Below(40)) << 1 | 1u << 14 |
              static_cast<uint32_t>(page << 15),
          static_cast<uint32_t>(page >> 17),
          static_cast<uint32_t>(page >> 49) | pages << 3 |
              (rng_.Chance(0.1) ? rng_.Word() & 0x3ffc0 : 0),
          kFunctions[place] << 18,
          0,
          0,
          0,
          0};
}

// Queues that are no good function's, or that do not exist.
std::vector<uint32_t> HostileGuests::Map() {
  const bool is_whole = rng_.Chance(0.8);
  const unsigned place = AnyPlace();
  if (is_wild_ && rng_.Chance(0.2)) return {rng_.Word(), rng_.Word()};
  if (rng_.Chance(0.1)) return {kFreeQueues, static_cast<uint32_t>(rng_.Below(4096))};
  const auto count = static_cast<uint32_t>(is_whole ? kQueuesEach : rng_.Below(20));
  return {FirstQueue(place), count};
}

}  // namespace ullnic::fuzz
