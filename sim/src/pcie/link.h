// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// A PCIe link: two transmitters and the data link layer: an ACK and an UpdateFC are returned for
// every four TLPs received, or after a timeout for fewer.
#pragma once

#include <array>
#include <cstdint>
#include <deque>

#include "pcie/transmitter.h"

namespace ullnic::pcie {

// One end as a receiver: its pending ACKs and credits.
class Receipts {
 public:
  void Came(int64_t now_ps);
  void Consumed(const Tlp& tlp, int64_t now_ps);
  // Sends what is due through the end's own transmitter.
  void Advance(Transmitter& transmitter, int64_t now_ps);

 private:
  static constexpr int64_t kTimerPs = 1'000'000;
  int tlps_ = 0;           // since the last ACK
  int64_t since_ps_ = -1;  // time of the first TLP or credit that is still pending
  Returned returned_{};
};

class Link {
 public:
  explicit Link(const LinkSettings& settings);

  // Runs up to this time. Received TLPs are in `at_host` and `at_card`.
  void Advance(int64_t now_ps);
  // The receiver has consumed this TLP: its buffer has room again.
  void ConsumedByHost(const Tlp& tlp, int64_t now_ps) { host_.Consumed(tlp, now_ps); }
  void ConsumedByCard(const Tlp& tlp, int64_t now_ps) { card_.Consumed(tlp, now_ps); }

  const LinkSettings& settings() const { return settings_; }
  bool idle() const { return up.idle() && down.idle() && at_host.empty() && at_card.empty(); }

  Transmitter up, down;
  std::deque<Transmitter::Sent> at_host, at_card;

 private:
  LinkSettings settings_;
  Receipts host_, card_;
};

}  // namespace ullnic::pcie
