// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0

#include "stack/hostile_port.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

namespace ullnic {
namespace {

using namespace tcp_flag;

constexpr size_t kKept = 64;             // connections that are tracked
constexpr uint32_t kReordered = 1600;    // lead of the port's own frames over the attacker's
constexpr uint32_t kAcceptable = 65536;  // cores/toe/rtl/toe_tcp_segment.sv
constexpr std::array<uint16_t, 5> kPorts = {7, 9, 19, 80, 4711};  // cards/toe, and a closed one

uint64_t KeyOf(uint32_t ip, uint16_t port, uint16_t card_port) {
  return uint64_t{ip} << 32 | uint64_t{port} << 16 | card_port;
}
uint64_t FromPeer(const TcpFrame& f) { return KeyOf(f.from_ip, f.from_port, f.to_port); }
uint64_t FromCard(const TcpFrame& f) { return KeyOf(f.to_ip, f.to_port, f.from_port); }

bool Before(uint32_t a, uint32_t b) { return static_cast<int32_t>(a - b) < 0; }

// Returns nothing if the line has damaged it.
std::optional<TcpFrame> ReadWhole(const Bytes& frame) {
  auto segment = TcpFrame::Read(frame);
  if (!segment) return segment;
  Bytes sealed = frame;
  Seal(sealed);
  if (sealed != frame) return std::nullopt;
  return segment;
}

}  // namespace

const std::array<const char*, HostilePort::kActs> HostilePort::kNames = {
    "rst_near",    "rst_far", "syn_inside", "ack_old",   "ack_storm", "ack_future", "data_old",
    "data_beyond", "window",  "offset",     "length",    "tcp_sum",   "ip_sum",     "fragment",
    "ip_options",  "flags",   "rst_exact",  "syn_flood", "rubbish"};

bool HostilePort::Receive(Frame& frame) {
  if (!ready_.empty()) {
    frame = {};
    frame.bytes = std::move(ready_.front());
    ready_.pop_front();
    ++frames_;
    return true;
  }
  if (!inner_->Receive(frame)) return false;
  if (const auto segment = TcpFrame::Read(frame.bytes)) Watch(*segment);
  if (!calm_ && rng_.Chance(config_.rate)) Strike();
  return true;
}

// Processes a frame from the port to the card.
void HostilePort::Watch(const TcpFrame& frame) {
  const Key key = FromPeer(frame);
  auto found = good_.find(key);
  if (found == good_.end() || frame.has(kSyn)) {
    if (!frame.has(kSyn)) return;
    if (found == good_.end()) order_.push_back(key);
    found = good_.insert_or_assign(key, Connection{.snd_nxt = frame.seq + 1, .card_una = frame.seq})
                .first;
    if (order_.size() > kKept) {
      good_.erase(order_.front());
      order_.pop_front();
    }
  }
  Connection& c = found->second;
  c.last = frame;
  c.last.options.clear();
  c.last.payload.clear();
  const uint32_t end = frame.seq + frame.length();
  if (Before(c.snd_nxt, end)) c.snd_nxt = end;
  c.peer_fin |= frame.has(kFin);
  // Some closed ones are kept: their frames belong to no connection.
  if (frame.has(kRst) || (c.peer_fin && c.card_fin && rng_.Chance(0.9))) {
    good_.erase(found);
    std::erase(order_, key);
  }
}

void HostilePort::Deliver(const Bytes& frame, int64_t time_ps) {
  const auto segment = ReadWhole(frame);
  if (segment && segment->to_mac == kAttackerMac) {
    ++heard_;
    Answer(*segment);
    return;
  }
  if (segment) {
    const auto found = good_.find(FromCard(*segment));
    if (found != good_.end() && !segment->has(kRst)) {
      Connection& c = found->second;
      const uint32_t end = segment->seq + segment->length();
      if (segment->has(kSyn))
        c.card_nxt = end;
      else if (c.card_una != segment->ack)
        c.data_acked = true;
      if (Before(c.card_una, segment->ack)) c.card_una = segment->ack;
      if (Before(c.card_nxt, end)) c.card_nxt = end;
      c.card_fin |= segment->has(kFin);
    }
  }
  inner_->Deliver(frame, time_ps);
}

// Processes a frame from the card to the attacker. A connection is dropped only when the card
// reports that it has none: a RST may be lost, and an untracked connection would remain in the
// card.
void HostilePort::Answer(const TcpFrame& frame) {
  const Key key = FromCard(frame);
  const auto found = own_.find(key);
  const bool known = found != own_.end();
  if (frame.has(kRst)) {
    // Of this connection, not of an earlier one
    if (known && frame.seq == found->second.last.ack) own_.erase(found);
    return;
  }
  Connection& c = own_[key];
  c.last = {
      .to_mac = config_.card_mac,
      .from_mac = kAttackerMac,
      .from_ip = frame.to_ip,
      .to_ip = frame.from_ip,
      .from_port = frame.to_port,
      .to_port = frame.from_port,
      .seq = frame.ack,
      .ack = frame.seq + frame.length(),
      .flags = kAck,
      .window = static_cast<uint16_t>(rng_.Chance(0.2) ? rng_.Below(100) : rng_.Below(65536))};
  c.snd_nxt = c.last.seq;
  const double draw = calm_ ? 0 : rng_.Unit();
  if (draw < 0.6 || (!known && !frame.has(kSyn))) {
    Reset(c);
  } else if (draw < 0.95) {
    TcpFrame answer = c.last;
    if (frame.has(kSyn)) answer.payload = RandomBytes(1 + rng_.Below(200));
    Put(answer);
    c.snd_nxt += answer.length();
  }  // else it says nothing
}

// An ACK outside any window follows it: without a connection, the reply is a RST; else an ACK with
// the expected number, which is then used.
void HostilePort::Reset(const Connection& connection) {
  TcpFrame frame = connection.last;
  frame.flags = kRst;
  frame.seq = connection.snd_nxt;
  Put(frame);
  frame.flags = kAck;
  frame.seq = connection.snd_nxt - kAcceptable;
  Put(frame);
}

void HostilePort::Calm() {
  calm_ = true;
  if (own_.empty()) return;
  const auto next = std::next(own_.begin(), static_cast<ptrdiff_t>(rng_.Below(own_.size())));
  Reset(next->second);
}

void HostilePort::Strike() {
  const auto act = static_cast<Act>(rng_.Below(kActs));
  bool done = true;
  if (act == kSynFlood)
    SynFlood();
  else if (act == kRubbish)
    Rubbish();
  else
    done = StrikeConnection(act);
  acts_[act] += done;
  if (!own_.empty() && rng_.Chance(0.2)) {
    Reset(std::next(own_.begin(), static_cast<ptrdiff_t>(rng_.Below(own_.size())))->second);
  }
}

// One of the port's connections; none that the card has not established yet, as a hostile frame
// could legitimately end it (RFC 9293, 3.10.7.4).
const HostilePort::Connection* HostilePort::Target(Act act) {
  std::vector<Key> keys(order_.begin(), order_.end());
  if (act == kRstExact) {
    std::erase_if(keys, [](Key key) { return (key & 0xffff) != kVictimPort; });
  }
  if (keys.empty()) return nullptr;
  const Connection& c = good_.at(keys[rng_.Below(keys.size())]);
  return c.data_acked ? &c : nullptr;
}

bool HostilePort::StrikeConnection(Act act) {
  const Connection* target = Target(act);
  if (target == nullptr) return false;
  const Connection& c = *target;
  TcpFrame f = c.last;
  f.from_mac = kAttackerMac;
  f.flags = kAck;
  f.seq = c.snd_nxt;
  const auto times = [this, &f](uint64_t count) {
    for (; count > 0; --count) Put(f);
  };
  switch (act) {
    case kRstNear:
      f.flags = kRst;
      f.seq += static_cast<uint32_t>(rng_.Range(kReordered, 8000));
      times(1);
      return true;
    case kRstFar:
      f.flags = kRst;
      f.seq += static_cast<uint32_t>(rng_.Range(2 * kAcceptable, UINT32_MAX - 2 * kAcceptable));
      times(1);
      return true;
    case kSynInside:
      f.flags = rng_.Chance(0.5) ? kSyn : kSyn | kAck;
      f.seq += static_cast<uint32_t>(rng_.Chance(0.5) ? rng_.Below(8000) : rng_.Next());
      f.options = RandomOptions();
      times(1);
      return true;
    case kAckOld:
      f.ack -= static_cast<uint32_t>(rng_.Range(1, 8000));
      times(rng_.Range(1, 20));
      return true;
    case kAckStorm:
      times(rng_.Range(2, 30));
      return true;
    case kAckFuture:
      f.ack = c.card_nxt + static_cast<uint32_t>(rng_.Range(100'000, 1u << 30));
      times(1);
      return true;
    case kDataOld: {
      const uint64_t count = rng_.Range(1, 1400);
      f.seq = c.card_una - static_cast<uint32_t>(count + rng_.Below(1000));
      f.payload = RandomBytes(count);
      times(1);
      return true;
    }
    case kDataBeyond:
      f.seq += static_cast<uint32_t>(rng_.Range(2 * kAcceptable, 1u << 30));
      f.payload = RandomBytes(rng_.Range(1, 1400));
      times(1);
      return true;
    case kWindow:
      f.window = static_cast<uint16_t>(rng_.Chance(0.5) ? 0 : rng_.Range(1, 40));
      times(1);
      return true;
    case kRstExact:
      f.flags = kRst;
      times(1);
      return true;
    default:
      Damage(act, std::move(f));
      return true;
  }
}

// The expected segment, damaged: its payload must not be accepted.
void HostilePort::Damage(Act act, TcpFrame due) {
  due.flags = kAck | kPsh;
  due.payload = RandomBytes(rng_.Range(1, 1000));
  if (act == kFlags) {
    constexpr std::array<uint8_t, 6> kSenseless = {
        0, kPsh | kUrg, kFin, kFin | kPsh | kUrg, kSyn | kFin, kSyn | kFin | kPsh | kUrg | kAck};
    due.flags = kSenseless[rng_.Below(kSenseless.size())];
  }
  Bytes frame = due.Write();
  const auto total = static_cast<uint64_t>(Number(frame, kIpAt + 2, 2));
  switch (act) {
    case kOffset:  // inside the header, or beyond the segment
      if (rng_.Chance(0.5)) due.payload.resize(rng_.Below(20));
      frame = due.Write();
      frame[kTcpAt + 12] = static_cast<uint8_t>(
          (due.payload.size() < 20 ? rng_.Chance(0.5) ? rng_.Range(11, 15) : rng_.Below(5)
                                   : rng_.Below(5))
          << 4);
      Seal(frame);
      break;
    case kLength:  // more than the frame has, or less than the headers
      SetNumber(frame, kIpAt + 2, 2,
                rng_.Chance(0.5) ? rng_.Below(40) : rng_.Range(total + 1, 65535));
      Seal(frame);
      break;
    case kTcpSum:
      SetNumber(frame, kTcpAt + 16, 2, Number(frame, kTcpAt + 16, 2) ^ rng_.Range(1, 0xfffe));
      break;
    case kIpSum:
      SetNumber(frame, kIpAt + 10, 2, Number(frame, kIpAt + 10, 2) ^ rng_.Range(1, 0xfffe));
      break;
    case kFragment:
      SetNumber(frame, kIpAt + 6, 2, rng_.Chance(0.5) ? 0x2000 : rng_.Range(1, 0x1fff));
      Seal(frame);
      break;
    case kIpOptions: {
      const size_t words = rng_.Range(1, 10);
      const Bytes options = RandomBytes(4 * words);
      frame.insert(frame.begin() + kTcpAt, options.begin(), options.end());
      frame[kIpAt] = static_cast<uint8_t>(0x45 + words);
      SetNumber(frame, kIpAt + 2, 2, total + 4 * words);
      Seal(frame);
      break;
    }
    default:
      break;
  }
  ready_.push_back(std::move(frame));
}

void HostilePort::SynFlood() {
  const uint16_t port = kPorts[rng_.Below(kPorts.size())];
  for (uint64_t count = rng_.Range(1, 24); count > 0; --count) {
    Put({.to_mac = config_.card_mac,
         .from_mac = kAttackerMac,
         .from_ip = 0x0b000000 + static_cast<uint32_t>(rng_.Below(0xb0000000)),  // unicast
         .to_ip = config_.card_ip,
         .from_port = static_cast<uint16_t>(rng_.Range(1, 65535)),
         .to_port = port,
         .seq = rng_.Word(),
         .flags = kSyn,
         .window = static_cast<uint16_t>(rng_.Below(65536)),
         .options = RandomOptions()});
  }
}

// Random options: also of length 0 or 1, and beyond the end of the header.
Bytes HostilePort::RandomOptions() {
  Bytes options;
  const size_t bytes = 4 * rng_.Below(11);
  while (options.size() < bytes) {
    const auto kind = static_cast<uint8_t>(rng_.Below(rng_.Chance(0.8) ? 9 : 256));
    options.push_back(kind);
    if (kind < 2) continue;
    const uint64_t length = rng_.Chance(0.3) ? rng_.Below(256) : rng_.Range(2, 10);
    options.push_back(static_cast<uint8_t>(length));
    for (uint64_t i = 2; i < std::min<uint64_t>(length, 10); ++i) {
      options.push_back(static_cast<uint8_t>(rng_.Next()));
    }
  }
  options.resize(bytes);
  return options;
}

// Frames of other protocols, truncated and random ones.
void HostilePort::Rubbish() {
  constexpr std::array<uint16_t, 6> kTypes = {0x0800, 0x0800, 0x0806, 0x8100, 0x86dd, 0x0005};
  Bytes frame = RandomBytes(rng_.Range(14, 1514));
  SetNumber(frame, 0, 6, rng_.Chance(0.7) ? config_.card_mac : rng_.Next());
  SetNumber(frame, 6, 6, kAttackerMac);
  SetNumber(frame, 12, 2, kTypes[rng_.Below(kTypes.size())]);
  if (Number(frame, 12, 2) == 0x0800 && frame.size() >= kTcpPayloadAt) {
    frame[kIpAt] = static_cast<uint8_t>(rng_.Chance(0.7) ? 0x45 : rng_.Next());
    SetNumber(frame, kIpAt + 2, 2, rng_.Chance(0.7) ? frame.size() - kIpAt : rng_.Next());
    frame[kIpAt + 9] = std::array<uint8_t, 4>{1, 6, 17, 41}[rng_.Below(4)];
    SetNumber(frame, kIpAt + 16, 4, rng_.Chance(0.9) ? config_.card_ip : rng_.Next());
    Seal(frame);
  }
  ready_.push_back(std::move(frame));
}

Bytes HostilePort::RandomBytes(size_t count) {
  Bytes bytes(count);
  for (uint8_t& byte : bytes) byte = static_cast<uint8_t>(rng_.Next() >> 32);
  return bytes;
}

nlohmann::json HostilePort::Describe() const { return inner_->Describe(); }

nlohmann::json HostilePort::Report() const {
  nlohmann::json acts = nlohmann::json::object();
  for (size_t i = 0; i < kActs; ++i) acts[kNames[i]] = acts_[i];
  return {{"hostile", {{"acts", acts}, {"frames", frames_}, {"answers", heard_}}}};
}

}  // namespace ullnic
