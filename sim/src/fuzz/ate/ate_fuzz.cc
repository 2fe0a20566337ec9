// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// The fuzzer of cores/ate. User logic and software each have connections that they use correctly,
// and others that they misuse; registers of the latter are written at any time.
//
// - Progress: an offered word, a chunk and a register access are accepted in time, and a frame
//   never pauses.
// - State: a correct frame is sent byte for byte, in order, with the connection's SEQ, and at once
//   when the engine is idle. A frame with a good FCS has the length of its header. Window and
//   credit are those of the connection. Registers read back as written.
// - Counters: each frame or attempt counts once: they equal the frames sent and presented.
// - Mirror: each accelerated frame once, in order, as sent, and whether its FCS was bad.

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "fuzz/ate/ledger.h"
#include "fuzz/ate/software.h"
#include "fuzz/ate/user.h"

namespace ullnic::fuzz {
namespace {

constexpr uint64_t kLimitCycles = 1000;  // of any wait, while MAC and mirror continue
constexpr uint64_t kRestCycles = 250;    // the longest frames in FIFO, engine and mirror
// More than a round sends, and less than the length that is presented before the right one.
constexpr uint32_t kGoodWindow = 1 << 15;
constexpr double kMirrorPauses = 0.01;  // per cycle, if the host is slow
constexpr uint32_t kControlRegister = kOwnRegisters + 0xc, kCounterRegisters = kOwnRegisters + 0x40;

// ate.rdl
enum Counter : uint8_t {
  kSentUser,
  kSentHost,
  kSentRaw,
  kNoConn = 4,
  kNoRoom,
  kNoWindow,
  kBadLate = 8,
  kBadLength,
  kBadWindow,
  kBadRaw,
  kBadChunk,
  kAborted,  // in addition to the others
  kCounters
};

class AteFuzz final : public Fuzzer {
 public:
  explicit AteFuzz(uint64_t seed)
      : rng_(Rng::Stream(seed, 0)), model_(seed), user_(seed), chunks_(seed), registers_(seed) {
    model_.ports().m_mirror_tready = 1;
    for (int i = 0; i < 20; ++i) Cycle();
    for (unsigned i = 0; i < kConnections; ++i) {
      ledger_.connections[i] = Connection::Random(i, rng_);
      Write(i);
    }
    Rest();
    counters_ = ReadCounters();
  }

  uint64_t frames() const override { return offered_; }
  uint64_t cycles() const override { return model_.cycles(); }
  nlohmann::json Json() const override {
    nlohmann::json json = {{"left", model_.frames()},
                           {"bad_fcs", model_.bad_frames()},
                           {"checked", ledger_.checked},
                           {"good_dropped", user_.dropped()}};
    for (size_t i = 0; i < acts_.size(); ++i) json["user"][kUserActNames[i]] = acts_[i];
    json["chunks"] = {{"good", good_chunks_}, {"other", other_chunks_}, {"no_chunk", no_chunks_}};
    json["engine"] = met_;
    return json;
  }

  void Round() override {
    SetMode();
    const uint64_t plans = rng_.Range(20, 120);
    for (uint64_t i = 0; i < plans; ++i) OfferUser();
    for (uint64_t i = rng_.Below(plans / 2 + 1); i > 0; --i) OfferChunk();
    while (!user_.idle() || !chunks_.idle()) {
      if (rng_.Chance(hostile_writes_) && registers_.idle()) Access();
      if (ledger_.may_refuse && rng_.Chance(kMirrorPauses)) mirror_pause_ = rng_.Range(1, 300);
      Cycle();
    }
    mirror_pause_ = 0;
    model_.set_laziness(0);
    Rest();
    Judge();
    ledger_.may_refuse = false;
    Calm();
  }

 private:
  void SetMode() {
    strict_ = rng_.Chance(0.4);
    registers_.Write(kControlRegister, strict_);
    hostile_writes_ = rng_.Chance(0.7) ? 0.05 : 0;
    ledger_.may_refuse = rng_.Chance(0.4);
    model_.set_laziness(rng_.Chance(0.5) ? 0 : rng_.Range(1, 200));
    unruly_ = rng_.Chance(0.4);
    for (unsigned i = 0; i < kConnections; ++i) {
      if (Ledger::Hostile(i)) ledger_.connections[i] = Connection::Random(i, rng_);
      if (Ledger::Hostile(i) && rng_.Chance(0.5))
        ledger_.connections[i].max_seq =
            ledger_.connections[i].seq + static_cast<uint32_t>(rng_.Below(300)) - 50;
      if (Ledger::Hostile(i))
        ledger_.connections[i].control =
            static_cast<uint32_t>(rng_.Below(8)) | (rng_.Chance(0.7) ? kEnable : 0);
      if (!Ledger::Hostile(i))
        ledger_.connections[i].max_seq = ledger_.connections[i].seq + kGoodWindow;
      Write(i);
    }
    Rest();
    counters_ = ReadCounters();
    frames_before_ = model_.frames();
    bad_before_ = model_.bad_frames();
    events_ = chunk_count_ = no_chunk_count_ = 0;
    dropped_before_ = user_.dropped();
    ledger_.Begin();
  }

  void Write(unsigned index) {
    for (unsigned word = 0; word < kReserved; ++word)
      WriteWord(index, word, ledger_.connections[index].Word(word));
  }
  void WriteWord(unsigned index, unsigned word, uint32_t value) {
    registers_.Write(index << 6 | word << 2, value, 15, [](uint32_t, bool refused) {
      if (refused) Fault("a write of a connection's word is refused");
    });
  }

  void OfferUser() {
    constexpr auto kFirstBad = static_cast<size_t>(UserAct::kNoConnection);
    constexpr auto kFirstUnruly = static_cast<size_t>(UserAct::kWithdrawn);
    constexpr auto kAll = static_cast<size_t>(UserAct::kActs);
    UserFrame frame;
    if (rng_.Chance(0.5)) {
      frame = user_.Good(strict_);
    } else {
      frame = user_.Bad(
          static_cast<UserAct>(rng_.Range(kFirstBad, (unruly_ ? kAll : kFirstUnruly) - 1)),
          strict_);
    }
    if (frame.act == UserAct::kStart && AteModel::kWidth == 32) frame.chaos = 0;
    if (frame.act != UserAct::kRawCut && frame.act != UserAct::kRawOpen) {
      Offer(frame);
      return;
    }
    // The frame that truncates it: a correct one, or the shortest one, whose first word is its
    // last. Its metadata, which are due before it, are presented with the raw frame.
    UserFrame next = user_.Good(strict_);
    while (frame.act == UserAct::kRawCut && next.words.size() > 1) next = user_.Good(strict_);
    next.gap = 0;
    frame.conn = next.conn;
    frame.length = next.length;
    frame.conn_at = frame.length_at = 0;
    Offer(frame);
    Offer(next);
  }
  void Offer(const UserFrame& frame) {
    ++acts_[static_cast<size_t>(frame.act)];
    if (frame.words.empty() && frame.chaos == 0) return;
    ++offered_;
    events_ += !frame.words.empty();
    user_.Offer(frame);
  }

  void OfferChunk() {
    chunks_.Offer(rng_.Chance(0.5) ? chunks_.Good() : chunks_.Bad());
    ++offered_;
  }

  // A register access by software during traffic.
  void Access() {
    unsigned index = static_cast<unsigned>(rng_.Below(kConnections));
    const auto word = static_cast<unsigned>(rng_.Below(16));
    const uint32_t address = index << 6 | word << 2;
    const uint32_t value = rng_.Word();
    ++accesses_;
    if (rng_.Chance(0.2)) {  // where writes have no effect
      const uint32_t own = kOwnRegisters | static_cast<uint32_t>(rng_.Below(kOwnRegisters));
      const bool strobe = rng_.Chance(0.5);
      if (!strobe && (own & ~3u) == kControlRegister && (own & 3) == 0) return;
      registers_.Write(strobe ? address : own, value,
                       static_cast<uint8_t>(strobe ? rng_.Below(15) : 15),
                       [](uint32_t, bool refused) {
                         if (!refused) Fault("a write that has to be refused is not");
                       });
    } else if (rng_.Chance(0.3)) {
      Connection& c = ledger_.connections[index];
      if (Ledger::Hostile(index) || word == kSeq || word == kReserved ||
          (word >= kAck && word <= kWindow2))
        return;
      registers_.Read(address, [want = c.Word(word), address](uint32_t data, bool refused) {
        if (refused || data != want)
          Fault("register {:#x} reads as {:#x}, {:#x} was written", address, data, want);
      });
    } else if (Ledger::Hostile(index)) {
      if (word != kPorts && word != kReserved)
        WriteWord(index, word, word == kControl ? value & 7 : value);
    } else {
      ChangeAck(ledger_.connections[index], index);
    }
  }

  // Like the driver: the inactive bank, then the bit.
  void ChangeAck(Connection& c, unsigned index) {
    c.SetAck({rng_.Word(), static_cast<uint16_t>(rng_.Next())});
    const unsigned bank = c.control & kBank ? 0 : 2;
    WriteWord(index, kAck + bank, c.Word(kAck));
    WriteWord(index, kWindow + bank, c.Word(kWindow));
    c.control ^= kBank;
    WriteWord(index, kControl, c.control);
  }

  void Cycle() {
    user_.Drive(model_);
    chunks_.Drive(model_);
    registers_.Drive(model_);
    model_.ports().m_mirror_tready = mirror_pause_ == 0;
    if (mirror_pause_ > 0) --mirror_pause_;
    model_.Settle();
    if (!model_.in_reset()) {
      user_.Sample(model_, [this](const UserFrame& frame) {
        if (frame.good()) ledger_.user_due.push_back({frame.raw, frame.conn, frame.bytes});
      });
      chunks_.Sample(model_, [this](const Chunk& chunk) { Given(chunk); });
      registers_.Sample(model_);
      if (user_.waited() > kLimitCycles)
        Fault("a word of user logic is not taken for {} cycles", kLimitCycles);
      ledger_.Mirror(model_.ports());
      Count();
    }
    model_.Rise();
    for (; !model_.left().empty(); model_.left().pop_front()) ledger_.Left(model_.left().front());
  }

  void Given(const Chunk& chunk) {
    ++chunk_count_;
    no_chunk_count_ += !chunk.whole;
    ++(chunk.good ? good_chunks_ : chunk.whole ? other_chunks_ : no_chunks_);
    if (chunk.good) ledger_.host_due.push_back({chunk.raw, chunk.conn, chunk.bytes});
  }

  void Count() {
#define ENGINE(name) (model_.ports().rootp->ate_core__DOT__u_engine__DOT__##name != 0)
    const auto meet = [this](const char* name, bool now) {
      if (now) ++met_[name];
    };
    const bool eof = model_.ports().tx_eof_net;
    meet("raw_restart beside raw_over", ENGINE(raw_restart) && ENGINE(raw_over));
    meet("raw_restart beside tx_eof_net", ENGINE(raw_restart) && eof);
    meet("raw_restart", ENGINE(raw_restart));
    meet("raw_over", ENGINE(raw_over));
    meet("refuse", ENGINE(refuse));
    meet("user_cut", ENGINE(user_cut));
    const bool first = ENGINE(drop_first_q);
    meet("drop_first_q", first);
    meet("drop_first_q for more than a cycle", first && !ENGINE(drop_ack));
#undef ENGINE
  }

  // Everything in progress completes.
  void Rest() {
    for (uint64_t left = kRestCycles, waited = 0; left > 0 || !registers_.idle(); ++waited) {
      const auto& m = model_.ports();
      if (left > 0) --left;
      if (model_.frame_under_way() || m.m_mirror_tvalid || !registers_.idle()) left = kRestCycles;
      if (waited > 20 * kLimitCycles) Fault("the engine does not come to rest");
      Cycle();
    }
  }

  uint32_t Value(uint32_t address) {
    uint32_t value = 0;
    registers_.Read(address, [&value](uint32_t data, bool refused) {
      if (refused) Fault("a read is refused");
      value = data;
    });
    while (!registers_.idle()) Cycle();
    return value;
  }

  std::array<uint32_t, kCounters> ReadCounters() {
    std::array<uint32_t, kCounters> values{};
    for (uint32_t i = 0; i < kCounters; ++i) {
      if (i != 3) values[i] = Value(kCounterRegisters + 4 * i);
    }
    return values;
  }

  void Judge() {
    std::array<uint32_t, kCounters> n = ReadCounters();
    uint64_t sum = 0;
    for (size_t i = 0; i < n.size(); ++i) sum += n[i] -= counters_[i];
    sum -= n[kAborted];
    ledger_.Settle();
    const auto equal = [](const char* what, uint64_t found, uint64_t due) {
      if (found != due) Fault("{}: {} counted, {} seen", what, found, due);
    };
    equal("sent with a right FCS", n[kSentUser] + n[kSentHost] + n[kSentRaw],
          model_.frames() - frames_before_ - (model_.bad_frames() - bad_before_));
    equal("aborted", n[kAborted], model_.bad_frames() - bad_before_);
    equal("raw frames", n[kSentRaw] + n[kBadRaw], ledger_.raw_left);
    equal("accelerated frames", n[kSentUser] + n[kSentHost],
          ledger_.mirrored - ledger_.mirrored_bad);
    equal("no chunks", n[kBadChunk], no_chunk_count_);
    const uint64_t begun_bad = n[kBadLate] + n[kBadLength] + n[kBadWindow];
    // With AMEND, a connection that is not enabled may be detected when its frame has started.
    if (ledger_.mirrored_bad < begun_bad ||
        ledger_.mirrored_bad > begun_bad + (AteModel::kAmend ? n[kNoConn] : 0)) {
      Fault("{} accelerated frames with a wrong FCS, {} and {} counted", ledger_.mirrored_bad,
            begun_bad, n[kNoConn]);
    }
    if (!unruly_) equal("frames and chunks", sum, events_ + chunk_count_);
    if (!ledger_.host_due.empty())
      Fault("{} frames of software have not left", ledger_.host_due.size());
    ledger_.missing += ledger_.user_due.size();
    equal("good frames with tx_drop_net", user_.dropped() - dropped_before_, ledger_.missing);
    if (ledger_.missing > n[kNoRoom])
      Fault("{} frames that keep the rules have not left, {} found no room", ledger_.missing,
            n[kNoRoom]);
    ledger_.user_due.clear();
    for (unsigned i = 0; i < kConnections; ++i) {
      if (Ledger::Hostile(i)) continue;
      const uint32_t seq = Value(i << 6 | kSeq << 2);
      if (seq != ledger_.connections[i].Word(kSeq)) {
        Fault("SEQ of connection {} is {:#x}, {:#x} is due", i, __builtin_bswap32(seq),
              ledger_.connections[i].seq);
      }
    }
  }

  // Each correctly used connection has its window and credit, and sends at once.
  void Calm() {
    for (unsigned i = kUserGood; i < kUserHostile; ++i) {
      auto& m = model_.ports();
      m.payload_conn_id = static_cast<uint16_t>(i);
      m.payload_length = kMaxPayload;
      for (int n = 0; n < 6; ++n) Cycle();
      const Connection& c = ledger_.connections[i];
      const uint32_t credit = c.control & kCheck ? c.max_seq - c.seq : UINT32_MAX;
      if (!m.window_available) Fault("window_available is low for connection {}", i);
      if (m.tx_credit != credit) Fault("tx_credit is {}, {} is due", m.tx_credit, credit);
      UserFrame frame = user_.Good(strict_);
      while (frame.raw) frame = user_.Good(strict_);
      frame.conn = static_cast<uint16_t>(i);
      frame.gap = 3;
      frame.conn_at = -2;
      if (strict_) frame.length_at = -2;
      ++acts_[0];
      ++offered_;
      user_.Offer(std::move(frame));
      bool begun = false;
      for (uint64_t n = 0; !user_.idle() || model_.frame_under_way(); ++n) {
        Cycle();
        if (n > kLimitCycles) Fault("a frame does not leave in the calm");
        begun |= model_.started();
        // A frame that was dropped without its end may delay the first one after it by a cycle.
        if (AteModel::kWidth == 32 && i > 0 && user_.since() == 1 && !begun)
          Fault("the first word is not on offer in the cycle of tx_sof_net");
      }
      if (!ledger_.user_due.empty()) Fault("a frame of connection {} has not left in the calm", i);
      Rest();
    }
  }

  Rng rng_;
  AteModel model_;
  User user_;
  Chunks chunks_;
  Registers registers_;
  Ledger ledger_;
  bool strict_ = false, unruly_ = false;
  double hostile_writes_ = 0;
  uint64_t mirror_pause_ = 0;
  // Of this round
  std::array<uint32_t, kCounters> counters_{};
  uint64_t frames_before_ = 0, bad_before_ = 0, dropped_before_ = 0;
  uint64_t events_ = 0, chunk_count_ = 0, no_chunk_count_ = 0;
  // Totals
  std::array<uint64_t, static_cast<size_t>(UserAct::kActs)> acts_{};
  uint64_t offered_ = 0, accesses_ = 0;
  uint64_t good_chunks_ = 0, other_chunks_ = 0, no_chunks_ = 0;
  std::map<std::string, uint64_t> met_;
};

}  // namespace

std::unique_ptr<Fuzzer> MakeFuzzer(uint64_t seed) { return std::make_unique<AteFuzz>(seed); }

}  // namespace ullnic::fuzz
