// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// One point of the soak: what is done to the link, and for how long.
#pragma once

#include <cstdint>

#include "card/back_pressure.h"

namespace ullnic {

struct SoakConfig {
  uint64_t seed = 1;
  uint64_t frames = 200;       // each way, while the link is disturbed
  uint64_t episodes = 2;       // so often the disturbance begins and ends
  uint64_t clean_frames = 30;  // each way after each: all of them must arrive
  uint32_t min_bytes = 1;
  uint32_t max_bytes = 9600;
  // While the link is disturbed the lengths go from first_bytes on in steps of step_bytes, through
  // min_bytes to max_bytes and round, both ways; 0: they are random.
  uint32_t first_bytes = 0;
  uint32_t step_bytes = 1;
  int delay_ui = 0;  // of each line; below a word: that of the published transceiver

  int clock_ppm = 0;  // end B's clocks run so much faster than end A's
  int user_ppm = 0;   // a user clock of its own, against that of its end

  double bit_error_rate = 0;
  double slip_bits = 0;         // mean bits between slips; 0: none, and so on
  double loss_cycles = 0;       // mean cycles between losses of signal
  uint64_t loss_length = 2000;  // cycles at most
  double reset_cycles = 0;      // mean cycles between resets
  BackPressureConfig back_pressure = {.stall = 0, .max_edges = 8};
};

}  // namespace ullnic
