// SPDX-License-Identifier: GPL-2.0-only
// SPDX-FileCopyrightText: 2026 The ullnic authors
/*
 * The PCI function: found, left, reset.
 */
#include <linux/module.h>
#include <linux/rtnetlink.h>

#include "ullnic.h"

static void destroy_netdevs(struct ul_card *card)
{
	unsigned int i;

	for (i = 0; i < UL_MAX_PORTS; i++)
		if (card->netdevs[i])
			ul_netdev_destroy(card->netdevs[i]);
}

static int create_netdevs(struct ul_card *card)
{
	unsigned int i;

	for (i = 0; i < card->ports; i++) {
		struct net_device *netdev = ul_netdev_create(card, i);

		if (IS_ERR(netdev)) {
			destroy_netdevs(card);
			return PTR_ERR(netdev);
		}
		card->netdevs[i] = netdev;
	}
	return 0;
}

int ul_vector_irq(struct ul_port *port)
{
	return pci_irq_vector(port->card->pdev, port->number);
}

static int map_bars(struct ul_card *card)
{
	struct pci_dev *pdev = card->pdev;

	if (pci_resource_len(pdev, UL_BAR_DMA) < UL_DMA_BYTES ||
	    pci_resource_len(pdev, UL_BAR_CARD) < UL_CARD_BYTES) {
		dev_err(&pdev->dev, "BAR 0 or 2 is too small: no ullnic card\n");
		return -ENODEV;
	}
	card->dma = pci_ioremap_bar(pdev, UL_BAR_DMA);
	if (!card->dma)
		return -ENOMEM;
	card->regs = pci_ioremap_bar(pdev, UL_BAR_CARD);
	if (!card->regs) {
		iounmap(card->dma);
		return -ENOMEM;
	}
	return 0;
}

static void unmap_bars(struct ul_card *card)
{
	iounmap(card->regs);
	iounmap(card->dma);
}

/* Whoever had the card before may have been killed in the midst of anything. */
static int start_clean(struct pci_dev *pdev)
{
	int err;

	pci_save_state(pdev);
	err = pcie_reset_flr(pdev, PCI_RESET_DO_RESET);
	pci_restore_state(pdev);
	if (err)
		dev_err(&pdev->dev, "function level reset failed: %d\n", err);
	return err;
}

static int set_up(struct ul_card *card)
{
	struct pci_dev *pdev = card->pdev;
	int vectors;
	int err;

	err = map_bars(card);
	if (err)
		return err;
	err = ul_card_start(card);
	if (err)
		goto unmap;
	vectors = pci_alloc_irq_vectors(pdev, card->ports, card->ports,
					PCI_IRQ_MSIX);
	if (vectors < 0) {
		dev_err(&pdev->dev, "no %u MSI-X vectors: %d\n", card->ports,
			vectors);
		err = vectors;
		goto unmap;
	}
	err = create_netdevs(card);
	if (err)
		goto free_vectors;
	return 0;

free_vectors:
	pci_free_irq_vectors(pdev);
unmap:
	unmap_bars(card);
	return err;
}

static int probe(struct pci_dev *pdev, const struct pci_device_id *id)
{
	struct ul_card *card =
		devm_kzalloc(&pdev->dev, sizeof(*card), GFP_KERNEL);
	int err;

	if (!card)
		return -ENOMEM;
	card->pdev = pdev;
	mutex_init(&card->context_lock);
	INIT_DELAYED_WORK(&card->watch, ul_card_watch);

	err = pci_enable_device_mem(pdev);
	if (err)
		return err;
	err = pci_request_regions(pdev, KBUILD_MODNAME);
	if (err)
		goto disable;
	err = dma_set_mask_and_coherent(&pdev->dev, DMA_BIT_MASK(64));
	if (err) {
		dev_err(&pdev->dev, "no addresses of 64 bits: %d\n", err);
		goto release;
	}
	err = start_clean(pdev);
	if (err)
		goto release;
	err = set_up(card);
	if (err)
		goto clear_master;
	pci_set_drvdata(pdev, card);
	ul_card_watch_start(card);
	return 0;

clear_master:
	pci_clear_master(pdev);
release:
	pci_release_regions(pdev);
disable:
	pci_disable_device(pdev);
	return err;
}

static void remove(struct pci_dev *pdev)
{
	struct ul_card *card = pci_get_drvdata(pdev);

	cancel_delayed_work_sync(&card->watch);
	destroy_netdevs(card);
	pci_free_irq_vectors(pdev);
	pci_clear_master(pdev);
	unmap_bars(card);
	pci_release_regions(pdev);
	pci_disable_device(pdev);
}

/* Under rtnl. */
static void detach_ports(struct ul_card *card)
{
	unsigned int i;

	for (i = 0; i < card->ports; i++) {
		netif_device_detach(card->netdevs[i]);
		ul_port_down(netdev_priv(card->netdevs[i]));
	}
}

/* The card must not write into memory of the next kernel. */
static void shutdown(struct pci_dev *pdev)
{
	struct ul_card *card = pci_get_drvdata(pdev);

	cancel_delayed_work_sync(&card->watch);
	rtnl_lock();
	detach_ports(card);
	rtnl_unlock();
	pci_clear_master(pdev);
}

static void set_offline(struct ul_card *card, bool is_offline)
{
	unsigned int i;

	for (i = 0; i < card->ports; i++) {
		struct ul_port *port = netdev_priv(card->netdevs[i]);

		/* Nobody is within a read of registers any more. */
		spin_lock_bh(&port->counter_lock);
		card->is_offline = is_offline;
		spin_unlock_bh(&port->counter_lock);
	}
}

static void reset_prepare(struct pci_dev *pdev)
{
	struct ul_card *card = pci_get_drvdata(pdev);

	if (!card) /* in probe() */
		return;
	cancel_delayed_work_sync(&card->watch);
	rtnl_lock();
	detach_ports(card);
	set_offline(card, true);
	rtnl_unlock();
}

static void bring_back(struct net_device *netdev)
{
	int err = 0;

	if (netif_running(netdev))
		err = ul_port_up(netdev_priv(netdev));
	if (err) {
		netdev_err(netdev,
			   "does not come up after the reset (%d): it is down\n",
			   err);
		dev_close(netdev);
	}
	netif_device_attach(netdev);
}

static void reset_done(struct pci_dev *pdev)
{
	struct ul_card *card = pci_get_drvdata(pdev);
	unsigned int i;

	if (!card)
		return;
	if (ul_card_start(card)) {
		dev_err(&pdev->dev,
			"gone after the reset: load the driver again\n");
		return;
	}
	rtnl_lock();
	set_offline(card, false);
	for (i = 0; i < card->ports; i++)
		bring_back(card->netdevs[i]);
	rtnl_unlock();
	ul_card_watch_start(card);
}

static const struct pci_error_handlers error_handlers = {
	.reset_prepare = reset_prepare,
	.reset_done = reset_done,
};

/* clang-format off */
static const struct pci_device_id devices[] = {
	{ PCI_DEVICE(UL_VENDOR, UL_DEVICE(0)) },
	{ PCI_DEVICE(UL_VENDOR, UL_DEVICE(1)) },
	{ PCI_DEVICE(UL_VENDOR, UL_DEVICE(2)) },
	{ PCI_DEVICE(UL_VENDOR, UL_DEVICE(3)) },
	{}
};
MODULE_DEVICE_TABLE(pci, devices);
/* clang-format on */

static struct pci_driver ul_driver = {
	.name = KBUILD_MODNAME,
	.id_table = devices,
	.probe = probe,
	.remove = remove,
	.shutdown = shutdown,
	.err_handler = &error_handlers,
};
module_pci_driver(ul_driver);

MODULE_DESCRIPTION("Ports of an ullnic card as network interfaces");
MODULE_AUTHOR("The ullnic authors");
MODULE_LICENSE("GPL");
MODULE_VERSION(ULLNIC_VERSION);
