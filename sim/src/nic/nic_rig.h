// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// A whole card with a far end at each port, in virtual time, stepped by a program or a test.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/rng.h"
#include "core/scheduler.h"
#include "line/serial_line.h"
#include "nic/far_end.h"
#include "nic/nic_library.h"

namespace ullnic {

class NicRig {
 public:
  struct Config {
    std::string card;
    // The card's transceivers, both directions together; default: those of the published figures.
    std::optional<int> delay_ui;
    int offset_bits = 0;  // additional delay towards the card
    uint64_t seed = 1;
    NicClockOptions clocks;
    BackPressureConfig c2h_stall;
    double h2c_pause = 0;
  };

  // Throws UserError.
  explicit NicRig(const Config& config);

  const NicInfo& info() const { return library_.info(); }
  NicCard& card() { return *card_; }
  FarEnd& far_end(unsigned port) { return *ends_.at(port); }
  SerialLine& to_card(unsigned port) { return *to_card_.at(port); }
  SerialLine& from_card(unsigned port) { return *from_card_.at(port); }
  Scheduler& scheduler() { return scheduler_; }
  const Scheduler& scheduler() const { return scheduler_; }
  int64_t now_ps() const { return scheduler_.now_ps(); }
  uint64_t cycles() const { return cycles_; }
  int delay_ui() const { return delay_ui_; }

  // Runs `count` cycles of the transmit clock.
  void Cycles(uint64_t count);
  // Runs until every far end and every receiver of the card is locked. Throws UserError.
  void AcquireLock();

  // Cycles since the last activity: a frame on a line, a word or register access on the host side.
  uint64_t quiet_cycles();
  // Anything that the card still holds becomes visible within this, or waits for its host.
  uint64_t settle_cycles() const;
  bool idle() { return quiet_cycles() >= settle_cycles(); }

  // Skips at most this much time, then runs up to 32 cycles, drawn from the seed, so that the next
  // frame may have any phase of the gearbox. Only when idle.
  int64_t Jump(int64_t ps);

 private:
  NicLibrary library_;
  int delay_ui_;
  Scheduler scheduler_;
  NicClocks clocks_;
  std::vector<std::unique_ptr<SerialLine>> to_card_, from_card_;
  std::unique_ptr<NicCard> card_;
  std::vector<std::unique_ptr<FarEnd>> ends_;
  Rng phase_rng_;
  uint64_t cycles_ = 0;
  uint64_t last_busy_cycle_ = 0;
  uint64_t rest_cycle_ = 0;  // the end of the last rest: the card was empty
  uint64_t last_progress_ = 0;
};

}  // namespace ullnic
