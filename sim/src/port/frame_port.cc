// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0

#include "port/frame_port.h"

#include <nlohmann/json.hpp>

namespace ullnic {

nlohmann::json FramePort::Report() const { return nullptr; }

}  // namespace ullnic
