// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// An engine with a line per direction, a user that offers packets and receives, and a peer at the
// far end of one session. Any error ends the run with a UserError.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <string>

#include "core/rng.h"
#include "toe_sweep/engine.h"
#include "toe_sweep/line.h"
#include "toe_sweep/peer.h"

namespace ullnic::toe {

constexpr uint16_t kMss = 2048;

// What the user provides with the first beat of a packet.
enum class Given : uint8_t { kNothing, kLength, kLengthAndSum };

// A user that offers packets, each as soon as the previous one has been accepted.
class Sender {
 public:
  void Offer(Bytes payload, Given given, uint16_t session) {
    packets_.push_back({.payload = std::move(payload), .given = given, .session = session});
  }
  void Drive(Inputs& inputs, int64_t cycle);
  // The beat has been accepted.
  void Taken();
  bool idle() const { return packets_.empty(); }
  size_t waiting() const { return packets_.size(); }
  int64_t offered() const { return offered_; }  // cycle of the newest packet's first beat

 private:
  struct Packet {
    Bytes payload;
    Given given;
    uint16_t session;
  };
  std::deque<Packet> packets_;
  size_t at_ = 0;
  bool fresh_ = true;
  int64_t offered_ = 0;
};

// A user that accepts every beat at once, and checks the data.
class Receiver {
 public:
  void Expect(const Bytes& payload) { due_.insert(due_.end(), payload.begin(), payload.end()); }
  void Take(const Beat& beat, int64_t cycle);
  size_t missing() const { return due_.size(); }
  // Cycle of the first beat with a byte after the last call of Forget().
  int64_t first_beat() const { return first_beat_; }
  void Forget() { first_beat_ = -1; }

 private:
  Bytes segment_;  // so far
  std::deque<uint8_t> due_;
  int64_t first_beat_ = -1;
};

class Bench {
 public:
  Bench(const LineClock& clock, uint64_t seed);

  // Opens one session: the engine listens, the peer connects.
  void Open();
  void Cycle();
  void Cycles(int64_t count) {
    for (; count > 0; --count) Cycle();
  }
  // Runs until `holds` returns true; a UserError after the time limit.
  void Until(const std::function<bool()>& holds, const char* what);

  // Sends a segment to the engine, at `units` at the earliest.
  int64_t Send(Bytes frame, int64_t units) { return arriving.Send(std::move(frame), units, share); }
  int64_t now() const { return cycle * clock.cycle; }  // units

  const LineClock clock;
  Rng rng;
  ArrivingLine arriving;
  LeavingLine leaving;
  Sender sender;
  Receiver receiver;
  std::unique_ptr<Peer> peer;
  uint16_t session = 0;
  int64_t cycle = 0;
  int share = 100;       // of the arriving line that the peer uses, percent
  uint64_t dropped = 0;  // frames, by the engine

  // Called with each transmitted segment, after its check, and its payload.
  std::function<void(const LeftFrame&, const Bytes&)> on_segment;

 private:
  [[noreturn]] void Fail(const std::string& what) const;

  std::unique_ptr<Engine> engine_;
  Inputs inputs_;
  int64_t tick_cycles_, next_tick_ = 0;
  bool open_ = false;
  std::deque<LeftFrame> left_;  // of the handshake
};

[[noreturn]] void Fault(const std::string& what);

}  // namespace ullnic::toe
