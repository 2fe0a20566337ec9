/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The card, its queues, and what is measured. Functions return 0, or -errno with a sentence for
 * ullnic_last_error().
 */
#ifndef ULLNIC_DMA_PERF_H
#define ULLNIC_DMA_PERF_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

#include "config.h"
#include "libullnic/dma_memory.h"
#include "libullnic/qdma.h"

enum way { WAY_H2C, WAY_C2H, WAYS };
enum { STAMP_BYTES = 8, CLOCK_MHZ = 250 };

/** A descriptor ring, its data, and for streams to the host its completion ring. */
struct ring {
  unsigned qid;
  enum way way;
  bool is_open;
  uint8_t* descriptors;
  uint64_t ring_iova;
  uint32_t entries;        /**< descriptors; the status slot follows them */
  uint32_t capacity;       /**< descriptors that may be posted at once */
  uint64_t posted, done;   /**< since the queue was started */
  uint64_t first, limit;   /**< `posted` where this phase began and ends */
  uint64_t last_change_ns; /**< when `done` last changed */
  /* What this phase transfers. */
  uint64_t card_address;
  const uint8_t* source; /**< H2C: data of a burst; C2H: what is expected */
  uint64_t source_iova;
  /* C2H: buffers, and completions of streams. */
  uint8_t* buffers;
  uint64_t buffers_iova;
  uint8_t* completions;
  uint64_t completions_iova;
  uint32_t cidx, colour;
  /* Results of the measured phase. */
  uint64_t transfers, bytes, wrong;
  uint64_t first_stamp, last_stamp; /**< of C2H packets, in cycles of the card */
};

/** What the card's own clock says, in cycles of 4 ns. */
struct simulated {
  uint64_t packets, cycles; /**< packets after the first one, in so many cycles; 0: unknown */
};

struct perf {
  const struct config* config;
  struct ul_transport* transport;
  struct ul_qdma qdma;
  struct ul_dma_memory memory;
  struct ring* rings; /**< two for each queue: H2C, C2H */
  unsigned ring_count;
  uint32_t slot_bytes; /**< distance of buffers, and of packets of a stream */
  bool has_stamps;     /**< packets to the host begin with the time */
  bool generator_runs;
  double seconds; /**< of the measured phase, of this machine's clock */
  struct simulated simulated[WAYS];
  uint32_t checker_packets; /**< streams H2C: as the card has counted and compared them */
  bool checker_matches;
  bool has_checker;
  bool has_measured; /**< the counts are those of the measured phase */
  const char* error; /**< why the run failed; NULL: it has not */
  bool interrupted;
};

static inline bool is_stream(const struct perf* perf) { return perf->config->mode == MODE_ST; }
/** Packets to the host: they have completions, and the card sends them until it is stopped. */
static inline bool is_c2h_stream(const struct perf* perf, const struct ring* ring) {
  return is_stream(perf) && ring->way == WAY_C2H;
}

extern volatile sig_atomic_t stop;

uint64_t now_ns(void);

/** setup.c: opens the card, starts the queues; and the reverse. */
int perf_open(struct perf* perf);
void perf_close(struct perf* perf);
int stop_queues(struct perf* perf);

/** rings.c: posts what the ring has room for; reads what the card has done. */
int ring_post(struct perf* perf, struct ring* ring);
int ring_reap(struct perf* perf, struct ring* ring);
/** The card address of a transfer, relative to the first one. */
uint64_t burst_offset(const struct perf* perf, uint64_t number);
/** What is wrong with a ring that makes no progress; always an error. */
int explain_stall(struct perf* perf, const struct ring* ring);

/** example.c: the user BAR of the example design. */
int example_find(struct perf* perf);
int example_prepare(struct perf* perf);
int example_start(struct perf* perf);
/** Looks at the rate of H2C by the card's clock. */
int example_sample(struct perf* perf);
/** Asks for the end of endless packets, and whether the last one has been written. */
int example_stop(struct perf* perf);
int example_is_stopped(struct perf* perf, bool* is_stopped);
int example_finish(struct perf* perf);

/** run.c: the phases of a run. */
int perf_run(struct perf* perf);

/** data.c: data that a card address has, and the pattern of packets. */
void fill_memory(uint8_t* data, uint64_t address, uint64_t bytes, bool inverted);
void fill_packets(uint8_t* data, uint32_t bytes, uint32_t distance, uint32_t count);

/** report.c */
void open_report(const struct config* config);
void write_report(struct perf* perf);

#endif /* ULLNIC_DMA_PERF_H */
