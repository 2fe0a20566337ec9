// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Compiled once for each configuration, into a library of its own with that configuration's model:
// the programs load the one they are asked for (card_library.h). The build gives
//   ULLNIC_CARD_NAME, ULLNIC_CARD_PARAMETERS ("NAME=VALUE ..."), ULLNIC_CARD_TX_USER_CLOCK,
//   ULLNIC_CARD_RX_USER_CLOCK (strings), ULLNIC_CARD_TRANSCEIVER_UI (number), ULLNIC_CARD_MODEL
//   (class), ULLNIC_CARD_HEADER (its file).

#include "card/card_entry.h"

#include <string_view>

#include ULLNIC_CARD_HEADER
#include "card/rtl_end.h"

namespace ullnic {
namespace {

using Model = ULLNIC_CARD_MODEL;

constexpr std::string_view kParameters = ULLNIC_CARD_PARAMETERS;

constexpr bool Enabled(std::string_view name) {
  const size_t at = kParameters.find(name);
  return at != std::string_view::npos && kParameters.substr(at + name.size()).starts_with("=1");
}

// Verilator keeps a port of up to 16 bits in a uint16_t.
template <class Port>
constexpr int Bits() {
  return sizeof(Port) * 8;
}

CardInfo EntryInfo() {
  return {.name = ULLNIC_CARD_NAME,
          .pma_bits = Bits<std::remove_reference_t<decltype(Model::pma_tx_data)>>(),
          .tx_user_bits = Bits<std::remove_reference_t<decltype(Model::s_axis_tdata)>>(),
          .rx_user_bits = Bits<std::remove_reference_t<decltype(Model::m_axis_tdata)>>(),
          .tx_user_clock = ULLNIC_CARD_TX_USER_CLOCK,
          .rx_user_clock = ULLNIC_CARD_RX_USER_CLOCK,
          .transceiver_ui = ULLNIC_CARD_TRANSCEIVER_UI,
          .tx_fifo = Enabled("DUAL_CLOCK_FIFO_TX_ENABLE"),
          .rx_fifo = Enabled("DUAL_CLOCK_FIFO_RX_ENABLE"),
          .rx_bridge = Enabled("SYNC_DUAL_CLOCK_RX_ENABLE")};
}

}  // namespace
}  // namespace ullnic

extern "C" __attribute__((visibility("default"))) void ullnic_card_info(ullnic::CardInfo* info) {
  *info = ullnic::EntryInfo();
}

extern "C" __attribute__((visibility("default"))) ullnic::Card* ullnic_card_make(
    const ullnic::CardConfig& config, const ullnic::Scheduler& scheduler, ullnic::SerialLine& out,
    ullnic::SerialLine& in) {
  return new ullnic::RtlEnd<ullnic::Model>(ullnic::EntryInfo(), config, scheduler, out, in);
}
