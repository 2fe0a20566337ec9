// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0

#include "packetdrill/model.h"

#include "Vmodel_toe_engine.h"
#include "Vmodel_toe_engine_small.h"

namespace ullnic::packetdrill {
namespace {

// The context and the Verilated engine, before the references into it.
template <class Engine>
struct Verilated {
  Verilated() { context.randReset(0); }
  ~Verilated() { engine.final(); }
  VerilatedContext context;
  Engine engine{&context};
};

template <class Engine>
class ModelOf final : private Verilated<Engine>, public Model {
 public:
  ModelOf() : Model(PortsOf(this->engine)) {}
  void Eval() override { this->engine.eval(); }

 private:
  static Ports PortsOf(Engine& e) {
    return {
        .clk = e.clk,
        .rst = e.rst,
        .tick = e.tick,
        .syn_retries = e.syn_retries,
        .retries = e.retries,
        .s_mac_tkeep = e.s_mac_tkeep,
        .s_mac_tvalid = e.s_mac_tvalid,
        .s_mac_tlast = e.s_mac_tlast,
        .rx_status_valid = e.rx_status_valid,
        .rx_status_good = e.rx_status_good,
        .m_mac_tkeep = e.m_mac_tkeep,
        .m_mac_tvalid = e.m_mac_tvalid,
        .m_mac_tready = e.m_mac_tready,
        .m_mac_tlast = e.m_mac_tlast,
        .m_mac_tuser = e.m_mac_tuser,
        .order_valid = e.order_valid,
        .order_ready = e.order_ready,
        .order_command = e.order_command,
        .s_axis_tkeep = e.s_axis_tkeep,
        .s_axis_tvalid = e.s_axis_tvalid,
        .s_axis_tready = e.s_axis_tready,
        .s_axis_tlast = e.s_axis_tlast,
        .credit_valid = e.credit_valid,
        .m_axis_tkeep = e.m_axis_tkeep,
        .m_axis_tvalid = e.m_axis_tvalid,
        .m_axis_tready = e.m_axis_tready,
        .m_axis_tlast = e.m_axis_tlast,
        .m_axis_tuser = e.m_axis_tuser,
        .event_valid = e.event_valid,
        .event_code = e.event_code,
        .look_state = e.look_state,
        .rto_initial = e.rto_initial,
        .rto_min = e.rto_min,
        .rto_max = e.rto_max,
        .time_wait = e.time_wait,
        .delayed_ack = e.delayed_ack,
        .order_sid = e.order_sid,
        .order_peer_port = e.order_peer_port,
        .order_local_port = e.order_local_port,
        .s_axis_tdest = e.s_axis_tdest,
        .tx_length = e.tx_length,
        .credit_sid = e.credit_sid,
        .m_axis_tdest = e.m_axis_tdest,
        .event_sid = e.event_sid,
        .look_sid = e.look_sid,
        .keepalive = e.keepalive,
        .secret = e.secret,
        .ip = e.ip,
        .mask = e.mask,
        .gateway = e.gateway,
        .s_mac_tdata = e.s_mac_tdata,
        .m_mac_tdata = e.m_mac_tdata,
        .order_peer_ip = e.order_peer_ip,
        .credit = e.credit,
        .mac = e.mac,
        .s_axis_tdata = e.s_axis_tdata,
        .m_axis_tdata = e.m_axis_tdata,
    };
  }
};

}  // namespace

std::unique_ptr<Model> MakeModel(EngineSize size) {
  if (size == EngineSize::kSmall) return std::make_unique<ModelOf<Vmodel_toe_engine_small>>();
  return std::make_unique<ModelOf<Vmodel_toe_engine>>();
}

}  // namespace ullnic::packetdrill
