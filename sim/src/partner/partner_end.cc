// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0

#include "partner/partner_end.h"

#include <utility>

namespace ullnic::partner {

PartnerEnd::PartnerEnd(const Config& config, const Scheduler& scheduler, SerialLine& out,
                       SerialLine& in)
    : config_(config), scheduler_(scheduler), out_(out), in_(in) {
  transmitter_.encoder().set_on_start([this](const WireFrame& f) { OnStart(f); });
  receiver_.decoder().set_on_frame([this](DecodedFrame&& f) { OnFrame(std::move(f)); });
}

void PartnerEnd::Send(FramePtr frame) {
  WireFrame wire;
  wire.bytes = frame->bytes;
  // The FCS and the terminate character are part of the user's pause, as at an RTL end.
  wire.gap_octets = frame->idle_cycles_before > 3 ? frame->idle_cycles_before * 4 : 0;
  wire.source = std::move(frame);
  SendRaw(std::move(wire));
}

void PartnerEnd::Sample(EdgeSet rising) {
  if (rising & config_.tx_clock) {
    out_.Offer(word_);
    out_.Commit();
    ++tx_edges_;
    word_ = transmitter_.NextWord(out_.word_bits());
  }
  if (rising & config_.rx_clock) {
    receiver_.TakeWord(received_, in_.word_bits());
    ++rx_edges_;
  }
}

void PartnerEnd::OnStart(const WireFrame& frame) {
  ++counters_.tx_frames;
  if (observer_ != nullptr && frame.source) {
    observer_->OnOffer(frame.source, tx_edges_, scheduler_.now_ps(), 0);
  }
}

void PartnerEnd::OnFrame(DecodedFrame&& frame) {
  if (observer_ == nullptr) return;
  ReceivedFrame received;
  received.verdict.good = frame.good;
  received.verdict.fcs = frame.Has(Breach::kWrongFcs);
  received.verdict.runt = frame.Has(Breach::kRunt);
  received.verdict.oversize = frame.Has(Breach::kGiant);
  constexpr uint32_t kOtherKinds =
      ~(1u << static_cast<int>(Breach::kWrongFcs) | 1u << static_cast<int>(Breach::kRunt) |
        1u << static_cast<int>(Breach::kGiant));
  received.verdict.code = (frame.breaches & kOtherKinds) != 0;
  // The block with the start character arrived this much before the current word.
  const uint64_t blocks_ago = receiver_.decoder().blocks() - frame.start_block;
  received.sop_ps = scheduler_.now_ps() - static_cast<int64_t>(blocks_ago) * 6400;
  received.bytes = std::move(frame.bytes);
  received.has_data = true;
  observer_->OnReceive(std::move(received));
}

const EndCounters& PartnerEnd::counters() const {
  const FrameDecoder& decoder = receiver_.decoder();
  counters_.rx_bad_headers = receiver_.bad_headers();
  counters_.rx_lock_losses = receiver_.lock_losses();
  counters_.rx_violations = decoder.breaches();
  counters_.first_violation = decoder.first_breach();
  return counters_;
}

}  // namespace ullnic::partner
