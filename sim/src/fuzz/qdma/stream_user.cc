// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0

#include "fuzz/qdma/stream_user.h"

#include <cstring>

#include "fuzz/fuzzer.h"

namespace ullnic::fuzz {
namespace {

enum Answer : unsigned { kYes = 0, kHold, kDrop, kInvalid, kTooLong };
constexpr unsigned kMostAsks = 4;           // of a hostile packet that is held
constexpr uint64_t kLimitCycles = 100'000;  // for an ask, or a granted packet

}  // namespace

void StreamUser::SetGood(unsigned qid, bool good) {
  Queue& queue = queues_[qid];
  queue.is_good = good;
  queue.is_blocked = false;
  queue.h2c.clear();
  queue.c2h.clear();
}

void StreamUser::List(unsigned qid) {
  Queue& queue = queues_[qid];
  if (queue.is_listed || queue.is_blocked || queue.c2h.empty()) return;
  queue.is_listed = true;
  to_ask_.push_back(qid);
}

void StreamUser::SendC2h(unsigned qid, C2hPacket packet) {
  queues_[qid].c2h.push_back(std::move(packet));
  List(qid);
}

void StreamUser::DropHostile() {
  for (Queue& queue : queues_) {
    if (!queue.is_good) queue.c2h.clear();
  }
}

void StreamUser::Event(unsigned qid) {
  ++counts_.events;
  Queue& queue = queues_[qid];
  ++queue.events;
  queue.is_blocked = false;
  List(qid);
}

void StreamUser::Drive(QdmaModel& m) {
  if (h2c_pause_left_ > 0) {
    --h2c_pause_left_;
  } else if (rng_.Chance(h2c_pause)) {
    h2c_pause_left_ = rng_.Range(1, kMostPause);
  }
  m.m_axis_h2c_tready = h2c_pause_left_ == 0;

  if (!ask_is_shown_ && !to_ask_.empty()) {
    const unsigned qid = to_ask_.front();
    to_ask_.pop_front();
    Queue& queue = queues_[qid];
    queue.is_listed = false;
    if (!queue.c2h.empty()) {
      asks_.push_back({.qid = qid, .packet = std::move(queue.c2h.front())});
      queue.c2h.pop_front();
      List(qid);
      const C2hPacket& packet = asks_.back().packet;
      m.c2h_ask_qid = static_cast<uint16_t>(qid);
      m.c2h_ask_len = static_cast<uint16_t>(packet.asked);
      m.c2h_ask_has_cmpt = packet.has_entry;
      m.c2h_ask_marker = packet.is_marker;
      ask_is_shown_ = true;
    }
  }
  m.c2h_ask_valid = ask_is_shown_;

  if (!beat_is_shown_ && !grants_.empty()) {
    if (c2h_pause_left_ > 0) {
      --c2h_pause_left_;
    } else if (rng_.Chance(c2h_pause)) {
      c2h_pause_left_ = rng_.Range(1, kMostPause);
    } else {
      const Grant& grant = grants_.front();
      const size_t count = std::min(grant.bytes.size() - at_, kBeatBytes);
      if (count > 0) std::memcpy(&m.s_axis_c2h_tdata[0], grant.bytes.data() + at_, count);
      m.s_axis_c2h_tlast = at_ + count == grant.bytes.size();
      m.s_axis_c2h_tuser_mty = static_cast<uint8_t>(kBeatBytes - count) & 0x3f;
      m.s_axis_c2h_tuser_zero_byte = count == 0;
      for (size_t i = 0; i < kBeatDwords; ++i) m.s_axis_c2h_tuser_cmpt_data[i] = 0;
      m.s_axis_c2h_tuser_cmpt_data[0] = static_cast<uint32_t>(grant.user);
      m.s_axis_c2h_tuser_cmpt_data[1] = static_cast<uint32_t>(grant.user >> 32);
      beat_is_shown_ = true;
    }
  }
  m.s_axis_c2h_tvalid = beat_is_shown_;
}

void StreamUser::Clock(const QdmaModel& m) {
  if (m.m_axis_h2c_tvalid && m.m_axis_h2c_tready) TakeBeat(m);
  if (m.c2h_buffer_event) Event(m.c2h_buffer_event_qid);
  if (m.c2h_room_event) Event(m.c2h_room_event_qid);
  bool moves = false;
  if (m.c2h_answer_valid) {
    moves = true;
    TakeAnswer(m.c2h_answer_qid, m.c2h_answer);
  }
  if (m.c2h_ask_valid && m.c2h_ask_ready) {
    moves = true;
    ask_is_shown_ = false;
    asks_.front().events = queues_[asks_.front().qid].events;
    accepted_.push_back(std::move(asks_.front()));
    asks_.pop_front();
    ++counts_.asks;
  }
  if (m.s_axis_c2h_tvalid && m.s_axis_c2h_tready) {
    moves = true;
    beat_is_shown_ = false;
    at_ += kBeatBytes;
    if (m.s_axis_c2h_tlast) {
      const Grant& grant = grants_.front();
      sent_.push_back({.qid = grant.qid,
                       .is_marker = grant.is_marker,
                       .is_right = grant.bytes.size() == grant.asked});
      grants_.pop_front();
      at_ = 0;
    }
  }
  if (m.c2h_done_valid) {
    moves = true;
    TakeDone(m);
  }
  waited_ = moves || (asks_.empty() && accepted_.empty() && grants_.empty() && sent_.empty())
                ? 0
                : waited_ + 1;
  if (waited_ > kLimitCycles)
    Fault(
        "no C2H packet has moved for {} cycles: {} asks, {} without an answer, {} granted, {} sent",
        waited_, asks_.size(), accepted_.size(), grants_.size(), sent_.size());
}

void StreamUser::TakeBeat(const QdmaModel& m) {
  const unsigned qid = m.m_axis_h2c_tuser_qid;
  if (qid >= kQueues) Fault("an H2C packet of queue {}", qid);
  if (in_packet_ && qid != packet_qid_)
    Fault("an H2C packet of queue {} continues as one of {}", packet_qid_, qid);
  in_packet_ = !m.m_axis_h2c_tlast;
  packet_qid_ = qid;
  const size_t count = m.m_axis_h2c_tuser_zero_byte ? 0 : kBeatBytes - m.m_axis_h2c_tuser_mty;
  if (in_packet_ && count != kBeatBytes) Fault("a beat of {} bytes within an H2C packet", count);
  Queue& queue = queues_[qid];
  if (!queue.is_good) {
    counts_.hostile_h2c += m.m_axis_h2c_tlast;
    packet_at_ = 0;
    return;
  }
  if (queue.h2c.empty()) Fault("an H2C packet of queue {} that was not sent", qid);
  const H2cPacket& packet = queue.h2c.front();
  if (packet_at_ + count > packet.bytes.size() ||
      std::memcmp(&m.m_axis_h2c_tdata[0], packet.bytes.data() + packet_at_, count) != 0)
    Fault("an H2C packet of queue {} differs from byte {} on, of {}", qid, packet_at_,
          packet.bytes.size());
  if (m.m_axis_h2c_tuser_mdata != packet.metadata)
    Fault("an H2C packet of queue {} has metadata {:#x}, not {:#x}", qid,
          uint32_t{m.m_axis_h2c_tuser_mdata}, packet.metadata);
  if (m.m_axis_h2c_tuser_err) Fault("an H2C packet of queue {} has an error", qid);
  packet_at_ += count;
  if (in_packet_) return;
  if (packet_at_ != packet.bytes.size())
    Fault("an H2C packet of queue {} ends at {}, not at {}", qid, packet_at_, packet.bytes.size());
  queue.h2c.pop_front();
  packet_at_ = 0;
  ++counts_.h2c;
}

void StreamUser::TakeAnswer(unsigned qid, unsigned answer) {
  if (accepted_.empty()) Fault("an answer to no ask");
  Ask ask = std::move(accepted_.front());
  accepted_.pop_front();
  if (ask.qid != qid) Fault("an answer for queue {}, asked for was {}", qid, ask.qid);
  Queue& queue = queues_[qid];
  C2hPacket& packet = ask.packet;
  ++packet.asks;
  switch (answer) {
    case kYes:
      ++counts_.granted;
      ++(queue.is_good ? counts_.c2h : counts_.hostile_c2h);
      grants_.push_back({.qid = qid,
                         .asked = packet.asked,
                         .bytes = packet.bytes,
                         .user = packet.user,
                         .is_marker = packet.is_marker});
      if (queue.is_good) on_granted(qid, std::move(packet));
      return;
    case kHold:
      ++counts_.held;
      if (!queue.is_good && packet.asks >= kMostAsks) return;
      if (queue.events == ask.events) queue.is_blocked = true;
      queue.c2h.push_front(std::move(packet));
      List(qid);
      return;
    case kDrop:
      ++counts_.dropped;
      break;
    case kInvalid:
      ++counts_.invalid;
      break;
    case kTooLong:
      ++counts_.too_long;
      break;
    default:
      Fault("answer {} to an ask", answer);
  }
  if (queue.is_good) Fault("answer {} to an ask of queue {}, whose driver is good", answer, qid);
}

void StreamUser::TakeDone(const QdmaModel& m) {
  if (sent_.empty()) Fault("a C2H packet is done that was not sent");
  const Sent sent = sent_.front();
  sent_.pop_front();
  if (m.c2h_done_qid != sent.qid || m.c2h_done_marker != sent.is_marker)
    Fault("a C2H packet of queue {} is done, not of {}", unsigned{m.c2h_done_qid}, sent.qid);
  if (!m.c2h_done_stopped && m.c2h_done_mismatched == sent.is_right)
    Fault("the length of a C2H packet of queue {} is called {}", sent.qid,
          sent.is_right ? "wrong" : "right");
  if (queues_[sent.qid].is_good && m.c2h_done_stopped)
    Fault("a C2H packet of queue {} is stopped, whose driver is good", sent.qid);
  counts_.mismatched += m.c2h_done_mismatched;
  counts_.stopped += m.c2h_done_stopped;
}

void StreamUser::CheckCounts(const QdmaModel& m) const {
  const auto equal = [](const char* name, uint64_t found, uint64_t wanted) {
    if (static_cast<uint32_t>(found) != static_cast<uint32_t>(wanted))
      Fault("{} is {}, not {}", name, found, wanted);
  };
  equal("stat_c2h_granted", m.stat_c2h_granted, counts_.granted);
  equal("stat_c2h_held", m.stat_c2h_held, counts_.held);
  equal("stat_c2h_invalid", m.stat_c2h_invalid, counts_.invalid);
  equal("stat_c2h_too_long", m.stat_c2h_too_long, counts_.too_long);
  equal("stat_c2h_no_buffers and stat_c2h_ring_full",
        uint64_t{m.stat_c2h_no_buffers} + m.stat_c2h_ring_full, counts_.dropped);
  equal("stat_c2h_mismatched", m.stat_c2h_mismatched, counts_.mismatched);
  equal("stat_c2h_stopped", m.stat_c2h_stopped, counts_.stopped);
}

}  // namespace ullnic::fuzz
