// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ullnic {

constexpr const char* kDefaultNic = "trigger_pma16";

struct CardOptions {
  std::string card = kDefaultNic;
  // "PORT=WHAT", each port at most once; a port without it has a sink.
  std::vector<std::string> ports;
  std::vector<std::string> faults_in;   // faults on frames to the card
  std::vector<std::string> faults_out;  // faults on frames from the card
  std::string socket;
  std::string tester_socket;
  std::string dma = "rtl";      // or "model": the DMA behind the socket
  std::optional<int> delay_ui;  // default: the transceivers of the published figures
  int offset_bits = 0;
  uint64_t seed = 1;
  int clock_ppm = 0;  // far ends relative to the card, except for the timing port
  std::string pcapng_dir;
  uint32_t snap_bytes = 0;
  std::string samples;
  std::optional<uint32_t> first_order;  // its number, for a trigger card
  double status_interval_s = 0.5;
  bool exit_on_stdin_eof = false;
  double max_wall_s = 0;  // 0: no limit
};

}  // namespace ullnic
