// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Latency at the boundary, one packet at a time on an idle card, in cycles of the user clock: the
// card's time, without the host's.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "qdma_sweep/settings.h"

namespace ullnic::qdma_sweep {

nlohmann::json MeasureLatency(const Point& point, int repeats);

}  // namespace ullnic::qdma_sweep
