/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Life cycle of a device: creation, capabilities, configuration, start, stop, close.
 */
#include <errno.h>
#include <rte_bus_vdev.h>
#include <rte_cycles.h>
#include <rte_eal.h>
#include <rte_malloc.h>
#include <rte_mbuf_dyn.h>
#include <rte_version.h>
#include <string.h>
#include <time.h>

#include "pmd.h"

enum { DRAIN_TRIES = 1000, DRAIN_US = 1000 };

RTE_LOG_REGISTER(pmd_logtype, pmd.net.ullnic, NOTICE);

int pmd_check_process(const char* name) {
  if (rte_eal_process_type() != RTE_PROC_PRIMARY) {
    PMD_LOG(ERR, name, "a card belongs to one process; use the port in the primary process");
    return -ENOTSUP;
  }
  // DPDK's driver ABI is not stable between releases.
  if (strcmp(rte_version(), ULLNIC_DPDK_VERSION) != 0) {
    PMD_LOG(ERR, name,
            "this driver was built for " ULLNIC_DPDK_VERSION ", this is %s; build it again",
            rte_version());
    return -ENOTSUP;
  }
  return 0;
}

static int infos_get(struct rte_eth_dev* dev, struct rte_eth_dev_info* info) {
  const struct pmd* pmd = pmd_of(dev);
  const unsigned longest = ullnic_max_frame(pmd->card->card, pmd->number);
  info->max_rx_queues = 1;
  info->max_tx_queues = 1;
  info->max_mac_addrs = 1;
  info->min_mtu = RTE_ETHER_MIN_MTU;
  info->max_mtu = (uint16_t)(longest - PMD_OVERHEAD);
  info->max_rx_pktlen = longest + RTE_ETHER_CRC_LEN;
  info->min_rx_bufsize = RTE_ETHER_MIN_LEN;
  info->speed_capa = RTE_ETH_LINK_SPEED_10G | RTE_ETH_LINK_SPEED_FIXED;
  info->rx_offload_capa = RTE_ETH_RX_OFFLOAD_SCATTER | RTE_ETH_RX_OFFLOAD_TIMESTAMP;
  info->tx_offload_capa = RTE_ETH_TX_OFFLOAD_MULTI_SEGS;
  info->rx_desc_lim = (struct rte_eth_desc_lim){
      .nb_max = ULLNIC_RECEIVE_BUFFERS, .nb_min = ULLNIC_RECEIVE_BUFFERS, .nb_align = 1};
  info->tx_desc_lim = (struct rte_eth_desc_lim){.nb_max = ULLNIC_SEND_FRAMES,
                                                .nb_min = ULLNIC_SEND_FRAMES,
                                                .nb_align = 1,
                                                .nb_seg_max = PMD_MAX_SEGMENTS,
                                                .nb_mtu_seg_max = PMD_MAX_SEGMENTS};
  info->default_rxportconf = (struct rte_eth_dev_portconf){
      .burst_size = 32, .ring_size = ULLNIC_RECEIVE_BUFFERS, .nb_queues = 1};
  info->default_txportconf = (struct rte_eth_dev_portconf){
      .burst_size = 32, .ring_size = ULLNIC_SEND_FRAMES, .nb_queues = 1};
  info->default_rxconf.rx_drop_en = 1;  // the card drops frames without a buffer
  return 0;
}

/** Checks what DPDK has not already checked against infos_get(). */
static int configure(struct rte_eth_dev* dev) {
  const struct rte_eth_conf* conf = &dev->data->dev_conf;
  const char* name = dev->data->name;
  const uint32_t speeds = conf->link_speeds & ~RTE_ETH_LINK_SPEED_FIXED;
  if (conf->rxmode.mq_mode != RTE_ETH_MQ_RX_NONE || conf->txmode.mq_mode != RTE_ETH_MQ_TX_NONE) {
    PMD_LOG(ERR, name, "a port has one queue each way; set mq_mode to NONE, which is without RSS");
    return -ENOTSUP;
  }
  if (conf->lpbk_mode != 0) {
    PMD_LOG(ERR, name, "the card has no loopback; set lpbk_mode to 0");
    return -ENOTSUP;
  }
  if (speeds != RTE_ETH_LINK_SPEED_AUTONEG && speeds != RTE_ETH_LINK_SPEED_10G) {
    PMD_LOG(ERR, name, "the link has 10 Gbit/s; set link_speeds to that or to autonegotiation");
    return -EINVAL;
  }
  if (conf->intr_conf.rxq != 0) {
    PMD_LOG(ERR, name, "there is no interrupt for a queue; set intr_conf.rxq to 0 and poll");
    return -ENOTSUP;
  }
  if (conf->dcb_capability_en != 0) {
    PMD_LOG(ERR, name, "the card has no DCB; set dcb_capability_en to 0");
    return -ENOTSUP;
  }
  return 0;
}

static int register_stamps(struct rte_eth_dev* dev) {
  struct pmd_rx* rx = &pmd_of(dev)->rx;
  rx->stamps = (dev->data->dev_conf.rxmode.offloads & RTE_ETH_RX_OFFLOAD_TIMESTAMP) != 0;
  if (rx->stamps && rte_mbuf_dyn_rx_timestamp_register(&rx->stamp_offset, &rx->stamp_flag) != 0) {
    PMD_LOG(ERR, dev->data->name, "no field of mbufs is left for timestamps: %s; do without them",
            rte_strerror(rte_errno));
    return -rte_errno;
  }
  return 0;
}

int pmd_start(struct rte_eth_dev* dev) {
  struct pmd* pmd = pmd_of(dev);
  int result = pmd_check_buffers(dev, dev->data->mtu);
  if (result == 0) {
    result = register_stamps(dev);
  }
  if (result != 0) {
    return result;
  }
  result = ullnic_port_open(pmd->card->card, pmd->number, &pmd->port);
  if (result != 0) {
    PMD_LOG(ERR, dev->data->name, "%s", ullnic_last_error());
    return result;
  }
  pmd->rx.longest = dev->data->mtu + PMD_OVERHEAD;
  pmd->rx.tick_ps = ullnic_tick_ps(pmd->card->card);
  pmd->rx.is_first = true;
  pmd->rx.has_frame = false;
  pmd->rx.has_failed = false;
  pmd->tx.longest = ullnic_max_frame(pmd->card->card, pmd->number);
  pmd->tx.has_failed = false;
  pmd->rx.port = pmd->port;
  pmd->tx.port = pmd->port;
  if (dev->data->nb_rx_queues != 0) {
    dev->data->rx_queue_state[0] = RTE_ETH_QUEUE_STATE_STARTED;
  }
  if (dev->data->nb_tx_queues != 0) {
    dev->data->tx_queue_state[0] = RTE_ETH_QUEUE_STATE_STARTED;
  }
  (void)pmd_link_update(dev, 0);
  return 0;
}

/** Waits until queued frames are sent, unless the link is down or paused for a second. */
static void drain(struct pmd* pmd) {
  unsigned pending = ullnic_send_pending(pmd->port);
  for (int tries = 0; pending != 0 && tries < DRAIN_TRIES && !pmd->tx.has_failed; ++tries) {
    rte_delay_us_sleep(DRAIN_US);
    pending = ullnic_send_pending(pmd->port);
  }
  pmd->tx.lost_at_stop += pending;
}

int pmd_stop(struct rte_eth_dev* dev) {
  struct pmd* pmd = pmd_of(dev);
  if (pmd->port == NULL) {
    return 0;
  }
  drain(pmd);
  pmd->rx.port = NULL;
  pmd->tx.port = NULL;
  pmd->rx.has_frame = false;  // its data is freed with the port
  ullnic_port_close(pmd->port);
  pmd->port = NULL;
  dev->data->rx_queue_state[0] = RTE_ETH_QUEUE_STATE_STOPPED;
  dev->data->tx_queue_state[0] = RTE_ETH_QUEUE_STATE_STOPPED;
  return 0;
}

/** DPDK frees the rest. */
static int close_device(struct rte_eth_dev* dev) {
  struct pmd* pmd = pmd_of(dev);
  if (rte_eal_process_type() != RTE_PROC_PRIMARY) {
    return 0;
  }
  (void)pmd_stop(dev);
  pmd_card_release_port(pmd->card, pmd->number);
  pthread_mutex_destroy(&pmd->lock);
  dev->data->mac_addrs = NULL;  // part of the private data
  return 0;
}

/** A port receives frames to any address, so these modes are always on. */
static int always_on(struct rte_eth_dev* dev) {
  (void)dev;
  return 0;
}

static int promiscuous_disable(struct rte_eth_dev* dev) {
  PMD_LOG(ERR, dev->data->name,
          "the card has no filter of addresses, so a port is promiscuous at any time; compare "
          "addresses in the program");
  return -ENOTSUP;
}

static int allmulticast_disable(struct rte_eth_dev* dev) {
  PMD_LOG(ERR, dev->data->name,
          "the card has no filter of addresses, so a port receives all groups at any time; compare "
          "addresses in the program");
  return -ENOTSUP;
}

static int mac_addr_set(struct rte_eth_dev* dev, struct rte_ether_addr* address) {
  (void)dev;
  (void)address;  // frames to it are received, as all are
  return 0;
}

static int set_mc_addr_list(struct rte_eth_dev* dev, struct rte_ether_addr* groups,
                            uint32_t count) {
  (void)dev;
  (void)groups;  // they are received, as all are
  (void)count;
  return 0;
}

static const struct eth_dev_ops operations = {
    .dev_configure = configure,
    .dev_infos_get = infos_get,
    .dev_start = pmd_start,
    .dev_stop = pmd_stop,
    .dev_close = close_device,
    .is_removed = pmd_is_removed,
    .rx_queue_setup = pmd_rx_queue_setup,
    .rx_queue_release = pmd_rx_queue_release,
    .rxq_info_get = pmd_rxq_info_get,
    .tx_queue_setup = pmd_tx_queue_setup,
    .tx_queue_release = pmd_tx_queue_release,
    .txq_info_get = pmd_txq_info_get,
    .link_update = pmd_link_update,
    .mtu_set = pmd_mtu_set,
    .promiscuous_enable = always_on,
    .promiscuous_disable = promiscuous_disable,
    .allmulticast_enable = always_on,
    .allmulticast_disable = allmulticast_disable,
    .mac_addr_set = mac_addr_set,
    .set_mc_addr_list = set_mc_addr_list,
    .stats_get = pmd_stats_get,
    .stats_reset = pmd_stats_reset,
    .xstats_get = pmd_xstats_get,
    .xstats_get_names = pmd_xstats_get_names,
    .xstats_reset = pmd_stats_reset,
    .read_clock = pmd_read_clock,
};

/** A card has no built-in address: derived from its name and the port, or as given. */
static void set_address(struct pmd* pmd, const struct pmd_arguments* arguments) {
  if (arguments->has_address) {
    pmd->address = arguments->address;
    return;
  }
  unsigned sum = 0;
  for (const char* letter = pmd->card->name; *letter != '\0'; ++letter) {
    sum = sum * 31 + (uint8_t)*letter;
  }
  pmd->address = (struct rte_ether_addr){
      {0x02, 0x55, 0x4c, 0x4c, (uint8_t)(sum >> 8 ^ sum), (uint8_t)pmd->number}};
}

static int fill_in(struct rte_eth_dev* dev, const struct pmd_arguments* arguments,
                   struct pmd_card* card, unsigned port) {
  struct pmd* pmd = pmd_of(dev);
  pmd->card = card;
  pmd->number = port;
  pmd->rx.data = dev->data;
  pmd->tx.data = dev->data;
  pthread_mutex_init(&pmd->lock, NULL);
  set_address(pmd, arguments);
  dev->data->mac_addrs = &pmd->address;
  dev->data->promiscuous = 1;
  dev->data->all_multicast = 1;
  dev->data->dev_flags |= RTE_ETH_DEV_AUTOFILL_QUEUE_XSTATS;
  dev->dev_ops = &operations;
  dev->rx_pkt_burst = pmd_rx_burst;
  dev->tx_pkt_burst = pmd_tx_burst;
  dev->tx_pkt_prepare = pmd_tx_prepare;
  const int result = pmd_stats_reset(dev);  // the MAC counts from the card's power-up
  if (result != 0) {
    pthread_mutex_destroy(&pmd->lock);
    dev->data->mac_addrs = NULL;
  }
  return result;
}

int pmd_create(struct rte_device* device, const char* name, const struct pmd_arguments* arguments,
               struct pmd_card* card, unsigned port) {
  int result = pmd_card_take_port(name, card, port);
  if (result != 0) {
    return result;
  }
  struct rte_eth_dev* dev = rte_eth_dev_allocate(name);
  if (dev == NULL) {
    PMD_LOG(ERR, name, "DPDK has no room for another port; use fewer");
    pmd_card_release_port(card, port);
    return -ENOMEM;
  }
  dev->device = device;
  dev->data->numa_node = device->numa_node;
  dev->data->dev_private =
      rte_zmalloc_socket(name, sizeof(struct pmd), RTE_CACHE_LINE_SIZE, device->numa_node);
  if (dev->data->dev_private == NULL) {
    PMD_LOG(ERR, name, "out of memory; give DPDK more (-m)");
    result = -ENOMEM;
  } else {
    result = fill_in(dev, arguments, card, port);
  }
  if (result != 0) {
    pmd_card_release_port(card, port);
    (void)rte_eth_dev_release_port(dev);
    return result;
  }
  rte_eth_dev_probing_finish(dev);
  return 0;
}

int pmd_remove(const struct rte_device* device) {
  int result = 0;
  uint16_t id;
  RTE_ETH_FOREACH_DEV_OF(id, device) {
    const int stopped = rte_eth_dev_stop(id);
    const int closed = rte_eth_dev_close(id);
    if (stopped != 0 || closed != 0) {
      result = stopped != 0 ? stopped : closed;
    }
  }
  return result;
}
