// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// One direction of a link that is being disturbed. Every frame contains its number. In any case,
// each frame marked good must be, byte for byte, the next of the sent ones, or a later one; and
// none may be lost or marked bad without a cause while it was in flight. A frame that is below the
// receiver's limit even after padding must arrive complete and be reported as a runt. If the
// receiver does not check the FCS, a frame with a cause while in flight may have any contents.
#pragma once

#include <cstdint>
#include <deque>
#include <string>

#include "core/frame.h"
#include "core/rng.h"

namespace ullnic {

// Frame number `number`: the number, low byte first, truncated to the length if needed; then random
// contents, or all zeros or ones.
Bytes NumberedFrame(uint64_t number, size_t size, Rng& rng);

class WayCheck {
 public:
  struct Rules {
    size_t min_bytes = kMinFrameBytes;  // the sender pads to it
    size_t runt_bytes = 64;             // with FCS: the receiver reports a shorter frame as a runt
    bool fcs_checked = true;
  };

  explicit WayCheck(std::string name) : name_(std::move(name)) {}
  WayCheck(std::string name, const Rules& rules) : name_(std::move(name)), rules_(rules) {}

  void Offered(const FramePtr& frame, int64_t now_ps);
  void Received(const ReceivedFrame& frame, int64_t now_ps);
  // An event that may affect the frames in flight.
  void Cause(int64_t now_ps) { last_cause_ps_ = now_ps; }
  void Judge(int64_t now_ps) {
    if (!suspects_.empty() && suspects_.front().judge_ps <= now_ps) JudgeFirst();
  }
  // Nothing is in flight any more: frames that have not arrived are lost.
  void Finish();
  void Fail(const std::string& what, int64_t now_ps);

  size_t pending() const { return pending_.size(); }
  uint64_t sent() const { return sent_; }
  uint64_t delivered() const { return delivered_; }
  uint64_t bad() const { return bad_; }
  uint64_t lost() const { return lost_; }
  const std::string& failure() const { return failure_; }  // the first one; empty: none

 private:
  struct Pending {
    FramePtr frame;
    int64_t offered_ps;
  };
  struct Suspect {
    int64_t begin_ps;  // a cause must have occurred since then
    int64_t judge_ps;  // and is known by now
    std::string what;
  };

  void Suspicion(int64_t begin_ps, int64_t now_ps, std::string what);
  void Lose(const Pending& pending, int64_t now_ps);
  void JudgeFirst();

  std::string name_;
  Rules rules_;
  std::deque<Pending> pending_;
  std::deque<Suspect> suspects_;
  int64_t last_cause_ps_ = INT64_MIN;
  int64_t last_ps_ = 0;
  uint64_t sent_ = 0, delivered_ = 0, bad_ = 0, lost_ = 0;
  std::string failure_;
};

}  // namespace ullnic
