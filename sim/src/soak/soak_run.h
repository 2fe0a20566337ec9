// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Two ends of a link with separate clocks, full load in both directions, disturbed in episodes.
// After each the link must come up again within kRelockPs, and all frames sent then must arrive.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "card/card.h"
#include "core/scheduler.h"
#include "line/serial_line.h"
#include "soak/disturber.h"
#include "soak/soak_config.h"
#include "soak/way_check.h"

namespace ullnic {

// From the last disturbance to link up at both ends: a high bit error ratio lasts for up to two
// windows of 125 us; block lock tries up to 66 bit positions, 64 blocks each (27 us); then faults
// are signalled in both directions.
constexpr int64_t kRelockPs = 320'000'000;
// A transmitter whose link is up accepts a frame within this time, even the longest one.
constexpr int64_t kHangPs = 60'000'000;

struct SoakCards {
  CardInfo info;
  std::function<std::unique_ptr<Card>(const CardConfig&, const Scheduler&, SerialLine& out,
                                      SerialLine& in)>
      make;
};

struct SoakResult {
  uint64_t sent = 0, delivered = 0, bad = 0, lost = 0;
  uint64_t relocks = 0;  // losses of a receiver's lock
  uint64_t overflows = 0;
  uint64_t cycles = 0;        // of end A's transmit clock
  uint64_t lengths = 0;       // of first_bytes and the steps: received in both directions
  int64_t max_relock_ps = 0;  // from the end of an episode until the link was up
  Disturber::Counts harm;
  std::string failure;  // empty: none

  nlohmann::json Json() const;
};

class SoakRun {
 public:
  SoakRun(const SoakCards& cards, const SoakConfig& config);
  ~SoakRun();
  SoakResult Run();

 private:
  class Observer;

  bool LinkUp() const { return end_[0]->block_lock() && end_[1]->block_lock(); }
  bool Failed() const { return !failure_.empty(); }
  void Fail(const std::string& what);
  void Step();
  void WatchLink();
  void WatchCounters(int end);
  void WatchProgress(int end);
  size_t SteppedLength(int end);
  void SendOne(int end, size_t bytes);
  uint64_t EpisodeCycles(uint64_t frames) const;
  // Until `frames` more have been presented to each end, for at most max_cycles (0: no limit).
  void Traffic(uint64_t frames, uint64_t max_cycles, bool stepped);
  void AwaitLink();
  void Drain();
  void Collect(SoakResult& result);

  const SoakCards& cards_;
  const SoakConfig config_;
  Rng rng_;
  Scheduler scheduler_;
  const Clock* clock_;
  std::unique_ptr<SerialLine> line_[2];
  std::unique_ptr<Card> end_[2];
  WayCheck check_[2];
  std::unique_ptr<Observer> observer_[2];
  std::unique_ptr<Disturber> disturber_;
  uint64_t given_[2] = {};       // frames, including those not offered yet
  uint64_t steps_[2] = {};       // frames with stepped lengths
  size_t backlog_seen_[2] = {};  // for progress
  int64_t progress_ps_[2] = {};
  EndCounters seen_[2];
  int64_t underrun_cause_ps_[2] = {};
  uint64_t cycles_ = 0;
  bool clean_ = false;  // the link is up and undisturbed
  int64_t max_relock_ps_ = 0;
  std::string failure_;
};

}  // namespace ullnic
