// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// The far end of a card's port: the link partner, with a meter on each of the two lines where they
// enter and leave it. The transceivers are the card's: their delay is between here and the card.
#pragma once

#include <functional>

#include "core/scheduler.h"
#include "line/serial_line.h"
#include "nic/line_meter.h"
#include "partner/frame_encoder.h"

namespace ullnic {

class FarEnd final : public ClockedModel {
 public:
  struct Config {
    EdgeSet tx_clock = 1;  // its own
    EdgeSet rx_clock = 1;  // recovered: the card's transmit clock
  };

  FarEnd(const Config& config, const Scheduler& scheduler, SerialLine& to_card,
         SerialLine& from_card);

  void Send(FramePtr frame);
  // Any frame, however malformed.
  void SendRaw(partner::WireFrame frame) { transmitter_.encoder().Enqueue(std::move(frame)); }
  size_t tx_backlog() const { return transmitter_.encoder().backlog(); }
  // A frame is in flight in either direction.
  bool busy() const { return tx_backlog() > 0 || sent_.in_frame() || heard_.in_frame(); }
  // Complete frames, both directions.
  uint64_t frames() const { return sent_.frames() + heard_.frames(); }
  int64_t now_ps() const { return scheduler_.now_ps(); }
  bool block_lock() const { return heard_.block_lock(); }

  // Called for each complete frame: to the card, from the card.
  void set_on_sent(std::function<void(HeardFrame&&)> f) { sent_.set_on_frame(std::move(f)); }
  void set_on_heard(std::function<void(HeardFrame&&)> f) { heard_.set_on_frame(std::move(f)); }

  const LineMeter& sent() const { return sent_; }
  const LineMeter& heard() const { return heard_; }

  void Settle() override {
    to_card_.Offer(word_);
    received_ = from_card_.Output();
  }
  void Resettle() override { received_ = from_card_.Output(); }
  void Sample(EdgeSet rising) override;
  void Rise(EdgeSet /*rising*/) override {}

 private:
  Config config_;
  const Scheduler& scheduler_;
  SerialLine& to_card_;
  SerialLine& from_card_;
  partner::LineTransmitter transmitter_;
  LineMeter sent_;
  LineMeter heard_;
  uint32_t word_ = 0;  // on the line in the current cycle
  uint32_t received_ = 0;
};

}  // namespace ullnic
