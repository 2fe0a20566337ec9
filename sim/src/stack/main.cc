// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// ullnic-stack: the card with a TCP/IP stack in RTL, and the far end of its port.

#include <CLI/CLI.hpp>

#include "program/program.h"
#include "program/version.h"
#include "stack/options.h"
#include "stack/run_stack.h"

namespace {

void AddOptions(CLI::App& app, ullnic::StackOptions& o) {
  app.add_option("--port", o.port,
                 "what is joined to the card: tap:NAME[,netns=PATH] | packet:IFNAME[,netns=PATH] | "
                 "pcap:IN[,out=OUT.pcapng][,loop=N][,gap=MIN-MAX][,start=PATH] | sink")
      ->required();
  app.add_option("--mac", o.mac, "the card's address")->capture_default_str();
  app.add_option("--ip", o.ip, "the card's IPv4 address")->capture_default_str();
  app.add_option("--prefix", o.prefix, "bits of the network's part of it")
      ->check(CLI::Range(0, 32))
      ->capture_default_str();
  app.add_option("--gateway", o.gateway, "for other networks; 0.0.0.0: none")
      ->capture_default_str();
  app.add_option("--fault-in", o.fault_in,
                 "harm to what arrives at the card: drop=P,dup=P,reorder=P,corrupt=P,ber=P");
  app.add_option("--fault-out", o.fault_out, "harm to what the card sends");
  app.add_option("--hostile", o.hostile,
                 "acts of an attacker for each frame to the card (src/stack/hostile_port.h)")
      ->check(CLI::Range(0.0, 1.0));
  app.add_flag("--rest", o.rest,
               "at the end wait until no session is in use, the timers as fast as they can go, and "
               "tell what is left (sessions that are stuck, what is kept inside)");
  app.add_option("--delay-ui", o.delay_ui,
                 "the card's transceivers, both ways together, in bit times of 96.97 ps; without: "
                 "the published transceiver's")
      ->check(CLI::Range(0, 8000));
  app.add_option("--offset-bits", o.offset_bits, "bits added to the delay on the way to the card")
      ->check(CLI::Range(0, 65))
      ->capture_default_str();
  app.add_option("--seed", o.seed, "of everything random")->capture_default_str();
  app.add_option(
      "--pcapng-dir", o.pcapng_dir,
      "write port-0.pcapng here, and faults.pcapng: the frames that are harmed, as they were");
  app.add_option("--snaplen", o.snap_bytes, "bytes of each frame to capture; 0: all")
      ->capture_default_str();
  app.add_option("--status-interval", o.status_interval_s, "seconds between status lines")
      ->check(CLI::Range(0.01, 3600.0))
      ->capture_default_str();
  app.add_flag("--exit-on-stdin-eof", o.exit_on_stdin_eof, "end when standard input ends");
  app.add_option("--max-wall-s", o.max_wall_s, "end after this many seconds; 0: no limit")
      ->check(CLI::NonNegativeNumber);
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("A card with a TCP/IP stack in RTL, with something at its port. Prints JSON lines.");
  ullnic::StackOptions options;
  AddOptions(app, options);
  ullnic::AddVersion(app, argv[0]);
  return ullnic::RunProgram(app, argc, argv, [&] { return ullnic::RunStack(options); });
}
