// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Interface of the DMA to the card: the user BAR, and a stream of packets per queue and direction.
// Everything is called from within Device's own calls, never from another thread.
#pragma once

#include <cstdint>
#include <functional>
#include <span>

namespace ullnic::qdma {

class UserSide {
 public:
  virtual ~UserSide() = default;

  // User BAR, 32-bit words at byte addresses that are multiples of 4. `done` may be called later
  // (RTL needs clock cycles), or before the call returns. Replies are in the order of the calls. An
  // unimplemented address reads as all ones.
  virtual void ReadUser(uint32_t address, std::function<void(uint32_t value)> done) = 0;
  virtual void WriteUser(uint32_t address, uint32_t value, std::function<void()> done) = 0;

  // Host to card. False: no room now; the model offers the packet again at the next Poll().
  virtual bool SendH2c(unsigned qid, std::span<const uint8_t> packet) = 0;

  // Card to host: the oldest waiting packet of this queue, empty if there is none. It remains valid
  // until PopC2h(), which the model calls once the packet is in the host's memory.
  virtual std::span<const uint8_t> PeekC2h(unsigned qid) = 0;
  virtual void PopC2h(unsigned qid) = 0;

  virtual unsigned queues() const = 0;  // queue q belongs to port q

  // The function was reset, or its program has disconnected. A card that holds packets for the host
  // may drop them here, so that the next program does not get them.
  virtual void OnReset() {}
};

}  // namespace ullnic::qdma
