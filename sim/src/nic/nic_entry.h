// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Exports of the library of a whole card's configuration. C names, so that they can be looked up;
// C++ types, as program and library come from the same build.
#pragma once

#include "nic/nic_card.h"

namespace ullnic {

using NicInfoFunction = void(NicInfo* info);
using NicMakeFunction = NicCard*(const NicConfig& config);

}  // namespace ullnic

extern "C" {
ullnic::NicInfoFunction ullnic_nic_info;
ullnic::NicMakeFunction ullnic_nic_make;
}
