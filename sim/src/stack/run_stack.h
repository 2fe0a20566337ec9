// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// What the main program needs of a session. Without the model, so that it is compiled once for all
// models.
#pragma once

namespace ullnic {

struct StackOptions;

// As StackSession::Run. Throws UserError.
bool RunStack(const StackOptions& options);

}  // namespace ullnic
