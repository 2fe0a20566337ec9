// SPDX-License-Identifier: GPL-2.0-only
// SPDX-FileCopyrightText: 2026 The ullnic authors
/*
 * The memory of the receive ring: descriptors, completions, and the pages that
 * are its buffers.
 */
#include <linux/dma-mapping.h>

#include "ullnic.h"

/* Buffers for which one doorbell is rung. */
#define DOORBELL_BATCH 16
/* With fewer buffers in the card NAPI goes on, until there are pages again. */
#define STARVED_AT 16

static_assert(UL_RX_OFFSET + UL_RX_BUFFER + UL_RX_TAIL <= PAGE_SIZE);

bool ul_rx_is_starved(const struct ul_rx_ring *rx)
{
	return ul_rx_posted(rx) < STARVED_AT && !rx->is_broken;
}

static struct page_pool *make_pool(struct ul_port *port)
{
	const struct page_pool_params params = {
		.flags = PP_FLAG_DMA_MAP | PP_FLAG_DMA_SYNC_DEV,
		.pool_size = port->rx_entries,
		.nid = dev_to_node(&port->card->pdev->dev),
		.dev = &port->card->pdev->dev,
		/* XDP sends from these pages. */
		.dma_dir = DMA_BIDIRECTIONAL,
		.offset = UL_RX_OFFSET,
		.max_len = UL_RX_BUFFER,
	};

	return page_pool_create(&params);
}

static int make_pages(struct ul_port *port)
{
	struct ul_rx_ring *rx = &port->rx;
	int err;

	rx->pool = make_pool(port);
	if (IS_ERR(rx->pool)) {
		err = PTR_ERR(rx->pool);
		rx->pool = NULL;
		return err;
	}
	err = xdp_rxq_info_reg(&rx->xdp_rxq, port->netdev, 0,
			       port->napi.napi_id);
	if (err)
		goto destroy;
	err = xdp_rxq_info_reg_mem_model(&rx->xdp_rxq, MEM_TYPE_PAGE_POOL,
					 rx->pool);
	if (err)
		goto unregister;
	return 0;

unregister:
	xdp_rxq_info_unreg(&rx->xdp_rxq);
destroy:
	page_pool_destroy(rx->pool);
	rx->pool = NULL;
	return err;
}

static void free_rings(struct ul_port *port)
{
	struct device *dev = &port->card->pdev->dev;
	struct ul_rx_ring *rx = &port->rx;

	if (rx->cmpl)
		dma_free_coherent(dev, (rx->entries + 1) * sizeof(*rx->cmpl),
				  rx->cmpl, rx->cmpl_dma);
	if (rx->desc)
		dma_free_coherent(dev, (rx->entries + 1) * sizeof(*rx->desc),
				  rx->desc, rx->desc_dma);
	kvfree(rx->pages);
	rx->cmpl = NULL;
	rx->desc = NULL;
	rx->pages = NULL;
}

int ul_rx_alloc(struct ul_port *port)
{
	struct device *dev = &port->card->pdev->dev;
	struct ul_rx_ring *rx = &port->rx;
	int err = -ENOMEM;

	*rx = (struct ul_rx_ring){.entries = port->rx_entries, .colour = true};
	rx->pages = kvcalloc(rx->entries, sizeof(*rx->pages), GFP_KERNEL);
	rx->desc = dma_alloc_coherent(dev, (rx->entries + 1) * sizeof(*rx->desc),
				      &rx->desc_dma, GFP_KERNEL);
	rx->cmpl = dma_alloc_coherent(dev, (rx->entries + 1) * sizeof(*rx->cmpl),
				      &rx->cmpl_dma, GFP_KERNEL);
	if (rx->pages && rx->desc && rx->cmpl)
		err = make_pages(port);
	if (err)
		free_rings(port);
	return err;
}

/* The card does not write any more. */
void ul_rx_free(struct ul_port *port)
{
	struct ul_rx_ring *rx = &port->rx;
	u32 i;

	for (i = 0; i < rx->entries; i++)
		if (rx->pages[i])
			page_pool_put_full_page(rx->pool, rx->pages[i], false);
	xdp_rxq_info_unreg(&rx->xdp_rxq);
	page_pool_destroy(rx->pool);
	rx->pool = NULL;
	free_rings(port);
}

/**
 * ul_rx_fill() - puts buffers into the ring
 * @port: the port
 * @gfp: how pages are allocated
 *
 * Return: true if it is time to ring the doorbell for them.
 */
bool ul_rx_fill(struct ul_port *port, gfp_t gfp)
{
	struct ul_rx_ring *rx = &port->rx;

	while (ul_rx_posted(rx) < rx->entries - 1) {
		struct page *page = page_pool_alloc_pages(rx->pool, gfp);

		if (unlikely(!page))
			break;
		rx->pages[rx->filled] = page;
		rx->desc[rx->filled] =
			cpu_to_le64(page_pool_get_dma_addr(page) + UL_RX_OFFSET);
		rx->filled = ul_rx_next(rx, rx->filled);
	}
	if (rx->doorbell == rx->filled)
		return false;
	return ((rx->filled - rx->doorbell) & (rx->entries - 1)) >=
		       DOORBELL_BATCH ||
	       ul_rx_posted(rx) < 2 * STARVED_AT;
}

void ul_rx_ring_doorbell(struct ul_port *port)
{
	struct ul_rx_ring *rx = &port->rx;

	rx->doorbell = rx->filled;
	ul_doorbell(port, UL_DOORBELL_C2H, rx->filled);
}
