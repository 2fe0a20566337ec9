// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// The ports of rtl/toe_engine.sv, common to all Verilated engines.
#pragma once

#include <verilated.h>

#include <cstdint>
#include <memory>

namespace ullnic::packetdrill {

enum class EngineSize : uint8_t {
  kFull,  // a reorder memory, SACK, timestamps
  kSmall
};

// References into the Verilated engine.
struct Ports {
  CData &clk, &rst, &tick, &syn_retries, &retries, &s_mac_tkeep, &s_mac_tvalid, &s_mac_tlast,
      &rx_status_valid, &rx_status_good, &m_mac_tkeep, &m_mac_tvalid, &m_mac_tready, &m_mac_tlast,
      &m_mac_tuser, &order_valid, &order_ready, &order_command, &s_axis_tkeep, &s_axis_tvalid,
      &s_axis_tready, &s_axis_tlast, &credit_valid, &m_axis_tkeep, &m_axis_tvalid, &m_axis_tready,
      &m_axis_tlast, &m_axis_tuser, &event_valid, &event_code, &look_state;
  SData &rto_initial, &rto_min, &rto_max, &time_wait, &delayed_ack, &order_sid, &order_peer_port,
      &order_local_port, &s_axis_tdest, &tx_length, &credit_sid, &m_axis_tdest, &event_sid,
      &look_sid;
  IData &keepalive, &secret, &ip, &mask, &gateway, &s_mac_tdata, &m_mac_tdata, &order_peer_ip,
      &credit;
  QData &mac, &s_axis_tdata, &m_axis_tdata;
};

class Model {
 public:
  virtual ~Model() = default;
  virtual void Eval() = 0;
  Ports ports;

 protected:
  explicit Model(const Ports& of_engine) : ports(of_engine) {}
};

std::unique_ptr<Model> MakeModel(EngineSize size);

}  // namespace ullnic::packetdrill
