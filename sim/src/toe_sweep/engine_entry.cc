// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// The engine of one configuration. Compiled once for each, with ULLNIC_ENGINE_*.

#include <verilated.h>

#include <cstring>
#include <type_traits>

#include "toe_sweep/engine.h"
#include ULLNIC_ENGINE_HEADER

namespace ullnic::toe {
namespace {

// Ports of up to 64 bits are integers, wider ones arrays of words; in memory the first byte is the
// lowest of both.
template <class Port>
void Put(Port& port, const std::array<uint8_t, kMostBeatBytes>& bytes) {
  std::memcpy(&port, bytes.data(), sizeof port);
}

template <class Port>
void Get(std::array<uint8_t, kMostBeatBytes>& bytes, const Port& port) {
  std::memcpy(bytes.data(), &port, sizeof port);
}

class VerilatedEngine final : public Engine {
 public:
  VerilatedEngine() { context_->randReset(0); }
  ~VerilatedEngine() override { model_->final(); }

  Outputs Settle(const Inputs& in) override {
    ULLNIC_ENGINE_MODEL& m = *model_;
    m.clk = 0;
    m.rst = in.rst;
    m.tick = in.tick;
    m.mac = in.mac;
    m.ip = in.ip;
    m.s_mac_tdata = in.from_line.data;
    m.s_mac_tkeep = in.from_line.keep;
    m.s_mac_tvalid = in.from_line.valid;
    m.s_mac_tlast = in.from_line.last;
    m.rx_status_valid = in.from_line.valid && in.from_line.last;
    m.rx_status_good = m.rx_status_valid;
    m.m_mac_tready = in.line_ready;
    m.order_valid = in.order.valid;
    m.order_command = static_cast<uint8_t>(in.order.command);
    m.order_sid = in.order.session;
    m.order_peer_ip = in.order.peer_ip;
    m.order_peer_port = in.order.peer_port;
    m.order_local_port = in.order.local_port;
    Put(m.s_axis_tdata, in.beat.data);
    m.s_axis_tkeep = in.beat.keep;
    m.s_axis_tvalid = in.beat.valid;
    m.s_axis_tlast = in.beat.last;
    m.s_axis_tdest = in.beat.session;
    m.tx_length_given = in.length_given;
    m.tx_length = in.length;
    m.tx_csum_given = in.sum_given;
    m.tx_csum = in.sum;
    m.eval();

    Outputs out;
    out.to_line = {.data = m.m_mac_tdata,
                   .keep = m.m_mac_tkeep,
                   .valid = m.m_mac_tvalid != 0,
                   .last = m.m_mac_tlast != 0,
                   .error = m.m_mac_tuser != 0};
    out.order_ready = m.order_ready;
    out.beat_ready = m.s_axis_tready;
    Get(out.beat.data, m.m_axis_tdata);
    out.beat.keep = m.m_axis_tkeep;
    out.beat.valid = m.m_axis_tvalid;
    out.beat.last = m.m_axis_tlast;
    out.beat.bad = m.m_axis_tuser;
    out.beat.session = m.m_axis_tdest;
    out.event_valid = m.event_valid;
    out.event_code = m.event_code;
    out.drops = m.stat_drop;
    return out;
  }

  void Rise() override {
    model_->clk = 1;
    model_->eval();
  }

 private:
  std::unique_ptr<VerilatedContext> context_ = std::make_unique<VerilatedContext>();
  std::unique_ptr<ULLNIC_ENGINE_MODEL> model_ =
      std::make_unique<ULLNIC_ENGINE_MODEL>(context_.get());
};

}  // namespace

const EngineInfo kEngine = {.name = ULLNIC_ENGINE_NAME,
                            .transmit_bytes = ULLNIC_ENGINE_TRANSMIT_BITS / 8,
                            .receive_bytes = ULLNIC_ENGINE_RECEIVE_BITS / 8,
                            .store_forward = ULLNIC_ENGINE_STORE_FORWARD != 0};

std::unique_ptr<Engine> MakeEngine() { return std::make_unique<VerilatedEngine>(); }

}  // namespace ullnic::toe
