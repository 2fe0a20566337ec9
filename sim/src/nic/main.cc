// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// ullnic-card: a whole card, the far ends of its ports, and its PCIe function on a socket.

#include <CLI/CLI.hpp>

#include "nic/card_options.h"
#include "nic/card_session.h"
#include "program/daemon.h"
#include "program/program.h"
#include "program/version.h"

namespace {

void AddOptions(CLI::App& app, ullnic::CardOptions& o, ullnic::DaemonOptions& daemon) {
  app.add_option("--card", o.card, "which card")->capture_default_str();
  app.add_option("--port", o.ports,
                 "PORT=WHAT, what is joined to a port of the card: tap:NAME[,netns=PATH] | "
                 "packet:IFNAME[,netns=PATH] | "
                 "pcap:IN[,out=OUT.pcapng][,loop=N][,gap=MIN-MAX][,start=PATH] | "
                 "gen:frames=N[,len=MIN-MAX][,gap=MIN-MAX][,burst] | sink | tester")
      ->take_all();
  app.add_option("--socket", o.socket,
                 "serve the card's PCIe function to one program at a time here (vfio-user)");
  app.add_option("--tester-socket", o.tester_socket,
                 "the same of the tester, whose ports are those with --port PORT=tester");
  app.add_option("--dma", o.dma,
                 "what serves --socket: rtl, the DMA in RTL, or model, the functional model")
      ->check(CLI::IsMember({"rtl", "model"}))
      ->capture_default_str();
  app.add_option("--fault-in", o.faults_in,
                 "PORT=HARM, to what arrives at the card: drop=P,dup=P,reorder=P,corrupt=P,ber=P")
      ->take_all();
  app.add_option("--fault-out", o.faults_out, "PORT=HARM, to what the card sends")->take_all();
  app.add_option("--delay-ui", o.delay_ui,
                 "the card's transceivers, both ways together, in bit times of 96.97 ps; without: "
                 "the published transceiver's, which depends on the width of its words")
      ->check(CLI::Range(0, 8000));
  app.add_option("--offset-bits", o.offset_bits, "bits added to the delay on the way to the card")
      ->check(CLI::Range(0, 65))
      ->capture_default_str();
  app.add_option("--seed", o.seed, "of everything random")->capture_default_str();
  app.add_option("--clock-ppm", o.clock_ppm,
                 "clocks of the far ends against the card's, but for the port whose clock the card "
                 "transmits with")
      ->check(CLI::Range(-1000, 1000))
      ->capture_default_str();
  app.add_option("--pcapng-dir", o.pcapng_dir, "write port-0.pcapng and so on here");
  app.add_option("--snaplen", o.snap_bytes, "bytes of each frame to capture; 0: all")
      ->capture_default_str();
  app.add_option("--samples", o.samples,
                 "write each tick-to-trade sample to this file (.json, or else CSV)");
  app.add_option("--first-order", o.first_order,
                 "number that the first order of a trigger card carries, where software sends too; "
                 "without: the first frame soon after a trigger is taken for its answer");
  app.add_option("--status-interval", o.status_interval_s, "seconds between status lines")
      ->check(CLI::Range(0.01, 3600.0))
      ->capture_default_str();
  CLI::Option* at_eof =
      app.add_flag("--exit-on-stdin-eof", o.exit_on_stdin_eof, "end when standard input ends");
  app.add_option("--max-wall-s", o.max_wall_s, "end after this many seconds; 0: no limit")
      ->check(CLI::NonNegativeNumber);
  ullnic::AddDaemonOptions(app, daemon);
  at_eof->excludes(app.get_option("--daemon"));
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("A whole card in RTL, with its ports and its host's side. Prints JSON lines.");
  ullnic::CardOptions options;
  ullnic::DaemonOptions daemon;
  AddOptions(app, options, daemon);
  ullnic::AddVersion(app, argv[0]);
  return ullnic::RunProgram(app, argc, argv, [&] {
    ullnic::Daemon::Begin(daemon);
    return ullnic::CardSession(options).Run();
  });
}
