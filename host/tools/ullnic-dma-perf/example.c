/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The example design's user BAR: endless packets to the host, the checker of packets from it, and
 * its clock. A packet from the host begins with the pattern, which the card subtracts from its
 * clock as if it were a time stamp: differences of these "latencies" are differences of time.
 */
#include <errno.h>
#include <stddef.h>

#include "libullnic/error.h"
#include "perf.h"
#include "qdma_example_regs.h"
#include "ullnic/card.h"

#define REGISTER(name) ((uint32_t)offsetof(qdma_example_regs_t, name))
#define CONTROL(name) QDMA_EXAMPLE_REGS__C2H_CONTROL__##name##_bm
enum { LINE = 64, MIN_WINDOW = 512, MAX_WINDOW = 16384 };

static const uint32_t endless = CONTROL(DUMP_DATA) | CONTROL(DUMP_COMPLETION);

static int get(struct perf* perf, uint32_t address, uint32_t* value) {
  return perf->transport->ops->read32(perf->transport, UL_BAR_CARD, address, value);
}

static int set(struct perf* perf, uint32_t address, uint32_t value) {
  return perf->transport->ops->write32(perf->transport, UL_BAR_CARD, address, value);
}

static bool has(const struct perf* perf, enum way way) {
  return perf->config->dir == DIR_BI || perf->config->dir == (uint64_t)way;
}

int example_find(struct perf* perf) {
  static const uint32_t probe = 0x5ca1ab1e;
  const char* name = perf->transport->name;
  uint32_t id = 0, scratch = 0, clear = 0;
  if (perf->transport->bar_size[UL_BAR_CARD] < sizeof(qdma_example_regs_t)) {
    return ul_fail(ENXIO,
                   "%s: it has no user BAR, so no packet generator; set mode=mm, or give the card "
                   "of ullnic-qdma-example",
                   name);
  }
  int result = get(perf, ULLNIC_CARD_REGISTER(ID), &id);
  if (result == 0 && id == CARD_REGS__ID__ID_reset) {
    return ul_fail(ENXIO,
                   "%s: this is a network card without a packet generator; give the card of "
                   "ullnic-qdma-example",
                   name);
  }
  if (result == 0) {
    result = set(perf, REGISTER(SCRATCH), probe);
  }
  if (result == 0) {
    result = get(perf, REGISTER(SCRATCH), &scratch);
  }
  if (result == 0) {
    result = set(perf, REGISTER(H2C_CONTROL), QDMA_EXAMPLE_REGS__H2C_CONTROL__CLEAR_bm);
  }
  if (result == 0) {
    result = get(perf, REGISTER(H2C_CONTROL), &clear);
  }
  // Registers that keep everything are not those of the example design: `clear` reads as 0.
  if (result == 0 && (scratch != probe || clear != 0)) {
    return ul_fail(ENXIO,
                   "%s: its user BAR is not that of the example design; give the card of "
                   "ullnic-qdma-example",
                   name);
  }
  return result;
}

/** Cycles of a sample of H2C: a part of a short run, so that one lies within it. */
static uint32_t window(const struct config* config) {
  const uint64_t beats = config->transfers * config->queues * ((config->pkt_sz + LINE - 1) / LINE);
  if (config->transfers == 0 || beats / 4 > MAX_WINDOW) {
    return MAX_WINDOW;
  }
  return beats / 4 < MIN_WINDOW ? MIN_WINDOW : (uint32_t)(beats / 4);
}

int example_prepare(struct perf* perf) {
  const struct config* config = perf->config;
  perf->has_stamps = config->pkt_sz >= STAMP_BYTES;
  const struct {
    uint32_t address, value;
  } words[] = {
      {REGISTER(C2H_CONTROL), 0},
      {REGISTER(C2H_COMPLETION_SIZE), (uint32_t)config->cmptsz},
      // A write forgets queues of before, and ends an earlier stop.
      {REGISTER(PACKET_LENGTH), has(perf, WAY_C2H) ? (uint32_t)config->pkt_sz : 0},
      {REGISTER(H2C_CONTROL), QDMA_EXAMPLE_REGS__H2C_CONTROL__CLEAR_bm},
      {REGISTER(LATENCY_WINDOW_HIGH), 0},
      {REGISTER(LATENCY_WINDOW_LOW), window(config)},
      {REGISTER(LATENCY_CONTROL),
       QDMA_EXAMPLE_REGS__LATENCY_CONTROL__CLEAR_bm |
           (perf->has_stamps ? QDMA_EXAMPLE_REGS__LATENCY_CONTROL__ENABLE_bm : 0)},
  };
  int result = 0;
  for (unsigned i = 0; result == 0 && i < sizeof words / sizeof *words; ++i) {
    result = set(perf, words[i].address, words[i].value);
  }
  return result;
}

int example_start(struct perf* perf) {
  if (!is_stream(perf) || !has(perf, WAY_C2H)) {
    return 0;
  }
  perf->generator_runs = true;
  return set(perf, REGISTER(C2H_CONTROL), endless);
}

int example_stop(struct perf* perf) {
  int result =
      set(perf, REGISTER(C2H_CONTROL), endless | CONTROL(STOP_DATA) | CONTROL(STOP_COMPLETION));
  perf->generator_runs = false;
  if (result == 0 && perf->config->marker_en != 0) {
    result = set(perf, REGISTER(C2H_CONTROL), endless | CONTROL(MARKER));
  }
  return result;
}

int example_is_stopped(struct perf* perf, bool* is_stopped) {
  uint32_t status = 0;
  const int result = get(perf, REGISTER(C2H_STATUS), &status);
  *is_stopped = (status & QDMA_EXAMPLE_REGS__C2H_STATUS__MARKER_bm) != 0;
  return result;
}

int example_sample(struct perf* perf) {
  // The card holds all eight from the read of the first one until that of the last one.
  enum { MAXIMUM, MINIMUM, SUM, PACKETS, SUMS };
  uint64_t sums[SUMS];
  struct simulated* simulated = &perf->simulated[WAY_H2C];
  if (!perf->has_stamps || !has(perf, WAY_H2C)) {
    return 0;
  }
  for (unsigned i = 0; i < SUMS; ++i) {
    uint32_t low = 0, high = 0;
    const uint32_t address = REGISTER(LATENCY_MAXIMUM_LOW) + 8 * i;
    int result = get(perf, address, &low);
    if (result == 0) {
      result = get(perf, address + 4, &high);
    }
    if (result != 0) {
      return result;
    }
    sums[i] = low | (uint64_t)high << 32;
  }
  if (sums[PACKETS] > 1 && sums[MAXIMUM] > sums[MINIMUM]) {
    *simulated =
        (struct simulated){.packets = sums[PACKETS] - 1, .cycles = sums[MAXIMUM] - sums[MINIMUM]};
  }
  return 0;
}

int example_finish(struct perf* perf) {
  uint32_t status = 0;
  int result = 0;
  if (has(perf, WAY_H2C)) {
    perf->has_checker = true;
    result = get(perf, REGISTER(H2C_COUNT), &perf->checker_packets);
    if (result == 0) {
      result = get(perf, REGISTER(H2C_STATUS), &status);
    }
    perf->checker_matches = (status & QDMA_EXAMPLE_REGS__H2C_STATUS__MATCH_bm) != 0;
  }
  if (result == 0) {
    result = set(perf, REGISTER(C2H_CONTROL), 0);
  }
  return result != 0 ? result : set(perf, REGISTER(LATENCY_CONTROL), 0);
}
