// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// ullnic-qdma-example: the example design in RTL on vfio-user sockets. For use with the public
// driver and its tools.

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "program/host_events.h"
#include "program/program.h"
#include "program/version.h"
#include "qdma/endpoint.h"
#include "qdma/registers.h"
#include "qdma/serve.h"
#include "qdma_example/example_card.h"

namespace {

void Serve(const std::string& socket, unsigned vfs, bool stop_at_stdin_eof) {
  ullnic::HostEvents host(stop_at_stdin_eof);
  ullnic::qdma_example::ExampleCard card;
  std::vector<std::unique_ptr<ullnic::qdma::Endpoint>> functions;
  std::vector<ullnic::qdma::Endpoint*> served;
  std::vector<std::string> sockets;
  for (unsigned i = 0; i <= vfs; ++i) {
    const bool is_virtual = i > 0;
    const unsigned func = is_virtual ? ullnic::qdma::reg::kFirstVirtual + i - 1 : 0;
    sockets.push_back(is_virtual ? socket + ".vf" + std::to_string(i - 1) : socket);
    functions.push_back(std::make_unique<ullnic::qdma::Endpoint>(
        sockets.back(), [&](ullnic::qdma::HostSide& side) { return card.Join(func, side); },
        ullnic::qdma::PrintClientEvent,
        is_virtual ? ullnic::qdma::VirtualFunction() : ullnic::qdma::PhysicalFunction(vfs)));
    served.push_back(functions.back().get());
  }
  functions[0]->set_on_virtual([&functions](const ullnic::vfio::VirtualState& state) {
    for (unsigned i = 1; i < functions.size(); ++i) {
      functions[i]->server().Enable(i <= state.enabled, state.has_memory);
    }
  });
  ullnic::EmitJsonLine({{"event", "ready"}, {"socket", socket}, {"sockets", sockets}});
  ullnic::qdma::Serve(served, host, [] { return 0; });
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app(
      "The DMA's example design in RTL on vfio-user sockets, for the public driver's tools.");
  std::string socket;
  unsigned vfs = 0;
  bool exit_on_stdin_eof = false;
  app.add_option("--socket", socket, "path of the socket of physical function 0")->required();
  app.add_option(
         "--vfs", vfs,
         "virtual functions that function 0 can enable by its SR-IOV capability; each on a socket "
         "of its own: that of function 0 and .vf0, .vf1")
      ->check(CLI::Range(0u, ullnic::qdma_example::ExampleCard::kVirtualFunctions))
      ->capture_default_str();
  app.add_flag("--exit-on-stdin-eof", exit_on_stdin_eof, "end when standard input ends");
  ullnic::AddVersion(app, argv[0]);
  return ullnic::RunProgram(app, argc, argv, [&] {
    Serve(socket, vfs, exit_on_stdin_eof);
    return true;
  });
}
