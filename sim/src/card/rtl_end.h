// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// One end of the link in RTL: a Verilated card with its user-side drivers, joined to an outgoing
// and an incoming line. Any model with the ports of link_card fits.
//
// The receive clock is the one recovered from the line, that is the far end's transmit clock.
#pragma once

#include <verilated.h>

#include <memory>

#include "card/rx_monitor.h"
#include "card/tx_driver.h"
#include "core/link_end.h"
#include "line/serial_line.h"

namespace ullnic {

template <class Model>
class RtlEnd final : public LinkEnd {
 public:
  struct Config {
    EdgeSet tx_clock = 1;
    EdgeSet rx_clock = 1;
    bool fcs_delivered = true;
  };

  RtlEnd(const Config& config, const Scheduler& scheduler, SerialLine& out, SerialLine& in)
      : config_(config),
        scheduler_(scheduler),
        out_(out),
        in_(in),
        out_same_cycle_(out.same_cycle()),
        monitor_(config.fcs_delivered) {
    context_->randReset(0);
    model_ = std::make_unique<Model>(context_.get());
  }
  ~RtlEnd() override { model_->final(); }

  void Send(FramePtr frame) override { driver_.Enqueue(std::move(frame)); }
  size_t tx_backlog() const override { return driver_.backlog(); }
  bool rx_idle() const override { return monitor_.idle(); }
  bool block_lock() const override { return block_lock_; }
  const EndCounters& counters() const override {
    counters_.rx_violations = monitor_.violations();
    counters_.first_violation = monitor_.first_violation();
    return counters_;
  }
  void set_observer(EndObserver* observer) override {
    driver_.set_observer(observer);
    monitor_.set_observer(observer);
  }
  RxMonitor& monitor() { return monitor_; }
  uint64_t tx_edges() const { return tx_edges_; }
  uint64_t rx_edges() const { return rx_edges_; }

  void Settle() override {
    Model& m = *model_;
    const TxUserWord& w = driver_.word();
    m.tx_clk = 0;
    m.rx_clk = 0;
    m.tx_rst = tx_edges_ < kResetCycles;
    m.rx_rst = rx_edges_ < kResetCycles;
    m.s_axis_tvalid = w.tvalid;
    m.s_axis_tdata = w.tdata;
    m.s_axis_tkeep = w.tkeep;
    m.s_axis_tlast = w.tlast;
    m.s_axis_tuser = w.tuser;
    m.pma_rx_data = in_.Output();
    m.eval();
    if (out_same_cycle_) out_.Offer(m.pma_tx_data);
  }

  void Resettle() override {
    model_->pma_rx_data = in_.Output();
    model_->eval();
  }

  void Sample(EdgeSet rising) override {
    const Model& m = *model_;
    if (rising & config_.tx_clock) {
      out_.Offer(m.pma_tx_data);
      out_.Commit();
      counters_.tx_frames += m.stat_tx_frame;
      counters_.tx_errors += m.stat_tx_error;
      counters_.tx_underruns += m.stat_tx_underrun;
      if (tx_edges_ >= kResetCycles) {
        driver_.Clock(m.s_axis_tready, tx_edges_, scheduler_.now_ps());
      }
      ++tx_edges_;
    }
    if (rising & config_.rx_clock) {
      SampleReceiver(m);
      ++rx_edges_;
    }
  }

  void Rise(EdgeSet rising) override {
    model_->tx_clk = (rising & config_.tx_clock) != 0;
    model_->rx_clk = (rising & config_.rx_clock) != 0;
    model_->eval();
  }

 private:
  static constexpr uint64_t kResetCycles = 8;

  void SampleReceiver(const Model& m) {
    if (rx_edges_ < kResetCycles) return;
    block_lock_ = m.rx_block_lock;
    counters_.rx_bad_headers += m.stat_rx_bad_header;
    counters_.rx_lock_losses += m.stat_rx_lock_lost;
    if constexpr (requires { m.stat_rx_bad_block; }) {
      counters_.rx_bad_blocks += m.stat_rx_bad_block;
    }
    const RxUserWord w{.tdata = m.m_axis_tdata,
                       .tkeep = m.m_axis_tkeep,
                       .tvalid = m.m_axis_tvalid != 0,
                       .tlast = m.m_axis_tlast != 0,
                       .sof = m.rx_sof != 0,
                       .status_valid = m.rx_status_valid != 0,
                       .status_good = m.rx_status_good != 0,
                       .err_fcs = m.rx_err_fcs != 0,
                       .err_code = m.rx_err_code != 0,
                       .err_runt = m.rx_err_runt != 0,
                       .err_oversize = m.rx_err_oversize != 0};
    monitor_.Clock(w, rx_edges_, scheduler_.now_ps());
  }

  Config config_;
  const Scheduler& scheduler_;
  SerialLine& out_;
  SerialLine& in_;
  bool out_same_cycle_;
  std::unique_ptr<VerilatedContext> context_ = std::make_unique<VerilatedContext>();
  std::unique_ptr<Model> model_;
  TxDriver driver_;
  RxMonitor monitor_;
  uint64_t tx_edges_ = 0;
  uint64_t rx_edges_ = 0;
  bool block_lock_ = false;
  mutable EndCounters counters_;
};

}  // namespace ullnic
