// SPDX-License-Identifier: GPL-2.0-only
// SPDX-FileCopyrightText: 2026 The ullnic authors
/*
 * A net_device is a port of the card.
 */
#include <linux/bitfield.h>
#include <linux/etherdevice.h>
#include <linux/ethtool.h>
#include <linux/rtnetlink.h>

#include "ullnic.h"

static int open(struct net_device *netdev)
{
	return ul_port_up(netdev_priv(netdev));
}

static int stop(struct net_device *netdev)
{
	ul_port_down(netdev_priv(netdev));
	return 0;
}

static void tx_timeout(struct net_device *netdev, unsigned int queue)
{
	struct ul_port *port = netdev_priv(netdev);

	netdev_warn(netdev, "send ring stands still: doorbell %u, freed %u\n",
		    port->tx.doorbell, port->tx.cons);
	ul_port_restart(port);
}

static int change_mtu(struct net_device *netdev, int mtu)
{
	struct ul_port *port = netdev_priv(netdev);

	if (rtnl_dereference(port->xdp_prog) && !ul_xdp_fits(mtu)) {
		netdev_warn(netdev,
			    "an XDP program gets frames of one buffer: MTU at most %zu\n",
			    UL_RX_FIRST - UL_OVERHEAD);
		return -EINVAL;
	}
	WRITE_ONCE(netdev->mtu, mtu);
	return 0;
}

static int get_phys_port_name(struct net_device *netdev, char *name, size_t size)
{
	const struct ul_port *port = netdev_priv(netdev);
	int written = snprintf(name, size, "p%u", port->number);

	return written >= size ? -EINVAL : 0;
}

static const struct net_device_ops operations = {
	.ndo_open = open,
	.ndo_stop = stop,
	.ndo_start_xmit = ul_xmit,
	.ndo_tx_timeout = tx_timeout,
	.ndo_change_mtu = change_mtu,
	.ndo_validate_addr = eth_validate_addr,
	.ndo_set_mac_address = eth_mac_addr,
	.ndo_get_stats64 = ul_get_stats64,
	.ndo_get_phys_port_name = get_phys_port_name,
	.ndo_bpf = ul_xdp,
	.ndo_xdp_xmit = ul_xdp_xmit,
#ifdef UL_HAS_HWTSTAMP_NDO
	.ndo_hwtstamp_get = ul_hwtstamp_get,
	.ndo_hwtstamp_set = ul_hwtstamp_set,
#else
	.ndo_eth_ioctl = ul_eth_ioctl,
#endif
};

static u32 longest_frame(struct ul_card *card, unsigned int number)
{
	/* Since version 1.1 of the registers. */
	if (!FIELD_GET(UL_CARD_VERSION__MINOR, card->version))
		return UL_MAX_FRAME;
	return min_t(u32, UL_MAX_FRAME,
		     ul_card_read(card,
				  UL_PORT_BASE(number) + UL_PORT_MAX_FRAME));
}

static void describe(struct net_device *netdev, struct ul_port *port)
{
	netdev->netdev_ops = &operations;
	netdev->ethtool_ops = &ul_ethtool_ops;
	netdev->watchdog_timeo = 20 * HZ;
	netdev->dev_port = port->number;
	netdev->min_mtu = ETH_MIN_MTU;
	netdev->max_mtu = port->max_frame - UL_OVERHEAD;
	netdev->mtu = min_t(unsigned int, ETH_DATA_LEN, netdev->max_mtu);
	netdev->needed_headroom = UL_CHUNK_BYTES;
	/* The card sums up nothing and cuts nothing: no other offload. */
	netdev->features |= NETIF_F_HIGHDMA;
	netdev->vlan_features |= NETIF_F_HIGHDMA;
	netdev->priv_flags |= IFF_LIVE_ADDR_CHANGE;
#ifdef UL_HAS_XDP_FEATURES
	netdev->xdp_features = NETDEV_XDP_ACT_BASIC | NETDEV_XDP_ACT_REDIRECT |
			       NETDEV_XDP_ACT_NDO_XMIT;
#endif
	/* The card has no address of its own. */
	eth_hw_addr_random(netdev);
}

/**
 * ul_netdev_create() - makes and registers the net_device of a port
 * @card: that has been started
 * @number: of the port
 *
 * Return: the net_device, or an error pointer.
 */
struct net_device *ul_netdev_create(struct ul_card *card, unsigned int number)
{
	struct net_device *netdev = alloc_etherdev(sizeof(struct ul_port));
	struct ul_port *port;
	int err;

	if (!netdev)
		return ERR_PTR(-ENOMEM);
	SET_NETDEV_DEV(netdev, &card->pdev->dev);
	port = netdev_priv(netdev);
	port->card = card;
	port->netdev = netdev;
	port->number = number;
	port->max_frame = longest_frame(card, number);
	port->rx_entries = UL_RX_ENTRIES;
	port->tx_entries = UL_TX_ENTRIES;
	INIT_WORK(&port->restart, ul_port_restart_work);
	ul_stats_begin(port);
	describe(netdev, port);
	ul_port_napi_add(port);
	netif_carrier_off(netdev);
	err = register_netdev(netdev);
	if (err) {
		dev_err(&card->pdev->dev, "no net_device for port %u: %d\n",
			number, err);
		netif_napi_del(&port->napi);
		free_netdev(netdev);
		return ERR_PTR(err);
	}
	return netdev;
}

void ul_netdev_destroy(struct net_device *netdev)
{
	struct ul_port *port = netdev_priv(netdev);

	unregister_netdev(netdev);
	cancel_work_sync(&port->restart);
	netif_napi_del(&port->napi);
	free_netdev(netdev);
}
