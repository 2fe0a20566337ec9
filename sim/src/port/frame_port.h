// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Where the frames of one end come from and go to: a network interface, a capture file, a
// generator. Frames carry no FCS here.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>

#include "core/frame.h"

namespace ullnic {

struct PortCounters {
  uint64_t refused_in =
      0;  // frames from outside that cannot cross the link (empty, too long, truncated)
  uint64_t dropped_in = 0;   // frames that the kernel dropped before they could be read
  uint64_t dropped_out = 0;  // frames that crossed and were not accepted outside
};

class FramePort {
 public:
  virtual ~FramePort() = default;

  // Description for the "ready" event; has at least "kind".
  virtual nlohmann::json Describe() const = 0;
  // The next frame to send over the link. False: none now. Never blocks.
  virtual bool Receive(Frame& frame) = 0;
  // A good frame was received from the link; its first word at time_ps. Never blocks.
  virtual void Deliver(const Bytes& frame, int64_t time_ps) = 0;

  // Readable when Receive() may have a frame again; -1: waiting is useless.
  virtual int poll_fd() const { return -1; }
  // True once Receive() will never have another frame.
  virtual bool finished() const = 0;
  // Releases frames that are delayed (e.g. to swap them): nothing else will follow soon.
  virtual void Flush() {}
  // The end of the run. `complete`: everything that could arrive has arrived. Returns the error
  // that the port detected, if any; else empty.
  virtual std::string Finish(bool complete) {
    (void)complete;
    return {};
  }
  // Further counts for the summary.
  virtual nlohmann::json Report() const;
  virtual PortCounters counters() const { return counters_; }

 protected:
  PortCounters counters_;
};

}  // namespace ullnic
