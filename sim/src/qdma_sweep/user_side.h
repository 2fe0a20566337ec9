// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// The user of the card's streams. Its sink accepts H2C packets and checks them. Its source requests
// C2H packets, and sends those that are granted: as many as possible of each queue in turn, or
// those that the sink has accepted (forwarding). A held request waits for an event of its queue.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <vector>

#include "qdma_sweep/dma.h"
#include "qdma_sweep/pattern.h"
#include "qdma_sweep/settings.h"

namespace ullnic::qdma_sweep {

class Source {
 public:
  Source(const Point& point, const Pattern& pattern);

  // Requests to send the next packet of a queue.
  void Offer(unsigned queue) { asks_.push_back(queue); }
  // C2H: generates packets of all queues in turn, until stopped.
  void set_generates(bool generates) { generates_ = generates; }
  // Packets are requested, but no beat is sent.
  void set_stalled(bool stalled) { is_stalled_ = stalled; }
  void Drive(Dma& dma);
  void Seen(const Dma& dma, int64_t cycle);

  uint64_t granted() const { return granted_; }
  uint64_t sent() const { return sent_; }
  uint64_t held() const { return held_count_; }
  size_t waiting() const { return granted_queues_.size() + asks_.size() + asked_.size(); }
  int64_t last_beat_cycle() const { return last_beat_cycle_; }

 private:
  struct Ask {
    unsigned queue;
    int64_t cycle;
  };
  void Generate();
  void ShowBeat(Dma& dma);
  void Answered(unsigned queue, unsigned answer, int64_t cycle);
  void Event(unsigned queue, int64_t cycle);

  const Point point_;
  const Pattern& pattern_;
  std::deque<unsigned> asks_;            // the first one is on the port
  std::deque<Ask> asked_;                // unanswered
  std::vector<unsigned> held_;           // packets, by queue
  std::vector<int64_t> event_cycle_;     // the last, by queue
  std::vector<uint64_t> numbers_;        // of the next packet, by queue
  std::deque<unsigned> granted_queues_;  // in the order of the grants; the first one is being sent
  size_t at_ = 0;                        // bytes of it
  unsigned turn_ = 0;
  bool generates_ = false, is_stalled_ = false, ask_shown_ = false, beat_shown_ = false;
  uint64_t granted_ = 0, sent_ = 0, held_count_ = 0;
  int64_t last_beat_cycle_ = 0;
};

class Sink {
 public:
  Sink(const Point& point, const Pattern& pattern)
      : point_(point), pattern_(pattern), numbers_(point.queues) {}

  // Called with the queue of each received packet.
  std::function<void(unsigned queue)> on_packet = [](unsigned) {};

  void Drive(Dma& dma, bool ready) { dma.m_axis_h2c_tready = ready_ = ready; }
  void Seen(const Dma& dma);
  uint64_t packets() const { return packets_; }

 private:
  const Point point_;
  const Pattern& pattern_;
  std::vector<uint64_t> numbers_;  // of the next packet, by queue
  std::vector<uint8_t> open_;
  bool ready_ = false;
  uint64_t packets_ = 0;
};

}  // namespace ullnic::qdma_sweep
