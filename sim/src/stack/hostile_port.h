// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Hostile frames among those of a port, at random from a seed: an attacker that sees all frames and
// inserts its own after the port's. They have the source kAttackerMac; frames of the card to that
// address do not reach the port.
//
// None of them may affect a connection of the port: RST and SYN close to the right sequence number
// (RFC 5961), old, duplicate or invalid ACKs, payload that is old or beyond the window, and, with
// the expected sequence number, bad checksums, wrong lengths and offsets, fragments, IP options,
// invalid flags. Closed, tiny or shrunken windows are forged as from the peer; its next segment
// opens them again. The attacker also opens its own connections, by SYNs from any address, with any
// options, and responds to the card with RST, with payload, or not at all.
//
// Only a connection to kVictimPort is actually reset: RST with the expected sequence number.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <vector>

#include "core/rng.h"
#include "port/frame_port.h"
#include "stack/tcp_frame.h"

namespace ullnic {

class HostilePort final : public FramePort {
 public:
  static constexpr uint64_t kAttackerMac = 0x020000000066;
  static constexpr uint16_t kVictimPort = 9;

  struct Config {
    double rate = 0;  // acts per frame of the port; some acts are many frames
    uint64_t seed = 1;
    uint64_t card_mac = 0;
    uint32_t card_ip = 0;
  };

  HostilePort(std::unique_ptr<FramePort> inner, const Config& config)
      : inner_(std::move(inner)), config_(config), rng_(config.seed) {}

  // From now on the attacker only ends its own connections, one more at each call.
  void Calm();
  // Resumes the attack.
  void Resume() { calm_ = false; }

  nlohmann::json Describe() const override;
  bool Receive(Frame& frame) override;
  void Deliver(const Bytes& frame, int64_t time_ps) override;
  int poll_fd() const override { return inner_->poll_fd(); }
  bool finished() const override { return inner_->finished() && ready_.empty(); }
  void Flush() override { inner_->Flush(); }
  std::string Finish(bool complete) override { return inner_->Finish(complete); }
  nlohmann::json Report() const override;
  PortCounters counters() const override { return inner_->counters(); }

 private:
  // The observed state of a connection of the port, or of the attacker.
  struct Connection {
    TcpFrame last;         // to the card; without its payload and options
    uint32_t snd_nxt = 0;  // after all data sent to the card
    uint32_t card_una = 0,
             card_nxt = 0;    // acknowledged by the card; after all data sent by it
    bool data_acked = false;  // so it is established on the card, too
    bool peer_fin = false, card_fin = false;
  };
  using Key = uint64_t;  // the peer's address, its port, the card's port

  enum Act : size_t {
    kRstNear,
    kRstFar,
    kSynInside,
    kAckOld,
    kAckStorm,
    kAckFuture,
    kDataOld,
    kDataBeyond,
    kWindow,
    kOffset,
    kLength,
    kTcpSum,
    kIpSum,
    kFragment,
    kIpOptions,
    kFlags,
    kRstExact,
    kSynFlood,
    kRubbish,
    kActs
  };
  static const std::array<const char*, kActs> kNames;

  void Watch(const TcpFrame& frame);
  void Strike();
  bool StrikeConnection(Act act);
  const Connection* Target(Act act);
  void Damage(Act act, TcpFrame due);
  void SynFlood();
  void Rubbish();
  void Answer(const TcpFrame& frame);
  void Reset(const Connection& connection);
  void Put(const TcpFrame& frame) { ready_.push_back(frame.Write()); }
  Bytes RandomBytes(size_t count);
  Bytes RandomOptions();

  std::unique_ptr<FramePort> inner_;
  Config config_;
  Rng rng_;
  std::map<Key, Connection> good_, own_;
  std::deque<Key> order_;  // of good_, oldest first
  std::deque<Bytes> ready_;
  bool calm_ = false;
  std::array<uint64_t, kActs> acts_{};
  uint64_t frames_ = 0, heard_ = 0;
};

}  // namespace ullnic
