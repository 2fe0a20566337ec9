/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * A burst of packets to send: each is copied into libullnic's ring, then freed. The doorbell of
 * a burst is one register write; on a virtual card that is the only system call.
 */
#include <errno.h>
#include <rte_errno.h>

#include "pmd.h"

enum { LEAST_FRAME = 14 };

/** Checks a packet: 0, or the errno why no burst can send it. */
static int fault_of(const struct pmd_tx* tx, const struct rte_mbuf* packet) {
  if (packet->ol_flags & RTE_MBUF_F_TX_OFFLOAD_MASK) {
    return ENOTSUP;  // no transmit offloads
  }
  if (packet->pkt_len < LEAST_FRAME || packet->pkt_len > tx->longest ||
      packet->nb_segs > PMD_MAX_SEGMENTS) {
    return EINVAL;
  }
  return 0;
}

uint16_t pmd_tx_prepare(void* queue, struct rte_mbuf** packets, uint16_t count) {
  const struct pmd_tx* tx = queue;
  for (uint16_t i = 0; i < count; ++i) {
    const int fault = fault_of(tx, packets[i]);
    if (fault != 0) {
      rte_errno = fault;
      return i;
    }
  }
  return count;
}

static int send_one(const struct pmd_tx* tx, struct rte_mbuf* packet) {
  if (packet->nb_segs == 1) {
    return ullnic_send_raw(tx->port, rte_pktmbuf_mtod(packet, void*), packet->data_len);
  }
  struct ullnic_piece pieces[PMD_MAX_SEGMENTS];
  unsigned count = 0;
  for (const struct rte_mbuf* segment = packet; segment != NULL && count < PMD_MAX_SEGMENTS;
       segment = segment->next) {
    pieces[count++] = (struct ullnic_piece){rte_pktmbuf_mtod(segment, void*), segment->data_len};
  }
  return ullnic_send_gather(tx->port, pieces, count);
}

/** The queue is stopped until the port is restarted. */
static void say_failed(struct pmd_tx* tx) {
  if (!tx->has_failed) {
    PMD_LOG(ERR, tx->data->name, "nothing is sent any more: %s", ullnic_last_error());
    tx->has_failed = true;
  }
}

/** True: the packet is no longer the caller's. */
static bool take(struct pmd_tx* tx, struct rte_mbuf* packet) {
  const uint32_t bytes = packet->pkt_len;
  const int result = fault_of(tx, packet) != 0 ? -EINVAL : send_one(tx, packet);
  switch (result) {
    case 0:
      ++tx->packets;
      tx->bytes += bytes;
      break;
    case -EINVAL:
    case -EMSGSIZE:
      ++tx->refused;
      break;
    case -EAGAIN:
      ++tx->ring_full;
      return false;
    default:
      say_failed(tx);
      return false;
  }
  rte_pktmbuf_free(packet);
  return true;
}

uint16_t pmd_tx_burst(void* queue, struct rte_mbuf** packets, uint16_t count) {
  struct pmd_tx* tx = queue;
  uint16_t sent = 0;
  if (tx->has_failed) {
    return 0;
  }
  ullnic_send_hold(tx->port);
  while (sent < count && take(tx, packets[sent])) {
    ++sent;
  }
  if (ullnic_send_release(tx->port) != 0) {
    say_failed(tx);
  }
  return sent;
}
