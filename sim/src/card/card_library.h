// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// A configuration of the card by its name: loads cards/NAME.so, next to the program's folder, or
// random_cards/NAME.so. So one program serves every configuration, and only those needed are built.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "card/card_entry.h"

namespace ullnic {

constexpr const char* kDefaultCard = "nofifo_pma32_mac32";

class CardLibrary {
 public:
  // Throws UserError, which lists the existing configurations.
  explicit CardLibrary(const std::string& name);

  // The reported ones that are built.
  static std::vector<std::string> Names();

  const CardInfo& info() const { return info_; }
  std::unique_ptr<Card> Make(const CardConfig& config, const Scheduler& scheduler, SerialLine& out,
                             SerialLine& in) const {
    return std::unique_ptr<Card>(make_(config, scheduler, out, in));
  }

 private:
  CardInfo info_;
  CardMakeFunction* make_;  // the library stays loaded until the process ends
};

}  // namespace ullnic
