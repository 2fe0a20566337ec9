// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// One way across a link that is being disturbed. Every frame has its number in it. Whatever goes
// on, none may pass as good that is not, byte for byte, the next one of those that were sent, or a
// later one; and none may be lost or marked bad unless there was a cause while it was on its way.
// A frame that stays below the receiver's limit after padding must come whole and be called a runt.
// Where the receiver does not check the FCS, a frame that had a cause on its way may be anything.
#pragma once

#include <cstdint>
#include <deque>
#include <string>

#include "core/frame.h"
#include "core/rng.h"

namespace ullnic {

// Frame number `number`: the number, its low byte first, cut to the length if need be; then content
// that is random, or all zeros or ones.
Bytes NumberedFrame(uint64_t number, size_t size, Rng& rng);

class WayCheck {
 public:
  struct Rules {
    size_t min_bytes = kMinFrameBytes;  // the sender pads to it
    size_t runt_bytes = 64;             // with FCS: the receiver calls a shorter frame a runt
    bool fcs_checked = true;
  };

  explicit WayCheck(std::string name) : name_(std::move(name)) {}
  WayCheck(std::string name, const Rules& rules) : name_(std::move(name)), rules_(rules) {}

  void Offered(const FramePtr& frame, int64_t now_ps);
  void Received(const ReceivedFrame& frame, int64_t now_ps);
  // Something that may cost the frames that are on their way.
  void Cause(int64_t now_ps) { last_cause_ps_ = now_ps; }
  void Judge(int64_t now_ps) {
    if (!suspects_.empty() && suspects_.front().judge_ps <= now_ps) JudgeFirst();
  }
  // Nothing is on its way any more: what has not arrived is lost.
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
    int64_t begin_ps;  // a cause must have been there since
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
