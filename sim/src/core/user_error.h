// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// An error that the user can fix: cause and remedy.
#pragma once

#include <stdexcept>
#include <string>
#include <utility>

namespace ullnic {

class UserError : public std::runtime_error {
 public:
  UserError(const std::string& message, std::string remedy)
      : std::runtime_error(message), remedy_(std::move(remedy)) {}
  const std::string& remedy() const { return remedy_; }

 private:
  std::string remedy_;
};

}  // namespace ullnic
