// SPDX-License-Identifier: GPL-2.0-only
// SPDX-FileCopyrightText: 2026 The ullnic authors
/*
 * Host to card: a chunk a frame, one descriptor a chunk. The chunk's header is
 * written into the headroom before the frame, so nothing is copied.
 */
#include <linux/bitfield.h>
#include <linux/dma-mapping.h>

#include "ullnic.h"

/* The stack stops when fewer are free, and goes on when as many are. */
#define STOP_BELOW 2
#define WAKE_FROM  16

static u32 next_of(const struct ul_tx_ring *tx, u32 index)
{
	return (index + 1) & (tx->entries - 1);
}

u32 ul_tx_room(const struct ul_tx_ring *tx)
{
	/* Pairs with the release in ul_tx_clean(): the buffers are free. */
	return (smp_load_acquire(&tx->cons) - READ_ONCE(tx->prod) - 1) &
	       (tx->entries - 1);
}

int ul_tx_alloc(struct ul_port *port)
{
	struct device *dev = &port->card->pdev->dev;
	struct ul_tx_ring *tx = &port->tx;

	*tx = (struct ul_tx_ring){.entries = port->tx_entries};
	tx->buffers = kvcalloc(tx->entries, sizeof(*tx->buffers), GFP_KERNEL);
	if (!tx->buffers)
		return -ENOMEM;
	tx->desc = dma_alloc_coherent(dev, (tx->entries + 1) * sizeof(*tx->desc),
				      &tx->desc_dma, GFP_KERNEL);
	if (!tx->desc) {
		kvfree(tx->buffers);
		tx->buffers = NULL;
		return -ENOMEM;
	}
	return 0;
}

static void release(struct ul_port *port, struct ul_tx_buffer *buffer,
		    int budget)
{
	struct device *dev = &port->card->pdev->dev;

	switch (buffer->kind) {
	case UL_TX_SKB:
		dma_unmap_single(dev, buffer->dma, buffer->bytes, DMA_TO_DEVICE);
		napi_consume_skb(buffer->skb, budget);
		break;
	case UL_TX_XDP_FRAME:
		dma_unmap_single(dev, buffer->dma, buffer->bytes, DMA_TO_DEVICE);
		xdp_return_frame(buffer->frame);
		break;
	case UL_TX_XDP_PAGE:
		/* This NAPI's own pool. */
		if (budget)
			xdp_return_frame_rx_napi(buffer->frame);
		else
			xdp_return_frame(buffer->frame);
		break;
	case UL_TX_NONE:
		break;
	}
	buffer->kind = UL_TX_NONE;
}

/* The card does not read any more, and nobody sends. */
void ul_tx_free(struct ul_port *port)
{
	struct device *dev = &port->card->pdev->dev;
	struct ul_tx_ring *tx = &port->tx;
	u32 lost = 0;

	while (tx->cons != tx->prod) {
		release(port, &tx->buffers[tx->cons], 0);
		tx->cons = next_of(tx, tx->cons);
		lost++;
	}
	local_bh_disable();
	u64_stats_update_begin(&port->tx_stats.sync);
	u64_stats_add(&port->tx_stats.lost, lost);
	u64_stats_update_end(&port->tx_stats.sync);
	local_bh_enable();
	netdev_tx_reset_queue(netdev_get_tx_queue(port->netdev, 0));
	dma_free_coherent(dev, (tx->entries + 1) * sizeof(*tx->desc), tx->desc,
			  tx->desc_dma);
	kvfree(tx->buffers);
	tx->desc = NULL;
	tx->buffers = NULL;
}

/**
 * ul_tx_post() - writes the descriptor of a chunk; under the queue's lock
 * @tx: a ring with room
 * @bytes: of the chunk
 * @dma: address of the chunk; the caller syncs what is mapped already
 * @kind: what the chunk belongs to
 * @what: the skb or frame
 */
void ul_tx_post(struct ul_tx_ring *tx, u32 bytes, dma_addr_t dma,
		enum ul_tx_kind kind, void *what)
{
	struct ul_tx_buffer *buffer = &tx->buffers[tx->prod];
	struct ul_h2c_desc *desc = &tx->desc[tx->prod];

	buffer->kind = kind;
	buffer->dma = dma;
	buffer->bytes = bytes;
	if (kind == UL_TX_SKB)
		buffer->skb = what;
	else
		buffer->frame = what;
	desc->header = 0;
	desc->packet_bytes = cpu_to_le16(bytes);
	desc->bytes = cpu_to_le16(bytes);
	desc->flags = cpu_to_le16(UL_H2C_FIRST | UL_H2C_LAST);
	desc->address = cpu_to_le64(dma);
	WRITE_ONCE(tx->prod, next_of(tx, tx->prod));
}

/**
 * ul_tx_header() - writes the header of a chunk
 * @tx: the ring
 * @chunk: where; UL_CHUNK_BYTES before the frame
 * @bytes: of the chunk
 */
void ul_tx_header(const struct ul_tx_ring *tx, u8 *chunk, u32 bytes)
{
	const __le16 index = cpu_to_le16(tx->prod);
	const __le16 length = cpu_to_le16(bytes - UL_CHUNK_HEADER);

	memset(chunk, 0, UL_CHUNK_BYTES);
	memcpy(chunk + 2, &index, sizeof(index));
	memcpy(chunk + 4, &length, sizeof(length));
	chunk[6] = UL_CHUNK_RAW;
}

/*
 * Rings the doorbell if the card does not know all; under the queue's lock.
 * Arms the interrupt if NAPI has freed all that the card knows, see struct
 * ul_tx_ring.
 */
void ul_tx_ring_doorbell(struct ul_port *port)
{
	struct ul_tx_ring *tx = &port->tx;
	u32 value = tx->prod;

	if (tx->doorbell == tx->prod)
		return;
	/* Pairs with the release in ul_tx_clean(). */
	if (tx->doorbell == smp_load_acquire(&tx->cons))
		value |= UL_PIDX_ARM;
	tx->doorbell = tx->prod;
	/* writel() orders the descriptors before the doorbell. */
	ul_doorbell(port, UL_DOORBELL_H2C, value);
}

/* At the end of NAPI: see the rule at struct ul_tx_ring. */
void ul_tx_arm(struct ul_port *port)
{
	struct netdev_queue *queue = netdev_get_tx_queue(port->netdev, 0);
	struct ul_tx_ring *tx = &port->tx;

	__netif_tx_lock(queue, smp_processor_id());
	if (tx->doorbell != tx->cons)
		ul_doorbell(port, UL_DOORBELL_H2C, tx->doorbell | UL_PIDX_ARM);
	__netif_tx_unlock(queue);
}

static bool take_status(struct ul_port *port, u32 *cidx)
{
	struct ul_tx_ring *tx = &port->tx;
	const __le64 *slot = (const __le64 *)&tx->desc[tx->entries];
	const u64 status = le64_to_cpu(READ_ONCE(*slot));

	*cidx = FIELD_GET(UL_STATUS_CIDX, status);
	if (likely(!FIELD_GET(UL_STATUS_ERROR, status) && *cidx < tx->entries))
		return true;
	if (net_ratelimit())
		netdev_err(port->netdev,
			   "the card has stopped the send ring: 0x%llx\n",
			   status);
	ul_port_restart(port);
	return false;
}

/**
 * ul_tx_clean() - frees what the card has fetched; NAPI alone
 * @port: the port
 * @budget: of NAPI
 */
void ul_tx_clean(struct ul_port *port, int budget)
{
	struct netdev_queue *queue = netdev_get_tx_queue(port->netdev, 0);
	struct ul_tx_ring *tx = &port->tx;
	u32 packets = 0, bytes = 0, xdp_packets = 0;
	u32 cons = tx->cons;
	u32 cidx;

	if (!take_status(port, &cidx) || cidx == cons)
		return;
	/* What is known of the chunks is read after the status. */
	dma_rmb();
	for (; cons != cidx; cons = next_of(tx, cons)) {
		struct ul_tx_buffer *buffer = &tx->buffers[cons];

		if (buffer->kind == UL_TX_SKB) {
			packets++;
			bytes += buffer->bytes - UL_CHUNK_BYTES;
		} else {
			xdp_packets++;
		}
		release(port, buffer, budget);
	}
	netdev_tx_completed_queue(queue, packets, bytes);
	/* What was read of the buffers stays before their next use. */
	smp_store_release(&tx->cons, cons);
	/* Pairs with the barrier after the stop: one of both sees the other. */
	smp_mb();
	if (unlikely(netif_tx_queue_stopped(queue) &&
		     ul_tx_room(tx) >= WAKE_FROM)) {
		__netif_tx_lock(queue, smp_processor_id());
		if (port->is_up && netif_tx_queue_stopped(queue))
			netif_tx_wake_queue(queue);
		__netif_tx_unlock(queue);
	}
}

static bool stop_if_full(struct ul_tx_ring *tx, struct netdev_queue *queue,
			 u32 below)
{
	if (likely(ul_tx_room(tx) >= below))
		return false;
	netif_tx_stop_queue(queue);
	/* NAPI may have freed some before it could see the stop. */
	smp_mb();
	if (ul_tx_room(tx) < below)
		return true;
	netif_tx_start_queue(queue);
	return false;
}

static void count_dropped(struct ul_port *port)
{
	u64_stats_update_begin(&port->tx_stats.sync);
	u64_stats_inc(&port->tx_stats.dropped);
	u64_stats_update_end(&port->tx_stats.sync);
}

static bool map_skb(struct ul_port *port, struct sk_buff *skb, dma_addr_t *dma)
{
	struct device *dev = &port->card->pdev->dev;

	if (skb->len > port->max_frame || skb_linearize(skb) ||
	    skb_cow_head(skb, UL_CHUNK_BYTES))
		return false;
	skb_tx_timestamp(skb);
	__skb_push(skb, UL_CHUNK_BYTES);
	ul_tx_header(&port->tx, skb->data, skb->len);
	*dma = dma_map_single(dev, skb->data, skb->len, DMA_TO_DEVICE);
	return !dma_mapping_error(dev, *dma);
}

netdev_tx_t ul_xmit(struct sk_buff *skb, struct net_device *netdev)
{
	struct ul_port *port = netdev_priv(netdev);
	struct netdev_queue *queue = netdev_get_tx_queue(netdev, 0);
	struct ul_tx_ring *tx = &port->tx;
	const u32 length = skb->len;
	dma_addr_t dma;

	if (unlikely(stop_if_full(tx, queue, 1))) {
		ul_tx_ring_doorbell(port);
		return NETDEV_TX_BUSY;
	}
	if (unlikely(!map_skb(port, skb, &dma))) {
		dev_kfree_skb_any(skb);
		count_dropped(port);
		if (!netdev_xmit_more())
			ul_tx_ring_doorbell(port);
		return NETDEV_TX_OK;
	}
	ul_tx_post(tx, skb->len, dma, UL_TX_SKB, skb);
	u64_stats_update_begin(&port->tx_stats.sync);
	u64_stats_inc(&port->tx_stats.packets);
	u64_stats_add(&port->tx_stats.bytes, length);
	u64_stats_update_end(&port->tx_stats.sync);
	stop_if_full(tx, queue, STOP_BELOW);
	if (__netdev_tx_sent_queue(queue, length, netdev_xmit_more()))
		ul_tx_ring_doorbell(port);
	return NETDEV_TX_OK;
}
