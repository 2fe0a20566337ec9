// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace ullnic::fuzz {

// The configuration that this program tests: everything else is compiled once for all of them.
extern const char* const kMacpcsConfig;

}  // namespace ullnic::fuzz
