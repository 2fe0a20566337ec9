// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0

#include "fuzz/qdma/good_driver.h"

#include <cstring>

#include "fuzz/chunk.h"
#include "fuzz/fuzzer.h"

namespace ullnic::fuzz {
namespace {

// Registers and contexts of the published contract (src/qdma/registers.h has them for the model).
constexpr uint32_t kRingSizes = 0x204, kDescriptorConfig = 0x250, kTimerCounts = 0xA00,
                   kCountLimits = 0xA40, kBufferSizes = 0xAB0, kTimerTick = 0xB0C,
                   kCoalesce = 0xB50, kFormats = 0xBC4, kC2hRun = 0x1004, kH2cRun = 0x1204,
                   kContextCommand = 0x844, kErrorInterrupt = 0xB04, kErrorMask = 0x24C;
constexpr unsigned kSwC2h = 0, kSwH2c = 1, kCompletion = 6, kPrefetch = 7, kFunctionMap = 12,
                   kPerQueue = 8;
constexpr unsigned kClear = 0, kWrite = 1;
constexpr unsigned kSlotBytes = 2048, kMoveBytes = 4096, kDescriptor = 16, kMoveDescriptor = 32;
constexpr size_t kMostSent = 20;  // C2H packets that are not asked for
constexpr unsigned kMoveQueue = 5, kUserBar = 2;

// Sizes of rings, with the slot of the status, and of buffers.
constexpr std::array<uint32_t, 16> kRings = {9, 17, 33, 5, 65, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9};
constexpr unsigned kRing8 = 0, kRing16 = 1, kRing32 = 2, kRing4 = 3;
constexpr std::array<uint32_t, 16> kBuffers = {256, 64, 1024, 2048, 512, 128, 4096, 300,
                                               100, 1,  7,    9000, 64,  64,  64,   64};

uint32_t Low(uint64_t value) { return static_cast<uint32_t>(value); }
uint32_t High(uint64_t value) { return static_cast<uint32_t>(value >> 32); }
unsigned After(unsigned index, unsigned count, unsigned entries) {
  return (index + count) % entries;
}

}  // namespace

GoodDriver::GoodDriver(unsigned place, const Parts& parts, Rng rng)
    : place_(place), parts_(parts), rng_(rng), memory_(place) {
  memory_.on_message = [this](unsigned vector, uint32_t data) {
    if (vector >= kStreams + 1 || data != (func() << 8 | vector))
      Fault("function {} has message {:#x} for vector {}", func(), data, vector);
    ++counts_.interrupts;
    if (vector < kStreams) streams_[vector].is_due = true;
  };
  MakeRings();
  parts_.link.Join(place, &memory_);
  parts_.card.SetGood(place, true);
  for (unsigned queue = 0; queue < kQueuesEach; ++queue) parts_.user.SetGood(Absolute(queue), true);
  Clear();
}

GoodDriver::~GoodDriver() {
  parts_.link.Join(place_, nullptr);
  parts_.card.SetGood(place_, false);
  for (unsigned queue = 0; queue < kQueuesEach; ++queue)
    parts_.user.SetGood(Absolute(queue), false);
}

void GoodDriver::SetUpShared(Accesses& accesses, Rng& rng) {
  const auto fill = [&](uint32_t first, const std::array<uint32_t, 16>& values) {
    accesses.Write(0, first, {values.begin(), values.end()});
  };
  fill(kRingSizes, kRings);
  fill(kBufferSizes, kBuffers);
  std::array<uint32_t, 16> values;
  for (uint32_t& value : values) value = static_cast<uint32_t>(rng.Range(1, 60));
  fill(kTimerCounts, values);
  for (uint32_t& value : values) value = static_cast<uint32_t>(rng.Range(1, 8));
  fill(kCountLimits, values);
  accesses.Write(0, kDescriptorConfig, {static_cast<uint32_t>(rng.Below(4))});
  accesses.Write(0, kTimerTick, {25});
  accesses.Write(0, kCoalesce, {5u << 2 | 25u << 14});
  accesses.Write(0, kFormats, std::vector<uint32_t>(7));
  accesses.Write(0, kErrorMask, {0});
  accesses.Write(0, kErrorInterrupt, {0});
  accesses.Write(0, kC2hRun, {1});
  accesses.Write(0, kH2cRun, {1});
}

void GoodDriver::MakeRings() {
  const auto size = [](unsigned index) { return kRings[index] - 1; };
  for (unsigned i = 0; i < kStreams; ++i) {
    Stream& stream = streams_[i];
    stream.queue = 1 + 2 * i;
    stream.is_interrupted = i == 1;
    stream.h2c.entries = size(i == 0 ? kRing16 : kRing8);
    stream.c2h.entries = size(i == 0 ? kRing32 : kRing16);
    stream.entries.entries = size(i == 0 ? kRing16 : kRing8);
    stream.buffer_bytes = kBuffers[i];
    stream.h2c.base = memory_.Allocate(kDescriptor * (stream.h2c.entries + 1), true, true);
    stream.c2h.base = memory_.Allocate(8 * (stream.c2h.entries + 1), true, true);
    stream.entries.base = memory_.Allocate(8 * (stream.entries.entries + 1), false, true);
    stream.h2c_data = memory_.Allocate(kSlotBytes * stream.h2c.entries, true, false);
    stream.c2h_data = memory_.Allocate(stream.buffer_bytes * stream.c2h.entries, false, true);
  }
  moves_.queue = kMoveQueue;
  moves_.there.entries = size(kRing8);
  moves_.back.entries = size(kRing4);
  moves_.there.base = memory_.Allocate(kMoveDescriptor * (moves_.there.entries + 1), true, true);
  moves_.back.base = memory_.Allocate(kMoveDescriptor * (moves_.back.entries + 1), true, true);
  moves_.from = memory_.Allocate(kMoveBytes * moves_.there.entries, true, false);
  moves_.to = memory_.Allocate(kMoveBytes * moves_.back.entries, false, true);
}

// --- Set up: all contexts of its queues are cleared, which stops those that an earlier program has
// left enabled, and written once no stop is under way.
void GoodDriver::Clear() {
  for (unsigned queue = 0; queue < kQueuesEach; ++queue) {
    for (unsigned selector = 0; selector < kPerQueue; ++selector)
      parts_.accesses.Command(0, selector, kClear, Absolute(queue));
  }
  setup_ = Setup::kPoll;
  Poll();
}

void GoodDriver::Poll() {
  parts_.accesses.Read(0, kContextCommand, [this](uint32_t command) {
    if ((command & 1) != 0) return Poll();
    WriteContexts();
  });
}

void GoodDriver::WriteContexts() {
  parts_.link.SetAtRest(place_, false);
  parts_.accesses.Command(0, kFunctionMap, kWrite, func(), {FirstQueue(place_), kQueuesEach});
  const uint32_t table = IsVirtual(func()) ? 0x4000 : 0x30000;
  for (unsigned vector = 0; vector <= kStreams; ++vector) {
    const uint64_t address = memory_.messages() + 4 * vector;
    parts_.accesses.Write(func(), table + 16 * vector,
                          {Low(address), High(address), func() << 8 | vector, 0});
  }
  for (unsigned i = 0; i < kStreams; ++i) WriteStream(streams_[i], i);
  constexpr uint32_t kMemoryMapped = 1u << 31, kBytes32 = 2u << 16, kStatus = 1u << 20 | 1u << 2;
  const auto moves = [this](unsigned selector, const Ring& ring, unsigned size) {
    parts_.accesses.Command(0, selector, kWrite, Absolute(moves_.queue),
                            {func() << 17, 1 | kStatus | size << 12 | kBytes32 | kMemoryMapped,
                             Low(ring.base), High(ring.base)});
  };
  moves(kSwH2c, moves_.there, kRing8);
  moves(kSwC2h, moves_.back, kRing4);
  parts_.accesses.Read(0, kContextCommand, [this](uint32_t) {
    setup_ = Setup::kReady;
    for (Stream& stream : streams_) {
      PostBuffers(stream, stream.c2h.entries - 1);
      Arm(stream);
    }
  });
}

void GoodDriver::WriteStream(const Stream& s, unsigned index) {
  const unsigned qid = Absolute(s.queue);
  const bool interrupts = s.is_interrupted;
  const uint32_t h2c = index == 0 ? kRing16 : kRing8, c2h = index == 0 ? kRing32 : kRing16;
  const uint32_t entries = index == 0 ? kRing16 : kRing8;
  const uint32_t fnc = func() << 17;
  parts_.accesses.Command(
      0, kSwH2c, kWrite, qid,
      {fnc, 1 | 1 << 2 | h2c << 12 | 1 << 16 | 1 << 20, Low(s.h2c.base), High(s.h2c.base)});
  parts_.accesses.Command(0, kSwC2h, kWrite, qid,
                          {fnc, 1 | c2h << 12, Low(s.c2h.base), High(s.c2h.base)});
  parts_.accesses.Command(0, kPrefetch, kWrite, qid, {index << 1, 1 << 13});
  parts_.accesses.Command(
      0, kCompletion, kWrite, qid,
      {1 | (interrupts ? 2u : 0) | 1 << 2 | func() << 5 | 1u << 27 | entries << 28,
       Low(s.entries.base >> 6), static_cast<uint32_t>(s.entries.base >> 38), 1u << 28, index << 4,
       0});
}

void GoodDriver::Doorbell(unsigned queue, unsigned kind, uint32_t value) {
  const uint32_t first = IsVirtual(func()) ? 0x3000 : 0x18000;
  parts_.accesses.Write(func(), first + 16 * queue + 4 * kind, {value});
}

bool GoodDriver::owns(unsigned qid) const {
  return qid >= FirstQueue(place_) && qid < FirstQueue(place_) + kQueuesEach;
}

void GoodDriver::CheckTime(uint64_t since, const char* what) {
  counts_.longest = std::max(counts_.longest, cycle_ - since);
  if (cycle_ - since > kLimitCycles)
    Fault("{} of function {} is not done after {} cycles", what, func(), cycle_ - since);
}

unsigned GoodDriver::Length(unsigned most) {
  return static_cast<unsigned>(rng_.Chance(0.7) ? rng_.Range(1, 130) : rng_.Range(1, most));
}

// --- Work
void GoodDriver::Work(uint64_t cycle, bool starts) {
  cycle_ = cycle;
  if (!is_ready()) return;
  for (Stream& stream : streams_) {
    TakeStatus(stream);
    if (starts && rng_.Chance(0.5)) SendH2c(stream);
    if (starts && rng_.Chance(0.5)) SendC2h(stream);
    if (starts && rng_.Chance(0.05)) Sleep(stream);
    if (cycle_ >= stream.asleep_until && (!starts || rng_.Chance(0.7))) TakeEntries(stream);
    if (!stream.sent.empty()) CheckTime(stream.sent.front().cycle, "an H2C packet");
    if (!stream.arriving.empty()) CheckTime(stream.arriving.front().cycle, "a C2H packet");
  }
  if (starts && !IsVirtual(func())) UseRegister();
  TakeMoves(moves_);
  if (starts && rng_.Chance(0.3)) Move(moves_);
  if (!moves_.going.empty()) CheckTime(moves_.going.front().cycle, "a transfer to the card");
  if (!moves_.coming.empty()) CheckTime(moves_.coming.front().cycle, "a transfer to the host");
}

// Of the user, in BAR 2.
void GoodDriver::UseRegister() {
  const auto address = static_cast<uint32_t>(4 * rng_.Below(CardSide::kRegisters));
  const uint32_t value = rng_.Word();
  parts_.accesses.Write(func(), address, {value}, kUserBar);
  parts_.accesses.Read(
      func(), address,
      [this, address, value](uint32_t found) {
        if (found != value)
          Fault("register {:#x} of function {}'s user is {:#x}, not {:#x}", address, func(), found,
                value);
      },
      kUserBar);
}

bool GoodDriver::idle() const {
  if (!is_ready() || !moves_.going.empty() || !moves_.coming.empty()) return false;
  return std::ranges::all_of(streams_, [this](const Stream& stream) {
    const unsigned qid = Absolute(stream.queue);
    return stream.sent.empty() && stream.arriving.empty() && parts_.user.h2c_waiting(qid) == 0 &&
           parts_.user.c2h_waiting(qid) == 0;
  });
}

void GoodDriver::SendH2c(Stream& s) {
  const unsigned free =
      After(s.h2c.cidx, s.h2c.entries - 1 - s.h2c.pidx + s.h2c.entries, s.h2c.entries);
  const auto pieces = static_cast<unsigned>(rng_.Chance(0.7) ? 1 : rng_.Range(1, 3));
  if (free < pieces) return;
  H2cPacket packet;
  const bool is_marked = pieces > 1 || rng_.Chance(0.5);
  for (unsigned i = 0; i < pieces; ++i) {
    const unsigned offset = rng_.Below(64), length = Length(kSlotBytes - 64);
    const Bytes bytes = RandomBytes(length, rng_);
    const uint64_t data = s.h2c_data + kSlotBytes * s.h2c.pidx + offset;
    std::memcpy(memory_.At(data), bytes.data(), length);
    packet.bytes.insert(packet.bytes.end(), bytes.begin(), bytes.end());
    const uint64_t flags = !is_marked ? 0 : (i == 0 ? 1 : 0) | (i + 1 == pieces ? 2 : 0);
    const uint64_t word =
        rng_.Below(1 << 16) | uint64_t{length} << 16 | uint64_t{length} << 32 | flags << 48;
    if (i == 0) packet.metadata = static_cast<uint32_t>(word);
    memory_.Store(s.h2c.base + kDescriptor * s.h2c.pidx, word);
    memory_.Store(s.h2c.base + kDescriptor * s.h2c.pidx + 8, data);
    s.h2c.pidx = After(s.h2c.pidx, 1, s.h2c.entries);
  }
  parts_.user.ExpectH2c(Absolute(s.queue), std::move(packet));
  s.sent.push_back({.pidx = s.h2c.pidx, .cycle = cycle_});
  Doorbell(s.queue, 1, s.h2c.pidx);
}

// A status tells of whole packets, that have been given to the user.
void GoodDriver::TakeStatus(Stream& s) {
  const uint64_t status = memory_.Load(s.h2c.base + kDescriptor * s.h2c.entries);
  const auto cidx = static_cast<unsigned>(status >> 16 & 0xffff);
  if (cidx == s.h2c.cidx) return;
  const auto at = std::ranges::find(s.sent, cidx, &Sent::pidx);
  if (at == s.sent.end() || (status & 0xffff) != 0 || status >> 48 != 0)
    Fault("status {:#x} of an H2C queue of function {}", status, func());
  counts_.h2c += static_cast<uint64_t>(at + 1 - s.sent.begin());
  s.sent.erase(s.sent.begin(), at + 1);
  s.h2c.cidx = cidx;
}

void GoodDriver::SendC2h(Stream& s) {
  const unsigned qid = Absolute(s.queue);
  if (parts_.user.c2h_waiting(qid) > kMostSent) return;
  const unsigned most = std::min(s.buffer_bytes * 4, 2000u);
  const unsigned length = rng_.Chance(0.05) ? 0 : Length(most);
  parts_.user.SendC2h(qid, {.bytes = RandomBytes(length, rng_),
                            .user = rng_.Next(),
                            .asked = length,
                            .is_marker = rng_.Chance(0.02)});
}

// More packets come than its ring has entries, and it does not read them for a while.
void GoodDriver::Sleep(Stream& s) {
  s.asleep_until = cycle_ + rng_.Below(4'000);
  for (unsigned i = 0; i < 2 * kMostSent; ++i) SendC2h(s);
}

void GoodDriver::Granted(unsigned qid, C2hPacket&& packet) {
  for (Stream& stream : streams_) {
    if (Absolute(stream.queue) == qid)
      stream.arriving.push_back({.packet = std::move(packet), .cycle = cycle_});
  }
}

void GoodDriver::Arm(Stream& s) {
  constexpr uint32_t kStatus = 1u << 27, kEvery = 1u << 24, kInterrupt = 1u << 28;
  s.is_due = !s.is_interrupted;
  Doorbell(s.queue, 3, s.entries.cidx | kStatus | kEvery | (s.is_interrupted ? kInterrupt : 0));
}

void GoodDriver::PostBuffers(Stream& s, unsigned count) {
  for (unsigned i = 0; i < count; ++i) {
    memory_.Store(s.c2h.base + 8 * s.c2h.pidx, s.c2h_data + s.buffer_bytes * s.c2h.pidx);
    s.c2h.pidx = After(s.c2h.pidx, 1, s.c2h.entries);
  }
  Doorbell(s.queue, 2, s.c2h.pidx);
}

void GoodDriver::TakeEntries(Stream& s) {
  if (!s.is_due) return;
  const unsigned before = s.next_buffer;
  bool any = false;
  while (true) {
    const uint64_t entry = memory_.Load(s.entries.base + 8 * s.entries.cidx);
    if ((entry >> 1 & 1) != s.colour) break;
    TakeEntry(s, entry);
    any = true;
  }
  if (!any) return;
  const unsigned used = After(s.next_buffer, s.c2h.entries - before, s.c2h.entries);
  if (used > 0) PostBuffers(s, used);
  Arm(s);
}

void GoodDriver::TakeEntry(Stream& s, uint64_t entry) {
  if (s.arriving.empty()) Fault("entry {:#x} of function {}, to which nothing goes", entry, func());
  const C2hPacket packet = std::move(s.arriving.front().packet);
  s.arriving.pop_front();
  constexpr uint64_t kUser = ~uint64_t{0xfffff};
  const uint64_t wanted = (packet.user & kUser) | packet.bytes.size() << 4 |
                          (packet.bytes.empty() ? 0 : 8) | (s.colour ? 2 : 0);
  if (entry != wanted) Fault("entry {:#x} of function {}, not {:#x}", entry, func(), wanted);
  for (size_t at = 0; at < packet.bytes.size(); at += s.buffer_bytes) {
    const size_t piece = std::min<size_t>(packet.bytes.size() - at, s.buffer_bytes);
    const uint8_t* from = memory_.At(s.c2h_data + s.buffer_bytes * s.next_buffer);
    if (!std::equal(from, from + piece, packet.bytes.begin() + static_cast<ptrdiff_t>(at)))
      Fault("a C2H packet of function {} differs in its buffer from byte {} on", func(), at);
    s.next_buffer = After(s.next_buffer, 1, s.c2h.entries);
  }
  s.entries.cidx = After(s.entries.cidx, 1, s.entries.entries);
  if (s.entries.cidx == 0) s.colour = !s.colour;
  ++counts_.c2h;
}

// --- Memory-mapped: bytes go to the card, and back.
void GoodDriver::Move(Moves& m) {
  if (After(m.there.pidx, 1, m.there.entries) == m.there.cidx) return;
  const unsigned slot = m.there.pidx;
  const Transfer transfer{.slot = slot,
                          .bytes = Length(kMoveBytes - 200),
                          .offset = static_cast<unsigned>(rng_.Below(100)),
                          .card_offset = static_cast<unsigned>(rng_.Below(100)),
                          .cycle = cycle_};
  const uint64_t from = m.from + kMoveBytes * slot + transfer.offset;
  const Bytes bytes = RandomBytes(transfer.bytes, rng_);
  std::memcpy(memory_.At(from), bytes.data(), bytes.size());
  const uint64_t at = m.there.base + kMoveDescriptor * slot;
  memory_.Store(at, from);
  memory_.Store(at + 8, transfer.bytes);
  memory_.Store(at + 16, HostBase(place_) + kMoveBytes * slot + transfer.card_offset);
  memory_.Store(at + 24, 0);
  m.there.pidx = After(slot, 1, m.there.entries);
  m.going.push_back(transfer);
  Doorbell(m.queue, 1, m.there.pidx);
}

void GoodDriver::TakeMoves(Moves& m) {
  const auto done = [this](const Ring& ring) {
    const uint64_t status = memory_.Load(ring.base + kMoveDescriptor * ring.entries);
    if ((status & 0xffff) != 0) Fault("status {:#x} of a transfer of function {}", status, func());
    return static_cast<unsigned>(status >> 16 & 0xffff);
  };
  // A slot of the first ring is free again when its bytes have come back.
  const unsigned there = done(m.there), back = done(m.back);
  while (!m.going.empty() && m.going.front().slot != there &&
         After(m.back.pidx, 1, m.back.entries) != m.back.cidx) {
    Transfer transfer = m.going.front();
    m.going.pop_front();
    const uint64_t at = m.back.base + kMoveDescriptor * m.back.pidx;
    memory_.Store(at, HostBase(place_) + kMoveBytes * transfer.slot + transfer.card_offset);
    memory_.Store(at + 8, transfer.bytes);
    memory_.Store(at + 16, m.to + kMoveBytes * m.back.pidx + transfer.offset);
    memory_.Store(at + 24, 0);
    m.back.pidx = After(m.back.pidx, 1, m.back.entries);
    transfer.cycle = cycle_;
    m.coming.push_back(transfer);
    Doorbell(m.queue, 2, m.back.pidx);
  }
  while (m.back.cidx != back) {
    if (m.coming.empty()) Fault("a transfer of function {} is done twice", func());
    const Transfer transfer = m.coming.front();
    m.coming.pop_front();
    const uint8_t* from = memory_.At(m.from + kMoveBytes * transfer.slot + transfer.offset);
    const uint8_t* to = memory_.At(m.to + kMoveBytes * m.back.cidx + transfer.offset);
    if (!std::equal(from, from + transfer.bytes, to))
      Fault("{} bytes of function {} have changed on the card", transfer.bytes, func());
    m.back.cidx = After(m.back.cidx, 1, m.back.entries);
    m.there.cidx = After(transfer.slot, 1, m.there.entries);
    ++counts_.moved;
  }
}

}  // namespace ullnic::fuzz
