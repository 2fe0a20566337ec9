// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0

#include "fuzz/macpcs/config.h"

namespace ullnic::fuzz {

const char* const kMacpcsConfig = ULLNIC_MACPCS_CONFIG;

}  // namespace ullnic::fuzz
