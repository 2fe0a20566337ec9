// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// The DMA in RTL between a host of plain memory and a card that is nothing but its host ports.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <utility>
#include <vector>

#include "card_dma/rtl_dma.h"
#include "core/rng.h"
#include "qdma_bench.h"

namespace ullnic {

// A card's host ports: registers that are memory, but for one that answers with an error, and
// streams with pauses. Packets to the host have the header that the DMA takes their length from.
class StreamCard {
 public:
  static constexpr uint32_t kRefused = 0x7fffc;

  StreamCard(uint64_t seed, double pause) : rng_(seed), pause_(pause) {}

  const HostInputs& shown() const { return in_; }
  // An edge: what the DMA showed before it.
  void Clock(const HostOutputs& out) {
    ClockRegisters(out);
    for (unsigned port = 0; port < card_dma::kPorts; ++port) {
      TakeWord(port, out.h2c[port]);
      ShowWord(port, out.c2h_ready[port]);
      in_.h2c_ready[port] = !is_stopped && !rng_.Chance(pause_);
    }
  }
  // Any bytes, behind a header.
  void SendToHost(unsigned port, const Bytes& payload) {
    Bytes packet;
    C2hHeader{.length = static_cast<uint16_t>(payload.size()),
              .type = 0,
              .port = static_cast<uint8_t>(port),
              .sequence = sequence_[port]++,
              .timestamp = 0}
        .Append(packet);
    packet.insert(packet.end(), payload.begin(), payload.end());
    to_host[port].push_back(std::move(packet));
  }

  std::map<uint32_t, uint32_t> registers;
  std::array<std::deque<Bytes>, card_dma::kPorts> to_host;  // the oldest may be under way
  std::array<std::vector<Bytes>, card_dma::kPorts> from_host;
  bool is_stopped = false;  // takes no word
  uint64_t words = 0;       // that have gone to it, and come from it

 private:
  void ClockRegisters(const HostOutputs& out) {
    if (in_.bvalid && out.bready) in_.bvalid = false;
    if (in_.rvalid && out.rready) in_.rvalid = false;
    const bool writes = in_.awready && out.awvalid && in_.wready && out.wvalid;
    const bool reads = in_.arready && out.arvalid;
    const bool is_refused = out.address == kRefused;
    if (writes) {
      if (!is_refused) registers[out.address] = out.wdata;
      in_.bvalid = true;
      in_.bresp = is_refused ? 2 : 0;
    }
    if (reads) {
      in_.rvalid = true;
      in_.rresp = is_refused ? 2 : 0;
      in_.rdata = registers[out.address];
    }
    const bool ready = !writes && !reads && !in_.bvalid && !in_.rvalid && !rng_.Chance(pause_);
    in_.awready = in_.wready = in_.arready = ready;
  }
  void TakeWord(unsigned port, const HostWord& word) {
    if (!word.tvalid || !in_.h2c_ready[port]) return;
    ++words;
    for (unsigned i = 0; i < kHostWordBytes; ++i) {
      if (word.tkeep >> i & 1) coming_[port].push_back(static_cast<uint8_t>(word.tdata >> 8 * i));
    }
    if (word.tlast) from_host[port].push_back(std::exchange(coming_[port], {}));
  }
  void ShowWord(unsigned port, bool ready) {
    HostWord& word = in_.c2h[port];
    size_t& at = offset_[port];
    if (word.tvalid) {
      if (!ready) return;
      ++words;
      at += kHostWordBytes;
      if (word.tlast) {
        to_host[port].pop_front();
        at = 0;
      }
      word = {};
    }
    if (to_host[port].empty() || rng_.Chance(pause_)) return;
    const Bytes& packet = to_host[port].front();
    const size_t count = std::min(packet.size() - at, kHostWordBytes);
    word = {.tkeep = static_cast<uint8_t>((1u << count) - 1),
            .tvalid = true,
            .tlast = at + count == packet.size()};
    std::memcpy(&word.tdata, packet.data() + at, count);
  }

  Rng rng_;
  double pause_;
  HostInputs in_{};
  std::array<size_t, card_dma::kPorts> offset_{};
  std::array<Bytes, card_dma::kPorts> coming_;
  std::array<uint32_t, card_dma::kPorts> sequence_{};
};

// Host, DMA and card; a step is an edge of their clock.
class DmaRig {
 public:
  DmaRig(uint64_t seed, double pause, bool is_gated)
      : dma(host, "trigger", {.is_gated = is_gated}), card(seed, pause) {}

  void Step() {
    const HostOutputs before = dma.outputs();
    dma.Clock(card.shown());
    card.Clock(before);
    ++edges;
  }
  // False: it did not come about.
  bool Until(const std::function<bool()>& holds, int most = 400'000) {
    for (int i = 0; i < most; ++i) {
      if (holds()) return true;
      Step();
    }
    return false;
  }
  uint32_t Read(unsigned bar, uint32_t address) {
    std::optional<uint32_t> answer;
    dma.Read(bar, address, [&](uint32_t value) { answer = value; });
    EXPECT_TRUE(Until([&] { return answer.has_value(); })) << "no answer";
    return answer.value_or(0);
  }
  void Write(unsigned bar, uint32_t address, uint32_t value) {
    dma.Write(bar, address, value, [] {});
  }

  TestHost host;
  card_dma::RtlDma dma;
  StreamCard card;
  TestDriver driver{host, [this](uint32_t address) { return Read(0, address); },
                    [this](uint32_t address, uint32_t value) { Write(0, address, value); }};
  uint64_t edges = 0;
};

}  // namespace ullnic
