// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Shared state of the model's engines.
#pragma once

#include <cstdint>
#include <cstring>
#include <functional>
#include <utility>
#include <vector>

#include "qdma/context_store.h"
#include "qdma/counters.h"
#include "qdma/error_log.h"
#include "qdma/host_side.h"
#include "qdma/interrupts.h"
#include "qdma/registers.h"
#include "qdma/user_side.h"

namespace ullnic::qdma {

struct Core {
  Core(HostSide& host_side, UserSide& user_side, std::function<int64_t()> clock_ps)
      : host(host_side),
        user(user_side),
        now_ps(std::move(clock_ps)),
        errors([this](unsigned vector) { interrupts.RaiseError(vector); }),
        interrupts(host, contexts, errors, counters) {}
  Core(const Core&) = delete;
  Core& operator=(const Core&) = delete;

  uint32_t csr(uint32_t address, unsigned index = 0) const {
    return registers[address / 4 + index];
  }
  // Entries of a ring besides the status slot; 0: the register's value is not a valid ring size.
  uint32_t RingEntries(unsigned size_index) const {
    const uint32_t with_status = Bits(csr(reg::kRingSizes, size_index), 15, 0);
    return with_status < 3 ? 0 : with_status - 1;
  }
  bool WriteHost64(uint64_t address, uint64_t value) {
    uint8_t bytes[8];
    std::memcpy(bytes, &value, sizeof bytes);
    return host.WriteHost(address, bytes);
  }

  HostSide& host;
  UserSide& user;
  std::function<int64_t()> now_ps;
  Counters counters;
  ContextStore contexts;
  ErrorLog errors;
  Interrupts interrupts;
  std::vector<uint32_t> registers = std::vector<uint32_t>(0x2000 / 4);  // plain ones
};

}  // namespace ullnic::qdma
