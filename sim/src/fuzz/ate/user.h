// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// User logic at the engine: frames that use the full timing freedom of cores/ate/README.md, and
// frames that violate one rule each.
#pragma once

#include <deque>

#include "fuzz/ate/model.h"

namespace ullnic::fuzz {

enum class UserAct : uint8_t {
  kPayload,  // these two are correct
  kRaw,
  kNoConnection,  // not enabled, or beyond the table
  kWords,         // tx_eof_net too early, too late, or missing
  kLastBytes,     // a wrong tx_len_net
  kTooLong,       // payload_length over MAX_PAYLOAD
  kLate,          // metadata later than due
  kChanged,       // metadata change before tx_ack_net
  kClosed,        // the window may be closed
  kRawLong,       // over MAX_RAW
  kRawOpen,       // no tx_eof_net: truncated by the next frame, also in the cycle of its limit
  kRawCut,        // the next frame has one word
  kWithdrawn,     // tx_sof_net falls before tx_ack_net
  kStart,         // tx_start without a frame
  kChaos,         // every input is random
  kActs
};
extern const std::array<const char*, static_cast<size_t>(UserAct::kActs)> kUserActNames;

struct UserFrame {
  UserAct act = UserAct::kPayload;
  bool raw = false, eof = true;
  std::vector<uint32_t> words;
  uint8_t len = 0;
  uint16_t conn = 0, length = 0;
  uint32_t csum = 0;
  Bytes bytes;  // expected on the line, if correct: payload or raw frame
  int gap = 0;  // cycles before it
  // Cycles from tx_sof_net on at which each is valid; negative: before
  int conn_at = 0, length_at = 0, csum_at = 0;
  int change_at = INT_MAX;  // payload_length becomes wrong again
  int withdraw_at = INT_MAX;
  int chaos = 0;  // cycles

  bool good() const { return act == UserAct::kPayload || act == UserAct::kRaw; }
};

class User {
 public:
  explicit User(uint64_t seed) : rng_(Rng::Stream(seed, 2)) {}

  // A correct frame; strict: by the rules of strict mode.
  UserFrame Good(bool strict);
  UserFrame Bad(UserAct act, bool strict);
  void Offer(UserFrame frame) { frames_.push_back(std::move(frame)); }

  void Drive(AteModel& model);
  // After Settle(): reads the engine's outputs. `on_begin` is called when a frame is first
  // presented.
  template <class F>
  void Sample(const AteModel& model, F&& on_begin);

  bool idle() const { return frames_.empty(); }
  bool shows_first() const { return shown_ && since_ == 0; }
  int since() const { return since_; }
  // Correct frames whose last word the engine has accepted and dropped.
  uint64_t dropped() const { return dropped_; }
  // Cycles for which the offered word has waited.
  uint64_t waited() const { return waited_; }

 private:
  void DriveWord(ULLNIC_ATE_MODEL& m, const UserFrame& frame);
  void DriveChaos(ULLNIC_ATE_MODEL& m);
  void SetPayload(UserFrame& frame, size_t bytes);
  void Next() {
    frames_.pop_front();
    shown_ = loaded_ = false;
  }

  Rng rng_;
  std::deque<UserFrame> frames_;
  bool loaded_ = false, shown_ = false;
  int gap_ = 0, since_ = 0, chaos_ = 0, calm_ = 0;
  size_t at_ = 0;
  uint64_t waited_ = 0, dropped_ = 0;
  uint32_t number_ = 0;
};

template <class F>
void User::Sample(const AteModel& model, F&& on_begin) {
  if (frames_.empty() || !shown_) return;
  const UserFrame& frame = frames_.front();
  if (frame.act == UserAct::kChaos) return;
  if (since_ == 0 && at_ == 0) on_begin(frame);
  ++since_;
  if (!model.ports().tx_ack_net) {
    ++waited_;
    return;
  }
  waited_ = 0;
  if (++at_ < frame.words.size()) return;
  dropped_ += frame.good() && model.ports().tx_drop_net;
  Next();
}

}  // namespace ullnic::fuzz
