// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0

#include "nic/nic_card.h"

#include <fmt/format.h>

#include "core/user_error.h"

namespace ullnic {
namespace {

constexpr int64_t kHostKhz = 250'000;

template <class T>
T Item(const std::vector<T>& items, size_t index) {
  return index < items.size() ? items[index] : T{};
}

}  // namespace

NicClocks JoinNicClocks(const NicInfo& info, Scheduler& scheduler, const NicClockOptions& options) {
  const auto user = [&](EdgeSet clock) {
    return info.pma_bits == 16 ? scheduler.AddHalfClock(clock) : clock;
  };
  NicClocks clocks;
  clocks.tx = scheduler.AddClock(Clock("tx", LinePeriod(info.pma_bits)));
  clocks.tx_user = user(clocks.tx);
  for (unsigned port = 0; port < info.ports; ++port) {
    const int ppm = Item(options.rx_ppm, port);
    const Phase phase = Item(options.rx_phase, port);
    EdgeSet rx = clocks.tx;
    if (port != info.timing_port || info.crossing) {
      rx = scheduler.AddClock(
          Clock(fmt::format("rx{}", port), LinePeriod(info.pma_bits, ppm), phase));
    } else if (ppm != 0 || !(phase == Phase{})) {
      throw UserError(fmt::format("the clock of port {} cannot be set apart", port),
                      "the card transmits with the clock that this port recovers: set another's");
    }
    clocks.rx.push_back(rx);
    clocks.rx_user.push_back(user(rx));
  }
  clocks.host = scheduler.AddClock(Clock("host", KilohertzPeriod(kHostKhz), options.host_phase));
  return clocks;
}

}  // namespace ullnic
