// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0

#include "fuzz/toe/echo_peer.h"

#include <algorithm>

namespace ullnic::fuzz {
namespace {

constexpr uint16_t kEchoPort = 7;
using namespace tcp_flag;

bool Before(uint32_t a, uint32_t b) { return static_cast<int32_t>(a - b) < 0; }

}  // namespace

TcpFrame EchoPeer::Segment(uint8_t flags, uint32_t seq) const {
  return {.to_mac = addresses_.card_mac,
          .from_mac = addresses_.own_mac,
          .from_ip = addresses_.own_ip,
          .to_ip = addresses_.card_ip,
          .from_port = port_,
          .to_port = kEchoPort,
          .seq = seq,
          .ack = flags & kAck ? expected_ : 0,
          .flags = flags,
          .window = 60000,
          .options = {},
          .payload = {}};
}

std::optional<TcpFrame> EchoPeer::Next(uint64_t now, bool more, Rng& rng) {
  if (over_) {
    if (!ack_due_) return std::nullopt;
    ack_due_ = false;
    return Segment(kAck, next_);
  }
  const bool late = now - sent_at_ > kRetransmitCycles;
  if (!open_) {
    if (begun_ && !late) return std::nullopt;
    begun_ = true;
    sent_at_ = now;
    next_ = first_ + 1;
    return Segment(kSyn, first_);
  }
  if (una_ == next_) sent_at_ = now;
  if (late && una_ != next_) next_ = una_;  // retransmits all
  const uint32_t under_way = next_ - una_;
  const bool again = Before(next_, highest_);
  const uint32_t room = std::min(window_, kMostUnderWay);
  if ((more || again) && !fin_sent_ && under_way < room) {
    const uint32_t count =
        static_cast<uint32_t>(std::min<uint64_t>({again ? highest_ - next_ : kMss, room - under_way,
                                                  rng.Range(1, rng.Chance(0.93) ? 40 : kMss)}));
    TcpFrame frame = Segment(kAck | kPsh, next_);
    for (uint64_t i = 0; i < count; ++i) frame.payload.push_back(Byte(sent() + i));
    if (under_way == 0 || late) sent_at_ = now;
    next_ += count;
    if (Before(highest_, next_)) highest_ = next_;
    ack_due_ = false;
    return frame;
  }
  if (closing_ && (idle() || (fin_sent_ && late))) {
    sent_at_ = now;
    const uint32_t seq = fin_sent_ ? una_ : next_;
    next_ = seq + 1;
    fin_sent_ = true;
    return Segment(kFin | kAck, seq);
  }
  if (!ack_due_) return std::nullopt;
  ack_due_ = false;
  return Segment(kAck, next_);
}

void EchoPeer::Take(const TcpFrame& frame) {
  if (over_) return;
  // Refused while others use all sessions: it retries.
  if (frame.has(kRst) && open_)
    Fault("the connection of port {} is reset, byte {}", port_, received_);
  if (!open_) {
    if (!frame.has(kSyn) || frame.ack != first_ + 1) {
      // For an earlier connection with this port, or a challenge ACK
      return;
    }
    open_ = true;
    una_ = next_ = highest_ = first_ + 1;
    expected_ = frame.seq + 1;
    window_ = frame.window;
    ack_due_ = true;
    return;
  }
  if (!frame.has(kAck)) return;
  const uint32_t limit = Before(highest_, next_) ? next_ : highest_;
  if (Before(limit, frame.ack)) Fault("port {}: ACK of what was not sent", port_);
  if (!Before(frame.ack, una_)) {
    una_ = frame.ack;
    if (Before(next_, una_)) next_ = una_;
    window_ = frame.window;
  }
  // Also for unacceptable segments, such as a probe of a closed window (RFC 9293, 3.10.7.4)
  if (frame.length() > 0 || Before(frame.seq, expected_)) ack_due_ = true;
  const uint32_t old = expected_ - frame.seq;  // bytes of it that were received before
  if (old > frame.payload.size() || (old == frame.payload.size() && !frame.has(kFin))) return;
  for (size_t i = old; i < frame.payload.size(); ++i) {
    if (frame.payload[i] != Byte(received_))
      Fault("port {}: byte {} comes back as another", port_, received_);
    ++received_;
    ++expected_;
  }
  if (received_ > static_cast<uint32_t>(limit - first_ - 1))
    Fault("port {}: more comes back than was sent", port_);
  if (!frame.has(kFin)) return;
  if (!fin_sent_) Fault("port {}: the card closes a connection", port_);
  ++expected_;
  over_ = true;
}

}  // namespace ullnic::fuzz
