/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The two queues of a port, and how long its frames are. The rings are libullnic's.
 */
#include <errno.h>

#include "pmd.h"

static uint32_t room_of(const struct rte_mempool* pool) {
  return (uint32_t)rte_pktmbuf_data_room_size((struct rte_mempool*)pool) - RTE_PKTMBUF_HEADROOM;
}

int pmd_check_buffers(struct rte_eth_dev* dev, uint16_t mtu) {
  const struct rte_mempool* pool = pmd_of(dev)->rx.pool;
  const bool scatter = (dev->data->dev_conf.rxmode.offloads & RTE_ETH_RX_OFFLOAD_SCATTER) != 0;
  if (pool == NULL) {
    return 0;  // the queue is not set up yet
  }
  const uint32_t frame = (uint32_t)mtu + PMD_OVERHEAD;
  const bool needs_several = frame > room_of(pool);
  if (needs_several && !scatter) {
    PMD_LOG(ERR, dev->data->name,
            "a frame of MTU %u has %u bytes, an mbuf of pool %s room for %u; enable "
            "RTE_ETH_RX_OFFLOAD_SCATTER, or make the mbufs larger",
            mtu, frame, pool->name, room_of(pool));
    return -EINVAL;
  }
  dev->data->scattered_rx = needs_several;
  return 0;
}

int pmd_mtu_set(struct rte_eth_dev* dev, uint16_t mtu) {
  const int result = pmd_check_buffers(dev, mtu);
  if (result == 0) {
    pmd_of(dev)->rx.longest = (uint32_t)mtu + PMD_OVERHEAD;
  }
  return result;
}

int pmd_rx_queue_setup(struct rte_eth_dev* dev, uint16_t queue, uint16_t descriptors,
                       unsigned socket, const struct rte_eth_rxconf* conf,
                       struct rte_mempool* pool) {
  struct pmd_rx* rx = &pmd_of(dev)->rx;
  (void)descriptors;  // their number is fixed
  (void)socket;       // memory is local to the library's thread
  if (conf->rx_deferred_start) {
    PMD_LOG(ERR, dev->data->name,
            "a queue cannot start later than its port; clear "
            "rx_deferred_start");
    return -ENOTSUP;
  }
  rx->pool = pool;
  const int result = pmd_check_buffers(dev, dev->data->mtu);
  if (result != 0) {
    rx->pool = NULL;
    return result;
  }
  dev->data->rx_queues[queue] = rx;
  return 0;
}

int pmd_tx_queue_setup(struct rte_eth_dev* dev, uint16_t queue, uint16_t descriptors,
                       unsigned socket, const struct rte_eth_txconf* conf) {
  struct pmd_tx* tx = &pmd_of(dev)->tx;
  (void)descriptors;
  (void)socket;
  if (conf->tx_deferred_start) {
    PMD_LOG(ERR, dev->data->name,
            "a queue cannot start later than its port; clear "
            "tx_deferred_start");
    return -ENOTSUP;
  }
  tx->is_set_up = true;
  dev->data->tx_queues[queue] = tx;
  return 0;
}

void pmd_rx_queue_release(struct rte_eth_dev* dev, uint16_t queue) {
  (void)queue;
  pmd_of(dev)->rx.pool = NULL;
}

void pmd_tx_queue_release(struct rte_eth_dev* dev, uint16_t queue) {
  (void)queue;
  pmd_of(dev)->tx.is_set_up = false;
}

void pmd_rxq_info_get(struct rte_eth_dev* dev, uint16_t queue, struct rte_eth_rxq_info* info) {
  (void)queue;
  info->mp = pmd_of(dev)->rx.pool;
  info->conf.rx_drop_en = 1;
  info->conf.offloads = dev->data->dev_conf.rxmode.offloads;
  info->scattered_rx = dev->data->scattered_rx;
  info->nb_desc = ULLNIC_RECEIVE_BUFFERS;
  info->queue_state = dev->data->rx_queue_state[0];
}

void pmd_txq_info_get(struct rte_eth_dev* dev, uint16_t queue, struct rte_eth_txq_info* info) {
  (void)queue;
  info->conf.offloads = dev->data->dev_conf.txmode.offloads;
  info->nb_desc = ULLNIC_SEND_FRAMES;
  info->queue_state = dev->data->tx_queue_state[0];
}
