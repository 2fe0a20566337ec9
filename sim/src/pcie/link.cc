// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
#include "pcie/link.h"

#include <utility>

namespace ullnic::pcie {

namespace {

// Delivers TLPs received by now to the far end; each makes an ACK and credits pending.
void Deliver(Transmitter& from, Transmitter& to, Receipts& receipts,
             std::deque<Transmitter::Sent>& arrived, int64_t now_ps) {
  while (!from.sent.empty() && from.sent.front().at_ps <= now_ps) {
    receipts.Came(from.sent.front().at_ps);
    receipts.Advance(to, from.sent.front().at_ps);
    arrived.push_back(std::move(from.sent.front()));
    from.sent.pop_front();
  }
  while (!from.sent_dllps.empty() && from.sent_dllps.front().at_ps <= now_ps) {
    to.ReturnCredits(from.sent_dllps.front().returned, now_ps);
    from.sent_dllps.pop_front();
  }
}

}  // namespace

void Receipts::Came(int64_t now_ps) {
  ++tlps_;
  if (since_ps_ < 0) since_ps_ = now_ps;
}

void Receipts::Consumed(const Tlp& tlp, int64_t now_ps) {
  CreditCount& count = returned_[static_cast<size_t>(tlp.kind)];
  ++count.headers;
  count.data += tlp.data_credits();
  if (since_ps_ < 0) since_ps_ = now_ps;
}

void Receipts::Advance(Transmitter& transmitter, int64_t now_ps) {
  if (since_ps_ < 0 || (tlps_ < kTlpsAnAck && now_ps - since_ps_ < kTimerPs)) return;
  transmitter.OfferDllps(returned_, now_ps);
  returned_ = {};
  tlps_ = 0;
  since_ps_ = -1;
}

Link::Link(const LinkSettings& settings)
    : up(settings, {settings.host_posted, settings.host_non_posted, settings.host_completion}),
      down(settings, {settings.card_posted, settings.card_non_posted, CreditLimit{}}),
      settings_(settings) {
  Check(settings);
}

void Link::Advance(int64_t now_ps) {
  up.Advance(now_ps);
  down.Advance(now_ps);
  Deliver(up, down, host_, at_host, now_ps);
  Deliver(down, up, card_, at_card, now_ps);
  host_.Advance(down, now_ps);
  card_.Advance(up, now_ps);
}

}  // namespace ullnic::pcie
