// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0

#include "nic/packet_ports.h"

namespace ullnic {

PacketPorts::PacketPorts(unsigned ports, const BackPressureConfig& c2h_stall, double h2c_pause) {
  for (unsigned port = 0; port < ports; ++port) {
    BackPressureConfig stall = c2h_stall;
    stall.seed = c2h_stall.seed + 2 * port;
    h2c_.emplace_back(h2c_pause, stall.seed + 1);
    c2h_.emplace_back(port, stall);
  }
  Show();
}

void PacketPorts::OnReset() {
  for (C2hMonitor& c2h : c2h_) c2h.Drop();
  for (H2cDriver& h2c : h2c_) h2c.Drop();
}

void PacketPorts::Show() {
  registers_.Show(out_);
  for (unsigned port = 0; port < queues(); ++port) {
    out_.h2c[port] = h2c_[port].word();
    out_.c2h_ready[port] = c2h_[port].tready();
  }
}

bool PacketPorts::Clock(const HostInputs& in) {
  bool moved = registers_.Clock(in, violations_);
  for (unsigned port = 0; port < queues(); ++port) {
    const bool taken = h2c_[port].Clock(in.h2c_ready[port]);
    const bool given = c2h_[port].Clock(in.c2h[port], out_.c2h_ready[port], violations_);
    moved = moved || taken || given;
  }
  Show();
  return moved;
}

NicCounters PacketPorts::counters(unsigned port) const {
  const H2cDriver& h2c = h2c_.at(port);
  const C2hMonitor& c2h = c2h_.at(port);
  return {.h2c_packets = h2c.packets(),
          .h2c_bytes = h2c.bytes(),
          .c2h_packets = c2h.packets(),
          .c2h_bytes = c2h.bytes(),
          .register_reads = registers_.counts().reads,
          .register_writes = registers_.counts().writes,
          .register_errors = registers_.counts().errors,
          .violations = violations_.count(),
          .first_violation = violations_.first()};
}

}  // namespace ullnic
