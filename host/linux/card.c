// SPDX-License-Identifier: GPL-2.0-only
// SPDX-FileCopyrightText: 2026 The ullnic authors
/*
 * The card behind the DMA: what it is, and the look at its links, of which no
 * interrupt tells.
 */
#include <linux/bitfield.h>

#include "ullnic.h"

#define WATCH_EVERY (HZ / 4)

/**
 * ul_card_start() - after a reset of the function
 * @card: whose BARs are mapped
 *
 * Return: 0, or the error, of which a line has been printed.
 */
int ul_card_start(struct ul_card *card)
{
	struct device *dev = &card->pdev->dev;
	u32 id, kind;
	int err;

	pci_set_master(card->pdev);
	err = ul_dma_start(card);
	if (err)
		return err;
	id = ul_card_read(card, UL_CARD_ID);
	if (id != UL_CARD_ID__RESET) {
		dev_err(dev, "no ullnic card behind the DMA (0x%08x)\n", id);
		return -ENODEV;
	}
	card->version = ul_card_read(card, UL_CARD_VERSION);
	if (FIELD_GET(UL_CARD_VERSION__MAJOR, card->version) !=
	    FIELD_GET(UL_CARD_VERSION__MAJOR, UL_CARD_VERSION__RESET)) {
		dev_err(dev,
			"the card's registers have version %u.%u, this driver knows %u\n",
			FIELD_GET(UL_CARD_VERSION__MAJOR, card->version),
			FIELD_GET(UL_CARD_VERSION__MINOR, card->version),
			FIELD_GET(UL_CARD_VERSION__MAJOR,
				  UL_CARD_VERSION__RESET));
		return -ENODEV;
	}
	kind = ul_card_read(card, UL_CARD_CARD);
	card->ports = FIELD_GET(UL_CARD_CARD__PORTS, kind);
	if (!card->ports || card->ports > UL_MAX_PORTS) {
		dev_err(dev,
			"the card has %u ports, this driver serves 1 to %u\n",
			card->ports, UL_MAX_PORTS);
		return -ENODEV;
	}
	card->tick_ps = FIELD_GET(UL_CARD_CARD__KIND, kind) == UL_KIND_TESTER
				? UL_TESTER_TICK_PS
				: UL_TICK_PS;
	return 0;
}

static u32 links(struct ul_card *card)
{
	u32 status = ul_card_read(card, UL_CARD_PORT_STATUS);

	/* All ones: nobody answers. */
	return status == ~0u ? 0
			     : FIELD_GET(UL_CARD_PORT_STATUS__LINK_UP, status);
}

void ul_card_watch_start(struct ul_card *card)
{
	schedule_delayed_work(&card->watch, 0);
}

void ul_card_watch(struct work_struct *work)
{
	struct ul_card *card =
		container_of(to_delayed_work(work), struct ul_card, watch);
	u32 up = links(card);
	unsigned int i;

	for (i = 0; i < card->ports; i++) {
		struct net_device *netdev = card->netdevs[i];
		bool is_up = up & BIT(i);

		if (is_up != netif_carrier_ok(netdev)) {
			netdev_info(netdev, "link is %s\n",
				    is_up ? "up" : "down");
			if (is_up)
				netif_carrier_on(netdev);
			else
				netif_carrier_off(netdev);
		}
		ul_stats_look(netdev_priv(netdev));
	}
	schedule_delayed_work(&card->watch, WATCH_EVERY);
}
