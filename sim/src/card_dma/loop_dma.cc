// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0

#include "card_dma/loop_dma.h"

namespace ullnic::card_dma {

LoopDma::LoopDma(qdma::HostSide& host, size_t depth) : dma_(host, {0x0800c}, {}) {
  card_.depth = depth;
}

void LoopDma::Step() {
  const HostOutputs before = dma_.outputs();
  dma_.Clock(card_.shown());
  card_.Clock(before);
  ++edges_;
  if (dma_.has_reset()) card_.Forget();
  for (unsigned port = 0; port < kPorts; ++port) {
    for (const Bytes& packet : card_.from_host[port]) card_.SendToHost(port, packet, edges_);
    card_.from_host[port].clear();
  }
}

bool LoopDma::Poll() {
  if (!dma_.HasWork()) return false;
  for (unsigned i = 0; i < kEdgesOfPoll; ++i) Step();
  return true;
}

}  // namespace ullnic::card_dma
