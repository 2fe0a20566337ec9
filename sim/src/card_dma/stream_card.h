// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// A card that has only host ports.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <deque>
#include <map>
#include <utility>
#include <vector>

#include "card_dma/model.h"
#include "core/rng.h"
#include "nic/host_drivers.h"
#include "nic/host_ports.h"

namespace ullnic {

// A card's host ports: registers that are memory, except for one that responds with an error, and
// streams with pauses. Packets to the host have the header from which the DMA takes their length.
class StreamCard {
 public:
  static constexpr uint32_t kRefused = 0x7fffc;

  StreamCard(uint64_t seed, double pause) : rng_(seed), pause_(pause) {}

  const HostInputs& shown() const { return in_; }
  // An edge, with the DMA's outputs before it.
  void Clock(const HostOutputs& out) {
    ClockRegisters(out);
    for (unsigned port = 0; port < card_dma::kPorts; ++port) {
      TakeWord(port, out.h2c[port]);
      ShowWord(port, out.c2h_ready[port]);
      const bool has_room = to_host[port].size() < depth;
      const bool is_paused_now = is_stopped || is_paused[port] || rng_.Chance(pause_);
      in_.h2c_ready[port] = has_room && !is_paused_now;
    }
  }
  // Sends any bytes, after a header.
  void SendToHost(unsigned port, const Bytes& payload, uint64_t timestamp = 0) {
    Bytes packet;
    C2hHeader{.length = static_cast<uint16_t>(payload.size()),
              .type = 0,
              .port = static_cast<uint8_t>(port),
              .sequence = sequence_[port]++,
              .timestamp = timestamp}
        .Append(packet);
    packet.insert(packet.end(), payload.begin(), payload.end());
    to_host[port].push_back(std::move(packet));
  }
  // Discards queued packets and sequence numbers. A packet in progress to the host continues, one
  // from the host is lost.
  void Forget() {
    for (unsigned port = 0; port < card_dma::kPorts; ++port) {
      to_host[port].resize(in_.c2h[port].tvalid || offset_[port] > 0 ? 1 : 0);
      from_host[port].clear();
      is_lost_[port] = !coming_[port].empty();
      sequence_[port] = 0;
    }
  }

  std::map<uint32_t, uint32_t> registers;
  std::array<std::deque<Bytes>, card_dma::kPorts> to_host;  // the oldest may be in progress
  std::array<std::vector<Bytes>, card_dma::kPorts> from_host;
  bool is_stopped = false;                         // accepts no word
  std::array<bool, card_dma::kPorts> is_paused{};  // accepts no word of a port
  uint64_t words = 0;                              // in both directions
  size_t depth = SIZE_MAX;                         // most packets that wait for a port

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
    if (!word.tlast) return;
    if (!is_lost_[port]) from_host[port].push_back(std::move(coming_[port]));
    coming_[port].clear();
    is_lost_[port] = false;
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
  std::array<bool, card_dma::kPorts> is_lost_{};
  std::array<uint32_t, card_dma::kPorts> sequence_{};
};

}  // namespace ullnic
