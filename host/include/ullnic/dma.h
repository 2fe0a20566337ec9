/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * @file dma.h
 * State of the card's DMA: the contexts of a queue, the error registers, and the watchdog, for
 * diagnosis of a queue that is stuck. Reading changes nothing in the DMA: no queue, index, log or
 * interrupt.
 *
 * Words are raw, in the format of the published contract (QDMA 5.0, PG302). `ullnic-info queue N`,
 * `errors` and `watchdog` print them decoded.
 */
#ifndef ULLNIC_DMA_H
#define ULLNIC_DMA_H

#include <stdint.h>

#include "ullnic/ullnic.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Contexts of a queue, and the registers that they refer to. They are read one after the other,
 * consumer indexes first, so that the pending work of an active queue is never underestimated.
 */
struct ullnic_dma_queue {
  uint32_t queue;      /**< absolute */
  uint32_t function;   /**< the one that opened the card */
  uint32_t map[2];     /**< of that function: first queue, number of queues */
  uint32_t sw_h2c[8];  /**< software contexts */
  uint32_t sw_c2h[8];  /**< */
  uint32_t hw_h2c[2];  /**< hardware contexts */
  uint32_t hw_c2h[2];  /**< */
  uint32_t credit_h2c; /**< credit contexts */
  uint32_t credit_c2h; /**< */
  uint32_t completion[6];
  uint32_t prefetch[2];
  uint32_t h2c_ring; /**< entries including the status slot, of the ring that the context names */
  uint32_t c2h_ring; /**< */
  uint32_t completion_ring; /**< */
  uint32_t buffer_bytes;
  uint32_t count_threshold; /**< entries */
  uint32_t timer_ticks;
  uint32_t tick_clocks;     /**< of 4 ns */
  uint32_t status_interval; /**< GLBL_DSC_CFG: H2C status every 4 << [2:0] descriptors */
  /** [16] the log of reads is there, [17] progress and watchdog. Neither is the contract's. */
  uint32_t extensions;
  uint32_t progress[3];     /**< PROGRESS_H2C, PROGRESS_STATUS, PROGRESS_C2H of this queue */
  uint32_t watchdog_status; /**< the queue that has made no progress, if [31] */
};

/** The error registers, with the names of the contract. */
struct ullnic_dma_errors {
  uint32_t glbl_err_stat;
  uint32_t glbl_err_mask;
  uint32_t glbl_err_int;
  uint32_t dsc_err_sts;
  uint32_t dsc_err_msk;
  uint32_t dsc_err_log[3];
  uint32_t trq_err_sts;
  uint32_t trq_err_msk;
  uint32_t trq_err_log;
  uint32_t c2h_err_stat;
  uint32_t c2h_err_mask;
  uint32_t c2h_first_err_qid;
  uint32_t h2c_err_stat;
  uint32_t h2c_err_mask;
  uint32_t h2c_first_err_qid;
  uint32_t extensions;      /**< as in ullnic_dma_queue */
  uint32_t read_err_log[4]; /**< of the first read of the host that has failed; else 0 */
  uint32_t watchdog[4];     /**< WATCHDOG_CTL, _LIMIT, _TICK, _STATUS; 0 without a watchdog */
};

/** An event of the watchdog's trace: WATCHDOG_EVENT, WATCHDOG_CYCLE. */
struct ullnic_dma_event {
  uint32_t event;
  uint32_t cycle;
};

enum {
  ULLNIC_DMA_EVENTS = 64,          /**< most events of a trace */
  ULLNIC_DMA_MOST_TICKS = 0x7fff,  /**< longest limit of the watchdog */
  ULLNIC_DMA_EVERY_QUEUE = 0xffff, /**< the trace has events of all queues */
};

/**
 * Reads a queue's contexts. If a daemon holds the card (`ullnicd:`), the daemon reads them, for
 * users who may access the card's registers.
 *
 * @param queue absolute; port n has queue n
 * @return 0; -EINVAL no such queue; -EPERM the daemon denies this user; -EIO the DMA does not
 *   complete a context command; -ENODEV; -ETIMEDOUT
 */
int ullnic_dma_read_queue(ullnic_t* card, unsigned queue, struct ullnic_dma_queue* state);

/** Reads the error registers. Returns errors as ullnic_dma_read_queue() does. */
int ullnic_dma_read_errors(ullnic_t* card, struct ullnic_dma_errors* errors);

/**
 * Reads events of the watchdog's trace. They do not change while it is frozen, which
 * ullnic_dma_errors::watchdog[3] says, with the number of events.
 *
 * @param first of the events, 0 is the oldest one
 * @return as ullnic_dma_read_errors(); -EINVAL: more than ULLNIC_DMA_EVENTS; -ENOTSUP: the DMA has
 *   no watchdog
 */
int ullnic_dma_read_events(ullnic_t* card, unsigned first, unsigned count,
                           struct ullnic_dma_event* events);

/**
 * Arms the watchdog, which forgets what it has found; or disarms it. The first queue with work
 * that makes no progress for the limit freezes the trace, and disarms it. A reset of the card
 * disarms it, too.
 *
 * @param ticks the limit, 1 to ULLNIC_DMA_MOST_TICKS, each of ullnic_dma_errors::watchdog[2]
 *   cycles; 0 disarms
 * @param queue the trace has events of this queue alone, absolute; or ULLNIC_DMA_EVERY_QUEUE
 * @return as ullnic_dma_read_events(); -EINVAL: no such limit or queue
 */
int ullnic_dma_watch(ullnic_t* card, unsigned ticks, unsigned queue);

#ifdef __cplusplus
}
#endif

#endif /* ULLNIC_DMA_H */
