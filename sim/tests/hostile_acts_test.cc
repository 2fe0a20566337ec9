// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// The attacker of the TCP soak against the port's connections: numbers in relation to theirs.

#include <deque>
#include <nlohmann/json.hpp>
#include <set>

#include "stack/hostile_port.h"
#include "test_support.h"

namespace ullnic {
namespace {

using namespace tcp_flag;

constexpr uint64_t kTargetMac = 0x020000000070, kPeerMac = 0x020000000001;
constexpr uint32_t kTargetIp = 0xc6120007, kPeerIp = 0xc6120001;

// Frames provided by a test.
class Script final : public FramePort {
 public:
  explicit Script(std::deque<Bytes>& frames) : frames_(frames) {}
  nlohmann::json Describe() const override { return {{"kind", "script"}}; }
  bool Receive(Frame& frame) override {
    if (frames_.empty()) return false;
    frame.bytes = frames_.front();
    frames_.pop_front();
    return true;
  }
  void Deliver(const Bytes&, int64_t) override {}
  bool finished() const override { return false; }

 private:
  std::deque<Bytes>& frames_;
};

class HostileActs : public testing::Test {
 protected:
  // A segment of the port, or the card, on the connection with this peer port.
  TcpFrame Segment(uint16_t port, uint32_t seq, uint32_t ack, uint8_t flags) const {
    return {.to_mac = kTargetMac,
            .from_mac = kPeerMac,
            .from_ip = kPeerIp,
            .to_ip = kTargetIp,
            .from_port = port,
            .to_port = 7,
            .seq = seq,
            .ack = ack,
            .flags = flags,
            .window = 1000};
  }
  TcpFrame Answer(uint16_t port, uint32_t seq, uint32_t ack, uint8_t flags) const {
    TcpFrame f = Segment(port, seq, ack, flags);
    std::swap(f.to_mac, f.from_mac);
    std::swap(f.to_ip, f.from_ip);
    std::swap(f.to_port, f.from_port);
    return f;
  }
  // Sends it from the port; returns the attacker's frames.
  std::vector<TcpFrame> Send(const TcpFrame& segment) {
    frames_.push_back(segment.Write());
    std::vector<TcpFrame> added;
    for (Frame frame; port_.Receive(frame);) {
      const auto read = TcpFrame::Read(frame.bytes);
      if (read && read->from_mac == HostilePort::kAttackerMac) added.push_back(*read);
    }
    return added;
  }

  Rng rng_ = Rng::Stream(TestSeed(), 78);
  std::deque<Bytes> frames_;
  HostilePort port_{std::make_unique<Script>(frames_),
                    {.rate = 1, .seed = TestSeed(), .card_mac = kTargetMac, .card_ip = kTargetIp}};
};

TEST_F(HostileActs, KeepTheConnectionsNumbers) {
  std::set<std::string> met;
  for (const uint32_t card : {0xc000'0000U, 0x4000'0000U, 0xffff'ffffU}) {
    const auto port = static_cast<uint16_t>(5000 + (card >> 28));
    const uint32_t peer = 0xffff'fff0U;
    Send(Segment(port, peer, 0, kSyn));
    port_.Deliver(Answer(port, card, peer + 1, kSyn | kAck).Write(), 0);
    TcpFrame data = Segment(port, peer + 1, card + 1, kAck);
    data.payload = Bytes(100, 1);
    Send(data);
    TcpFrame echo = Answer(port, card + 1, peer + 101, kAck);
    echo.payload = Bytes(50, 2);
    port_.Deliver(echo.Write(), 0);
    TcpFrame ack = Segment(port, peer + 101, card + 51, kAck);
    ack.options = {1, 1, 8, 10, 0, 0, 0, 1, 0, 0, 0, 2};
    for (int i = 0; i < 1500; ++i) {
      for (const TcpFrame& f : Send(ack)) {
        if (f.from_port != port || f.from_ip != kPeerIp || f.to_port != 7) continue;
        EXPECT_EQ(f.to_mac, kTargetMac);
        EXPECT_EQ(f.to_ip, kTargetIp);
        const uint32_t beyond = f.seq - ack.seq, acks = f.ack - ack.ack;
        if (f.flags == kAck && f.payload.empty()) {
          EXPECT_TRUE(f.options.empty());
          const bool old = acks >= -8000U, now = acks == 0;
          const bool future = acks >= 100'000 && acks <= 1U << 30;
          EXPECT_TRUE(old || now || future) << acks;
          EXPECT_EQ(beyond, 0U);
          met.insert(now ? "ack" : old ? "old" : "future");
        } else if (f.flags == kRst) {  // not kVictimPort: never the exact number
          EXPECT_GE(beyond, 1600U);
          met.insert(beyond <= 8000 ? "near" : "far");
        } else if (f.flags == kAck && !f.payload.empty()) {
          const bool old = -beyond <= 2400, future = beyond >= 2 * 65536 && beyond <= 1U << 30;
          EXPECT_TRUE(old || future) << beyond;
          EXPECT_LE(f.payload.size(), 1400U);
          met.insert(old ? "old data" : "data beyond");
        }
      }
    }
    Send(Segment(port, ack.seq, ack.ack, kRst));
  }
  EXPECT_EQ(met.size(), 7U);
}

// A limited number of connections is tracked, and only those are attacked.
TEST_F(HostileActs, ForgetTheOldest) {
  std::set<uint16_t> struck;
  for (int i = 0; i < 300; ++i) {
    const auto port = static_cast<uint16_t>(6000 + i);
    Send(Segment(port, 1, 0, kSyn));
    port_.Deliver(Answer(port, 1, 2, kSyn | kAck).Write(), 0);
    port_.Deliver(Answer(port, 2, 100, kAck).Write(), 0);
    for (const TcpFrame& f : Send(Segment(port, 100, 2, kAck))) {
      if (f.from_ip != kPeerIp || f.from_port < 6000 || f.from_port >= 6300) continue;
      EXPECT_LE(f.from_port, port);
      EXPECT_GT(f.from_port + 64, port);
      struck.insert(f.from_port);
    }
  }
  EXPECT_GT(struck.size(), 50U);
}

TEST(TcpFrames, AreReadAsWritten) {
  Rng rng = Rng::Stream(TestSeed(), 79);
  for (int i = 0; i < 300; ++i) {
    TcpFrame f{.to_mac = rng.Next() >> 16,
               .from_mac = rng.Next() >> 16,
               .from_ip = rng.Word(),
               .to_ip = rng.Word(),
               .from_port = static_cast<uint16_t>(rng.Word()),
               .to_port = static_cast<uint16_t>(rng.Word()),
               .seq = rng.Word(),
               .ack = rng.Word(),
               .flags = static_cast<uint8_t>(rng.Below(64)),
               .window = static_cast<uint16_t>(rng.Word())};
    f.options = Bytes(4 * rng.Below(11), 1);
    f.payload = Bytes(rng.Below(30), static_cast<uint8_t>(i));
    const auto read = TcpFrame::Read(f.Write());
    ASSERT_TRUE(read);
    EXPECT_EQ(std::tie(read->to_mac, read->from_mac, read->from_ip, read->to_ip),
              std::tie(f.to_mac, f.from_mac, f.from_ip, f.to_ip));
    EXPECT_EQ(std::tie(read->from_port, read->to_port, read->seq, read->ack, read->flags),
              std::tie(f.from_port, f.to_port, f.seq, f.ack, f.flags));
    EXPECT_EQ(read->window, f.window);
    EXPECT_EQ(read->options, f.options);
    EXPECT_EQ(read->payload, f.payload);
    EXPECT_EQ(f.length(), f.payload.size() + f.has(kSyn) + f.has(kFin));
  }
}

}  // namespace
}  // namespace ullnic
