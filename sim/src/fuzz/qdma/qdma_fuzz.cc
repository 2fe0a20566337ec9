// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// The fuzzer of the DMA (cores/qdma): at each moment some functions have a good driver, and the
// others are hostile, after they had one. Physical and virtual functions have either part; in a
// wild round all are hostile, and all registers are theirs. The completer of hostile reads is
// hostile, too, and so is the user who sends them packets.
//
// - TLPs: each is legal, of a function that exists and may send it, and its address is its own
//   function's. That of a good one is in memory that its driver has given for this.
// - Progress: every packet, transfer, interrupt and access of good functions is done in time, and
//   each reset; afterwards no TLP of the function is sent until it is set up again.
// - Bytes: packets, entries, statuses and messages of good functions are right, bit by bit.
// - Afterwards: a good driver works on each hostile function, once that has been reset.
// - Counters: what the core counts of answers, failed reads, completions of no read, packets that
//   it has stopped or found too long, refused accesses and interrupts is what happened.
// - The core's own assertions hold.

#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "fuzz/fuzzer.h"
#include "fuzz/qdma/good_driver.h"
#include "fuzz/qdma/hostile_guests.h"

namespace ullnic::fuzz {
namespace {

constexpr uint64_t kWorkCycles = 8;  // from one driver's turn to the next
constexpr uint64_t kLimitCycles = 1'000'000;
// Of all functions, one after another. A reset looks at every queue (cores/qdma/docs/flr.md).
constexpr uint64_t kSetUpCycles = kFew ? kLimitCycles : 4 * kLimitCycles;
constexpr uint64_t kResetsCycles = kFew ? kLimitCycles : kPlaces * 140'000;
constexpr uint64_t kBeginCycles = 1'500;  // more than until a reset has begun
constexpr uint64_t kRestCycles = 600;     // that a function is watched after its reset
constexpr size_t kMostWaiting = 40;       // accesses, at most, before another packet of a driver
constexpr double kBusy = 0.5, kSeldom = 0.03;  // that a driver's turn begins packets
// That a round is wild, and in others that a function is hostile. Of many only a few are, since
// setting up takes long.
constexpr double kWild = kFew ? 0.2 : 0.02, kHostile = kFew ? 0.5 : 4.0 / kPlaces;

class QdmaFuzz final : public Fuzzer {
 public:
  explicit QdmaFuzz(uint64_t seed)
      : rng_(Rng::Stream(seed, 0)),
        context_(std::make_unique<VerilatedContext>()),
        accesses_(Rng::Stream(seed, 1)),
        link_(Rng::Stream(seed, 2)),
        user_(Rng::Stream(seed, 3)),
        card_(Rng::Stream(seed, 4)),
        guests_(accesses_, user_, Rng::Stream(seed, 5)) {
    context_->randReset(0);
    context_->fatalOnError(false);
    model_ = std::make_unique<QdmaModel>(context_.get());
    QdmaModel& m = *model_;
    m.max_payload = static_cast<uint8_t>(rng_.Below(4));
    m.max_read_request = static_cast<uint8_t>(rng_.Below(5));
    m.credit_limit = HostLink::kCreditLines;
    for (unsigned place = 0; place < kPlaces; ++place) SetMaster(place, true);
    user_.on_granted = [this](unsigned qid, C2hPacket&& packet) {
      for (auto& driver : drivers_) {
        if (driver && driver->owns(qid)) driver->Granted(qid, std::move(packet));
      }
    };
    m.rst = 1;
    for (int i = 0; i < 4; ++i) Edge();
    m.rst = 0;
    Until("the clearing of the contexts", [&] { return !m.clearing; });
    GoodDriver::SetUpShared(accesses_, rng_);
    for (unsigned place = 0; place < kPlaces; ++place) MakeDriver(place);
    Prove();
  }
  ~QdmaFuzz() override {
    drivers_ = {};
    model_->final();
  }

  uint64_t frames() const override {
    return accesses_.given() + link_.counts().parts + user_.counts().granted;
  }
  uint64_t cycles() const override { return cycles_; }
  nlohmann::json Json() const override;

  void Round() override {
    const bool is_wild = rng_.Chance(kWild);
    std::vector<unsigned> hostile = DrawHostile(is_wild);
    for (const unsigned place : hostile) drivers_[place].reset();
    link_.SetWild(is_wild);
    guests_.Begin(hostile, is_wild);
    DrawRates();
    is_hostile_now_ = true;
    ++(is_wild ? wild_ : rounds_);
    for (uint64_t left = rng_.Range(10'000, 150'000); left > 0; --left) {
      if (rng_.Chance(act_rate_)) guests_.Act();
      if (rng_.Chance(packet_rate_)) guests_.SendC2h();
      if (rng_.Chance(0.0003)) Disturb(guests_.AnyPlace());
      Step(good_rate_);
    }
    Calm();
    Recover(hostile, is_wild);
    Prove();
    CheckCounts();
  }

 private:
  // --- Time
  void Edge() {
    QdmaModel& m = *model_;
    m.clk = 0;
    m.eval();
    if (!m.rst && !m.clearing) {
      accesses_.Clock(m);
      link_.Clock(m);
      user_.Clock(m);
      card_.Clock(m);
      ClockResets();
      ClockInterrupts();
    }
    m.clk = 1;
    m.eval();
    ++cycles_;
    if (context_->gotError()) Fault("an assertion of the core does not hold");
  }
  void Step(double starts) {
    QdmaModel& m = *model_;
    if (cycles_ % kWorkCycles == 0) {
      auto& driver = drivers_[turn_++ % kPlaces];
      if (driver) {
        const bool has_room = accesses_.waiting() < kMostWaiting;
        driver->Work(cycles_, has_room && rng_.Chance(starts));
      }
    }
    accesses_.Drive(m);
    link_.Drive(m);
    user_.Drive(m);
    card_.Drive(m);
    Edge();
  }
  template <class Condition>
  void Until(const char* what, const Condition& holds, double starts = 0,
             uint64_t limit = kLimitCycles) {
    for (uint64_t i = 0; i < limit; ++i) {
      if (holds()) return;
      Step(starts);
    }
    Fault("{}: not within {} cycles", what, limit);
  }

  // --- Parts
  void MakeDriver(unsigned place) {
    drivers_[place] = std::make_unique<GoodDriver>(
        place, GoodDriver::Parts{accesses_, link_, user_, card_}, Rng(rng_.Next()));
  }
  std::vector<unsigned> DrawHostile(bool is_wild) {
    std::vector<unsigned> places;
    while (places.empty()) {
      // A good physical function, and a good virtual one, are kept.
      const auto physical = static_cast<unsigned>(rng_.Below(2));
      const auto virtual_one = static_cast<unsigned>(kPhysical + rng_.Below(kVirtual));
      for (unsigned place = 0; place < kPlaces; ++place) {
        const bool is_kept = place == physical || place == virtual_one;
        if (is_wild || (!is_kept && rng_.Chance(kHostile))) places.push_back(place);
      }
    }
    return places;
  }
  void DrawRates() {
    const auto one_of = [this](std::initializer_list<double> rates) {
      return rates.begin()[rng_.Below(rates.size())];
    };
    link_.rates = {.write = one_of({1, 1, 0.8, 0.3}),
                   .read = one_of({1, 1, 0.5}),
                   .part = one_of({1, 1, 0.7, 0.4}),
                   .fault = one_of({0, 0.02, 0.1}),
                   .latency = rng_.Range(2, 300)};
    user_.h2c_pause = one_of({0, 0.001, 0.02});
    user_.c2h_pause = one_of({0, 0.001, 0.02});
    card_.pause = one_of({0, 0.1, 0.5});
    card_.error = one_of({0, 0.02, 0.2});
    accesses_.answer_rate = one_of({1, 0.5});
    good_rate_ = one_of({0.01, 0.03, 0.1});
    packet_rate_ = one_of({0.003, 0.01, 0.03});
    act_rate_ = one_of({0.02, 0.05, 0.1});
  }
  void SetMaster(unsigned place, bool is_master) {
    SetBit(&model_->master_enable[0], place, is_master);
    link_.SetMaster(place, is_master);
    SetBit(&model_->msix_enable[0], place, true);
    SetBit(&model_->msix_mask[0], place, false);
  }
  static void SetBit(EData* words, unsigned place, bool value) {
    const unsigned func = kFunctions[place];
    words[func / 32] = (words[func / 32] & ~(1u << func % 32)) | (value ? 1u : 0u) << func % 32;
  }

  // --- Hostile
  void Disturb(unsigned place) {
    const unsigned func = kFunctions[place];
    switch (rng_.Below(5)) {
      case 0:
        return Reset(place);
      case 1:
        ++resets_asked_;
        return accesses_.Write(func, IsVirtual(func) ? 0x1100 : 0x2500, {1});
      case 2:
        SetBit(&model_->msix_enable[0], place, rng_.Chance(0.5));
        return SetBit(&model_->msix_mask[0], place, rng_.Chance(0.5));
      default:
        return SetMaster(place, !link_.is_master(place));
    }
  }
  void Reset(unsigned place) {
    if (is_resetting_[place]) return;
    ++resets_;
    is_resetting_[place] = true;
    SetBit(&model_->flr_in_process[0], place, true);
  }
  void ClockResets() {
    const QdmaModel& m = *model_;
    if (!m.flr_done) return;
    const unsigned place = PlaceOf(m.flr_func);
    if (place == kPlaces) Fault("function {} is reset, which does not exist", unsigned{m.flr_func});
    ends_ += is_resetting_[place];
    is_resetting_[place] = false;
    SetBit(&model_->flr_in_process[0], place, false);
    if (rests_[place]) link_.SetAtRest(place, true);
  }
  // Interrupts of the user, of any function and vector.
  void ClockInterrupts() {
    QdmaModel& m = *model_;
    if (m.user_irq_ack || m.user_irq_fail) {
      if (!m.user_irq_valid) Fault("an answer to no interrupt of the user");
      user_failed_ += m.user_irq_fail;
      ++user_irqs_;
      m.user_irq_valid = 0;
      irq_waited_ = 0;
    } else if (m.user_irq_valid && ++irq_waited_ > kLimitCycles) {
      Fault("an interrupt of the user has no answer");
    } else if (!m.user_irq_valid && is_hostile_now_ && rng_.Chance(0.005)) {
      m.user_irq_valid = 1;
      const unsigned func = kFunctions[guests_.AnyPlace()];
      m.user_irq_func =
          static_cast<uint8_t>(rng_.Chance(0.9) ? func : NoFunction(rng_).value_or(func));
      m.user_irq_vector =
          static_cast<uint16_t>(rng_.Chance(0.9) ? rng_.Below(40) : rng_.Below(2048));
    }
  }

  // --- Rest
  void Calm() {
    is_hostile_now_ = false;
    for (unsigned place = 0; place < kPlaces; ++place) SetMaster(place, true);
    user_.DropHostile();
    Until("accesses", [this] { return accesses_.idle(); });
  }
  // Nobody pauses any more, and reads are answered without faults.
  void BeKind() {
    link_.rates = {};
    user_.h2c_pause = user_.c2h_pause = 0;
    card_.pause = card_.error = 0;
    accesses_.answer_rate = 1;
  }
  // Resets that registers have requested end first: the last reset then begins after everything.
  void Recover(const std::vector<unsigned>& hostile, bool is_wild) {
    const auto have_ended = [this] { return std::ranges::count(is_resetting_, true) == 0; };
    Until("resets", have_ended, 0, kResetsCycles);
    for (const unsigned place : hostile) AwaitRegister(place);
    for (size_t i = 0; i + 1 < hostile.size(); ++i) {
      rests_[hostile[i]] = true;
      Reset(hostile[i]);
    }
    Until("resets", have_ended, kSeldom, kResetsCycles);
    ResetWhileItWrites(hostile.back());
    for (uint64_t i = 0; i < kRestCycles; ++i) Step(kSeldom);
    BeKind();
    Until("packets of the user", [this] { return user_.idle(); });
    if (is_wild) GoodDriver::SetUpShared(accesses_, rng_);
    link_.SetWild(false);
    for (const unsigned place : hostile) {
      rests_[place] = false;
      MakeDriver(place);
    }
  }
  // What a function writes while it is reset is ignored: here to its mailbox, emptied at the begin.
  void ResetWhileItWrites(unsigned place) {
    const unsigned func = kFunctions[place];
    const uint32_t vector = (IsVirtual(func) ? 0x5000 : 0x22400) + 8;
    rests_[place] = true;
    Reset(place);
    for (uint64_t i = 0; i < kBeginCycles; ++i) Step(kSeldom);
    accesses_.Write(func, vector, {21});
    Until("accesses", [this] { return accesses_.idle(); });
    if (!is_resetting_[place]) Fault("function {} is reset too early", func);
    Until("a reset", [&] { return !is_resetting_[place]; }, kSeldom);
    accesses_.Read(func, vector, [func](uint32_t value) {
      if (value != 0) Fault("function {} has changed its mailbox while it was reset", func);
    });
  }
  void AwaitRegister(unsigned place) {
    const unsigned func = kFunctions[place];
    std::optional<uint32_t> value = 1;
    const auto has_ended = [&] {
      if (value == 0u) return true;
      if (!value.has_value()) return false;
      value.reset();
      accesses_.Read(func, IsVirtual(func) ? 0x1100 : 0x2500, [&](uint32_t v) { value = v; });
      return false;
    };
    Until("a reset by register", has_ended, 0, kResetsCycles);
  }
  // Every function works; then everything comes to rest.
  void Prove() {
    const auto are_ready = [this] {
      return std::ranges::all_of(drivers_, [](const auto& driver) { return driver->is_ready(); });
    };
    Until("good drivers", are_ready, 0, kSetUpCycles);
    for (uint64_t i = rng_.Range(500, 3'000); i > 0; --i) Step(kBusy);
    Until("rest", [this] {
      return accesses_.idle() && link_.idle() && user_.idle() && card_.idle() &&
             std::ranges::all_of(drivers_, [](const auto& driver) { return driver->idle(); });
    });
  }
  void CheckCounts() {
    for (int i = 0; i < 200; ++i) Step(0);
    const QdmaModel& m = *model_;
    user_.CheckCounts(m);
    Equal("stat_read_failed", m.stat_read_failed, link_.counts().failed);
    Equal("stat_completion_unexpected", m.stat_completion_unexpected, link_.counts().unexpected);
    Equal("stat_user_refused", m.stat_user_refused, card_.refused);
    Equal("stat_user_irq_failed", m.stat_user_irq_failed, user_failed_);
  }
  static void Equal(const char* name, uint64_t found, uint64_t wanted) {
    if (static_cast<uint32_t>(found) != static_cast<uint32_t>(wanted))
      Fault("{} is {}, not {}", name, found, wanted);
  }

  Rng rng_;
  std::unique_ptr<VerilatedContext> context_;
  std::unique_ptr<QdmaModel> model_;
  Accesses accesses_;
  HostLink link_;
  StreamUser user_;
  CardSide card_;
  HostileGuests guests_;
  std::array<std::unique_ptr<GoodDriver>, kPlaces> drivers_;
  std::array<bool, kPlaces> is_resetting_{}, rests_{};
  bool is_hostile_now_ = false;
  double act_rate_ = 0, packet_rate_ = 0, good_rate_ = 0;
  unsigned turn_ = 0;
  uint64_t cycles_ = 0, irq_waited_ = 0, user_failed_ = 0, user_irqs_ = 0;
  uint64_t rounds_ = 0, wild_ = 0, resets_ = 0, resets_asked_ = 0, ends_ = 0;
};

nlohmann::json QdmaFuzz::Json() const {
  const HostLink::Counts& link = link_.counts();
  const StreamUser::Counts& user = user_.counts();
  const HostileGuests::Counts& guests = guests_.counts();
  return {{"functions", kPlaces},
          {"rounds", rounds_},
          {"wild_rounds", wild_},
          {"accesses", accesses_.given()},
          {"longest_access", accesses_.longest()},
          {"reads", link.reads},
          {"hostile_reads", link.hostile_reads},
          {"reads_failed", link.failed},
          {"strays", link.unexpected},
          {"completions", link.parts},
          {"writes", link.writes},
          {"hostile_writes", link.hostile_writes},
          {"good_messages", link.messages},
          {"h2c", user.h2c},
          {"hostile_h2c", user.hostile_h2c},
          {"c2h", user.c2h},
          {"hostile_c2h", user.hostile_c2h},
          {"held", user.held},
          {"dropped", user.dropped},
          {"invalid", user.invalid},
          {"too_long", user.too_long},
          {"mismatched", user.mismatched},
          {"stopped", user.stopped},
          {"bursts", card_.bursts},
          {"user_bar", card_.user_accesses},
          {"commands", guests.commands},
          {"set_ups", guests.set_ups},
          {"doorbells", guests.doorbells},
          {"user_interrupts", user_irqs_},
          {"resets", ends_},
          {"resets_by_register", resets_asked_}};
}

}  // namespace

std::unique_ptr<Fuzzer> MakeFuzzer(uint64_t seed) { return std::make_unique<QdmaFuzz>(seed); }

}  // namespace ullnic::fuzz
