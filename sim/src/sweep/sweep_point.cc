// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0

#include "sweep/sweep_point.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <utility>

#include "Vlink_card.h"
#include "card/rtl_end.h"
#include "core/frame_tracker.h"
#include "core/rng.h"
#include "core/scheduler.h"
#include "line/serial_line.h"
#include "partner/line_codec.h"

namespace ullnic {
namespace {

constexpr int kWordBits = 32;
constexpr uint64_t kResetCycles = 16;  // the line carries nothing of use before
constexpr uint64_t kMaxLockCycles = 400'000;
constexpr uint64_t kDrainCycles = 1000;  // after the last frame was handed over
constexpr size_t kBacklogFrames = 4;

// Content that is random, or all zeros or ones: what a scrambler or CRC could get wrong.
Bytes RandomContent(size_t size, Rng& rng) {
  Bytes bytes(size);
  const uint64_t kind = rng.Below(16);
  for (uint8_t& b : bytes) {
    b = kind == 0 ? 0x00 : kind == 1 ? 0xff : static_cast<uint8_t>(rng.Next());
  }
  return bytes;
}

uint32_t RandomGap(GapKind kind, Rng& rng) {
  constexpr auto kIdle = static_cast<uint32_t>(FrameTracker::kIdleEdges);
  switch (kind) {
    case GapKind::kBackToBack:
      return 0;
    case GapKind::kMixed:
      return rng.Below(2) != 0 ? 0 : static_cast<uint32_t>(rng.Below(2 * kIdle));
    default:
      return kIdle + static_cast<uint32_t>(rng.Below(66));  // two rounds of the gearbox
  }
}

class PointRun final : public EndObserver {
 public:
  PointRun(const SweepConfig& config, int offset)
      : config_(config),
        rng_(Rng::Stream(config.seed, static_cast<uint64_t>(offset))),
        line_({.word_bits = kWordBits, .delay_ui = config.delay_ui + offset}),
        clock_(scheduler_.AddClock(Clock("line", LinePeriod(kWordBits)))),
        end_({.tx_clock = clock_, .rx_clock = clock_}, scheduler_, line_, line_) {
    point_.offset = offset;
    scheduler_.AddModel(&end_, clock_, line_.same_cycle());
    end_.set_observer(this);
    wire_.decoder().set_on_frame([this](partner::DecodedFrame&& f) { OnWireFrame(std::move(f)); });
  }

  SweepPoint Run() {
    while (!(end_.block_lock() && wire_.block_lock())) {
      if (point_.cycles > kMaxLockCycles) {
        Damage("no block lock");
        return std::move(point_);
      }
      Step();
    }
    // Not at once: a fresh line has had no gap of 12 octets yet, and phases differ by point.
    for (uint64_t n = 64 + rng_.Below(33); n > 0; --n) Step();
    for (uint64_t idle = 0; idle < kDrainCycles;) {
      while (point_.frames < config_.frames && end_.tx_backlog() < kBacklogFrames) SendOne();
      for (int i = 0; i < 16; ++i) Step();
      idle = end_.tx_backlog() == 0 ? idle + 16 : 0;
    }
    Conclude();
    return std::move(point_);
  }

  void OnOffer(const FramePtr& frame, uint64_t edge, int64_t /*time_ps*/,
               uint64_t idle_edges) override {
    tracker_.Offered(frame, edge, idle_edges);
    on_wire_.push_back(frame);
  }

  void OnReceive(ReceivedFrame&& frame) override {
    if (!tracker_.Received(frame)) {
      Damage(fmt::format("a frame of {} bytes arrived {}", frame.bytes.size(),
                         frame.verdict.good ? "changed and marked good" : "marked bad"));
    }
  }

 private:
  void Step() {
    scheduler_.Step();
    if (++point_.cycles > kResetCycles) wire_.TakeWord(line_.last_word(), kWordBits);
  }

  void SendOne() {
    Frame frame;
    frame.bytes = RandomContent(rng_.Range(config_.min_bytes, config_.max_bytes), rng_);
    frame.idle_cycles_before = RandomGap(config_.gap, rng_);
    end_.Send(std::make_shared<const Frame>(std::move(frame)));
    ++point_.frames;
  }

  void OnWireFrame(partner::DecodedFrame&& frame) {
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
    end_.monitor().Finish(end_.rx_edges());
    const partner::FrameDecoder& decoder = wire_.decoder();
    if (!on_wire_.empty()) Damage("a frame was not on the line");
    if (decoder.breaches() > 0) Damage("on the line: " + decoder.first_breach());
    if (end_.monitor().violations() > 0) Damage(end_.monitor().first_violation());
    if (end_.counters().rx_lock_losses > 0) Damage("block lock was lost");
    point_.lost = tracker_.lost();
    if (point_.lost > 0 && point_.what.empty()) point_.what = "a frame never arrived";
    point_.sop_to_sop = tracker_.sop_to_sop_unqueued();
    point_.sop_to_sof = tracker_.sop_to_sof_unqueued();
    point_.gaps = decoder.gaps();
    point_.lane4_starts = decoder.lane4_starts();
  }

  const SweepConfig config_;
  Rng rng_;
  Scheduler scheduler_;
  SerialLine line_;
  EdgeSet clock_;
  RtlEnd<Vlink_card> end_;
  partner::LineReceiver wire_;
  FrameTracker tracker_;
  std::deque<FramePtr> on_wire_;  // sent, not yet read from the line
  SweepPoint point_;
};

}  // namespace

nlohmann::json SweepPoint::Json() const {
  nlohmann::json gap_counts = nlohmann::json::object();
  for (const auto& [octets, count] : gaps) gap_counts[std::to_string(octets)] = count;
  nlohmann::json json = {{"offset", offset},
                         {"frames", frames},
                         {"lost", lost},
                         {"damaged", damaged},
                         {"cycles", cycles},
                         {"sop_to_sop_cycles", sop_to_sop.CyclesJson()},
                         {"sop_to_sof_cycles", sop_to_sof.CyclesJson()},
                         {"gaps", gap_counts},
                         {"lane4_starts", lane4_starts}};
  if (!what.empty()) json["what"] = what;
  return json;
}

SweepPoint RunSweepPoint(const SweepConfig& config, int offset) {
  return PointRun(config, offset).Run();
}

}  // namespace ullnic
