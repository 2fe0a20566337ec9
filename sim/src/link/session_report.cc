// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// The figures of a session: status, summary and the final verdict.

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/user_error.h"
#include "link/session.h"
#include "program/program.h"

namespace ullnic {

nlohmann::json Session::DirectionJson(int from, bool with_latency) {
  const FrameTracker& tracker = tracker_[from];
  const EndCounters& sender = end_[from]->counters();
  const EndCounters& receiver = end_[1 - from]->counters();
  const PortCounters source = point_[from]->port().counters();
  const PortCounters target = point_[1 - from]->port().counters();
  nlohmann::json out = tracker.CountersJson();
  out.update(point_[from]->FaultsJson());
  out["bit_errors_by_fault"] = line_[from]->bit_errors();
  out["tx_underruns"] = sender.tx_underruns;
  out["tx_errors"] = sender.tx_errors;
  out["rx_bad_headers"] = receiver.rx_bad_headers;
  out["rx_bad_blocks"] = receiver.rx_bad_blocks;
  out["rx_lock_losses"] = receiver.rx_lock_losses;
  out["rx_overflows"] = receiver.rx_overflows;
  out["rx_violations"] = receiver.rx_violations;
  out["port_refused"] = source.refused_in;
  out["port_dropped_in"] = source.dropped_in;
  out["port_dropped_out"] = target.dropped_out;
  if (!with_latency) return out;
  if (options_.far_end_partner) {
    // The partner has no user side at which a start could be timed.
    out["latency_sop_to_sop_ns"] = nullptr;
    out["latency_sop_to_sof_ns"] = nullptr;
    return out;
  }
  // Counted in edges of the user's clock where there is but one, otherwise in ps.
  const Period period =
      tracker.config().one_clock ? scheduler_.clock(clocks_[from].tx_user).period() : Period{1, 1};
  out["latency_sop_to_sop_ns"] = tracker.sop_to_sop().NanosecondsJson(period);
  out["latency_sop_to_sof_ns"] = tracker.sop_to_sof().NanosecondsJson(period);
  out["latency_sop_to_sop_unqueued_ns"] = tracker.sop_to_sop_unqueued().NanosecondsJson(period);
  out["latency_sop_to_sof_unqueued_ns"] = tracker.sop_to_sof_unqueued().NanosecondsJson(period);
  out["unqueued_rule"] =
      fmt::format("offered at least {} cycles after the last word of the frame before",
                  tracker.config().idle_edges);
  return out;
}

nlohmann::json Session::CommonJson(bool with_latency) {
  nlohmann::json out = wall_.Json(cycles_ - lock_cycles_);
  out.update({{"virtual_ps", scheduler_.now_ps()},
              {"cycles", cycles_},
              {"skipped_ps", skipped_ps_},
              {"seed", options_.seed},
              {"config", options_.card},
              {"a_to_b", DirectionJson(0, with_latency)},
              {"b_to_a", DirectionJson(1, with_latency)}});
  return out;
}

bool Session::Conclude() {
  const bool complete = point_[0]->Finished() && point_[1]->Finished() && !InFlight();
  if (complete) {
    tracker_[0].GiveUpPending();
    tracker_[1].GiveUpPending();
  }
  std::string wrong;
  for (int i = 0; i < 2; ++i) {
    point_[i]->FlushCapture();
    const std::string found = point_[i]->port().Finish(complete);
    const FaultConfig& harm = faults_[1 - i];  // faults of the frames that arrive here
    if (!found.empty() && !harm.any_frame_fault() && harm.ber == 0) wrong = found;
  }
  nlohmann::json summary = CommonJson(true);
  summary["event"] = "summary";
  summary["complete"] = complete;
  summary["end"] = wall_.EndJson(host_);
  if (!host_.stop_requested() && FrameLimitReached()) {
    summary["end"] = {{"reason", "frame-limit"}, {"text", "the frames of --max-frames are sent"}};
  }
  summary["a"] = point_[0]->port().Report();
  summary["b"] = point_[1]->port().Report();
  EmitJsonLine(summary);

  for (int i = 0; i < 2; ++i) {
    const char* way = i == 0 ? "a to b" : "b to a";
    if (tracker_[i].wrong_as_good() > 0)
      wrong = fmt::format("{}: a wrong frame passed as good", way);
    const EndCounters& receiver = end_[1 - i]->counters();
    // Bit errors on the line are not violations of the sender.
    const bool line_harmed = i == 0 && options_.far_end_partner && faults_[0].ber > 0;
    if (receiver.rx_violations > 0 && !line_harmed) {
      wrong = fmt::format("{}: {}", way, receiver.first_violation);
    }
  }
  if (wrong.empty()) return true;
  EmitJsonLine({{"event", "error"},
                {"message", wrong},
                {"remedy", fmt::format("repeat with --seed {} and look at the capture "
                                       "(--pcapng-dir)",
                                       options_.seed)}});
  return false;
}

}  // namespace ullnic
