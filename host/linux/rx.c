// SPDX-License-Identifier: GPL-2.0-only
// SPDX-FileCopyrightText: 2026 The ullnic authors
/*
 * Card to host: a packet lies in consecutive buffers, each a page of the pool;
 * a completion tells of each packet.
 */
#include <linux/bitfield.h>
#include <linux/dma-mapping.h>
#include <linux/etherdevice.h>
#include <linux/filter.h>
#include <linux/math64.h>

#include "ullnic.h"

/* The longest packet has this many buffers. */
#define MOST_BUFFERS DIV_ROUND_UP(UL_PACKET_BYTES + UL_MAX_FRAME, UL_RX_BUFFER)

static_assert(MOST_BUFFERS <= MAX_SKB_FRAGS);

struct packet {
	u32 bytes; /* of the frame */
	u32 seq;
	u64 ticks;
	u8 type;
};

static struct page *take_page(struct ul_rx_ring *rx)
{
	struct page *page = rx->pages[rx->next];

	rx->pages[rx->next] = NULL;
	rx->next = ul_rx_next(rx, rx->next);
	return page;
}

static void sync_for_cpu(struct ul_port *port, const struct page *page,
			 u32 bytes)
{
	dma_sync_single_range_for_cpu(&port->card->pdev->dev,
				      page_pool_get_dma_addr((struct page *)page),
				      UL_RX_OFFSET, bytes, DMA_BIDIRECTIONAL);
}

static bool fail_format(struct ul_port *port, u64 entry)
{
	port->rx.is_broken = true;
	ul_rx_count(port, &port->rx_stats.format_errors, 1);
	if (net_ratelimit())
		netdev_err(port->netdev,
			   "a packet breaks the format (completion 0x%llx)\n",
			   entry);
	ul_port_restart(port);
	return false;
}

/* Reads the header, and holds it against the completion. */
static bool read_header(struct ul_port *port, u64 entry, struct packet *packet)
{
	const u32 bytes = FIELD_GET(UL_ENTRY_BYTES, entry);
	struct ul_rx_ring *rx = &port->rx;
	struct page *page = rx->pages[rx->next];
	const u8 *header;
	__le16 length;
	__le32 seq;
	__le64 ticks;

	if (unlikely((entry & UL_ENTRY_ERROR) ||
		     !(entry & UL_ENTRY_USED_BUFFERS) ||
		     bytes < UL_PACKET_BYTES + ETH_HLEN ||
		     bytes > UL_PACKET_BYTES + UL_MAX_FRAME ||
		     ul_rx_posted(rx) < DIV_ROUND_UP(bytes, UL_RX_BUFFER)))
		return fail_format(port, entry);
	sync_for_cpu(port, page, min(bytes, UL_RX_BUFFER));
	header = page_address(page) + UL_RX_OFFSET;
	memcpy(&length, header, sizeof(length));
	memcpy(&seq, header + 4, sizeof(seq));
	memcpy(&ticks, header + 8, sizeof(ticks));
	packet->bytes = le16_to_cpu(length);
	packet->type = header[2];
	packet->seq = le32_to_cpu(seq);
	packet->ticks = le64_to_cpu(ticks);
	if (unlikely(packet->bytes != bytes - UL_PACKET_BYTES ||
		     header[3] != port->number ||
		     packet->type > UL_PACKET_LAST_TYPE))
		return fail_format(port, entry);
	return true;
}

/* Numbers have gaps where the DMA had no buffer. */
static void look_for_drops(struct ul_port *port, const struct packet *packet)
{
	struct ul_rx_ring *rx = &port->rx;
	const u32 gap = packet->seq - rx->seq;

	if (unlikely(rx->seq_is_known && gap))
		ul_rx_count(port, &port->rx_stats.dma_drops, gap);
	rx->seq_is_known = true;
	rx->seq = packet->seq + 1;
}

static void drop(struct ul_port *port, u32 frame_bytes)
{
	struct ul_rx_ring *rx = &port->rx;
	u32 buffers = DIV_ROUND_UP(UL_PACKET_BYTES + frame_bytes, UL_RX_BUFFER);

	while (buffers--)
		page_pool_recycle_direct(rx->pool, take_page(rx));
}

static void add_fragments(struct ul_port *port, struct sk_buff *skb, u32 bytes)
{
	int i;

	for (i = 0; bytes; i++) {
		struct page *page = take_page(&port->rx);
		const u32 part = min(bytes, UL_RX_BUFFER);

		sync_for_cpu(port, page, part);
		skb_add_rx_frag(skb, i, page, UL_RX_OFFSET, part, PAGE_SIZE);
		bytes -= part;
	}
}

static void deliver(struct ul_port *port, const struct packet *packet,
		    struct sk_buff *skb)
{
	struct ul_rx_stats *stats = &port->rx_stats;

	skb_mark_for_recycle(skb);
	skb_record_rx_queue(skb, 0);
	if (READ_ONCE(port->stamps))
		skb_hwtstamps(skb)->hwtstamp =
			ns_to_ktime(mul_u64_u32_div(packet->ticks,
						    port->card->tick_ps,
						    PSEC_PER_SEC / NSEC_PER_SEC));
	skb->protocol = eth_type_trans(skb, port->netdev);
	u64_stats_update_begin(&stats->sync);
	u64_stats_inc(&stats->packets);
	u64_stats_add(&stats->bytes, packet->bytes);
	if (skb->pkt_type == PACKET_MULTICAST)
		u64_stats_inc(&stats->multicast);
	u64_stats_update_end(&stats->sync);
	napi_gro_receive(&port->napi, skb);
}

/* A frame whose first buffer is the next one. */
static void receive(struct ul_port *port, const struct packet *packet,
		    struct bpf_prog *prog)
{
	struct ul_rx_ring *rx = &port->rx;
	const u32 first = min(packet->bytes, UL_RX_FIRST);
	struct page *page = rx->pages[rx->next];
	struct xdp_buff xdp;
	struct sk_buff *skb;

	xdp_init_buff(&xdp, PAGE_SIZE, &rx->xdp_rxq);
	xdp_prepare_buff(&xdp, page_address(page), UL_RX_HEADROOM, first, true);
	if (prog) {
		if (unlikely(first != packet->bytes)) {
			ul_rx_count(port, &port->rx_stats.xdp_errors, 1);
			drop(port, packet->bytes);
			return;
		}
		take_page(rx);
		if (!ul_xdp_run(port, prog, &xdp))
			return;
	} else {
		take_page(rx);
	}
	skb = napi_build_skb(xdp.data_hard_start, PAGE_SIZE);
	if (unlikely(!skb)) {
		ul_rx_count(port, &port->rx_stats.no_memory, 1);
		page_pool_recycle_direct(rx->pool, page);
		if (packet->bytes > first)
			drop(port, packet->bytes - UL_RX_BUFFER);
		return;
	}
	skb_reserve(skb, xdp.data - xdp.data_hard_start);
	__skb_put(skb, xdp.data_end - xdp.data);
	if (xdp.data != xdp.data_meta)
		skb_metadata_set(skb, xdp.data - xdp.data_meta);
	add_fragments(port, skb, packet->bytes - first);
	deliver(port, packet, skb);
}

static void next_completion(struct ul_rx_ring *rx)
{
	rx->cidx = ul_rx_next(rx, rx->cidx);
	if (!rx->cidx)
		rx->colour = !rx->colour;
}

/**
 * ul_rx_poll() - receives what has come; NAPI alone
 * @port: the port
 * @budget: of NAPI
 *
 * Return: packets. If they are fewer than @budget, the caller tells the card of
 * the completions that were read, when it arms the interrupt.
 */
int ul_rx_poll(struct ul_port *port, int budget)
{
	struct ul_rx_ring *rx = &port->rx;
	struct bpf_prog *prog = rcu_dereference_bh(port->xdp_prog);
	struct packet packet;
	bool has_buffers;
	int done = 0;

	while (done < budget && !rx->is_broken) {
		const u64 entry = le64_to_cpu(READ_ONCE(rx->cmpl[rx->cidx]));

		if (!!(entry & UL_ENTRY_COLOUR) != rx->colour)
			break;
		/* The packet is read after its completion. */
		dma_rmb();
		if (!read_header(port, entry, &packet))
			break;
		look_for_drops(port, &packet);
		if (likely(packet.type == UL_PACKET_RECEIVED)) {
			receive(port, &packet, prog);
		} else {
			ul_rx_count(port, &port->rx_stats.mirrors, 1);
			drop(port, packet.bytes);
		}
		next_completion(rx);
		done++;
	}
	ul_xdp_flush(port);
	has_buffers = ul_rx_fill(port, GFP_ATOMIC | __GFP_NOWARN);
	if (unlikely(ul_rx_posted(rx) < rx->entries - 1))
		ul_rx_count(port, &port->rx_stats.no_memory, 1);
	/* Completions first: new buffers need room for theirs. */
	if (has_buffers || done == budget)
		ul_doorbell(port, UL_DOORBELL_COMPLETION,
			    rx->cidx | READ_ONCE(rx->trigger));
	if (has_buffers)
		ul_rx_ring_doorbell(port);
	return done;
}
