// SPDX-License-Identifier: GPL-2.0-only
// SPDX-FileCopyrightText: 2026 The ullnic authors
/*
 * XDP: programs on received frames that lie in one buffer, and frames that they
 * send. The one send ring of a port is shared with the stack, by its lock.
 */
#include <linux/bpf_trace.h>
#include <linux/dma-mapping.h>
#include <linux/filter.h>

#include "ullnic.h"

bool ul_xdp_fits(unsigned int mtu)
{
	return mtu + UL_OVERHEAD <= UL_RX_FIRST;
}

/* Under the queue's lock: whether the port can send the frame now. */
static bool can_send(const struct ul_port *port, const struct xdp_frame *frame)
{
	return READ_ONCE(port->is_up) && netif_carrier_ok(port->netdev) &&
	       !xdp_frame_has_frags((struct xdp_frame *)frame) &&
	       frame->headroom >= UL_CHUNK_BYTES && frame->len >= ETH_HLEN &&
	       frame->len <= port->max_frame && ul_tx_room(&port->tx);
}

static void count_sent(struct ul_port *port, u32 sent, u32 refused)
{
	struct ul_tx_stats *stats = &port->tx_stats;

	u64_stats_update_begin(&stats->sync);
	u64_stats_add(&stats->xdp_packets, sent);
	u64_stats_add(&stats->xdp_refused, refused);
	u64_stats_update_end(&stats->sync);
}

/* XDP_TX: the page stays mapped. */
static bool send_back(struct ul_port *port, struct xdp_buff *xdp)
{
	struct netdev_queue *queue = netdev_get_tx_queue(port->netdev, 0);
	struct xdp_frame *frame = xdp_convert_buff_to_frame(xdp);
	struct device *dev = &port->card->pdev->dev;
	bool sends;

	if (unlikely(!frame))
		return false;
	__netif_tx_lock(queue, smp_processor_id());
	sends = can_send(port, frame);
	if (likely(sends)) {
		u8 *chunk = frame->data - UL_CHUNK_BYTES;
		const u32 bytes = UL_CHUNK_BYTES + frame->len;
		dma_addr_t dma = page_pool_get_dma_addr(virt_to_page(chunk)) +
				 offset_in_page(chunk);

		ul_tx_header(&port->tx, chunk, bytes);
		dma_sync_single_for_device(dev, dma, bytes, DMA_BIDIRECTIONAL);
		ul_tx_post(&port->tx, bytes, dma, UL_TX_XDP_PAGE, frame);
		txq_trans_cond_update(queue);
		port->rx.xdp_has_sent = true;
	}
	count_sent(port, sends, !sends);
	__netif_tx_unlock(queue);
	return sends;
}

/**
 * ul_xdp_run() - runs the program on a frame
 * @port: the port
 * @prog: the program
 * @xdp: a frame in a page of the port's pool
 *
 * Return: true if the stack gets the frame; else its page has gone.
 */
bool ul_xdp_run(struct ul_port *port, struct bpf_prog *prog,
		struct xdp_buff *xdp)
{
	struct page *page = virt_to_page(xdp->data_hard_start);
	struct ul_rx_stats *stats = &port->rx_stats;
	const u32 action = bpf_prog_run_xdp(prog, xdp);
	bool is_done = false;

	switch (action) {
	case XDP_PASS:
		return true;
	case XDP_TX:
		is_done = send_back(port, xdp);
		if (is_done)
			ul_rx_count(port, &stats->xdp_tx, 1);
		break;
	case XDP_REDIRECT:
		is_done = !xdp_do_redirect(port->netdev, xdp, prog);
		if (is_done) {
			port->rx.xdp_has_redirected = true;
			ul_rx_count(port, &stats->xdp_redirect, 1);
		}
		break;
	case XDP_DROP:
		ul_rx_count(port, &stats->xdp_drop, 1);
		page_pool_recycle_direct(port->rx.pool, page);
		return false;
	default:
		bpf_warn_invalid_xdp_action(port->netdev, prog, action);
		fallthrough;
	case XDP_ABORTED:
		break;
	}
	if (!is_done) {
		trace_xdp_exception(port->netdev, prog, action);
		ul_rx_count(port, &stats->xdp_errors, 1);
		page_pool_recycle_direct(port->rx.pool, page);
	}
	return false;
}

/* At the end of a poll: what programs have sent and redirected leaves. */
void ul_xdp_flush(struct ul_port *port)
{
	struct netdev_queue *queue = netdev_get_tx_queue(port->netdev, 0);
	struct ul_rx_ring *rx = &port->rx;

	if (rx->xdp_has_redirected) {
		rx->xdp_has_redirected = false;
		xdp_do_flush();
	}
	if (rx->xdp_has_sent) {
		rx->xdp_has_sent = false;
		__netif_tx_lock(queue, smp_processor_id());
		ul_tx_ring_doorbell(port);
		__netif_tx_unlock(queue);
	}
}

/* A frame that was redirected to this port; under the queue's lock. */
static bool send_frame(struct ul_port *port, struct xdp_frame *frame)
{
	struct device *dev = &port->card->pdev->dev;
	u8 *chunk = frame->data - UL_CHUNK_BYTES;
	const u32 bytes = UL_CHUNK_BYTES + frame->len;
	dma_addr_t dma;

	if (!can_send(port, frame))
		return false;
	ul_tx_header(&port->tx, chunk, bytes);
	dma = dma_map_single(dev, chunk, bytes, DMA_TO_DEVICE);
	if (dma_mapping_error(dev, dma))
		return false;
	ul_tx_post(&port->tx, bytes, dma, UL_TX_XDP_FRAME, frame);
	return true;
}

int ul_xdp_xmit(struct net_device *netdev, int count, struct xdp_frame **frames,
		u32 flags)
{
	struct netdev_queue *queue = netdev_get_tx_queue(netdev, 0);
	struct ul_port *port = netdev_priv(netdev);
	int sent = 0;

	if (unlikely(flags & ~XDP_XMIT_FLAGS_MASK))
		return -EINVAL;
	__netif_tx_lock(queue, smp_processor_id());
	while (sent < count && send_frame(port, frames[sent]))
		sent++;
	if (sent)
		txq_trans_cond_update(queue);
	if ((flags & XDP_XMIT_FLUSH) && READ_ONCE(port->is_up))
		ul_tx_ring_doorbell(port);
	count_sent(port, sent, count - sent);
	__netif_tx_unlock(queue);
	return sent;
}

static int set_program(struct ul_port *port, struct bpf_prog *prog,
		       struct netlink_ext_ack *extack)
{
	struct bpf_prog *old;

	if (prog && !ul_xdp_fits(port->netdev->mtu)) {
		NL_SET_ERR_MSG_MOD(
			extack,
			"a frame of this MTU does not lie in one buffer: lower the MTU");
		return -EINVAL;
	}
	old = rtnl_dereference(port->xdp_prog);
	rcu_assign_pointer(port->xdp_prog, prog);
	if (old)
		bpf_prog_put(old);
	return 0;
}

int ul_xdp(struct net_device *netdev, struct netdev_bpf *bpf)
{
	if (bpf->command != XDP_SETUP_PROG)
		return -EINVAL;
	return set_program(netdev_priv(netdev), bpf->prog, bpf->extack);
}
