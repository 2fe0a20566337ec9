// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Compiled once for each card configuration, into a library of its own with that configuration's
// model: the programs load the one they are asked for (nic_library.h). The build gives
//   ULLNIC_NIC_NAME, ULLNIC_NIC_KIND (strings), ULLNIC_NIC_PMA_BITS, ULLNIC_NIC_PORTS,
//   ULLNIC_NIC_TCP_ENABLES, ULLNIC_NIC_TIMING_PORT, ULLNIC_NIC_CROSSING,
//   ULLNIC_NIC_TRANSCEIVER_UI (numbers),
//   ULLNIC_NIC_TRADE_RULE (string, may be empty), ULLNIC_NIC_SWITCHES (numbers, may be none),
//   ULLNIC_NIC_MODEL (class), ULLNIC_NIC_HEADER (its file).

#include "nic/nic_entry.h"

#include ULLNIC_NIC_HEADER
#include ULLNIC_NIC_ROOT_HEADER
#include "nic/nic_model.h"

namespace ullnic {
namespace {

struct Model : ULLNIC_NIC_MODEL {
  using ULLNIC_NIC_MODEL::ULLNIC_NIC_MODEL;
  uint64_t& host_time() { return rootp->ULLNIC_NIC_TIME; }
};

NicInfo EntryInfo() {
  return {.name = ULLNIC_NIC_NAME,
          .kind = ULLNIC_NIC_KIND,
          .pma_bits = ULLNIC_NIC_PMA_BITS,
          .ports = ULLNIC_NIC_PORTS,
          .tcp_enables = ULLNIC_NIC_TCP_ENABLES,
          .timing_port = ULLNIC_NIC_TIMING_PORT,
          .crossing = ULLNIC_NIC_CROSSING != 0,
          .transceiver_ui = ULLNIC_NIC_TRANSCEIVER_UI,
          .trade_rule = ULLNIC_NIC_TRADE_RULE,
          .switches = {ULLNIC_NIC_SWITCHES}};
}

}  // namespace
}  // namespace ullnic

extern "C" __attribute__((visibility("default"))) void ullnic_nic_info(ullnic::NicInfo* info) {
  *info = ullnic::EntryInfo();
}

extern "C" __attribute__((visibility("default"))) ullnic::NicCard* ullnic_nic_make(
    const ullnic::NicConfig& config) {
  return new ullnic::NicModel<ullnic::Model>(ullnic::EntryInfo(), config);
}
