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
      0;  // frames of the outside that cannot cross the link (empty, too long, cut)
  uint64_t dropped_in = 0;   // frames that the kernel dropped before they could be read
  uint64_t dropped_out = 0;  // frames that crossed and that the outside did not take
};

class FramePort {
 public:
  virtual ~FramePort() = default;

  // What it is, for the "ready" event; has at least "kind".
  virtual nlohmann::json Describe() const = 0;
  // The next frame to send over the link. False: there is none now. Never blocks.
  virtual bool Receive(Frame& frame) = 0;
  // A good frame came over the link; its first word at time_ps. Never blocks.
  virtual void Deliver(const Bytes& frame, int64_t time_ps) = 0;

  // Readable when Receive() may have a frame again; -1: waiting brings none.
  virtual int poll_fd() const { return -1; }
  // True once Receive() will never have another frame.
  virtual bool finished() const = 0;
  // Frames that are held back (e.g. to swap them) must come out: nothing else will follow soon.
  virtual void Flush() {}
  // The end of the run. `complete`: all that could arrive has arrived. Returns what the port found
  // wrong, if it can tell; empty otherwise.
  virtual std::string Finish(bool complete) {
    (void)complete;
    return {};
  }
  // More about what the port saw, for the summary.
  virtual nlohmann::json Report() const;
  virtual PortCounters counters() const { return counters_; }

 protected:
  PortCounters counters_;
};

}  // namespace ullnic
