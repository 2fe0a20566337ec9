// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// One point: the rate of packets in steady state, the utilisation of the interfaces, and a check
// that each packet was received.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "qdma_sweep/settings.h"

namespace ullnic::qdma_sweep {

Mode ModeOf(const std::string& name);
// Throws UserError if there is no such point.
void Check(const Point& point);
nlohmann::json Measure(const Point& point);

}  // namespace ullnic::qdma_sweep
