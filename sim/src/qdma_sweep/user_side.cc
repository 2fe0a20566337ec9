// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
#include "qdma_sweep/user_side.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace ullnic::qdma_sweep {

namespace {
constexpr unsigned kYes = 0, kHold = 1;  // c2h_answer_e
}

Source::Source(const Point& point, const Pattern& pattern)
    : point_(point),
      pattern_(pattern),
      held_(point.queues),
      event_cycle_(point.queues, -1),
      numbers_(point.queues) {}

void Source::Generate() {
  for (unsigned tries = 0; asks_.size() < 2 && tries < point_.queues; ++tries) {
    const unsigned queue = std::exchange(turn_, (turn_ + 1) % point_.queues);
    if (held_[queue] == 0) asks_.push_back(queue);
  }
}

void Source::Drive(Dma& dma) {
  if (generates_) Generate();
  ask_shown_ = !asks_.empty();
  dma.c2h_ask_valid = ask_shown_;
  if (ask_shown_) {
    dma.c2h_ask_qid = static_cast<uint16_t>(asks_.front());
    dma.c2h_ask_len = static_cast<uint16_t>(point_.size);
    dma.c2h_ask_has_cmpt = 1;
    dma.c2h_ask_marker = 0;
  }
  ShowBeat(dma);
}

void Source::ShowBeat(Dma& dma) {
  beat_shown_ = !granted_queues_.empty() && !is_stalled_;
  dma.s_axis_c2h_tvalid = beat_shown_;
  if (!beat_shown_) return;
  const unsigned queue = granted_queues_.front();
  const auto bytes = pattern_.Of(queue, numbers_[queue], point_.size).subspan(at_);
  const size_t count = std::min<size_t>(bytes.size(), kBeatBytes);
  std::memcpy(dma.s_axis_c2h_tdata.data(), bytes.data(), count);
  dma.s_axis_c2h_tlast = count == bytes.size();
  dma.s_axis_c2h_tuser_mty = static_cast<uint8_t>(kBeatBytes - count);
  dma.s_axis_c2h_tuser_cmpt_data[0] = static_cast<uint32_t>(numbers_[queue] << kUserBit);
  dma.s_axis_c2h_tuser_cmpt_data[kUserWord] = static_cast<uint32_t>(numbers_[queue]);
}

void Source::Seen(const Dma& dma, int64_t cycle) {
  if (ask_shown_ && dma.c2h_ask_ready) {
    asked_.push_back({.queue = asks_.front(), .cycle = cycle});
    asks_.pop_front();
    ask_shown_ = false;
  }
  if (beat_shown_ && dma.s_axis_c2h_tready) {
    at_ += kBeatBytes;
    if (dma.s_axis_c2h_tlast) {
      ++numbers_[granted_queues_.front()];
      granted_queues_.pop_front();
      at_ = 0;
      ++sent_;
      last_beat_cycle_ = cycle;
    }
  }
  if (dma.c2h_answer_valid) Answered(dma.c2h_answer_qid, dma.c2h_answer, cycle);
  if (dma.c2h_buffer_event) Event(dma.c2h_buffer_event_qid, cycle);
  if (dma.c2h_room_event) Event(dma.c2h_room_event_qid, cycle);
  if (dma.c2h_done_valid && (dma.c2h_done_mismatched || dma.c2h_done_stopped)) {
    Fault("a C2H packet was not written as it was sent");
  }
}

void Source::Answered(unsigned queue, unsigned answer, int64_t cycle) {
  if (asked_.empty() || asked_.front().queue != queue) Fault("an answer of another ask");
  const Ask ask = asked_.front();
  asked_.pop_front();
  if (answer == kYes) {
    granted_queues_.push_back(queue);
    ++granted_;
  } else if (answer != kHold) {
    Fault(fmt::format("queue {}: a C2H packet is refused, with answer {}", queue, answer));
  } else {
    ++held_count_;
    ++held_[queue];
    // An event after the request applies to it.
    if (event_cycle_[queue] > ask.cycle) Event(queue, cycle);
  }
}

void Source::Event(unsigned queue, int64_t cycle) {
  event_cycle_[queue] = std::max(event_cycle_[queue], cycle);
  // After the request that is on the port
  asks_.insert(asks_.begin() + (ask_shown_ ? 1 : 0), held_[queue], queue);
  held_[queue] = 0;
}

void Sink::Seen(const Dma& dma) {
  if (!ready_ || !dma.m_axis_h2c_tvalid) return;
  const unsigned queue = dma.m_axis_h2c_tuser_qid;
  const auto* const bytes = reinterpret_cast<const uint8_t*>(dma.m_axis_h2c_tdata.data());
  open_.insert(open_.end(), bytes, bytes + kBeatBytes - dma.m_axis_h2c_tuser_mty);
  if (!dma.m_axis_h2c_tlast) return;
  if (queue >= point_.queues || dma.m_axis_h2c_tuser_err) {
    Fault(fmt::format("an H2C packet of queue {} with an error", queue));
  }
  if (!std::ranges::equal(open_, pattern_.Of(queue, numbers_[queue], point_.size))) {
    Fault(fmt::format("queue {}: H2C packet {} is not what was posted", queue, numbers_[queue]));
  }
  ++numbers_[queue];
  ++packets_;
  open_.clear();
  on_packet(queue);
}

}  // namespace ullnic::qdma_sweep
