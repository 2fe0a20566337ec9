// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "core/user_error.h"

namespace ullnic {

// What a call throws as UserError, else "".
template <class Call>
std::string FaultOf(const Call& call) {
  try {
    call();
  } catch (const UserError& error) {
    return error.what();
  }
  return "";
}

}  // namespace ullnic
