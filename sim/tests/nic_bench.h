// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// A whole card with its far ends, and a host that accepts every packet at once.
#pragma once

#include <algorithm>
#include <deque>
#include <utility>
#include <vector>

#include "nic/host_drivers.h"
#include "nic/nic_rig.h"
#include "test_support.h"

namespace ullnic {

// A chunk from software (cores/ate/README.md).
inline Bytes Chunk(uint8_t type, const Bytes& content) {
  constexpr size_t kHeader = 8, kPadding = 2;
  const size_t length = kPadding + content.size();
  Bytes chunk(kHeader + length);
  chunk[4] = static_cast<uint8_t>(length);
  chunk[5] = static_cast<uint8_t>(length >> 8);
  chunk[6] = type;
  std::copy(content.begin(), content.end(), chunk.begin() + kHeader + kPadding);
  return chunk;
}
inline Bytes RawChunk(const Bytes& frame) { return Chunk(1, frame); }

// The register map that the tests need (cards/common, cores/ate).
constexpr uint32_t ConnectionAt(unsigned port, unsigned id) {
  return 0x40000u | port << 15 | id << 6;
}

class NicBench {
 public:
  struct ToHost {
    C2hHeader header;
    Bytes frame;
  };

  explicit NicBench(const NicRig::Config& config) : rig_(config) {
    const unsigned ports = rig_.info().ports;
    to_host_.resize(ports);
    to_send_.resize(ports);
    heard_.resize(ports);
    sent_.resize(ports);
    for (unsigned port = 0; port < ports; ++port) {
      rig_.far_end(port).set_on_heard([this, port](HeardFrame&& f) { heard_[port].push_back(f); });
      rig_.far_end(port).set_on_sent([this, port](HeardFrame&& f) { sent_[port].push_back(f); });
    }
    rig_.AcquireLock();
  }

  NicRig& rig() { return rig_; }
  NicCard& card() { return rig_.card(); }
  std::vector<ToHost>& to_host(unsigned port) { return to_host_[port]; }
  std::vector<HeardFrame>& heard(unsigned port) { return heard_[port]; }
  std::vector<HeardFrame>& sent(unsigned port) { return sent_[port]; }

  void FromHost(unsigned port, Bytes packet) { to_send_[port].push_back(std::move(packet)); }
  void FromFarEnd(unsigned port, Bytes bytes, uint32_t idle = 0) {
    auto frame = std::make_shared<Frame>();
    frame->bytes = std::move(bytes);
    frame->idle_cycles_before = idle;
    rig_.far_end(port).Send(std::move(frame));
  }

  void Step() {
    for (unsigned port = 0; port < to_send_.size(); ++port) {
      auto& queue = to_send_[port];
      while (!queue.empty() && card().SendH2c(port, queue.front())) queue.pop_front();
    }
    rig_.Cycles(16);
    for (unsigned port = 0; takes_ && port < to_host_.size(); ++port) {
      for (auto p = card().PeekC2h(port); !p.empty(); p = card().PeekC2h(port)) {
        to_host_[port].push_back(
            {C2hHeader::Read(p), Bytes(p.begin() + C2hHeader::kBytes, p.end())});
        card().PopC2h(port);
      }
    }
  }
  void set_takes(bool takes) { takes_ = takes; }  // the host accepts packets

  // Runs until everything is idle. False: that never happens.
  bool Drain() {
    for (int i = 0; i < 200'000; ++i) {
      Step();
      if (rig_.idle()) return true;
    }
    return false;
  }

  uint32_t Read(uint32_t address) {
    uint32_t result = 0;
    bool done = false;
    card().ReadUser(address, [&](uint32_t value) {
      result = value;
      done = true;
    });
    while (!done) Step();
    return result;
  }
  void Write(uint32_t address, uint32_t value) {
    bool done = false;
    card().WriteUser(address, value, [&] { done = true; });
    while (!done) Step();
  }

  // A connection whose checksums start at 0, for tests that do not check them.
  void Connect(unsigned port, unsigned id) {
    const uint32_t at = ConnectionAt(port, id);
    for (uint32_t offset = 0; offset < 60; offset += 4) {
      if (offset != 48) Write(at + offset, 0x01010101 * (offset / 4 + 1));
    }
    Write(at + 56, 0);
    Write(at + 48, 1);
  }

  void ExpectNoViolation() {
    const NicCounters counters = card().counters(0);
    EXPECT_EQ(counters.violations, 0u) << counters.first_violation;
    for (unsigned port = 0; port < heard_.size(); ++port) {
      const auto& decoder = rig_.far_end(port).heard().receiver().decoder();
      EXPECT_EQ(decoder.breaches(), 0u) << "port " << port << ": " << decoder.first_breach();
    }
  }

 private:
  NicRig rig_;
  bool takes_ = true;
  std::vector<std::vector<ToHost>> to_host_;
  std::vector<std::deque<Bytes>> to_send_;
  std::vector<std::vector<HeardFrame>> heard_, sent_;
};

}  // namespace ullnic
