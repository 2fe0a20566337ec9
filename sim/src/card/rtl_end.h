// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// A card in RTL: its Verilated model with the user-side drivers, connected to an outgoing and an
// incoming line. The model must have the ports of link_card.
//
// The receive clock is the one recovered from the line, that is, the far end's transmit clock.
// Edges of several clocks at the same picosecond are applied to the model together, so that a
// register that two of them share changes once.
#pragma once

#include <verilated.h>

#include <memory>

#include "card/card.h"
#include "card/rx_monitor.h"
#include "card/tx_driver.h"

namespace ullnic {

template <class Model>
class RtlEnd final : public Card {
 public:
  RtlEnd(const CardInfo& info, const CardConfig& config, const Scheduler& scheduler,
         SerialLine& out, SerialLine& in)
      : clocks_(config.clocks),
        scheduler_(scheduler),
        out_(out),
        in_(in),
        out_same_cycle_(out.same_cycle()),
        driver_(DriverConfig(info)),
        monitor_(MonitorConfig(info)),
        tx_fifo_(info.tx_fifo),
        rx_fifo_(info.rx_fifo),
        back_pressure_(config.back_pressure) {
    context_->randReset(0);
    model_ = std::make_unique<Model>(context_.get());
    StandStill(*model_);
  }
  ~RtlEnd() override { model_->final(); }

  void Send(FramePtr frame) override { driver_.Enqueue(std::move(frame)); }
  size_t tx_backlog() const override { return driver_.backlog(); }
  bool rx_idle() const override { return monitor_.idle(); }
  // A fault (46.3.4) stops the transmitter until some time after the lock.
  bool block_lock() const override { return link_up_ && !tx_stopped_; }
  const EndCounters& counters() const override {
    counters_.rx_violations = monitor_.violations();
    counters_.first_violation = monitor_.first_violation();
    return counters_;
  }
  void set_observer(EndObserver* observer) override {
    driver_.set_observer(observer);
    monitor_.set_observer(observer);
  }
  const RxMonitor& monitor() const override { return monitor_; }
  void FinishMonitor() override { monitor_.Finish(rx_user_edges_); }

  void SetReset(ResetSet resets) override {
    const auto together = [&](bool fifo, ResetSet both) {
      if (!fifo && (resets & both)) resets |= both;
    };
    together(tx_fifo_, kResetTx | kResetTxUser);
    together(rx_fifo_, kResetRx | kResetRxUser);
    resets_ = resets;
  }
  void SetBackPressure(const BackPressureConfig& config) override {
    back_pressure_.set_config(config);
  }

  void Settle() override {
    Model& m = *model_;
    const TxUserWord& w = driver_.word();
    m.tx_clk = 0;
    m.rx_clk = 0;
    m.s_axis_clk = 0;
    m.m_axis_clk = 0;
    m.tx_rst = tx_edges_ < kResetCycles || (resets_ & kResetTx);
    m.rx_rst = rx_edges_ < kResetCycles || (resets_ & kResetRx);
    m.s_axis_rst = tx_user_edges_ < kResetCycles || (resets_ & kResetTxUser);
    m.m_axis_rst = rx_user_edges_ < kResetCycles || (resets_ & kResetRxUser);
    m.s_axis_tvalid = w.tvalid;
    m.s_axis_tdata = w.tdata;
    m.s_axis_tkeep = w.tkeep;
    m.s_axis_tlast = w.tlast;
    m.s_axis_tuser = w.tuser;
    m.m_axis_tready = back_pressure_.tready();
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
    if (rising & clocks_.tx) {
      out_.Offer(m.pma_tx_data);
      out_.Commit();
      counters_.tx_frames += m.stat_tx_frame;
      counters_.tx_errors += m.stat_tx_error;
      counters_.tx_underruns += m.stat_tx_underrun;
      tx_stopped_ = m.tx_stopped != 0;
      ++tx_edges_;
    }
    if (rising & clocks_.rx) {
      SampleReceiver(m);
      ++rx_edges_;
    }
    if (rising & clocks_.tx_user) {
      if (resets_ & kResetTxUser) {
        driver_.Reset();
      } else if (tx_user_edges_ >= kResetCycles) {
        driver_.Clock(m.s_axis_tready, tx_user_edges_, scheduler_.now_ps());
      }
      ++tx_user_edges_;
    }
    if (rising & clocks_.rx_user) {
      if (resets_ & kResetRxUser) {
        monitor_.Reset();
      } else if (rx_user_edges_ >= kResetCycles) {
        // A reset of the FIFO's far side withdraws a word that was offered and not accepted.
        if (resets_ & kResetRx) withdrawn_until_ = rx_user_edges_ + kWithdrawalEdges;
        if (rx_user_edges_ < withdrawn_until_) monitor_.ForgetOffer();
        SampleUser(m);
      }
      ++rx_user_edges_;
      back_pressure_.Clock();
    }
  }

  void Rise(EdgeSet rising) override {
    model_->tx_clk = (rising & clocks_.tx) != 0;
    model_->rx_clk = (rising & clocks_.rx) != 0;
    model_->s_axis_clk = (rising & clocks_.tx_user) != 0;
    model_->m_axis_clk = (rising & clocks_.rx_user) != 0;
    model_->eval();
  }

 private:
  static constexpr uint64_t kResetCycles = 8;

  // Ties off unused inputs.
  static void StandStill(Model& m) {
    m.tx_ignore_fault = 0;
    m.tx_prbs31 = 0;
    m.tx_test_idle = 0;
    m.own_address = 0;
    m.tx_pause_req = 0;
    m.pma_loopback = 0;
    m.user_loopback = 0;
    m.rx_max_length = kMaxFrameBytes + kFcsBytes;
    m.rx_filter_on = 0;
    m.rx_filter_pass_group = 0;
    m.rx_test_prbs31 = 0;
    m.rx_test_idle = 0;
  }

  static TxDriver::Config DriverConfig(const CardInfo& info) {
    TxDriver::Config driver;
    driver.word_bytes = static_cast<size_t>(info.tx_user_bits / 8);
    driver.fcs = info.tx_fcs;
    driver.min_bytes = info.padding_bytes - kFcsBytes;
    return driver;
  }

  static RxMonitor::Config MonitorConfig(const CardInfo& info) {
    const bool crossing = info.rx_fifo || info.rx_bridge;
    RxMonitor::Config monitor;
    monitor.word_bytes = static_cast<size_t>(info.rx_user_bits / 8);
    monitor.fcs_delivered = info.fcs_delivered;
    monitor.fcs_checked = info.fcs_checked;
    monitor.can_wait = info.rx_fifo;
    monitor.verdict_with_last = crossing || info.verdict_with_last;
    monitor.max_overlap_edges *= static_cast<uint64_t>(32 / info.rx_user_bits);
    monitor.max_overlap_edges += info.held_words + (crossing ? kCrossingEdges : 0);
    // Starts are a block apart.
    const auto block_words = static_cast<uint32_t>(64 / info.pma_bits);
    monitor.max_open_frames += (info.held_words + block_words - 1) / block_words;
    if (info.rx_fifo) monitor.max_open_frames += kFifoFrames;
    return monitor;
  }

  void SampleReceiver(const Model& m) {
    if (rx_edges_ < kResetCycles) return;
    link_up_ = m.rx_link_up != 0;
    counters_.rx_bad_headers += m.stat_rx_bad_header;
    counters_.rx_lock_losses += m.stat_rx_lock_lost;
    counters_.rx_bad_blocks += m.stat_rx_bad_block;
    counters_.rx_overflows += m.stat_rx_overflow;
  }

  void SampleUser(const Model& m) {
    const RxUserWord w{.tdata = m.m_axis_tdata,
                       .tkeep = m.m_axis_tkeep,
                       .tvalid = m.m_axis_tvalid != 0,
                       .tlast = m.m_axis_tlast != 0,
                       .tuser = m.m_axis_tuser != 0,
                       .stalled = m.m_axis_tready == 0,
                       .sof = m.rx_sof != 0,
                       .status_valid = m.rx_status_valid != 0,
                       .status_good = m.rx_status_good != 0,
                       .err_fcs = m.rx_err_fcs != 0,
                       .err_code = m.rx_err_code != 0,
                       .err_runt = m.rx_err_runt != 0,
                       .err_oversize = m.rx_err_oversize != 0};
    monitor_.Clock(w, rx_user_edges_, scheduler_.now_ps());
  }

  // A start of frame bypasses the bridge or FIFO of its words.
  static constexpr uint64_t kCrossingEdges = 40;
  static constexpr size_t kFifoFrames = 16;
  static constexpr uint64_t kWithdrawalEdges = 32;

  CardClocks clocks_;
  const Scheduler& scheduler_;
  SerialLine& out_;
  SerialLine& in_;
  bool out_same_cycle_;
  std::unique_ptr<VerilatedContext> context_ = std::make_unique<VerilatedContext>();
  std::unique_ptr<Model> model_;
  TxDriver driver_;
  RxMonitor monitor_;
  bool tx_fifo_;
  bool rx_fifo_;
  BackPressure back_pressure_;
  ResetSet resets_ = 0;
  uint64_t withdrawn_until_ = 0;
  uint64_t tx_edges_ = 0;
  uint64_t rx_edges_ = 0;
  uint64_t tx_user_edges_ = 0;
  uint64_t rx_user_edges_ = 0;
  bool link_up_ = false;
  bool tx_stopped_ = true;
  mutable EndCounters counters_;
};

}  // namespace ullnic
