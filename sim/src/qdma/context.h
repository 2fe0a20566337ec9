// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// The contexts of queues, as words that drivers write and read through the indirect registers.
// Every field is defined in eqdma_soft_reg.h of the public drivers under the name in the comment;
// its meaning is described in the product guide PG302.
#pragma once

#include "qdma/field.h"

namespace ullnic::qdma {

// enum ind_ctxt_cmd_sel and ind_ctxt_cmd_op of qdma_access_common.h
enum class Selector : unsigned {
  kSwC2h = 0,
  kSwH2c = 1,
  kHwC2h = 2,
  kHwH2c = 3,
  kCreditC2h = 4,
  kCreditH2c = 5,
  kCompletion = 6,
  kPrefetch = 7,
  kInterrupt = 8,
  kFunctionMap = 12,
};
enum class ContextOp : unsigned { kClear = 0, kWrite = 1, kRead = 2, kInvalidate = 3 };

namespace sw {  // SW_IND_CTXT_DATA: software's part of a descriptor queue
inline constexpr Field kPidx{0, 15, 0};
inline constexpr Field kArmed{0, 16, 16};         // IRQ_ARM
inline constexpr Field kFunction{0, 28, 17};      // FNC
inline constexpr Field kEnable{1, 0, 0};          // QEN
inline constexpr Field kFetchCredits{1, 1, 1};    // FCRD_EN
inline constexpr Field kStatusAtEnd{1, 2, 2};     // WBI_CHK: status when everything is done
inline constexpr Field kStatusInterval{1, 3, 3};  // WBI_INTVL_EN: also at intervals of descriptors
inline constexpr Field kRingSize{1, 15, 12};      // RNG_SZ: index of kRingSizes
inline constexpr Field kDescriptorSize{1, 17, 16};  // DSC_SZ: 8 << n bytes
inline constexpr Field kBypass{1, 18, 18};
inline constexpr Field kStatusEnable{1, 20, 20};     // WBK_EN
inline constexpr Field kInterruptEnable{1, 21, 21};  // IRQ_EN
inline constexpr Field kError{1, 27, 26};            // ERR: 1 at a descriptor, 2 at its data
inline constexpr Field kErrorReported{1, 28, 28};    // ERR_WB_SENT
inline constexpr Field kInterruptHeld{1, 29, 29};    // IRQ_REQ: one is pending until armed
inline constexpr Field kMemoryMapped{1, 31, 31};     // IS_MM
inline constexpr Field kBaseLow{2, 31, 0};
inline constexpr Field kBaseHigh{3, 31, 0};
inline constexpr Field kVector{4, 10, 0};      // or the interrupt ring
inline constexpr Field kAggregate{4, 11, 11};  // INT_AGGR
}  // namespace sw

namespace hw {  // HW_IND_CTXT_DATA: the engine's part
inline constexpr Field kCidx{0, 15, 0};
inline constexpr Field kPending{1, 8, 8};    // DSC_PND: descriptors are pending
inline constexpr Field kIdle{1, 9, 9};       // IDL_STP_B
inline constexpr Field kFetches{1, 14, 11};  // FETCH_PND: in progress. No command changes it
}  // namespace hw

namespace prefetch {  // PREFETCH_CTXT_DATA
inline constexpr Field kBypass{0, 0, 0};
inline constexpr Field kBufferSize{0, 4, 1};  // BUF_SZ_IDX: index of kBufferSizes
inline constexpr Field kInline{0, 8, 8};      // VAR_DESC; of our own: inline receive
inline constexpr Field kError{0, 26, 26};
inline constexpr Field kPrefetch{0, 27, 27};  // PFCH_EN
inline constexpr Field kValid{1, 13, 13};
}  // namespace prefetch

namespace cmpl {                                   // CMPL_CTXT_DATA: a completion ring
inline constexpr Field kStatusEnable{0, 0, 0};     // EN_STAT_DESC
inline constexpr Field kInterruptEnable{0, 1, 1};  // EN_INT
inline constexpr Field kTrigger{0, 4, 2};          // TRIG_MODE
inline constexpr Field kFunction{0, 16, 5};        // FNC
inline constexpr Field kCount{0, 20, 17};          // CNTER_IX: index of kCountLimits
inline constexpr Field kTimer{0, 24, 21};          // TIMER_IX: index of kTimerCounts
inline constexpr Field kState{0, 26, 25};  // INT_ST: 0 waits for software (ISR), 1 for a trigger
inline constexpr Field kColour{0, 27, 27};
inline constexpr Field kRingSize{0, 31, 28};   // QSIZE_IX
inline constexpr Field kBaseMiddle{1, 31, 0};  // BADDR4_HIGH_L: address bits 37..6
inline constexpr Field kBaseHigh{2, 25, 0};    // BADDR4_HIGH_H: 63..38
inline constexpr Field kBaseLow{5, 17, 14};    // BADDR4_LOW: 5..2
inline constexpr Field kEntrySize{2, 27, 26};  // DESC_SIZE: 8 << n bytes
inline constexpr Field kPidxLow{2, 31, 28};
inline constexpr Field kPidxHigh{3, 11, 0};
inline constexpr Field kCidx{3, 27, 12};
inline constexpr Field kValid{3, 28, 28};
inline constexpr Field kError{3, 30, 29};  // 1 bad CIDX, 2 descriptor, 3 ring full
inline constexpr Field kTimerRunning{4, 0, 0};
inline constexpr Field kFullUpdate{4, 1, 1};         // FULL_UPD: the doorbell may change the mode
inline constexpr Field kOverflowUnchecked{4, 2, 2};  // OVF_CHK_DIS
inline constexpr Field kVector{4, 14, 4};
inline constexpr Field kAggregate{4, 15, 15};  // INT_AGGR
inline constexpr Field kToHost{4, 18, 18};     // DIR_C2H

// enum qdma_cmpt_update_trig_mode of the drivers
enum Trigger : uint32_t {
  kNever = 0,
  kEvery = 1,
  kUserCount = 2,
  kUser = 3,
  kUserTimer = 4,
  kUserTimerCount = 5
};
}  // namespace cmpl

namespace intr {  // INTR_CTXT_DATA: an interrupt aggregation ring
inline constexpr Field kValid{0, 0, 0};
inline constexpr Field kVector{0, 11, 1};
inline constexpr Field kState{0, 13, 13};  // INT_ST: 1: an interrupt is outstanding
inline constexpr Field kColour{0, 14, 14};
inline constexpr Field kBaseLow{0, 31, 15};    // BADDR_4K_L: address bits 28..12
inline constexpr Field kBaseMiddle{1, 31, 0};  // BADDR_4K_M: 60..29
inline constexpr Field kBaseHigh{2, 2, 0};     // BADDR_4K_H: 63..61
inline constexpr Field kPages{2, 5, 3};        // PAGE_SIZE: n + 1 pages of 4 KiB
inline constexpr Field kPidx{2, 17, 6};
inline constexpr Field kFunction{3, 29, 18};  // FUNC: owner of the ring
}  // namespace intr

namespace fmap {  // EQDMA_FMAP_CTXT: the queues of a function
inline constexpr Field kFirst{0, 10, 0};
inline constexpr Field kCount{1, 11, 0};
}  // namespace fmap

}  // namespace ullnic::qdma
