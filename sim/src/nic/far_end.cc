// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0

#include "nic/far_end.h"

#include <utility>

namespace ullnic {

FarEnd::FarEnd(const Config& config, const Scheduler& scheduler, SerialLine& to_card,
               SerialLine& from_card)
    : config_(config), scheduler_(scheduler), to_card_(to_card), from_card_(from_card) {}

void FarEnd::Send(FramePtr frame) {
  partner::WireFrame wire;
  wire.bytes = frame->bytes;
  // The FCS and the terminate character are part of the user's pause.
  wire.gap_octets = frame->idle_cycles_before > 3 ? frame->idle_cycles_before * 4 : 0;
  SendRaw(std::move(wire));
}

void FarEnd::Sample(EdgeSet rising) {
  if (rising & config_.tx_clock) {
    to_card_.Offer(word_);
    to_card_.Commit();
    sent_.TakeWord(to_card_.last_word(), to_card_.word_bits(), scheduler_.now_ps());
    word_ = transmitter_.NextWord(to_card_.word_bits());
  }
  if (rising & config_.rx_clock) {
    heard_.TakeWord(received_, from_card_.word_bits(), scheduler_.now_ps());
  }
}

}  // namespace ullnic
