// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0

#include "card/rx_monitor.h"

#include <fmt/format.h>

#include <utility>

#include "partner/crc32.h"

namespace ullnic {

void RxMonitor::Violation(const char* what, uint64_t edge) {
  if (violations_++ == 0) first_violation_ = fmt::format("{} at receive edge {}", what, edge);
}

void RxMonitor::ClockBusy(const RxUserWord& w, uint64_t edge, int64_t time_ps) {
  if (w.sof) sofs_.push_back({edge, time_ps, stalled_edges_});
  if (was_stalled_) CheckHeld(w, edge);
  const bool stalled = config_.can_wait && w.stalled;
  was_stalled_ = stalled && w.tvalid;
  if (was_stalled_) {
    held_ = w;
    ++stalled_edges_;
  }
  if (w.tvalid && !in_frame_) BeginFrame(edge, time_ps);
  if (w.tvalid && !stalled) TakeWord(w, edge);
  if (sofs_.size() > config_.max_open_frames) {
    Violation("too many frames were announced and not ended", edge);
    sofs_.pop_front();
    in_frame_ = false;
    current_ = {};
  }
  const bool last = w.tvalid && w.tlast;
  if (config_.verdict_with_last && w.status_valid != last && !(last && stalled)) {
    Violation("a verdict without the last word, or a last word without verdict", edge);
  }
  if (w.status_valid && !stalled) TakeStatus(w, edge);
}

void RxMonitor::CheckHeld(const RxUserWord& w, uint64_t edge) {
  if (!w.tvalid || w.tdata != held_.tdata || w.tkeep != held_.tkeep || w.tlast != held_.tlast ||
      w.tuser != held_.tuser) {
    Violation("a word changed before it was taken", edge);
  }
}

void RxMonitor::BeginFrame(uint64_t edge, int64_t time_ps) {
  if (sofs_.empty()) {
    Violation("a word without a start of frame", edge);
    return;
  }
  in_frame_ = true;
  current_.sof_edge = sofs_.front().edge;
  current_.sof_ps = sofs_.front().ps;
  current_.sop_edge = edge;
  current_.sop_ps = time_ps;
  if (sofs_.front().edge == edge) Violation("the first word in the cycle of its start", edge);
}

void RxMonitor::TakeWord(const RxUserWord& w, uint64_t edge) {
  if (!in_frame_) return;
  if (sofs_.size() >= 2) {
    const uint64_t waited = stalled_edges_ - sofs_[1].stalled_edges;  // for the user
    if (edge > sofs_[1].edge + waited + config_.max_overlap_edges) {
      Violation("a frame went on after the next one was announced", edge);
    }
  }
  // Keep is a run of ones from bit 0; a partial word only at the end.
  const uint32_t whole = (1u << config_.word_bytes) - 1;
  const bool run = (w.tkeep & (w.tkeep + 1)) == 0 && w.tkeep <= whole;
  if (!run || (!w.tlast && w.tkeep != whole)) Violation("an illegal tkeep", edge);
  for (size_t i = 0; i < config_.word_bytes; ++i) {
    if (w.tkeep >> i & 1) current_.bytes.push_back(static_cast<uint8_t>(w.tdata >> (8 * i)));
  }
  if (w.tkeep != 0) current_.has_data = true;
  if (!w.tlast) return;
  waiting_.push_back(std::exchange(current_, {}));
  sofs_.pop_front();
  in_frame_ = false;
}

void RxMonitor::TakeStatus(const RxUserWord& w, uint64_t edge) {
  if (waiting_.empty()) {
    Violation("a verdict without a frame", edge);
    return;
  }
  ReceivedFrame frame = std::move(waiting_.front());
  waiting_.pop_front();
  frame.verdict = {w.status_good, w.err_fcs, w.err_code, w.err_runt, w.err_oversize};
  if (w.status_good == (w.err_fcs || w.err_code || w.err_runt || w.err_oversize)) {
    Violation("the verdict contradicts the error flags", edge);
  }
  if (config_.verdict_with_last && w.tuser == w.status_good) {
    Violation("tuser contradicts the verdict", edge);
  }
  if (config_.fcs_delivered) {
    if (w.status_good && config_.fcs_checked && !partner::FcsIsGood(frame.bytes)) {
      Violation("a frame with a wrong FCS passed as good", edge);
      frame.verdict.good = false;
    }
    frame.bytes.resize(frame.bytes.size() - std::min(frame.bytes.size(), kFcsBytes));
  }
  if (observer_ != nullptr) observer_->OnReceive(std::move(frame));
}

void RxMonitor::Reset() {
  sofs_.clear();
  waiting_.clear();
  current_ = {};
  in_frame_ = false;
  was_stalled_ = false;
}

void RxMonitor::Finish(uint64_t edge) {
  if (!sofs_.empty() || in_frame_) Violation("a frame that never ended", edge);
  if (!waiting_.empty()) Violation("a frame that never had a verdict", edge);
}

}  // namespace ullnic
