// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Hostile frames among those of a port, by chance from a seed: an attacker who sees all that
// passes, and sends frames of its own behind the port's. They come from kAttackerMac, and what the
// card sends there does not reach the port.
//
// None of them may harm a connection of the port: RST and SYN of about the right sequence number
// (RFC 5961), ACKs that are old, many or not true, payload that is old or beyond the window, and,
// with the sequence number that is due, wrong checksums, wrong lengths and offsets, fragments, IP
// options, flags that make no sense. Windows that are closed, tiny or shrunk come as of the peer;
// his next true word opens them. The attacker opens connections of its own too, SYN by SYN from
// anywhere, with options of any kind, and answers what comes of it with RST, with a payload, or not
// at all.
//
// Only a connection to kVictimPort gets what ends it: RST with the sequence number that is due.
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
    double rate = 0;  // acts for each frame of the port; some acts are many frames
    uint64_t seed = 1;
    uint64_t card_mac = 0;
    uint32_t card_ip = 0;
  };

  HostilePort(std::unique_ptr<FramePort> inner, const Config& config)
      : inner_(std::move(inner)), config_(config), rng_(config.seed) {}

  // From now on only the attacker's own connections are ended, one more at each call.
  void Calm();
  // It strikes again.
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
  // A connection of the port, or of the attacker, as far as has been seen.
  struct Connection {
    TcpFrame last;         // to the card; its payload and options are left out
    uint32_t snd_nxt = 0;  // behind all that was sent to the card
    uint32_t card_una = 0,
             card_nxt = 0;    // what the card has acknowledged; behind all that it has sent
    bool data_acked = false;  // so it is established for the card, too
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
