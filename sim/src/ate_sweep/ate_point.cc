// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0

#include "ate_sweep/ate_point.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <deque>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "ate_sweep/connection.h"
#include "ate_sweep/segment.h"
#include "ate_sweep/stimulus.h"
#include "core/rng.h"
#include "core/user_error.h"
#include "nic/nic_rig.h"
#include "nic/trade_tracker.h"

namespace ullnic {
namespace {

constexpr size_t kBacklogFrames = 4;
constexpr uint64_t kPollCycles = 16;
constexpr uint64_t kMaxDrainCycles = 100'000;
// Gaps before a frame: after another frame, and after a trigger, whose answer has been sent by
// then.
constexpr uint32_t kLeastOctets = 12, kAnswerOctets = 128;
constexpr uint32_t kRandomOctets = 8 * 32;  // more, at random: every bit of a round
constexpr size_t kC2hHeaderBytes = 16;
constexpr uint8_t kC2hMirror = 1;

// With its own transmit clock the card is off the market data's by this much, in either direction:
// every phase of the two occurs.
constexpr int kCrossingPpm = 100;

NicRig::Config RigConfig(const AteSweepConfig& config, int offset) {
  NicRig::Config rig;
  rig.card = config.card;
  rig.delay_ui = config.delay_ui;
  rig.offset_bits = offset;
  rig.seed = config.seed;
  const NicInfo info = NicLibrary(config.card).info();
  if (info.crossing) {
    rig.clocks.rx_ppm.resize(info.timing_port + 1);
    rig.clocks.rx_ppm[info.timing_port] = offset % 2 == 0 ? kCrossingPpm : -kCrossingPpm;
  }
  return rig;
}

class PointRun {
 public:
  PointRun(const AteSweepConfig& config, int offset)
      : config_(config),
        rng_(Rng::Stream(config.seed, static_cast<uint64_t>(offset))),
        rig_(RigConfig(config, offset)),
        market_port_(rig_.info().timing_port),
        order_port_(static_cast<unsigned>(std::countr_zero(rig_.info().tcp_enables))),
        stimulus_(MakeStimulus(rig_.info().trade_rule)),
        tracker_(RuleOf(rig_.info().trade_rule)),
        connection_(RandomConnection(rng_)) {
    point_.offset = offset;
    point_.delay_ui = rig_.delay_ui();
    for (unsigned port = 0; port < rig_.info().ports; ++port) {
      rig_.far_end(port).set_on_sent([this, port](HeardFrame&& frame) { OnSent(frame, port); });
      rig_.far_end(port).set_on_heard([this, port](HeardFrame&& frame) { OnHeard(frame, port); });
    }
  }

  AtePoint Run() {
    rig_.AcquireLock();
    const WriteRegister write = [this](uint32_t address, uint32_t value) {
      rig_.card().WriteUser(address, value, [] {});
    };
    SetUp(connection_, order_port_, write);
    stimulus_->Arm(connection_.id, rng_, write);
    AwaitArmed();
    FarEnd& market = rig_.far_end(market_port_);
    while (point_.triggers < config_.triggers || market.tx_backlog() > 0) {
      while (point_.triggers < config_.triggers && market.tx_backlog() < kBacklogFrames) SendOne();
      Advance();
    }
    for (uint64_t n = 0; !rig_.idle() && n < kMaxDrainCycles; n += kPollCycles) Advance();
    Conclude();
    return std::move(point_);
  }

 private:
  void Advance() {
    rig_.Cycles(kPollCycles);
    NicCard& card = rig_.card();
    for (unsigned queue = 0; queue < card.queues(); ++queue) {
      for (auto packet = card.PeekC2h(queue); !packet.empty(); packet = card.PeekC2h(queue)) {
        if (queue == order_port_) OnHostPacket(packet);
        card.PopC2h(queue);
      }
    }
  }

  void AwaitRegisters() {
    for (uint64_t n = 0; rig_.card().registers_busy(); n += kPollCycles) {
      if (n > kMaxDrainCycles) {
        throw UserError("the card does not answer a register access", "look at its s_axil port");
      }
      Advance();
    }
  }

  uint32_t Read(uint32_t address) {
    uint32_t found = 0;
    rig_.card().ReadUser(address, [&found](uint32_t value) { found = value; });
    AwaitRegisters();
    return found;
  }

  void AwaitArmed() {
    AwaitRegisters();
    const uint64_t start = rig_.cycles();
    for (uint32_t status = 0; (status & 1) == 0;) {
      status = Read(stimulus_->armed_address());
      if (rig_.cycles() - start > kMaxDrainCycles) {
        throw UserError(fmt::format("the card is not armed: STATUS is {:#x}", status),
                        "see what its bits say in the page of the card's registers");
      }
    }
  }

  // Sends a trigger, every second time after a frame that is not one.
  void SendOne() {
    // The answer to the previous trigger has been sent by then.
    uint32_t gap_octets = kAnswerOctets + RandomOctets();
    if (rng_.Below(2) != 0) {
      Send(stimulus_->MakeOther(rng_), gap_octets);
      ++point_.others;
      gap_octets = rng_.Below(4) == 0 ? 0 : kLeastOctets + RandomOctets();
    }
    asked_.push_back(stimulus_->MakeTrigger(rng_));
    ++point_.triggers;
    Send(asked_.back(), gap_octets);
  }

  uint32_t RandomOctets() { return static_cast<uint32_t>(rng_.Below(kRandomOctets)); }

  void Send(Bytes bytes, uint32_t gap_octets) {
    partner::WireFrame frame;
    frame.bytes = std::move(bytes);
    frame.gap_octets = gap_octets;
    rig_.far_end(market_port_).SendRaw(std::move(frame));
  }

  void OnSent(const HeardFrame& heard, unsigned port) {
    if (port != market_port_) return;
    Capture(heard, Direction::kInbound);
    const uint64_t before = tracker_.triggers();
    tracker_.Arriving(heard, port);
    if (tracker_.triggers() == before) return;
    const int64_t round_ui = int64_t{33} * rig_.info().pma_bits;
    phases_.insert((PsToUi(heard.start_ps) + point_.offset) % round_ui);
  }

  void OnHeard(const HeardFrame& heard, unsigned port) {
    const partner::DecodedFrame& frame = heard.frame;
    Capture(heard, Direction::kOutbound);
    if (port != order_port_) {
      Damage(fmt::format("a frame left port {}", port));
      return;
    }
    tracker_.Leaving(heard, port);
    if (!frame.good) Damage("an answer with a wrong FCS");
    const Segment segment = ReadSegment(frame.bytes, connection_, connection_.seq);
    if (!segment.wrong.empty()) Damage(fmt::format("in an answer {}", segment.wrong));
    connection_.seq += static_cast<uint32_t>(segment.payload.size());
    if (asked_.empty()) {
      Damage("an answer that nothing asked for");
    } else {
      const std::string wrong = stimulus_->Check(segment.payload, asked_.front(), point_.answers);
      if (!wrong.empty()) Damage(fmt::format("in answer {} {}", point_.answers, wrong));
      asked_.pop_front();
    }
    ++point_.answers;
    Bytes mirror = frame.bytes;
    mirror.resize(std::min(mirror.size(), kHeaderBytes + segment.payload.size()));
    to_mirror_.push_back(std::move(mirror));
  }

  // Packets to the host from the order port: a copy of every answer, and nothing else.
  void OnHostPacket(std::span<const uint8_t> packet) {
    if (packet.size() < kC2hHeaderBytes || packet[2] != kC2hMirror) {
      Damage("the host is shown something that is no mirror of an answer");
      return;
    }
    mirrors_.emplace_back(packet.begin() + kC2hHeaderBytes, packet.end());
  }

  void Capture(const HeardFrame& heard, Direction direction) {
    if (config_.capture == nullptr) return;
    config_.capture->Write(heard.frame.bytes, config_.capture_start_ps + heard.start_ps, direction);
  }

  void Damage(const std::string& what) {
    if (point_.damaged++ == 0) {
      point_.what = fmt::format("{} (cycle {})", what, rig_.cycles());
    }
  }

  void Conclude() {
    tracker_.GiveUpPending();
    point_.lost = tracker_.lost();
    point_.cycles = rig_.cycles();
    point_.end_ps = rig_.now_ps();
    point_.phases = {phases_.begin(), phases_.end()};
    point_.mirrored = mirrors_.size();
    for (const TradeSample& sample : tracker_.samples()) {
      point_.sof_to_sof.Add(sample.latency_ui() - point_.offset);
      point_.actionable.Add(sample.actionable_ui() - point_.offset);
    }
    if (tracker_.others() > 0) Damage("an answer that no trigger asked for");
    if (mirrors_ != to_mirror_) Damage("the host was shown other answers than left");
    CheckCard();
    if (point_.lost > 0 && point_.what.empty()) point_.what = "a trigger was not answered";
  }

  void CheckCard() {
    Expect({"SEQ", connection_.address(order_port_) + Connection::kSeqOffset,
            NetworkOrder(connection_.seq)});
    for (const Expectation& each : stimulus_->Afterwards(point_.triggers)) Expect(each);
    for (unsigned port = 0; port < rig_.info().ports; ++port) {
      const NicCounters counters = rig_.card().counters(port);
      if (counters.violations > 0) Damage(counters.first_violation);
      if (counters.register_errors > 0) Damage("the card refused a register access");
      const partner::FrameDecoder& line = rig_.far_end(port).heard().receiver().decoder();
      if (line.breaches() > 0) Damage("on the line: " + line.first_breach());
    }
  }

  void Expect(const Expectation& wanted) {
    const uint32_t found = Read(wanted.address);
    if (found != wanted.value) {
      Damage(fmt::format("{} reads as {:#x}, not {:#x}", wanted.name, found, wanted.value));
    }
  }

  const AteSweepConfig config_;
  Rng rng_;
  NicRig rig_;
  const unsigned market_port_;
  const unsigned order_port_;
  std::unique_ptr<Stimulus> stimulus_;
  TradeTracker tracker_;
  Connection connection_;
  std::deque<Bytes> asked_;  // triggers not answered yet
  std::deque<Bytes> to_mirror_, mirrors_;
  std::set<int64_t> phases_;
  AtePoint point_;
};

}  // namespace

nlohmann::json AtePoint::Json() const {
  nlohmann::json json = {{"offset", offset},
                         {"triggers", triggers},
                         {"others", others},
                         {"answers", answers},
                         {"mirrored", mirrored},
                         {"lost", lost},
                         {"damaged", damaged},
                         {"cycles", cycles},
                         {"phases", phases},
                         {"sof_to_sof_ui", sof_to_sof.CyclesJson()},
                         {"actionable_ui", actionable.CyclesJson()}};
  if (!what.empty()) json["what"] = what;
  return json;
}

AtePoint RunAtePoint(const AteSweepConfig& config, int offset) {
  return PointRun(config, offset).Run();
}

}  // namespace ullnic
