// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Drivers of a card's host ports: a master of its registers, a driver of packets to the card and a
// monitor of packets from it. Outputs are registers of the host clock: they change after an edge
// and are sampled before the next.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <span>
#include <string>

#include "card/back_pressure.h"
#include "core/frame.h"
#include "core/rng.h"
#include "nic/host_ports.h"

namespace ullnic {

// The first violation of a rule, and their number.
class Violations {
 public:
  void Add(const std::string& what) {
    if (count_++ == 0) first_ = what;
  }
  uint64_t count() const { return count_; }
  const std::string& first() const { return first_; }

 private:
  uint64_t count_ = 0;
  std::string first_;
};

// AXI4-Lite, one access at a time, in the order of the calls.
class RegisterMaster {
 public:
  struct Counts {
    uint64_t reads = 0, writes = 0, errors = 0;
  };

  void Read(uint32_t address, std::function<void(uint32_t)> done);
  void Write(uint32_t address, uint32_t value, std::function<void()> done);
  bool busy() const { return !queue_.empty(); }
  void Show(HostOutputs& out) const;
  const Counts& counts() const { return counts_; }

  // A clock edge. Returns whether anything was transferred.
  bool Clock(const HostInputs& in, Violations& violations);

 private:
  struct Access {
    bool write;
    uint32_t address;
    uint32_t value;
    std::function<void(uint32_t)> read_done;
    std::function<void()> write_done;
  };

  // Timeout: every access completes within this time (the card's rule), and a program must not hang
  // if one does not.
  static constexpr uint32_t kMaxEdges = 100'000;

  void Begin();
  void End(uint32_t value, bool error);

  std::deque<Access> queue_;
  bool under_way_ = false;
  uint32_t edges_ = 0;
  struct Valid {
    bool aw = false, w = false, b = false, ar = false, r = false;  // ready of b and r
  };
  Valid valid_;
  uint32_t address_ = 0, wdata_ = 0;
  Counts counts_;
};

class H2cDriver {
 public:
  // pause: the probability that an edge within a packet has no word.
  H2cDriver(double pause, uint64_t seed) : pause_(pause), rng_(seed) {}

  // False: no room now.
  bool Offer(std::span<const uint8_t> packet);
  // Discards packets that the card has not begun to accept.
  void Drop();
  size_t backlog() const { return queue_.size(); }
  const HostWord& word() const { return word_; }
  uint64_t packets() const { return packets_; }
  uint64_t bytes() const { return bytes_; }

  bool Clock(bool tready);

 private:
  static constexpr size_t kMaxPackets = 8;  // that wait here

  void Present();

  double pause_;
  Rng rng_;
  std::deque<Bytes> queue_;
  size_t offset_ = 0;  // of the next word of the oldest packet
  HostWord word_;
  uint64_t packets_ = 0, bytes_ = 0;
};

// Assembles packets from words and checks the rules of the card's port, including those of the
// packet's header (design: cards/common).
class C2hMonitor {
 public:
  C2hMonitor(unsigned port, const BackPressureConfig& stall) : port_(port), stall_(stall) {}

  bool tready() const { return stall_.tready() && waiting_.size() < kMaxPackets; }
  size_t waiting() const { return waiting_.size(); }
  const Bytes& front() const { return waiting_.front(); }
  void Pop() { waiting_.pop_front(); }
  void Drop() { waiting_.clear(); }
  uint64_t packets() const { return packets_; }
  uint64_t bytes() const { return bytes_; }

  // `tready`: as the card saw it.
  bool Clock(const HostWord& word, bool tready, Violations& violations);

 private:
  static constexpr size_t kMaxPackets = 16;  // that wait here for the DMA

  void Take(const HostWord& word, Violations& violations);
  void CheckHeader(Violations& violations);

  unsigned port_;
  BackPressure stall_;
  std::deque<Bytes> waiting_;
  Bytes current_;
  HostWord held_;  // valid and not accepted at the previous edge
  uint32_t next_sequence_ = 0;
  uint64_t packets_ = 0, bytes_ = 0;
};

// The header of a packet from the card.
struct C2hHeader {
  static constexpr size_t kBytes = 16;
  static constexpr uint8_t kReceived = 0, kMirror = 1, kMirrorBad = 2;

  uint16_t length;
  uint8_t type;
  uint8_t port;
  uint32_t sequence;
  uint64_t timestamp;

  static C2hHeader Read(std::span<const uint8_t> packet);
  void Append(Bytes& packet) const;
};

}  // namespace ullnic
