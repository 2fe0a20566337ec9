// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// BAR0 of the multi-queue DMA, the published contract of QDMA 5.0. Sources:
//   [R] eqdma_soft_reg.h, [A] eqdma_soft_access.c, [S] qdma_soft_reg.h, [C] qdma_access_common.h of
//       the public drivers (Xilinx/dma_ip_drivers, QDMA/linux-kernel/driver/libqdma/qdma_access)
//   [G] the product guide PG302, version 5.0
#pragma once

#include <cstdint>

namespace ullnic::qdma::reg {

inline constexpr unsigned kQueues = 2048;
inline constexpr unsigned kInterruptRings = 256;  // as many as the doorbell can address [S]
inline constexpr unsigned kFunctions = 256;
inline constexpr unsigned kThisFunction = 0;
inline constexpr uint32_t kBar0Bytes = 256 * 1024;
inline constexpr uint32_t kUserBarBytes = 512 * 1024;

// Identification and capabilities
inline constexpr uint32_t kIdentifier = 0x000;       // [31:16] = 0x1fd3 [S]
inline constexpr uint32_t kGlbl2Identifier = 0x100;  // [R]
inline constexpr uint32_t kConfigBarMap = 0x104;     // 6 bits a PF, bit b: BAR b [S]
inline constexpr uint32_t kUserBarMap = 0x10C;       // the same [A]
inline constexpr uint32_t kChannelInst = 0x114;      // as kChannelMdma [R]
inline constexpr uint32_t kChannelMdma = 0x118;      // 16 H2C ST, 17 C2H ST, [3:0], [11:8] MM [R]
inline constexpr uint32_t kChannelStrm = 0x11C;      // as kChannelMdma [R]
inline constexpr uint32_t kQueueCap = 0x120;         // [11:0] number of queues [R]
inline constexpr uint32_t kPasidCap = 0x128;         // [R]
inline constexpr uint32_t kFunctionId = 0x12C;       // [S]
inline constexpr uint32_t kSystemId = 0x130;         // [R]
inline constexpr uint32_t kMiscCap =
    0x134;  // [31:28] device, [27:24] Vivado, [23:20] IP, [19:16]
            // RTL [C], 4 debug, [3:2] bypass [R], 1 FLR, 0 mailbox [A]

// Arrays of 16
inline constexpr uint32_t kRingSizes = 0x204;         // [15:0] entries with the status slot [R]
inline constexpr uint32_t kTimerCounts = 0xA00;       // [15:0] ticks [R]
inline constexpr uint32_t kCountLimits = 0xA40;       // [15:0] entries [R]
inline constexpr uint32_t kBufferSizes = 0xAB0;       // [15:0] bytes [R]
inline constexpr uint32_t kTimerTick = 0xB0C;         // user clocks a tick [R] [G]
inline constexpr uint32_t kDescriptorConfig = 0x250;  // [2:0] status every 4 << n descriptors [R]
inline constexpr uint32_t kPrefetchDepth = 0xBE0;     // [R]
inline constexpr uint32_t kCoalesceDepth = 0xBE4;     // [R]
inline constexpr int64_t kUserClockPs = 4000;         // 250 MHz

// Indirect access to contexts [C]: command = {qid [19:7], operation [6:5], selector [4:1], busy 0}
inline constexpr uint32_t kContextData = 0x804;
inline constexpr uint32_t kContextMask = 0x824;
inline constexpr uint32_t kContextCommand = 0x844;

// Errors: status bits are cleared by writing 1; a mask bit enables the error in kErrorStatus and
// for the error interrupt. [R], meaning in [G] "Error Aggregator"
inline constexpr uint32_t kErrorStatus = 0x248;
inline constexpr uint32_t kErrorMask = 0x24C;
inline constexpr uint32_t kDescriptorErrorStatus = 0x254;
inline constexpr uint32_t kDescriptorErrorMask = 0x258;
inline constexpr uint32_t kDescriptorErrorLog0 = 0x25C;  // valid 31, C2H 30, qid [12:0]
inline constexpr uint32_t kDescriptorErrorLog1 = 0x260;  // cidx [27:12], kind [8:5], type [4:0]
inline constexpr uint32_t kDescriptorErrorLog2 = 0x27C;  // old pidx [31:16], new pidx [15:0]
inline constexpr uint32_t kTargetErrorStatus = 0x264;
inline constexpr uint32_t kTargetErrorMask = 0x268;
inline constexpr uint32_t kTargetErrorLog = 0x26C;  // target [30:27], function [26:17], address
inline constexpr uint32_t kC2hErrorStatus = 0xAF0;
inline constexpr uint32_t kC2hErrorMask = 0xAF4;
inline constexpr uint32_t kC2hFirstErrorQid = 0xB30;  // type [20:16], qid [12:0]
inline constexpr uint32_t kH2cErrorStatus = 0xE00;
inline constexpr uint32_t kH2cErrorMask = 0xE04;
inline constexpr uint32_t kH2cFirstErrorQid = 0xE08;  // type [19:16], qid [12:0]
inline constexpr uint32_t kErrorInterrupt = 0xB04;    // arm 24, aggregate 23, vector [22:12]

// Statistics that drivers print [R]
inline constexpr uint32_t kStatC2hPackets = 0xA88;
inline constexpr uint32_t kStatCompletions = 0xB38;
inline constexpr uint32_t kStatStatusWrites = 0xB40;
inline constexpr uint32_t kStatDescriptors = 0xB48;
inline constexpr uint32_t kStatH2cInterrupts = 0xB54;
inline constexpr uint32_t kStatErrorInterrupts = 0xB5C;
inline constexpr uint32_t kStatC2hInterrupts = 0xB60;
inline constexpr uint32_t kStatInterruptsLost = 0xB7C;

// Function-level reset: write 1, done when it reads 0 [S]
inline constexpr uint32_t kFlr = 0x2500;

// Doorbells, 16 bytes a queue of the function [S]:
//   +0 interrupt ring {ring [23:16], cidx [15:0]}; +4 H2C, +8 C2H {arm 16, pidx [15:0]}; +12
//   completion {arm 28, status 27, trigger [26:24], timer [23:20], count [19:16], cidx [15:0]}
// They read as the values in the context, that of the interrupt ring as 0.
inline constexpr uint32_t kDoorbells = 0x18000;
inline constexpr uint32_t kDoorbellsEnd = kDoorbells + 16 * kQueues;

// MSI-X table and pending bits, in the same BAR [G]
inline constexpr uint32_t kMsixTable = 0x30000;
inline constexpr uint32_t kMsixPending = 0x34000;
inline constexpr unsigned kMsixVectors = 32;

// Of a virtual function [S]: doorbells, MSI-X and a mailbox in BAR 0, no user BAR. Functions 0 to 3
// are physical.
inline constexpr unsigned kFirstVirtual = 4;
inline constexpr uint32_t kVirtualBar0Bytes = 32 * 1024;
inline constexpr uint32_t kVirtualMsixTable = 0x4000;
inline constexpr uint32_t kVirtualMsixPending = 0x4800;
inline constexpr unsigned kVirtualMsixVectors = 8;

// Bits of kErrorStatus
inline constexpr uint32_t kErrDescriptor = 1u << 2;
inline constexpr uint32_t kErrTarget = 1u << 3;
inline constexpr uint32_t kErrC2h = 1u << 8;
inline constexpr uint32_t kErrContextCommand = 1u << 9;  // [14:9]: which of them is not published
inline constexpr uint32_t kErrH2c = 1u << 16;

// Bit numbers of the leaves' status registers, named as in [A]
inline constexpr unsigned kDscUnsupportedRequest = 2;  // an address outside mapped memory
inline constexpr unsigned kDscParameter = 4;           // an invalid context or descriptor
inline constexpr uint32_t kDscKinds = 1u << kDscUnsupportedRequest | 1u << kDscParameter;
inline constexpr unsigned kDscDma = 20;   // during the data transfer
inline constexpr unsigned kDscPidx = 21;  // "Invalid PIDX update"
inline constexpr unsigned kTrqCsrUnmapped = 0;
inline constexpr unsigned kTrqQueueUnmapped = 4;
inline constexpr unsigned kTrqQidRange = 5;
inline constexpr unsigned kC2hLengthMismatch = 1;
inline constexpr unsigned kC2hDescriptor = 4;
inline constexpr unsigned kC2hInterruptFailed = 7;
inline constexpr unsigned kC2hBadCidx = 14;
inline constexpr unsigned kH2cZeroLength = 0;
inline constexpr unsigned kH2cNoReceiver = 2;  // "No DMA descriptor": here, a queue without a port

}  // namespace ullnic::qdma::reg
