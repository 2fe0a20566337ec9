// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// The link partner as an end of the link: no RTL, its user hands over whole frames.
#pragma once

#include "core/link_end.h"
#include "line/serial_line.h"
#include "partner/line_codec.h"

namespace ullnic::partner {

class PartnerEnd final : public LinkEnd {
 public:
  struct Config {
    EdgeSet tx_clock = 1;
    EdgeSet rx_clock = 1;
  };

  PartnerEnd(const Config& config, const Scheduler& scheduler, SerialLine& out, SerialLine& in);

  LineTransmitter& transmitter() { return transmitter_; }
  LineReceiver& receiver() { return receiver_; }

  void Send(FramePtr frame) override;
  // For tests: any frame, however malformed.
  void SendRaw(WireFrame frame) { transmitter_.encoder().Enqueue(std::move(frame)); }
  size_t tx_backlog() const override { return transmitter_.encoder().backlog(); }
  bool rx_idle() const override { return !receiver_.decoder().in_frame(); }
  bool block_lock() const override { return receiver_.block_lock(); }
  const EndCounters& counters() const override;
  void set_observer(EndObserver* observer) override { observer_ = observer; }

  void Settle() override {
    out_.Offer(word_);
    received_ = in_.Output();
  }
  void Resettle() override { received_ = in_.Output(); }
  void Sample(EdgeSet rising) override;
  void Rise(EdgeSet /*rising*/) override {}

 private:
  void OnStart(const WireFrame& frame);
  void OnFrame(DecodedFrame&& frame);

  Config config_;
  const Scheduler& scheduler_;
  SerialLine& out_;
  SerialLine& in_;
  LineTransmitter transmitter_;
  LineReceiver receiver_;
  EndObserver* observer_ = nullptr;
  uint32_t word_ = 0;  // on the line in the current cycle
  uint32_t received_ = 0;
  uint64_t tx_edges_ = 0;
  uint64_t rx_edges_ = 0;
  mutable EndCounters counters_;
};

}  // namespace ullnic::partner
