// SPDX-License-Identifier: GPL-2.0-only
// SPDX-FileCopyrightText: 2026 The ullnic authors
/*
 * Statistics: those of the rings, of the card's host path, of its MAC.
 */
#include <linux/ethtool.h>
#include <linux/iopoll.h>

#include "ullnic.h"

#define SNAPSHOT_POLL_US    5
#define SNAPSHOT_TIMEOUT_US (200 * USEC_PER_MSEC)

/* The card's counters of 32 bits, in the order of their registers. */
enum host_counter {
	RX_FRAMES,
	RX_BAD,
	RX_NO_ROOM,
	RX_CUT,
	MIRROR_FRAMES,
	MIRROR_CUT,
	PACKETS,
	CHUNKS,
	CHUNKS_REFUSED,
	CHUNKS_CUT,
	HOST_COUNTERS,
};

static_assert((int)HOST_COUNTERS == UL_HOST_COUNTERS);

static const struct {
	char name[ETH_GSTRING_LEN];
	u32 address;
} host_counters[] = {
	[RX_FRAMES] = {"host_rx_frames", UL_PORT_RX_FRAMES},
	[RX_BAD] = {"host_rx_bad", UL_PORT_RX_BAD},
	[RX_NO_ROOM] = {"host_rx_no_room", UL_PORT_RX_NO_ROOM},
	[RX_CUT] = {"host_rx_cut", UL_PORT_RX_CUT},
	[MIRROR_FRAMES] = {"host_mirror_frames", UL_PORT_MIRROR_FRAMES},
	[MIRROR_CUT] = {"host_mirror_cut", UL_PORT_MIRROR_CUT},
	[PACKETS] = {"host_packets", UL_PORT_PACKETS},
	[CHUNKS] = {"host_chunks", UL_PORT_CHUNKS},
	[CHUNKS_REFUSED] = {"host_chunks_refused", UL_PORT_CHUNKS_REFUSED},
	[CHUNKS_CUT] = {"host_chunks_cut", UL_PORT_CHUNKS_CUT},
};

static const struct {
	char name[ETH_GSTRING_LEN];
	u32 address;
} mac_counters[] = {
	{"mac_rx_bytes_good", UL_MAC_RX_STATS_BYTES_GOOD},
	{"mac_rx_bytes_bad", UL_MAC_RX_STATS_BYTES_BAD},
	{"mac_rx_frames_good", UL_MAC_RX_STATS_FRAMES_GOOD},
	{"mac_rx_frames_bad", UL_MAC_RX_STATS_FRAMES_BAD},
	{"mac_rx_fcs_errors", UL_MAC_RX_STATS_FCS_ERRORS},
	{"mac_rx_code_errors", UL_MAC_RX_STATS_CODE_ERRORS},
	{"mac_rx_runts", UL_MAC_RX_STATS_RUNTS},
	{"mac_rx_oversize", UL_MAC_RX_STATS_OVERSIZE},
	{"mac_rx_pause", UL_MAC_RX_STATS_PAUSE},
	{"mac_rx_overflows", UL_MAC_RX_STATS_OVERFLOWS},
	{"mac_rx_lock_losses", UL_MAC_RX_STATS_LOCK_LOSSES},
	{"mac_rx_hi_ber", UL_MAC_RX_STATS_HI_BER},
	{"mac_rx_bad_headers", UL_MAC_RX_STATS_BAD_HEADERS},
	{"mac_rx_bad_blocks", UL_MAC_RX_STATS_BAD_BLOCKS},
	{"mac_tx_bytes", UL_MAC_TX_STATS_BYTES},
	{"mac_tx_frames", UL_MAC_TX_STATS_FRAMES},
	{"mac_tx_poisoned", UL_MAC_TX_STATS_POISONED},
	{"mac_tx_underruns", UL_MAC_TX_STATS_UNDERRUNS},
	{"mac_tx_pause", UL_MAC_TX_STATS_PAUSE},
};

#define RX(counter) {"rx_" #counter, offsetof(struct ul_rx_stats, counter)}
#define TX(counter) {"tx_" #counter, offsetof(struct ul_tx_stats, counter)}

struct ring_counter {
	char name[ETH_GSTRING_LEN];
	size_t offset;
};

static const struct ring_counter rx_counters[] = {
	RX(packets),   RX(bytes),	 RX(multicast),	    RX(mirrors),
	RX(dma_drops), RX(no_memory),	 RX(format_errors), RX(xdp_drop),
	RX(xdp_tx),    RX(xdp_redirect), RX(xdp_errors),
};

static const struct ring_counter tx_counters[] = {
	TX(packets),	 TX(bytes),	  TX(dropped),
	TX(xdp_packets), TX(xdp_refused), TX(lost),
};

#define RESTARTS "restarts"
#define ALL_COUNTERS                                                           \
	(ARRAY_SIZE(rx_counters) + ARRAY_SIZE(tx_counters) + 1 +               \
	 ARRAY_SIZE(host_counters) + ARRAY_SIZE(mac_counters))

/* The lock is held. False: nobody answers, or the function is being reset. */
static bool read_host(struct ul_port *port, u32 *values)
{
	const u32 base = UL_PORT_BASE(port->number);
	int i;

	if (port->card->is_offline)
		return false;
	for (i = 0; i < HOST_COUNTERS; i++)
		values[i] = ul_card_read(port->card,
					 base + host_counters[i].address);
	return ul_card_read(port->card, base + UL_PORT_MAX_FRAME) != ~0u;
}

/* Counts begin with 0 when the net_device is made. */
void ul_stats_begin(struct ul_port *port)
{
	spin_lock_init(&port->counter_lock);
	u64_stats_init(&port->rx_stats.sync);
	u64_stats_init(&port->tx_stats.sync);
	spin_lock_bh(&port->counter_lock);
	read_host(port, port->seen);
	spin_unlock_bh(&port->counter_lock);
}

/* Often enough that no counter wraps unseen: 288 s of the shortest frames. */
void ul_stats_look(struct ul_port *port)
{
	u32 now[HOST_COUNTERS];
	int i;

	spin_lock_bh(&port->counter_lock);
	if (read_host(port, now)) {
		for (i = 0; i < HOST_COUNTERS; i++) {
			port->counted[i] += now[i] - port->seen[i];
			port->seen[i] = now[i];
		}
	}
	spin_unlock_bh(&port->counter_lock);
}

static void copy_host(struct ul_port *port, u64 *values)
{
	ul_stats_look(port);
	spin_lock_bh(&port->counter_lock);
	memcpy(values, port->counted, sizeof(port->counted));
	spin_unlock_bh(&port->counter_lock);
}

static u64 ring_value(const void *stats, const struct u64_stats_sync *sync,
		      size_t offset)
{
	const u64_stats_t *counter = stats + offset;
	unsigned int start;
	u64 value;

	do {
		start = u64_stats_fetch_begin(sync);
		value = u64_stats_read(counter);
	} while (u64_stats_fetch_retry(sync, start));
	return value;
}

static u64 rx_value(const struct ul_port *port, size_t offset)
{
	return ring_value(&port->rx_stats, &port->rx_stats.sync, offset);
}

static u64 tx_value(const struct ul_port *port, size_t offset)
{
	return ring_value(&port->tx_stats, &port->tx_stats.sync, offset);
}

#define RX_VALUE(port, counter)                                                \
	rx_value(port, offsetof(struct ul_rx_stats, counter))
#define TX_VALUE(port, counter)                                                \
	tx_value(port, offsetof(struct ul_tx_stats, counter))

void ul_get_stats64(struct net_device *netdev, struct rtnl_link_stats64 *stats)
{
	struct ul_port *port = netdev_priv(netdev);
	u64 host[HOST_COUNTERS];

	copy_host(port, host);
	stats->rx_packets = RX_VALUE(port, packets);
	stats->rx_bytes = RX_VALUE(port, bytes);
	stats->multicast = RX_VALUE(port, multicast);
	stats->rx_dropped = RX_VALUE(port, no_memory);
	stats->rx_missed_errors = host[RX_NO_ROOM] + RX_VALUE(port, dma_drops);
	stats->rx_frame_errors = host[RX_BAD];
	stats->rx_errors =
		host[RX_BAD] + host[RX_CUT] + RX_VALUE(port, format_errors);
	stats->tx_packets = TX_VALUE(port, packets);
	stats->tx_bytes = TX_VALUE(port, bytes);
	stats->tx_dropped = TX_VALUE(port, dropped) + TX_VALUE(port, lost);
	stats->tx_errors = host[CHUNKS_REFUSED] + host[CHUNKS_CUT];
}

int ul_get_sset_count(struct net_device *netdev, int set)
{
	return set == ETH_SS_STATS ? ALL_COUNTERS : -EOPNOTSUPP;
}

static void add_name(u8 **data, const char *name)
{
	strscpy(*data, name, ETH_GSTRING_LEN);
	*data += ETH_GSTRING_LEN;
}

void ul_get_strings(struct net_device *netdev, u32 set, u8 *data)
{
	int i;

	if (set != ETH_SS_STATS)
		return;
	for (i = 0; i < ARRAY_SIZE(rx_counters); i++)
		add_name(&data, rx_counters[i].name);
	for (i = 0; i < ARRAY_SIZE(tx_counters); i++)
		add_name(&data, tx_counters[i].name);
	add_name(&data, RESTARTS);
	for (i = 0; i < ARRAY_SIZE(host_counters); i++)
		add_name(&data, host_counters[i].name);
	for (i = 0; i < ARRAY_SIZE(mac_counters); i++)
		add_name(&data, mac_counters[i].name);
}

/* The MAC copies all counters of a direction as they are in one cycle. */
static void take_snapshot(struct ul_port *port)
{
	const u32 all = UL_MAC_SNAPSHOT__TX | UL_MAC_SNAPSHOT__RX;
	void __iomem *snapshot =
		port->card->regs + UL_MAC_BASE(port->number) + UL_MAC_SNAPSHOT;
	u32 value;

	writel(all, snapshot);
	if (readl_poll_timeout(snapshot, value, !(value & all),
			       SNAPSHOT_POLL_US, SNAPSHOT_TIMEOUT_US))
		netdev_warn_once(
			port->netdev,
			"a clock of the port stands still: the MAC's counters are old\n");
}

static u64 read_mac(struct ul_port *port, u32 address)
{
	const u32 at = UL_MAC_BASE(port->number) + address;
	const u32 low = ul_card_read(port->card, at);

	return (u64)ul_card_read(port->card, at + 4) << 32 | low;
}

void ul_get_ethtool_stats(struct net_device *netdev,
			  struct ethtool_stats *stats, u64 *data)
{
	struct ul_port *port = netdev_priv(netdev);
	int i;

	for (i = 0; i < ARRAY_SIZE(rx_counters); i++)
		*data++ = rx_value(port, rx_counters[i].offset);
	for (i = 0; i < ARRAY_SIZE(tx_counters); i++)
		*data++ = tx_value(port, tx_counters[i].offset);
	*data++ = port->restarts;
	copy_host(port, data);
	data += HOST_COUNTERS;
	take_snapshot(port);
	for (i = 0; i < ARRAY_SIZE(mac_counters); i++)
		*data++ = read_mac(port, mac_counters[i].address);
}

/* What the MAC counts of clause 30 of IEEE 802.3; the rest is not counted. */
void ul_get_eth_mac_stats(struct net_device *netdev,
			  struct ethtool_eth_mac_stats *stats)
{
	struct ul_port *port = netdev_priv(netdev);

	take_snapshot(port);
	stats->FramesTransmittedOK = read_mac(port, UL_MAC_TX_STATS_FRAMES);
	stats->FramesReceivedOK = read_mac(port, UL_MAC_RX_STATS_FRAMES_GOOD);
	stats->FrameCheckSequenceErrors =
		read_mac(port, UL_MAC_RX_STATS_FCS_ERRORS);
	stats->FrameTooLongErrors = read_mac(port, UL_MAC_RX_STATS_OVERSIZE);
}
