// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0

#include "sweep/sweep_point.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <nlohmann/json.hpp>
#include <utility>

#include "card/rx_monitor.h"
#include "core/frame_tracker.h"
#include "core/link_end.h"
#include "core/rng.h"
#include "core/scheduler.h"
#include "line/serial_line.h"
#include "partner/line_codec.h"

namespace ullnic {
namespace {

constexpr uint64_t kResetCycles = 32;    // the line carries nothing valid before
constexpr uint64_t kDrainCycles = 2000;  // after the last frame was handed over
constexpr size_t kBacklogFrames = 4;

// Random contents, or all zeros or ones: critical for a scrambler or CRC.
Bytes RandomContent(size_t size, Rng& rng) {
  Bytes bytes(size);
  const uint64_t kind = rng.Below(16);
  for (uint8_t& b : bytes) {
    b = kind == 0 ? 0x00 : kind == 1 ? 0xff : static_cast<uint8_t>(rng.Next());
  }
  return bytes;
}

uint32_t RandomGap(GapKind kind, uint64_t idle_edges, Rng& rng) {
  const auto idle = static_cast<uint32_t>(idle_edges);
  switch (kind) {
    case GapKind::kBackToBack:
      return 0;
    case GapKind::kMixed:
      return rng.Below(2) != 0 ? 0 : static_cast<uint32_t>(rng.Below(2 * idle));
    default:
      return idle + static_cast<uint32_t>(rng.Below(66));  // two cycles of the gearbox
  }
}

// Without a TX FIFO, or with gaps that leave it empty, a frame waits only for the previous one.
uint64_t IdleEdges(const CardInfo& card, GapKind gap) {
  return gap == GapKind::kMixed ? card.idle_edges_any_load() : card.idle_edges();
}

class PointRun final : public EndObserver {
 public:
  PointRun(const CardLibrary& card, const SweepConfig& config, int offset, int lead_ui)
      : config_(config),
        word_bits_(card.info().pma_bits),
        tx_fifo_(card.info().tx_fifo),
        idle_edges_(IdleEdges(card.info(), config.gap)),
        rng_(Rng::Stream(config.seed, static_cast<uint64_t>(offset + 128 * lead_ui))),
        // An arrival a word later by the receiver's clock is not later in time.
        line_({.word_bits = word_bits_, .delay_ui = config.delay_ui + offset + lead_ui}) {
    CardConfig end;
    const Period period = LinePeriod(word_bits_);
    const EdgeSet tx = scheduler_.AddClock(Clock("tx", period));
    const int64_t lag_tenths = 10 * ((word_bits_ - lead_ui) % word_bits_) + config.late_tenths;
    const EdgeSet rx = scheduler_.AddClock(Clock("rx", period, {lag_tenths, 10 * word_bits_}));
    end.clocks = JoinClocks(card.info(), scheduler_, tx, rx, config.user_clocks);
    end.back_pressure = config.back_pressure;
    tx_ = &scheduler_.clock(tx);
    end_ = card.Make(end, scheduler_, line_, line_);
    point_.offset = offset;
    point_.lead_ui = lead_ui;
    point_.one_clock = end.clocks.tx_user == end.clocks.rx_user;
    if (point_.one_clock) point_.user_period = scheduler_.clock(end.clocks.rx_user).period();
    tracker_ = FrameTracker({.idle_edges = idle_edges_, .one_clock = point_.one_clock});
    scheduler_.AddModel(end_.get(), end.clocks.all(), line_.same_cycle());
    end_->set_observer(this);
    wire_.decoder().set_on_frame([this](partner::DecodedFrame&& f) { OnWireFrame(std::move(f)); });
  }

  SweepPoint Run() {
    while (!(end_->block_lock() && wire_.block_lock())) {
      if (point_.cycles > kMaxLockCycles) {
        Damage("no block lock");
        return std::move(point_);
      }
      Step();
    }
    // Not at once: a new line has had no gap of 12 octets yet, and phases differ by point.
    for (uint64_t n = 64 + rng_.Below(33); n > 0; --n) Step();
    for (uint64_t idle = 0; idle < kDrainCycles;) {
      while (point_.frames < config_.frames && end_->tx_backlog() < kBacklogFrames) SendOne();
      for (int i = 0; i < 16; ++i) Step();
      idle = end_->tx_backlog() == 0 ? idle + 16 : 0;
    }
    Conclude();
    return std::move(point_);
  }

  void OnOffer(const FramePtr& frame, uint64_t edge, int64_t time_ps,
               uint64_t idle_edges) override {
    tracker_.Offered(frame, edge, time_ps, idle_edges, GearboxPhase(time_ps));
    on_wire_.push_back(frame);
  }

  void OnReceive(ReceivedFrame&& frame) override {
    if (!tracker_.Received(frame)) {
      Damage(fmt::format("a frame of {} bytes arrived {}", frame.bytes.size(),
                         frame.verdict.good ? "changed and marked good" : "marked bad"));
    }
  }

 private:
  // One edge of the transmit clock, and the edges of other clocks until then.
  void Step() {
    const uint64_t edge = tx_->next_edge();
    while (tx_->next_edge() == edge) scheduler_.Step();
    if (++point_.cycles > kResetCycles) wire_.TakeWord(line_.last_word(), word_bits_);
  }

  void SendOne() {
    Frame frame;
    frame.bytes = RandomContent(rng_.Range(config_.min_bytes, config_.max_bytes), rng_);
    frame.idle_cycles_before = RandomGap(config_.gap, idle_edges_, rng_);
    end_->Send(std::make_shared<const Frame>(std::move(frame)));
    ++point_.frames;
  }

  // During an offer: the line's decoder has received every word except the transmitter's current
  // one.
  int GearboxPhase(int64_t time_ps) {
    const int bit = wire_.block_bit();
    // Block boundaries, counted from the first bit: the transmitter never slips.
    const int sent = static_cast<int>(point_.cycles % partner::kBlockBits) * word_bits_;
    const int origin = (sent + partner::kBlockBits - bit) % partner::kBlockBits;
    if (block_origin_ < 0) block_origin_ = origin;
    if (origin != block_origin_) Damage("the blocks on the line moved");
    // A word written to a FIFO is not visible to an edge of the other side in the same picosecond.
    const bool later = tx_fifo_ && tx_->next_edge_ps() == time_ps;
    return later ? (bit + word_bits_) % partner::kBlockBits : bit;
  }

  void OnWireFrame(partner::DecodedFrame&& frame) {
    if (point_.line_frames++ == 0) first_start_ui_ = frame.start_ui();
    point_.start_to_start_ui = frame.start_ui() - first_start_ui_;
    if (on_wire_.empty()) {
      Damage("a frame on the line that nobody sent");
      return;
    }
    Bytes expected = on_wire_.front()->bytes;
    on_wire_.pop_front();
    if (expected.size() < kMinFrameBytes) expected.resize(kMinFrameBytes);
    if (frame.bytes != expected) Damage("the line carries other bytes than were sent");
  }

  void Damage(const std::string& what) {
    if (point_.damaged++ == 0) {
      point_.what = fmt::format("{} (cycle {})", what, point_.cycles);
    }
  }

  void Conclude() {
    tracker_.GiveUpPending();
    end_->FinishMonitor();
    const partner::FrameDecoder& decoder = wire_.decoder();
    if (!on_wire_.empty()) Damage("a frame was not on the line");
    if (decoder.breaches() > 0) Damage("on the line: " + decoder.first_breach());
    if (end_->monitor().violations() > 0) Damage(end_->monitor().first_violation());
    if (end_->counters().rx_lock_losses > 0) Damage("block lock was lost");
    if (end_->counters().rx_overflows > 0) Damage("the receive FIFO ran over");
    point_.lost = tracker_.lost();
    if (point_.lost > 0 && point_.what.empty()) point_.what = "a frame never arrived";
    point_.sop_to_sop = tracker_.sop_to_sop_unqueued();
    point_.sop_to_sof = tracker_.sop_to_sof_unqueued();
    point_.by_phase = tracker_.by_phase();
    point_.gaps = decoder.gaps();
    point_.lane4_starts = decoder.lane4_starts();
  }

  const SweepConfig config_;
  const int word_bits_;
  const bool tx_fifo_;
  const uint64_t idle_edges_;
  Rng rng_;
  Scheduler scheduler_;
  SerialLine line_;
  const Clock* tx_ = nullptr;
  std::unique_ptr<Card> end_;
  partner::LineReceiver wire_;
  FrameTracker tracker_;
  std::deque<FramePtr> on_wire_;  // sent, not yet read from the line
  uint64_t first_start_ui_ = 0;
  int block_origin_ = -1;  // -1: no frame was offered yet
  SweepPoint point_;
};

}  // namespace

nlohmann::json SweepPoint::Json() const {
  nlohmann::json gap_counts = nlohmann::json::object();
  for (const auto& [octets, count] : gaps) gap_counts[std::to_string(octets)] = count;
  nlohmann::json json = {{"offset", offset},   {"lead_ui", lead_ui},          {"frames", frames},
                         {"lost", lost},       {"damaged", damaged},          {"cycles", cycles},
                         {"gaps", gap_counts}, {"lane4_starts", lane4_starts}};
  if (one_clock) {
    json["sop_to_sop_cycles"] = sop_to_sop.CyclesJson();
    json["sop_to_sof_cycles"] = sop_to_sof.CyclesJson();
  }
  json["sop_to_sop_ns"] = sop_to_sop.NanosecondsJson(user_period);
  json["sop_to_sof_ns"] = sop_to_sof.NanosecondsJson(user_period);
  json["by_phase"] = nlohmann::json::array();
  for (const auto& [bit, latency] : by_phase) {
    json["by_phase"].push_back(
        {{"bit", bit},
         {"sop_to_sop_ns", latency.sop_to_sop.NanosecondsSummaryJson(user_period)},
         {"sop_to_sof_ns", latency.sop_to_sof.NanosecondsSummaryJson(user_period)}});
  }
  json["line"] = {{"frames", line_frames}, {"start_to_start_ui", start_to_start_ui}};
  if (!what.empty()) json["what"] = what;
  return json;
}

SweepPoint RunSweepPoint(const CardLibrary& card, const SweepConfig& config, int offset,
                         int lead_ui) {
  return PointRun(card, config, offset, lead_ui).Run();
}

}  // namespace ullnic
