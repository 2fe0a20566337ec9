// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// The fuzzer of whole cards with tick-to-trade logic (cards/trigger, cards/stac_t0): market data
// with every kind of damage among good frames, software that sends valid and invalid chunks on both
// ports, reads and writes registers at random, closes the window, disarms, and does not read.
//
// - Progress: in each calm a trigger is answered, software's frames are sent, registers respond.
// - Orders: each has the next number, its payload, valid headers and SEQ. One that ate aborts
//   because the window has changed has used its number, and counts.
// - Triggers: each increments one counter. Without damage on the line each is counted, and with it
//   no valid one may be missing.
// - Host: delivered frames are good ones that were sent, in order, byte by byte; each accelerated
//   frame is mirrored once; only invalid chunks are refused.
// - Line: the card conforms to the standard; a frame that it aborts has a bad FCS, and is counted.

#include <algorithm>
#include <bit>
#include <map>
#include <nlohmann/json.hpp>

#include "ate_sweep/segment.h"
#include "ate_sweep/stimulus.h"
#include "fuzz/fuzzer.h"
#include "fuzz/line_damage.h"
#include "fuzz/nic/config.h"
#include "fuzz/nic/port_host.h"
#include "nic/nic_rig.h"

namespace ullnic::fuzz {
namespace {

constexpr uint64_t kStepCycles = 16;
constexpr uint64_t kLimitCycles = 400'000;  // for anything to end: 125 us of hi_ber, and a margin
constexpr uint32_t kLinkUp = 0x10;          // PORT_STATUS: from bit 8 on
constexpr uint32_t kEngine = 0x20000, kPortCounters = 0x28000, kPortStride = 0x1000;
constexpr uint32_t kStrict = 0x0c;  // CONTROL of the engine
constexpr uint32_t kMaxSeq = 52, kWindowAhead = 0x4000'0000;
constexpr uint32_t kControl = 0x800c;  // of either card's logic
constexpr uint32_t kMayWait = 2;       // in CONTROL of the trigger card
constexpr uint32_t kUserBarBytes = 0x80000;

NicRig::Config RigConfig(uint64_t seed) {
  NicRig::Config config;
  config.card = kNicConfig;
  config.seed = seed;
  config.c2h_stall = {.stall = 0.02, .max_edges = 60};
  config.h2c_pause = 0.05;
  Rng rng = Rng::Stream(seed, 20);
  config.offset_bits = static_cast<int>(rng.Below(66));
  const NicInfo info = NicLibrary(config.card).info();
  config.clocks.rx_ppm.resize(info.ports);
  for (unsigned port = 0; port < info.ports; ++port) {
    if (port != info.timing_port || info.crossing)
      config.clocks.rx_ppm[port] = static_cast<int>(rng.Below(201)) - 100;
  }
  return config;
}

class NicFuzz final : public Fuzzer {
 public:
  explicit NicFuzz(uint64_t seed)
      : rng_(Rng::Stream(seed, 0)),
        rig_(RigConfig(seed)),
        market_(rig_.info().timing_port),
        order_(static_cast<unsigned>(std::countr_zero(rig_.info().tcp_enables))),
        stimulus_(MakeStimulus(rig_.info().trade_rule)),
        connection_(RandomConnection(rng_)) {
    for (unsigned port = 0; port < rig_.info().ports; ++port) {
      hosts_.push_back(std::make_unique<PortHost>(
          rig_.card(), port, (rig_.info().tcp_enables >> port & 1) != 0, rng_));
      rig_.far_end(port).set_on_heard([this, port](HeardFrame&& heard) { Heard(heard, port); });
    }
    rig_.AcquireLock();
    connection_.check_max_seq = true;
    Connection& other = hosts_[order_]->connection();
    other.id = connection_.id ^ 0x101;  // no damage of a byte turns one into the other
    const WriteRegister write = [this](uint32_t address, uint32_t value) { Write(address, value); };
    SetUp(connection_, order_, write);
    SetUp(other, order_, write);
    Write(kEngine + order_ * kPortStride + kStrict, rng_.Chance(0.5));
    stimulus_->Arm(connection_.id, rng_, write);
    AwaitArmed();
  }

  uint64_t frames() const override { return sent_; }
  uint64_t cycles() const override { return rig_.cycles(); }
  nlohmann::json Json() const override {
    nlohmann::json json = {{"orders", orders_},
                           {"aborted", aborted_},
                           {"triggers", triggers_},
                           {"damaged", damaged_},
                           {"register_accesses", accesses_}};
    for (const auto& [name, count] : counted_) json["card"][name] = count;
    for (const auto& host : hosts_) {
      const PortHost::Counts& n = host->counts();
      json["host"].push_back({{"chunks", n.good},
                              {"bad_chunks", n.bad},
                              {"received", n.received},
                              {"mirrors", n.mirrors},
                              {"bad_mirrors", n.bad_mirrors},
                              {"raw", n.raw},
                              {"payloads", n.payloads}});
    }
    return json;
  }

  void Round() override {
    const auto before = Triggers();
    const Received received = ReadReceived();
    round_ = {};
    // Not all at once, so that the checks which assume no other disturbance apply in some rounds.
    const double damage = rng_.Chance(0.6) ? rng_.Unit() * 0.7 : 0;
    const double host = rng_.Chance(0.6) ? 0.2 : 0;
    const double registers = rng_.Chance(0.5) ? 0.1 : 0;
    const double window = rng_.Chance(0.4) ? 0.1 : 0;
    round_.window_moves = window > 0;
    const double arming = rng_.Chance(0.3) ? 0.01 : 0;
    if (rig_.info().trade_rule == "trigger") {
      arm_value_ = 1 | (rng_.Chance(0.5) ? kMayWait : 0);
      Write(kControl, arm_value_);
    }
    for (const uint64_t until = sent_ + rng_.Range(100, 1000); sent_ < until;) {
      while (rig_.far_end(market_).tx_backlog() < 4) Send(market_, damage);
      if (rng_.Chance(0.3) && rig_.far_end(order_).tx_backlog() < 2) Send(order_, damage);
      if (rng_.Chance(host)) SendChunk();
      if (rng_.Chance(registers)) AccessRegister(arming == 0);
      if (rng_.Chance(window)) MoveWindow();
      if (rng_.Chance(arming)) Write(kControl, rng_.Chance(0.5) ? arm_value_ : 0);
      if (asleep_ > 0)
        --asleep_;
      else if (host > 0 && rng_.Chance(0.005))
        asleep_ = rng_.Below(400);
      Step();
    }
    Calm();
    CheckTriggers(before);
    CheckHosts(received);
    CheckCard();
  }

 private:
  struct Received {
    std::vector<uint32_t> good, bad, no_room;
  };
  struct RoundCounts {
    uint64_t triggers = 0;  // valid ones in market data
    uint64_t damaged = 0;   // frames of market data
    std::vector<uint64_t> right = std::vector<uint64_t>(kMostNicPorts);  // frames to a port
    bool window_moves = false;
  };

  uint64_t taken() const { return orders_ + aborted_; }  // numbers

  void Step() {
    rig_.Cycles(kStepCycles);
    if (asleep_ > 0) return;
    for (const auto& host : hosts_) host->Read();
  }
  template <class F>
  void Until(const char* what, F&& holds) {
    for (const uint64_t limit = rig_.cycles() + kLimitCycles; !holds(); Step()) {
      if (rig_.cycles() > limit) Fault("{}: not within {} cycles", what, kLimitCycles);
    }
  }

  void Write(uint32_t address, uint32_t value) {
    rig_.card().WriteUser(address, value, [] {});
  }
  uint32_t Read(uint32_t address) {
    uint32_t found = 0;
    rig_.card().ReadUser(address, [&found](uint32_t value) { found = value; });
    Until("the answer of a register", [this] { return !rig_.card().registers_busy(); });
    return found;
  }
  void AwaitArmed() {
    Until("armed", [this] { return (Read(stimulus_->armed_address()) & 1) != 0; });
  }

  // --- Sent frames
  void Send(unsigned port, double damage) {
    partner::WireFrame frame;
    const bool market = port == market_;
    const bool is_trigger = market && rng_.Chance(0.5);
    frame.bytes = is_trigger ? stimulus_->MakeTrigger(rng_) : stimulus_->MakeOther(rng_);
    ++sent_;
    if (rng_.Chance(damage)) {
      // Also of any length, as long as it is bad
      if (rng_.Chance(0.1)) frame.bytes.resize(rng_.Range(60, 9700));
      DamageLine(frame, rng_);
      ++damaged_;
      round_.damaged += market;
    } else {
      if (rng_.Chance(0.5)) frame.gap_octets = static_cast<uint32_t>(rng_.Below(400));
      if (frame.gap_octets < 12) frame.gap_octets = 0;
      hosts_[port]->Arriving(frame.bytes);
      ++round_.right[port];
      round_.triggers += is_trigger;
      triggers_ += is_trigger;
    }
    rig_.far_end(port).SendRaw(std::move(frame));
  }
  void SendChunk() { sent_ += hosts_[rng_.Below(hosts_.size())]->Send(rng_.Chance(0.6)); }

  // Any read; writes only where they have no effect. `armed`: includes registers that are locked
  // then.
  void AccessRegister(bool armed) {
    if (rig_.card().registers_busy()) return;
    ++accesses_;
    const auto address = static_cast<uint32_t>(rng_.Below(kUserBarBytes) & ~3u);
    switch (rng_.Below(armed ? 4 : 3)) {
      case 0:
        rig_.card().ReadUser(address, [](uint32_t) {});
        break;
      case 1:  // the card's registers and a port's counters are read-only
        Write(rng_.Chance(0.5) ? address & 0x7ffc : kPortCounters | (address & 0x1ffc),
              rng_.Word());
        break;
      case 2:  // unimplemented
        Write(0x30000 | (address & 0xfffc), rng_.Word());
        break;
      default:  // NUMBER and, where there is one, TEMPLATE
        for (const Expectation& each : stimulus_->Afterwards(taken())) {
          if (each.name == std::string_view("NUMBER")) Write(each.address, rng_.Word());
        }
    }
  }

  void MoveWindow() {
    // Closed, nearly closed, open, random
    const std::array<uint32_t, 4> ahead = {0, static_cast<uint32_t>(rng_.Below(300)), kWindowAhead,
                                           rng_.Word()};
    WriteMaxSeq(connection_.seq + ahead[rng_.Below(4)]);
  }
  void WriteMaxSeq(uint32_t value) {
    Write(connection_.address(order_) + kMaxSeq, NetworkOrder(value));
  }

  // --- Received frames
  void Heard(const HeardFrame& heard, unsigned port) {
    if (!heard.frame.good) {
      if (port != order_ || !round_.window_moves) Fault("port {} aborts a frame", port);
      ++aborted_;
      return;
    }
    const Bytes& frame = heard.frame.bytes;
    const auto& mac = connection_.destination.mac;
    if (port != order_ || !std::equal(mac.begin(), mac.end(), frame.begin())) {
      hosts_[port]->Leaving(frame);
      return;
    }
    const Segment segment = ReadSegment(frame, connection_, connection_.seq);
    if (!segment.wrong.empty()) Fault("in order {} {}", orders_, segment.wrong);
    const std::string wrong = CheckOrder(segment.payload);
    if (!wrong.empty()) Fault("in order {} {}", orders_, wrong);
    connection_.seq += static_cast<uint32_t>(segment.payload.size());
    ++orders_;
    hosts_[port]->ExpectMirror(frame, segment.payload.size());
  }

  // The frame that triggered it is unknown. With STAC-T0 it contains the index of a possible
  // trigger.
  std::string CheckOrder(const Bytes& payload) {
    constexpr size_t kIndexAt = 4, kIndexBytes = 8, kShortFrame = 64, kIndexInFrame = 47;
    constexpr unsigned kMask = 0x3ff;
    Bytes frame(kShortFrame);
    if (rig_.info().trade_rule == "stac_t0") {
      if (payload.size() < kIndexAt + kIndexBytes) return "there is no index";
      const uint8_t* index = &payload[kIndexAt];
      if (((index[6] << 8 | index[7]) & kMask) != 0) return "the index has bits of the mask";
      std::copy_n(index, kIndexBytes, &frame[kIndexInFrame]);
    }
    return stimulus_->Check(payload, frame, taken());
  }

  // --- Rest
  void Calm() {
    asleep_ = 0;
    Drain();
    // A link with too many bad headers receives nothing for a while (49.2.13.2.2).
    const uint32_t all = (1u << rig_.info().ports) - 1;
    Until("links", [&] { return (Read(kLinkUp) >> 8 & all) == all; });
    WriteMaxSeq(connection_.seq + kWindowAhead);
    Write(kControl, arm_value_);
    AwaitArmed();
    const uint64_t orders = orders_;
    Send(market_, 0);
    for (const uint64_t sent = triggers_; triggers_ == sent;) Send(market_, 0);
    Until("the answer to a trigger", [&] { return orders_ > orders; });
    Drain();
  }
  void Drain() {
    Until("rest", [this] { return rig_.idle(); });
  }

  std::map<std::string, uint32_t> Triggers() {
    std::map<std::string, uint32_t> found;
    for (const Expectation& each : stimulus_->Afterwards(taken()))
      found[each.name] = Read(each.address);
    return found;
  }
  void CheckTriggers(const std::map<std::string, uint32_t>& before) {
    auto now = Triggers();
    uint32_t ended = now["ORDERS"];
    for (const auto& [name, count] : now) {
      if (name.starts_with("REFUSED_")) ended += count;
      if (name != "NUMBER") counted_[name] += count - before.at(name);
    }
    if (ended != now["TRIGGERS"]) Fault("{} triggers, {} have ended", now["TRIGGERS"], ended);
    Equal("ORDERS", now["ORDERS"], taken());
    for (const Expectation& each : stimulus_->Afterwards(taken())) {
      if (each.name == std::string_view("NUMBER")) Equal("NUMBER", now["NUMBER"], each.value);
    }
    const uint64_t seen = now["TRIGGERS"] - before.at("TRIGGERS");
    if (seen < round_.triggers || seen > round_.triggers + round_.damaged)
      Fault("{} triggers seen; {} right ones were sent, and {} damaged frames", seen,
            round_.triggers, round_.damaged);
  }

  Received ReadReceived() {
    Received received;
    for (unsigned port = 0; port < hosts_.size(); ++port) {
      received.good.push_back(Counter(port, 0x00));
      received.bad.push_back(Counter(port, 0x04));
      received.no_room.push_back(Counter(port, 0x08));
    }
    return received;
  }
  uint32_t Counter(unsigned port, uint32_t offset) {
    return Read(kPortCounters + port * kPortStride + offset);
  }
  void CheckHosts(const Received& before) {
    const Received now = ReadReceived();
    for (unsigned port = 0; port < hosts_.size(); ++port) {
      hosts_[port]->Rest();
      const PortHost::Counts& counts = hosts_[port]->counts();
      Equal("RX_FRAMES", now.good[port], counts.received);
      Equal("CHUNKS", Counter(port, 0x1c), counts.good);
      Equal("CHUNKS_REFUSED", Counter(port, 0x20), counts.bad);
      const uint64_t good = now.good[port] - before.good[port],
                     no_room = now.no_room[port] - before.no_room[port];
      if (good + no_room > round_.right[port])
        Fault("port {}: {} good frames, {} were sent", port, good + no_room, round_.right[port]);
      if (round_.damaged == 0 && port == market_) {
        Equal("good frames", good + no_room, round_.right[port]);
        Equal("RX_BAD", now.bad[port], before.bad[port]);
      }
    }
  }

  void CheckCard() {
    const auto engine = [this](uint32_t counter) {
      return Read(kEngine + order_ * kPortStride + 0x40 + 4 * counter);
    };
    const PortHost::Counts& host = hosts_[order_]->counts();
    Equal("SENT_USER", engine(0), orders_);
    Equal("SENT_HOST", engine(1), host.payloads);
    Equal("SENT_RAW", engine(2), host.raw);
    Equal("NO_CONN", engine(4), host.nowhere);
    Equal("BAD_CHUNK", engine(12), host.begun);
    Equal("BAD_WINDOW", engine(10), aborted_);
    Equal("ABORTED", engine(13), aborted_);
    Equal("mirrors of aborted frames", host.bad_mirrors, aborted_);
    for (unsigned port = 0; port < hosts_.size(); ++port) {
      const NicCounters counters = rig_.card().counters(port);
      if (counters.violations > 0) Fault("{}", counters.first_violation);
      const partner::FrameDecoder& line = rig_.far_end(port).heard().receiver().decoder();
      if (line.breaches() > line.breaches(partner::Breach::kWrongFcs))
        Fault("port {} breaks the standard: {}", port, line.first_breach());
    }
  }
  static void Equal(const char* name, uint64_t found, uint64_t wanted) {
    if (static_cast<uint32_t>(found) != static_cast<uint32_t>(wanted))
      Fault("{}: {}, not {}", name, found, wanted);
  }

  Rng rng_;
  NicRig rig_;
  const unsigned market_, order_;
  std::unique_ptr<Stimulus> stimulus_;
  Connection connection_;  // of orders
  std::vector<std::unique_ptr<PortHost>> hosts_;
  RoundCounts round_;
  uint32_t arm_value_ = 1;
  uint64_t asleep_ = 0;  // steps in which the host does not read
  uint64_t sent_ = 0, damaged_ = 0, triggers_ = 0, orders_ = 0, aborted_ = 0, accesses_ = 0;
  std::map<std::string, uint64_t> counted_;
};

}  // namespace

std::unique_ptr<Fuzzer> MakeFuzzer(uint64_t seed) { return std::make_unique<NicFuzz>(seed); }

}  // namespace ullnic::fuzz
