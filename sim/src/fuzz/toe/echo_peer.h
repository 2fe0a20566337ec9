// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// A peer of the card's echo service that conforms to TCP: sends bytes of a known stream, receives
// the echo in order, and retransmits from the first unacknowledged byte. Whatever an attacker does,
// the connection must neither end nor carry any other byte.
#pragma once

#include <optional>

#include "core/rng.h"
#include "fuzz/fuzzer.h"
#include "stack/tcp_frame.h"

namespace ullnic::fuzz {

struct PeerAddresses {
  uint64_t own_mac = 0, card_mac = 0;
  uint32_t own_ip = 0, card_ip = 0;
};

class EchoPeer {
 public:
  EchoPeer(const PeerAddresses& addresses, uint16_t port, uint32_t seq)
      : addresses_(addresses), port_(port), first_(seq), una_(seq), next_(seq) {}

  uint16_t port() const { return port_; }
  bool open() const { return open_; }
  // Closed in both directions, and the card's FIN is acknowledged.
  bool over() const { return over_ && !ack_due_; }
  // Everything that was sent has been acknowledged and echoed.
  bool idle() const { return open_ && una_ == next_ && received_ == sent(); }
  uint64_t received() const { return received_; }

  std::string Describe() const {
    return fmt::format("{}: {} sent, {} unacknowledged, {} back, window {}", port_, sent(),
                       next_ - una_, received_, window_);
  }

  // The next segment to send, if any. `more`: new bytes may be sent. `now`: cycles.
  std::optional<TcpFrame> Next(uint64_t now, bool more, Rng& rng);
  void Take(const TcpFrame& frame);
  // Closes the connection once it is idle.
  void Close() { closing_ = true; }

 private:
  static constexpr uint64_t kRetransmitCycles = 40'000;
  static constexpr uint32_t kMss = 1460, kMostUnderWay = 4000;

  uint64_t sent() const { return static_cast<uint32_t>(next_ - first_ - 1); }
  uint8_t Byte(uint64_t offset) const {
    return static_cast<uint8_t>(offset * 167 + (offset >> 8) * 13 + port_);
  }
  TcpFrame Segment(uint8_t flags, uint32_t seq) const;

  PeerAddresses addresses_;
  uint16_t port_;
  uint32_t first_, una_, next_, highest_ = 0;
  uint32_t expected_ = 0, window_ = 0;
  uint64_t received_ = 0, sent_at_ = 0;
  bool begun_ = false, open_ = false, ack_due_ = false, closing_ = false, fin_sent_ = false,
       over_ = false;
};

}  // namespace ullnic::fuzz
