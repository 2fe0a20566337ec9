// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Functional model of a multi-queue DMA with the published contract of QDMA 5.0, as far as a
// streaming card with one function needs it: identification, contexts, ST H2C and C2H, completion
// rings, status, interrupts (direct and gathered), errors, reset, the user BAR.
//
// Not modelled, as the capability registers show: memory-mapped transfers, virtual functions and
// their mailbox, descriptor bypass. The only notion of time is the completion timer: everything
// that can be transferred is transferred at the next Poll().
//
// Whatever a driver writes, an access returns, and Poll() transfers a bounded number of packets.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "qdma/c2h.h"
#include "qdma/completion.h"
#include "qdma/core.h"
#include "qdma/dma.h"
#include "qdma/h2c.h"

namespace ullnic::qdma {

class Device final : public Dma {
 public:
  // now_ps: for the completion timers; virtual or real.
  Device(HostSide& host, UserSide& user, std::function<int64_t()> now_ps);

  // BAR0, 32-bit words.
  uint32_t ReadConfig(uint32_t address);
  void WriteConfig(uint32_t address, uint32_t value);
  // BAR2, passed through to the card.
  void ReadUser(uint32_t address, std::function<void(uint32_t value)> done);
  void WriteUser(uint32_t address, uint32_t value, std::function<void()> done);

  void Read(unsigned bar, uint32_t address, std::function<void(uint32_t value)> done) override;
  void Write(unsigned bar, uint32_t address, uint32_t value, std::function<void()> done) override;
  bool Poll() override;
  // Poll() would transfer something, or would once the card has room or has replied.
  bool HasWork() const override;
  // Of the completion timers.
  std::optional<int64_t> next_deadline_ps() const override {
    return completion_.next_deadline_ps();
  }
  // Pending replies of the user BAR still arrive.
  void Reset() override;
  nlohmann::json Describe() const override;

  const Counters& counters() const { return core_.counters; }

 private:
  void ResetFunction();
  std::optional<unsigned> QueueOfDoorbell(uint32_t address);
  uint32_t ReadDoorbell(uint32_t address);
  void Doorbell(uint32_t address, uint32_t value);
  void ContextCommand(uint32_t command);
  std::optional<uint32_t> Constant(uint32_t address) const;
  void Unmapped(uint32_t address);

  Core core_;
  CompletionEngine completion_;
  H2cEngine h2c_;
  C2hEngine c2h_;
  uint32_t msix_table_[reg::kMsixVectors * 4];
  uint64_t user_pending_ = 0;
};

}  // namespace ullnic::qdma
