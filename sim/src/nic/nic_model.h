// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// A whole card's Verilated model with the drivers of its host ports, connected to a pair of lines
// per port. The model must have the ports of the cards on cards/common, and a function host_time()
// that returns its count of the host's clock; vectors hold one field per port, port 0 lowest.
//
// Edges of several clocks at the same picosecond are applied to the model together.
#pragma once

#include <verilated.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "nic/nic_card.h"
#include "nic/packet_ports.h"
#include "nic/port_field.h"

namespace ullnic {

template <class Model>
class NicModel final : public NicCard {
 public:
  NicModel(const NicInfo& info, const NicConfig& config)
      : config_(config),
        word_bits_(static_cast<unsigned>(info.pma_bits)),
        packets_(info.ports, config.c2h_stall, config.h2c_pause),
        rx_edges_(info.ports) {
    context_->randReset(0);
    model_ = std::make_unique<Model>(context_.get());
    model_->s_axil_awprot = 0;
    model_->s_axil_arprot = 0;
  }
  ~NicModel() override { model_->final(); }

  // UserSide.
  void ReadUser(uint32_t address, std::function<void(uint32_t)> done) override {
    packets_.ReadUser(address, std::move(done));
  }
  void WriteUser(uint32_t address, uint32_t value, std::function<void()> done) override {
    packets_.WriteUser(address, value, std::move(done));
  }
  bool SendH2c(unsigned qid, std::span<const uint8_t> packet) override {
    const bool taken = packets_.SendH2c(qid, packet);
    host_progress_ += taken;  // the card is not idle before it has seen the packet
    return taken;
  }
  std::span<const uint8_t> PeekC2h(unsigned qid) override { return packets_.PeekC2h(qid); }
  void PopC2h(unsigned qid) override { packets_.PopC2h(qid); }
  unsigned queues() const override { return packets_.queues(); }
  void OnReset() override { packets_.OnReset(); }

  // NicCard.
  void JoinHost(HostPorts& ports) override { ports_ = &ports; }
  size_t h2c_backlog(unsigned queue) const override { return packets_.h2c_backlog(queue); }
  bool registers_busy() const override { return packets_.registers_busy(); }
  size_t c2h_waiting(unsigned queue) const override { return packets_.c2h_waiting(queue); }
  uint64_t host_progress() const override { return host_progress_; }
  NicCounters counters(unsigned queue) const override { return ports_->counters(queue); }

  void SkipHostEdges(uint64_t count) override {
    model_->host_time() += count;
    ports_->SkipEdges(count);
  }

  // ClockedModel.
  void Settle() override {
    Model& m = *model_;
    m.tx_clk = 0;
    m.tx_user_clk = 0;
    m.rx_clk = 0;
    m.rx_user_clk = 0;
    m.host_clk = 0;
    m.tx_rst = m.tx_user_rst = tx_edges_ < kResetCycles;
    m.host_rst = host_edges_ < kHostResetCycles;
    for (unsigned port = 0; port < ports(); ++port) {
      const bool reset = rx_edges_[port] < kResetCycles;
      PutField(m.rx_rst, port, 1, reset);
      PutField(m.rx_user_rst, port, 1, reset);
    }
    OfferHostWords();
    PutReceived();
    m.eval();
    for (unsigned port = 0; port < ports(); ++port) {
      SerialLine& out = *config_.lines[port].out;
      if (out.same_cycle()) out.Offer(Transmitted(port));
    }
  }

  void Resettle() override {
    PutReceived();
    model_->eval();
  }

  void Sample(EdgeSet rising) override {
    if (rising & config_.clocks.tx) {
      for (unsigned port = 0; port < ports(); ++port) {
        SerialLine& out = *config_.lines[port].out;
        out.Offer(Transmitted(port));
        out.Commit();
      }
      ++tx_edges_;
    }
    for (unsigned port = 0; port < ports(); ++port) {
      rx_edges_[port] += (rising & config_.clocks.rx[port]) != 0;
    }
    if (rising & config_.clocks.host) {
      if (host_edges_ >= kHostResetCycles) SampleHost();
      ++host_edges_;
    }
  }

  void Rise(EdgeSet rising) override {
    Model& m = *model_;
    m.tx_clk = (rising & config_.clocks.tx) != 0;
    m.tx_user_clk = (rising & config_.clocks.tx_user) != 0;
    m.host_clk = (rising & config_.clocks.host) != 0;
    for (unsigned port = 0; port < ports(); ++port) {
      PutField(m.rx_clk, port, 1, (rising & config_.clocks.rx[port]) != 0);
      PutField(m.rx_user_clk, port, 1, (rising & config_.clocks.rx_user[port]) != 0);
    }
    m.eval();
  }

 private:
  static constexpr uint64_t kResetCycles = 16;
  static constexpr uint64_t kHostResetCycles = 32;

  unsigned ports() const { return packets_.queues(); }

  uint32_t Transmitted(unsigned port) const {
    return static_cast<uint32_t>(GetField(model_->pma_tx_data, port, word_bits_));
  }
  void PutReceived() {
    for (unsigned port = 0; port < ports(); ++port) {
      PutField(model_->pma_rx_data, port, word_bits_, config_.lines[port].in->Output());
    }
  }

  void OfferHostWords() {
    Model& m = *model_;
    const HostOutputs& shown = ports_->outputs();
    m.s_axil_awvalid = shown.awvalid;
    m.s_axil_wvalid = shown.wvalid;
    m.s_axil_bready = shown.bready;
    m.s_axil_arvalid = shown.arvalid;
    m.s_axil_rready = shown.rready;
    m.s_axil_awaddr = shown.address & kAddressMask;
    m.s_axil_araddr = shown.address & kAddressMask;
    m.s_axil_wdata = shown.wdata;
    m.s_axil_wstrb = shown.wstrb;
    for (unsigned port = 0; port < ports(); ++port) {
      const HostWord& word = shown.h2c[port];
      PutField(m.s_h2c_tdata, port, 64, word.tdata);
      PutField(m.s_h2c_tkeep, port, 8, word.tkeep);
      PutField(m.s_h2c_tvalid, port, 1, word.tvalid);
      PutField(m.s_h2c_tlast, port, 1, word.tlast);
      PutField(m.m_c2h_tready, port, 1, shown.c2h_ready[port]);
    }
  }

  void SampleHost() {
    const Model& m = *model_;
    HostInputs in{.awready = m.s_axil_awready != 0,
                  .wready = m.s_axil_wready != 0,
                  .bvalid = m.s_axil_bvalid != 0,
                  .arready = m.s_axil_arready != 0,
                  .rvalid = m.s_axil_rvalid != 0,
                  .bresp = static_cast<uint8_t>(m.s_axil_bresp),
                  .rresp = static_cast<uint8_t>(m.s_axil_rresp),
                  .rdata = m.s_axil_rdata,
                  .c2h = {},
                  .h2c_ready = {}};
    for (unsigned port = 0; port < ports(); ++port) {
      in.h2c_ready[port] = GetField(m.s_h2c_tready, port, 1) != 0;
      in.c2h[port] = {.tdata = GetField(m.m_c2h_tdata, port, 64),
                      .tkeep = static_cast<uint8_t>(GetField(m.m_c2h_tkeep, port, 8)),
                      .tvalid = GetField(m.m_c2h_tvalid, port, 1) != 0,
                      .tlast = GetField(m.m_c2h_tlast, port, 1) != 0};
    }
    host_progress_ += ports_->Clock(in);
  }

  static constexpr uint32_t kAddressMask = 0x7ffff;

  NicConfig config_;
  unsigned word_bits_;
  std::unique_ptr<VerilatedContext> context_ = std::make_unique<VerilatedContext>();
  std::unique_ptr<Model> model_;
  PacketPorts packets_;
  HostPorts* ports_ = &packets_;
  uint64_t host_progress_ = 0;
  uint64_t tx_edges_ = 0;
  uint64_t host_edges_ = 0;
  std::vector<uint64_t> rx_edges_;
};

}  // namespace ullnic
