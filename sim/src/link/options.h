// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "card/card_library.h"

namespace ullnic {

struct LinkOptions {
  std::string a = "sink";
  std::string b = "sink";
  std::string card = kDefaultCard;
  bool far_end_partner = false;
  std::optional<int> delay_ui;  // default: the transceivers of the published figures
  int offset_bits = 0;
  uint64_t seed = 1;
  int clock_ppm = 0;  // B's transmit clock relative to A's
  std::string fault_ab;
  std::string fault_ba;
  std::string pcapng_dir;
  uint32_t snap_bytes = 0;
  double status_interval_s = 0.5;
  bool exit_on_stdin_eof = false;
  uint64_t max_frames = 0;  // 0: no limit
  double max_wall_s = 0;
};

}  // namespace ullnic
