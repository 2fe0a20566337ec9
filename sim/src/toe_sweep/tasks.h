// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// The two measurements; docs/measurement.md defines from which edge to which.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "core/rng.h"
#include "toe_sweep/line.h"

namespace ullnic::toe {

struct Task {
  LineClock clock;
  std::vector<size_t> sizes;     // payload, bytes
  std::vector<size_t> anywhere;  // sizes also received with the line's pauses at every position
  uint64_t repeats = 1;          // of each latency
  uint64_t frames = 100;         // of each size, for the bandwidth
  uint64_t seed = 1;
};

Bytes RandomBytes(Rng& rng, size_t count);

// Rows {path, mode, payload_bytes, cycles: histogram}.
nlohmann::json TransmitLatency(const Task& task);
nlohmann::json ReceiveLatency(const Task& task);
// Latency from one engine's user to another's.
nlohmann::json RoundTrip(const Task& task);

// Rows {path, mode, payload_bytes, frames, dropped, share, line_mbit_s, payload_mbit_s}.
nlohmann::json Bandwidth(const Task& task);

}  // namespace ullnic::toe
