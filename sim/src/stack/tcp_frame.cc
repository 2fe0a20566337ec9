// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0

#include "stack/tcp_frame.h"

#include <algorithm>

#include "core/ones_sum.h"

namespace ullnic {
namespace {

constexpr uint32_t kIpv4 = 0x0800;
constexpr uint8_t kTcp = 6;
constexpr size_t kMacBytes = 6;

uint64_t Mac(const Bytes& frame, size_t at) {
  return uint64_t{Number(frame, at, 2)} << 32 | Number(frame, at + 2, 4);
}

void Append(Bytes& to, const Bytes& from) { to.insert(to.end(), from.begin(), from.end()); }

}  // namespace

uint32_t Number(const Bytes& frame, size_t at, size_t bytes) {
  uint32_t value = 0;
  for (size_t i = 0; i < bytes; ++i) value = value << 8 | frame[at + i];
  return value;
}

void SetNumber(Bytes& frame, size_t at, size_t bytes, uint64_t value) {
  for (size_t i = bytes; i-- > 0; value >>= 8) frame[at + i] = static_cast<uint8_t>(value);
}

std::optional<TcpFrame> TcpFrame::Read(const Bytes& frame) {
  if (frame.size() < kTcpPayloadAt || Number(frame, 12, 2) != kIpv4 || frame[kIpAt] != 0x45 ||
      frame[kIpAt + 9] != kTcp) {
    return std::nullopt;
  }
  const size_t end = kIpAt + Number(frame, kIpAt + 2, 2);
  const size_t payload = kTcpAt + size_t{frame[kTcpAt + 12]} / 16 * 4;
  if (end > frame.size() || payload < kTcpPayloadAt || payload > end) return std::nullopt;
  const auto part = [&frame](size_t from, size_t to) {
    return Bytes(frame.begin() + static_cast<ptrdiff_t>(from),
                 frame.begin() + static_cast<ptrdiff_t>(to));
  };
  return TcpFrame{.to_mac = Mac(frame, 0),
                  .from_mac = Mac(frame, kMacBytes),
                  .from_ip = Number(frame, kIpAt + 12, 4),
                  .to_ip = Number(frame, kIpAt + 16, 4),
                  .from_port = static_cast<uint16_t>(Number(frame, kTcpAt, 2)),
                  .to_port = static_cast<uint16_t>(Number(frame, kTcpAt + 2, 2)),
                  .seq = Number(frame, kTcpAt + 4, 4),
                  .ack = Number(frame, kTcpAt + 8, 4),
                  .flags = frame[kTcpAt + 13],
                  .window = static_cast<uint16_t>(Number(frame, kTcpAt + 14, 2)),
                  .options = part(kTcpPayloadAt, payload),
                  .payload = part(payload, end)};
}

Bytes TcpFrame::Write() const {
  Bytes frame(kTcpPayloadAt);
  SetNumber(frame, 0, kMacBytes, to_mac);
  SetNumber(frame, kMacBytes, kMacBytes, from_mac);
  SetNumber(frame, 12, 2, kIpv4);
  frame[kIpAt] = 0x45;
  SetNumber(frame, kIpAt + 2, 2, kTcpPayloadAt - kIpAt + options.size() + payload.size());
  SetNumber(frame, kIpAt + 6, 2, 0x4000);  // don't fragment
  frame[kIpAt + 8] = 64;
  frame[kIpAt + 9] = kTcp;
  SetNumber(frame, kIpAt + 12, 4, from_ip);
  SetNumber(frame, kIpAt + 16, 4, to_ip);
  SetNumber(frame, kTcpAt, 2, from_port);
  SetNumber(frame, kTcpAt + 2, 2, to_port);
  SetNumber(frame, kTcpAt + 4, 4, seq);
  SetNumber(frame, kTcpAt + 8, 4, ack);
  frame[kTcpAt + 12] = static_cast<uint8_t>((20 + options.size()) / 4 << 4);
  frame[kTcpAt + 13] = flags;
  SetNumber(frame, kTcpAt + 14, 2, window);
  Append(frame, options);
  Append(frame, payload);
  Seal(frame);
  return frame;
}

void Seal(Bytes& frame) {
  const size_t tcp_at = kIpAt + size_t{frame[kIpAt]} % 16 * 4;
  const size_t end = std::min(frame.size(), kIpAt + Number(frame, kIpAt + 2, 2));
  if (tcp_at <= frame.size()) {
    SetNumber(frame, kIpAt + 10, 2, 0);
    SetNumber(frame, kIpAt + 10, 2, 0xffffu ^ OnesSum(&frame[kIpAt], tcp_at - kIpAt));
  }
  if (end < tcp_at + 20) return;
  const auto bytes = static_cast<uint32_t>(end - tcp_at);
  const uint32_t pseudo = OnesSum(&frame[kIpAt + 12], 8, kTcp + bytes);
  SetNumber(frame, tcp_at + 16, 2, 0);
  SetNumber(frame, tcp_at + 16, 2, 0xffffu ^ OnesSum(&frame[tcp_at], bytes, pseudo));
}

}  // namespace ullnic
