// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// The example design in RTL, as seen by a driver: memory-mapped transfers, the generator, the
// checker, the loop, resets.

#include <algorithm>
#include <nlohmann/json.hpp>
#include <numeric>

#include "qdma_bench.h"
#include "qdma_example/example_card.h"

namespace ullnic {
namespace {

using qdma_example::ExampleCard;

constexpr uint64_t kCardBytes = 64 << 20;
constexpr uint32_t kMmRun = 0x1004, kMmStep = 0x200;  // C2H, then H2C
constexpr size_t kSlotBytes = 64 * 1024;              // of a descriptor's data

// One direction of a memory-mapped queue.
struct MmQueue {
  unsigned qid = 0;
  bool is_c2h = false;
  uint32_t entries = 0;
  uint64_t ring = 0, memory = 0;
  uint32_t pidx = 0;
  unsigned doorbell() const { return is_c2h ? 2 : 1; }
};

class QdmaExampleTest : public SeededTest {
 protected:
  static constexpr unsigned kQueues = 8;
  static constexpr unsigned kMmRing = 1;  // index of the ring size

  QdmaExampleTest() { SetUpFunction(); }

  void SetUpFunction() {
    driver_.WriteArray(0x204, {65, 9, 129});
    driver_.WriteArray(0xAB0, {2048});
    driver_.MapFunction(0, kQueues);
    driver_.Write(kMmRun, 1);
    driver_.Write(kMmRun + kMmStep, 1);
  }
  bool Until(const std::function<bool()>& holds, int most = 400'000) {
    for (int i = 0; i < most; ++i) {
      if (holds()) return true;
      card_.Step();
    }
    return false;
  }
  uint32_t Read(unsigned bar, uint32_t address) {
    std::optional<uint32_t> answer;
    dma_.Read(bar, address, [&](uint32_t value) { answer = value; });
    EXPECT_TRUE(Until([&] { return answer.has_value(); })) << "no answer";
    return answer.value_or(0);
  }
  void Write(unsigned bar, uint32_t address, uint32_t value) {
    dma_.Write(bar, address, value, [] {});
  }
  uint32_t User(uint32_t address) { return Read(qdma::kUserBar, address); }
  void User(uint32_t address, uint32_t value) { Write(qdma::kUserBar, address, value); }
  // Runs until nothing changes without the host.
  void Settle() {
    while (dma_.HasWork()) card_.Step();
  }

  MmQueue OpenMm(unsigned qid, bool is_c2h) {
    MmQueue queue{.qid = qid, .is_c2h = is_c2h, .entries = driver_.Read(0x204 + 4 * kMmRing) - 1};
    queue.ring = host_.Allocate(32 * (queue.entries + 1));
    queue.memory = host_.Allocate(kSlotBytes * queue.entries);
    WriteMmContext(queue);
    return queue;
  }
  void WriteMmContext(const MmQueue& queue) {
    constexpr uint32_t kEnabled = 1, kStatusAtEnd = 4, kDescriptor32 = 2 << 16, kStatus = 1 << 20,
                       kIsMm = 1u << 31;
    std::fill_n(host_.At(queue.ring), 32 * (queue.entries + 1), 0);
    for (unsigned selector = 0; selector < 6; ++selector) {
      if (selector % 2 == !queue.is_c2h) driver_.Command(selector, 0, queue.qid);
    }
    driver_.WriteContext(
        queue.is_c2h ? 0 : 1, queue.qid,
        {0, kEnabled | kStatusAtEnd | kMmRing << 12 | kDescriptor32 | kStatus | kIsMm | bypass_,
         static_cast<uint32_t>(queue.ring), static_cast<uint32_t>(queue.ring >> 32)});
  }
  void Again(MmQueue& queue) {
    queue.pidx = 0;
    WriteMmContext(queue);
  }
  uint64_t Slot(const MmQueue& queue) const { return queue.memory + kSlotBytes * queue.pidx; }
  void Post(MmQueue& queue, uint64_t host, uint64_t card, uint64_t bytes) {
    const uint64_t at = queue.ring + 32 * queue.pidx;
    host_.Write64(at, queue.is_c2h ? card : host);
    host_.Write64(at + 8, bytes);
    host_.Write64(at + 16, queue.is_c2h ? host : card);
    host_.Write64(at + 24, 0);
    queue.pidx = (queue.pidx + 1) % queue.entries;
  }
  void Ring(const MmQueue& queue) { driver_.Doorbell(queue.doorbell(), queue.qid, queue.pidx); }
  uint64_t Status(const MmQueue& queue) { return host_.Read64(queue.ring + 32 * queue.entries); }
  bool IsDone(const MmQueue& queue) { return (Status(queue) >> 16 & 0xffff) == queue.pidx; }
  void Finish(const MmQueue& queue) {
    ASSERT_TRUE(Until([&] { return IsDone(queue); })) << "queue " << queue.qid;
    EXPECT_EQ(Status(queue) & 3, 0u);
  }
  void WriteCard(MmQueue& queue, uint64_t card, const Bytes& data, size_t offset = 0) {
    std::memcpy(host_.At(Slot(queue)) + offset, data.data(), data.size());
    Post(queue, Slot(queue) + offset, card, data.size());
    Ring(queue);
    Finish(queue);
  }
  Bytes ReadCard(MmQueue& queue, uint64_t card, size_t bytes, size_t offset = 0) {
    const uint64_t host = Slot(queue) + offset;
    Post(queue, host, card, bytes);
    Ring(queue);
    Finish(queue);
    return Bytes(host_.At(host), host_.At(host) + bytes);
  }
  uint32_t CompletionPidx(const TestDriver::Queue& queue) {
    return static_cast<uint32_t>(driver_.CompletionStatus(queue) & 0xffff);
  }
  static Bytes Pattern(size_t bytes, unsigned first = 0) {
    Bytes data(bytes);
    for (size_t i = 0; i < bytes; ++i) {
      data[i] = static_cast<uint8_t>((first + i / 2) >> (i % 2 != 0 ? 8 : 0));
    }
    return data;
  }
  void Start(unsigned qid, size_t bytes, unsigned packets) {
    User(0x00, qid);
    User(0x04, static_cast<uint32_t>(bytes));
    User(0x20, packets);
    User(0x08, 2);
  }
  std::optional<Bytes> Take(TestDriver::Queue& queue) {
    std::optional<Bytes> packet;
    EXPECT_TRUE(Until([&] { return (packet = driver_.TakeC2h(queue)).has_value(); }));
    driver_.RingCompletion(queue);
    return packet;
  }

  uint32_t bypass_ = 0;  // of contexts
  TestHost host_;
  ExampleCard card_;
  std::unique_ptr<qdma::Dma> function_ = card_.Join(0, host_);
  qdma::Dma& dma_ = *function_;
  TestDriver driver_{host_, [this](uint32_t address) { return Read(0, address); },
                     [this](uint32_t address, uint32_t value) { Write(0, address, value); }};
};

enum Bypass { kNone, kCached, kSimple };  // the last two differ for streaming C2H

// Without bypass, and with it: descriptors go around in the user's logic. A driver sees no
// difference.
class EitherWay : public QdmaExampleTest, public testing::WithParamInterface<Bypass> {
 protected:
  static constexpr uint32_t kBypass = 1 << 18, kStatusAtEnd = 4;
  EitherWay() {
    constexpr uint32_t kLoops[] = {64, 3, 5};
    bypass_ = GetParam() != kNone ? kBypass : 0;
    User(0x90, kLoops[GetParam()]);
  }
  TestDriver::Queue Open(unsigned qid) {
    return driver_.Open({.qid = qid,
                         .completion_size = 2,
                         .h2c_control = kStatusAtEnd | bypass_,
                         .c2h_control = bypass_,
                         .prefetch_control = GetParam() == kSimple ? 1u : 0u});
  }
};
INSTANTIATE_TEST_SUITE_P(Bypass, EitherWay, testing::Values(kNone, kCached, kSimple));

// Several queues, any offset in a page on both sides, any length, many descriptors at once: each
// byte is at its address, and nothing else has changed.
TEST_P(EitherWay, MemoryReadsAsItWasWritten) {
  constexpr uint64_t kBase = 0x1003, kArea = 100'000;
  std::vector<MmQueue> writers, readers;
  for (unsigned qid = 0; qid < 3; ++qid) {
    writers.push_back(OpenMm(qid, false));
    readers.push_back(OpenMm(qid, true));
  }
  Bytes shadow(kArea);
  for (int round = 0; round < 40; ++round) {
    MmQueue& writer = writers[rng_.Below(writers.size())];
    const auto count = 1 + rng_.Below(writer.entries - 1);
    for (uint64_t i = 0; i < count; ++i) {
      const size_t bytes = rng_.Chance(0.5) ? 1 + rng_.Below(130) : 1 + rng_.Below(9000);
      const uint64_t at = rng_.Below(kArea - bytes), offset = rng_.Below(4096);
      const Bytes data = RandomBytes(bytes, rng_);
      std::copy(data.begin(), data.end(), shadow.begin() + static_cast<ptrdiff_t>(at));
      std::copy(data.begin(), data.end(), host_.At(Slot(writer)) + offset);
      Post(writer, Slot(writer) + offset, kBase + at, bytes);
    }
    Ring(writer);
    Finish(writer);
    const size_t bytes = 1 + rng_.Below(20'000);
    const uint64_t at = rng_.Below(kArea - bytes);
    const Bytes expected(shadow.begin() + static_cast<ptrdiff_t>(at),
                         shadow.begin() + static_cast<ptrdiff_t>(at + bytes));
    ASSERT_EQ(ReadCard(readers[rng_.Below(readers.size())], kBase + at, bytes, rng_.Below(4096)),
              expected)
        << "round " << round;
  }
  for (uint64_t at = 0; at < kArea; at += 50'000) {
    const Bytes expected(shadow.begin() + static_cast<ptrdiff_t>(at),
                         shadow.begin() + static_cast<ptrdiff_t>(at) + 50'000);
    EXPECT_EQ(ReadCard(readers[0], kBase + at, 50'000), expected);
  }
  EXPECT_EQ(ReadCard(readers[0], 0, kBase), Bytes(kBase));
  EXPECT_EQ(ReadCard(readers[0], kBase + kArea, 4096), Bytes(4096));
  EXPECT_EQ(dma_.Describe().at("reads_failed"), 0);
}

// The last bytes of the memory exist; an access beyond them is an error of that queue alone.
TEST_P(EitherWay, BeyondTheMemoryIsAnError) {
  MmQueue writer = OpenMm(0, false), reader = OpenMm(0, true), other = OpenMm(1, true);
  const Bytes data = RandomBytes(300, rng_);
  WriteCard(writer, kCardBytes - 300, data);
  EXPECT_EQ(ReadCard(reader, kCardBytes - 300, 300), data);
  for (MmQueue* queue : {&writer, &reader}) {
    const uint32_t bad = queue->pidx;
    Post(*queue, Slot(*queue), kCardBytes - 64, 128);
    Ring(*queue);
    ASSERT_TRUE(Until([&] { return (Status(*queue) & 3) != 0; }));
    EXPECT_EQ(Status(*queue) & 3, 1u);
    EXPECT_EQ(Status(*queue) >> 16 & 0xffff, bad);
  }
  EXPECT_EQ(ReadCard(other, kCardBytes - 300, 300).size(), 300u);
  Again(writer);
  WriteCard(writer, 0x40, data);
  EXPECT_EQ(ReadCard(other, 0x40, 300), data);
}

TEST_F(QdmaExampleTest, GeneratedPacketsHaveThePattern) {
  TestDriver::Queue queue = driver_.Open({.qid = 3, .completion_size = 2});
  for (const size_t bytes : {1, 2, 63, 64, 65, 1024, 2048, 2049, 6000}) {
    constexpr unsigned kPackets = 3;
    Start(3, bytes, kPackets);
    for (unsigned i = 0; i < kPackets; ++i) {
      const auto first = static_cast<unsigned>(i * ((bytes + 1) / 2));
      EXPECT_EQ(Take(queue), Pattern(bytes, first)) << bytes << " bytes, packet " << i;
    }
    Settle();
    EXPECT_EQ(User(0x8c), kPackets);
    EXPECT_EQ(User(0x88), 0u);
  }
  // A nonexistent queue, and one without a completion ring: nothing waits forever.
  for (const unsigned qid : {5u, 7u, 2047u}) {
    Start(qid, 64, 4);
    Settle();
    EXPECT_EQ(User(0x88), 4u) << qid;
  }
}

TEST_F(QdmaExampleTest, SentPacketsAreChecked) {
  TestDriver::Queue queue = driver_.Open({.qid = 2});
  const auto send = [&](const Bytes& packet) {
    driver_.SendH2c(queue, packet);
    Settle();
  };
  EXPECT_EQ(User(0x10), 0u);
  send(Pattern(4096));
  send(Pattern(999, 2048));
  EXPECT_EQ(User(0x10), 2u << 4 | 1);
  EXPECT_EQ(User(0x14), 2u);
  Bytes wrong = Pattern(500);
  wrong[499] ^= 0x80;
  send(wrong);
  EXPECT_EQ(User(0x10), 2u << 4);
  User(0x0c, 1);
  send(Pattern(500));
  EXPECT_EQ(User(0x10), 2u << 4 | 1);
  EXPECT_EQ(User(0x14), 1u);
}

TEST_P(EitherWay, LoopedPacketsComeBack) {
  std::vector<TestDriver::Queue> queues;
  for (const unsigned qid : {1, 4}) queues.push_back(Open(qid));
  User(0x08, 1);
  for (int i = 0; i < 60; ++i) {
    TestDriver::Queue& queue = queues[rng_.Below(queues.size())];
    std::vector<size_t> pieces;
    for (uint64_t n = rng_.Chance(0.3) ? 2 + rng_.Below(6) : 1; n > 0; --n) {
      pieces.push_back(1 + rng_.Below(i % 2 != 0 ? 130 : 1000));
    }
    const Bytes packet =
        RandomBytes(std::accumulate(pieces.begin(), pieces.end(), size_t{0}), rng_);
    driver_.PutH2c(queue, packet, pieces, rng_.Chance(0.5));
    driver_.RingH2c(queue);
    ASSERT_EQ(Take(queue), packet) << "packet " << i;
  }
  EXPECT_EQ(dma_.Describe().at("loop_dropped"), 0);
}

// Immediate data: entries of the user's format without payload take no buffer. The ring triggers
// when the user says so, and only then.
TEST_P(EitherWay, EntriesAloneAndUserTriggers) {
  constexpr uint32_t kEntries = 0x08, kSize = 0x50, kUserTrigger = 1 << 3, kNoPayload = 1 << 12;
  constexpr uint32_t kColour = 1, kWords = 8;
  Settle();
  driver_.Write(0xBC4, kColour | 2 << 16);  // bits of colour and error in the first format
  TestDriver::Queue queue = driver_.Open({.qid = 3,
                                          .completion_size = 2,
                                          .entry_log = 2,
                                          .c2h_control = bypass_,
                                          .prefetch_control = GetParam() == kSimple ? 1u : 0u,
                                          .completion_control = 1 | 3 << 2});
  driver_.RingCompletion(queue);  // arms it
  const auto pidx = [&] { return CompletionPidx(queue); };
  uint32_t entries = 0;
  for (int round = 0; round < 12; ++round) {
    std::vector<uint32_t> data(kWords);
    for (uint32_t i = 0; i < kWords; ++i) {
      data[i] = static_cast<uint32_t>(rng_.Below(uint64_t{1} << 32));
      User(0x30 + 4 * i, data[i]);
    }
    // The user's format, the colour of the ring's first round, no error
    data[0] = (data[0] & ~7u) | 1u | 1u << kColour;
    const auto start = [&](uint32_t count, uint32_t size) {
      User(kSize, size);
      User(0x00, 3);
      User(0x04, 100);
      User(0x20, count);
      User(kEntries, size & kNoPayload ? 2 : 4);
      Settle();
      for (uint32_t i = 0; i < count; ++i, ++entries) {
        for (uint32_t word = 0; word < kWords; ++word) {
          ASSERT_EQ(
              static_cast<uint32_t>(host_.Read64(queue.completion_ring + 32 * entries + 4 * word)),
              data[word]);
        }
      }
    };
    const uint32_t before = pidx(), count = 1 + static_cast<uint32_t>(rng_.Below(4));
    start(count, rng_.Chance(0.5) ? kNoPayload : 0);
    EXPECT_EQ(pidx(), before) << "a trigger without the user";
    start(1, kUserTrigger);
    EXPECT_EQ(pidx(), entries);
    queue.completion_cidx = entries;
    driver_.RingCompletion(queue);
  }
  // A packet takes the first buffer.
  for (uint32_t i = 0; i < kWords; ++i) User(0x30 + 4 * i, 0);
  User(kSize, 0);
  Start(3, 700, 2);
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(Take(queue), Pattern(700, static_cast<unsigned>(350 * i)));
  }
}

// Packets without end and a marker after them, as in the rate tool.
TEST_F(QdmaExampleTest, PacketsWithoutEndGoToEachQueue) {
  Settle();  // the DMA's queues are cleared, also in the logic written to below
  User(0x90, 500);
  std::vector<TestDriver::Queue> queues;
  for (const unsigned qid : {0, 6})
    queues.push_back(driver_.Open({.qid = qid, .completion_size = 2}));
  User(0x50, 0);
  User(0x08, 0x120000);
  for (int i = 0; i < 150; ++i) {
    for (TestDriver::Queue& queue : queues) ASSERT_EQ(Take(queue), Pattern(500)) << "packet " << i;
  }
  User(0x08, 0x360000);
  Settle();
  User(0x08, 0x120020);
  Settle();
  EXPECT_EQ(User(0x18), 1u);
  // The same when the queues end: no packet for a nonexistent queue.
  User(0x08, 0x120000);
  for (const unsigned selector : {0u, 6u, 7u}) {
    for (TestDriver::Queue& queue : queues) driver_.Command(selector, 0, queue.setup.qid);
  }
  Settle();
  EXPECT_EQ(Read(0, 0xAF0), 0u);
}

// Without the loop descriptors of queues with bypass wait; with it the same ones are executed.
TEST_F(QdmaExampleTest, DescriptorsWaitForTheLoop) {
  bypass_ = 1 << 18;
  MmQueue writer = OpenMm(0, false);
  const Bytes data = RandomBytes(700, rng_);
  std::copy(data.begin(), data.end(), host_.At(Slot(writer)));
  Post(writer, Slot(writer), 0x200, data.size());
  Ring(writer);
  Settle();
  EXPECT_EQ(Status(writer), 0u);
  User(0x90, 1);
  Finish(writer);
  bypass_ = 0;
  MmQueue reader = OpenMm(0, true);
  EXPECT_EQ(ReadCard(reader, 0x200, data.size()), data);
}

// In the middle of transfers of both kinds: nothing is written after the end of the reset, and the
// function can be set up again.
TEST_P(EitherWay, ResetUnderTraffic) {
  for (int round = 0; round < 6; ++round) {
    host_.Release();
    SetUpFunction();
    MmQueue writer = OpenMm(0, false), reader = OpenMm(0, true);
    User(0x90, 303);
    Open(1);
    User(0x08, 0x120000);
    const Bytes data = RandomBytes(30'000, rng_);
    std::copy(data.begin(), data.end(), host_.At(Slot(writer)));
    for (MmQueue* queue : {&writer, &reader}) {
      for (unsigned i = 0; i + 1 < queue->entries; ++i) {
        Post(*queue, queue->memory, 0x10000 + i * 32768, 30'000);
      }
      Ring(*queue);
    }
    for (uint64_t left = rng_.Below(3000); left > 0; --left) card_.Step();
    dma_.Reset();
    User(0x08, 0);  // after it
    Settle();
    const uint64_t before = host_.accesses;
    driver_.Doorbell(1, 0, 0);
    driver_.Doorbell(2, 0, 0);
    Settle();
    EXPECT_EQ(host_.accesses, before) << "round " << round;
    EXPECT_EQ(driver_.ReadContext(0, 0)[1] & 1, 0u);
    EXPECT_EQ(driver_.ReadContext(1, 0)[1] & 1, 0u);
    host_.Release();
    SetUpFunction();
    MmQueue again = OpenMm(0, false), back = OpenMm(0, true);
    WriteCard(again, 0x77, data);
    ASSERT_EQ(ReadCard(back, 0x77, data.size()), data) << "round " << round;
  }
}

// A command that disables a queue with transfers in progress: busy until they are complete, nothing
// afterwards, and the queue can be used again.
TEST_P(EitherWay, DisabledUnderWay) {
  MmQueue writer = OpenMm(0, false), reader = OpenMm(0, true);
  for (int round = 0; round < 20; ++round) {
    MmQueue& queue = round % 2 != 0 ? reader : writer;
    for (unsigned i = 0; i + 1 < queue.entries; ++i) Post(queue, queue.memory, i * 32768, 30'000);
    Ring(queue);
    for (uint64_t left = rng_.Below(1500); left > 0; --left) card_.Step();
    driver_.Command(queue.is_c2h ? 0 : 1, 0, 0);
    const uint64_t before = host_.accesses;
    Settle();
    EXPECT_EQ(host_.accesses, before) << "round " << round;
    Again(queue);
    const Bytes data = RandomBytes(5000, rng_);
    WriteCard(writer, 0x123, data);
    ASSERT_EQ(ReadCard(reader, 0x123, data.size(), 5), data) << "round " << round;
  }
}

// A virtual function: its queues transfer bytes of its own host, its interrupts go there, its reset
// does not affect the others. It cannot access anything else.
class VirtualFunctionTest : public QdmaExampleTest {
 protected:
  static constexpr unsigned kFunc = qdma::reg::kFirstVirtual + 2;
  static constexpr unsigned kFirstQueue = 16, kEntries = 8;
  static constexpr unsigned kRing = 1;  // index of the ring size, of 9 entries with the status
  static constexpr unsigned kVector = 3;

  VirtualFunctionTest() {
    driver_.WriteContext(12, kFunc, {kFirstQueue, 4});
    for (const bool is_c2h : {false, true}) {
      ring_[is_c2h] = host_vf_.Allocate(32 * (kEntries + 1));
      Enable(is_c2h);
    }
    memory_ = host_vf_.Allocate(64 * 1024);
  }
  void Enable(bool is_c2h) {
    constexpr uint32_t kEnabled = 1, kStatusAtEnd = 4, kDescriptor32 = 2 << 16, kStatus = 1 << 20,
                       kInterrupt = 1 << 21, kIsMm = 1u << 31, kArmed = 1 << 16;
    std::fill_n(host_vf_.At(ring_[is_c2h]), 32 * (kEntries + 1), 0);
    pidx_[is_c2h] = 0;
    driver_.Command(is_c2h ? 2 : 3, 0, kFirstQueue);
    driver_.WriteContext(
        is_c2h ? 0 : 1, kFirstQueue,
        {kArmed | kFunc << 17,
         kEnabled | kStatusAtEnd | kRing << 12 | kDescriptor32 | kStatus | kInterrupt | kIsMm,
         static_cast<uint32_t>(ring_[is_c2h]), static_cast<uint32_t>(ring_[is_c2h] >> 32),
         kVector});
  }
  // Posts by the doorbells in the function's BAR.
  void Post(bool is_c2h, uint64_t host, uint64_t card, uint64_t bytes) {
    const uint64_t at = ring_[is_c2h] + 32 * pidx_[is_c2h];
    host_vf_.Write64(at, is_c2h ? card : host);
    host_vf_.Write64(at + 8, bytes);
    host_vf_.Write64(at + 16, is_c2h ? host : card);
    pidx_[is_c2h] = (pidx_[is_c2h] + 1) % kEntries;
    vf_->Write(0, 0x3000 + (is_c2h ? 8 : 4), pidx_[is_c2h] | 1 << 16, [] {});
  }
  bool Finish(bool is_c2h) {
    return Until([&] {
      const uint64_t status = host_vf_.Read64(ring_[is_c2h] + 32 * kEntries);
      return (status >> 16 & 0xffff) == pidx_[is_c2h] && (status & 3) == 0;
    });
  }
  uint32_t ReadVf(uint32_t address) {
    std::optional<uint32_t> answer;
    vf_->Read(0, address, [&](uint32_t value) { answer = value; });
    EXPECT_TRUE(Until([&] { return answer.has_value(); })) << "no answer";
    return answer.value_or(0);
  }

  TestHost host_vf_;
  std::unique_ptr<qdma::Dma> vf_ = card_.Join(kFunc, host_vf_);
  uint64_t ring_[2] = {}, memory_ = 0;
  uint32_t pidx_[2] = {};
};

TEST_F(VirtualFunctionTest, ItsQueuesMoveBytesOfItsOwnHost) {
  MmQueue reader = OpenMm(0, true);
  Settle();
  const uint64_t others = host_.accesses;
  const Bytes data = RandomBytes(20'000, rng_);
  std::copy(data.begin(), data.end(), host_vf_.At(memory_ + 5));
  Post(false, memory_ + 5, 0x5000, data.size());
  ASSERT_TRUE(Finish(false));
  Post(true, memory_ + 30'000, 0x5000, data.size());
  ASSERT_TRUE(Finish(true));
  Settle();
  EXPECT_EQ(host_.accesses, others);
  EXPECT_EQ(Bytes(host_vf_.At(memory_ + 30'000), host_vf_.At(memory_ + 30'000) + data.size()),
            data);
  EXPECT_EQ(host_vf_.interrupts, (std::map<unsigned, int>{{kVector, 2}}));
  EXPECT_EQ(ReadCard(reader, 0x5000, data.size()), data);
}

TEST_F(VirtualFunctionTest, ItsResetLeavesTheOthers) {
  MmQueue writer = OpenMm(0, false), reader = OpenMm(0, true);
  const Bytes data = RandomBytes(9000, rng_);
  for (int round = 0; round < 10; ++round) {
    for (unsigned i = 0; i + 1 < kEntries; ++i) Post(false, memory_, 0x100000, 60'000);
    WriteCard(writer, 0x77, data);
    for (uint64_t left = rng_.Below(3000); left > 0; --left) card_.Step();
    vf_->Reset();
    const uint64_t before = host_vf_.accesses;
    ASSERT_EQ(ReadCard(reader, 0x77, data.size()), data) << "round " << round;
    Settle();
    EXPECT_EQ(host_vf_.accesses, before) << "round " << round;
    driver_.WriteContext(12, kFunc, {kFirstQueue, 4});
    Enable(false);
    Post(false, memory_, 0x200000, 100);
    ASSERT_TRUE(Finish(false)) << "round " << round;
  }
}

TEST_F(VirtualFunctionTest, ReachesWhatIsItsOwn) {
  EXPECT_EQ(ReadVf(0x5014) >> 16, 0x1fd3u);  // checked by the public driver
  EXPECT_NE(ReadVf(0x1014) >> 16, 0x1fd3u);
  EXPECT_EQ(ReadVf(0x844), 0u);
  vf_->Write(0, 0x824, 0x1234, [] {});  // registers of physical functions
  EXPECT_NE(Read(0, 0x824), 0x1234u);
}

// Interrupts of the user's logic, as its registers ask for them: each goes to its function's host.
// One that cannot be sent fails, and is not sent later.
TEST_F(VirtualFunctionTest, TheUserInterruptsEitherFunction) {
  constexpr uint32_t kRequest = 0x94, kMask = 0x98, kVectors = 0x9c, kFailed = 2;
  const auto place = [](unsigned func, unsigned vector) { return func << 12 | vector << 4; };
  const auto interrupt = [&](unsigned func, unsigned vector) {
    User(kRequest, place(func, vector) | 1);
    Settle();
    return User(kRequest);
  };
  Settle();
  std::map<unsigned, int> wanted, wanted_vf;
  for (unsigned vector = 1; vector < 8; ++vector) {
    EXPECT_EQ(interrupt(0, vector), place(0, vector));
    EXPECT_EQ(interrupt(kFunc, vector), place(kFunc, vector));
    ++wanted[vector];
    ++wanted_vf[vector];
    // No such physical function, no such virtual one, no such vector of a virtual one
    for (const uint32_t bad : {place(1, vector), place(8, vector), place(kFunc, vector + 8)}) {
      EXPECT_EQ(interrupt(bad >> 12, bad >> 4 & 31), bad | kFailed);
    }
    // The bits of several writes, one interrupt or more; a read clears them.
    User(kRequest, place(kFunc, vector));
    User(kMask, 0x0f);
    User(kVectors, 0xf0);
    Settle();
    EXPECT_EQ(host_vf_.interrupts, wanted_vf);
    User(kVectors, 0xf1);
    Settle();
    ++wanted_vf[vector];
    EXPECT_EQ(User(kVectors), 0xf1u);
    EXPECT_EQ(User(kVectors), 0u);
    Settle();
    EXPECT_EQ(host_.interrupts, wanted);
    EXPECT_EQ(host_vf_.interrupts, wanted_vf);
  }
  EXPECT_EQ(dma_.Describe().at("user_interrupts_failed"), 7 * 3);
  EXPECT_EQ(dma_.Describe().at("interrupts_lost"), 0);
}

// A reset of a function ends its interrupts alone: afterwards they are sent again.
TEST_F(VirtualFunctionTest, UserInterruptsWhileItIsReset) {
  constexpr uint32_t kRequest = 0x94, kFailed = 2;
  Settle();
  for (int round = 0; round < 10; ++round) {
    vf_->Reset();
    for (uint64_t left = rng_.Below(200); left > 0; --left) card_.Step();
    const int before = host_vf_.interrupts[2];
    User(kRequest, kFunc << 12 | 2 << 4 | 1);
    Settle();
    const bool has_failed = (User(kRequest) & kFailed) != 0;
    EXPECT_EQ(host_vf_.interrupts[2], before + (has_failed ? 0 : 1));
    User(kRequest, kFunc << 12 | 2 << 4 | 1);
    Settle();
    EXPECT_EQ(User(kRequest), kFunc << 12 | 2 << 4);
    EXPECT_EQ(host_vf_.interrupts[2], before + (has_failed ? 1 : 2));
  }
}

// Condition for stopping the clock: no internal pause is longer than the edges after which it
// stops.
TEST_F(QdmaExampleTest, TheClockStopsWhenNothingMoves) {
  MmQueue writer = OpenMm(0, false), reader = OpenMm(0, true);
  TestDriver::Queue queue = driver_.Open({.qid = 2, .completion_size = 2});
  User(0x08, 1);
  for (int i = 0; i < 50; ++i) {
    const Bytes data = RandomBytes(1 + rng_.Below(9000), rng_);
    WriteCard(writer, rng_.Below(4096), data, rng_.Below(4096));
    ReadCard(reader, rng_.Below(4096), data.size());
    driver_.SendH2c(queue, data);
    Take(queue);
    if (i % 5 == 0) Settle();
  }
  Settle();
  EXPECT_FALSE(dma_.HasWork());
  EXPECT_FALSE(dma_.Poll());
  EXPECT_GT(card_.longest_pause(), 0u);
  EXPECT_LT(card_.longest_pause(), ExampleCard::kQuietEdges / 2);
}

}  // namespace
}  // namespace ullnic
