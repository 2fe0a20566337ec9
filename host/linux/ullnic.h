/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 The ullnic authors */
/*
 * The parts of the driver and what they share. A net_device is a port.
 */
#ifndef ULLNIC_H
#define ULLNIC_H

#include <linux/bits.h>
#include <linux/bpf.h>
#include <linux/ethtool.h>
#include <linux/if_vlan.h>
#include <linux/io.h>
#include <linux/mutex.h>
#include <linux/netdevice.h>
#include <linux/pci.h>
#include <linux/u64_stats_sync.h>
#include <linux/workqueue.h>
#include <net/xdp.h>

#include "compat.h"
#include "ullnic_hw.h"

/*
 * Entries of a ring are a power of two; ring sizes are a table of the card, in
 * which the size 64 << n has index n. A ring has one slot more, for its status,
 * and one entry always stays free.
 */
#define UL_RING_LEAST 64
#define UL_RING_SIZES 7
#define UL_RING_MOST  (UL_RING_LEAST << (UL_RING_SIZES - 1))
#define UL_RX_ENTRIES 1024
#define UL_TX_ENTRIES 256

/*
 * A receive buffer is a page. The frame begins after the headroom of XDP, the
 * card's header lies before it, and what build_skb() needs comes after it.
 */
#define UL_RX_HEADROOM (XDP_PACKET_HEADROOM + NET_IP_ALIGN)
#define UL_RX_OFFSET   (UL_RX_HEADROOM - UL_PACKET_BYTES)
#define UL_RX_TAIL     SKB_DATA_ALIGN(sizeof(struct skb_shared_info))
#define UL_RX_BUFFER   ((4096 - UL_RX_OFFSET - UL_RX_TAIL) & ~63u)
#define UL_RX_FIRST    (UL_RX_BUFFER - UL_PACKET_BYTES)

/* Ethernet header and one VLAN tag: what a frame has beside its MTU. */
#define UL_OVERHEAD	 (ETH_HLEN + VLAN_HLEN)

#define UL_HOST_COUNTERS 10

struct ul_port;

/* Counters of a ring: one writer at a time, which is NAPI or holds the lock. */
struct ul_rx_stats {
	struct u64_stats_sync sync;

	u64_stats_t packets;
	u64_stats_t bytes;
	u64_stats_t multicast;
	u64_stats_t mirrors;   /* copies of frames of the card's engine */
	u64_stats_t dma_drops; /* gaps in the packets' numbers */
	u64_stats_t no_memory;
	u64_stats_t format_errors;
	u64_stats_t xdp_drop;
	u64_stats_t xdp_tx;
	u64_stats_t xdp_redirect;
	u64_stats_t xdp_errors;
};

struct ul_tx_stats {
	struct u64_stats_sync sync;

	u64_stats_t packets;
	u64_stats_t bytes;
	u64_stats_t dropped; /* no memory, or longer than the port sends */
	u64_stats_t xdp_packets;
	u64_stats_t xdp_refused; /* ring full, port down, too long */
	u64_stats_t lost;	 /* in the ring when it was stopped */
};

/**
 * struct ul_rx_ring - buffers and completions of a port
 * @desc: addresses of buffers
 * @cmpl: one entry for each packet
 * @pages: the page of each descriptor
 * @entries: of each ring, without status slot and the spare one
 * @next: descriptor in which the next packet begins
 * @filled: first descriptor without a buffer
 * @doorbell: @filled, as it was last written to the doorbell
 * @cidx: next completion
 * @colour: that it will have
 * @seq: number of the next packet, if @seq_is_known
 * @trigger: bits of the completion doorbell: interrupt coalescing
 */
struct ul_rx_ring {
	__le64 *desc;
	__le64 *cmpl;
	struct page **pages;
	u32 entries;
	u32 next;
	u32 filled;
	u32 doorbell;
	u32 cidx;
	bool colour;
	bool seq_is_known;
	bool is_broken;
	bool xdp_has_sent;
	bool xdp_has_redirected;
	u32 seq;
	u32 trigger;
	struct page_pool *pool;
	struct xdp_rxq_info xdp_rxq;
	dma_addr_t desc_dma;
	dma_addr_t cmpl_dma;
};

struct ul_h2c_desc {
	__le16 header;
	__le16 packet_bytes;
	__le16 bytes;
	__le16 flags;
	__le64 address;
};

enum ul_tx_kind {
	UL_TX_NONE,
	UL_TX_SKB,
	UL_TX_XDP_PAGE,	 /* XDP_TX: the page pool has mapped it */
	UL_TX_XDP_FRAME, /* redirected to this port: mapped here */
};

struct ul_tx_buffer {
	union {
		struct sk_buff *skb;
		struct xdp_frame *frame;
	};
	dma_addr_t dma;
	u32 bytes; /* of the chunk */
	enum ul_tx_kind kind;
};

/**
 * struct ul_tx_ring - chunks to the card
 * @desc: descriptors; the last slot is the status
 * @buffers: what each descriptor sends
 * @entries: without status slot
 * @prod: next free descriptor, under the queue's lock
 * @doorbell: @prod, as it was last written to the doorbell, under the queue's lock
 * @cons: oldest descriptor that is not freed; only NAPI writes it
 *
 * While the card has descriptors and NAPI is not scheduled, the ring's
 * interrupt is armed: by the doorbell after which the card has some again, and
 * by NAPI if the card still has some when NAPI ends. Both are under the queue's
 * lock.
 */
struct ul_tx_ring {
	struct ul_h2c_desc *desc;
	struct ul_tx_buffer *buffers;
	u32 entries;
	u32 prod;
	u32 doorbell;
	dma_addr_t desc_dma;
	u32 cons ____cacheline_aligned_in_smp;
};

/**
 * struct ul_port - private data of a net_device
 * @is_up: rings, interrupt and queues of the card are there; under rtnl
 * @max_frame: bytes of the longest frame that the port sends, without FCS
 * @stamps: receive time stamps are on
 * @counter_lock: of @seen and @counted, and of reading the registers for them
 */
struct ul_port {
	struct ul_card *card;
	struct net_device *netdev;
	unsigned int number;
	bool is_up;
	bool stamps;
	u32 max_frame;
	u32 rx_entries;
	u32 tx_entries;
	u32 rx_usecs;
	u32 rx_frames;
	struct napi_struct napi;
	struct bpf_prog __rcu *xdp_prog;
	struct ul_rx_ring rx;
	struct ul_tx_ring tx;
	struct ul_rx_stats rx_stats;
	struct ul_tx_stats tx_stats;
	struct work_struct restart;
	u64 restarts;
	char irq_name[IFNAMSIZ + 16];
	spinlock_t counter_lock; /* of what follows */
	u32 seen[UL_HOST_COUNTERS];
	u64 counted[UL_HOST_COUNTERS];
};

/**
 * struct ul_card - private data of a PCI function
 * @dma: BAR 0
 * @regs: BAR 2
 * @context_lock: the DMA's contexts are reached through one set of registers
 * @is_offline: being reset; registers must not be read
 * @watch: looks at links, and at counters before they wrap
 */
struct ul_card {
	struct pci_dev *pdev;
	void __iomem *dma;
	void __iomem *regs;
	struct mutex context_lock; /* of registers of the contexts */
	u32 function;
	u32 version;
	u32 tick_ps;
	unsigned int ports;
	bool is_offline;
	struct net_device *netdevs[UL_MAX_PORTS];
	struct delayed_work watch;
};

/* Addresses of a queue's rings and the indices of their sizes. */
struct ul_queue {
	unsigned int number;
	unsigned int vector;
	u32 rx_size;
	u32 tx_size;
	dma_addr_t h2c;
	dma_addr_t c2h;
	dma_addr_t completions;
};

static inline u32 ul_size_index(u32 entries)
{
	return ilog2(entries) - ilog2(UL_RING_LEAST);
}

static inline u32 ul_card_read(struct ul_card *card, u32 address)
{
	return readl(card->regs + address);
}

static inline void ul_doorbell(struct ul_port *port, u32 which, u32 value)
{
	writel(value, port->card->dma + UL_DOORBELL(port->number) + which);
}

static inline u32 ul_rx_next(const struct ul_rx_ring *rx, u32 index)
{
	return (index + 1) & (rx->entries - 1);
}

/* Buffers that the card has, or for which the doorbell is rung soon. */
static inline u32 ul_rx_posted(const struct ul_rx_ring *rx)
{
	return (rx->filled - rx->next) & (rx->entries - 1);
}

static inline void ul_rx_count(struct ul_port *port, u64_stats_t *counter,
			       u64 value)
{
	u64_stats_update_begin(&port->rx_stats.sync);
	u64_stats_add(counter, value);
	u64_stats_update_end(&port->rx_stats.sync);
}

/* card.c */
int ul_card_start(struct ul_card *card);
void ul_card_watch(struct work_struct *work);
void ul_card_watch_start(struct ul_card *card);

/* dma.c */
int ul_dma_start(struct ul_card *card);
int ul_queue_start(struct ul_card *card, const struct ul_queue *queue);
int ul_queue_stop(struct ul_card *card, unsigned int number);
void ul_dma_coalesce(struct ul_card *card, unsigned int index, u32 usecs,
		     u32 frames);

/* port.c */
void ul_port_napi_add(struct ul_port *port);
int ul_port_up(struct ul_port *port);
void ul_port_down(struct ul_port *port);
int ul_port_apply(struct ul_port *port);
void ul_port_set_trigger(struct ul_port *port);
void ul_port_restart(struct ul_port *port);
void ul_port_restart_work(struct work_struct *work);

/* buffers.c */
int ul_rx_alloc(struct ul_port *port);
void ul_rx_free(struct ul_port *port);
bool ul_rx_fill(struct ul_port *port, gfp_t gfp);
void ul_rx_ring_doorbell(struct ul_port *port);
bool ul_rx_is_starved(const struct ul_rx_ring *rx);

/* rx.c */
int ul_rx_poll(struct ul_port *port, int budget);

/* tx.c */
int ul_tx_alloc(struct ul_port *port);
void ul_tx_free(struct ul_port *port);
u32 ul_tx_room(const struct ul_tx_ring *tx);
void ul_tx_post(struct ul_tx_ring *tx, u32 bytes, dma_addr_t dma,
		enum ul_tx_kind kind, void *what);
void ul_tx_header(const struct ul_tx_ring *tx, u8 *chunk, u32 bytes);
void ul_tx_ring_doorbell(struct ul_port *port);
void ul_tx_clean(struct ul_port *port, int budget);
void ul_tx_arm(struct ul_port *port);
netdev_tx_t ul_xmit(struct sk_buff *skb, struct net_device *netdev);

/* xdp.c */
bool ul_xdp_fits(unsigned int mtu);
int ul_xdp(struct net_device *netdev, struct netdev_bpf *bpf);
int ul_xdp_xmit(struct net_device *netdev, int count, struct xdp_frame **frames,
		u32 flags);
bool ul_xdp_run(struct ul_port *port, struct bpf_prog *prog,
		struct xdp_buff *xdp);
void ul_xdp_flush(struct ul_port *port);

/* netdev.c */
struct net_device *ul_netdev_create(struct ul_card *card, unsigned int number);
void ul_netdev_destroy(struct net_device *netdev);

/* ethtool.c */
extern const struct ethtool_ops ul_ethtool_ops;

/* stats.c */
void ul_stats_look(struct ul_port *port);
void ul_stats_begin(struct ul_port *port);
void ul_get_stats64(struct net_device *netdev, struct rtnl_link_stats64 *stats);
int ul_get_sset_count(struct net_device *netdev, int set);
void ul_get_strings(struct net_device *netdev, u32 set, u8 *data);
void ul_get_ethtool_stats(struct net_device *netdev,
			  struct ethtool_stats *stats, u64 *data);
void ul_get_eth_mac_stats(struct net_device *netdev,
			  struct ethtool_eth_mac_stats *stats);

/* stamp.c */
int ul_get_ts_info(struct net_device *netdev, struct ul_ts_info *info);
#ifdef UL_HAS_HWTSTAMP_NDO
int ul_hwtstamp_get(struct net_device *netdev,
		    struct kernel_hwtstamp_config *config);
int ul_hwtstamp_set(struct net_device *netdev,
		    struct kernel_hwtstamp_config *config,
		    struct netlink_ext_ack *extack);
#else
int ul_eth_ioctl(struct net_device *netdev, struct ifreq *request, int command);
#endif

/* pci.c */
int ul_vector_irq(struct ul_port *port);

#endif /* ULLNIC_H */
