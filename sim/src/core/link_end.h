// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Interface of every end of the link: a clocked model that accepts frames to send and reports
// frames sent and received.
#pragma once

#include <cstdint>
#include <string>

#include "core/frame.h"
#include "core/scheduler.h"

namespace ullnic {

// Cycles of a word of 16 or 32 bits within which a receiver on a good line has found its blocks.
constexpr uint64_t kMaxLockCycles = 800'000;
// Positions of the gearbox between words and blocks of 66 bits.
constexpr uint64_t kGearboxPhases = 33;

class EndObserver {
 public:
  virtual ~EndObserver() = default;
  // The first edge at which the user offers the first word. idle_edges: edges since the last word
  // of the previous frame was accepted.
  virtual void OnOffer(const FramePtr& frame, uint64_t edge, int64_t time_ps,
                       uint64_t idle_edges) = 0;
  virtual void OnReceive(ReceivedFrame&& frame) = 0;
};

struct EndCounters {
  uint64_t tx_frames = 0;  // the transmitter's own pulses
  uint64_t tx_errors = 0;
  uint64_t tx_underruns = 0;
  uint64_t rx_bad_headers = 0;
  uint64_t rx_bad_blocks = 0;
  uint64_t rx_lock_losses = 0;
  uint64_t rx_overflows = 0;
  // The receiver violated the rules of its user interface, or (link partner) the far end violated
  // the standard.
  uint64_t rx_violations = 0;
  std::string first_violation;
};

class LinkEnd : public ClockedModel {
 public:
  virtual void Send(FramePtr frame) = 0;
  virtual size_t tx_backlog() const = 0;  // frames not yet completely handed over
  virtual bool rx_idle() const = 0;       // no frame is arriving and no verdict is due
  virtual bool block_lock() const = 0;    // and neither fault nor hi_ber: frames can pass
  virtual const EndCounters& counters() const = 0;
  virtual void set_observer(EndObserver* observer) = 0;
};

}  // namespace ullnic
