// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// A whole card in RTL, independent of its configuration: the interface of a compiled configuration
// (nic_entry.cc) to the programs. On the line side a pair of SerialLine per port, on the host side
// what the DMA sees of a card.
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

// Properties of a configuration, from the card's card.toml.
struct NicInfo {
  std::string name;
  std::string kind;  // the card's folder
  int pma_bits = 0;  // of a transceiver word
  unsigned ports = 0;
  uint32_t tcp_enables = 0;  // bit p: port p has a transmit engine
  // The market-data port. The card is loop-timed: it transmits with this port's recovered clock.
  unsigned timing_port = 0;
  bool crossing = false;   // not loop-timed: it has its own transmit clock
  int transceiver_ui = 0;  // of a published transceiver with such words, both directions together
  std::string trade_rule;  // "": it sends no orders (trade_tracker.h)
  std::vector<uint32_t> switches;  // registers of user logic whose bit 0 enables it
};

// Bits of the scheduler.
struct NicClocks {
  EdgeSet tx = 0;  // the transceivers' transmit clock, of all ports
  EdgeSet tx_user = 0;
  std::vector<EdgeSet> rx;  // recovered by each port: its far end's transmit clock
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
  // Each port's far end relative to the card; the timing port's is 0, unless the card is crossing.
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
  // The host does not accept a word, in addition to waits for the DMA.
  BackPressureConfig c2h_stall = {};
  // The host has no word ready within a packet.
  double h2c_pause = 0;
};

// The calls of UserSide only queue requests, which are executed as the scheduler steps. They are
// for a card without RTL of a DMA.
class NicCard : public ClockedModel, public qdma::UserSide {
 public:
  // Connects its host ports to these; no call of UserSide is allowed from now on. Only while
  // nothing is in flight there.
  virtual void JoinHost(HostPorts& ports) = 0;

  // Host side: packets to the card not yet fully accepted, and register accesses not yet completed.
  virtual size_t h2c_backlog(unsigned queue) const = 0;
  virtual bool registers_busy() const = 0;
  // Packets that wait for PopC2h().
  virtual size_t c2h_waiting(unsigned queue) const = 0;
  // Counts transfers on the host side (a packet to the card, a word in either direction, a register
  // access). As long as it advances, or a line carries frames, the card is not idle.
  virtual uint64_t host_progress() const = 0;
  virtual NicCounters counters(unsigned queue) const = 0;

  // Skips `count` edges of the host's clock: the card's time advances by them.
  virtual void SkipHostEdges(uint64_t count) = 0;
};

}  // namespace ullnic
