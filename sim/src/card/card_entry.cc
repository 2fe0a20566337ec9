// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Compiled once for each configuration, into a library of its own with that configuration's model:
// the programs load the one they are asked for (card_library.h). The build gives
//   ULLNIC_CARD_NAME, ULLNIC_CARD_PARAMETERS ("NAME=VALUE ..."), ULLNIC_CARD_TX_USER_CLOCK,
//   ULLNIC_CARD_RX_USER_CLOCK (strings), ULLNIC_CARD_TRANSCEIVER_UI (number), ULLNIC_CARD_MODEL
//   (class), ULLNIC_CARD_HEADER (its file).

#include "card/card_entry.h"

#include <algorithm>
#include <string_view>

#include ULLNIC_CARD_HEADER
#include "card/rtl_end.h"

namespace ullnic {
namespace {

using Model = ULLNIC_CARD_MODEL;

constexpr std::string_view kParameters = ULLNIC_CARD_PARAMETERS;

// Value of a generic, or its default if the build does not set it.
constexpr uint32_t Value(std::string_view name, uint32_t otherwise = 0) {
  uint32_t value = otherwise;
  for (size_t at = 0; at < kParameters.size();) {
    const size_t end = std::min(kParameters.find(' ', at), kParameters.size());
    const std::string_view word = kParameters.substr(at, end - at);
    if (word.starts_with(name) && word.substr(name.size()).starts_with('=')) {
      value = 0;
      for (const char digit : word.substr(name.size() + 1)) value = 10 * value + (digit - '0');
    }
    at = end + 1;
  }
  return value;
}
constexpr bool Enabled(std::string_view name) { return Value(name) != 0; }

// Verilator keeps a port of up to 16 bits in a uint16_t.
template <class Port>
constexpr int Bits() {
  return sizeof(Port) * 8;
}

constexpr int kPmaBits = Bits<std::remove_reference_t<decltype(Model::pma_tx_data)>>();

constexpr TxFcs SentFcs() {
  if (Enabled("MAC_TX_CRC32_DISABLE")) return TxFcs::kFromUser;
  return Value("MAC_TX_CRC32_ADD", 1) != 0 ? TxFcs::kAdded : TxFcs::kReplaced;
}

constexpr bool kFcsRemoved = Enabled("MAC_RX_CRC32_REMOVE");
constexpr uint32_t kVerdictCycles = Enabled("MAC_RX_LATE_VERDICT_ENABLE")
                                        ? (kPmaBits == 16 ? 6 : 4)
                                        : Value("MAC_RX_CRC32_LATENCY", kPmaBits == 16 ? 2 : 1);

// Delay after rx_sof, in words of the transceiver.
constexpr uint32_t HeldWords() {
  if (Enabled("MAC_RX_ADDRESS_FILTER_ENABLE")) return 0;  // the filter regenerates rx_sof
  if (kFcsRemoved) return 1 + 32 / kPmaBits + std::max(kVerdictCycles, 1u);
  return Value("MAC_RX_LATENCY_MODE");
}

CardInfo EntryInfo() {
  return {.name = ULLNIC_CARD_NAME,
          .pma_bits = kPmaBits,
          .tx_user_bits = Bits<std::remove_reference_t<decltype(Model::s_axis_tdata)>>(),
          .rx_user_bits = Bits<std::remove_reference_t<decltype(Model::m_axis_tdata)>>(),
          .tx_user_clock = ULLNIC_CARD_TX_USER_CLOCK,
          .rx_user_clock = ULLNIC_CARD_RX_USER_CLOCK,
          .transceiver_ui = ULLNIC_CARD_TRANSCEIVER_UI,
          .tx_fifo = Enabled("DUAL_CLOCK_FIFO_TX_ENABLE"),
          .rx_fifo = Enabled("DUAL_CLOCK_FIFO_RX_ENABLE"),
          .rx_bridge = Enabled("SYNC_DUAL_CLOCK_RX_ENABLE"),
          .tx_fcs = SentFcs(),
          .padding_bytes = Value("MAC_TX_PADDING_SIZE", 64),
          .gap_bytes = Value("MAC_TX_IFG_COUNT", 12),
          .tx_fifo_words = Value("DUAL_CLOCK_FIFO_TX_DEPTH", 16),
          .runt_bytes = Value("MAC_RX_MIN_PKT_LENGTH", 64),
          .fcs_checked = !Enabled("MAC_RX_CRC32_DISABLE"),
          .fcs_delivered = !kFcsRemoved,
          .verdict_with_last = kFcsRemoved || kVerdictCycles <= Value("MAC_RX_LATENCY_MODE"),
          .held_words = HeldWords()};
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
