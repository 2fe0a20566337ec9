// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// A whole card in RTL, whatever its configuration: the face that a compiled configuration
// (nic_entry.cc) shows to the programs. Towards the line a pair of SerialLine a port, towards the
// host what the DMA sees of a card.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "card/back_pressure.h"
#include "core/frame.h"
#include "core/scheduler.h"
#include "line/serial_line.h"
#include "nic/host_ports.h"
#include "qdma/user_side.h"

namespace ullnic {

// What is known of a configuration without running it: from the card's card.toml.
struct NicInfo {
  std::string name;
  std::string kind;  // the card's folder
  int pma_bits = 0;  // of a transceiver word
  unsigned ports = 0;
  uint32_t tcp_enables = 0;  // bit p: port p has a transmit engine
  // The market-data port. The card is loop-timed: it transmits with the clock that this port
  // recovers.
  unsigned timing_port = 0;
  bool crossing = false;           // it is not: its transmit clock is its own
  int transceiver_ui = 0;          // of a published transceiver with such words, both ways together
  std::string trade_rule;          // "": it answers nothing (trade_tracker.h)
  std::vector<uint32_t> switches;  // registers of user logic whose bit 0 switches it on
};

// Bits of the scheduler.
struct NicClocks {
  EdgeSet tx = 0;  // the transceivers' transmit clock, of all ports
  EdgeSet tx_user = 0;
  std::vector<EdgeSet> rx;  // that each port recovers: its far end's transmit clock
  std::vector<EdgeSet> rx_user;
  EdgeSet host = 0;

  EdgeSet all() const {
    EdgeSet set = tx | tx_user | host;
    for (const EdgeSet clock : rx) set |= clock;
    for (const EdgeSet clock : rx_user) set |= clock;
    return set;
  }
};

struct NicClockOptions {
  // Of each port's far end against the card; the timing port's is 0, unless the card is crossing.
  std::vector<int> rx_ppm;
  std::vector<Phase> rx_phase;  // the same
  Phase host_phase;
};

// Adds the clocks of a configuration. Throws UserError.
NicClocks JoinNicClocks(const NicInfo& info, Scheduler& scheduler,
                        const NicClockOptions& options = {});

struct NicLines {
  SerialLine* out;
  SerialLine* in;
};

struct NicConfig {
  NicClocks clocks;
  std::vector<NicLines> lines;  // of each port
  // The host does not take a word: on top of what waits here for the DMA.
  BackPressureConfig c2h_stall = {};
  // The host has no word ready in mid-packet.
  double h2c_pause = 0;
};

// The calls of UserSide only queue: what they ask for happens as the scheduler steps. They are for
// a card without RTL of a DMA.
class NicCard : public ClockedModel, public qdma::UserSide {
 public:
  // From now on its host ports are joined to these, and no call of UserSide is allowed. Only while
  // nothing is on its way there.
  virtual void JoinHost(HostPorts& ports) = 0;

  // Host side: packets to the card not yet taken whole, and registers not yet answered.
  virtual size_t h2c_backlog(unsigned queue) const = 0;
  virtual bool registers_busy() const = 0;
  // Packets that wait for PopC2h.
  virtual size_t c2h_waiting(unsigned queue) const = 0;
  // Something moved on the host side (a packet to the card, a word either way, a register access):
  // counts up. As long as it does, or a line carries frames, the card is not idle.
  virtual uint64_t host_progress() const = 0;
  virtual NicCounters counters(unsigned queue) const = 0;

  // So many edges of the host's clock are left out: the card's time goes on by them.
  virtual void SkipHostEdges(uint64_t count) = 0;
};

}  // namespace ullnic
