// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// ullnic-qdma-rtl-loop: the DMA in RTL on a vfio-user socket, with a loop instead of a card. For
// tests of drivers.

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "card_dma/loop_dma.h"
#include "program/host_events.h"
#include "program/program.h"
#include "program/version.h"
#include "qdma/endpoint.h"
#include "qdma/serve.h"

namespace {

void Serve(const std::string& socket, size_t depth, bool stop_at_stdin_eof) {
  ullnic::HostEvents host(stop_at_stdin_eof);
  const auto make = [depth](ullnic::qdma::HostSide& side) {
    return std::make_unique<ullnic::card_dma::LoopDma>(side, depth);
  };
  ullnic::qdma::Endpoint endpoint(socket, make, ullnic::qdma::PrintClientEvent);
  ullnic::EmitJsonLine(
      {{"event", "ready"}, {"socket", socket}, {"ports", ullnic::card_dma::kPorts}});
  ullnic::qdma::Serve({&endpoint}, host, [] { return 0; });
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("The DMA in RTL on a vfio-user socket; what is sent on a queue comes back on it.");
  std::string socket;
  size_t depth = 1024;
  bool exit_on_stdin_eof = false;
  app.add_option("--socket", socket, "path of the socket")->required();
  app.add_option("--depth", depth, "packets that may wait on a queue")
      ->check(CLI::Range(1, 1'000'000))
      ->capture_default_str();
  app.add_flag("--exit-on-stdin-eof", exit_on_stdin_eof, "end when standard input ends");
  ullnic::AddVersion(app, argv[0]);
  return ullnic::RunProgram(app, argc, argv, [&] {
    Serve(socket, depth, exit_on_stdin_eof);
    return true;
  });
}
