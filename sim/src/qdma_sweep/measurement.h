// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// One point: the rate of packets in a steady state, how busy the interfaces were, and whether each
// packet has come.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "qdma_sweep/settings.h"

namespace ullnic::qdma_sweep {

Mode ModeOf(const std::string& name);
// Throws UserError if there is no such point.
void Check(const Point& point);
nlohmann::json Measure(const Point& point);

}  // namespace ullnic::qdma_sweep
