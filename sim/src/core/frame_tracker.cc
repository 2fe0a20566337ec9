// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0

#include "core/frame_tracker.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace ullnic {
namespace {

// The transmitter pads a short frame with zeros.
bool SameFrame(const Bytes& sent, const Bytes& received) {
  if (received.size() != std::max(sent.size(), kMinFrameBytes)) return false;
  return std::equal(sent.begin(), sent.end(), received.begin()) &&
         std::all_of(received.begin() + static_cast<ptrdiff_t>(sent.size()), received.end(),
                     [](uint8_t b) { return b == 0; });
}

}  // namespace

void FrameTracker::Offered(const FramePtr& frame, uint64_t edge, int64_t time_ps,
                           uint64_t idle_edges, std::optional<int> phase) {
  ++sent_;
  sent_bytes_ += frame->bytes.size();
  pending_.push_back({frame, edge, time_ps, idle_edges >= config_.idle_edges, phase});
}

bool FrameTracker::Received(const ReceivedFrame& frame) {
  if (!frame.verdict.good) {
    ++errors_;
    fcs_errors_ += frame.verdict.fcs;
    code_errors_ += frame.verdict.code;
    runts_ += frame.verdict.runt;
    oversize_ += frame.verdict.oversize;
    return false;
  }
  const auto match = std::find_if(pending_.begin(), pending_.end(), [&](const Pending& p) {
    return SameFrame(p.frame->bytes, frame.bytes);
  });
  if (match == pending_.end()) {
    ++wrong_as_good_;
    return false;
  }
  AddLatency(*match, frame);
  ++delivered_;
  delivered_bytes_ += match->frame->bytes.size();
  lost_ += static_cast<uint64_t>(match - pending_.begin());  // the wire keeps the order
  pending_.erase(pending_.begin(), match + 1);
  return true;
}

void FrameTracker::AddLatency(const Pending& sent, const ReceivedFrame& frame) {
  const bool cycles = config_.one_clock;
  const auto sop =
      cycles ? static_cast<int64_t>(frame.sop_edge - sent.edge) : frame.sop_ps - sent.time_ps;
  const auto sof =
      cycles ? static_cast<int64_t>(frame.sof_edge - sent.edge) : frame.sof_ps - sent.time_ps;
  sop_to_sop_.Add(sop);
  sop_to_sof_.Add(sof);
  if (sent.unqueued) {
    sop_to_sop_unqueued_.Add(sop);
    sop_to_sof_unqueued_.Add(sof);
    if (sent.phase.has_value()) {
      Latency& same_phase = by_phase_[*sent.phase];
      same_phase.sop_to_sop.Add(sop);
      same_phase.sop_to_sof.Add(sof);
    }
  }
}

void FrameTracker::GiveUpPending() {
  lost_ += pending_.size();
  pending_.clear();
}

nlohmann::json FrameTracker::CountersJson() const {
  return {{"frames", sent_},
          {"bytes", sent_bytes_},
          {"delivered", delivered_},
          {"delivered_bytes", delivered_bytes_},
          {"errors", errors_},
          {"fcs_errors", fcs_errors_},
          {"code_errors", code_errors_},
          {"runts", runts_},
          {"oversize", oversize_},
          {"lost", lost_},
          {"wrong_as_good", wrong_as_good_}};
}

}  // namespace ullnic
