/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Statistics of the queues, of the card's host path and of its MAC. All start at 0 when the device
 * is created, and when they are reset.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "macpcs_regs.h"
#include "pmd.h"
#include "ullnic/card.h"

enum { SNAPSHOT_TRIES = 1000 };

/** Location of a counter: struct pmd, the host path's registers, or the MAC's. */
enum place { OF_QUEUE, OF_HOST_PATH, OF_MAC };

struct counter {
  const char* name;
  enum place place;
  size_t offset;
};

#define QUEUE(name, field) {name, OF_QUEUE, offsetof(struct pmd, field)}
#define HOST(name, field) {name, OF_HOST_PATH, offsetof(card_port_regs_t, field)}
#define MAC_RX(name, field) {"mac_rx_" name, OF_MAC, offsetof(macpcs_regs_t, RX_STATS.field)}
#define MAC_TX(name, field) {"mac_tx_" name, OF_MAC, offsetof(macpcs_regs_t, TX_STATS.field)}

/* Positions of those that struct rte_eth_stats needs. */
enum {
  RX_PACKETS,
  RX_BYTES,
  RX_OVER_MTU,
  RX_MIRRORS,
  RX_DMA_DROPS,
  TX_PACKETS,
  TX_BYTES,
  TX_REFUSED,
  TX_RING_FULL,
  TX_LOST_AT_STOP,
  FIRST_HOST,
  RX_BAD = FIRST_HOST + 1,
  RX_NO_ROOM,
  RX_CUT,
  CHUNKS_REFUSED = FIRST_HOST + 8,
  CHUNKS_CUT,
  FIRST_MAC,
};

static const struct counter counters[] = {
    QUEUE("rx_queue_packets", rx.packets),
    QUEUE("rx_queue_bytes", rx.bytes),
    QUEUE("rx_over_mtu", rx.over_mtu),
    QUEUE("rx_mirrors", rx.mirrors),
    QUEUE("rx_dma_drops", rx.dma_drops),
    QUEUE("tx_queue_packets", tx.packets),
    QUEUE("tx_queue_bytes", tx.bytes),
    QUEUE("tx_refused", tx.refused),
    QUEUE("tx_ring_full", tx.ring_full),
    QUEUE("tx_lost_at_stop", tx.lost_at_stop),
    HOST("host_rx_frames", RX_FRAMES),
    HOST("host_rx_bad", RX_BAD),
    HOST("host_rx_no_room", RX_NO_ROOM),
    HOST("host_rx_cut", RX_CUT),
    HOST("host_mirror_frames", MIRROR_FRAMES),
    HOST("host_mirror_cut", MIRROR_CUT),
    HOST("host_packets", PACKETS),
    HOST("host_chunks", CHUNKS),
    HOST("host_chunks_refused", CHUNKS_REFUSED),
    HOST("host_chunks_cut", CHUNKS_CUT),
    MAC_RX("bytes_good", BYTES_GOOD),
    MAC_RX("bytes_bad", BYTES_BAD),
    MAC_RX("frames_good", FRAMES_GOOD),
    MAC_RX("frames_bad", FRAMES_BAD),
    MAC_RX("fcs_errors", FCS_ERRORS),
    MAC_RX("code_errors", CODE_ERRORS),
    MAC_RX("runts", RUNTS),
    MAC_RX("oversize", OVERSIZE),
    MAC_RX("pause", PAUSE),
    MAC_RX("overflows", OVERFLOWS),
    MAC_RX("lock_losses", LOCK_LOSSES),
    MAC_RX("hi_ber", HI_BER),
    MAC_RX("bad_headers", BAD_HEADERS),
    MAC_RX("bad_blocks", BAD_BLOCKS),
    MAC_TX("bytes", BYTES),
    MAC_TX("frames", FRAMES),
    MAC_TX("poisoned", POISONED),
    MAC_TX("underruns", UNDERRUNS),
    MAC_TX("pause", PAUSE),
};

enum { COUNTERS = sizeof counters / sizeof *counters };
_Static_assert((int)COUNTERS <= (int)PMD_MAX_COUNTERS, "each has a base");
_Static_assert((int)FIRST_MAC == (int)FIRST_HOST + (int)PMD_HOST_COUNTERS,
               "those of the host path");

static int say_failed(struct rte_eth_dev* dev, int result) {
  PMD_LOG(ERR, dev->data->name, "no statistics: %s", ullnic_last_error());
  return result;
}

static void read_queues(const struct pmd* pmd, uint64_t* values) {
  for (unsigned i = 0; i < FIRST_HOST; ++i) {
    memcpy(&values[i], (const uint8_t*)pmd + counters[i].offset, sizeof values[i]);
  }
}

/** These have 32 bits: a full wrap between two reads (288 s of minimum-size frames) is missed. */
static int read_host_path(struct pmd* pmd, uint64_t* values) {
  for (unsigned i = 0; i < PMD_HOST_COUNTERS; ++i) {
    uint32_t now;
    const uint32_t address =
        ULLNIC_HOST_PATH_BASE(pmd->number) + (uint32_t)counters[FIRST_HOST + i].offset;
    const int result = ullnic_read32(pmd->card->card, address, &now);
    if (result != 0) {
      return result;
    }
    pmd->counted[i] += now - pmd->seen[i];
    pmd->seen[i] = now;
    values[FIRST_HOST + i] = pmd->counted[i];
  }
  return 0;
}

/** Makes the MAC copy all its counters in one cycle. */
static int take_snapshot(struct rte_eth_dev* dev, uint32_t base) {
  ullnic_t* card = pmd_of(dev)->card->card;
  const uint32_t all = MACPCS_REGS__SNAPSHOT__TX_bm | MACPCS_REGS__SNAPSHOT__RX_bm;
  const uint32_t address = base + offsetof(macpcs_regs_t, SNAPSHOT);
  uint32_t busy = all;
  int result = ullnic_write32(card, address, all);
  for (int tries = 0; result == 0 && (busy & all) != 0; ++tries) {
    if (tries == SNAPSHOT_TRIES) {
      PMD_LOG(WARNING, dev->data->name,
              "a clock of the port stands still: counters of the MAC are those of before");
      return 0;
    }
    result = ullnic_read32(card, address, &busy);
  }
  return result;
}

static int read_mac(struct rte_eth_dev* dev, uint64_t* values) {
  const struct pmd* pmd = pmd_of(dev);
  const uint32_t base = ULLNIC_MACPCS_BASE(pmd->number);
  int result = take_snapshot(dev, base);
  for (unsigned i = FIRST_MAC; result == 0 && i < COUNTERS; ++i) {
    uint32_t low = 0;
    uint32_t high = 0;
    const uint32_t address = base + (uint32_t)counters[i].offset;
    result = ullnic_read32(pmd->card->card, address, &low);
    if (result == 0) {
      result = ullnic_read32(pmd->card->card, address + 4, &high);
    }
    values[i] = (uint64_t)high << 32 | low;
  }
  return result;
}

/** Reads the raw values of the card and the queues; the lock is held. */
static int read_raw(struct rte_eth_dev* dev, uint64_t* values, bool with_mac) {
  read_queues(pmd_of(dev), values);
  int result = read_host_path(pmd_of(dev), values);
  if (result == 0 && with_mac) {
    result = read_mac(dev, values);
  }
  return result != 0 ? say_failed(dev, result) : 0;
}

static int read_counters(struct rte_eth_dev* dev, uint64_t* values, bool with_mac) {
  struct pmd* pmd = pmd_of(dev);
  pthread_mutex_lock(&pmd->lock);
  const int result = read_raw(dev, values, with_mac);
  const unsigned count = with_mac ? COUNTERS : FIRST_MAC;
  for (unsigned i = 0; i < count; ++i) {
    values[i] -= pmd->base[i];
  }
  pthread_mutex_unlock(&pmd->lock);
  return result;
}

int pmd_stats_get(struct rte_eth_dev* dev, struct rte_eth_stats* stats) {
  uint64_t values[COUNTERS];
  const int result = read_counters(dev, values, false);
  if (result != 0) {
    return result;
  }
  stats->ipackets = stats->q_ipackets[0] = values[RX_PACKETS];
  stats->ibytes = stats->q_ibytes[0] = values[RX_BYTES];
  stats->opackets = stats->q_opackets[0] = values[TX_PACKETS];
  stats->obytes = stats->q_obytes[0] = values[TX_BYTES];
  stats->imissed = values[RX_NO_ROOM] + values[RX_DMA_DROPS];
  stats->ierrors = values[RX_BAD] + values[RX_CUT] + values[RX_OVER_MTU];
  stats->oerrors =
      values[TX_REFUSED] + values[TX_LOST_AT_STOP] + values[CHUNKS_REFUSED] + values[CHUNKS_CUT];
  return 0;
}

int pmd_stats_reset(struct rte_eth_dev* dev) {
  struct pmd* pmd = pmd_of(dev);
  pthread_mutex_lock(&pmd->lock);
  const int result = read_raw(dev, pmd->base, true);
  pthread_mutex_unlock(&pmd->lock);
  return result;
}

int pmd_xstats_get_names(struct rte_eth_dev* dev, struct rte_eth_xstat_name* names,
                         unsigned count) {
  (void)dev;
  if (names != NULL && count >= COUNTERS) {
    for (unsigned i = 0; i < COUNTERS; ++i) {
      snprintf(names[i].name, sizeof names[i].name, "%s", counters[i].name);
    }
  }
  return COUNTERS;
}

int pmd_xstats_get(struct rte_eth_dev* dev, struct rte_eth_xstat* stats, unsigned count) {
  if (stats == NULL || count < COUNTERS) {
    return COUNTERS;
  }
  uint64_t values[COUNTERS];
  const int result = read_counters(dev, values, true);
  if (result != 0) {
    return result;
  }
  for (unsigned i = 0; i < COUNTERS; ++i) {
    stats[i] = (struct rte_eth_xstat){.id = i, .value = values[i]};
  }
  return COUNTERS;
}
