/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * A burst of received frames: each is copied from libullnic's ring into mbufs of the queue's pool.
 * There are no system calls, except for two register writes per 256 buffers (virtual cards).
 */
#include <rte_mbuf_dyn.h>
#include <string.h>

#include "pmd.h"

enum {
  MAX_DISCARDS = 64
}; /**< per call, so that a burst ends even if many frames are not for programs */

static void say_failed(struct pmd_rx* rx) {
  if (!rx->has_failed) {
    PMD_LOG(ERR, rx->data->name, "nothing is received any more: %s", ullnic_last_error());
    rx->has_failed = true;
  }
}

/** Frame numbers have no gaps upstream of the DMA, which drops frames without a buffer. */
static void count_drops(struct pmd_rx* rx) {
  if (rx->is_first) {
    rx->is_first = false;
  } else {
    rx->dma_drops += rx->frame.seq - rx->next_seq;
  }
  rx->next_seq = rx->frame.seq + 1;
}

/** True: the next frame to deliver is in rx->frame. */
static bool has_frame(struct pmd_rx* rx) {
  for (int discards = 0; !rx->has_frame && discards < MAX_DISCARDS; ++discards) {
    const int result = rx->has_failed ? 0 : ullnic_receive(rx->port, &rx->frame);
    if (result != 1) {
      if (result < 0) {
        say_failed(rx);
      }
      return false;
    }
    count_drops(rx);
    if (rx->frame.type != ULLNIC_FRAME_RECEIVED) {
      ++rx->mirrors;
    } else if (rx->frame.len > rx->longest) {
      ++rx->over_mtu;
    } else {
      rx->has_frame = true;
    }
  }
  return rx->has_frame;
}

static void stamp(const struct pmd_rx* rx, struct rte_mbuf* packet) {
  *RTE_MBUF_DYNFIELD(packet, rx->stamp_offset, rte_mbuf_timestamp_t*) =
      pmd_ns(rx->frame.timestamp, rx->tick_ps);
  packet->ol_flags |= rx->stamp_flag;
}

/** Copies as much of the frame, from byte `at` on, as fits into a segment. Returns the bytes
 * copied. */
static unsigned fill(const struct pmd_rx* rx, struct rte_mbuf* segment, unsigned at) {
  const unsigned bytes = RTE_MIN(rx->frame.len - at, (unsigned)rte_pktmbuf_tailroom(segment));
  memcpy(rte_pktmbuf_mtod(segment, uint8_t*), rx->frame.data + at, bytes);
  segment->data_len = (uint16_t)bytes;
  return at + bytes;
}

/** Copies the frame into as many mbufs as needed; NULL: the pool is empty, and the frame is
 * kept. */
static struct rte_mbuf* to_mbufs(struct pmd_rx* rx) {
  struct rte_mbuf* first = rte_pktmbuf_alloc(rx->pool);
  struct rte_mbuf* last = first;
  unsigned at = first != NULL ? fill(rx, first, 0) : 0;
  while (last != NULL && at < rx->frame.len) {
    last->next = rte_pktmbuf_alloc(rx->pool);
    last = last->next;
    if (last != NULL) {
      at = fill(rx, last, at);
      ++first->nb_segs;
    }
  }
  if (last == NULL) {
    ++rx->data->rx_mbuf_alloc_failed;
    rte_pktmbuf_free(first);  // may be NULL
    return NULL;
  }
  first->pkt_len = rx->frame.len;
  first->port = rx->data->port_id;
  if (rx->stamps) {
    stamp(rx, first);
  }
  return first;
}

uint16_t pmd_rx_burst(void* queue, struct rte_mbuf** packets, uint16_t count) {
  struct pmd_rx* rx = queue;
  uint16_t received = 0;
  uint64_t bytes = 0;
  while (received < count && has_frame(rx)) {
    struct rte_mbuf* packet = to_mbufs(rx);
    if (packet == NULL) {
      break;
    }
    packets[received++] = packet;
    bytes += packet->pkt_len;
    rx->has_frame = false;
  }
  rx->packets += received;
  rx->bytes += bytes;
  return received;
}
