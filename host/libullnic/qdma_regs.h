/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The part of the multi-queue DMA's published contract (QDMA 5.0) that this driver uses: registers
 * of BAR0, contexts, descriptors, completions. Facts from the public drivers
 * (Xilinx/dma_ip_drivers) and the product guide PG302.
 */
#ifndef ULLNIC_LIB_QDMA_REGS_H
#define ULLNIC_LIB_QDMA_REGS_H

#include <stdint.h>

enum {
  QDMA_BAR_BYTES = 0x20000, /**< minimum size of BAR0 for the registers below */
  QDMA_IDENTIFIER = 0x000,  /**< 31:16 are QDMA_IDENTIFIER_MAGIC */
  QDMA_MM_CHANNELS = 0x118, /**< 3:0 and 11:8: memory-mapped channels, C2H and H2C */
  QDMA_QUEUES = 0x120,      /**< 11:0 number of queues */
  QDMA_FUNCTION = 0x12c,    /**< number of this function */
  QDMA_VERSION = 0x134,     /**< device 31:28, Vivado 27:24, IP 23:20 */
  QDMA_RING_SIZE = 0x204,   /**< 16 words: entries of a ring with its status slot */
  QDMA_TIMER = 0xa00,       /**< 16 words: ticks */
  QDMA_COUNT = 0xa40,       /**< 16 words: entries */
  QDMA_BUFFER_SIZE = 0xab0, /**< 16 words: bytes of a receive buffer */
  QDMA_TIMER_TICK = 0xb0c,  /**< clocks of 4 ns */
  QDMA_DSC_CONFIG = 0x250,  /**< 2:0 H2C status every 4 << n descriptors */
  QDMA_CONTEXT_DATA = 0x804,
  QDMA_CONTEXT_MASK = 0x824,
  QDMA_CONTEXT_COMMAND = 0x844, /**< queue 19:7, operation 6:5, selector 4:1, busy 0 */
  QDMA_MM_RUN_C2H = 0x1004,     /**< bit 0: the channel may transfer */
  QDMA_MM_RUN_H2C = 0x1204,     /**< the same */
  QDMA_DOORBELLS = 0x18000,     /**< 16 bytes a queue, see below */
};

/* Errors: global, of descriptors, of accesses, of C2H, of H2C. A mask bit of 1 enables an error. */
enum {
  QDMA_ERROR_STATUS = 0x248,
  QDMA_ERROR_MASK = 0x24c,
  QDMA_DSC_ERROR_STATUS = 0x254,
  QDMA_DSC_ERROR_MASK = 0x258,
  QDMA_DSC_ERROR_LOG0 = 0x25c,
  QDMA_DSC_ERROR_LOG1 = 0x260,
  QDMA_TRQ_ERROR_STATUS = 0x264,
  QDMA_TRQ_ERROR_MASK = 0x268,
  QDMA_TRQ_ERROR_LOG = 0x26c,
  QDMA_DSC_ERROR_LOG2 = 0x27c,
  QDMA_C2H_ERROR_STATUS = 0xaf0,
  QDMA_C2H_ERROR_MASK = 0xaf4,
  QDMA_ERROR_INTERRUPT = 0xb04,
  QDMA_C2H_FIRST_ERROR = 0xb30,
  QDMA_H2C_ERROR_STATUS = 0xe00,
  QDMA_H2C_ERROR_MASK = 0xe04,
  QDMA_H2C_FIRST_ERROR = 0xe08,
};

/* Not the contract's. A bit of QDMA_EXTENSIONS says that they are there. */
enum {
  QDMA_EXTENSIONS = 0x130,
  QDMA_READ_ERROR_LOG = 0x1e00, /**< 4 words: queue and kind, tag and function, address */
  QDMA_PROGRESS_QUEUE = 0x1e10, /**< whose progress is shown */
  QDMA_PROGRESS = 0x1e14,       /**< 3 words: H2C issued 15:0, done 31:16; status; C2H held */
  QDMA_WATCHDOG = 0x1e20,       /**< 4 words: control, limit, clocks of a tick, what it has found */
  QDMA_WATCHDOG_ENTRY = 0x1e30, /**< of the trace, that QDMA_WATCHDOG_EVENT shows */
  QDMA_WATCHDOG_EVENT = 0x1e34, /**< 2 words: event, its cycle */
};

/* The first word of QDMA_WATCHDOG. */
#define QDMA_WATCHDOG_ARMED (1u << 0)
#define QDMA_WATCHDOG_FILTERS(queue) (1u << 1 | (uint32_t)(queue) << 16)

/** Bits of QDMA_EXTENSIONS. */
enum { QDMA_HAS_READ_LOG = 1 << 16, QDMA_HAS_WATCHDOG = 1 << 17 };

#define QDMA_IDENTIFIER_MAGIC 0x1fd3u
/** Device type 0 (soft), Vivado 2, IP 2: EQDMA 5.0. */
#define QDMA_VERSION_MASK 0xfff00000u
#define QDMA_VERSION_EQDMA5 0x02200000u

enum { QDMA_DOORBELL_H2C = 4, QDMA_DOORBELL_C2H = 8, QDMA_DOORBELL_COMPLETION = 12 };
enum { QDMA_VENDOR = 0x10ee, QDMA_DEVICE = 0x903f };

enum qdma_selector {
  QDMA_SW_C2H = 0,
  QDMA_SW_H2C = 1,
  QDMA_HW_C2H = 2,
  QDMA_HW_H2C = 3,
  QDMA_CREDIT_C2H = 4,
  QDMA_CREDIT_H2C = 5,
  QDMA_COMPLETION = 6,
  QDMA_PREFETCH = 7,
  QDMA_FUNCTION_MAP = 12,
};

enum qdma_operation { QDMA_CLEAR = 0, QDMA_WRITE = 1, QDMA_READ = 2, QDMA_INVALIDATE = 3 };

enum { QDMA_CONTEXT_WORDS = 8 };

/* Software context of a descriptor ring, words 0 and 1. */
#define QDMA_SW_FUNCTION(function) ((uint32_t)(function) << 17)
#define QDMA_SW_ENABLE (1u << 0)
#define QDMA_SW_FETCH_CREDIT (1u << 1)
#define QDMA_SW_STATUS_WHEN_DONE (1u << 2)
#define QDMA_SW_STATUS_INTERVAL (1u << 3)
#define QDMA_SW_FETCH_MAX(n) ((uint32_t)(n) << 5)
#define QDMA_SW_RING_SIZE(index) ((uint32_t)(index) << 12)
#define QDMA_SW_DESCRIPTOR_8 (0u << 16)
#define QDMA_SW_DESCRIPTOR_16 (1u << 16)
#define QDMA_SW_DESCRIPTOR_32 (2u << 16)
#define QDMA_SW_STATUS_ENABLE (1u << 20)
#define QDMA_SW_IS_MM (1u << 31)
#define QDMA_SW_ERROR(word1) (((word1) >> 26) & 3)

/* Completion context, words 0 to 5. */
#define QDMA_CMPL_STATUS_ENABLE (1u << 0)
#define QDMA_CMPL_TRIGGER_EVERY (1u << 2)
#define QDMA_CMPL_TRIGGER(mode) ((uint32_t)(mode) << 2)
#define QDMA_CMPL_FUNCTION(function) ((uint32_t)(function) << 5)
#define QDMA_CMPL_COUNT(index) ((uint32_t)(index) << 17)
#define QDMA_CMPL_TIMER(index) ((uint32_t)(index) << 21)
#define QDMA_CMPL_COLOUR (1u << 27)
#define QDMA_CMPL_RING_SIZE(index) ((uint32_t)(index) << 28)
#define QDMA_CMPL_ENTRY_SIZE(log) ((uint32_t)(log) << 26) /**< word 2; bytes are 8 << log */
#define QDMA_CMPL_VALID (1u << 28)                        /**< word 3 */
#define QDMA_CMPL_ERROR(word3) (((word3) >> 29) & 3)
#define QDMA_CMPL_VECTOR(vector) ((uint32_t)(vector) << 4) /**< word 4 */
#define QDMA_CMPL_MODE_BY_DOORBELL (1u << 1)               /**< word 4 */
#define QDMA_CMPL_TO_HOST (1u << 18)                       /**< word 4 */

/* Prefetch context. */
#define QDMA_PREFETCH_BUFFER_SIZE(index) ((uint32_t)(index) << 1)
#define QDMA_PREFETCH_ENABLE (1u << 27)
#define QDMA_PREFETCH_VALID (1u << 13) /**< word 1 */

/* Completion doorbell: its fields besides the index. */
#define QDMA_CIDX_INTERRUPT (1u << 28)
#define QDMA_CIDX_STATUS (1u << 27)
#define QDMA_CIDX_TRIGGER_EVERY (1u << 24)
#define QDMA_CIDX_TRIGGER(mode) ((uint32_t)(mode) << 24)
#define QDMA_CIDX_TIMER(index) ((uint32_t)(index) << 20)
#define QDMA_CIDX_COUNT(index) ((uint32_t)(index) << 16)

/* H2C descriptor, 16 bytes. */
struct qdma_h2c_descriptor {
  uint16_t header; /**< for the receiver; none here */
  uint16_t packet_bytes;
  uint16_t bytes;
  uint16_t flags;
  uint64_t address;
};
enum { QDMA_H2C_FIRST = 1, QDMA_H2C_LAST = 2 };

/* Descriptor of a memory-mapped transfer, 32 bytes. */
struct qdma_mm_descriptor {
  uint64_t source;
  uint64_t control; /**< 27:0 bytes, and the flags below */
  uint64_t destination;
  uint64_t reserved;
};
#define QDMA_MM_VALID (1u << 28)
#define QDMA_MM_FIRST (1u << 29)
#define QDMA_MM_LAST (1u << 30)

/* Completion: its first 8 bytes. */
#define QDMA_ENTRY_COLOUR(entry) (((entry) >> 1) & 1)
#define QDMA_ENTRY_ERROR(entry) (((entry) >> 2) & 1)
#define QDMA_ENTRY_USED_BUFFERS(entry) (((entry) >> 3) & 1)
#define QDMA_ENTRY_BYTES(entry) ((uint32_t)((entry) >> 4) & 0xffff)

/* Status in the last slot of an H2C or memory-mapped ring: error 1:0, consumer's index 31:16,
 * producer's 47:32. */
#define QDMA_STATUS_ERROR(status) ((status) & 3)
#define QDMA_STATUS_TRANSFER 1 /**< of the transfer; the other bit: of the descriptor */
#define QDMA_STATUS_CIDX(status) ((uint32_t)((status) >> 16) & 0xffff)

#endif /* ULLNIC_LIB_QDMA_REGS_H */
