// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace ullnic::fuzz {

// The card that this program tests: everything else is compiled once for all of them.
extern const char* const kNicConfig;

}  // namespace ullnic::fuzz
