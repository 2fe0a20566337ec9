// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// ullnic-link: two ends of a 10GBASE-R link, connected by a transceiver model.

#include <CLI/CLI.hpp>

#include "link/options.h"
#include "link/session.h"
#include "program/program.h"
#include "program/version.h"

namespace {

void AddOptions(CLI::App& app, ullnic::LinkOptions& o, std::string& far_end) {
  app.add_option("--a", o.a,
                 "what is joined to end A: tap:NAME[,netns=PATH] | packet:IFNAME[,netns=PATH] | "
                 "pcap:IN[,out=OUT.pcapng][,loop=N][,gap=MIN-MAX][,start=PATH] | "
                 "gen:frames=N[,len=MIN-MAX][,gap=MIN-MAX][,burst] | sink")
      ->required();
  app.add_option("--b", o.b, "the same for end B")->required();
  app.add_option("--config", o.card, "of the card's MAC and PCS, at both ends")
      ->capture_default_str();
  app.add_option("--far-end", far_end, "what end B is made of")
      ->check(CLI::IsMember({"rtl", "partner"}))
      ->capture_default_str();
  app.add_option("--delay-ui", o.delay_ui,
                 "transceivers and fibre, in bit times of 96.97 ps; without: the published "
                 "transceiver's, which depends on the width of its words")
      ->check(CLI::Range(0, 8000));
  app.add_option("--offset-bits", o.offset_bits, "bits added to the delay")
      ->check(CLI::Range(0, 65))
      ->capture_default_str();
  app.add_option("--seed", o.seed, "of everything random")->capture_default_str();
  app.add_option("--clock-ppm", o.clock_ppm, "B's transmit clock against A's")
      ->check(CLI::Range(-1000, 1000))
      ->capture_default_str();
  app.add_option("--fault-ab", o.fault_ab,
                 "harm to what A sends: drop=P,dup=P,reorder=P,corrupt=P,ber=P");
  app.add_option("--fault-ba", o.fault_ba, "harm to what B sends");
  app.add_option("--pcapng-dir", o.pcapng_dir, "write port-a.pcapng and port-b.pcapng here");
  app.add_option("--snaplen", o.snap_bytes, "bytes of each frame to capture; 0: all")
      ->capture_default_str();
  app.add_option("--status-interval", o.status_interval_s, "seconds between status lines")
      ->check(CLI::Range(0.01, 3600.0))
      ->capture_default_str();
  app.add_flag("--exit-on-stdin-eof", o.exit_on_stdin_eof, "end when standard input ends");
  app.add_option("--max-frames", o.max_frames,
                 "end after this many sent by both ends; 0: no limit");
  app.add_option("--max-wall-s", o.max_wall_s, "end after this many seconds; 0: no limit")
      ->check(CLI::NonNegativeNumber);
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app(
      "Two ends of a 10GBASE-R link in RTL, joined by a transceiver model. Prints JSON lines.");
  ullnic::LinkOptions options;
  std::string far_end = "rtl";
  AddOptions(app, options, far_end);
  ullnic::AddVersion(app, argv[0]);
  return ullnic::RunProgram(app, argc, argv, [&] {
    options.far_end_partner = far_end == "partner";
    return ullnic::Session(options).Run();
  });
}
