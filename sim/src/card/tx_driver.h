// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// The user of a transmitter: feeds frames to an AXI-stream port word by word. All its outputs are
// registers: they change after a rising edge and are sampled before the next.
#pragma once

#include <cstdint>
#include <deque>

#include "card/card.h"
#include "core/frame.h"
#include "core/link_end.h"

namespace ullnic {

// Register outputs, named as the ports they drive.
struct TxUserWord {
  uint32_t tdata = 0;
  uint8_t tkeep = 0;
  bool tvalid = false;
  bool tlast = false;
  bool tuser = false;
};

class TxDriver {
 public:
  struct Config {
    size_t word_bytes = 4;  // 2 or 4
    // A user that provides the FCS pads to min_bytes: the card cannot, as the FCS covers all bytes.
    TxFcs fcs = TxFcs::kAdded;
    size_t min_bytes = kMinFrameBytes;
  };

  TxDriver() = default;
  explicit TxDriver(const Config& config) : config_(config) {}

  void Enqueue(FramePtr frame);
  size_t backlog() const { return queue_.size(); }
  const TxUserWord& word() const { return word_; }
  void set_observer(EndObserver* observer) { observer_ = observer; }

  // The user is in reset: the rest of a frame that it had started is never presented.
  void Reset();

  // One rising edge of the user's clock: `tready` as sampled with word() before it. On return
  // word() has the registers' values after it.
  void Clock(bool tready, uint64_t edge, int64_t time_ps) {
    if (queue_.empty()) {
      ++idle_edges_;
      return;
    }
    ClockBusy(tready, edge, time_ps);
  }

 private:
  struct Entry {
    FramePtr frame;
    Bytes with_fcs;  // empty where the card adds the FCS

    const Bytes& bytes() const { return with_fcs.empty() ? frame->bytes : with_fcs; }
  };

  void ClockBusy(bool tready, uint64_t edge, int64_t time_ps);
  void PresentWord();

  Config config_;
  std::deque<Entry> queue_;
  EndObserver* observer_ = nullptr;
  TxUserWord word_;
  size_t offset_ = 0;  // of the word presented, in bytes
  bool offered_ = false;
  uint32_t pause_cycles_ = 0;  // underrun: remaining cycles without tvalid
  bool paused_ = false;        // the underrun of this frame is over or running
  uint64_t idle_edges_ = 1'000'000;
};

}  // namespace ullnic
