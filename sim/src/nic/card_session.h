// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// One run of a whole card: builds it with the ends of its ports and its host's sockets, steps
// virtual time, serves all of them, sleeps while nothing is in flight, and reports in JSON lines on
// standard output.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "nic/card_options.h"
#include "nic/connection_guard.h"
#include "nic/nic_rig.h"
#include "nic/port_point.h"
#include "nic/tester.h"
#include "nic/trade_tracker.h"
#include "program/host_events.h"
#include "program/wall_time.h"
#include "qdma/endpoint.h"

namespace ullnic {

class CardSession {
 public:
  // Throws UserError.
  explicit CardSession(const CardOptions& options);

  // Runs to the end. Returns false if the card violated a rule (an "error" event states which).
  // Throws UserError.
  bool Run();

 private:
  void MakePorts();
  HeardFrame AtCard(HeardFrame frame) const;
  void MakeCaptures();
  void MakeSockets();
  std::unique_ptr<qdma::Dma> MakeRtlDma(qdma::HostSide& host);
  void ServicePorts();
  void PollHosts();
  // Nothing changes without an external event.
  bool AtRest();
  bool Finished() const;
  void Sleep();
  void Housekeeping();
  nlohmann::json CommonJson();
  std::string FindWrong();
  bool Conclude();

  CardOptions options_;
  HostEvents events_;
  WallTime wall_;
  NicRig rig_;
  Tester tester_;
  TradeTracker trades_;
  std::vector<std::unique_ptr<PortPoint>> points_;
  struct BitErrors {
    double to_card, from_card;
  };
  std::vector<BitErrors> bit_errors_;  // as requested
  ConnectionGuard guard_;
  std::unique_ptr<qdma::Endpoint> host_, tester_host_;
  bool has_rtl_dma_ = false;

  uint64_t lock_cycles_ = 0;
  int64_t skipped_ps_ = 0;
};

}  // namespace ullnic
