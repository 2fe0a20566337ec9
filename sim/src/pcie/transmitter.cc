// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
#include "pcie/transmitter.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace ullnic::pcie {

namespace {
constexpr int64_t kNever = std::numeric_limits<int64_t>::max();
constexpr auto kPostedIndex = static_cast<size_t>(Kind::kPosted);
}  // namespace

Transmitter::Transmitter(const LinkSettings& settings, std::array<CreditLimit, kKinds> limits)
    : wire_(settings),
      propagation_ps_(settings.propagation_ps),
      credits_{Credits(limits[0]), Credits(limits[1]), Credits(limits[2])} {}

void Transmitter::Offer(Tlp tlp, int64_t now_ps) {
  const auto kind = static_cast<size_t>(tlp.kind);
  bytes_[kind] += static_cast<size_t>(tlp.wire_bytes());
  queues_[kind].push_back({.order = order_++, .ready_ps = now_ps, .tlp = std::move(tlp)});
}

void Transmitter::ReturnCredits(const Returned& returned, int64_t now_ps) {
  for (size_t kind = 0; kind < kKinds; ++kind) {
    if (returned[kind].headers == 0) continue;
    credits_[kind].Return(returned[kind]);
    credits_ps_[kind] = now_ps;
  }
}

Transmitter::Next Transmitter::Choose() const {
  Next next = {.kind = -1, .at_ps = kNever};
  const auto& posted = queues_[kPostedIndex];
  const uint64_t barrier = posted.empty() ? order_ : posted.front().order;
  uint64_t best = order_;
  for (size_t kind = 0; kind < kKinds; ++kind) {
    if (queues_[kind].empty()) continue;
    const Waiting& head = queues_[kind].front();
    if (head.order > barrier || !credits_[kind].Have(head.tlp.data_credits())) continue;
    const int64_t at = std::max({wire_.free_ps(), head.ready_ps, credits_ps_[kind]});
    if (at > next.at_ps || (at == next.at_ps && head.order > best)) continue;
    next = {.kind = static_cast<int>(kind), .at_ps = at};
    best = head.order;
  }
  return next;
}

void Transmitter::SendHead(size_t kind) {
  auto& queue = queues_[kind];
  const int64_t ready_ps = std::max(queue.front().ready_ps, credits_ps_[kind]);
  Tlp tlp = std::move(queue.front().tlp);
  queue.pop_front();
  bytes_[kind] -= static_cast<size_t>(tlp.wire_bytes());
  credits_[kind].Use(tlp.data_credits());
  ++begun_[kind];
  const int64_t end = wire_.Send(tlp.wire_bytes(), ready_ps) + propagation_ps_;
  sent.push_back({.at_ps = end, .tlp = std::move(tlp)});
}

void Transmitter::Advance(int64_t until_ps) {
  while (true) {
    const Next next = Choose();
    const int64_t dllps_at =
        dllps_.empty() ? kNever : std::max(wire_.free_ps(), dllps_.front().at_ps);
    if (std::min(next.at_ps, dllps_at) >= until_ps) return;
    if (dllps_at <= next.at_ps) {
      const int64_t end = wire_.Send(2 * kDllpBytes, dllps_.front().at_ps) + propagation_ps_;
      sent_dllps.push_back({.at_ps = end, .returned = dllps_.front().returned});
      dllps_.pop_front();
    } else {
      SendHead(static_cast<size_t>(next.kind));
    }
  }
}

bool Transmitter::idle() const {
  return std::ranges::all_of(queues_, [](const auto& queue) { return queue.empty(); }) &&
         sent.empty();
}

}  // namespace ullnic::pcie
