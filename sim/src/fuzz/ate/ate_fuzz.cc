// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// The fuzzer of cores/ate. User logic and software each have connections that they use by the
// rules, and others that they misuse; registers of the latter are written at any moment. Whatever
// goes on:
//
//   progress   a word on offer, a chunk and an access to a register are taken in time, and a frame
//   never pauses state      what keeps the rules leaves byte for byte, in order, with the
//   connection's SEQ, and at once when the
//              engine is idle; a frame with a right FCS has the length that its header says; the
//              window and the credit are those of the connection; registers read back as they were
//              written
//   counters   each frame, or what should have been one, counts once: they equal what left and what
//   was given mirror     each accelerated frame once, in order, as it left, and whether its FCS was
//   wrong

#include <algorithm>
#include <map>

#include "fuzz/ate/connections.h"
#include "fuzz/ate/software.h"
#include "fuzz/ate/user.h"

namespace ullnic::fuzz {
namespace {

constexpr uint64_t kLimitCycles = 1000;  // of whatever waits, while MAC and mirror go on
constexpr uint64_t kRestCycles = 250;    // the longest frames in FIFO, engine and mirror
constexpr double kMirrorPauses = 0.01;   // a cycle, where the host is slow
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
  kCounters
};

bool StartsAs(const Bytes& frame, char who) {
  return frame.size() > 8 && frame[0] == 0x02 && frame[1] == who && frame[2] == 'G' &&
         frame[3] == 0xa5;
}

struct Due {
  bool raw = false;
  unsigned conn = 0;
  Bytes bytes;
};

class AteFuzz final : public Fuzzer {
 public:
  explicit AteFuzz(uint64_t seed)
      : rng_(Rng::Stream(seed, 0)), model_(seed), user_(seed), chunks_(seed), registers_(seed) {
    model_.ports().m_mirror_tready = 1;
    for (int i = 0; i < 20; ++i) Cycle();
    for (unsigned i = 0; i < kConnections; ++i) {
      connections_[i] = Connection::Random(i, rng_);
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
                           {"mirrored", mirrored_},
                           {"checked", checked_}};
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
      if (may_refuse_ && rng_.Chance(kMirrorPauses)) mirror_pause_ = rng_.Range(1, 300);
      Cycle();
    }
    mirror_pause_ = 0;
    model_.set_laziness(0);
    Rest();
    Judge();
    may_refuse_ = false;
    Calm();
  }

 private:
  void SetMode() {
    strict_ = rng_.Chance(0.4);
    registers_.Write(kControlRegister, strict_);
    hostile_writes_ = rng_.Chance(0.7) ? 0.05 : 0;
    may_refuse_ = rng_.Chance(0.4);
    model_.set_laziness(rng_.Chance(0.5) ? 0 : rng_.Range(1, 200));
    unruly_ = rng_.Chance(0.4);
    for (unsigned i = 0; i < kConnections; ++i) {
      if (Hostile(i)) connections_[i] = Connection::Random(i, rng_);
      if (Hostile(i) && rng_.Chance(0.5))
        connections_[i].max_seq = connections_[i].seq + static_cast<uint32_t>(rng_.Below(300)) - 50;
      if (Hostile(i))
        connections_[i].control =
            static_cast<uint32_t>(rng_.Below(8)) | (rng_.Chance(0.7) ? kEnable : 0);
      if (!Hostile(i)) connections_[i].max_seq = connections_[i].seq + (1u << 20);
      Write(i);
    }
    Rest();
    counters_ = ReadCounters();
    frames_before_ = model_.frames();
    bad_before_ = model_.bad_frames();
    events_ = chunk_count_ = no_chunk_count_ = raw_left_ = missing_ = mirrored_now_ =
        mirrored_bad_ = 0;
  }

  static bool Hostile(unsigned index) {
    return index >= kHostHostile || (index >= kUserHostile && index < kHostGood);
  }

  void Write(unsigned index) {
    for (unsigned word = 0; word < kReserved; ++word)
      WriteWord(index, word, connections_[index].Word(word));
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
    // What cuts it: a frame that keeps the rules, or the shortest one, whose first word is its
    // last. Its metadata, which are due before it, are shown with the raw frame.
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

  // An access of software's in the middle of all.
  void Access() {
    unsigned index = static_cast<unsigned>(rng_.Below(kConnections));
    const auto word = static_cast<unsigned>(rng_.Below(16));
    const uint32_t address = index << 6 | word << 2;
    const uint32_t value = rng_.Word();
    ++accesses_;
    if (rng_.Chance(0.2)) {  // where nothing may change
      const uint32_t own = kOwnRegisters | static_cast<uint32_t>(rng_.Below(kOwnRegisters));
      const bool strobe = rng_.Chance(0.5);
      if (!strobe && (own & ~3u) == kControlRegister && (own & 3) == 0) return;
      registers_.Write(strobe ? address : own, value,
                       static_cast<uint8_t>(strobe ? rng_.Below(15) : 15),
                       [](uint32_t, bool refused) {
                         if (!refused) Fault("a write that has to be refused is not");
                       });
    } else if (rng_.Chance(0.3)) {
      Connection& c = connections_[index];
      if (Hostile(index) || word == kSeq || word == kReserved || (word >= kAck && word <= kWindow2))
        return;
      registers_.Read(address, [want = c.Word(word), address](uint32_t data, bool refused) {
        if (refused || data != want)
          Fault("register {:#x} reads as {:#x}, {:#x} was written", address, data, want);
      });
    } else if (Hostile(index)) {
      if (word != kPorts && word != kReserved)
        WriteWord(index, word, word == kControl ? value & 7 : value);
    } else {
      ChangeAck(connections_[index], index);
    }
  }

  // As the driver does: the bank that is not sent, then the bit.
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
        if (frame.good()) user_due_.push_back({frame.raw, frame.conn, frame.bytes});
      });
      chunks_.Sample(model_, [this](const Chunk& chunk) { Given(chunk); });
      registers_.Sample(model_);
      if (user_.waited() > kLimitCycles)
        Fault("a word of user logic is not taken for {} cycles", kLimitCycles);
      Mirror();
      Count();
    }
    model_.Rise();
    for (; !model_.left().empty(); model_.left().pop_front()) Left(model_.left().front());
  }

  void Given(const Chunk& chunk) {
    ++chunk_count_;
    no_chunk_count_ += !chunk.whole;
    ++(chunk.good ? good_chunks_ : chunk.whole ? other_chunks_ : no_chunks_);
    if (chunk.good) host_due_.push_back({chunk.raw, chunk.conn, chunk.bytes});
  }

  void Left(const LeftFrame& frame) {
    to_mirror_.push_back(frame);
    if (frame.bad) return;
    if (StartsAs(frame.bytes, 'U') || StartsAs(frame.bytes, 'H')) {
      Expect(StartsAs(frame.bytes, 'U') ? user_due_ : host_due_, -1, frame.bytes);
      return;
    }
    const int conn = ConnectionOf(frame.bytes);
    if (conn < 0) return;  // raw, of whoever breaks the rules
    if (!Hostile(static_cast<unsigned>(conn))) {
      Expect(conn < static_cast<int>(kHostGood) ? user_due_ : host_due_, conn, frame.bytes);
    }
  }

  void Expect(std::deque<Due>& due, int conn, const Bytes& frame) {
    std::string differs = "nothing is due";
    while (!due.empty()) {
      const Due next = std::move(due.front());
      due.pop_front();
      if (next.raw == (conn < 0) && (next.raw || next.conn == static_cast<unsigned>(conn))) {
        differs = next.raw ? (next.bytes == frame ? "" : "it is not the raw frame that was given")
                           : connections_[next.conn].Differs(frame, next.bytes, false);
        if (differs.empty()) {
          ++checked_;
          if (!next.raw) connections_[next.conn].seq += static_cast<uint32_t>(next.bytes.size());
          return;
        }
      }
      // The engine may refuse what finds no room in the mirror.
      if (differs.empty() || next.conn != static_cast<unsigned>(conn))
        differs = fmt::format("{} bytes of connection {} are due", next.bytes.size(), next.conn);
      ++missing_;
      if (&due == &host_due_ || !may_refuse_) break;
    }
    Fault("a frame of {} bytes with a right FCS, connection {}: {}", frame.size(), conn, differs);
  }

  void Mirror() {
    const auto& m = model_.ports();
    if (!m.m_mirror_tvalid || !m.m_mirror_tready) return;
    for (unsigned i = 0; i < 4; ++i) {
      if (m.m_mirror_tkeep >> i & 1)
        mirror_.bytes.push_back(static_cast<uint8_t>(m.m_mirror_tdata >> (8 * i)));
    }
    if (!m.m_mirror_tlast) return;
    mirror_.bad = m.m_mirror_tuser;
    for (; !to_mirror_.empty(); to_mirror_.pop_front()) {
      if (Same(to_mirror_.front(), mirror_)) break;
      ++raw_left_;  // raw frames are not mirrored
    }
    if (to_mirror_.empty())
      Fault("the mirror shows a frame of {} bytes that has not left so", mirror_.bytes.size());
    ++mirrored_;
    ++mirrored_now_;
    mirrored_bad_ += mirror_.bad;
    CheckLength(mirror_);
    to_mirror_.pop_front();
    mirror_ = {};
  }

  // With 16 bits a frame's MAC addresses are those of up to four cycles before it (README.md): the
  // mirror's may be newer, and so may the length be in a frame that leaves with a wrong FCS.
  static bool Same(const LeftFrame& left, const LeftFrame& mirror) {
    const int conn = ConnectionOf(left.bytes);
    const bool steady =
        AteModel::kWidth == 32 || (!left.bad && conn >= 0 && !Hostile(static_cast<unsigned>(conn)));
    const size_t from = std::min<size_t>(steady ? 0 : left.bad ? 22 : 12, left.bytes.size());
    return left.bad == mirror.bad && left.bytes.size() == mirror.bytes.size() &&
           std::equal(left.bytes.begin() + static_cast<ptrdiff_t>(from), left.bytes.end(),
                      mirror.bytes.begin() + static_cast<ptrdiff_t>(from));
  }

  // A frame whose header does not fit its words never has a right FCS.
  static void CheckLength(const LeftFrame& frame) {
    std::string wrong;
    PayloadAt(frame.bytes, wrong);
    if (!frame.bad && !wrong.empty()) Fault("an accelerated frame with a right FCS: {}", wrong);
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

  // All that is under way ends.
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
      if (i != 3 && i != 7) values[i] = Value(kCounterRegisters + 4 * i);
    }
    return values;
  }

  void Judge() {
    std::array<uint32_t, kCounters> n = ReadCounters();
    uint64_t sum = 0;
    for (size_t i = 0; i < n.size(); ++i) sum += n[i] -= counters_[i];
    raw_left_ += to_mirror_.size();
    to_mirror_.clear();
    const auto equal = [](const char* what, uint64_t found, uint64_t due) {
      if (found != due) Fault("{}: {} counted, {} seen", what, found, due);
    };
    equal("sent with a right FCS", n[kSentUser] + n[kSentHost] + n[kSentRaw],
          model_.frames() - frames_before_ - (model_.bad_frames() - bad_before_));
    equal("raw frames", n[kSentRaw] + n[kBadRaw], raw_left_);
    equal("accelerated frames", n[kSentUser] + n[kSentHost], mirrored_now_ - mirrored_bad_);
    equal("no chunks", n[kBadChunk], no_chunk_count_);
    const uint64_t begun_bad = n[kBadLate] + n[kBadLength] + n[kBadWindow];
    // With AMEND a connection that is not enabled may be found out when its frame has begun.
    if (mirrored_bad_ < begun_bad ||
        mirrored_bad_ > begun_bad + (AteModel::kAmend ? n[kNoConn] : 0)) {
      Fault("{} accelerated frames with a wrong FCS, {} and {} counted", mirrored_bad_, begun_bad,
            n[kNoConn]);
    }
    if (!unruly_) equal("frames and chunks", sum, events_ + chunk_count_);
    missing_ += user_due_.size() + host_due_.size();
    if (!host_due_.empty()) Fault("{} frames of software have not left", host_due_.size());
    if (missing_ > n[kNoRoom])
      Fault("{} frames that keep the rules have not left, {} found no room", missing_, n[kNoRoom]);
    user_due_.clear();
    for (unsigned i = 0; i < kConnections; ++i) {
      if (Hostile(i)) continue;
      const uint32_t seq = Value(i << 6 | kSeq << 2);
      if (seq != connections_[i].Word(kSeq)) {
        Fault("SEQ of connection {} is {:#x}, {:#x} is due", i, __builtin_bswap32(seq),
              connections_[i].seq);
      }
    }
  }

  // Each connection that keeps the rules has its window and credit, and sends at once.
  void Calm() {
    for (unsigned i = kUserGood; i < kUserHostile; ++i) {
      auto& m = model_.ports();
      m.payload_conn_id = static_cast<uint16_t>(i);
      m.payload_length = kMaxPayload;
      for (int n = 0; n < 6; ++n) Cycle();
      const Connection& c = connections_[i];
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
        // A frame that was dropped without its end may cost the first one behind it a cycle.
        if (AteModel::kWidth == 32 && i > 0 && user_.since() == 1 && !begun)
          Fault("the first word is not on offer in the cycle of tx_sof_net");
      }
      if (!user_due_.empty()) Fault("a frame of connection {} has not left in the calm", i);
      Rest();
    }
  }

  Rng rng_;
  AteModel model_;
  User user_;
  Chunks chunks_;
  Registers registers_;
  std::array<Connection, kConnections> connections_{};
  std::deque<Due> user_due_, host_due_;
  std::deque<LeftFrame> to_mirror_;
  LeftFrame mirror_;
  bool strict_ = false, unruly_ = false;
  bool may_refuse_ = false;  // what finds no room in the mirror
  double hostile_writes_ = 0;
  uint64_t mirror_pause_ = 0;
  // Of this round
  std::array<uint32_t, kCounters> counters_{};
  uint64_t frames_before_ = 0, bad_before_ = 0, events_ = 0, chunk_count_ = 0, no_chunk_count_ = 0;
  uint64_t raw_left_ = 0, missing_ = 0, mirrored_now_ = 0, mirrored_bad_ = 0;
  // Of all
  std::array<uint64_t, static_cast<size_t>(UserAct::kActs)> acts_{};
  uint64_t offered_ = 0, mirrored_ = 0, checked_ = 0, accesses_ = 0;
  uint64_t good_chunks_ = 0, other_chunks_ = 0, no_chunks_ = 0;
  std::map<std::string, uint64_t> met_;
};

}  // namespace

std::unique_ptr<Fuzzer> MakeFuzzer(uint64_t seed) { return std::make_unique<AteFuzz>(seed); }

}  // namespace ullnic::fuzz
