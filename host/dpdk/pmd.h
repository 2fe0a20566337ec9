/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Shared declarations of the poll-mode driver's files. A DPDK device is a port of a card.
 */
#ifndef ULLNIC_PMD_H
#define ULLNIC_PMD_H

#include <ethdev_driver.h>
#include <pthread.h>
#include <rte_ethdev.h>
#include <rte_kvargs.h>
#include <rte_log.h>
#include <rte_mbuf.h>
#include <stdbool.h>
#include <stdint.h>

#include "ullnic/ullnic.h"

extern int pmd_logtype;
/** Writes a line about the device `name` to DPDK's log. */
#define PMD_LOG(level, name, format, ...) \
  rte_log(RTE_LOG_##level, (uint32_t)pmd_logtype, "%s: " format "\n", (name), ##__VA_ARGS__)

enum {
  /** Ethernet header and a VLAN tag: overhead of a frame beyond its MTU, without FCS. */
  PMD_OVERHEAD = RTE_ETHER_HDR_LEN + RTE_VLAN_HLEN,
  PMD_MAX_SEGMENTS = 64, /**< of a packet to send */
  PMD_HOST_COUNTERS = 10,
  PMD_MAX_COUNTERS = 64,
};

/** A card that this process has open. card.c */
struct pmd_card {
  struct pmd_card* next;
  char* name;
  ullnic_t* card;
  unsigned users; /**< ports that are devices, and pmd_card_open() */
  uint32_t taken; /**< bit i: port i is a device */
};

/**
 * Opens the card `name`, as ullnic_open() does, unless this process already has it open. Returns 0,
 * or -errno with a line in the log about `device`.
 */
int pmd_card_open(const char* device, const char* name, struct pmd_card** opened);
/** Closes it unless one of its ports is a device. */
void pmd_card_close(struct pmd_card* card);
/** Assigns a port to a device, which keeps the card open. */
int pmd_card_take_port(const char* device, struct pmd_card* card, unsigned port);
void pmd_card_release_port(struct pmd_card* card, unsigned port);

/** The receive queue. Only its thread writes here, except at start and stop. */
struct pmd_rx {
  ullnic_port_t* port; /**< NULL: not started */
  struct rte_eth_dev_data* data;
  struct rte_mempool* pool;
  struct ullnic_frame frame; /**< received and not yet delivered, if has_frame */
  bool has_frame;
  bool has_failed;
  bool is_first; /**< the first frame since the start, whose number starts the count */
  bool stamps;
  int stamp_offset;
  uint64_t stamp_flag;
  unsigned tick_ps;
  uint32_t longest;  /**< longest frame that is delivered */
  uint32_t next_seq; /**< number of the next frame if the DMA drops none */
  uint64_t packets;
  uint64_t bytes;
  uint64_t over_mtu;
  uint64_t mirrors;
  uint64_t dma_drops;
};

/** The transmit queue, with the same rule. */
struct pmd_tx {
  ullnic_port_t* port;
  struct rte_eth_dev_data* data;
  uint32_t longest;
  bool has_failed;
  bool is_set_up;
  uint64_t packets;
  uint64_t bytes;
  uint64_t refused;
  uint64_t ring_full;
  uint64_t lost_at_stop;
};

/** A device. */
struct pmd {
  struct pmd_card* card;
  unsigned number; /**< of the port */
  ullnic_port_t* port;
  struct rte_ether_addr address;
  struct pmd_rx rx;
  struct pmd_tx tx;
  pthread_mutex_t lock;                /**< protects what follows */
  uint32_t seen[PMD_HOST_COUNTERS];    /**< last values of the card's 32-bit counters */
  uint64_t counted[PMD_HOST_COUNTERS]; /**< the same, extended to 64 bits */
  uint64_t base[PMD_MAX_COUNTERS];     /**< values of all counters at the last reset */
};

static inline struct pmd* pmd_of(const struct rte_eth_dev* dev) { return dev->data->dev_private; }

/** Arguments of a device. */
struct pmd_arguments {
  char* card;     /**< NULL: the library's default */
  unsigned ports; /**< bit i: port i is wanted */
  bool has_address;
  struct rte_ether_addr address;
};

/** Parses them; free the result with pmd_arguments_free(). arguments.c */
int pmd_arguments_parse(const char* device, const char* text, bool takes_card,
                        struct pmd_arguments* arguments);
void pmd_arguments_free(struct pmd_arguments* arguments);

/** Creates the device `name` for a port; 0 or -errno. device.c */
int pmd_create(struct rte_device* device, const char* name, const struct pmd_arguments* arguments,
               struct pmd_card* card, unsigned port);
/** Closes all devices of `device`. */
int pmd_remove(const struct rte_device* device);
/** 0, or -ENOTSUP in a process that cannot have devices. */
int pmd_check_process(const char* name);

/* Entries of the table of functions: device.c, queues.c, link.c, stats.c */
int pmd_start(struct rte_eth_dev* dev);
int pmd_stop(struct rte_eth_dev* dev);
int pmd_rx_queue_setup(struct rte_eth_dev* dev, uint16_t queue, uint16_t descriptors,
                       unsigned socket, const struct rte_eth_rxconf* conf,
                       struct rte_mempool* pool);
int pmd_tx_queue_setup(struct rte_eth_dev* dev, uint16_t queue, uint16_t descriptors,
                       unsigned socket, const struct rte_eth_txconf* conf);
void pmd_rx_queue_release(struct rte_eth_dev* dev, uint16_t queue);
void pmd_tx_queue_release(struct rte_eth_dev* dev, uint16_t queue);
void pmd_rxq_info_get(struct rte_eth_dev* dev, uint16_t queue, struct rte_eth_rxq_info* info);
void pmd_txq_info_get(struct rte_eth_dev* dev, uint16_t queue, struct rte_eth_txq_info* info);
/** -EINVAL: a frame of this MTU needs several buffers, and scatter is off. */
int pmd_check_buffers(struct rte_eth_dev* dev, uint16_t mtu);
int pmd_mtu_set(struct rte_eth_dev* dev, uint16_t mtu);
int pmd_link_update(struct rte_eth_dev* dev, int wait_to_complete);
int pmd_read_clock(struct rte_eth_dev* dev, uint64_t* clock);
int pmd_is_removed(struct rte_eth_dev* dev);
int pmd_stats_get(struct rte_eth_dev* dev, struct rte_eth_stats* stats);
int pmd_stats_reset(struct rte_eth_dev* dev);
int pmd_xstats_get(struct rte_eth_dev* dev, struct rte_eth_xstat* stats, unsigned count);
int pmd_xstats_get_names(struct rte_eth_dev* dev, struct rte_eth_xstat_name* names, unsigned count);

uint16_t pmd_rx_burst(void* queue, struct rte_mbuf** packets, uint16_t count);
uint16_t pmd_tx_burst(void* queue, struct rte_mbuf** packets, uint16_t count);
uint16_t pmd_tx_prepare(void* queue, struct rte_mbuf** packets, uint16_t count);

/** Converts ticks to nanoseconds. A card's tick is a fraction or a multiple of one. */
static inline uint64_t pmd_ns(uint64_t ticks, unsigned tick_ps) {
  return tick_ps >= 1000 ? ticks * (tick_ps / 1000) : ticks / (1000 / tick_ps);
}

#endif /* ULLNIC_PMD_H */
