// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// The DMA model between a host of plain memory, a card of plain queues, and a driver. The driver is
// written from the published contract, with its own constants: it is independent of the model, and
// also drives the RTL (dma_bench.h).
#pragma once

#include <algorithm>
#include <cstring>
#include <deque>
#include <map>
#include <optional>

#include "qdma/device.h"
#include "test_support.h"

namespace ullnic {

class TestHost final : public qdma::HostSide {
 public:
  static constexpr uint64_t kBase = 0x7'0000'0000;
  static constexpr size_t kBytes = 8 << 20;

  bool ReadHost(uint64_t address, std::span<uint8_t> data) override {
    ++accesses;
    if (!Inside(address, data.size())) return false;
    std::memcpy(data.data(), At(address), data.size());
    return true;
  }
  bool WriteHost(uint64_t address, std::span<const uint8_t> data) override {
    ++accesses;
    if (!Inside(address, data.size())) return false;
    std::memcpy(At(address), data.data(), data.size());
    if (on_write) on_write(address, data);
    return true;
  }
  bool Interrupt(unsigned vector) override {
    ++accesses;
    if (vector >= 32) return false;
    ++interrupts[vector];
    if (on_interrupt) on_interrupt(vector);
    return true;
  }

  void SetIntx(bool is_asserted) override { intx = is_asserted; }

  uint8_t* At(uint64_t address) { return memory_.data() + (address - kBase); }
  uint64_t Read64(uint64_t address) {
    uint64_t value = 0;
    std::memcpy(&value, At(address), sizeof value);
    return value;
  }
  void Write64(uint64_t address, uint64_t value) { std::memcpy(At(address), &value, 8); }
  uint64_t Allocate(size_t bytes) {
    const uint64_t address = kBase + used_;
    used_ += (bytes + 4095) / 4096 * 4096;
    if (used_ > kBytes) throw std::runtime_error("the test needs more memory");
    return address;
  }

  // Frees everything allocated, like a program that ends.
  void Release() {
    used_ = 0;
    std::fill(memory_.begin(), memory_.end(), 0);
  }

  std::map<unsigned, int> interrupts;
  bool intx = false;
  uint64_t accesses = 0;  // in total, including failed ones
  // Called when a write is in memory.
  std::function<void(uint64_t address, std::span<const uint8_t> data)> on_write;
  std::function<void(unsigned vector)> on_interrupt;

 private:
  static bool Inside(uint64_t address, size_t bytes) {
    return address >= kBase && address - kBase <= kBytes && bytes <= kBytes - (address - kBase);
  }
  std::vector<uint8_t> memory_ = std::vector<uint8_t>(kBytes);
  size_t used_ = 0;
};

class TestCard final : public qdma::UserSide {
 public:
  explicit TestCard(unsigned queues) : to_host(queues), from_host(queues) {}

  void ReadUser(uint32_t address, std::function<void(uint32_t)> done) override {
    answers.push_back([this, address, done = std::move(done)] { done(registers[address]); });
  }
  void WriteUser(uint32_t address, uint32_t value, std::function<void()> done) override {
    answers.push_back([this, address, value, done = std::move(done)] {
      registers[address] = value;
      done();
    });
  }
  bool SendH2c(unsigned qid, std::span<const uint8_t> packet) override {
    if (from_host[qid].size() >= room) return false;
    from_host[qid].emplace_back(packet.begin(), packet.end());
    return true;
  }
  std::span<const uint8_t> PeekC2h(unsigned qid) override {
    return to_host[qid].empty() ? std::span<const uint8_t>() : to_host[qid].front();
  }
  void PopC2h(unsigned qid) override { to_host[qid].pop_front(); }
  unsigned queues() const override { return static_cast<unsigned>(to_host.size()); }
  void OnReset() override { ++resets; }

  std::vector<std::deque<Bytes>> to_host;
  std::vector<std::deque<Bytes>> from_host;
  size_t room = 1'000'000;
  std::deque<std::function<void()>> answers;  // of the user BAR, to be completed by the test
  std::map<uint32_t, uint32_t> registers;
  int resets = 0;
};

// A driver's settings of a queue pair with its completion ring.
struct QueueSetup {
  unsigned qid = 0;
  unsigned h2c_size = 0;  // indices of the ring sizes
  unsigned c2h_size = 0;
  unsigned completion_size = 0;
  unsigned buffer_size = 0;    // index
  unsigned entry_log = 0;      // completion entries of 8 << n bytes
  uint32_t h2c_control = 0x4;  // status when everything is done
  uint32_t c2h_control = 0;
  uint32_t prefetch_control = 0;
  uint32_t completion_control = 1 | 1 << 2;  // status, for every entry
  bool full_update = false;
  unsigned vector = 0;
  bool h2c_interrupt = false;
  std::optional<unsigned> h2c_vector;   // else `vector`
  unsigned h2c_offset = 0;              // of its data, in bytes
  unsigned c2h_offset = 0;              // of its buffers
  uint32_t completion_vector_bits = 0;  // of word 4, e.g. aggregation
};

class TestDriver {
 public:
  // For a DMA that completes in the call, or a wrapper that advances time until it does.
  using ReadFunction = std::function<uint32_t(uint32_t address)>;
  using WriteFunction = std::function<void(uint32_t address, uint32_t value)>;
  TestDriver(TestHost& host, ReadFunction read, WriteFunction write)
      : host_(host), read_(std::move(read)), write_(std::move(write)) {}
  TestDriver(TestHost& host, qdma::Device& device)
      : TestDriver(
            host, [&device](uint32_t address) { return device.ReadConfig(address); },
            [&device](uint32_t address, uint32_t value) { device.WriteConfig(address, value); }) {}

  uint32_t Read(uint32_t address) { return read_(address); }
  void Write(uint32_t address, uint32_t value) { write_(address, value); }

  void WriteContext(unsigned selector, unsigned index, std::vector<uint32_t> words,
                    uint32_t mask = ~0u) {
    words.resize(8);
    for (unsigned i = 0; i < 8; ++i) {
      Write(0x804 + 4 * i, words[i]);
      Write(0x824 + 4 * i, mask);
    }
    Command(selector, 1, index);
  }
  std::vector<uint32_t> ReadContext(unsigned selector, unsigned index) {
    for (unsigned i = 0; i < 8; ++i) Write(0x804 + 4 * i, 0xdeadbeef);
    Command(selector, 2, index);
    std::vector<uint32_t> words(8);
    for (unsigned i = 0; i < 8; ++i) words[i] = Read(0x804 + 4 * i);
    return words;
  }
  void Command(unsigned selector, unsigned operation, unsigned index) {
    Write(0x844, index << 7 | operation << 5 | selector << 1);
    for (int i = 0; i < kCommandReads; ++i) {
      if ((Read(0x844) & 1) == 0) return;
    }
    FAIL() << "the command does not end";
  }

  // Writes values[i] to entry i.
  void WriteArray(uint32_t address, const std::vector<uint32_t>& values) {
    for (size_t i = 0; i < values.size(); ++i) {
      Write(address + 4 * static_cast<uint32_t>(i), values[i]);
    }
  }
  void MapFunction(unsigned first, unsigned count) { WriteContext(12, 0, {first, count}); }

  struct Queue {
    QueueSetup setup;
    uint32_t h2c_entries = 0, c2h_entries = 0, completion_entries = 0, buffer_bytes = 0;
    uint64_t h2c_ring = 0, c2h_ring = 0, completion_ring = 0;
    uint64_t h2c_memory = 0, c2h_memory = 0;
    uint32_t h2c_pidx = 0;
    uint32_t c2h_pidx = 0, c2h_next = 0;  // producer, buffer of the next packet
    uint32_t completion_cidx = 0;
    bool colour = true;
  };
  static constexpr size_t kSlotBytes = 16384;  // of a descriptor's data, H2C
  static constexpr int kCommandReads = 200;    // until a disabled queue is at rest

  // Rings of the given sizes, all buffers posted.
  Queue Open(const QueueSetup& setup) {
    Queue q{.setup = setup};
    q.h2c_entries = Read(0x204 + 4 * setup.h2c_size) - 1;
    q.c2h_entries = Read(0x204 + 4 * setup.c2h_size) - 1;
    q.completion_entries = Read(0x204 + 4 * setup.completion_size) - 1;
    q.buffer_bytes = Read(0xAB0 + 4 * setup.buffer_size);
    q.h2c_ring = host_.Allocate(16 * (q.h2c_entries + 1));
    q.c2h_ring = host_.Allocate(8 * (q.c2h_entries + 1));
    q.completion_ring = host_.Allocate(size_t{8u << setup.entry_log} * (q.completion_entries + 1));
    q.h2c_memory = host_.Allocate(kSlotBytes * q.h2c_entries + setup.h2c_offset) + setup.h2c_offset;
    q.c2h_memory = host_.Allocate(size_t{q.buffer_bytes} * q.c2h_entries + setup.c2h_offset) +
                   setup.c2h_offset;
    WriteContexts(q);
    PostBuffers(q, q.c2h_entries - 1);
    return q;
  }
  void WriteContexts(const Queue& q) {
    const QueueSetup& s = q.setup;
    for (unsigned selector = 0; selector < 8; ++selector) Command(selector, 0, s.qid);
    const uint32_t irq = s.h2c_interrupt ? 1u << 21 : 0;
    WriteContext(1, s.qid,
                 {0, 1 | s.h2c_control | s.h2c_size << 12 | 1 << 16 | 1 << 20 | irq,
                  Low(q.h2c_ring), High(q.h2c_ring), s.h2c_vector.value_or(s.vector)});
    WriteContext(0, s.qid,
                 {0, 1 | s.c2h_control | s.c2h_size << 12, Low(q.c2h_ring), High(q.c2h_ring)});
    WriteContext(7, s.qid, {s.prefetch_control | s.buffer_size << 1, 1 << 13});
    WriteContext(
        6, s.qid,
        {s.completion_control | 1u << 27 | s.completion_size << 28, Low(q.completion_ring >> 6),
         static_cast<uint32_t>(q.completion_ring >> 38) | s.entry_log << 26, 1u << 28,
         (s.full_update ? 2u : 0u) | s.vector << 4 | s.completion_vector_bits,
         static_cast<uint32_t>(q.completion_ring >> 2 & 0xf) << 14});
  }

  void Doorbell(unsigned kind, unsigned qid, uint32_t value) {
    Write(0x18000 + 16 * qid + 4 * kind, value);
  }
  void PostBuffers(Queue& q, uint32_t count) {
    for (uint32_t i = 0; i < count; ++i) {
      host_.Write64(q.c2h_ring + 8 * q.c2h_pidx,
                    q.c2h_memory + uint64_t{q.buffer_bytes} * q.c2h_pidx);
      q.c2h_pidx = (q.c2h_pidx + 1) % q.c2h_entries;
    }
    Doorbell(2, q.setup.qid, q.c2h_pidx);
  }

  // From the status slot.
  uint32_t H2cCidx(const Queue& q) {
    return static_cast<uint32_t>(host_.Read64(q.h2c_ring + 16 * q.h2c_entries) >> 16 & 0xffff);
  }
  uint32_t H2cFree(const Queue& q) {
    return (H2cCidx(q) + q.h2c_entries - q.h2c_pidx - 1) % q.h2c_entries;
  }
  // `pieces` descriptors; flags only if there are several, or `marked`.
  void PutH2c(Queue& q, const Bytes& packet, const std::vector<size_t>& pieces, bool marked) {
    size_t at = 0;
    for (size_t i = 0; i < pieces.size(); ++i) {
      const uint64_t data = q.h2c_memory + kSlotBytes * q.h2c_pidx;
      std::memcpy(host_.At(data), packet.data() + at, pieces[i]);
      uint64_t flags = 0;
      if (marked || pieces.size() > 1) {
        flags = (i == 0 ? 1 : 0) | (i + 1 == pieces.size() ? 2 : 0);
      }
      PutDescriptor(q, data, pieces[i], flags);
      at += pieces[i];
    }
  }
  void PutDescriptor(Queue& q, uint64_t data, uint64_t length, uint64_t flags) {
    host_.Write64(q.h2c_ring + 16 * q.h2c_pidx, length << 16 | length << 32 | flags << 48);
    host_.Write64(q.h2c_ring + 16 * q.h2c_pidx + 8, data);
    q.h2c_pidx = (q.h2c_pidx + 1) % q.h2c_entries;
  }
  void RingH2c(const Queue& q, bool arm = false) {
    Doorbell(1, q.setup.qid, q.h2c_pidx | (arm ? 1u << 16 : 0));
  }
  void SendH2c(Queue& q, const Bytes& packet) {
    PutH2c(q, packet, {packet.size()}, false);
    RingH2c(q);
  }

  // The next entry, detected by its colour alone; its buffers are reposted, its index is not
  // written.
  std::optional<Bytes> TakeC2h(Queue& q) {
    const uint64_t address =
        q.completion_ring + uint64_t{8u << q.setup.entry_log} * q.completion_cidx;
    const uint64_t entry = host_.Read64(address);
    if ((entry >> 1 & 1) != q.colour) return std::nullopt;
    EXPECT_EQ(entry & 0xd, 8u) << "format 0, no error, a descriptor used";
    EXPECT_EQ(entry >> 20, 0u);
    size_t length = entry >> 4 & 0xffff;
    Bytes packet;
    uint32_t used = 0;
    do {
      const size_t piece = std::min<size_t>(length, q.buffer_bytes);
      const uint8_t* from = host_.At(q.c2h_memory + uint64_t{q.buffer_bytes} * q.c2h_next);
      packet.insert(packet.end(), from, from + piece);
      q.c2h_next = (q.c2h_next + 1) % q.c2h_entries;
      length -= piece;
      ++used;
    } while (length > 0);
    if (++q.completion_cidx == q.completion_entries) {
      q.completion_cidx = 0;
      q.colour = !q.colour;
    }
    PostBuffers(q, used);
    return packet;
  }
  void RingCompletion(const Queue& q, uint32_t mode_bits = 0) {
    Doorbell(3, q.setup.qid, q.completion_cidx | mode_bits);
  }
  uint64_t CompletionStatus(const Queue& q) {
    return host_.Read64(q.completion_ring +
                        uint64_t{8u << q.setup.entry_log} * q.completion_entries);
  }

 private:
  static uint32_t Low(uint64_t value) { return static_cast<uint32_t>(value); }
  static uint32_t High(uint64_t value) { return static_cast<uint32_t>(value >> 32); }

  TestHost& host_;
  ReadFunction read_;
  WriteFunction write_;
};

class QdmaTest : public SeededTest {
 protected:
  static constexpr unsigned kPorts = 4;

  TestDriver::Queue OpenQueue(QueueSetup setup = {}) { return driver_.Open(setup); }
  void Sizes(std::vector<uint32_t> rings, std::vector<uint32_t> buffers = {2048}) {
    driver_.WriteArray(0x204, rings);
    driver_.WriteArray(0xAB0, buffers);
    driver_.MapFunction(0, kPorts);
  }
  void PollAll() {
    while (device_.Poll()) {
    }
  }
  Bytes Packet(size_t bytes) { return RandomBytes(bytes, rng_); }

  int64_t now_ps_ = 0;
  TestHost host_;
  TestCard card_{kPorts};
  qdma::Device device_{host_, card_, [this] { return now_ps_; }};
  TestDriver driver_{host_, device_};
};

}  // namespace ullnic
