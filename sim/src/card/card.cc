// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0

#include "card/card.h"

#include <fmt/format.h>

#include <charconv>

#include "core/user_error.h"

namespace ullnic {
namespace {

EdgeSet AddUserClock(const std::string& text, Scheduler& scheduler, EdgeSet tx, EdgeSet rx,
                     const UserClockOptions& options) {
  if (text == "tx") return tx;
  if (text == "rx") return rx;
  if (text == "tx/2") return scheduler.AddHalfClock(tx);
  if (text == "rx/2") return scheduler.AddHalfClock(rx, options.odd_rx);
  int64_t khz = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, khz);
  if (error == std::errc() && std::string(stop, end) == "kHz" && khz > 0) {
    return scheduler.AddClock(Clock(text, KilohertzPeriod(khz, options.ppm)));
  }
  throw UserError(fmt::format("'{}' is no user clock", text), "tx | rx | tx/2 | rx/2 | NUMBERkHz");
}

}  // namespace

CardClocks JoinClocks(const CardInfo& info, Scheduler& scheduler, EdgeSet tx, EdgeSet rx,
                      const UserClockOptions& options) {
  return {.tx = tx,
          .rx = rx,
          .tx_user = AddUserClock(info.tx_user_clock, scheduler, tx, rx, options),
          .rx_user = AddUserClock(info.rx_user_clock, scheduler, tx, rx, options)};
}

}  // namespace ullnic
