// SPDX-License-Identifier: GPL-2.0-only
// SPDX-FileCopyrightText: 2026 The ullnic authors
/*
 * Time stamps: the card has the time of each frame that it receives, in cycles
 * since its reset. It has none of frames that were sent.
 */
#include <linux/ethtool.h>
#include <linux/net_tstamp.h>
#include <linux/uaccess.h>

#include "ullnic.h"

int ul_get_ts_info(struct net_device *netdev, struct ul_ts_info *info)
{
	info->so_timestamping =
		SOF_TIMESTAMPING_TX_SOFTWARE | SOF_TIMESTAMPING_RX_SOFTWARE |
		SOF_TIMESTAMPING_SOFTWARE | SOF_TIMESTAMPING_RX_HARDWARE |
		SOF_TIMESTAMPING_RAW_HARDWARE;
	info->phc_index = -1;
	info->tx_types = BIT(HWTSTAMP_TX_OFF);
	info->rx_filters = BIT(HWTSTAMP_FILTER_NONE) | BIT(HWTSTAMP_FILTER_ALL);
	return 0;
}

/* Sets what is wanted, and says in the filter what is really done. */
static int set(struct ul_port *port, int flags, int tx_type, int *rx_filter)
{
	if (flags)
		return -EINVAL;
	if (tx_type != HWTSTAMP_TX_OFF)
		return -ERANGE;
	if (*rx_filter != HWTSTAMP_FILTER_NONE)
		*rx_filter = HWTSTAMP_FILTER_ALL;
	WRITE_ONCE(port->stamps, *rx_filter == HWTSTAMP_FILTER_ALL);
	return 0;
}

static int filter(const struct ul_port *port)
{
	return port->stamps ? HWTSTAMP_FILTER_ALL : HWTSTAMP_FILTER_NONE;
}

#ifdef UL_HAS_HWTSTAMP_NDO
int ul_hwtstamp_get(struct net_device *netdev,
		    struct kernel_hwtstamp_config *config)
{
	config->flags = 0;
	config->tx_type = HWTSTAMP_TX_OFF;
	config->rx_filter = filter(netdev_priv(netdev));
	return 0;
}

int ul_hwtstamp_set(struct net_device *netdev,
		    struct kernel_hwtstamp_config *config,
		    struct netlink_ext_ack *extack)
{
	return set(netdev_priv(netdev), config->flags, config->tx_type,
		   &config->rx_filter);
}
#else
int ul_eth_ioctl(struct net_device *netdev, struct ifreq *request, int command)
{
	struct ul_port *port = netdev_priv(netdev);
	struct hwtstamp_config config = {};
	int err;

	switch (command) {
	case SIOCGHWTSTAMP:
		config.tx_type = HWTSTAMP_TX_OFF;
		config.rx_filter = filter(port);
		break;
	case SIOCSHWTSTAMP:
		if (copy_from_user(&config, request->ifr_data, sizeof(config)))
			return -EFAULT;
		err = set(port, config.flags, config.tx_type, &config.rx_filter);
		if (err)
			return err;
		break;
	default:
		return -EOPNOTSUPP;
	}
	return copy_to_user(request->ifr_data, &config, sizeof(config)) ? -EFAULT
									: 0;
}
#endif
