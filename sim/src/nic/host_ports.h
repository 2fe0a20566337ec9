// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Interface of the host ports of a card: its registers (AXI4-Lite) and a stream per port and
// direction. Outputs are registers of the host's clock: they change after an edge and are sampled
// before the next, so that nothing depends combinationally on the card's outputs.
#pragma once

#include <array>
#include <cstdint>
#include <string>

namespace ullnic {

constexpr unsigned kMostNicPorts = 8;
constexpr size_t kHostWordBytes = 8;

struct HostWord {
  uint64_t tdata = 0;
  uint8_t tkeep = 0;
  bool tvalid = false;
  bool tlast = false;
  bool operator==(const HostWord&) const = default;
};

// The card's outputs before an edge.
struct HostInputs {
  bool awready, wready, bvalid, arready, rvalid;
  uint8_t bresp, rresp;
  uint32_t rdata;
  std::array<HostWord, kMostNicPorts> c2h;
  std::array<bool, kMostNicPorts> h2c_ready;
};

struct HostOutputs {
  bool awvalid = false, wvalid = false, bready = false, arvalid = false, rready = false;
  uint8_t wstrb = 0xf;
  uint32_t address = 0, wdata = 0;
  std::array<HostWord, kMostNicPorts> h2c;
  std::array<bool, kMostNicPorts> c2h_ready{};
};

struct NicCounters {
  uint64_t h2c_packets = 0, h2c_bytes = 0;  // accepted by the card
  uint64_t c2h_packets = 0, c2h_bytes = 0;  // delivered by the card
  uint64_t register_reads = 0, register_writes = 0;
  uint64_t register_errors = 0;  // answered with SLVERR or DECERR
  // The card violated the rules of its host ports.
  uint64_t violations = 0;
  std::string first_violation;
};

class HostPorts {
 public:
  virtual ~HostPorts() = default;

  virtual const HostOutputs& outputs() const = 0;
  // An edge of the host's clock. True: something was transferred, or will be without an external
  // event.
  virtual bool Clock(const HostInputs& in) = 0;
  // Skips `count` edges.
  virtual void SkipEdges(uint64_t count) = 0;
  virtual NicCounters counters(unsigned port) const = 0;
};

}  // namespace ullnic
