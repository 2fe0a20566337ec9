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
  if (w.sof) sofs_.push_back(edge);
  if (w.tvalid) TakeWord(w, edge, time_ps);
  if (sofs_.size() > kMaxOpenFrames) {
    Violation("too many frames were announced and not ended", edge);
    sofs_.pop_front();
    in_frame_ = false;
    current_ = {};
  }
  if (w.status_valid) TakeStatus(w, edge);
}

void RxMonitor::TakeWord(const RxUserWord& w, uint64_t edge, int64_t time_ps) {
  if (sofs_.size() >= 2 && edge > sofs_[1] + kMaxOverlapEdges) {
    Violation("a frame went on after the next one was announced", edge);
  }
  if (!in_frame_) {
    if (sofs_.empty()) {
      Violation("a word without a start of frame", edge);
      return;
    }
    in_frame_ = true;
    current_.sof_edge = sofs_.front();
    current_.sop_edge = edge;
    current_.sop_ps = time_ps;
    if (sofs_.front() == edge) Violation("the first word in the cycle of its start", edge);
  }
  const bool keep_ok =
      w.tkeep == 0xf || (w.tlast && (w.tkeep == 0 || w.tkeep == 1 || w.tkeep == 3 || w.tkeep == 7));
  if (!keep_ok) Violation("an illegal tkeep", edge);
  for (int i = 0; i < 4; ++i) {
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
  if (fcs_delivered_) {
    if (w.status_good && !partner::FcsIsGood(frame.bytes)) {
      Violation("a frame with a wrong FCS passed as good", edge);
      frame.verdict.good = false;
    }
    frame.bytes.resize(frame.bytes.size() - std::min(frame.bytes.size(), kFcsBytes));
  }
  if (observer_ != nullptr) observer_->OnReceive(std::move(frame));
}

void RxMonitor::Finish(uint64_t edge) {
  if (!sofs_.empty() || in_frame_) Violation("a frame that never ended", edge);
  if (!waiting_.empty()) Violation("a frame that never had a verdict", edge);
}

}  // namespace ullnic
