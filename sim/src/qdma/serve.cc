// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0

#include "qdma/serve.h"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <nlohmann/json.hpp>

#include "program/program.h"

namespace ullnic::qdma {
namespace {

constexpr int64_t kLongestSleepPs = 1'000'000'000'000;

}  // namespace

void PrintClientEvent(const std::string& what) {
  EmitJsonLine({{"event", "client"}, {"message", what}});
}

void Serve(const std::vector<Endpoint*>& endpoints, HostEvents& host,
           const std::function<int64_t()>& now_ps) {
  while (!host.stop_requested()) {
    bool has_work = false;
    int64_t sleep_ps = kLongestSleepPs;
    std::vector<int> fds;
    for (Endpoint* endpoint : endpoints) {
      has_work |= endpoint->Poll();
      has_work |= endpoint->HasWork();
      const auto deadline = endpoint->next_deadline_ps();
      if (deadline) sleep_ps = std::min(sleep_ps, *deadline - now_ps());
      std::ranges::copy(endpoint->poll_fds(), std::back_inserter(fds));
    }
    if (has_work) {
      host.Check();
    } else {
      host.Wait(fds, std::chrono::nanoseconds(std::max<int64_t>(sleep_ps, 0) / 1000));
    }
  }
  nlohmann::json counters = nlohmann::json::array();
  for (const Endpoint* endpoint : endpoints) counters.push_back(endpoint->Describe());
  if (endpoints.size() == 1) counters = counters.front();
  EmitJsonLine({{"event", "end"}, {"end", host.end()}, {"counters", counters}});
}

}  // namespace ullnic::qdma
