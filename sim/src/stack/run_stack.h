// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// The main program's interface to a session, without the model, so that it is compiled once for all
// models.
#pragma once

namespace ullnic {

struct StackOptions;

// As StackSession::Run. Throws UserError.
bool RunStack(const StackOptions& options);

}  // namespace ullnic
