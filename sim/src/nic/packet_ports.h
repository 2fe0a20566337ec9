// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Whole packets and register accesses on a card's host ports: for the DMA's functional model, and
// for tests without a DMA.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "nic/host_drivers.h"
#include "nic/host_ports.h"
#include "qdma/user_side.h"

namespace ullnic {

// The calls of UserSide only queue requests, which are executed at the next edges.
class PacketPorts final : public HostPorts, public qdma::UserSide {
 public:
  // h2c_pause: as for H2cDriver. c2h_stall.seed determines a seed for each port and direction.
  PacketPorts(unsigned ports, const BackPressureConfig& c2h_stall, double h2c_pause);

  void ReadUser(uint32_t address, std::function<void(uint32_t)> done) override {
    registers_.Read(address, std::move(done));
  }
  void WriteUser(uint32_t address, uint32_t value, std::function<void()> done) override {
    registers_.Write(address, value, std::move(done));
  }
  bool SendH2c(unsigned qid, std::span<const uint8_t> packet) override {
    return h2c_.at(qid).Offer(packet);
  }
  std::span<const uint8_t> PeekC2h(unsigned qid) override {
    const C2hMonitor& c2h = c2h_.at(qid);
    return c2h.waiting() == 0 ? std::span<const uint8_t>() : c2h.front();
  }
  void PopC2h(unsigned qid) override { c2h_.at(qid).Pop(); }
  unsigned queues() const override { return static_cast<unsigned>(c2h_.size()); }
  void OnReset() override;

  size_t h2c_backlog(unsigned port) const { return h2c_.at(port).backlog(); }
  size_t c2h_waiting(unsigned port) const { return c2h_.at(port).waiting(); }
  bool registers_busy() const { return registers_.busy(); }

  const HostOutputs& outputs() const override { return out_; }
  bool Clock(const HostInputs& in) override;
  void SkipEdges(uint64_t) override {}
  NicCounters counters(unsigned port) const override;

 private:
  void Show();

  RegisterMaster registers_;
  std::vector<H2cDriver> h2c_;
  std::vector<C2hMonitor> c2h_;
  Violations violations_;
  HostOutputs out_;
};

}  // namespace ullnic
