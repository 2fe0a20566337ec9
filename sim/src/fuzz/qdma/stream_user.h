// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// The user's side of the streams. H2C packets of good queues must be those that were announced, in
// order, byte by byte; those of hostile queues are only counted. C2H packets are asked for, and
// sent when they are granted; those of good queues come again after the queue's event when they
// were held, and no other answer is right. The user pauses, but never for long.
#pragma once

#include <array>
#include <deque>
#include <functional>

#include "core/frame.h"
#include "core/rng.h"
#include "fuzz/qdma/model.h"

namespace ullnic::fuzz {

struct H2cPacket {
  Bytes bytes;
  uint32_t metadata = 0;
};
struct C2hPacket {
  Bytes bytes;
  uint64_t user = 0;   // of its entry
  unsigned asked = 0;  // bytes that it is asked for with
  bool is_marker = false, has_entry = true;
  unsigned asks = 0;  // so far
};

class StreamUser {
 public:
  struct Counts {
    uint64_t h2c = 0, hostile_h2c = 0, c2h = 0, hostile_c2h = 0, asks = 0, granted = 0, held = 0,
             dropped = 0, invalid = 0, too_long = 0, mismatched = 0, stopped = 0, events = 0;
  };

  explicit StreamUser(Rng rng) : rng_(rng) {}

  void SetGood(unsigned qid, bool good);
  void ExpectH2c(unsigned qid, H2cPacket packet) { queues_[qid].h2c.push_back(std::move(packet)); }
  size_t h2c_waiting(unsigned qid) const { return queues_[qid].h2c.size(); }
  void SendC2h(unsigned qid, C2hPacket packet);
  // Those of hostile queues that have not been asked for are forgotten.
  void DropHostile();
  size_t c2h_waiting(unsigned qid) const { return queues_[qid].c2h.size(); }

  void Drive(QdmaModel& model);
  void Clock(const QdmaModel& model);

  // Nothing is asked for, granted or in progress, but for packets of good queues that are held.
  bool idle() const {
    return asks_.empty() && accepted_.empty() && to_ask_.empty() && grants_.empty() &&
           sent_.empty() && !in_packet_;
  }
  // The answers, packets and stops that the core has counted are those that were seen.
  void CheckCounts(const QdmaModel& model) const;
  const Counts& counts() const { return counts_; }

  std::function<void(unsigned qid, C2hPacket&& packet)> on_granted;  // of a good queue
  double h2c_pause = 0, c2h_pause = 0;                               // that a pause begins

 private:
  static constexpr uint64_t kMostPause = 60;

  struct Queue {
    bool is_good = false;
    std::deque<H2cPacket> h2c;
    std::deque<C2hPacket> c2h;  // not asked for
    uint32_t events = 0;
    bool is_blocked = false, is_listed = false;
  };
  struct Ask {
    unsigned qid = 0;
    uint32_t events = 0;
    C2hPacket packet;
  };
  struct Grant {
    unsigned qid = 0, asked = 0;
    Bytes bytes;
    uint64_t user = 0;
    bool is_marker = false;
  };
  struct Sent {
    unsigned qid = 0;
    bool is_marker = false, is_right = false;
  };

  void List(unsigned qid);
  void TakeBeat(const QdmaModel& model);
  void TakeAnswer(unsigned qid, unsigned answer);
  void TakeDone(const QdmaModel& model);
  void Event(unsigned qid);

  Rng rng_;
  std::array<Queue, 2048> queues_;
  std::deque<unsigned> to_ask_;  // queues with packets that may be asked for
  std::deque<Ask> asks_;         // the first may be shown; those accepted wait for the answer
  std::deque<Ask> accepted_;
  bool ask_is_shown_ = false, beat_is_shown_ = false;
  std::deque<Grant> grants_;
  size_t at_ = 0;  // of the oldest grant
  std::deque<Sent> sent_;
  uint64_t h2c_pause_left_ = 0, c2h_pause_left_ = 0;
  bool in_packet_ = false;
  unsigned packet_qid_ = 0;
  size_t packet_at_ = 0;
  uint64_t waited_ = 0;
  Counts counts_;
};

}  // namespace ullnic::fuzz
