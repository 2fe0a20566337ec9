// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0

#include "qdma/error_log.h"

#include <bit>

#include "qdma/field.h"
#include "qdma/registers.h"

namespace ullnic::qdma {
namespace {

struct LeafRegisters {
  uint32_t status;
  uint32_t mask;
  uint32_t global_bit;
};

constexpr LeafRegisters kLeafRegisters[] = {
    {reg::kDescriptorErrorStatus, reg::kDescriptorErrorMask, reg::kErrDescriptor},
    {reg::kTargetErrorStatus, reg::kTargetErrorMask, reg::kErrTarget},
    {reg::kC2hErrorStatus, reg::kC2hErrorMask, reg::kErrC2h},
    {reg::kH2cErrorStatus, reg::kH2cErrorMask, reg::kErrH2c},
};

constexpr uint32_t kArmed = 1u << 24;

}  // namespace

void ErrorLog::Descriptor(uint32_t bits, unsigned type, bool c2h, unsigned qid, uint32_t cidx) {
  if (!Bits(log_[0], 31, 31)) {
    log_[0] = 1u << 31 | (c2h ? 1u << 30 : 0) | qid;
    const uint32_t kinds = bits & reg::kDscKinds;
    const uint32_t sub_type = kinds != 0 ? static_cast<uint32_t>(std::countr_zero(kinds)) : 0;
    log_[1] = cidx << 12 | sub_type << 5 | type;
  }
  Raise(kDescriptor, bits);
}

void ErrorLog::BadPidx(bool c2h, unsigned qid, uint32_t cidx, uint32_t old_pidx,
                       uint32_t new_pidx) {
  if (!Bits(log_[0], 31, 31)) log_[2] = old_pidx << 16 | new_pidx;
  Descriptor(1u << reg::kDscPidx, reg::kDscPidx, c2h, qid, cidx);
}

void ErrorLog::Target(unsigned bit, uint32_t address) {
  if (leaves_[kTarget].status == 0) target_log_ = Bits(address, 16, 0);
  Raise(kTarget, 1u << bit);
}

void ErrorLog::C2h(unsigned bit, unsigned qid) {
  if (leaves_[kC2h].status == 0) c2h_first_ = bit << 16 | qid;
  Raise(kC2h, 1u << bit);
}

void ErrorLog::H2c(unsigned bit, unsigned qid) {
  if (leaves_[kH2c].status == 0) h2c_first_ = bit << 16 | qid;
  Raise(kH2c, 1u << bit);
}

void ErrorLog::ContextCommand() {
  status_ |= reg::kErrContextCommand;
  Evaluate();
}

void ErrorLog::Raise(Leaf leaf, uint32_t bits) {
  leaves_[leaf].status |= bits;
  Evaluate();
}

uint32_t ErrorLog::Status() const {
  uint32_t status = status_;
  for (int i = 0; i < kLeaves; ++i) {
    if (leaves_[i].status & leaves_[i].mask) status |= kLeafRegisters[i].global_bit;
  }
  return status;
}

void ErrorLog::Evaluate() {
  if (!(Status() & mask_) || !(interrupt_register_ & kArmed)) return;
  interrupt_register_ &= ~kArmed;
  interrupt_(Bits(interrupt_register_, 22, 12));
}

std::optional<uint32_t> ErrorLog::Read(uint32_t address) const {
  for (int i = 0; i < kLeaves; ++i) {
    if (address == kLeafRegisters[i].status) return leaves_[i].status;
    if (address == kLeafRegisters[i].mask) return leaves_[i].mask;
  }
  switch (address) {
    case reg::kErrorStatus:
      return Status();
    case reg::kErrorMask:
      return mask_;
    case reg::kErrorInterrupt:
      return interrupt_register_;
    case reg::kDescriptorErrorLog0:
      return log_[0];
    case reg::kDescriptorErrorLog1:
      return log_[1];
    case reg::kDescriptorErrorLog2:
      return log_[2];
    case reg::kTargetErrorLog:
      return target_log_;
    case reg::kC2hFirstErrorQid:
      return c2h_first_;
    case reg::kH2cFirstErrorQid:
      return h2c_first_;
    default:
      return std::nullopt;
  }
}

bool ErrorLog::Write(uint32_t address, uint32_t value) {
  for (int i = 0; i < kLeaves; ++i) {
    if (address == kLeafRegisters[i].status) {
      leaves_[i].status &= ~value;
      return true;
    }
    if (address == kLeafRegisters[i].mask) {
      leaves_[i].mask = value;
      Evaluate();
      return true;
    }
  }
  switch (address) {
    case reg::kErrorStatus:
      status_ &= ~value;
      return true;
    case reg::kErrorMask:
      mask_ = value;
      Evaluate();
      return true;
    case reg::kErrorInterrupt:
      interrupt_register_ = value;
      Evaluate();
      return true;
    case reg::kDescriptorErrorLog0:
      log_[0] = log_[1] = log_[2] = 0;  // makes room for the next
      return true;
    default:
      return Read(address).has_value();  // the other logs are read-only
  }
}

void ErrorLog::Reset() { *this = ErrorLog(std::move(interrupt_)); }

}  // namespace ullnic::qdma
