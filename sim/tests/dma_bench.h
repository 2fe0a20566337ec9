// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// A DMA under test, the functional model or the RTL, with the same host, driver and card.
// Unspecified behaviour (when something happens, and how much of it at once) differs between them.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "card_dma_bench.h"
#include "qdma_bench.h"

namespace ullnic {

enum class DmaKind { kModel, kRtl };

class DmaBench {
 public:
  static constexpr unsigned kPorts = card_dma::kPorts;  // port q has queue q
  static constexpr int64_t kEdgePs = qdma::reg::kUserClockPs;
  static constexpr size_t kHeaderBytes = C2hHeader::kBytes;  // of each packet to the host

  virtual ~DmaBench() = default;

  virtual qdma::Dma& dma() = 0;
  virtual unsigned queues() const = 0;
  virtual unsigned functions() const = 0;
  // Advances time: an edge of the RTL's clock, or a Poll() of the model.
  virtual void Step() = 0;
  // Runs until nothing changes without the host, the card's room or a timer.
  virtual void Settle() = 0;
  void Wait(int64_t ps) {
    for (int64_t left = ps; left > 0; left -= kEdgePs) Step();
  }

  // Sends a packet with a card's header, all of which the host receives.
  Bytes SendToHost(unsigned port, const Bytes& payload) {
    Bytes packet;
    C2hHeader{.length = static_cast<uint16_t>(payload.size()),
              .type = C2hHeader::kReceived,
              .port = static_cast<uint8_t>(port),
              .sequence = sequence_[port]++,
              .timestamp = 0}
        .Append(packet);
    packet.insert(packet.end(), payload.begin(), payload.end());
    Queue(port).push_back(packet);
    return packet;
  }
  virtual std::deque<Bytes>& Queue(unsigned port) = 0;  // of packets to the host
  virtual std::vector<Bytes> TakeFromHost(unsigned port) = 0;
  // The card accepts nothing.
  virtual void Stop(bool is_stopped) = 0;

  // Discards packets to the host that a DMA without queues has left.
  virtual void Drop(unsigned port) = 0;

  virtual uint32_t Read(unsigned bar, uint32_t address) = 0;
  void Write(unsigned bar, uint32_t address, uint32_t value) {
    ++accesses;
    dma().Write(bar, address, value, [] {});
  }

  TestHost host;
  TestDriver driver{host, [this](uint32_t address) { return Read(0, address); },
                    [this](uint32_t address, uint32_t value) { Write(0, address, value); }};
  uint64_t accesses = 0;  // of BARs

 private:
  std::array<uint32_t, kPorts> sequence_{};
};

class ModelBench final : public DmaBench {
 public:
  qdma::Dma& dma() override { return device_; }
  unsigned queues() const override { return qdma::reg::kQueues; }
  unsigned functions() const override { return qdma::reg::kFunctions; }
  void Step() override {
    now_ps_ += kEdgePs;
    device_.Poll();
  }
  void Settle() override {
    while (device_.Poll()) {
    }
  }
  std::deque<Bytes>& Queue(unsigned port) override { return card_.to_host[port]; }
  std::vector<Bytes> TakeFromHost(unsigned port) override {
    const std::deque<Bytes> packets = std::exchange(card_.from_host[port], {});
    return {packets.begin(), packets.end()};
  }
  void Stop(bool is_stopped) override { card_.room = is_stopped ? 0 : 1'000'000; }
  void Drop(unsigned port) override { card_.to_host[port].clear(); }
  uint32_t Read(unsigned bar, uint32_t address) override {
    ++accesses;
    std::optional<uint32_t> answer;
    device_.Read(bar, address, [&](uint32_t value) { answer = value; });
    for (; !card_.answers.empty(); card_.answers.pop_front()) card_.answers.front()();
    return answer.value();
  }

 private:
  int64_t now_ps_ = 0;
  TestCard card_{kPorts};
  qdma::Device device_{host, card_, [this] { return now_ps_; }};
};

class RtlBench final : public DmaBench {
 public:
  RtlBench(uint64_t seed, double pause) : dma_(host, {0x0800c}, {}), card_(seed, pause) {}

  qdma::Dma& dma() override { return dma_; }
  unsigned queues() const override { return 64; }
  unsigned functions() const override { return 256; }
  void Step() override {
    const HostOutputs before = dma_.outputs();
    dma_.Clock(card_.shown());
    card_.Clock(before);
  }
  void Settle() override {
    Read(0, 0);  // earlier writes have been done
    uint64_t seen = 0;
    for (int quiet = 0; quiet < kQuietEdges; ++quiet) {
      Step();
      const uint64_t moved = host.accesses + card_.words;
      if (moved != seen) quiet = 0;
      seen = moved;
    }
  }
  std::deque<Bytes>& Queue(unsigned port) override { return card_.to_host[port]; }
  std::vector<Bytes> TakeFromHost(unsigned port) override {
    return std::exchange(card_.from_host[port], {});
  }
  void Stop(bool is_stopped) override { card_.is_stopped = is_stopped; }
  void Drop(unsigned) override { Step(); }  // it discards them
  uint32_t Read(unsigned bar, uint32_t address) override {
    ++accesses;
    std::optional<uint32_t> answer;
    dma_.Read(bar, address, [&](uint32_t value) { answer = value; });
    for (int i = 0; i < kMostEdges && !answer; ++i) Step();
    if (!answer) throw std::runtime_error("the DMA does not answer");
    return *answer;
  }

 private:
  static constexpr int kQuietEdges = 300;  // more than the clock needs to stop
  static constexpr int kMostEdges = 100'000;

  card_dma::RtlDma dma_;
  StreamCard card_;
};

inline std::unique_ptr<DmaBench> MakeDmaBench(DmaKind kind, uint64_t seed, double pause = 0.1) {
  if (kind == DmaKind::kModel) return std::make_unique<ModelBench>();
  return std::make_unique<RtlBench>(seed, pause);
}

// Runs on the model and on the RTL.
class DmaTest : public SeededTest, public ::testing::WithParamInterface<DmaKind> {
 protected:
  static constexpr unsigned kPorts = DmaBench::kPorts;

  bool is_rtl() const { return GetParam() == DmaKind::kRtl; }
  TestDriver::Queue OpenQueue(QueueSetup setup = {}) { return driver_.Open(setup); }
  void Sizes(std::vector<uint32_t> rings, std::vector<uint32_t> buffers = {2048}) {
    driver_.WriteArray(0x204, rings);
    driver_.WriteArray(0xAB0, buffers);
    driver_.MapFunction(0, kPorts);
  }
  void Settle() { bench_->Settle(); }
  Bytes Packet(size_t bytes) { return RandomBytes(bytes, rng_); }
  // Sends this many bytes, including the header.
  Bytes SendToHost(unsigned port, size_t bytes) {
    return bench_->SendToHost(port, Packet(bytes - DmaBench::kHeaderBytes));
  }
  // Exactly one packet has arrived since the last call.
  void ExpectFromHost(unsigned port, const Bytes& packet) {
    const std::vector<Bytes> packets = bench_->TakeFromHost(port);
    ASSERT_EQ(packets.size(), 1u) << "port " << port;
    EXPECT_EQ(packets.front(), packet) << "port " << port;
  }

  std::unique_ptr<DmaBench> bench_ = MakeDmaBench(GetParam(), TestSeed());
  TestHost& host_ = bench_->host;
  TestDriver& driver_ = bench_->driver;
};

inline std::string NameOfDma(const ::testing::TestParamInfo<DmaKind>& info) {
  return info.param == DmaKind::kModel ? "Model" : "Rtl";
}

// For each file of such tests.
#define ULLNIC_BOTH_DMAS(fixture)                                                           \
  INSTANTIATE_TEST_SUITE_P(Dma, fixture, ::testing::Values(DmaKind::kModel, DmaKind::kRtl), \
                           NameOfDma)

}  // namespace ullnic
