// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace ullnic {

struct StackOptions {
  std::string port = "sink";
  std::string fault_in;   // faults on frames to the card
  std::string fault_out;  // faults on frames from the card
  std::string mac = "02:00:00:00:00:70";
  std::string ip = "198.18.0.7";
  int prefix = 24;
  std::string gateway = "0.0.0.0";
  std::optional<int> delay_ui;  // default: the published transceiver's
  int offset_bits = 0;
  uint64_t seed = 1;
  std::string pcapng_dir;
  uint32_t snap_bytes = 0;
  double hostile = 0;  // acts of an attacker per frame to the card
  bool rest = false;   // the sessions must be free at the end
  double status_interval_s = 0.5;
  bool exit_on_stdin_eof = false;
  double max_wall_s = 0;  // 0: no limit
};

}  // namespace ullnic
