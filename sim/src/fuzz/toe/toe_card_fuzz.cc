// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// The fuzzer of cards/toe: macpcs, toe and the applications, through the line and the registers.
// Peers of the echo service conform to TCP. At the same time there are an attacker
// (stack/hostile_port.h), frames with every kind of damage (hostile_frames.h) and a host that
// writes to read-only and nonexistent registers.
//
// - Progress: in the calm every byte is echoed, the card answers ARP and ping, and accepts a new
//   connection.
// - State: no peer's connection ends, and each carries only the bytes sent.
// - Counters: each frame with a damaged checksum is counted as such.
// - Line: the card conforms to the standard; a frame that it aborts has a bad FCS.
// - Rest: after the peers' connections have ended every session listens again, and nothing is left
//   in a FIFO, a count or a table (stack/at_rest.h).

#include <fmt/ranges.h>

#include <nlohmann/json.hpp>

#include "fuzz/toe/echo_peer.h"
#include "fuzz/toe/hostile_frames.h"
#include "nic/far_end.h"
#include "port/frame_port.h"
#include "stack/at_rest.h"
#include "stack/hostile_port.h"
#include "stack/stack_card.h"

namespace ullnic::fuzz {
namespace {

constexpr uint64_t kBatchCycles = 32, kLockCycles = 800'000, kAfterFaultCycles = 600;
constexpr uint64_t kTickCycles = 1500;
constexpr uint64_t kAnswerCycles = 20'000;   // ARP and ping, all frames before them included
constexpr uint64_t kCalmCycles = 3'000'000;  // with timers at their fastest
constexpr size_t kPeers = 8;
constexpr uint64_t kRestEvery = 16;  // rounds
constexpr PeerAddresses kAddresses = {.own_mac = 0x020000000001,
                                      .card_mac = 0x020000000070,
                                      .own_ip = 198u << 24 | 18u << 16 | 1,
                                      .card_ip = 198u << 24 | 18u << 16 | 7};
// Counters, cores/toe/regs/README.md
constexpr size_t kIpBad = 0, kChecksum = 3, kAnswered = 12;

SerialLine MakeLine(int delay_ui) {
  return SerialLine({.word_bits = StackCard::kWordBits, .delay_ui = delay_ui});
}

// The reply of a host that has no such connection (RFC 9293, 3.10.7.1).
TcpFrame NoConnection(const TcpFrame& frame) {
  return {.to_mac = kAddresses.card_mac,
          .from_mac = frame.to_mac,
          .from_ip = frame.to_ip,
          .to_ip = frame.from_ip,
          .from_port = frame.to_port,
          .to_port = frame.from_port,
          .seq = frame.ack,
          .flags = tcp_flag::kRst,
          .options = {},
          .payload = {}};
}

// All peers as one port.
class PeersPort final : public FramePort {
 public:
  explicit PeersPort(uint64_t seed) : rng_(Rng::Stream(seed, 10)) {}

  std::vector<EchoPeer> peers;
  bool more = true;  // peers send new bytes
  uint64_t now = 0;  // cycles
  Bytes last;        // segment with payload of an open peer
  uint64_t arps = 0, pongs = 0;

  nlohmann::json Describe() const override { return {{"kind", "peers"}}; }
  bool finished() const override { return false; }
  bool Receive(Frame& frame) override {
    if (!replies_.empty()) {
      frame.bytes = std::move(replies_.front());
      replies_.pop_front();
      return true;
    }
    for (size_t n = 0; n < peers.size(); ++n) {
      EchoPeer& peer = peers[next_++ % peers.size()];
      if (const auto segment = peer.Next(now, more, rng_)) {
        frame.bytes = segment->Write();
        if (!segment->payload.empty()) last = frame.bytes;
        return true;
      }
    }
    return false;
  }
  void Deliver(const Bytes& frame, int64_t) override {
    if (frame.size() >= 42 && Number(frame, 12, 2) == 0x0806) {
      if (Number(frame, 20, 2) == 1 && Number(frame, 38, 4) == kAddresses.own_ip) Reply(frame);
      if (Number(frame, 20, 2) == 2 && Number(frame, 38, 4) == kAddresses.own_ip) ++arps;
      return;
    }
    if (frame.size() > 42 && Number(frame, 12, 2) == 0x0800 && frame[kIpAt + 9] == 1 &&
        frame[kTcpAt] == 0 && Number(frame, kIpAt + 16, 4) == kAddresses.own_ip) {
      ++pongs;
      return;
    }
    const auto segment = TcpFrame::Read(frame);
    if (!segment || segment->from_port != 7 || segment->to_ip != kAddresses.own_ip) return;
    const auto peer = std::ranges::find(peers, segment->to_port, &EchoPeer::port);
    if (peer != peers.end())
      peer->Take(*segment);
    else if (!segment->has(tcp_flag::kRst))
      replies_.push_back(NoConnection(*segment).Write());
  }

 private:
  void Reply(const Bytes& request) {
    Bytes reply(60);
    std::copy(request.begin() + 6, request.begin() + 12, reply.begin());
    SetNumber(reply, 6, 6, kAddresses.own_mac);
    SetNumber(reply, 12, 8, 0x0806000108000604);
    SetNumber(reply, 20, 2, 2);
    SetNumber(reply, 22, 6, kAddresses.own_mac);
    SetNumber(reply, 28, 4, kAddresses.own_ip);
    std::copy(request.begin() + 22, request.begin() + 32, reply.begin() + 32);
    replies_.push_back(std::move(reply));
  }

  Rng rng_;
  std::deque<Bytes> replies_;
  size_t next_ = 0;
};

class ToeCardFuzz final : public Fuzzer {
 public:
  explicit ToeCardFuzz(uint64_t seed)
      : rng_(Rng::Stream(seed, 0)),
        clock_(scheduler_.AddClock(Clock("tx", LinePeriod(StackCard::kWordBits)))),
        to_card_(MakeLine(100 + static_cast<int>(rng_.Below(66)))),
        from_card_(MakeLine(100)),
        card_({.tx_clock = clock_,
               .rx_clock = clock_,
               .addresses = {.mac = kAddresses.card_mac,
                             .ip = kAddresses.card_ip,
                             .mask = 0xffffff00,
                             .gateway = 0},
               .secret = rng_.Word()},
              from_card_, to_card_),
        end_({.tx_clock = clock_, .rx_clock = clock_}, scheduler_, to_card_, from_card_),
        frames_of_(kAddresses, seed) {
    auto peers = std::make_unique<PeersPort>(seed);
    peers_ = peers.get();
    port_ = std::make_unique<HostilePort>(std::move(peers),
                                          HostilePort::Config{.rate = 0.5,
                                                              .seed = Rng::StreamSeed(seed, 12),
                                                              .card_mac = kAddresses.card_mac,
                                                              .card_ip = kAddresses.card_ip});
    scheduler_.AddModel(&card_, clock_, to_card_.same_cycle());
    scheduler_.AddModel(&end_, clock_, from_card_.same_cycle());
    end_.set_on_heard([this](HeardFrame&& heard) {
      ++heard_;
      if (heard.frame.good) port_->Deliver(heard.frame.bytes, heard.start_ps);
      if (heard.frame.good) Remember(heard.frame.bytes);
      bad_heard_ += !heard.frame.good;
    });
    while (!card_.link_up() || !end_.block_lock()) {
      if (cycles_ > kLockCycles) Fault("no link");
      Run(kBatchCycles);
    }
    Run(kAfterFaultCycles);
    Connect();
  }

  uint64_t frames() const override { return sent_; }
  uint64_t cycles() const override { return cycles_; }
  nlohmann::json Json() const override {
    uint64_t echoed = echoed_;
    for (const EchoPeer& peer : peers_->peers) echoed += peer.received();
    nlohmann::json json = {{"heard", heard_},          {"taken_back", bad_heard_},
                           {"echoed_bytes", echoed},   {"connections", connections_},
                           {"writes", card_.writes()}, {"rests", rests_}};
    for (size_t i = 0; i < HostileFrames::kKinds; ++i)
      json["hostile"][HostileFrames::kNames[i]] = frames_of_.counts()[i];
    json["attacker"] = port_->Report()["hostile"];
    return json;
  }

  void Round() override {
    const auto before = Counters();
    const auto acts_before = Acts();
    const uint64_t sent = frames_of_.counts()[HostileFrames::kIpSum],
                   segments = frames_of_.counts()[HostileFrames::kTcpSum];
    peers_->more = true;
    port_->Resume();
    const uint64_t until = sent_ + rng_.Range(500, 4'000);
    const double share = rng_.Chance(0.2) ? 0.95 : rng_.Unit() * 0.6;
    while (sent_ < until) {
      while (end_.tx_backlog() < 2) Send(share);
      if (rng_.Chance(0.05)) HostWrite();
      if (rng_.Chance(0.1)) SendReset();
      Run(kBatchCycles);
      Tick(kTickCycles);
    }
    Calm();
    const auto after = Counters();
    const auto acts = Acts();
    const auto counted = [&](size_t counter) { return after[counter] - before[counter]; };
    // Random frames may also have a valid header and a wrong sum.
    AtLeast("IP_BAD", counted(kIpBad),
            frames_of_.counts()[HostileFrames::kIpSum] - sent + acts.first - acts_before.first);
    AtLeast(
        "CHECKSUM", counted(kChecksum),
        frames_of_.counts()[HostileFrames::kTcpSum] - segments + acts.second - acts_before.second);
    CheckLine();
    if (++rounds_ % kRestEvery == 0) Rest();
  }

 private:
  void Run(uint64_t count) {
    const Clock& clock = scheduler_.clock(clock_);
    for (const uint64_t end = clock.next_edge() + count; clock.next_edge() < end;)
      scheduler_.Step();
    cycles_ += count;
    peers_->now = cycles_;
  }
  void Tick(uint64_t each) {
    if (cycles_ < next_tick_) return;
    card_.Tick();
    next_tick_ = cycles_ + each;
  }
  void Send(double hostile) {
    if (rng_.Chance(hostile) && !peers_->last.empty()) {
      end_.SendRaw(frames_of_.Make(peers_->last));
    } else {
      Frame frame;
      if (!port_->Receive(frame)) {
        if (peers_->last.empty()) return;
        end_.SendRaw(frames_of_.Make(peers_->last));
      } else {
        end_.SendRaw({.bytes = std::move(frame.bytes)});
      }
    }
    ++sent_;
  }

  // A connection opened by a damaged SYN occupies a session until its sender replies with a RST,
  // wherever forged ARP directs the card's replies.
  void Remember(const Bytes& bytes) {
    const auto frame = TcpFrame::Read(bytes);
    if (!frame || !frame->has(tcp_flag::kSyn)) return;
    if (frame->to_ip == kAddresses.own_ip || frame->to_mac == HostilePort::kAttackerMac) return;
    resets_.push_back(NoConnection(*frame));
  }
  void SendReset() {
    if (resets_.empty()) return;
    end_.SendRaw({.bytes = resets_.front().Write()});
    resets_.pop_front();
    ++sent_;
  }

  // Writes that must have no effect: read-only and nonexistent registers, commands to nonexistent
  // sessions.
  void HostWrite() {
    constexpr uint16_t kOrder = 0x48, kStatus = 0x4c, kPolicy = 0x58, kHost = 0x5c;
    if (card_.writes_waiting() > 4) return;
    switch (rng_.Below(5)) {
      case 0:
        card_.Write(kOrder, static_cast<uint32_t>(rng_.Range(StackCard::kSessions, 1023) |
                                                  rng_.Below(4) << 16 | rng_.Below(8) << 20));
        break;
      case 1:
        card_.Write(kPolicy, static_cast<uint32_t>(rng_.Range(StackCard::kSessions, 1023) |
                                                   rng_.Word() << 12));
        break;
      case 2:
        card_.Write(rng_.Chance(0.5) ? kStatus : kHost, rng_.Word());
        break;
      case 3:
        card_.Write(static_cast<uint16_t>(rng_.Range(0x80, 0xfc) & ~3u), rng_.Word());
        break;
      default:
        card_.Write(static_cast<uint16_t>(rng_.Range(0x1000, 0x3ffc)), rng_.Word());
        break;
    }
  }

  // Peers finish; only the attacker still sends, to end its own connections.
  void Calm() {
    peers_->more = false;
    Until("the peers' bytes", [this] {
      return std::ranges::all_of(peers_->peers,
                                 [](const EchoPeer& peer) { return peer.idle() || peer.over(); });
    });
    Answered("ARP", frames_of_.ArpRequest(), peers_->arps);
    Answered("ping", frames_of_.Ping(++ping_, rng_.Below(1400)), peers_->pongs);
    EchoPeer& peer = peers_->peers.emplace_back(kAddresses, ++last_port_, rng_.Word());
    Until("a new connection", [&peer] { return peer.open(); });
    ++connections_;
    // The oldest one makes room.
    peers_->peers.front().Close();
    Until("the end of a connection", [this] { return peers_->peers.front().over(); });
    echoed_ += peers_->peers.front().received();
    peers_->peers.erase(peers_->peers.begin());
    for (uint64_t n = 0; n < StackCard::kScanCycles + 500; n += kBatchCycles) Run(kBatchCycles);
  }

  template <class F>
  void Until(const char* what, F&& holds) {
    for (const uint64_t limit = cycles_ + kCalmCycles; !holds();) {
      if (cycles_ > limit) {
        std::string peers;
        for (const EchoPeer& peer : peers_->peers) peers += peer.Describe() + "; ";
        Fault("{}: nothing within {} cycles; peers {}states of sessions {}", what, kCalmCycles,
              peers, fmt::join(card_.states(), " "));
      }
      if (rng_.Chance(0.2)) port_->Calm();
      SendReset();
      Frame frame;
      while (end_.tx_backlog() < 2 && port_->Receive(frame))
        end_.SendRaw({.bytes = std::move(frame.bytes)});
      Run(kBatchCycles);
      Tick(kTickCycles);
    }
  }
  void Answered(const char* what, Bytes frame, const uint64_t& answers) {
    const uint64_t before = answers;
    end_.SendRaw({.bytes = std::move(frame)});
    for (const uint64_t limit = cycles_ + kAnswerCycles; answers == before; Run(kBatchCycles)) {
      if (cycles_ > limit) Fault("{} is not answered within {} cycles", what, kAnswerCycles);
    }
  }

  void Connect() {
    for (size_t i = 0; i < kPeers; ++i)
      peers_->peers.emplace_back(kAddresses, ++last_port_, rng_.Word());
    peers_->more = false;
    Until("the peers' connections",
          [this] { return std::ranges::all_of(peers_->peers, &EchoPeer::open); });
    connections_ += kPeers;
  }

  // Closes every connection; then nothing may be left.
  void Rest() {
    for (EchoPeer& peer : peers_->peers) peer.Close();
    Until("the ends of all connections",
          [this] { return std::ranges::all_of(peers_->peers, &EchoPeer::over); });
    Until("sessions that listen", [this] {
      return std::ranges::all_of(card_.states(),
                                 [](uint8_t state) { return state == StackCard::kListen; });
    });
    Run(4 * StackCard::kScanCycles);
    if (const auto left = LeftInside(card_.context()); !left.empty())
      Fault("left inside: {}", left.front());
    ++rests_;
    for (const EchoPeer& peer : peers_->peers) echoed_ += peer.received();
    peers_->peers.clear();
    peers_->last.clear();
    Connect();
  }

  void CheckLine() {
    const partner::FrameDecoder& line = end_.heard().receiver().decoder();
    const uint64_t breaches = line.breaches() - line.breaches(partner::Breach::kWrongFcs);
    if (breaches > 0) Fault("the card breaks the standard: {}", line.first_breach());
  }
  std::array<uint32_t, StackCard::kCounters> Counters() const { return card_.counters(); }
  // Frames with a wrong IP checksum, with a wrong TCP checksum
  std::pair<uint64_t, uint64_t> Acts() const {
    const auto acts = port_->Report()["hostile"]["acts"];
    return {acts["ip_sum"].get<uint64_t>(), acts["tcp_sum"].get<uint64_t>()};
  }
  static void AtLeast(const char* name, uint32_t counted, uint64_t due) {
    if (counted < due) Fault("{}: {} counted, {} were sent", name, counted, due);
  }

  Rng rng_;
  Scheduler scheduler_;
  EdgeSet clock_;
  SerialLine to_card_, from_card_;
  StackCard card_;
  FarEnd end_;
  HostileFrames frames_of_;
  std::deque<TcpFrame> resets_;
  std::unique_ptr<HostilePort> port_;
  PeersPort* peers_;
  uint16_t last_port_ = 20'000, ping_ = 0;
  uint64_t cycles_ = 0, next_tick_ = 0, sent_ = 0, heard_ = 0, bad_heard_ = 0;
  uint64_t connections_ = 0, echoed_ = 0, rounds_ = 0, rests_ = 0;
};

}  // namespace

std::unique_ptr<Fuzzer> MakeFuzzer(uint64_t seed) { return std::make_unique<ToeCardFuzz>(seed); }

}  // namespace ullnic::fuzz
