// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// The fuzzer of one configuration of cores/macpcs (cards/link): the link partner at its line, a
// user at its AXI-streams. The partner sends frames that are damaged at any layer from the block
// up, ordered sets and frames of any length; the line has bit errors, slips and losses of signal;
// the user underruns, sets tuser, presents an illegal tkeep and, with a FIFO, stalls.
//
// - Progress: after the disturbance the link comes up in time, and offered frames are accepted and
//   arrive.
// - Receiver: a frame marked good is, byte for byte and in order, one that was sent completely;
//   none is lost or marked bad without a cause while it was in flight (soak/way_check.h). The rules
//   of the user's port hold (card/rx_monitor.h).
// - Transmitter: a misused frame is sent once, with a bad FCS, the others unchanged. While the line
//   is not disturbed, the card conforms to the standard.

#include <algorithm>
#include <nlohmann/json.hpp>

#include "card/card_library.h"
#include "fuzz/fuzzer.h"
#include "fuzz/line_damage.h"
#include "fuzz/macpcs/config.h"
#include "partner/partner_end.h"
#include "soak/way_check.h"

namespace ullnic::fuzz {
namespace {

constexpr uint64_t kBatchCycles = 16;
constexpr size_t kBacklogFrames = 3;
constexpr int64_t kRelockPs = 5'000'000'000;  // hi_ber has to end, too
constexpr int64_t kStablePs = 5'000'000;
constexpr int64_t kRestPs = 25'000'000;  // the longest frame, and those in FIFOs
// As many of the longest frames as may be queued.
constexpr int64_t kExcusePs = (kBacklogFrames + 1) * 9'000'000;
constexpr int64_t kHangPs = 200'000'000;  // of a frame, while the link is up
constexpr uint64_t kCleanFrames = 20;     // per direction, in the calm
constexpr uint32_t kLocalFault = 0x010000, kRemoteFault = 0x020000;

enum Harm : size_t {
  kBitErrors,
  kSlip,
  kLoss,
  kDamaged,
  kOrderedSet,
  kUnderrun,
  kUserError,
  kKeep,
  kStall,
  kHarms
};
constexpr std::array<const char*, kHarms> kHarmNames = {"bit_errors", "slip",         "loss",
                                                        "damaged",    "ordered_set",  "underrun",
                                                        "user_error", "illegal_keep", "stalls"};

WayCheck::Rules Rules(const CardInfo& info) {
  return {.min_bytes = info.padding_bytes - kFcsBytes,
          .runt_bytes = info.runt_bytes,
          .fcs_checked = info.fcs_checked};
}

class MacpcsFuzz final : public Fuzzer {
 public:
  explicit MacpcsFuzz(uint64_t seed)
      : rng_(Rng::Stream(seed, 0)),
        library_(kMacpcsConfig),
        clock_(scheduler_.AddClock(Clock("line", LinePeriod(library_.info().pma_bits)))),
        to_card_(MakeLine(seed, 1)),
        from_card_(MakeLine(seed, 2)),
        partner_({.tx_clock = clock_, .rx_clock = clock_}, scheduler_, to_card_, from_card_) {
    const CardInfo& info = library_.info();
    const CardClocks clocks =
        JoinClocks(info, scheduler_, clock_, clock_,
                   {.ppm = static_cast<int>(rng_.Range(0, 200)) - 100, .odd_rx = rng_.Chance(0.5)});
    card_ = library_.Make({.clocks = clocks, .back_pressure = {.seed = rng_.Next()}}, scheduler_,
                          from_card_, to_card_);
    scheduler_.AddModel(card_.get(), clocks.all(), to_card_.same_cycle());
    scheduler_.AddModel(&partner_, clock_, from_card_.same_cycle());
    card_->set_observer(&at_card_);
    partner_.set_observer(&at_partner_);
    AwaitLink();
  }

  uint64_t frames() const override { return given_; }
  uint64_t cycles() const override { return cycles_; }
  nlohmann::json Json() const override {
    nlohmann::json json = {{"delivered_in", in_.delivered()},
                           {"bad_in", in_.bad() + damaged_heard_},
                           {"delivered_out", out_.delivered()},
                           {"aborted_out", aborted_},
                           {"lock_losses", card_->counters().rx_lock_losses},
                           {"overflows", card_->counters().rx_overflows}};
    for (size_t i = 0; i < kHarms; ++i) json["harm"][kHarmNames[i]] = harms_[i];
    return json;
  }

  void Round() override {
    const uint64_t until = given_ + rng_.Range(50, 400);
    const uint64_t breaches = Breaches();
    disturbed_ = cut_ = false;
    misused_ = 0;
    // Half of the rounds do not disturb the line, so that no loss is excused.
    line_harm_ = rng_.Chance(0.5) ? rng_.Unit() * 0.02 : 0;
    damage_ = rng_.Chance(0.6) ? rng_.Unit() : 0;
    misuse_ = rng_.Chance(0.6) ? rng_.Unit() * 0.5 : 0;
    if (library_.info().rx_fifo && rng_.Chance(0.3)) Stall();
    while (given_ < until) {
      while (partner_.tx_backlog() < kBacklogFrames) SendToCard();
      if (card_->tx_backlog() < kBacklogFrames) SendFromCard();
      if (rng_.Chance(line_harm_)) HarmLine();
      Run();
    }
    Calm();
    if (!disturbed_ && Breaches() != breaches)
      Fault("the card breaks the standard: {}", partner_.receiver().decoder().first_breach());
  }

 private:
  // The card's user: sender and receiver.
  struct AtCard final : EndObserver {
    explicit AtCard(MacpcsFuzz& fuzz) : fuzz(fuzz) {}
    void OnOffer(const FramePtr& frame, uint64_t, int64_t time_ps, uint64_t) override {
      if (frame->breach == Frame::Breach::kNone)
        fuzz.out_.Offered(frame, time_ps);
      else
        ++fuzz.misused_;
    }
    void OnReceive(ReceivedFrame&& frame) override {
      if (frame.verdict.good || !fuzz.excused_)
        fuzz.in_.Received(frame, fuzz.scheduler_.now_ps());
      else
        ++fuzz.damaged_heard_;
    }
    MacpcsFuzz& fuzz;
  };
  struct AtPartner final : EndObserver {
    explicit AtPartner(MacpcsFuzz& fuzz) : fuzz(fuzz) {}
    void OnOffer(const FramePtr& frame, uint64_t, int64_t time_ps, uint64_t) override {
      fuzz.in_.Offered(frame, time_ps);
    }
    void OnReceive(ReceivedFrame&& frame) override {
      const Verdict& v = frame.verdict;
      if (v.fcs && !v.code && fuzz.misused_ > 0) {
        --fuzz.misused_;
        ++fuzz.aborted_;
        return;
      }
      fuzz.out_.Received(frame, fuzz.scheduler_.now_ps());
    }
    MacpcsFuzz& fuzz;
  };

  SerialLine MakeLine(uint64_t seed, uint64_t stream) {
    const int bits = library_.info().pma_bits;
    return SerialLine({.word_bits = bits,
                       .delay_ui = 2 * bits + static_cast<int>(rng_.Below(66)),
                       .seed = Rng::StreamSeed(seed, stream)});
  }

  bool LinkUp() const { return card_->block_lock() && partner_.block_lock(); }
  uint64_t Breaches() {
    const partner::FrameDecoder& decoder = partner_.receiver().decoder();
    return decoder.breaches() - decoder.breaches(partner::Breach::kWrongFcs);
  }

  void Run() {
    const Clock& clock = scheduler_.clock(clock_);
    for (const uint64_t end = clock.next_edge() + kBatchCycles; clock.next_edge() < end;)
      scheduler_.Step();
    cycles_ += kBatchCycles;
    Watch();
  }

  void Watch() {
    const int64_t now = scheduler_.now_ps();
    const EndCounters& c = card_->counters();
    if (c.rx_violations > 0) Fault("at the user's port: {}", c.first_violation);
    // Frames in flight after damaged ones may be lost with them.
    excused_ = now < excused_until_ps_ || !card_->block_lock();
    if (partner_.tx_backlog() > 0 && damage_ > 0 && in_harm_) excused_ = true;
    if (to_card_.bit_errors() != errors_in_) excused_ = true;
    if (c.rx_overflows != overflows_) {
      if (!stalled_) Fault("the receive FIFO runs over");
      excused_ = true;
    }
    if (excused_) in_.Cause(now);
    if (!card_->block_lock()) cut_ = true;
    if (!LinkUp() || from_card_.bit_errors() != errors_out_) out_.Cause(now);
    if (from_card_.bit_errors() != errors_out_ || !partner_.block_lock()) disturbed_ = true;
    if (now < harmed_out_until_ps_) out_.Cause(now);
    errors_in_ = to_card_.bit_errors();
    errors_out_ = from_card_.bit_errors();
    overflows_ = c.rx_overflows;
    in_.Judge(now);
    out_.Judge(now);
    for (const WayCheck* check : {&in_, &out_})
      if (!check->failure().empty()) Fault("{}", check->failure());
    const size_t backlog = card_->tx_backlog();
    if (backlog == 0 || backlog != backlog_ || !LinkUp()) progress_ps_ = now;
    backlog_ = backlog;
    if (now - progress_ps_ > kHangPs)
      Fault("the link is up, and no frame of the user's is taken for {} us", kHangPs / 1'000'000);
  }

  size_t Length(size_t least) {
    const uint64_t kind = rng_.Below(8);
    return rng_.Range(least, kind < 5 ? 130 : kind < 7 ? 1518 : kMaxFrameBytes);
  }
  FramePtr Numbered(size_t bytes) {
    Frame frame;
    frame.bytes = NumberedFrame(given_++, bytes, rng_);
    if (rng_.Chance(0.3)) frame.idle_cycles_before = static_cast<uint32_t>(rng_.Below(200));
    return std::make_shared<const Frame>(std::move(frame));
  }

  // Damaged frames are sent in runs, so that between them losses of frames are not excused.
  void SendToCard() {
    if (run_left_ == 0) {
      run_left_ = rng_.Range(3, 30);
      in_harm_ = rng_.Chance(damage_);
    }
    --run_left_;
    if (!in_harm_ || rng_.Chance(0.3)) {
      partner_.Send(Numbered(Length(8)));
      return;
    }
    Excuse(kExcusePs);
    if (rng_.Chance(0.1)) {
      const uint32_t set = rng_.Chance(0.3)   ? kLocalFault
                           : rng_.Chance(0.5) ? kRemoteFault
                                              : rng_.Word() >> 8;
      for (uint64_t n = rng_.Range(1, 6); n > 0; --n)
        partner_.transmitter().encoder().EnqueueOrderedSet(set,
                                                           static_cast<int>(rng_.Below(2)) * 4);
      ++harms_[kOrderedSet];
      return;
    }
    partner::WireFrame wire;
    wire.bytes =
        NumberedFrame(given_++, rng_.Chance(0.05) ? rng_.Range(9'600, 9'700) : Length(60), rng_);
    DamageLine(wire, rng_);
    partner_.SendRaw(std::move(wire));
    ++harms_[kDamaged];
  }

  void SendFromCard() {
    FramePtr good = Numbered(Length(1));
    if (!rng_.Chance(misuse_)) {
      card_->Send(std::move(good));
      return;
    }
    Frame frame = *good;
    const auto word_bytes = static_cast<size_t>(library_.info().user_word_bytes());
    while (frame.bytes.size() < 2 * word_bytes) frame.bytes.push_back(0);
    const auto words = static_cast<uint32_t>((frame.bytes.size() + word_bytes - 1) / word_bytes);
    // A FIFO may compensate for a late word.
    const bool fifo = library_.info().tx_fifo;
    switch (rng_.Below(fifo ? 2 : 3)) {
      case 0:
        frame.breach = Frame::Breach::kUserError;
        ++harms_[kUserError];
        break;
      case 1:
        frame.breach = Frame::Breach::kIllegalKeep;
        ++harms_[kKeep];
        break;
      default:
        frame.breach = Frame::Breach::kUnderrun;
        frame.breach_cycles = static_cast<uint32_t>(rng_.Range(1, 40));
        ++harms_[kUnderrun];
    }
    frame.breach_word = static_cast<uint32_t>(rng_.Range(1, words - 1));
    card_->Send(std::make_shared<const Frame>(std::move(frame)));
  }

  void HarmLine() {
    const bool in = rng_.Chance(0.6);
    SerialLine& line = in ? to_card_ : from_card_;
    const auto kind = static_cast<Harm>(rng_.Below(3));
    ++harms_[kind];
    Harmed(in);
    if (kind == kSlip) {
      line.Slip(rng_.Chance(0.5) ? 1 : -1);
      return;
    }
    if (kind == kLoss)
      line.set_signal(static_cast<SerialLine::Signal>(rng_.Range(1, 3)));
    else
      line.set_bit_error_rate(rng_.Chance(0.5) ? 1e-2 : 1e-4);
    for (uint64_t n = rng_.Range(1, 30); n > 0; --n) {
      Run();
      Harmed(in);
    }
    line.set_signal(SerialLine::Signal::kSender);
    line.set_bit_error_rate(0);
  }
  void Harmed(bool in) {
    if (in) {
      Excuse(kStablePs);
    } else {
      harmed_out_until_ps_ = scheduler_.now_ps() + kStablePs;
      disturbed_ = true;
    }
  }
  // Takes effect at once: a short frame may arrive before the next Watch().
  void Excuse(int64_t for_ps) {
    excused_ = true;
    excused_until_ps_ = std::max(excused_until_ps_, scheduler_.now_ps() + for_ps);
  }

  void Stall() {
    ++harms_[kStall];
    stalled_ = true;
    card_->SetBackPressure({.stall = rng_.Chance(0.5) ? 0.01 : 0.0005,
                            .max_edges = static_cast<uint32_t>(rng_.Range(1, 100)),
                            .seed = rng_.Next()});
  }

  // Everything comes to rest; then every frame must pass in both directions.
  void Calm() {
    in_harm_ = false;
    run_left_ = 0;
    card_->SetBackPressure({});
    AwaitLink();
    Drain();
    stalled_ = false;
    // A frame that was truncated when the link went down may have been a misused one.
    if (misused_ > 0 && !cut_ && !disturbed_)
      Fault("{} misused frames have not left with a wrong FCS", misused_);
    misused_ = 0;
    const uint64_t in = in_.delivered(), out = out_.delivered();
    damage_ = 0;
    for (uint64_t n = 0; n < kCleanFrames; ++n) {
      partner_.Send(Numbered(Length(8)));
      card_->Send(Numbered(Length(1)));
    }
    Drain();
    if (in_.delivered() - in != kCleanFrames || out_.delivered() - out != kCleanFrames) {
      Fault("in the calm {} of {} frames come, {} leave", in_.delivered() - in, kCleanFrames,
            out_.delivered() - out);
    }
  }

  void AwaitLink() {
    const int64_t start = scheduler_.now_ps();
    for (int64_t up = start; scheduler_.now_ps() - up < kStablePs; Run()) {
      if (!LinkUp()) up = scheduler_.now_ps();
      if (up - start > kRelockPs) Fault("no link within {} us", kRelockPs / 1'000'000);
    }
  }
  void Drain() {
    for (int64_t busy = scheduler_.now_ps(); scheduler_.now_ps() - busy < kRestPs; Run()) {
      if (card_->tx_backlog() > 0 || partner_.tx_backlog() > 0) busy = scheduler_.now_ps();
    }
    for (WayCheck* check : {&in_, &out_}) {
      check->Finish();
      if (!check->failure().empty()) Fault("{}", check->failure());
    }
  }

  Rng rng_;
  CardLibrary library_;
  Scheduler scheduler_;
  EdgeSet clock_;
  SerialLine to_card_, from_card_;
  partner::PartnerEnd partner_;
  std::unique_ptr<Card> card_;
  WayCheck in_{"to the card", Rules(library_.info())};
  WayCheck out_{"from the card", Rules(library_.info())};
  AtCard at_card_{*this};
  AtPartner at_partner_{*this};

  double line_harm_ = 0, damage_ = 0, misuse_ = 0;
  bool in_harm_ = false, excused_ = false, stalled_ = false;
  bool disturbed_ = false;  // this round: the line from the card
  bool cut_ = false;        // this round: the card had no link
  uint64_t run_left_ = 0, misused_ = 0;
  int64_t excused_until_ps_ = 0, harmed_out_until_ps_ = 0, progress_ps_ = 0;
  uint64_t errors_in_ = 0, errors_out_ = 0, overflows_ = 0;
  size_t backlog_ = 0;
  // Totals
  uint64_t given_ = 0, cycles_ = 0, aborted_ = 0, damaged_heard_ = 0;
  std::array<uint64_t, kHarms> harms_{};
};

}  // namespace

std::unique_ptr<Fuzzer> MakeFuzzer(uint64_t seed) { return std::make_unique<MacpcsFuzz>(seed); }

}  // namespace ullnic::fuzz
