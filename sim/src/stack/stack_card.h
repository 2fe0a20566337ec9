// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// The Verilated card with a TCP/IP stack (cards/toe) between a pair of lines: its clocks, resets,
// addresses and timer ticks, and a count of what it tells of its sessions.
#pragma once

#include <verilated.h>

#include <array>
#include <cstdint>
#include <memory>

#include ULLNIC_STACK_HEADER  // the model's, and its name is ULLNIC_STACK_MODEL
#include "core/scheduler.h"
#include "line/serial_line.h"

namespace ullnic {

struct StackAddresses {
  uint64_t mac = 0;
  uint32_t ip = 0, mask = 0, gateway = 0;
};

class StackCard final : public ClockedModel {
 public:
  static constexpr int kWordBits = 32;
  static constexpr int64_t kTickMs = 10;  // of the model
  static constexpr size_t kEvents = 16;   // codes of events
  static constexpr size_t kSessions = 64;
  static constexpr size_t kDrops = 7;    // reasons
  static constexpr size_t kIcmp = 4;     // what becomes of an ICMP error
  static constexpr uint8_t kListen = 1;  // of state_e, cores/toe/rtl/toe_pkg.sv

  struct Config {
    EdgeSet tx_clock = 1;
    EdgeSet rx_clock = 1;  // recovered
    StackAddresses addresses;
    uint32_t secret = 0;
  };

  StackCard(const Config& config, SerialLine& out, SerialLine& in)
      : config_(config), out_(out), in_(in) {
    context_->randReset(0);
    model_ = std::make_unique<ULLNIC_STACK_MODEL>(context_.get());
    model_->mac = config.addresses.mac;
    model_->ip = config.addresses.ip;
    model_->mask = config.addresses.mask;
    model_->gateway = config.addresses.gateway;
    model_->secret = config.secret;
  }
  ~StackCard() override { model_->final(); }
  StackCard(const StackCard&) = delete;
  StackCard& operator=(const StackCard&) = delete;

  // A tick of the card's timers, in the next cycle.
  void Tick() { tick_ = true; }

  bool link_up() const { return model_->link_up != 0; }
  const std::array<uint64_t, kEvents>& events() const { return events_; }
  // Frames that it has dropped, by the bits of stat_drop.
  const std::array<uint64_t, kDrops>& drops() const { return drops_; }
  // ICMP errors about what it has sent, by the bits of stat_icmp.
  const std::array<uint64_t, kIcmp>& icmp() const { return icmp_; }
  // Of each session, as they were within the last kSessions cycles.
  const std::array<uint8_t, kSessions>& states() const { return states_; }
  VerilatedContext& context() const { return *context_; }

  // ClockedModel.
  void Settle() override {
    ULLNIC_STACK_MODEL& m = *model_;
    m.tx_clk = 0;
    m.rx_clk = 0;
    m.tx_rst = tx_edges_ < kResetCycles;
    m.rx_rst = rx_edges_ < kResetCycles;
    m.tick = tick_;
    m.look_sid = look_;
    m.pma_rx_data = in_.Output();
    m.eval();
    if (out_.same_cycle()) out_.Offer(m.pma_tx_data);
  }

  void Resettle() override {
    model_->pma_rx_data = in_.Output();
    model_->eval();
  }

  void Sample(EdgeSet rising) override {
    const ULLNIC_STACK_MODEL& m = *model_;
    if (rising & config_.tx_clock) {
      out_.Offer(m.pma_tx_data);
      out_.Commit();
      if (tx_edges_ >= kResetCycles && m.stat_event) ++events_[m.stat_event_code];
      if (m.stat_drop != 0) {
        for (size_t i = 0; i < kDrops; ++i) drops_[i] += m.stat_drop >> i & 1;
      }
      if (m.stat_icmp != 0) {
        for (size_t i = 0; i < kIcmp; ++i) icmp_[i] += m.stat_icmp >> i & 1;
      }
      states_[look_] = m.look_state;
      look_ = static_cast<uint16_t>((look_ + 1) % kSessions);
      ++tx_edges_;
      tick_ = false;
    }
    if (rising & config_.rx_clock) ++rx_edges_;
  }

  void Rise(EdgeSet rising) override {
    model_->tx_clk = (rising & config_.tx_clock) != 0;
    model_->rx_clk = (rising & config_.rx_clock) != 0;
    model_->eval();
  }

 private:
  static constexpr uint64_t kResetCycles = 16;

  Config config_;
  SerialLine& out_;
  SerialLine& in_;
  std::unique_ptr<VerilatedContext> context_ = std::make_unique<VerilatedContext>();
  std::unique_ptr<ULLNIC_STACK_MODEL> model_;
  std::array<uint64_t, kEvents> events_{};
  std::array<uint64_t, kDrops> drops_{};
  std::array<uint64_t, kIcmp> icmp_{};
  std::array<uint8_t, kSessions> states_{};
  uint16_t look_ = 0;
  uint64_t tx_edges_ = 0;
  uint64_t rx_edges_ = 0;
  bool tick_ = false;
};

}  // namespace ullnic
