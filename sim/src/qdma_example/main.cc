// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// ullnic-qdma-example: the example design in RTL on a vfio-user socket. For the public driver and
// its tools.

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "program/host_events.h"
#include "program/program.h"
#include "program/version.h"
#include "qdma/endpoint.h"
#include "qdma/serve.h"
#include "qdma_example/example_dma.h"

namespace {

void Serve(const std::string& socket, bool stop_at_stdin_eof) {
  ullnic::HostEvents host(stop_at_stdin_eof);
  const auto make = [](ullnic::qdma::HostSide& side) {
    return std::make_unique<ullnic::qdma_example::ExampleDma>(side);
  };
  ullnic::qdma::Endpoint endpoint(socket, make, ullnic::qdma::PrintClientEvent);
  ullnic::EmitJsonLine({{"event", "ready"}, {"socket", socket}});
  ullnic::qdma::Serve(endpoint, host, [] { return 0; });
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app(
      "The DMA's example design in RTL on a vfio-user socket, for the public driver's tools.");
  std::string socket;
  bool exit_on_stdin_eof = false;
  app.add_option("--socket", socket, "path of the socket")->required();
  app.add_flag("--exit-on-stdin-eof", exit_on_stdin_eof, "end when standard input ends");
  ullnic::AddVersion(app, argv[0]);
  return ullnic::RunProgram(app, argc, argv, [&] {
    Serve(socket, exit_on_stdin_eof);
    return true;
  });
}
