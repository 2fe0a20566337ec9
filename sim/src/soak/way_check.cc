// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0

#include "soak/way_check.h"

#include <fmt/format.h>

#include <algorithm>

namespace ullnic {
namespace {

constexpr size_t kNumberBytes = 8;
// A cause affects frames offered up to this much later: the line's delay, and the blocks that pass
// before the receiver detects the loss of lock.
constexpr int64_t kAftermathPs = 2'000'000;
// An overflow is reported when the last word of the longest frame has arrived: the frame may have
// ended for the user earlier.
constexpr int64_t kVerdictPs = 20'000'000;

}  // namespace

Bytes NumberedFrame(uint64_t number, size_t size, Rng& rng) {
  Bytes bytes(size);
  const uint64_t kind = rng.Below(16);
  for (size_t i = 0; i < size; ++i) {
    const auto number_byte = static_cast<uint8_t>(i < kNumberBytes ? number >> (8 * i) : 0);
    const auto random = static_cast<uint8_t>(rng.Next());
    bytes[i] = i < kNumberBytes ? number_byte : kind == 0 ? 0x00 : kind == 1 ? 0xff : random;
  }
  return bytes;
}

void WayCheck::Fail(const std::string& what, int64_t now_ps) {
  if (failure_.empty()) failure_ = fmt::format("{} at {} ps: {}", name_, now_ps, what);
}

void WayCheck::Offered(const FramePtr& frame, int64_t now_ps) {
  ++sent_;
  pending_.push_back({frame, now_ps});
}

void WayCheck::Received(const ReceivedFrame& frame, int64_t now_ps) {
  last_ps_ = now_ps;
  const bool runt = frame.bytes.size() + kFcsBytes < rules_.runt_bytes;
  if (frame.verdict.good && runt) {
    Fail(fmt::format("a frame of {} bytes passed as good and is a runt", frame.bytes.size()),
         now_ps);
    return;
  }
  const Verdict& v = frame.verdict;
  const bool right = runt ? v.runt && !v.fcs && !v.code && !v.oversize : v.good;
  if (!right) {
    ++bad_;
    Suspicion(frame.sof_ps, now_ps, "a frame was marked bad");
    return;
  }
  const auto same = [&](const Pending& p) {
    const Bytes& sent = p.frame->bytes;
    // The transmitter pads a short frame with zeros.
    return frame.bytes.size() == std::max(sent.size(), rules_.min_bytes) &&
           std::equal(sent.begin(), sent.end(), frame.bytes.begin()) &&
           std::all_of(frame.bytes.begin() + static_cast<ptrdiff_t>(sent.size()), frame.bytes.end(),
                       [](uint8_t b) { return b == 0; });
  };
  const auto match = std::find_if(pending_.begin(), pending_.end(), same);
  if (match == pending_.end() && !rules_.fcs_checked) {
    ++bad_;
    Suspicion(frame.sof_ps, now_ps, "a frame came otherwise than it was sent");
    return;
  }
  if (match == pending_.end()) {
    Fail(fmt::format("a frame of {} bytes passed as {} and is none that was sent and is due",
                     frame.bytes.size(), runt ? "a mere runt" : "good"),
         now_ps);
    return;
  }
  ++delivered_;
  for (auto it = pending_.begin(); it != match; ++it) Lose(*it, now_ps);
  pending_.erase(pending_.begin(), match + 1);
}

void WayCheck::Finish() {
  for (const Pending& p : pending_) Lose(p, last_ps_);
  pending_.clear();
  while (!suspects_.empty()) JudgeFirst();
}

void WayCheck::Lose(const Pending& pending, int64_t now_ps) {
  ++lost_;
  Suspicion(pending.offered_ps, now_ps,
            fmt::format("a frame of {} bytes was lost", pending.frame->bytes.size()));
}

void WayCheck::Suspicion(int64_t begin_ps, int64_t now_ps, std::string what) {
  if (last_cause_ps_ >= begin_ps - kAftermathPs) return;
  suspects_.push_back({begin_ps - kAftermathPs, now_ps + kVerdictPs, std::move(what)});
}

void WayCheck::JudgeFirst() {
  const Suspect suspect = std::move(suspects_.front());
  suspects_.pop_front();
  if (last_cause_ps_ < suspect.begin_ps) {
    Fail(suspect.what + " without a cause", suspect.begin_ps + kAftermathPs);
  }
}

}  // namespace ullnic
