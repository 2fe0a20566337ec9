// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// ullnic-qdma-loop: the DMA model on a vfio-user socket, with a loop instead of a card. For tests
// of drivers without RTL.

#include <CLI/CLI.hpp>
#include <chrono>
#include <nlohmann/json.hpp>

#include "program/host_events.h"
#include "program/program.h"
#include "program/version.h"
#include "qdma/endpoint.h"
#include "qdma/loop_side.h"
#include "qdma/serve.h"

namespace {

using ullnic::qdma::Endpoint;

void Serve(const std::string& socket, unsigned ports, size_t depth, bool stop_at_stdin_eof) {
  const auto begin = std::chrono::steady_clock::now();
  const auto now_ps = [begin] {
    const auto time = std::chrono::steady_clock::now() - begin;
    return std::chrono::duration_cast<std::chrono::nanoseconds>(time).count() * int64_t{1000};
  };
  ullnic::HostEvents host(stop_at_stdin_eof);
  ullnic::qdma::LoopSide loop(ports, depth, now_ps);
  Endpoint endpoint(socket, loop, now_ps, ullnic::qdma::PrintClientEvent);
  ullnic::EmitJsonLine({{"event", "ready"}, {"socket", socket}, {"ports", ports}});
  ullnic::qdma::Serve({&endpoint}, host, now_ps);
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("The DMA model on a vfio-user socket; what is sent on a queue comes back on it.");
  std::string socket;
  unsigned ports = 2;
  size_t depth = 1024;
  bool exit_on_stdin_eof = false;
  app.add_option("--socket", socket, "path of the socket")->required();
  app.add_option("--ports", ports, "queues")->check(CLI::Range(1, 8))->capture_default_str();
  app.add_option("--depth", depth, "packets that may wait on a queue")
      ->check(CLI::Range(1, 1'000'000))
      ->capture_default_str();
  app.add_flag("--exit-on-stdin-eof", exit_on_stdin_eof, "end when standard input ends");
  ullnic::AddVersion(app, argv[0]);
  return ullnic::RunProgram(app, argc, argv, [&] {
    Serve(socket, ports, depth, exit_on_stdin_eof);
    return true;
  });
}
