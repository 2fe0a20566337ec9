// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0

#include "card_dma/rtl_dma.h"

#include <Vmodel_card_qdma___024root.h>

#include <algorithm>
#include <bit>
#include <nlohmann/json.hpp>
#include <utility>

#include "nic/port_field.h"

namespace ullnic::card_dma {

RtlDma::RtlDma(qdma::HostSide& host, const std::vector<uint32_t>& logic_switches,
               const Options& options)
    : host_(host),
      is_gated_(options.is_gated),
      context_(std::make_unique<VerilatedContext>()),
      switches_(logic_switches) {
  memory_.Join(0, host);
  context_->randReset(0);
  model_ = std::make_unique<Model>(context_.get());
  model_->rst = 1;
  for (unsigned port = 0; port < kPorts; ++port) {
    monitors_.emplace_back(port, BackPressureConfig{});
  }
  target_.Reset();  // requests before the first edge wait for it
}

RtlDma::~RtlDma() { model_->final(); }

void RtlDma::Read(unsigned bar, uint32_t address, std::function<void(uint32_t)> done) {
  if (const uint32_t* word = msix_.Word(bar, address)) return done(*word);
  user_reads_ += bar == qdma::kUserBar;
  target_.Read(bar, address, std::move(done));
}

void RtlDma::Write(unsigned bar, uint32_t address, uint32_t value, std::function<void()> done) {
  if (uint32_t* word = msix_.Word(bar, address)) {
    *word = value;
    return done();
  }
  if (bar == qdma::kUserBar) {
    ++user_writes_;
    switches_.Note(address, value);
  }
  target_.Write(bar, address, value, std::move(done));
}

// The card's registers are written before the DMA is reset, so that the next program finds them
// disabled.
void RtlDma::Reset() {
  for (const uint32_t address : switches_.TakeOn())
    target_.Write(qdma::kUserBar, address, 0, [] {});
  target_.Reset();
  memory_.Close();
  msix_.MaskAll();
  ++resets_;
}

bool RtlDma::CardMoves(const HostInputs& in) const {
  for (unsigned port = 0; port < kPorts; ++port) {
    if (in.c2h[port].tvalid && shown_.c2h_ready[port]) return true;
    if (shown_.h2c[port].tvalid && in.h2c_ready[port]) return true;
  }
  return false;
}

void RtlDma::Drive(const HostInputs& in) {
  Model& m = *model_;
  m.rst = edges_ < kResetEdges;
  m.flush = is_resetting_ && reset_edges_ > 0;
  target_.Drive(m);
  memory_.Drive(m);
  m.m_axil_awready = in.awready;
  m.m_axil_wready = in.wready;
  m.m_axil_bvalid = in.bvalid;
  m.m_axil_bresp = in.bresp;
  m.m_axil_arready = in.arready;
  m.m_axil_rvalid = in.rvalid;
  m.m_axil_rresp = in.rresp;
  m.m_axil_rdata = in.rdata;
  for (unsigned port = 0; port < kPorts; ++port) {
    const HostWord& word = in.c2h[port];
    PutField(m.s_c2h_tdata, port, 64, word.tdata);
    PutField(m.s_c2h_tkeep, port, 8, word.tkeep);
    PutField(m.s_c2h_tvalid, port, 1, word.tvalid);
    PutField(m.s_c2h_tlast, port, 1, word.tlast);
    PutField(m.m_h2c_tready, port, 1, in.h2c_ready[port]);
  }
}

void RtlDma::Show() {
  const Model& m = *model_;
  shown_.awvalid = m.m_axil_awvalid;
  shown_.wvalid = m.m_axil_wvalid;
  shown_.bready = m.m_axil_bready;
  shown_.arvalid = m.m_axil_arvalid;
  shown_.rready = m.m_axil_rready;
  shown_.address = m.m_axil_awvalid ? m.m_axil_awaddr : m.m_axil_araddr;
  shown_.wdata = m.m_axil_wdata;
  shown_.wstrb = m.m_axil_wstrb;
  for (unsigned port = 0; port < kPorts; ++port) {
    shown_.h2c[port] = {.tdata = GetField(m.m_h2c_tdata, port, 64),
                        .tkeep = static_cast<uint8_t>(GetField(m.m_h2c_tkeep, port, 8)),
                        .tvalid = GetField(m.m_h2c_tvalid, port, 1) != 0,
                        .tlast = GetField(m.m_h2c_tlast, port, 1) != 0};
    shown_.c2h_ready[port] = GetField(m.s_c2h_tready, port, 1) != 0;
  }
}

void RtlDma::Count(const HostInputs& in) {
  for (unsigned port = 0; port < kPorts; ++port) {
    monitors_[port].Clock(in.c2h[port], shown_.c2h_ready[port], violations_);
    while (monitors_[port].waiting() > 0) monitors_[port].Pop();
    const HostWord& word = shown_.h2c[port];
    if (!word.tvalid || !in.h2c_ready[port]) continue;
    counts_[port].h2c_bytes += static_cast<unsigned>(std::popcount(word.tkeep));
    counts_[port].h2c_packets += word.tlast;
  }
}

// Skipped edges count for the timers, of which none was armed.
void RtlDma::PassTime() {
  auto& root = *model_->rootp;
  auto& cycles =
      root.card_qdma__DOT__dma__DOT__core__DOT__write_path__DOT__completions__DOT__wheel__DOT__cycles_q;
  auto& now =
      root.card_qdma__DOT__dma__DOT__core__DOT__write_path__DOT__completions__DOT__wheel__DOT__now;
  auto& slots =
      root.card_qdma__DOT__dma__DOT__core__DOT__write_path__DOT__completions__DOT__slots__DOT__cycle_q;
  const uint64_t tick = std::max<uint64_t>(
      root.card_qdma__DOT__dma__DOT__core__DOT__write_path__DOT__completions__DOT__wheel__DOT__tick_cycles,
      1);
  const uint64_t since = cycles + skipped_;
  cycles = static_cast<uint32_t>(since % tick);
  now = static_cast<uint32_t>((now + since / tick) & 0x1ffff);
  slots = static_cast<uint16_t>(slots + skipped_);
  skipped_ = 0;
}

// The bridge offers the DMA something, accepts something from it, or works by itself.
bool RtlDma::BridgeMoves() const {
  return model_->bridge_shows || model_->bridge_takes || model_->bridge_discards;
}

// `dma_runs`: else only the bridge has an edge.
bool RtlDma::Step(const HostInputs& in, bool dma_runs) {
  Model& m = *model_;
  Drive(in);
  m.clk = m.dma_clk = 0;
  m.eval();
  bool moves = false;
  if (dma_runs) {
    moves = m.rst || m.flush || m.clearing || m.timers_armed || m.bridge_shows || m.bridge_takes;
  }
  if (dma_runs && !m.rst && !m.flush) {
    moves |= target_.busy() || memory_.busy();
    target_.Clock(m);
    moves |= memory_.Clock(m);
  }
  Count(in);
  m.clk = 1;
  m.dma_clk = dma_runs;
  m.eval();
  Show();
  host_.SetIntx(m.intx & 1);
  ++(dma_runs ? edges_ : bridge_edges_);
  return moves;
}

void RtlDma::StepReset() {
  if (!is_resetting_ && target_.reset_is_next()) {
    is_resetting_ = true;
    reset_edges_ = kResetEdges;
  } else if (reset_edges_ > 0) {
    --reset_edges_;
  } else if (is_resetting_ && !model_->clearing) {
    is_resetting_ = false;
    ++resets_done_;  // the first one is the power-up reset
    target_.EndReset();
    memory_.Reset();
    memory_.Open();
    msix_.SetUp(target_);
  }
}

bool RtlDma::Clock(const HostInputs& in) {
  const bool card_moves = CardMoves(in);
  const bool is_from_outside = is_resetting_ || target_.busy() || model_->bridge_shows ||
                               (model_->h2c_blocked && card_moves);
  is_awake_ = is_awake_ || is_from_outside || model_->bridge_takes;
  const bool bridge_runs = !is_gated_ || is_awake_ || bridge_is_awake_ || card_moves;
  const bool dma_runs = !is_gated_ || is_awake_;
  if (!dma_runs) {
    ++skipped_;
    ++slept_;
  }
  if (!bridge_runs) return false;
  if (dma_runs && skipped_ != 0) PassTime();
  const bool moves = Step(in, dma_runs);
  if (moves && !is_from_outside && !model_->timers_armed) {
    longest_pause_ = std::max(longest_pause_, quiet_);
  }
  if (dma_runs) {
    StepReset();
    quiet_ = moves || is_from_outside || is_resetting_ ? 0 : quiet_ + 1;
    is_awake_ = quiet_ < kQuietEdges;
  }
  WatchBridge(card_moves);
  return moves || card_moves;
}

void RtlDma::WatchBridge(bool card_moves) {
  const bool is_from_outside = card_moves || is_awake_;
  if (BridgeMoves() && !is_from_outside) {
    longest_bridge_pause_ = std::max(longest_bridge_pause_, bridge_quiet_);
  }
  bridge_quiet_ = is_from_outside || BridgeMoves() ? 0 : bridge_quiet_ + 1;
  bridge_is_awake_ = bridge_quiet_ < kBridgeQuietEdges;
}

NicCounters RtlDma::counters(unsigned port) const {
  NicCounters counters = counts_.at(port);
  counters.c2h_packets = monitors_.at(port).packets();
  counters.c2h_bytes = monitors_.at(port).bytes();
  counters.register_reads = user_reads_;
  counters.register_writes = user_writes_;
  counters.register_errors = model_->stat_user_refused;
  counters.violations = violations_.count();
  counters.first_violation = violations_.first();
  return counters;
}

nlohmann::json RtlDma::Describe() const {
  const Model& m = *model_;
  const MemoryChannel::Counters& c = memory_.counters();
  nlohmann::json json = {{"dma", "rtl"},
                         {"edges", edges_},
                         {"edges_left_out", slept_},
                         {"edges_of_bridge_alone", bridge_edges_},
                         {"user_reads", user_reads_},
                         {"user_writes", user_writes_},
                         {"resets", resets_},
                         {"reads", c.reads},
                         {"read_bytes", c.read_bytes},
                         {"reads_failed", c.reads_failed},
                         {"writes", c.writes},
                         {"write_bytes", c.write_bytes},
                         {"writes_failed", c.writes_failed},
                         {"interrupts", c.interrupts},
                         {"interrupts_lost", c.interrupts_lost + m.stat_interrupt_lost},
                         {"writes_dropped", m.stat_write_dropped},
                         {"entries_refused", m.stat_entry_refused},
                         {"entries_discarded", m.stat_entry_discarded},
                         {"completions_unexpected", m.stat_completion_unexpected},
                         {"c2h_mismatched", m.stat_c2h_mismatched},
                         {"c2h_stopped", m.stat_c2h_stopped},
                         {"h2c_dropped", m.port_h2c_error + m.port_h2c_too_long +
                                             m.port_h2c_no_port + m.port_h2c_empty},
                         {"h2c_dropped_port_stuck", m.port_h2c_stuck},
                         {"c2h_dropped", m.port_c2h_dropped + m.port_c2h_too_long},
                         {"c2h_without_queue", m.port_c2h_invalid}};
  NicCounters sum;
  for (unsigned port = 0; port < kPorts; ++port) {
    const NicCounters each = counters(port);
    sum.h2c_packets += each.h2c_packets;
    sum.h2c_bytes += each.h2c_bytes;
    sum.c2h_packets += each.c2h_packets;
    sum.c2h_bytes += each.c2h_bytes;
  }
  json.update({{"h2c_packets", sum.h2c_packets},
               {"h2c_bytes", sum.h2c_bytes},
               {"c2h_packets", sum.c2h_packets},
               {"c2h_bytes", sum.c2h_bytes}});
  return json;
}

}  // namespace ullnic::card_dma
