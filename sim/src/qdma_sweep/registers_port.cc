// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
#include "qdma_sweep/registers_port.h"

#include <qdma_regs.h>

#include <cstddef>
#include <cstring>

#include "core/user_error.h"
#include "qdma/registers.h"

namespace ullnic::qdma_sweep {

namespace {
constexpr int kMostWaits = 100'000;
}

void RegistersPort::Write(uint64_t address, std::span<const uint32_t> dwords) {
  Write(0, address, dwords);
}

void RegistersPort::Doorbell(unsigned queue, unsigned kind, uint32_t value) {
  constexpr uint64_t kOfVf = 0x3000;  // its BAR
  const uint64_t doorbells = function_ == 0 ? uint64_t{qdma::reg::kDoorbells} : kOfVf;
  Write(function_, doorbells + 16 * queue + kind, std::span(&value, 1));
}

void RegistersPort::Write(unsigned function, uint64_t address, std::span<const uint32_t> dwords) {
  pcie::Tlp tlp;
  tlp.kind = pcie::Kind::kPosted;
  tlp.function = static_cast<uint8_t>(function);
  tlp.address = address;
  tlp.dwords = static_cast<uint32_t>(dwords.size());
  if (dwords.size() == 1) tlp.last_be = 0;
  tlp.data.resize(dwords.size_bytes());
  std::memcpy(tlp.data.data(), dwords.data(), dwords.size_bytes());
  link_.down.Offer(std::move(tlp), now_ps_);
}

uint32_t RegistersPort::Read(uint64_t address) {
  pcie::Tlp tlp;
  tlp.kind = pcie::Kind::kNonPosted;
  tlp.address = address;
  tlp.dwords = 1;
  tlp.last_be = 0;
  link_.down.Offer(std::move(tlp), now_ps_);
  is_answered_ = false;
  for (int i = 0; !is_answered_; ++i) {
    if (i == kMostWaits) {
      throw UserError("a read of a register is not answered", "a fault of the card or of the rig");
    }
    pass_time_();
  }
  return answer_;
}

void RegistersPort::Answered(const pcie::Tlp& answer) {
  std::memcpy(&answer_, answer.data.data(), sizeof answer_);
  is_answered_ = true;
}

void RegistersPort::WriteContext(qdma::Selector selector, unsigned index,
                                 const qdma::ContextWords& words) {
  uint32_t dwords[16];
  for (unsigned i = 0; i < 8; ++i) {
    dwords[i] = words[i];
    dwords[8 + i] = ~0u;
  }
  static_assert(offsetof(qdma_regs_t, IND_CTXT_MASK) == offsetof(qdma_regs_t, IND_CTXT_DATA) + 32);
  Write(offsetof(qdma_regs_t, IND_CTXT_DATA), dwords);
  constexpr uint64_t kCommand = offsetof(qdma_regs_t, IND_CTXT_CMD);
  Write(kCommand, index << QDMA_REGS__IND_CTXT_CMD__QID_bp |
                      static_cast<uint32_t>(qdma::ContextOp::kWrite)
                          << QDMA_REGS__IND_CTXT_CMD__OP_bp |
                      static_cast<uint32_t>(selector) << QDMA_REGS__IND_CTXT_CMD__SEL_bp);
  while ((Read(kCommand) & QDMA_REGS__IND_CTXT_CMD__BUSY_bm) != 0) {
  }
}

}  // namespace ullnic::qdma_sweep
