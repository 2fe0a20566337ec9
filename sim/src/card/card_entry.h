// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Exports of the library of a configuration. C names, so that they can be looked up; C++ types, as
// program and library come from the same build.
#pragma once

#include "card/card.h"

namespace ullnic {

using CardInfoFunction = void(CardInfo* info);
using CardMakeFunction = Card*(const CardConfig& config, const Scheduler& scheduler,
                               SerialLine& out, SerialLine& in);

}  // namespace ullnic

extern "C" {
ullnic::CardInfoFunction ullnic_card_info;
ullnic::CardMakeFunction ullnic_card_make;
}
