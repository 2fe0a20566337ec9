/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * A run: memory is written, then all rings work at once until time or number is over, then memory
 * is compared. One thread serves all rings.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "libullnic/error.h"
#include "perf.h"

enum { SPINS = 1000, CHECK_ALIVE_EVERY = 64, PAUSE_NS = 50000 };
#define SECOND UINT64_C(1000000000)
/** Without a marker nothing says that the last packet has been written: so long without any. */
#define QUIET_NS (SECOND / 20)

uint64_t now_ns(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (uint64_t)time.tv_sec * SECOND + (uint64_t)time.tv_nsec;
}

/** One phase: which rings, and when it ends. */
struct phase {
  bool ways[WAYS];
  uint64_t end_ns; /**< 0: the rings' limits end it */
  bool is_measured;
  bool is_ending, has_sampled;
  uint64_t ending_ns;
  unsigned idle;
};

static bool is_active(const struct phase* phase, const struct ring* ring) {
  return ring->is_open && phase->ways[ring->way];
}

/** One pass over all rings. */
static int serve(struct perf* perf, struct phase* phase, bool* all_done) {
  const uint64_t timeout = perf->config->timeout_s * SECOND;
  uint64_t changes = 0;
  *all_done = true;
  for (unsigned i = 0; i < perf->ring_count; ++i) {
    struct ring* ring = &perf->rings[i];
    if (!is_active(phase, ring)) {
      continue;
    }
    const uint64_t before = ring->done + ring->posted;
    int result = ring_reap(perf, ring);
    if (result == 0 && !phase->is_ending) {
      result = ring_post(perf, ring);
    }
    if (result != 0) {
      return result;
    }
    changes += ring->done + ring->posted - before;
    const bool is_done = ring->done == ring->limit;
    const bool may_stay = phase->is_ending && is_c2h_stream(perf, ring);
    *all_done &= is_done || may_stay;
    if (ring->posted != ring->done && !may_stay && now_ns() - ring->last_change_ns > timeout) {
      return explain_stall(perf, ring);
    }
  }
  if (changes != 0) {
    phase->idle = 0;
  } else if (++phase->idle > SPINS) {
    const struct timespec pause = {.tv_nsec = PAUSE_NS};
    nanosleep(&pause, NULL);
    if (phase->idle % CHECK_ALIVE_EVERY == 0) {
      return perf->transport->ops->alive(perf->transport);
    }
  }
  return 0;
}

/** Nothing more is posted; what is posted ends, and endless packets end with a marker. */
static int begin_to_end(struct perf* perf, struct phase* phase) {
  phase->is_ending = true;
  phase->ending_ns = now_ns();
  for (unsigned i = 0; i < perf->ring_count; ++i) {
    struct ring* ring = &perf->rings[i];
    if (is_active(phase, ring)) {
      ring->limit = ring->posted;
    }
  }
  return perf->generator_runs ? example_stop(perf) : 0;
}

static uint64_t last_change(const struct perf* perf) {
  uint64_t last = 0;
  for (unsigned i = 0; i < perf->ring_count; ++i) {
    if (perf->rings[i].last_change_ns > last) {
      last = perf->rings[i].last_change_ns;
    }
  }
  return last;
}

/** Endless packets have ended: all that there will be are in memory. */
static int generator_ended(struct perf* perf, const struct phase* phase, bool* ended) {
  const bool has_generator = is_stream(perf) && phase->ways[WAY_C2H];
  *ended = true;
  if (!has_generator) {
    return 0;
  }
  if (perf->config->marker_en == 0) {
    const uint64_t last = last_change(perf);
    *ended = now_ns() - (last > phase->ending_ns ? last : phase->ending_ns) > QUIET_NS;
    return 0;
  }
  const int result = example_is_stopped(perf, ended);
  if (result == 0 && !*ended && now_ns() - phase->ending_ns > perf->config->timeout_s * SECOND) {
    return ul_fail(ETIMEDOUT,
                   "the marker after the last packet of C2H does not return; give a longer "
                   "--timeout if the card is slow, else reset it");
  }
  return result;
}

/** H2C by the card's clock: once in the middle of the run. */
static int sample(struct perf* perf, struct phase* phase, uint64_t start_ns) {
  const struct ring* ring = &perf->rings[WAY_H2C];
  const uint64_t done = ring->done - ring->first;
  const bool is_middle = phase->end_ns != 0 && now_ns() - start_ns > (phase->end_ns - start_ns) / 2;
  if (!phase->is_measured || phase->has_sampled ||
      !(is_middle || (perf->config->transfers != 0 && done > perf->config->transfers / 2))) {
    return 0;
  }
  phase->has_sampled = true;
  return example_sample(perf);
}

static int run_phase(struct perf* perf, struct phase* phase, uint64_t transfers) {
  const uint64_t start_ns = now_ns();
  for (unsigned i = 0; i < perf->ring_count; ++i) {
    struct ring* ring = &perf->rings[i];
    ring->first = ring->posted;
    ring->limit = transfers != 0 ? ring->posted + transfers : UINT64_MAX;
    ring->last_change_ns = start_ns;
    ring->wrong = 0;
  }
  bool all_done = false, ended = false;
  int result = 0;
  while (result == 0 && !ended) {
    result = serve(perf, phase, &all_done);
    if (result == 0) {
      result = sample(perf, phase, start_ns);
    }
    const bool is_over = all_done || stop || (phase->end_ns != 0 && now_ns() >= phase->end_ns);
    if (result == 0 && !phase->is_ending && is_over) {
      perf->interrupted |= stop != 0;
      result = begin_to_end(perf, phase);
      all_done = false;
    }
    if (result == 0 && phase->is_ending && all_done) {
      result = generator_ended(perf, phase, &ended);
    }
  }
  if (result == 0) {
    result = serve(perf, phase, &all_done);  // entries that came before the marker
  }
  const uint64_t last_ns = last_change(perf);
  if (phase->is_measured) {
    perf->seconds = (double)(last_ns - start_ns) / 1e9;
  }
  return result;
}

static uint64_t card_address(const struct config* config, const struct ring* ring) {
  if (config->offset_q_en == 0) {
    return config->offset_ch0;
  }
  const bool is_h2c = ring->way == WAY_H2C;
  return config->offset_ch0 + (is_h2c ? config->h2c_q_start_offset : config->c2h_q_start_offset) +
         ring->qid * (is_h2c ? config->h2c_q_offset_intvl : config->c2h_q_offset_intvl);
}

/** What the measured phase sends and expects. */
static void prepare_data(struct perf* perf) {
  const struct config* config = perf->config;
  for (unsigned i = 0; i < perf->ring_count; ++i) {
    struct ring* ring = &perf->rings[i];
    if (is_stream(perf)) {
      fill_packets((uint8_t*)ring->source, (uint32_t)config->pkt_sz, perf->slot_bytes,
                   (uint32_t)config->num_pkt);
    } else {
      ring->card_address = card_address(config, ring);
      fill_memory((uint8_t*)ring->source, ring->card_address, config->num_pkt * config->pkt_sz,
                  false);
    }
  }
}

/**
 * Transfers a burst by the H2C ring of each queue with other data: what C2H will read; or, if
 * there is H2C alone, the inverse of what it will write.
 */
static int write_memory(struct perf* perf) {
  const struct config* config = perf->config;
  const bool is_h2c = config->dir == DIR_H2C;
  struct phase phase = {.ways = {[WAY_H2C] = true}};
  for (unsigned i = 0; i < perf->ring_count; i += WAYS) {
    struct ring* ring = &perf->rings[i];
    ring->card_address = is_h2c ? ring->card_address : perf->rings[i + WAY_C2H].card_address;
    fill_memory((uint8_t*)ring->source, ring->card_address, config->num_pkt * config->pkt_sz,
                is_h2c);
  }
  const int result = run_phase(perf, &phase, config->num_pkt);
  prepare_data(perf);
  return result;
}

/** Reads what H2C has written. The C2H ring's results are those of the comparison alone. */
static int read_memory(struct perf* perf) {
  struct phase phase = {.ways = {[WAY_C2H] = true}};
  uint64_t transfers = perf->config->num_pkt;
  for (unsigned i = 0; i < perf->ring_count; i += WAYS) {
    struct ring* c2h = &perf->rings[i + WAY_C2H];
    c2h->card_address = perf->rings[i].card_address;
    c2h->source = perf->rings[i].source;
    if (perf->rings[i].transfers < transfers) {
      transfers = perf->rings[i].transfers;
    }
  }
  const int result = transfers == 0 ? 0 : run_phase(perf, &phase, transfers);
  for (unsigned i = 0; i < perf->ring_count; i += WAYS) {
    perf->rings[i].wrong += perf->rings[i + WAY_C2H].wrong;
    perf->rings[i + WAY_C2H].wrong = 0;
  }
  return result;
}

/** First to last packet of all queues. */
static void take_simulated_c2h(struct perf* perf) {
  uint64_t first = UINT64_MAX, last = 0, packets = 0;
  for (unsigned i = 0; i < perf->ring_count; ++i) {
    const struct ring* ring = &perf->rings[i];
    if (is_c2h_stream(perf, ring) && ring->transfers != 0 && perf->has_stamps) {
      first = ring->first_stamp < first ? ring->first_stamp : first;
      last = ring->last_stamp > last ? ring->last_stamp : last;
      packets += ring->transfers;
    }
  }
  if (packets > 1 && last > first) {
    perf->simulated[WAY_C2H] = (struct simulated){packets - 1, last - first};
  }
}

int perf_run(struct perf* perf) {
  const struct config* config = perf->config;
  const bool writes_memory = config->mode == MODE_MM && config->check;
  struct phase phase = {.ways = {config->dir != DIR_C2H, config->dir != DIR_H2C},
                        .is_measured = true};
  prepare_data(perf);
  int result = writes_memory ? write_memory(perf) : 0;
  if (result == 0) {
    result = example_start(perf);
  }
  if (result == 0 && !stop) {
    phase.end_ns = config->runtime != 0 ? now_ns() + config->runtime * SECOND : 0;
    perf->has_measured = true;
    result = run_phase(perf, &phase, config->transfers);
  }
  for (unsigned i = 0; i < perf->ring_count; ++i) {
    struct ring* ring = &perf->rings[i];
    ring->transfers = perf->has_measured && is_active(&phase, ring) ? ring->done - ring->first : 0;
    ring->bytes = ring->transfers * config->pkt_sz;
  }
  take_simulated_c2h(perf);
  if (result == 0 && is_stream(perf)) {
    result = example_finish(perf);
  }
  if (result == 0 && writes_memory && config->dir == DIR_H2C) {
    result = read_memory(perf);
  }
  return result;
}
