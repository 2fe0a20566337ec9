// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// One point of the soak: the disturbances of the link, and their duration.
#pragma once

#include <cstdint>

#include "card/back_pressure.h"

namespace ullnic {

struct SoakConfig {
  uint64_t seed = 1;
  uint64_t frames = 200;       // per direction, while the link is disturbed
  uint64_t episodes = 2;       // number of disturbances
  uint64_t clean_frames = 30;  // per direction after each: all of them must arrive
  uint32_t min_bytes = 1;
  uint32_t max_bytes = 9600;
  // While the link is disturbed, lengths start at first_bytes and increase in steps of step_bytes,
  // wrapping from max_bytes to min_bytes, in both directions; 0: random lengths.
  uint32_t first_bytes = 0;
  uint32_t step_bytes = 1;
  int delay_ui = 0;  // of each line; below a word: the published transceiver's

  int clock_ppm = 0;  // by which end B's clocks are faster than end A's
  int user_ppm = 0;   // a separate user clock relative to its end's

  double bit_error_rate = 0;
  double slip_bits = 0;         // mean bits between slips; 0: none, and so on
  double loss_cycles = 0;       // mean cycles between losses of signal
  uint64_t loss_length = 2000;  // cycles at most
  double reset_cycles = 0;      // mean cycles between resets
  BackPressureConfig back_pressure = {.stall = 0, .max_edges = 8};
};

}  // namespace ullnic
