// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// The user of a receiver: assembles frames from an AXI-stream port, and checks that the receiver
// respects the rules of that port.
#pragma once

#include <cstdint>
#include <deque>
#include <string>

#include "core/frame.h"
#include "core/link_end.h"

namespace ullnic {

// The receiver's outputs as sampled before an edge, named like its ports.
struct RxUserWord {
  uint32_t tdata;
  uint8_t tkeep;
  bool tvalid, tlast, tuser;
  bool stalled;  // the user's own tready was low
  bool sof;
  bool status_valid, status_good;
  bool err_fcs, err_code, err_runt, err_oversize;
};

class RxMonitor {
 public:
  struct Config {
    size_t word_bytes = 4;  // 2 or 4
    // The last four bytes of a frame are its FCS (MAC_RX_CRC32_REMOVE = 0).
    bool fcs_delivered = true;
    // A frame with a bad FCS is never good (MAC_RX_CRC32_DISABLE = 0).
    bool fcs_checked = true;
    // tready is respected. Otherwise words and verdicts cannot wait.
    bool can_wait = false;
    // The verdict comes with tlast, and tuser with it; otherwise some edges later.
    bool verdict_with_last = false;
    // The start of frame is signalled so early that the last word of the previous frame may still
    // be pending: after a gap below 9 octets, or when a start truncates it. One more edge for each
    // word of delay before m_axis, which does not delay the start of frame.
    uint64_t max_overlap_edges = 3;
    size_t max_open_frames = 3;  // two starts in a row truncate two frames
  };

  RxMonitor() = default;
  explicit RxMonitor(const Config& config) : config_(config) {}

  void set_observer(EndObserver* observer) { observer_ = observer; }
  bool idle() const { return waiting_.empty() && sofs_.empty() && !in_frame_; }
  uint64_t violations() const { return violations_; }
  const std::string& first_violation() const { return first_violation_; }

  void Clock(const RxUserWord& w, uint64_t edge, int64_t time_ps) {
    if (w.sof | w.tvalid | w.status_valid | was_stalled_) ClockBusy(w, edge, time_ps);
  }
  // The user is in reset: it discards all frame state.
  void Reset();
  // The receiver is in reset: it may withdraw a word that it offered.
  void ForgetOffer() { was_stalled_ = false; }
  // End of a run: a frame that was announced and never ended is a violation.
  void Finish(uint64_t edge);

 private:
  struct Start {
    uint64_t edge;
    int64_t ps;
    uint64_t stalled_edges;  // up to it
  };

  void ClockBusy(const RxUserWord& w, uint64_t edge, int64_t time_ps);
  void CheckHeld(const RxUserWord& w, uint64_t edge);
  void BeginFrame(uint64_t edge, int64_t time_ps);
  void TakeWord(const RxUserWord& w, uint64_t edge);
  void TakeStatus(const RxUserWord& w, uint64_t edge);
  void Violation(const char* what, uint64_t edge);

  Config config_;
  EndObserver* observer_ = nullptr;
  std::deque<Start> sofs_;  // starts announced whose frame has not ended
  ReceivedFrame current_;
  bool in_frame_ = false;              // the current frame has had a word
  std::deque<ReceivedFrame> waiting_;  // ended, verdict pending
  uint64_t stalled_edges_ = 0;         // with a word that the user did not accept
  bool was_stalled_ = false;  // at the previous edge there was a word that the user did not accept:
  RxUserWord held_{};
  uint64_t violations_ = 0;
  std::string first_violation_;
};

}  // namespace ullnic
