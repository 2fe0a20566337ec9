// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0

#include "nic/host_drivers.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

namespace ullnic {
namespace {

static_assert(std::endian::native == std::endian::little, "words and headers are little-endian");

constexpr uint32_t kNothingThere = ~uint32_t{0};

template <class T>
T Load(std::span<const uint8_t> bytes, size_t at) {
  T value;
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

template <class T>
void Store(Bytes& bytes, T value) {
  for (size_t i = 0; i < sizeof value; ++i) {
    bytes.push_back(static_cast<uint8_t>(uint64_t{value} >> (8 * i)));
  }
}

}  // namespace

void RegisterMaster::Read(uint32_t address, std::function<void(uint32_t)> done) {
  queue_.push_back({false, address, 0, std::move(done), {}});
}

void RegisterMaster::Write(uint32_t address, uint32_t value, std::function<void()> done) {
  queue_.push_back({true, address, value, {}, std::move(done)});
}

void RegisterMaster::Begin() {
  const Access& access = queue_.front();
  under_way_ = true;
  edges_ = 0;
  const bool write = access.write;
  valid_ = {.aw = write, .w = write, .b = write, .ar = !write, .r = !write};
  address_ = access.address;
  wdata_ = access.value;
}

void RegisterMaster::Show(HostOutputs& out) const {
  out.awvalid = valid_.aw;
  out.wvalid = valid_.w;
  out.bready = valid_.b;
  out.arvalid = valid_.ar;
  out.rready = valid_.r;
  out.address = address_;
  out.wdata = wdata_;
}

void RegisterMaster::End(uint32_t value, bool error) {
  valid_ = {};
  under_way_ = false;
  // The callback may request the next access.
  Access access = std::move(queue_.front());
  queue_.pop_front();
  counts_.errors += error;
  if (access.write) {
    ++counts_.writes;
    if (access.write_done) access.write_done();
  } else {
    ++counts_.reads;
    if (access.read_done) access.read_done(error ? kNothingThere : value);
  }
}

bool RegisterMaster::Clock(const HostInputs& in, Violations& violations) {
  if (!under_way_) {
    if ((in.bvalid || in.rvalid)) violations.Add("a register answer that nobody asked for");
    if (queue_.empty()) return false;
    Begin();
    return true;
  }
  if (in.awready) valid_.aw = false;
  if (in.wready) valid_.w = false;
  if (in.arready) valid_.ar = false;
  if (valid_.b && in.bvalid) {
    if (valid_.aw || valid_.w) violations.Add("a write was answered before it was taken");
    End(0, in.bresp != 0);
  } else if (valid_.r && in.rvalid) {
    if (valid_.ar) violations.Add("a read was answered before it was taken");
    End(in.rdata, in.rresp != 0);
  } else if (++edges_ > kMaxEdges) {
    violations.Add(fmt::format("no answer from the register at {:#07x}", queue_.front().address));
    End(0, true);
  }
  return true;
}

bool H2cDriver::Offer(std::span<const uint8_t> packet) {
  if (queue_.size() >= kMaxPackets) return false;
  if (!packet.empty()) queue_.emplace_back(packet.begin(), packet.end());
  return true;
}

void H2cDriver::Drop() {
  const bool begun = word_.tvalid || offset_ > 0;
  queue_.resize(std::min<size_t>(queue_.size(), begun ? 1 : 0));
}

void H2cDriver::Present() {
  const Bytes& packet = queue_.front();
  const size_t left = packet.size() - offset_;
  const size_t count = std::min(left, kHostWordBytes);
  word_ = {.tkeep = static_cast<uint8_t>((1u << count) - 1),
           .tvalid = true,
           .tlast = left <= kHostWordBytes};
  std::memcpy(&word_.tdata, packet.data() + offset_, count);
}

bool H2cDriver::Clock(bool tready) {
  if (word_.tvalid) {
    if (!tready) return false;
    offset_ += kHostWordBytes;
    if (word_.tlast) {
      ++packets_;
      bytes_ += queue_.front().size();
      queue_.pop_front();
      offset_ = 0;
    }
    word_ = {};
  } else if (queue_.empty()) {
    return false;
  }
  if (queue_.empty() || rng_.Chance(pause_)) return true;
  Present();
  return true;
}

bool C2hMonitor::Clock(const HostWord& word, bool tready, Violations& violations) {
  stall_.Clock();
  if (held_.tvalid && word != held_) {
    violations.Add(fmt::format("port {}: a word changed before the host took it", port_));
  }
  held_ = word.tvalid && !tready ? word : HostWord{};
  if (!word.tvalid || !tready) return false;
  Take(word, violations);
  return true;
}

void C2hMonitor::Take(const HostWord& word, Violations& violations) {
  const bool run = (word.tkeep & (word.tkeep + 1)) == 0 && word.tkeep != 0;
  if (!run || (!word.tlast && word.tkeep != 0xff)) {
    violations.Add(fmt::format("port {}: a word to the host with an illegal tkeep", port_));
  }
  const auto count = static_cast<size_t>(std::popcount(word.tkeep));
  for (size_t i = 0; i < count; ++i) {
    current_.push_back(static_cast<uint8_t>(word.tdata >> (8 * i)));
  }
  if (!word.tlast) return;
  ++packets_;
  bytes_ += current_.size();
  CheckHeader(violations);
  waiting_.push_back(std::exchange(current_, {}));
}

void C2hMonitor::CheckHeader(Violations& violations) {
  const auto wrong = [&](const std::string& what) {
    violations.Add(fmt::format("port {}, packet {} to the host: {}", port_, packets_ - 1, what));
  };
  if (current_.size() < C2hHeader::kBytes) {
    wrong("shorter than its header");
    return;
  }
  const C2hHeader header = C2hHeader::Read(current_);
  if (header.length != current_.size() - C2hHeader::kBytes) {
    wrong(fmt::format("the header says {} bytes, there are {}", header.length,
                      current_.size() - C2hHeader::kBytes));
  }
  if (header.port != port_) wrong(fmt::format("the header says port {}", header.port));
  if (header.type > C2hHeader::kMirrorBad) wrong(fmt::format("type {}", header.type));
  if (header.sequence != next_sequence_) {
    wrong(fmt::format("number {} in place of {}", header.sequence, next_sequence_));
  }
  next_sequence_ = header.sequence + 1;
}

C2hHeader C2hHeader::Read(std::span<const uint8_t> packet) {
  return {.length = Load<uint16_t>(packet, 0),
          .type = packet[2],
          .port = packet[3],
          .sequence = Load<uint32_t>(packet, 4),
          .timestamp = Load<uint64_t>(packet, 8)};
}

void C2hHeader::Append(Bytes& packet) const {
  Store(packet, length);
  Store(packet, type);
  Store(packet, port);
  Store(packet, sequence);
  Store(packet, timestamp);
}

}  // namespace ullnic
