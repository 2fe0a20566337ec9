// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0

#include "toe_sweep/peer.h"

#include <fmt/format.h>

#include <algorithm>

#include "ate_sweep/segment.h"

namespace ullnic::toe {
namespace {

constexpr size_t kIpAt = 14, kTcpAt = 34;
constexpr uint16_t kWindow = 65535;

void Put(Bytes& bytes, size_t count, uint32_t value) {
  for (size_t i = count; i-- > 0;) bytes.push_back(static_cast<uint8_t>(value >> (8 * i)));
}

template <class Range>
void Put(Bytes& bytes, const Range& range) {
  bytes.insert(bytes.end(), range.begin(), range.end());
}

uint32_t Number(const Bytes& bytes, size_t at, size_t count) {
  uint32_t value = 0;
  for (size_t i = 0; i < count; ++i) value = value << 8 | bytes[at + i];
  return value;
}

void SetSum(Bytes& bytes, size_t at, uint16_t sum) {
  bytes[at] = static_cast<uint8_t>(~sum >> 8);
  bytes[at + 1] = static_cast<uint8_t>(~sum);
}

}  // namespace

Bytes Peer::Segment(uint8_t flags, std::span<const uint8_t> payload, uint16_t mss) const {
  const Endpoint &card = connection_.source, &own = connection_.destination;
  const uint32_t options = mss != 0 ? 4 : 0;
  const auto tcp_bytes = static_cast<uint32_t>(20 + options + payload.size());
  Bytes frame;
  frame.reserve(kTcpAt + tcp_bytes);
  Put(frame, card.mac);
  Put(frame, own.mac);
  Put(frame, 2, 0x0800);
  Put(frame, 2, 0x4500);
  Put(frame, 2, 20 + tcp_bytes);
  Put(frame, 4, 0x00004000);
  Put(frame, 2, 0x4006);
  Put(frame, 2, 0);
  Put(frame, own.ip);
  Put(frame, card.ip);
  SetSum(frame, kIpAt + 10, OnesSum(&frame[kIpAt], 20));
  Put(frame, 2, own.port);
  Put(frame, 2, card.port);
  Put(frame, 4, next_);
  Put(frame, 4, (flags & kAck) != 0 ? expected_ : 0);
  Put(frame, 2, (5 + options / 4) << 12 | flags);
  Put(frame, 2, kWindow);
  Put(frame, 4, 0);
  if (mss != 0) Put(frame, 4, 0x02040000u | mss);
  Put(frame, payload);
  const uint16_t pseudo = OnesSum(&frame[kIpAt + 12], 8, 6 + tcp_bytes);
  SetSum(frame, kTcpAt + 16, OnesSum(&frame[kTcpAt], tcp_bytes, pseudo));
  return frame;
}

Bytes Peer::Syn(uint16_t mss) {
  const Bytes frame = Segment(kSyn, {}, mss);
  una_ = next_++;
  return frame;
}

std::string Peer::TakeSynAck(const Bytes& frame) {
  if (frame.size() < kHeaderBytes || frame[kTcpAt + 13] != (kSyn | kAck)) return "it is no SYN-ACK";
  if (Number(frame, kTcpAt + 8, 4) != next_) return "it is of another SYN";
  expected_ = Number(frame, kTcpAt + 4, 4) + 1;
  una_ = next_;
  window_ = Number(frame, kTcpAt + 14, 2);
  return "";
}

Bytes Peer::Data(std::span<const uint8_t> payload) {
  const Bytes frame = Segment(kPsh | kAck, payload);
  next_ += static_cast<uint32_t>(payload.size());
  return frame;
}

std::string Peer::Take(const Bytes& frame, Bytes& payload) {
  if (frame.size() < kHeaderBytes) return fmt::format("it has {} bytes", frame.size());
  // The MAC adds the padding later.
  Bytes padded = frame;
  padded.resize(std::max(frame.size(), kMinFrameBytes));
  connection_.ack = Number(frame, kTcpAt + 8, 4);
  connection_.window = static_cast<uint16_t>(Number(frame, kTcpAt + 14, 2));
  ullnic::Segment segment = ReadSegment(padded, connection_, expected_);
  if (!segment.wrong.empty()) return segment.wrong;
  if (connection_.ack - una_ > next_ - una_) {
    return fmt::format("it acknowledges {:#x}, between {:#x} and {:#x} are due", connection_.ack,
                       una_, next_);
  }
  una_ = connection_.ack;
  window_ = connection_.window;
  payload = std::move(segment.payload);
  expected_ += static_cast<uint32_t>(payload.size());
  return "";
}

}  // namespace ullnic::toe
