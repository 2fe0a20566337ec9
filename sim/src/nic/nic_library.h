// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// A configuration of a whole card by its name: loads nics/NAME.so, next to the program's folder.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "nic/nic_entry.h"

namespace ullnic {

class NicLibrary {
 public:
  // Throws UserError, which lists the existing configurations.
  explicit NicLibrary(const std::string& name);

  // Those that are built.
  static std::vector<std::string> Names();

  const NicInfo& info() const { return info_; }
  std::unique_ptr<NicCard> Make(const NicConfig& config) const {
    return std::unique_ptr<NicCard>(make_(config));
  }

 private:
  NicInfo info_;
  NicMakeFunction* make_;  // the library stays loaded until the process ends
};

}  // namespace ullnic
