// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// A configuration of the card by its name: loads cards/NAME.so, which lies beside the folder of the
// program, or random_cards/NAME.so. So one program serves every configuration, and only those that
// are wanted are built.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "card/card_entry.h"

namespace ullnic {

constexpr const char* kDefaultCard = "nofifo_pma32_mac32";

class CardLibrary {
 public:
  // Throws UserError, which names the configurations that there are.
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
