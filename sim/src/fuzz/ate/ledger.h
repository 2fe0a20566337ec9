// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Frames that the engine must send, and has sent: each correct frame in order and byte for byte,
// and the mirror's frames against those of the line.
#pragma once

#include <algorithm>
#include <deque>
#include <string>

#include "fuzz/ate/connections.h"
#include "fuzz/ate/model.h"

namespace ullnic::fuzz {

struct Due {
  bool raw = false;
  unsigned conn = 0;
  Bytes bytes;
};

class Ledger {
 public:
  std::array<Connection, kConnections> connections{};
  std::deque<Due> user_due, host_due;
  bool may_refuse = false;  // frames without room in the mirror
  // Since Begin(): frames that were missing, raw frames, those of the mirror.
  uint64_t missing = 0, raw_left = 0, mirrored = 0, mirrored_bad = 0;
  uint64_t checked = 0;  // in total

  void Begin() { missing = raw_left = mirrored = mirrored_bad = 0; }
  // Nothing is in flight: frames that were not mirrored were raw.
  void Settle() {
    raw_left += to_mirror_.size();
    to_mirror_.clear();
  }

  static bool Hostile(unsigned index) {
    return index >= kHostHostile || (index >= kUserHostile && index < kHostGood);
  }

  void Left(const LeftFrame& frame) {
    to_mirror_.push_back(frame);
    if (frame.bad) return;
    if (StartsAs(frame.bytes, 'U') || StartsAs(frame.bytes, 'H')) {
      Expect(StartsAs(frame.bytes, 'U') ? user_due : host_due, -1, frame.bytes);
      return;
    }
    const int conn = ConnectionOf(frame.bytes);
    if (conn < 0) return;  // raw, by a misuse
    if (!Hostile(static_cast<unsigned>(conn))) {
      Expect(conn < static_cast<int>(kHostGood) ? user_due : host_due, conn, frame.bytes);
    }
  }

  void Mirror(const ULLNIC_ATE_MODEL& m) {
    if (!m.m_mirror_tvalid || !m.m_mirror_tready) return;
    for (unsigned i = 0; i < 4; ++i) {
      if (m.m_mirror_tkeep >> i & 1)
        mirror_.bytes.push_back(static_cast<uint8_t>(m.m_mirror_tdata >> (8 * i)));
    }
    if (!m.m_mirror_tlast) return;
    mirror_.bad = m.m_mirror_tuser;
    for (; !to_mirror_.empty(); to_mirror_.pop_front()) {
      if (Same(to_mirror_.front(), mirror_)) break;
      ++raw_left;  // raw frames are not mirrored
    }
    if (to_mirror_.empty())
      Fault("the mirror shows a frame of {} bytes that has not left so", mirror_.bytes.size());
    ++mirrored;
    mirrored_bad += mirror_.bad;
    CheckLength(mirror_);
    to_mirror_.pop_front();
    mirror_ = {};
  }

 private:
  static bool StartsAs(const Bytes& frame, char who) {
    return frame.size() > 8 && frame[0] == 0x02 && frame[1] == who && frame[2] == 'G' &&
           frame[3] == 0xa5;
  }

  void Expect(std::deque<Due>& due, int conn, const Bytes& frame) {
    std::string differs = "nothing is due";
    while (!due.empty()) {
      const Due next = std::move(due.front());
      due.pop_front();
      if (next.raw == (conn < 0) && (next.raw || next.conn == static_cast<unsigned>(conn))) {
        differs = next.raw ? (next.bytes == frame ? "" : "it is not the raw frame that was given")
                           : connections[next.conn].Differs(frame, next.bytes, false);
        if (differs.empty()) {
          ++checked;
          if (!next.raw) connections[next.conn].seq += static_cast<uint32_t>(next.bytes.size());
          return;
        }
      }
      // The engine may refuse a frame without room in the mirror.
      if (differs.empty() || next.conn != static_cast<unsigned>(conn))
        differs = fmt::format("{} bytes of connection {} are due", next.bytes.size(), next.conn);
      ++missing;
      if (&due == &host_due || !may_refuse) break;
    }
    Fault("a frame of {} bytes with a right FCS, connection {}: {}", frame.size(), conn, differs);
  }

  // With 16 bits a frame's MAC addresses are those of up to four cycles before it (README.md): the
  // mirror's may be newer, as may the length in a frame that ends with a bad FCS.
  static bool Same(const LeftFrame& left, const LeftFrame& mirror) {
    const int conn = ConnectionOf(left.bytes);
    const bool steady =
        AteModel::kWidth == 32 || (!left.bad && conn >= 0 && !Hostile(static_cast<unsigned>(conn)));
    const size_t from = std::min<size_t>(steady ? 0 : left.bad ? 22 : 12, left.bytes.size());
    return left.bad == mirror.bad && left.bytes.size() == mirror.bytes.size() &&
           std::equal(left.bytes.begin() + static_cast<ptrdiff_t>(from), left.bytes.end(),
                      mirror.bytes.begin() + static_cast<ptrdiff_t>(from));
  }

  // A frame whose header does not match its words must have a bad FCS.
  static void CheckLength(const LeftFrame& frame) {
    std::string wrong;
    PayloadAt(frame.bytes, wrong);
    if (!frame.bad && !wrong.empty()) Fault("an accelerated frame with a right FCS: {}", wrong);
  }

  std::deque<LeftFrame> to_mirror_;
  LeftFrame mirror_;
};

}  // namespace ullnic::fuzz
