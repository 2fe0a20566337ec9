// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0

#include "fuzz/nic/config.h"

namespace ullnic::fuzz {

const char* const kNicConfig = ULLNIC_NIC_CONFIG;

}  // namespace ullnic::fuzz
