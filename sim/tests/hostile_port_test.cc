// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// The attacker of the TCP soak leaves nothing open: its connections end although frames are lost.

#include "stack/hostile_port.h"

#include <map>
#include <nlohmann/json.hpp>
#include <tuple>
#include <utility>

#include "test_support.h"

namespace ullnic {
namespace {

using namespace tcp_flag;

constexpr uint64_t kCardMac = 0x020000000070;
constexpr uint32_t kCardIp = 0xc6120007;

// A frame of no connection at each call: each is an occasion for the attacker.
class Occasions final : public FramePort {
 public:
  nlohmann::json Describe() const override { return {{"kind", "occasions"}}; }
  bool Receive(Frame& frame) override {
    frame.bytes = Bytes(60);
    return true;
  }
  void Deliver(const Bytes&, int64_t) override {}
  bool finished() const override { return false; }
};

// As much of TCP as the attacker's connections need: its only timer is for its SYN-ACK.
class Listener {
 public:
  Listener(HostilePort& port, Rng& rng) : port_(port), rng_(rng) {}

  // Processes the attacker's frames, up to the next occasion.
  void Take() {
    for (Frame frame; port_.Receive(frame) && Number(frame.bytes, 12, 2) != 0;) {
      const auto segment = TcpFrame::Read(frame.bytes);
      for (int copies = rng_.Chance(0.1) ? 2 : 1; segment && copies > 0; --copies) {
        if (!Lost()) Answer(*segment);
      }
    }
  }
  void SendAgain() {
    for (const auto& [key, session] : std::map(sessions_)) {
      if (!session.established) Send(key, session, kSyn | kAck, session.snd_nxt - 1);
    }
  }
  size_t sessions() const { return sessions_.size(); }
  uint64_t opened() const { return opened_; }

 private:
  using Key = std::tuple<uint32_t, uint16_t, uint16_t>;  // peer's address and port, own port
  struct Session {
    uint32_t rcv_nxt, snd_nxt;
    bool established = false;
  };

  bool Lost() { return rng_.Chance(0.2); }

  void Answer(const TcpFrame& f) {
    const Key key{f.from_ip, f.from_port, f.to_port};
    const auto found = sessions_.find(key);
    if (f.has(kRst)) {
      if (found != sessions_.end() && f.seq == found->second.rcv_nxt) sessions_.erase(found);
      return;
    }
    if (found == sessions_.end()) {
      if (f.flags == kSyn) {
        ++opened_;
        const auto& session = sessions_[key] = {.rcv_nxt = f.seq + 1, .snd_nxt = rng_.Word()};
        Send(key, session, kSyn | kAck, session.snd_nxt - 1);
      } else if (f.has(kAck)) {
        Send(key, {}, kRst, f.ack);
      }
      return;
    }
    Session& session = found->second;
    if (!f.has(kSyn) && f.seq == session.rcv_nxt) {
      session.established = true;
      session.rcv_nxt += f.length();
      if (f.length() == 0) return;
    }
    Send(key, session, kAck, session.snd_nxt);
  }

  void Send(const Key& key, const Session& session, uint8_t flags, uint32_t seq) {
    if (Lost()) return;
    const auto [ip, peer_port, own_port] = key;
    Bytes frame = TcpFrame{.to_mac = HostilePort::kAttackerMac,
                           .from_mac = kCardMac,
                           .from_ip = kCardIp,
                           .to_ip = ip,
                           .from_port = own_port,
                           .to_port = peer_port,
                           .seq = seq,
                           .ack = session.rcv_nxt,
                           .flags = flags}
                      .Write();
    if (rng_.Chance(0.1)) {
      frame[rng_.Range(kIpAt + 12, kTcpPayloadAt - 1)] ^= static_cast<uint8_t>(1 << rng_.Below(8));
    }
    // Some are overtaken by the next one
    const bool hold = held_.empty() && rng_.Chance(0.1);
    if (!hold) port_.Deliver(frame, 0);
    if (!held_.empty()) port_.Deliver(std::exchange(held_, {}), 0);
    if (hold) held_ = std::move(frame);
  }

  HostilePort& port_;
  Rng& rng_;
  std::map<Key, Session> sessions_;
  Bytes held_;
  uint64_t opened_ = 0;
};

TEST(HostilePortTest, EndsItsConnectionsOverABadLine) {
  Rng rng = Rng::Stream(TestSeed(), 77);
  HostilePort port(std::make_unique<Occasions>(),
                   {.rate = 1, .seed = TestSeed(), .card_mac = kCardMac, .card_ip = kCardIp});
  Listener card(port, rng);
  for (int i = 0; i < 3000; ++i) {
    card.Take();
    if (i % 8 == 0) card.SendAgain();
  }
  EXPECT_GT(card.opened(), 500u);
  for (int i = 0; i < 30'000 && card.sessions() != 0; ++i) {
    port.Calm();
    card.Take();
    if (i % 8 == 0) card.SendAgain();
  }
  EXPECT_EQ(card.sessions(), 0u);
}

}  // namespace
}  // namespace ullnic
