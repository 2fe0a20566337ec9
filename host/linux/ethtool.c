// SPDX-License-Identifier: GPL-2.0-only
// SPDX-FileCopyrightText: 2026 The ullnic authors
/*
 * What ethtool asks of a port.
 */
#include <linux/bitfield.h>
#include <linux/ethtool.h>
#include <linux/log2.h>

#include "ullnic.h"

static void get_drvinfo(struct net_device *netdev, struct ethtool_drvinfo *info)
{
	const struct ul_port *port = netdev_priv(netdev);
	const u32 version = port->card->version;

	strscpy(info->driver, KBUILD_MODNAME, sizeof(info->driver));
	strscpy(info->version, ULLNIC_VERSION, sizeof(info->version));
	snprintf(info->fw_version, sizeof(info->fw_version), "registers %u.%u",
		 FIELD_GET(UL_CARD_VERSION__MAJOR, version),
		 FIELD_GET(UL_CARD_VERSION__MINOR, version));
	strscpy(info->bus_info, pci_name(port->card->pdev),
		sizeof(info->bus_info));
}

/* The card does not know its transceiver, only that the line is 10GBASE-R. */
static int get_link_ksettings(struct net_device *netdev,
			      struct ethtool_link_ksettings *settings)
{
	ethtool_link_ksettings_zero_link_mode(settings, supported);
	ethtool_link_ksettings_zero_link_mode(settings, advertising);
	ethtool_link_ksettings_add_link_mode(settings, supported, FIBRE);
	settings->base.speed = SPEED_10000;
	settings->base.duplex = DUPLEX_FULL;
	settings->base.autoneg = AUTONEG_DISABLE;
	settings->base.port = PORT_FIBRE;
	return 0;
}

static void get_ringparam(struct net_device *netdev,
			  struct ethtool_ringparam *ring,
			  struct kernel_ethtool_ringparam *kernel_ring,
			  struct netlink_ext_ack *extack)
{
	const struct ul_port *port = netdev_priv(netdev);

	ring->rx_max_pending = UL_RING_MOST;
	ring->tx_max_pending = UL_RING_MOST;
	ring->rx_pending = port->rx_entries;
	ring->tx_pending = port->tx_entries;
}

static bool is_ring_size(u32 entries)
{
	return is_power_of_2(entries) && entries >= UL_RING_LEAST &&
	       entries <= UL_RING_MOST;
}

static int set_ringparam(struct net_device *netdev,
			 struct ethtool_ringparam *ring,
			 struct kernel_ethtool_ringparam *kernel_ring,
			 struct netlink_ext_ack *extack)
{
	struct ul_port *port = netdev_priv(netdev);
	const u32 rx = port->rx_entries, tx = port->tx_entries;
	int err;

	if (!is_ring_size(ring->rx_pending) || !is_ring_size(ring->tx_pending)) {
		NL_SET_ERR_MSG_MOD(extack,
				   "rings have a power of two from 64 to 4096 entries");
		return -EINVAL;
	}
	if (ring->rx_pending == rx && ring->tx_pending == tx)
		return 0;
	port->rx_entries = ring->rx_pending;
	port->tx_entries = ring->tx_pending;
	err = ul_port_apply(port);
	if (!err)
		return 0;
	port->rx_entries = rx;
	port->tx_entries = tx;
	if (netif_running(netdev) && ul_port_up(port))
		netdev_err(netdev, "no rings any more: set it down and up\n");
	return err;
}

static int get_coalesce(struct net_device *netdev,
			struct ethtool_coalesce *coalesce,
			struct kernel_ethtool_coalesce *kernel_coalesce,
			struct netlink_ext_ack *extack)
{
	const struct ul_port *port = netdev_priv(netdev);

	coalesce->rx_coalesce_usecs = port->rx_usecs;
	coalesce->rx_max_coalesced_frames = port->rx_frames;
	return 0;
}

static int set_coalesce(struct net_device *netdev,
			struct ethtool_coalesce *coalesce,
			struct kernel_ethtool_coalesce *kernel_coalesce,
			struct netlink_ext_ack *extack)
{
	struct ul_port *port = netdev_priv(netdev);
	const u32 usecs = coalesce->rx_coalesce_usecs;
	const u32 frames = coalesce->rx_max_coalesced_frames;

	if (usecs > U16_MAX || frames > U16_MAX) {
		NL_SET_ERR_MSG_MOD(extack, "at most 65535");
		return -EINVAL;
	}
	if (!usecs && frames > 1) {
		NL_SET_ERR_MSG_MOD(
			extack,
			"without rx-usecs the last frames would wait for ever");
		return -EINVAL;
	}
	port->rx_usecs = usecs;
	port->rx_frames = frames;
	ul_port_set_trigger(port);
	return 0;
}

static void get_channels(struct net_device *netdev,
			 struct ethtool_channels *channels)
{
	channels->max_combined = 1;
	channels->combined_count = 1;
}

const struct ethtool_ops ul_ethtool_ops = {
	.supported_coalesce_params =
		ETHTOOL_COALESCE_RX_USECS | ETHTOOL_COALESCE_RX_MAX_FRAMES,
	.get_drvinfo = get_drvinfo,
	.get_link = ethtool_op_get_link,
	.get_link_ksettings = get_link_ksettings,
	.get_ringparam = get_ringparam,
	.set_ringparam = set_ringparam,
	.get_coalesce = get_coalesce,
	.set_coalesce = set_coalesce,
	.get_channels = get_channels,
	.get_sset_count = ul_get_sset_count,
	.get_strings = ul_get_strings,
	.get_ethtool_stats = ul_get_ethtool_stats,
	.get_eth_mac_stats = ul_get_eth_mac_stats,
	.get_ts_info = ul_get_ts_info,
};
