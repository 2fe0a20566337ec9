// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// The Verilated card with a TCP/IP stack (cards/toe) between a pair of lines: its clocks, resets,
// addresses and timer ticks, a count of its session events, and its registers.
#pragma once

#include <verilated.h>

#include <array>
#include <cstdint>
#include <deque>
#include <memory>

#include ULLNIC_STACK_HEADER  // the model's, and its name is ULLNIC_STACK_MODEL
#include "core/scheduler.h"
#include "line/serial_line.h"
#include "stack/at_rest.h"

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
  // Registers, cores/toe/regs/README.md
  static constexpr uint32_t kCounter = 0x80, kSession = 0x1000;
  static constexpr size_t kCounters = 24;
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
    LeftInside(*context_);  // throws here, not after the run, if a name does not exist
  }
  ~StackCard() override { model_->final(); }
  StackCard(const StackCard&) = delete;
  StackCard& operator=(const StackCard&) = delete;

  // Queues a register write; writes() counts completed ones.
  void Write(uint16_t address, uint32_t data) { to_write_.push_back({address, data}); }
  uint64_t writes() const { return writes_; }
  size_t writes_waiting() const { return to_write_.size(); }

  // A tick of the card's timers, in the next cycle.
  void Tick() { tick_ = true; }

  bool link_up() const { return model_->link_up != 0; }
  const std::array<uint64_t, kEvents>& events() const { return events_; }
  // Counters and states of sessions from the registers, at most kScanCycles old.
  static constexpr uint64_t kScanCycles = 2000;
  const std::array<uint32_t, kCounters>& counters() const { return counters_; }
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
    m.s_axil_araddr = static_cast<uint16_t>(scan_ < kCounters ? kCounter + 4 * scan_
                                                              : kSession + 4 * (scan_ - kCounters));
    m.s_axil_arvalid = asking_;
    m.s_axil_rready = 1;
    m.s_axil_awvalid = !to_write_.empty() && !address_written_;
    m.s_axil_wvalid = !to_write_.empty() && !data_written_;
    if (!to_write_.empty()) {
      m.s_axil_awaddr = to_write_.front().address;
      m.s_axil_wdata = to_write_.front().data;
    }
    m.s_axil_wstrb = 15;
    m.s_axil_bready = 1;
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
      if (tx_edges_ >= kResetCycles) Registers(m);
      if (tx_edges_ >= kResetCycles) Written(m);
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
  static constexpr uint64_t kPause = 16;  // cycles from one register of the scan to the next

  void Written(const ULLNIC_STACK_MODEL& m) {
    address_written_ |= m.s_axil_awvalid && m.s_axil_awready;
    data_written_ |= m.s_axil_wvalid && m.s_axil_wready;
    if (to_write_.empty() || !m.s_axil_bvalid) return;
    to_write_.pop_front();
    address_written_ = data_written_ = false;
    ++writes_;
  }

  // Register scan_ of the counters and then the sessions is read.
  void Registers(const ULLNIC_STACK_MODEL& m) {
    if (m.s_axil_arready) asking_ = false;
    if (waiting_ && m.s_axil_rvalid) {
      waiting_ = false;
      if (scan_ < kCounters) {
        counters_[scan_] = m.s_axil_rdata;
      } else {
        states_[scan_ - kCounters] = m.s_axil_rdata & 15;
      }
      scan_ = (scan_ + 1) % (kCounters + kSessions);
    }
    if (!waiting_ && tx_edges_ % kPause == 0) asking_ = waiting_ = true;
  }

  Config config_;
  SerialLine& out_;
  SerialLine& in_;
  std::unique_ptr<VerilatedContext> context_ = std::make_unique<VerilatedContext>();
  std::unique_ptr<ULLNIC_STACK_MODEL> model_;
  std::array<uint64_t, kEvents> events_{};
  std::array<uint32_t, kCounters> counters_{};
  std::array<uint8_t, kSessions> states_{};
  size_t scan_ = 0;
  bool asking_ = false, waiting_ = false;
  struct RegisterWrite {
    uint16_t address;
    uint32_t data;
  };
  std::deque<RegisterWrite> to_write_;
  bool address_written_ = false, data_written_ = false;
  uint64_t writes_ = 0;
  uint64_t tx_edges_ = 0;
  uint64_t rx_edges_ = 0;
  bool tick_ = false;
};

}  // namespace ullnic
