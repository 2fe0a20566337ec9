// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0

#include "packetdrill/engine.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "partner/crc32.h"

namespace ullnic::packetdrill {
namespace {

constexpr uint64_t kResetCycles = 16;
constexpr uint64_t kClearCycles = 1024;  // clearing of the tables after a reset
// On the line: FCS, gap and preamble after a frame, in words.
constexpr int kBetweenFrames = 6;
// A packet's end is visible in the credit a few cycles later, for each session in turn.
constexpr uint64_t kCreditCycles = 32;
constexpr size_t kWord = 4, kBeat = 8;

void AppendKept(Bytes& bytes, uint64_t data, uint32_t keep) {
  for (int i = 0; keep >> i; ++i) {
    if (keep >> i & 1) bytes.push_back(static_cast<uint8_t>(data >> (8 * i)));
  }
}

// The next word or beat of `bytes` from `at` on; returns how many bytes it has.
template <typename Word>
size_t Load(const Bytes& bytes, size_t at, Word& word) {
  const size_t count = std::min(sizeof(Word), bytes.size() - at);
  word = 0;
  std::memcpy(&word, bytes.data() + at, count);
  return count;
}

static_assert(std::endian::native == std::endian::little);

}  // namespace

Engine::Engine(const Settings& s, EngineUser& user) : user_(user), model_(MakeModel(s.size)) {
  Ports& m = model_->ports;
  m.rto_initial = s.rto_initial;
  m.rto_min = s.rto_min;
  m.rto_max = s.rto_max;
  m.time_wait = s.time_wait;
  m.delayed_ack = s.delayed_ack;
  m.keepalive = s.keepalive;
  m.syn_retries = s.syn_retries;
  m.retries = s.retries;
  m.secret = s.secret;
  m.mac = s.mac;
  m.ip = s.ip;
  m.mask = 0;  // every address is on the local network
  m.gateway = 0;
  m.rst = 1;
  for (uint64_t i = 0; i < kResetCycles; ++i) Cycle();
  m.rst = 0;
  for (uint64_t i = 0; i < kClearCycles; ++i) Cycle();
}

void Engine::Deliver(Bytes frame) {
  frame.resize(std::max(frame.size(), kMinFrameBytes));
  const uint32_t fcs = partner::Fcs(frame);
  for (int i = 0; i < 4; ++i) frame.push_back(static_cast<uint8_t>(fcs >> (8 * i)));
  frames_.push_back(std::move(frame));
}

bool Engine::giving(int session) const {
  return cycles_ < given_[session] + kCreditCycles ||
         std::any_of(
             packets_.begin(), packets_.end(),
             [&](const Packet& packet) { return packet.session == session; });
}

void Engine::DriveMac() {
  Ports& m = model_->ports;
  m.rx_status_valid = verdict_;
  m.rx_status_good = verdict_;
  m.s_mac_tvalid = !frames_.empty() && gap_ == 0;
  m.s_mac_tlast = 0;
  if (m.s_mac_tvalid) {
    uint32_t word = 0;
    const size_t count = Load(frames_.front(), frame_at_, word);
    m.s_mac_tdata = word;
    m.s_mac_tkeep = (1u << count) - 1;
    m.s_mac_tlast = frame_at_ + kWord >= frames_.front().size();
  }
  m.m_mac_tready = pause_ == 0;
}

void Engine::DriveUser() {
  Ports& m = model_->ports;
  m.tick = tick_;
  m.look_sid = look_;
  m.order_valid = !orders_.empty();
  if (!orders_.empty()) {
    const Order& order = orders_.front();
    m.order_command = static_cast<uint8_t>(order.command);
    m.order_sid = order.session;
    m.order_peer_ip = order.peer_ip;
    m.order_peer_port = order.peer_port;
    m.order_local_port = order.local_port;
  }
  m.s_axis_tvalid = !packets_.empty();
  if (!packets_.empty()) {
    const Packet& packet = packets_.front();
    uint64_t beat = 0;
    const size_t count = Load(packet.bytes, packet_at_, beat);
    m.s_axis_tdata = beat;
    m.s_axis_tkeep = (1u << count) - 1;
    m.s_axis_tlast = packet_at_ + kBeat >= packet.bytes.size();
    m.s_axis_tdest = packet.session;
    m.tx_length = packet.bytes.size();
  }
}

void Engine::SampleMac() {
  const Ports& m = model_->ports;
  if (gap_ > 0) --gap_;
  verdict_ = m.s_mac_tvalid && m.s_mac_tlast;
  if (m.s_mac_tvalid) {
    Busy();
    frame_at_ += kWord;
    if (m.s_mac_tlast) {
      frames_.pop_front();
      frame_at_ = 0;
      gap_ = kBetweenFrames;
    }
  }
  if (pause_ > 0) --pause_;
  if (m.m_mac_tvalid && m.m_mac_tready) {
    Busy();
    if (sent_.empty()) sent_cycle_ = cycles_;
    AppendKept(sent_, m.m_mac_tdata, m.m_mac_tkeep);
    if (m.m_mac_tlast) {
      pause_ = kBetweenFrames;
      if (!m.m_mac_tuser) user_.OnFrame(std::move(sent_), sent_cycle_);
      sent_.clear();
    }
  }
}

void Engine::SampleUser() {
  const Ports& m = model_->ports;
  if (m.order_valid && m.order_ready) {
    Busy();
    orders_.pop_front();
  }
  if (m.s_axis_tvalid && m.s_axis_tready) {
    Busy();
    packet_at_ += kBeat;
    if (m.s_axis_tlast) {
      given_[packets_.front().session] = cycles_;
      packets_.pop_front();
      packet_at_ = 0;
    }
  }
  if (m.event_valid) {
    Busy();
    user_.OnEvent(static_cast<Event>(m.event_code), m.event_sid);
  }
  if (m.credit_valid) user_.OnCredit(m.credit, m.credit_sid);
}

// In cut-through the last beat has no bytes, only the verdict on the earlier ones.
void Engine::SampleSegment() {
  const Ports& m = model_->ports;
  if (!m.m_axis_tvalid || !m.m_axis_tready) return;
  Busy();
  AppendKept(segment_, m.m_axis_tdata, m.m_axis_tkeep);
  taking_ = !m.m_axis_tlast;
  if (!m.m_axis_tlast) return;
  if (!m.m_axis_tuser) user_.OnSegment(std::move(segment_), m.m_axis_tdest);
  segment_.clear();
}

void Engine::SampleStates() {
  const int seen = (look_ + kSessions - 1) % kSessions;  // requested in the previous cycle
  const auto state = static_cast<State>(model_->ports.look_state);
  look_ = (look_ + 1) % kSessions;
  if (state == states_[seen]) return;
  Busy();
  states_[seen] = state;
  user_.OnState(state, seen);
}

void Engine::Cycle() {
  Ports& m = model_->ports;
  m.clk = 0;
  DriveMac();
  DriveUser();
  m.m_axis_tready = 0;
  model_->Eval();
  if (m.m_axis_tvalid && (taking_ || user_.Wants(m.m_axis_tdest))) {
    m.m_axis_tready = 1;
    model_->Eval();
  }
  tick_ = false;
  if (!m.rst) {
    SampleMac();
    SampleUser();
    SampleSegment();
    SampleStates();
  }
  m.clk = 1;
  model_->Eval();
  ++cycles_;
}

}  // namespace ullnic::packetdrill
