// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// A card in RTL as an end of the link, independent of its configuration: the interface of a
// compiled configuration (card_entry.cc) to the programs.
#pragma once

#include <string>

#include "card/back_pressure.h"
#include "core/link_end.h"
#include "core/scheduler.h"
#include "line/serial_line.h"

namespace ullnic {

class RxMonitor;

// Source of the FCS of a transmitted frame: the card adds it, or it replaces the user's last four
// bytes, or those are the FCS.
enum class TxFcs { kAdded, kReplaced, kFromUser };

// Properties of a configuration.
struct CardInfo {
  std::string name;
  int pma_bits;      // of a transceiver word
  int tx_user_bits;  // of a user word
  int rx_user_bits;
  // "tx", "rx": that transceiver clock. "tx/2", "rx/2": half of it, edges aligned. "350000kHz": the
  // user's own clock.
  std::string tx_user_clock;
  std::string rx_user_clock;
  int transceiver_ui;  // delay of a published transceiver pair with such words
  bool tx_fifo;
  bool rx_fifo;
  bool rx_bridge;

  // Handling of frames; lengths include the FCS.
  TxFcs tx_fcs = TxFcs::kAdded;
  uint32_t padding_bytes = 64;
  uint32_t gap_bytes = 12;
  uint32_t tx_fifo_words = 16;  // with tx_fifo
  uint32_t runt_bytes = 64;     // shorter frames are runts
  bool fcs_checked = true;
  bool fcs_delivered = true;
  bool verdict_with_last = false;  // even without FIFO and bridge
  uint32_t held_words = 0;         // of the transceiver, by which a frame is delayed after rx_sof

  int user_word_bytes() const { return tx_user_bits / 8; }
  // A frame of one word, with padding, FCS, preamble and gap, in words of 32 bits: 24.
  uint64_t short_frame_words() const { return (padding_bytes + gap_bytes + 20) / 4; }
  // A frame offered this many edges after the last word of the previous one was accepted finds the
  // transmitter idle. Twice a short frame, because with register stages a frame of one word can be
  // accepted while the previous one is still in flight.
  uint64_t idle_edges() const {
    return (2 * short_frame_words() + 16) * 32 / static_cast<unsigned>(tx_user_bits);
  }
  // The same where frames may wait in a transmit FIFO, each of as little as one word.
  uint64_t idle_edges_any_load() const { return idle_edges() * (tx_fifo ? tx_fifo_words / 2 : 1); }
};

// The clocks of one end, bits of the scheduler.
struct CardClocks {
  EdgeSet tx = 1;  // of the transceiver
  EdgeSet rx = 1;
  EdgeSet tx_user = 1;
  EdgeSet rx_user = 1;

  EdgeSet all() const { return tx | rx | tx_user | rx_user; }
};

struct UserClockOptions {
  int ppm = 0;          // the user's own clock runs fast by this
  bool odd_rx = false;  // the half clock of rx has the odd edges
};

// Adds a configuration's user clocks to those of the transceiver. Throws UserError.
CardClocks JoinClocks(const CardInfo& info, Scheduler& scheduler, EdgeSet tx, EdgeSet rx,
                      const UserClockOptions& options = {});

struct CardConfig {
  CardClocks clocks = {};
  BackPressureConfig back_pressure = {};  // of the user, where the card respects tready
};

// Resets that are held, of either side of the transceiver and of its user. Without a FIFO a user
// and its side of the transceiver are reset together, whichever of the two is named.
using ResetSet = uint32_t;
constexpr ResetSet kResetTx = 1, kResetTxUser = 2, kResetRx = 4, kResetRxUser = 8;

class Card : public LinkEnd {
 public:
  // Takes effect at the scheduler's next step. A reset must last 3 transceiver cycles to be seen by
  // every clock.
  virtual void SetReset(ResetSet resets) = 0;
  virtual void SetBackPressure(const BackPressureConfig& config) = 0;
  // The end of a run: a frame that was announced and never ended is a violation.
  virtual void FinishMonitor() = 0;
  virtual const RxMonitor& monitor() const = 0;
};

}  // namespace ullnic
