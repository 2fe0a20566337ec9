// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0

#include "fuzz/nic/port_host.h"

#include <algorithm>

#include "ate_sweep/segment.h"
#include "fuzz/chunk.h"
#include "fuzz/fuzzer.h"
#include "nic/host_drivers.h"

namespace ullnic::fuzz {
namespace {

constexpr size_t kEngineHeaders = 58;  // MAX_FRAME of a port with an engine: payload and headers
constexpr size_t kMostWaiting = 6;
// Destination of software's raw frames: a locally administered address that no connection has.
constexpr std::array<uint8_t, 4> kRawTag = {0x02, 'H', 'G', 0xa5};

}  // namespace

PortHost::PortHost(NicCard& card, unsigned port, bool has_engine, Rng& rng)
    : card_(card),
      port_(port),
      has_engine_(has_engine),
      most_raw_(has_engine ? kMaxPayload + kEngineHeaders : kMaxFrameBytes),
      rng_(rng),
      connection_(RandomConnection(rng)) {}

bool PortHost::Send(bool good) {
  if (card_.h2c_backlog(port_) > kMostWaiting) return false;
  if (!good) {
    const Bytes chunk = BadChunk();
    ++counts_.bad;
    counts_.begun += HasGoodHeader(chunk);
    return card_.SendH2c(port_, chunk);
  }
  ++counts_.good;
  if (!has_engine_ || rng_.Chance(0.4)) {
    Bytes frame = RandomBytes(rng_.Range(14, rng_.Chance(0.9) ? 120 : most_raw_), rng_);
    std::copy(kRawTag.begin(), kRawTag.end(), frame.begin());
    for (size_t i = 0; i < 4; ++i) frame[4 + i] = static_cast<uint8_t>(number_ >> 8 * i);
    ++number_;
    const Bytes chunk = MakeChunk(kChunkRaw, RawBody(frame, rng_), rng_);
    frame.resize(std::max(frame.size(), kMinFrameBytes));
    raw_.push_back(std::move(frame));
    return card_.SendH2c(port_, chunk);
  }
  const size_t bytes = rng_.Chance(0.1) ? 0 : rng_.Range(1, rng_.Chance(0.8) ? 60 : kMaxPayload);
  Bytes payload = RandomBytes(bytes, rng_);
  const bool nowhere = rng_.Chance(0.1);
  counts_.nowhere += nowhere;
  const auto id = static_cast<uint16_t>(nowhere ? connection_.id ^ 0x0f0 : connection_.id);
  const Bytes chunk = MakeChunk(kChunkTcp, TcpBody(id, payload, rng_), rng_);
  if (!nowhere) payloads_.push_back(std::move(payload));
  return card_.SendH2c(port_, chunk);
}

// Its type, length and bytes never match.
Bytes PortHost::BadChunk() {
  const Bytes body = RandomBytes(rng_.Range(kTcpPad, kTcpPad + 200), rng_);
  const auto type = static_cast<uint8_t>(rng_.Range(kChunkRaw, kChunkTcp));
  switch (rng_.Below(6)) {
    case 0:
      return MakeChunk(static_cast<uint8_t>(rng_.Range(kChunkTcp + 1, 255)), body, rng_);
    case 1:
      return MakeChunk(0, body, rng_);
    case 2:  // missing bytes
      return MakeChunk(type, body.size() + rng_.Range(1, 2000), body, rng_);
    case 3:  // excess bytes
      return MakeChunk(type, rng_.Below(body.size()), body, rng_);
    case 4:  // less than a header
      return RandomBytes(rng_.Range(1, kChunkHeader - 1), rng_);
    default: {
      const size_t most = std::max(kRawPad + most_raw_, kTcpPad + kMaxPayload);
      return MakeChunk(type, RandomBytes(most + rng_.Range(1, 100), rng_), rng_);
    }
  }
}

bool PortHost::HasGoodHeader(const Bytes& chunk) const {
  if (chunk.size() <= kChunkHeader) return false;
  const size_t length = chunk[4] | size_t{chunk[5]} << 8;
  return (chunk[6] == kChunkRaw && length > kRawPad && length <= kRawPad + most_raw_) ||
         (has_engine_ && chunk[6] == kChunkTcp && length >= kTcpPad &&
          length <= kTcpPad + kMaxPayload);
}

void PortHost::Arriving(Bytes frame) {
  frame.resize(std::max(frame.size(), kMinFrameBytes));
  arriving_.push_back(std::move(frame));
}

void PortHost::Leaving(const Bytes& frame) {
  if (std::equal(kRawTag.begin(), kRawTag.end(), frame.begin())) {
    if (raw_.empty() || frame != raw_.front())
      Fault("port {}: raw frame {} of software leaves as another", port_, counts_.raw);
    raw_.pop_front();
    ++counts_.raw;
    return;
  }
  const Segment segment = ReadSegment(frame, connection_, connection_.seq);
  if (!segment.wrong.empty()) Fault("port {}: in a frame that leaves {}", port_, segment.wrong);
  if (payloads_.empty() || segment.payload != payloads_.front())
    Fault("port {}: payload {} of software leaves as another", port_, counts_.payloads);
  payloads_.pop_front();
  ++counts_.payloads;
  connection_.seq += static_cast<uint32_t>(segment.payload.size());
  ExpectMirror(frame, segment.payload.size());
}

void PortHost::ExpectMirror(const Bytes& frame, size_t payload_bytes) {
  Bytes mirror = frame;
  mirror.resize(std::min(mirror.size(), kHeaderBytes + payload_bytes));
  mirrors_.push_back(std::move(mirror));
}

void PortHost::Read() {
  for (auto packet = card_.PeekC2h(port_); !packet.empty(); packet = card_.PeekC2h(port_)) {
    Take(packet);
    card_.PopC2h(port_);
  }
}

void PortHost::Take(std::span<const uint8_t> packet) {
  if (packet.size() < C2hHeader::kBytes) Fault("port {}: a packet without its header", port_);
  const C2hHeader header = C2hHeader::Read(packet);
  const auto same = [frame = packet.subspan(C2hHeader::kBytes)](const Bytes& wanted) {
    return std::equal(frame.begin(), frame.end(), wanted.begin(), wanted.end());
  };
  if (header.type == C2hHeader::kMirrorBad) {
    ++counts_.bad_mirrors;
  } else if (header.type == C2hHeader::kMirror) {
    ++counts_.mirrors;
    mirrored_.emplace_back(packet.begin() + C2hHeader::kBytes, packet.end());
  } else {
    // In order; some may be missing.
    const auto sent = std::ranges::find_if(arriving_, same);
    if (sent == arriving_.end())
      Fault("port {}: received frame {} is none of those that were sent", port_, counts_.received);
    arriving_.erase(arriving_.begin(), sent + 1);
    ++counts_.received;
  }
}

void PortHost::Rest() {
  if (!raw_.empty() || !payloads_.empty())
    Fault("port {}: {} raw frames and {} payloads of software never leave", port_, raw_.size(),
          payloads_.size());
  // A mirror may be read before the far end has received the whole frame.
  if (mirrored_ != mirrors_)
    Fault("port {}: {} mirrors read, {} due, and they are not the same", port_, mirrored_.size(),
          mirrors_.size());
  mirrored_.clear();
  mirrors_.clear();
  arriving_.clear();
}

}  // namespace ullnic::fuzz
