// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0

#include "fuzz/ate/user.h"

#include "fuzz/ate/connections.h"

namespace ullnic::fuzz {
namespace {

constexpr bool kPrefetch = AteModel::kWidth == 16;
// The last cycles in which metadata are in time: README.md, When metadata are due.
constexpr int kConnDue = AteModel::kAmend ? 0 : -1;
constexpr int kLengthDue = kPrefetch ? 0 : AteModel::kAmend ? 5 : 4;
constexpr int kCsumDue = kPrefetch ? 0 : AteModel::kAmend ? 12 : 11;
constexpr int kQuiet = 8;  // cycles without a frame: an accidental start has ended

std::vector<uint32_t> Words(const Bytes& bytes) {
  std::vector<uint32_t> words((std::max<size_t>(bytes.size(), 1) + 3) / 4);
  for (size_t i = 0; i < bytes.size(); ++i) words[i / 4] |= uint32_t{bytes[i]} << (i % 4 * 8);
  return words;
}

}  // namespace

const std::array<const char*, static_cast<size_t>(UserAct::kActs)> kUserActNames = {
    "payload", "raw",      "no_connection", "words",   "last_bytes", "too_long", "late", "changed",
    "closed",  "raw_long", "raw_open",      "raw_cut", "withdrawn",  "start",    "chaos"};

void User::SetPayload(UserFrame& frame, size_t bytes) {
  frame.bytes.resize(bytes);
  for (uint8_t& byte : frame.bytes) byte = static_cast<uint8_t>(rng_.Next() >> 32);
  frame.words = Words(frame.bytes);
  frame.len = bytes % 4;
  frame.length = static_cast<uint16_t>(bytes);
  frame.csum = PayloadSum(frame.bytes);
}

UserFrame User::Good(bool strict) {
  UserFrame frame;
  frame.gap = static_cast<int>(rng_.Chance(0.4)   ? 0
                               : rng_.Chance(0.8) ? rng_.Below(12)
                                                  : rng_.Below(70));
  if (rng_.Chance(0.3)) {
    frame.act = UserAct::kRaw;
    frame.raw = true;
    SetPayload(frame, rng_.Range(14, rng_.Chance(0.8) ? 80 : kMaxRaw));
    const std::array<uint8_t, 4> tag = {0x02, 'U', 'G', 0xa5};
    std::copy(tag.begin(), tag.end(), frame.bytes.begin());
    for (int i = 0; i < 4; ++i) frame.bytes[4 + i] = static_cast<uint8_t>(number_ >> (8 * i));
    ++number_;
    frame.words = Words(frame.bytes);
    return frame;
  }
  frame.conn = static_cast<uint16_t>(kUserGood + rng_.Below(4));
  SetPayload(frame, rng_.Chance(0.1) ? 0 : rng_.Range(1, rng_.Chance(0.7) ? 16 : kMaxPayload));
  const bool last_moment = rng_.Chance(0.3);
  frame.conn_at = last_moment ? kConnDue : -static_cast<int>(rng_.Range(-kConnDue, 4));
  frame.length_at = last_moment ? kLengthDue : static_cast<int>(rng_.Below(kLengthDue + 1));
  frame.csum_at = last_moment ? kCsumDue : static_cast<int>(rng_.Below(kCsumDue + 1));
  if (strict) {
    frame.conn_at = std::min(frame.conn_at, -1);
    frame.length_at = -static_cast<int>(rng_.Range(1, 3));
  }
  // Metadata that are due before the first word need the time.
  frame.gap = std::max({frame.gap, -frame.conn_at, -frame.length_at});
  return frame;
}

UserFrame User::Bad(UserAct act, bool strict) {
  UserFrame frame = Good(strict);
  frame.act = act;
  frame.raw = act == UserAct::kRawLong || act == UserAct::kRawOpen || act == UserAct::kRawCut;
  frame.conn = static_cast<uint16_t>(kUserHostile + rng_.Below(4));
  SetPayload(frame, rng_.Chance(0.1) ? 0 : rng_.Range(1, kMaxPayload));
  switch (act) {
    case UserAct::kNoConnection:
      if (rng_.Chance(0.7)) frame.conn = static_cast<uint16_t>(rng_.Range(kConnections, 0xffff));
      break;
    case UserAct::kWords:
      frame.eof = rng_.Chance(0.7);
      frame.length = static_cast<uint16_t>(rng_.Below(kMaxPayload + 1));
      break;
    case UserAct::kLastBytes:
      frame.len = static_cast<uint8_t>(rng_.Below(4));
      break;
    case UserAct::kTooLong:
      frame.length = static_cast<uint16_t>(rng_.Range(kMaxPayload + 1, 0xffff));
      if (rng_.Chance(0.5)) frame.words.resize(rng_.Range(26, 60));
      break;
    case UserAct::kLate:
      frame.conn_at = kConnDue + static_cast<int>(rng_.Below(3));
      frame.length_at = static_cast<int>(rng_.Range(0, 16));
      frame.csum_at = static_cast<int>(rng_.Range(0, 20));
      break;
    case UserAct::kChanged:
      frame.change_at = static_cast<int>(rng_.Range(1, 14));
      break;
    case UserAct::kRawLong:
      frame.words.assign(rng_.Range(kMaxRaw / 4 + 1, kMaxRaw / 4 + 20), rng_.Word());
      frame.eof = rng_.Chance(0.8);
      break;
    case UserAct::kRawOpen:
    case UserAct::kRawCut:
      // Often so long that the next frame reaches the limit.
      frame.words.assign(
          rng_.Chance(0.6) ? rng_.Range(kMaxRaw / 4 - 2, kMaxRaw / 4 + 1) : rng_.Range(1, 63),
          rng_.Word());
      frame.eof = false;
      break;
    case UserAct::kWithdrawn:
      frame.withdraw_at = static_cast<int>(rng_.Range(1, 8));
      break;
    case UserAct::kStart:
      frame.chaos = 1;
      frame.words.clear();
      break;
    case UserAct::kChaos:
      frame.chaos = static_cast<int>(rng_.Range(1, 80));
      frame.words.clear();
      break;
    default:
      break;
  }
  return frame;
}

void User::Drive(AteModel& model) {
  ULLNIC_ATE_MODEL& m = model.ports();
  m.tx_sof_net = m.tx_eof_net = m.tx_start = 0;
  if (calm_ > 0) {
    // A frame started by an invalid offer continues by itself, with whatever is presented.
    calm_ = model.frame_under_way() ? kQuiet : calm_ - 1;
    return;
  }
  if (frames_.empty()) return;
  UserFrame& frame = frames_.front();
  if (!loaded_) {
    loaded_ = true;
    gap_ = frame.gap;
    chaos_ = frame.chaos;
  }
  if (frame.words.empty()) {
    DriveChaos(m);
    if (--chaos_ == 0) {
      Next();
      calm_ = kQuiet;
    }
    return;
  }
  if (!shown_) {
    if (gap_ > 0) {
      m.payload_conn_id = -gap_ >= frame.conn_at ? frame.conn : frame.conn ^ 1;
      m.payload_length =
          -gap_ >= frame.length_at ? frame.length : static_cast<uint16_t>(~frame.length);
      m.tx_data_net = rng_.Word();
      --gap_;
      return;
    }
    shown_ = true;
    since_ = 0;
    at_ = 0;
    waited_ = 0;
  }
  if (at_ == 0 && since_ >= frame.withdraw_at) {
    Next();
    calm_ = kQuiet;
    return;
  }
  DriveWord(m, frame);
}

void User::DriveWord(ULLNIC_ATE_MODEL& m, const UserFrame& frame) {
  const bool length_right = since_ >= frame.length_at && since_ < frame.change_at;
  m.tx_sof_net = at_ == 0;
  m.tx_eof_net = frame.eof && at_ + 1 == frame.words.size();
  m.tx_len_net = frame.len;
  m.tx_raw_net = frame.raw;
  m.tx_data_net = frame.words[at_];
  m.payload_conn_id = since_ >= frame.conn_at ? frame.conn : frame.conn ^ 1;
  m.payload_length = length_right ? frame.length : static_cast<uint16_t>(~frame.length);
  m.payload_csum = since_ >= frame.csum_at ? frame.csum : ~frame.csum;
}

void User::DriveChaos(ULLNIC_ATE_MODEL& m) {
  const uint64_t bits = rng_.Next();
  m.tx_start = (bits & 7) == 0 || frames_.front().act == UserAct::kStart;
  if (frames_.front().act == UserAct::kStart) return;
  m.tx_sof_net = (bits >> 3 & 3) == 0;
  m.tx_eof_net = (bits >> 5 & 3) == 0;
  m.tx_len_net = bits >> 7 & 3;
  m.tx_raw_net = bits >> 9 & 1;
  m.tx_data_net = static_cast<uint32_t>(bits >> 32);
  m.payload_conn_id = static_cast<uint16_t>(kUserHostile + (bits >> 10 & 3));
  m.payload_length = static_cast<uint16_t>(bits >> 12 & 127);
  m.payload_csum = static_cast<uint32_t>(bits >> 20);
}

}  // namespace ullnic::fuzz
