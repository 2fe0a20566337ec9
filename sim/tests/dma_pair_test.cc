// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// The same random traffic on the functional model and on the RTL.
//
// When something happens, and how much of it at once, differs. So each is checked against its
// obligations: bytes, entries and status values that may come next, the order among them, at most
// one interrupt per cause, no write elsewhere and none after a queue is at rest. The final states
// that must be equal are compared.
//
// ULLNIC_DMA_TLPS is the number of TLPs of the RTL to run for, e.g. 10000000; the default is short.

#include <nlohmann/json.hpp>

#include "dma_bench.h"

namespace ullnic {
namespace {

constexpr uint64_t kShortTlps = 60'000;
constexpr unsigned kPairPorts = DmaBench::kPorts;
constexpr uint32_t kRingSizes[] = {4, 6, 9, 18, 34, 65, 130};
constexpr uint32_t kBufferSizes[] = {64, 128, 256, 1024, 2048, 4096};
constexpr uint32_t kCounts[] = {1, 2, 7, 20};
constexpr uint32_t kTimers[] = {1, 4, 20};
constexpr uint32_t kMostBuffers = 31;  // of a packet
constexpr size_t kMostBytes = 9000;
constexpr unsigned kInterruptRing = 9, kInterruptRingVector = 8;
constexpr uint32_t kInterruptRingEntries = 512;
constexpr int kMostEdges = 3'000'000;  // per round: more is a hang

enum Trigger : uint32_t {
  kOff = 0,
  kEvery = 1,
  kCount = 2,
  kUser = 3,
  kTimer = 4,
  kTimerCount = 5
};

enum class End {
  kDrained,     // everything has been delivered
  kHalfway,     // H2C queues are invalidated within the traffic, C2H queues at rest
  kInvalidate,  // all queues are invalidated within the traffic; then a reset
  kReset        // of the DMA within the traffic
};

struct H2cPacket {
  Bytes bytes;
  std::vector<size_t> pieces;
  bool is_marked;
};

// Actions of the driver and the card of one queue.
struct QueuePlan {
  QueueSetup setup;
  uint32_t mode_bits = 0;  // of the completion doorbell
  uint32_t trigger = kEvery;
  bool waits_for_interrupt = false;  // the driver reads entries after an interrupt only
  std::vector<H2cPacket> to_card;
  std::vector<Bytes> to_host;  // without the card's header
};

struct Plan {
  uint64_t seed = 0;  // of the pace
  End end = End::kDrained;
  bool has_interrupt_ring = false;  // that aggregates the interrupts of all queues
  std::vector<QueuePlan> queues;
};

std::vector<size_t> Split(size_t bytes, size_t pieces, Rng& rng) {
  std::vector<size_t> sizes;
  for (; pieces > 1 && bytes > 1; --pieces) {
    sizes.push_back(rng.Range(1, bytes - 1));
    bytes -= sizes.back();
  }
  sizes.push_back(bytes);
  return sizes;
}

template <size_t N>
unsigned AnyIndex(const uint32_t (&)[N], Rng& rng) {
  return static_cast<unsigned>(rng.Below(N));
}

size_t AnyLength(size_t most, Rng& rng) {
  return rng.Chance(0.5) ? rng.Range(1, std::min<size_t>(most, 130)) : rng.Range(1, most);
}

QueuePlan MakeQueuePlan(unsigned qid, Rng& rng) {
  QueuePlan plan;
  QueueSetup& s = plan.setup;
  s.qid = qid;
  s.h2c_size = AnyIndex(kRingSizes, rng);
  s.c2h_size = AnyIndex(kRingSizes, rng);
  s.completion_size = AnyIndex(kRingSizes, rng);
  s.buffer_size = AnyIndex(kBufferSizes, rng);
  s.entry_log = static_cast<unsigned>(rng.Below(4));
  s.vector = 2 * qid;
  s.h2c_vector = 2 * qid + 1;
  s.h2c_interrupt = rng.Chance(0.5);
  s.h2c_offset = static_cast<unsigned>(rng.Below(64));
  s.c2h_offset = static_cast<unsigned>(rng.Below(64));
  plan.trigger = static_cast<uint32_t>(rng.Below(6));
  const bool has_interrupt = rng.Chance(0.7);
  const auto count = AnyIndex(kCounts, rng), timer = AnyIndex(kTimers, rng);
  const uint32_t mode = 1 | (has_interrupt ? 2 : 0) | plan.trigger << 2 | count << 17 | timer << 21;
  s.full_update = rng.Chance(0.5);
  if (s.full_update) {
    plan.mode_bits =
        1u << 27 | (has_interrupt ? 1u << 28 : 0) | plan.trigger << 24 | timer << 20 | count << 16;
    s.completion_control = 0;
  } else {
    s.completion_control = mode;
  }
  // The other modes do not report the last packets.
  const bool tells_all =
      plan.trigger == kEvery || plan.trigger == kTimer || plan.trigger == kTimerCount;
  plan.waits_for_interrupt = has_interrupt && tells_all && rng.Chance(0.7);

  const uint32_t h2c_entries = kRingSizes[s.h2c_size] - 1;
  const size_t most_pieces = std::min<size_t>(h2c_entries - 1, 12);
  for (uint64_t n = rng.Below(120); n > 0; --n) {
    const size_t bytes = rng.Chance(0.05) ? 0 : AnyLength(kMostBytes, rng);
    const size_t pieces = rng.Chance(0.7) ? 1 : rng.Range(1, most_pieces);
    plan.to_card.push_back(
        {RandomBytes(bytes, rng), Split(bytes, pieces, rng), bytes == 0 || rng.Chance(0.5)});
  }
  const size_t buffers = std::min<size_t>(kRingSizes[s.c2h_size] - 2, kMostBuffers);
  const size_t most = std::min(kMostBytes, buffers * kBufferSizes[s.buffer_size]);
  for (uint64_t n = rng.Below(120); n > 0; --n) {
    plan.to_host.push_back(RandomBytes(AnyLength(most, rng) - 1, rng));
    Bytes& payload = plan.to_host.back();
    payload.resize(std::min(payload.size(), most - DmaBench::kHeaderBytes));
  }
  return plan;
}

Plan MakePlan(Rng& rng) {
  Plan plan;
  plan.seed = rng.Next();
  plan.end = rng.Chance(0.6)   ? End::kDrained
             : rng.Chance(0.3) ? End::kHalfway
             : rng.Chance(0.5) ? End::kInvalidate
                               : End::kReset;
  plan.has_interrupt_ring = rng.Chance(0.3);
  for (unsigned qid = 0; qid < kPairPorts; ++qid) {
    plan.queues.push_back(MakeQueuePlan(qid, rng));
    if (!plan.has_interrupt_ring) continue;
    QueueSetup& setup = plan.queues.back().setup;
    setup.vector = kInterruptRing;
    setup.h2c_vector = kInterruptRing | 1u << 11;
    setup.completion_vector_bits = 1u << 15;
  }
  return plan;
}

// The driver and the card of one queue, and the DMA's obligations.
class QueueRun {
 public:
  QueueRun(const QueuePlan& plan, DmaBench& bench)
      : plan_(plan), bench_(bench), q_(bench.driver.Open(plan.setup)) {
    buffers_posted_ = q_.c2h_entries - 1;
    ++completion_doorbells_;
    bench_.driver.RingCompletion(q_, plan_.mode_bits);
  }

  bool is_done() const {
    return sent_ == plan_.to_card.size() && rung_ == posted_ && reached_card_ == h2c_due_ &&
           c2h_done();
  }
  bool c2h_done() const { return taken_ == plan_.to_host.size() && offered_ == taken_; }

  // --- Actions of driver and card
  void Send(size_t most, Rng& rng) {
    for (; most > 0 && sent_ < plan_.to_card.size(); --most) {
      const H2cPacket& packet = plan_.to_card[sent_];
      if (bench_.driver.H2cFree(q_) < packet.pieces.size()) return;
      bench_.driver.PutH2c(q_, packet.bytes, packet.pieces, packet.is_marked);
      posted_ += packet.pieces.size();
      ++sent_;
      h2c_due_ += !packet.bytes.empty();
      if (rng.Chance(0.3)) RingH2c(rng);
    }
  }
  void RingH2c(Rng& rng) {
    const bool arms = plan_.setup.h2c_interrupt && rng.Chance(0.5);
    arms_ += arms;
    rung_ = posted_;
    bench_.driver.RingH2c(q_, arms);
  }
  void Offer(size_t most) {
    for (; most > 0 && offered_ < plan_.to_host.size(); --most) {
      if (bench_.Queue(plan_.setup.qid).size() > 20) return;
      const uint64_t first = packets_.empty() ? 0 : packets_.back().end;
      Bytes packet = bench_.SendToHost(plan_.setup.qid, plan_.to_host[offered_]);
      const uint64_t buffers = (packet.size() + q_.buffer_bytes - 1) / q_.buffer_bytes;
      packets_.push_back({std::move(packet), first, first + buffers, 0});
      ++offered_;
    }
  }
  void Take(size_t most) {
    if (plan_.waits_for_interrupt && !is_told_) return;
    is_told_ = false;
    for (; most > 0 && taken_ < offered_; --most) {
      const auto packet = bench_.driver.TakeC2h(q_);
      if (!packet) break;
      ASSERT_LT(taken_, entries_) << Name() << "an entry that was not seen";
      EXPECT_EQ(*packet, packets_[taken_].bytes) << Name() << "packet " << taken_;
      buffers_taken_ = packets_[taken_].end;
      buffers_posted_ = buffers_taken_ + q_.c2h_entries - 1;
      packets_[taken_].bytes = {};
      ++taken_;
    }
    ++completion_doorbells_;
    bench_.driver.RingCompletion(q_, plan_.mode_bits);
  }
  void CheckFromHost() {
    for (const Bytes& packet : bench_.TakeFromHost(plan_.setup.qid)) {
      while (card_next_ < sent_ && plan_.to_card[card_next_].bytes.empty()) ++card_next_;
      ASSERT_LT(card_next_, sent_) << Name() << "the card got a packet that was not sent";
      EXPECT_EQ(packet, plan_.to_card[card_next_].bytes) << Name() << "packet " << card_next_;
      ++card_next_;
      ++reached_card_;
    }
  }
  void Invalidate() {
    const unsigned qid = plan_.setup.qid;
    bench_.driver.Command(0, 3, qid);
    has_no_payload_ = true;  // its buffers have been returned to the driver
    for (const unsigned selector : {6, 7, 1}) bench_.driver.Command(selector, 3, qid);
  }
  // The queue is at rest.
  void CloseC2h() { is_c2h_closed_ = true; }
  void CloseH2c() { is_h2c_closed_ = true; }

  // --- Actions of the DMA
  bool OnWrite(uint64_t address, std::span<const uint8_t> data) {
    const auto within = [&](uint64_t base, size_t bytes) {
      return address >= base && address - base < bytes;
    };
    const size_t entry = EntryBytes();
    const bool is_payload = within(q_.c2h_memory, size_t{q_.buffer_bytes} * q_.c2h_entries);
    const bool is_entry = within(q_.completion_ring, entry * q_.completion_entries);
    const bool is_status = within(q_.completion_ring + entry * q_.completion_entries, entry);
    const bool is_h2c_status = within(q_.h2c_ring + 16 * q_.h2c_entries, 16);
    if (!is_payload && !is_entry && !is_status && !is_h2c_status) return false;
    EXPECT_FALSE(is_h2c_status ? is_h2c_closed_ : is_c2h_closed_)
        << Name() << "a write of a queue at rest: payload " << is_payload << ", entry " << is_entry
        << ", status " << is_status;
    if (is_payload) OnPayload(address - q_.c2h_memory, data);
    if (is_entry) OnEntries(address - q_.completion_ring, data.size());
    if (is_status) OnStatus(data);
    if (is_h2c_status) OnH2cStatus(data);
    return true;
  }
  // An interrupt of C2H or H2C: a message, or an entry of the interrupt ring.
  void OnCause(bool c2h) {
    if (c2h) {
      EXPECT_LE(++interrupts_, statuses_) << Name() << "an interrupt before its status";
      EXPECT_LE(interrupts_, completion_doorbells_) << Name() << "two interrupts of one doorbell";
    } else {
      // An arming doorbell releases a held interrupt, and the next one.
      EXPECT_LE(++h2c_interrupts_, 2 * arms_) << Name() << "an interrupt that was not armed";
      EXPECT_GT(h2c_statuses_, 0u) << Name() << "an interrupt before its status";
    }
  }
  bool OnInterrupt(unsigned vector) {
    const bool c2h = vector == plan_.setup.vector;
    if (!c2h && vector != plan_.setup.h2c_vector) return false;
    OnCause(c2h);
    if (c2h) Tell();
    return true;
  }
  // The driver is notified that there may be entries.
  void Tell() { is_told_ = true; }

  // Final state that must be the same for both.
  std::vector<uint64_t> Final() {
    const unsigned qid = plan_.setup.qid;
    TestDriver& driver = bench_.driver;
    const auto completion = driver.ReadContext(6, qid);
    const auto h2c = driver.ReadContext(1, qid), c2h = driver.ReadContext(0, qid);
    const uint64_t h2c_status = bench_.host.Read64(q_.h2c_ring + 16 * q_.h2c_entries);
    return {h2c_status,
            completion[0] & 1u << 27,                            // colour
            completion[2] >> 28 | (completion[3] & 0xfff) << 4,  // pidx
            completion[3] >> 12,                                 // cidx, valid, errors
            completion[4] & 1,                                   // timer
            h2c[0] & 0xffff,
            h2c[1] & 0x1c000003,
            c2h[0] & 0xffff,
            c2h[1] & 0x1c000003,
            driver.ReadContext(3, qid)[0] & 0xffff,  // cidx of H2C
            q_.completion_cidx,
            q_.c2h_next,
            reached_card_,
            taken_};
  }
  // After the last packet.
  void CheckFinal() {
    EXPECT_EQ(entries_, taken_) << Name();
    if (!plan_.to_card.empty()) {
      const uint64_t status = bench_.host.Read64(q_.h2c_ring + 16 * q_.h2c_entries);
      EXPECT_EQ(status, uint64_t{q_.h2c_pidx} << 16 | uint64_t{q_.h2c_pidx} << 32) << Name();
    }
  }
  std::string Name() const { return "queue " + std::to_string(plan_.setup.qid) + ": "; }
  std::string Progress() const {
    return Name() +
           fmt::format(
               "sent {} of {}, rung {} of {}, at the card {}; offered {} of {}, entries {}, "
               "taken {}, statuses {}, interrupts {}, trigger {}, entries of ring {}",
               sent_, plan_.to_card.size(), rung_, posted_, reached_card_, offered_,
               plan_.to_host.size(), entries_, taken_, statuses_, interrupts_, plan_.trigger,
               q_.completion_entries);
  }

 private:
  struct ToHost {
    Bytes bytes;
    uint64_t begin, end;  // buffers
    size_t written;
  };

  size_t EntryBytes() const { return size_t{8} << plan_.setup.entry_log; }

  void OnPayload(uint64_t offset, std::span<const uint8_t> data) {
    EXPECT_FALSE(has_no_payload_) << Name() << "payload after the command has ended";
    const uint64_t index = offset / q_.buffer_bytes;
    const uint64_t at = offset % q_.buffer_bytes;
    const uint64_t ahead = (index + q_.c2h_entries - q_.c2h_next) % q_.c2h_entries;
    const uint64_t buffer = buffers_taken_ + ahead;
    ASSERT_LT(buffer, buffers_posted_) << Name() << "a buffer that is not posted";
    ASSERT_LE(at + data.size(), q_.buffer_bytes) << Name() << "beyond a buffer";
    const auto packet =
        std::find_if(packets_.begin() + static_cast<ptrdiff_t>(taken_), packets_.end(),
                     [&](const ToHost& p) { return buffer < p.end; });
    ASSERT_NE(packet, packets_.end()) << Name() << "payload of no packet";
    const size_t begin = (buffer - packet->begin) * q_.buffer_bytes + at;
    ASSERT_LE(begin + data.size(), packet->bytes.size()) << Name() << "beyond the packet";
    EXPECT_TRUE(
        std::equal(data.begin(), data.end(), packet->bytes.begin() + static_cast<ptrdiff_t>(begin)))
        << Name() << "wrong bytes";
    packet->written += data.size();
  }
  // New entries, in the order of the ring; a later word of a write is visible first.
  void OnEntries(uint64_t offset, size_t bytes) {
    const size_t size = EntryBytes();
    const uint32_t ring = q_.completion_entries;
    for (uint64_t index = offset / size; index * size < offset + bytes; ++index) {
      ASSERT_LT(index, ring) << Name() << "an entry over the status";
      const uint64_t ahead = (index + ring - q_.completion_cidx) % ring;
      ASSERT_GE(taken_ + ahead, entries_) << Name() << "an entry twice";
      ASSERT_LT(ahead, ring - 1) << Name() << "an entry over one that is not read";
    }
    for (; entries_ < offered_; ++entries_) {
      const uint64_t index = entries_ % ring;
      const uint64_t colour = entries_ / ring % 2 == 0;
      const uint64_t address = q_.completion_ring + index * size;
      const uint64_t entry = bench_.host.Read64(address);
      if ((entry >> 1 & 1) != colour) return;
      const ToHost& packet = packets_[entries_];
      EXPECT_EQ(entry, uint64_t{packet.bytes.size()} << 4 | 8 | colour << 1) << Name();
      EXPECT_EQ(packet.written, packet.bytes.size()) << Name() << "an entry before its payload";
      for (size_t at = 8; at < size; at += 8) EXPECT_EQ(bench_.host.Read64(address + at), 0u);
    }
  }
  void OnStatus(std::span<const uint8_t> data) {
    ASSERT_EQ(data.size(), 8u) << Name();
    uint64_t status = 0;
    std::memcpy(&status, data.data(), 8);
    const uint32_t ring = q_.completion_entries;
    const uint64_t pidx = status & 0xffff, cidx = status >> 16 & 0xffff;
    ASSERT_LT(pidx, ring) << Name();
    const uint64_t behind = (entries_ % ring + ring - pidx) % ring;
    ASSERT_LE(behind, entries_) << Name() << "status before its entry";
    const uint64_t reported = entries_ - behind;
    EXPECT_GE(reported, reported_) << Name() << "an index that goes back";
    reported_ = reported;
    EXPECT_EQ(status >> 32 & 1, reported / ring % 2 == 0) << Name() << "colour";
    EXPECT_EQ(status >> 33, 0u) << Name() << "state, error";
    EXPECT_LE((taken_ % ring + ring - cidx) % ring, taken_) << Name() << "an index to come";
    EXPECT_NE(plan_.trigger, kOff) << Name();
    EXPECT_NE(plan_.trigger, kUser) << Name();
    EXPECT_LE(++statuses_, completion_doorbells_) << Name() << "two statuses of one doorbell";
  }
  void OnH2cStatus(std::span<const uint8_t> data) {
    ASSERT_EQ(data.size(), 8u) << Name();
    uint64_t status = 0;
    std::memcpy(&status, data.data(), 8);
    const uint32_t ring = q_.h2c_entries;
    const uint64_t cidx = status >> 16 & 0xffff;
    EXPECT_EQ(status & 0xffff, 0u) << Name() << "an error";
    EXPECT_EQ(status >> 48, 0u) << Name();
    ASSERT_LT(cidx, ring) << Name();
    const uint64_t behind = (rung_ % ring + ring - cidx) % ring;
    ASSERT_LE(behind, rung_) << Name() << "status before its descriptor";
    EXPECT_GE(rung_ - behind, consumed_) << Name() << "an index that goes back";
    consumed_ = rung_ - behind;
    const uint64_t pidx_behind = (rung_ % ring + ring - (status >> 32)) % ring;
    EXPECT_GE(rung_ - pidx_behind, consumed_) << Name();
    ++h2c_statuses_;
  }

  const QueuePlan& plan_;
  DmaBench& bench_;
  TestDriver::Queue q_;
  bool is_c2h_closed_ = false, is_h2c_closed_ = false, has_no_payload_ = false, is_told_ = true;
  // H2C, counted from the begin
  size_t sent_ = 0, card_next_ = 0;
  uint64_t posted_ = 0, rung_ = 0, consumed_ = 0;  // descriptors
  uint64_t h2c_due_ = 0, reached_card_ = 0;
  uint64_t arms_ = 0, h2c_interrupts_ = 0, h2c_statuses_ = 0;
  // C2H
  std::vector<ToHost> packets_;
  size_t offered_ = 0, entries_ = 0, taken_ = 0;
  uint64_t buffers_posted_ = 0, buffers_taken_ = 0;
  uint64_t reported_ = 0, statuses_ = 0, interrupts_ = 0, completion_doorbells_ = 0;
};

// An interrupt aggregation ring.
class InterruptRing {
 public:
  explicit InterruptRing(DmaBench& bench) : bench_(bench), base_(bench.host.Allocate(4096)) {
    const uint64_t page = base_ >> 12;
    bench_.driver.Command(8, 0, kInterruptRing);
    bench_.driver.WriteContext(
        8, kInterruptRing,
        {1u | kInterruptRingVector << 1 | 1u << 14 | static_cast<uint32_t>(page << 15),
         static_cast<uint32_t>(page >> 17), static_cast<uint32_t>(page >> 49)});
  }

  // Nothing: the write is not in this ring.
  std::optional<uint64_t> OnWrite(uint64_t address) {
    if (address < base_ || address - base_ >= 4096) return std::nullopt;
    EXPECT_EQ(address, base_ + 8 * (written_ % kInterruptRingEntries)) << "an entry out of order";
    EXPECT_LT(++written_ - read_, kInterruptRingEntries) << "an entry over one that is not read";
    const uint64_t entry = bench_.host.Read64(address);
    EXPECT_EQ(entry >> 63, (written_ - 1) / kInterruptRingEntries % 2 == 0) << "colour";
    return entry;
  }
  void OnMessage() {
    EXPECT_LE(++messages_, doorbells_ + 1) << "two messages of one doorbell";
    EXPECT_LT(read_, written_) << "a message without an entry";
    is_pending_ = true;
  }
  // After a message: the queues named by C2H entries.
  std::vector<unsigned> Serve() {
    std::vector<unsigned> queues;
    if (!std::exchange(is_pending_, false)) return queues;
    for (;; ++read_) {
      const uint64_t entry = bench_.host.Read64(base_ + 8 * (read_ % kInterruptRingEntries));
      if (entry >> 63 != (read_ / kInterruptRingEntries % 2 == 0)) break;
      if (entry >> 38 & 1) queues.push_back(entry >> 39 & 0xffffff);
    }
    ++doorbells_;
    bench_.driver.Doorbell(
        0, 0, kInterruptRing << 16 | static_cast<uint32_t>(read_ % kInterruptRingEntries));
    return queues;
  }

 private:
  DmaBench& bench_;
  uint64_t base_;
  uint64_t written_ = 0, read_ = 0, messages_ = 0, doorbells_ = 0;
  bool is_pending_ = false;
};

class Side {
 public:
  Side(DmaKind kind, uint64_t seed) : bench_(MakeDmaBench(kind, seed)) {
    bench_->host.on_write = [this](uint64_t address, std::span<const uint8_t> data) {
      for (auto& run : runs_) {
        if (run->OnWrite(address, data)) return;
      }
      const auto entry = ring_ ? ring_->OnWrite(address) : std::nullopt;
      const uint64_t qid = entry.value_or(0) >> 39 & 0xffffff;
      if (entry && qid < runs_.size()) return runs_[qid]->OnCause(*entry >> 38 & 1);
      ADD_FAILURE() << "a write outside what was posted: " << std::hex << address;
    };
    bench_->host.on_interrupt = [this](unsigned vector) {
      if (ring_ && vector == kInterruptRingVector) return ring_->OnMessage();
      for (auto& run : runs_) {
        if (run->OnInterrupt(vector)) return;
      }
      ADD_FAILURE() << "an interrupt that nobody wants: " << vector;
    };
    SetUp();
  }

  // Returns the state that must be equal on both sides.
  std::vector<std::vector<uint64_t>> Run(const Plan& plan) {
    bench_->host.Release();
    runs_.clear();
    ring_.reset();
    if (plan.has_interrupt_ring) ring_.emplace(*bench_);
    for (const QueuePlan& queue : plan.queues) {
      runs_.push_back(std::make_unique<QueueRun>(queue, *bench_));
    }
    Rng rng(plan.seed);
    const uint64_t cut = rng.Range(20, 400);  // in the middle of it, for the other endings
    for (uint64_t turn = 0; plan.end == End::kDrained || turn < cut; ++turn) {
      if (plan.end == End::kDrained && IsDone()) break;
      Turn(rng);
      if (edges_ > kMostEdges) {
        for (const auto& run : runs_) ADD_FAILURE() << "a hang: " << run->Progress();
        throw std::runtime_error("the DMA hangs");
      }
      if (::testing::Test::HasFailure()) return {};
    }
    edges_ = 0;
    bench_->Stop(false);
    switch (plan.end) {
      case End::kDrained:
        return Finish();
      case End::kHalfway:
        return Halfway();
      case End::kInvalidate:
        Invalidate();
        break;
      case End::kReset:
        break;
    }
    Reset();
    return {};
  }
  uint64_t tlps() {
    const nlohmann::json counts = bench_->dma().Describe();
    return counts.at("reads").get<uint64_t>() + counts.at("writes").get<uint64_t>() +
           counts.at("interrupts").get<uint64_t>() + bench_->accesses;
  }
  nlohmann::json Describe() const { return bench_->dma().Describe(); }

 private:
  static constexpr int kGraceEdges = 600;  // for entries and status in flight
  static constexpr int kRestEdges = 1500;

  void SetUp() {
    TestDriver& driver = bench_->driver;
    driver.WriteArray(0x204, {std::begin(kRingSizes), std::end(kRingSizes)});
    driver.WriteArray(0xAB0, {std::begin(kBufferSizes), std::end(kBufferSizes)});
    driver.WriteArray(0xA40, {std::begin(kCounts), std::end(kCounts)});
    driver.WriteArray(0xA00, {std::begin(kTimers), std::end(kTimers)});
    driver.Write(0xB0C, 25);
    driver.MapFunction(0, kPairPorts);
  }
  bool IsDone() const {
    return std::all_of(runs_.begin(), runs_.end(), [](const auto& run) { return run->is_done(); });
  }
  void Step(uint64_t count) {
    for (; count > 0; --count, ++edges_) bench_->Step();
    for (auto& run : runs_) run->CheckFromHost();
  }
  // One action of the driver or the card of a queue.
  void Turn(Rng& rng) {
    if (rng.Chance(0.5)) ServeInterrupts();
    QueueRun& run = *runs_[rng.Below(runs_.size())];
    switch (rng.Below(9)) {
      case 0:
        run.Send(rng.Range(1, 8), rng);
        break;
      case 1:
        run.RingH2c(rng);
        break;
      case 2:
        run.Offer(rng.Range(1, 12));
        break;
      case 3:
      case 4:
        run.Take(rng.Chance(0.5) ? rng.Range(1, 4) : 1000);
        break;
      case 5:
        bench_->Stop(rng.Chance(0.3));
        break;
      case 6:
        Step(rng.Range(1, rng.Chance(0.1) ? 3000 : 300));
        break;
      default:
        Step(rng.Range(1, 40));
    }
  }
  void ServeInterrupts() {
    if (!ring_) return;
    for (const unsigned qid : ring_->Serve()) runs_.at(qid)->Tell();
  }
  std::vector<std::vector<uint64_t>> Finish() {
    bench_->Settle();
    std::vector<std::vector<uint64_t>> finals;
    for (auto& run : runs_) {
      run->CheckFromHost();
      run->CheckFinal();
      finals.push_back(run->Final());
    }
    for (auto& run : runs_) run->Invalidate();
    Step(kGraceEdges);
    CloseAll();
    return finals;
  }
  // C2H ends first, so that no packet of the card is left for the next round.
  std::vector<std::vector<uint64_t>> Halfway() {
    const auto c2h_done = [&] {
      return std::all_of(runs_.begin(), runs_.end(),
                         [](const auto& run) { return run->c2h_done(); });
    };
    Rng rng = Rng::Stream(TestSeed(), 1);
    while (!c2h_done() && edges_ < kMostEdges && !::testing::Test::HasFailure()) {
      ServeInterrupts();
      for (auto& run : runs_) {
        run->Offer(20);
        run->Take(1000);
      }
      Step(50);
      if (rng.Chance(0.3)) runs_[rng.Below(runs_.size())]->Send(3, rng);
      if (rng.Chance(0.3)) runs_[rng.Below(runs_.size())]->RingH2c(rng);
    }
    EXPECT_TRUE(c2h_done()) << "a hang";
    for (auto& run : runs_) run->Invalidate();
    Step(kGraceEdges);
    bench_->Settle();
    Step(1);
    CloseAll();
    edges_ = 0;
    return {};
  }
  void Invalidate() {
    for (auto& run : runs_) run->Invalidate();
    Step(kGraceEdges);
    for (auto& run : runs_) run->CloseC2h();
    bench_->Settle();  // the command does not wait for transfers of an H2C queue
    CloseAll();
    Step(kRestEdges);
  }
  void Reset() {
    CloseAll();
    bench_->dma().Reset();
    Step(kRestEdges);
    bench_->Settle();
    for (unsigned port = 0; port < kPairPorts; ++port) {
      for (int i = 0; i < kMostEdges && !bench_->Queue(port).empty(); ++i) bench_->Drop(port);
      bench_->TakeFromHost(port);
    }
    edges_ = 0;
    SetUp();
  }
  void CloseAll() {
    for (auto& run : runs_) {
      run->CloseC2h();
      run->CloseH2c();
    }
  }

  std::unique_ptr<DmaBench> bench_;
  std::vector<std::unique_ptr<QueueRun>> runs_;
  std::optional<InterruptRing> ring_;
  int64_t edges_ = 0;
};

class DmaPair : public SeededTest {};

TEST_F(DmaPair, ModelAndRtlOweTheSame) {
  const char* text = std::getenv("ULLNIC_DMA_TLPS");
  const uint64_t wanted = text != nullptr && *text != '\0' ? std::stoull(text) : kShortTlps;
  Side model(DmaKind::kModel, TestSeed()), rtl(DmaKind::kRtl, TestSeed());
  uint64_t rounds = 0;
  for (; rtl.tlps() < wanted; ++rounds) {
    const Plan plan = MakePlan(rng_);
    SCOPED_TRACE("round " + std::to_string(rounds) + ", end " +
                 std::to_string(static_cast<int>(plan.end)));
    const auto expected = model.Run(plan);
    ASSERT_FALSE(HasFailure()) << "the model";
    const auto actual = rtl.Run(plan);
    ASSERT_EQ(actual, expected);
    ASSERT_FALSE(HasFailure()) << "the RTL";
  }
  std::cout << rounds << " rounds, " << rtl.tlps() << " TLPs of the RTL: " << rtl.Describe()
            << '\n';
}

}  // namespace
}  // namespace ullnic
