// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0

#include "ate_sweep/segment.h"

#include <fmt/format.h>

#include <algorithm>

namespace ullnic {
namespace {

constexpr size_t kEthernetBytes = 14, kIpBytes = 20, kTcpBytes = 20;
static_assert(kHeaderBytes == kEthernetBytes + kIpBytes + kTcpBytes);

uint32_t Number(const uint8_t* bytes, size_t count) {
  uint32_t value = 0;
  for (size_t i = 0; i < count; ++i) value = value << 8 | bytes[i];
  return value;
}

class Reader {
 public:
  explicit Reader(const Bytes& frame) : frame_(frame) {}

  void Expect(const char* name, size_t at, size_t count, uint32_t wanted) {
    const uint32_t found = Number(&frame_[at], count);
    if (found != wanted && wrong.empty()) {
      wrong = fmt::format("{} is {:#x}, not {:#x}", name, found, wanted);
    }
  }

  template <size_t N>
  void ExpectBytes(const char* name, size_t at, const std::array<uint8_t, N>& wanted) {
    const auto found = frame_.begin() + static_cast<ptrdiff_t>(at);
    if (!std::equal(wanted.begin(), wanted.end(), found) && wrong.empty()) {
      wrong = fmt::format("{} is another", name);
    }
  }

  std::string wrong;

 private:
  const Bytes& frame_;
};

}  // namespace

Segment ReadSegment(const Bytes& frame, const Connection& connection, uint32_t seq) {
  Segment segment;
  if (frame.size() < kHeaderBytes) {
    segment.wrong = fmt::format("it has {} bytes", frame.size());
    return segment;
  }
  const uint8_t* ip = &frame[kEthernetBytes];
  const uint8_t* tcp = ip + kIpBytes;
  const uint32_t total = Number(ip + 2, 2);
  const size_t bytes = kEthernetBytes + total;
  if (total < kIpBytes + kTcpBytes || std::max(bytes, kMinFrameBytes) != frame.size()) {
    segment.wrong = fmt::format("a total length of {} in {} bytes", total, frame.size());
    return segment;
  }
  segment.payload.assign(frame.begin() + kHeaderBytes,
                         frame.begin() + static_cast<ptrdiff_t>(bytes));

  Reader reader(frame);
  reader.ExpectBytes("the destination MAC address", 0, connection.destination.mac);
  reader.ExpectBytes("the source MAC address", 6, connection.source.mac);
  reader.Expect("the type", 12, 2, 0x0800);
  reader.Expect("version, length and service", 14, 2, 0x4500);
  reader.Expect("identification and fragment", 18, 4, 0x4000);
  reader.Expect("time to live and protocol", 22, 2, 0x4006);
  reader.ExpectBytes("the source address", 26, connection.source.ip);
  reader.ExpectBytes("the destination address", 30, connection.destination.ip);
  reader.Expect("the source port", 34, 2, connection.source.port);
  reader.Expect("the destination port", 36, 2, connection.destination.port);
  reader.Expect("SEQ", 38, 4, seq);
  reader.Expect("ACK", 42, 4, connection.ack);
  reader.Expect("offset and flags", 46, 2, segment.payload.empty() ? 0x5010 : 0x5018);
  reader.Expect("the window", 48, 2, connection.window);
  reader.Expect("the urgent pointer", 52, 2, 0);
  segment.wrong = reader.wrong;
  if (!segment.wrong.empty()) return segment;

  if (OnesSum(ip, kIpBytes) != 0xffff) segment.wrong = "the IP checksum is wrong";
  const uint32_t tcp_bytes = total - kIpBytes;
  const uint32_t pseudo = OnesSum(ip + 12, 8, 6 + tcp_bytes);
  if (OnesSum(tcp, tcp_bytes, pseudo) != 0xffff) segment.wrong = "the TCP checksum is wrong";
  if (std::any_of(frame.begin() + static_cast<ptrdiff_t>(bytes), frame.end(),
                  [](uint8_t b) { return b != 0; })) {
    segment.wrong = "the padding is not zero";
  }
  return segment;
}

}  // namespace ullnic
