// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0

#include "fuzz/ate/software.h"

#include "fuzz/ate/connections.h"
#include "fuzz/chunk.h"

namespace ullnic::fuzz {
namespace {

constexpr size_t kMaxRawChunk = kMaxPayload + 58;

// A chunk's words for the engine; unused bytes of the last word are random.
std::vector<uint32_t> ChunkWords(uint8_t type, const Bytes& body, Rng& rng) {
  Bytes bytes = MakeChunk(type, body, rng);
  while (bytes.size() % 4 != 0) bytes.push_back(static_cast<uint8_t>(rng.Next()));
  std::vector<uint32_t> words(bytes.size() / 4);
  for (size_t i = 0; i < bytes.size(); ++i) words[i / 4] |= uint32_t{bytes[i]} << (i % 4 * 8);
  return words;
}

// As defined in cores/ate/README.md: of a known type, within its limits, with as many words as its
// length needs.
bool IsChunk(const std::vector<uint32_t>& words) {
  if (words.size() < 3) return false;
  const size_t length = words[1] & 0xffff;
  const uint32_t type = words[1] >> 16 & 0xff;
  const bool fits = (type == kChunkRaw && length > kRawPad && length <= kRawPad + kMaxRawChunk) ||
                    (type == kChunkTcp && length >= kTcpPad && length <= kTcpPad + kMaxPayload);
  return fits && words.size() == (8 + length + 3) / 4;
}

}  // namespace

Chunk Chunks::Good() {
  Chunk chunk;
  chunk.good = chunk.whole = true;
  chunk.raw = rng_.Chance(0.3);
  if (chunk.raw) {
    chunk.bytes = RandomBytes(rng_.Range(14, rng_.Chance(0.8) ? 80 : kMaxRawChunk), rng_);
    const std::array<uint8_t, 4> tag = {0x02, 'H', 'G', 0xa5};
    std::copy(tag.begin(), tag.end(), chunk.bytes.begin());
    for (int i = 0; i < 4; ++i) chunk.bytes[4 + i] = static_cast<uint8_t>(number_ >> (8 * i));
    ++number_;
    chunk.words = ChunkWords(kChunkRaw, RawBody(chunk.bytes, rng_), rng_);
    return chunk;
  }
  chunk.conn = static_cast<uint16_t>(kHostGood + rng_.Below(4));
  chunk.bytes =
      RandomBytes(rng_.Chance(0.1) ? 0 : rng_.Range(1, rng_.Chance(0.7) ? 16 : kMaxPayload), rng_);
  chunk.words = ChunkWords(kChunkTcp, TcpBody(chunk.conn, chunk.bytes, rng_), rng_);
  return chunk;
}

Chunk Chunks::Bad() {
  Chunk chunk;
  const Bytes payload = RandomBytes(rng_.Below(kMaxPayload + 1), rng_);
  const auto conn = static_cast<uint16_t>(rng_.Chance(0.7) ? kHostHostile + rng_.Below(4)
                                                           : rng_.Range(kConnections, 0xffff));
  const Bytes body = TcpBody(conn, payload, rng_);
  const bool raw = rng_.Chance(0.3);
  chunk.words = ChunkWords(raw ? kChunkRaw : kChunkTcp, body, rng_);
  switch (rng_.Below(8)) {
    case 0:  // for a connection that may not exist
      break;
    case 1:
      chunk.words[1] = (chunk.words[1] & ~0xff0000u) | rng_.Word() >> 24 << 16;
      break;
    case 2:
      chunk.words[1] =
          (chunk.words[1] & ~0xffffu) |
          static_cast<uint32_t>(rng_.Chance(0.5) ? rng_.Below(256) : rng_.Below(65536));
      break;
    case 3:
      chunk.words.resize(rng_.Range(1, chunk.words.size()));
      break;
    case 4:
      for (uint64_t more = rng_.Range(1, 90); more > 0; --more) chunk.words.push_back(rng_.Word());
      break;
    case 5:  // close to the limit, with the matching words
      chunk.words.resize(rng_.Range(28, 45), rng_.Word());
      chunk.words[1] = (chunk.words[1] & ~0xffffu) |
                       static_cast<uint32_t>(4 * chunk.words.size() - 8 - rng_.Below(4));
      break;
    case 6:
      for (uint32_t& word : chunk.words) word = rng_.Word();
      break;
    default:
      chunk.words.assign(rng_.Range(1, 3), rng_.Word());
      break;
  }
  // A raw frame of hostile software may be anything except an expected frame.
  if (chunk.words.size() > 2) chunk.words[2] |= 0xffff0000u;
  chunk.whole = IsChunk(chunk.words);
  return chunk;
}

void Chunks::Drive(AteModel& model) {
  ULLNIC_ATE_MODEL& m = model.ports();
  if (!shown_) shown_ = !chunks_.empty() && pause_ == 0 && (at_ == 0 || rng_.Chance(0.95));
  m.s_host_tvalid = shown_;
  m.s_host_tdata = shown_ ? chunks_.front().words[at_] : 0xdeadbeef;
  m.s_host_tlast = shown_ && at_ + 1 == chunks_.front().words.size();
}

void Registers::Drive(AteModel& model) {
  ULLNIC_ATE_MODEL& m = model.ports();
  m.s_axil_awvalid = m.s_axil_wvalid = m.s_axil_arvalid = m.s_axil_bready = m.s_axil_rready = 0;
  if (accesses_.empty()) return;
  if (!begun_) {
    begun_ = true;
    address_given_ = data_given_ = false;
    cycles_ = 0;
    address_in_ = rng_.Chance(0.8) ? 0 : rng_.Below(8);
    data_in_ = rng_.Chance(0.8) ? 0 : rng_.Below(8);
    ready_in_ = rng_.Chance(0.8) ? 0 : rng_.Below(20);
  }
  const Access& access = accesses_.front();
  const bool address = !address_given_ && cycles_ >= address_in_;
  m.s_axil_awvalid = access.write && address;
  m.s_axil_arvalid = !access.write && address;
  m.s_axil_wvalid = access.write && !data_given_ && cycles_ >= data_in_;
  m.s_axil_awaddr = m.s_axil_araddr = static_cast<uint16_t>(access.address);
  m.s_axil_wdata = access.data;
  m.s_axil_wstrb = access.strobe;
  m.s_axil_bready = m.s_axil_rready = cycles_ >= ready_in_;
}

void Registers::Sample(const AteModel& model) {
  if (accesses_.empty()) return;
  const ULLNIC_ATE_MODEL& m = model.ports();
  if (++cycles_ > kLimitCycles) {
    Fault("an access to register {:#x} does not end", accesses_.front().address);
  }
  address_given_ |=
      (m.s_axil_awvalid && m.s_axil_awready) || (m.s_axil_arvalid && m.s_axil_arready);
  data_given_ |= m.s_axil_wvalid && m.s_axil_wready;
  const bool written = m.s_axil_bvalid && m.s_axil_bready,
             read = m.s_axil_rvalid && m.s_axil_rready;
  if (!written && !read) return;
  const Access access = std::move(accesses_.front());
  if (written != access.write)
    Fault("a {} is answered as the other kind", access.write ? "write" : "read");
  accesses_.pop_front();
  begun_ = false;
  if (access.answer)
    access.answer(m.s_axil_rdata, (written ? m.s_axil_bresp : m.s_axil_rresp) != 0);
}

}  // namespace ullnic::fuzz
