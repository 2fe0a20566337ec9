// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// One end's transmit side: queued TLPs of three kinds, the far end's credits, pending DLLPs, and
// the wire.
//
// Order: first come, first served. A TLP that lacks credits is passed by those of other kinds, but
// nothing passes a waiting posted TLP: a completion or read must not overtake the write before it
// (PCI Express Base 2.4.1).
#pragma once

#include <array>
#include <cstdint>
#include <deque>

#include "pcie/credits.h"
#include "pcie/tlp.h"
#include "pcie/wire.h"

namespace ullnic::pcie {

using Returned = std::array<CreditCount, kKinds>;  // by kind

class Transmitter {
 public:
  struct Sent {
    int64_t at_ps;  // when its last byte is at the far end
    Tlp tlp;
  };
  struct SentDllps {
    int64_t at_ps;
    Returned returned;
  };

  Transmitter(const LinkSettings& settings, std::array<CreditLimit, kKinds> limits);

  void Offer(Tlp tlp, int64_t now_ps);
  // An ACK and an UpdateFC, which returns these credits.
  void OfferDllps(const Returned& returned, int64_t now_ps) {
    dllps_.push_back({.at_ps = now_ps, .returned = returned});
  }
  void ReturnCredits(const Returned& returned, int64_t now_ps);
  // Sends everything that can start before `until_ps`.
  void Advance(int64_t until_ps);

  size_t waiting(Kind kind) const { return queues_[static_cast<size_t>(kind)].size(); }
  size_t waiting_bytes(Kind kind) const { return bytes_[static_cast<size_t>(kind)]; }
  // Number of TLPs of this kind that have been started.
  uint64_t begun(Kind kind) const { return begun_[static_cast<size_t>(kind)]; }
  bool idle() const;
  const Wire& wire() const { return wire_; }

  std::deque<Sent> sent;  // consumed by the Link
  std::deque<SentDllps> sent_dllps;

 private:
  struct Waiting {
    uint64_t order;
    int64_t ready_ps;
    Tlp tlp;
  };
  struct Next {
    int kind = -1;  // none
    int64_t at_ps = 0;
  };
  // The TLP that can start first, with the available credits.
  Next Choose() const;
  void SendHead(size_t kind);

  Wire wire_;
  int64_t propagation_ps_;
  std::array<Credits, kKinds> credits_;
  std::array<std::deque<Waiting>, kKinds> queues_;
  std::array<int64_t, kKinds> credits_ps_{};  // when the last ones came
  std::array<size_t, kKinds> bytes_{};
  std::array<uint64_t, kKinds> begun_{};
  std::deque<SentDllps> dllps_;
  uint64_t order_ = 0;
};

}  // namespace ullnic::pcie
