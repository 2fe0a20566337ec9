// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// The figures of a run: status, summary and the final verdict.

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "nic/card_session.h"
#include "program/program.h"

namespace ullnic {

nlohmann::json CardSession::CommonJson() {
  nlohmann::json out = wall_.Json(rig_.cycles() - lock_cycles_);
  out.update({{"virtual_ps", rig_.now_ps()},
              {"cycles", rig_.cycles()},
              {"skipped_ps", skipped_ps_},
              {"seed", options_.seed},
              {"card", options_.card},
              {"ports", nlohmann::json::array()},
              {"triggers", trades_.triggers()},
              {"answered", trades_.samples().size()}});
  for (unsigned port = 0; port < points_.size(); ++port) {
    nlohmann::json each = points_[port]->Json();
    const NicCounters counters = rig_.card().counters(port);
    each["host"] = {{"h2c_packets", counters.h2c_packets}, {"c2h_packets", counters.c2h_packets}};
    out["ports"].push_back(std::move(each));
  }
  const NicCounters counters = rig_.card().counters(0);
  out["registers"] = {{"reads", counters.register_reads},
                      {"writes", counters.register_writes},
                      {"errors", counters.register_errors}};
  if (host_) out["host"] = host_->Describe();
  if (tester_host_) {
    out["tester"] = tester_host_->Describe();
    out["tester"]["ports"] = tester_.Json();
  }
  return out;
}

std::string CardSession::FindWrong() {
  const NicCounters counters = rig_.card().counters(0);
  if (counters.violations > 0) {
    return fmt::format("the card broke a rule of its host's ports: {}", counters.first_violation);
  }
  for (unsigned port = 0; port < points_.size(); ++port) {
    const partner::FrameDecoder& line = rig_.far_end(port).heard().receiver().decoder();
    // Aborted frames have a bad FCS: not a violation.
    const uint64_t breaches = line.breaches() - line.breaches(partner::Breach::kWrongFcs);
    if (breaches > 0 && bit_errors_[port].from_card == 0) {
      return fmt::format("port {} of the card broke the standard: {}", port, line.first_breach());
    }
  }
  return {};
}

bool CardSession::Conclude() {
  for (const auto& point : points_) {
    point->FlushCapture();
    point->port().Finish(Finished());
  }
  if (AtRest()) trades_.GiveUpPending();
  nlohmann::json summary = CommonJson();
  summary["event"] = "summary";
  summary["complete"] = AtRest();
  summary["end"] = wall_.EndJson(events_);
  summary["tick_to_trade"] = trades_.Json();
  for (unsigned port = 0; port < points_.size(); ++port) {
    summary["ports"][port]["source"] = points_[port]->port().Report();
  }
  if (!options_.samples.empty()) trades_.WriteSamples(options_.samples);
  EmitJsonLine(summary);
  const std::string wrong = FindWrong();
  if (wrong.empty()) return true;
  EmitJsonLine({{"event", "error"},
                {"message", wrong},
                {"remedy", fmt::format("repeat with --seed {} and look at the captures "
                                       "(--pcapng-dir)",
                                       options_.seed)}});
  return false;
}

}  // namespace ullnic
