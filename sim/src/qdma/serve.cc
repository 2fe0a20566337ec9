// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0

#include "qdma/serve.h"

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>

#include "program/program.h"

namespace ullnic::qdma {
namespace {

constexpr int64_t kLongestSleepPs = 1'000'000'000'000;

}  // namespace

void PrintClientEvent(const std::string& what) {
  EmitJsonLine({{"event", "client"}, {"message", what}});
}

void Serve(Endpoint& endpoint, HostEvents& host, const std::function<int64_t()>& now_ps) {
  while (!host.stop_requested()) {
    if (endpoint.Poll() || endpoint.HasWork()) {
      host.Check();
      continue;
    }
    const auto deadline = endpoint.next_deadline_ps();
    const int64_t sleep_ps = deadline ? *deadline - now_ps() : kLongestSleepPs;
    host.Wait(endpoint.poll_fds(),
              std::chrono::nanoseconds(std::clamp<int64_t>(sleep_ps, 0, kLongestSleepPs) / 1000));
  }
  EmitJsonLine({{"event", "end"}, {"end", host.end()}, {"counters", endpoint.Describe()}});
}

}  // namespace ullnic::qdma
