/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * A card in a slot, bound to vfio-pci: its ports are devices with the names 0000:01:00.0_port0 and
 * so on. libullnic opens it through VFIO, so DPDK does not map it.
 */
#include <bus_pci_driver.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "pmd.h"

enum { VENDOR = 0x10ee, DEVICE = 0x903f };

static int create_ports(struct rte_pci_device* pci, const struct pmd_arguments* arguments,
                        struct pmd_card* card) {
  const unsigned all = (1u << ullnic_ports(card->card)) - 1;
  const unsigned wanted = arguments->ports != 0 ? arguments->ports : all;
  struct pmd_arguments each = *arguments;
  int result = 0;
  for (unsigned port = 0; result == 0 && port < ULLNIC_MAX_PORTS; ++port) {
    if (wanted >> port & 1) {
      char name[RTE_ETH_NAME_MAX_LEN];
      snprintf(name, sizeof name, "%s_port%u", pci->name, port);
      result = pmd_create(&pci->device, name, &each, card, port);
      ++each.address.addr_bytes[RTE_ETHER_ADDR_LEN - 1];  // mac= is that of the first port
    }
  }
  return result;
}

static int open_and_create(struct rte_pci_device* pci, const struct pmd_arguments* arguments) {
  char name[RTE_DEV_NAME_MAX_LEN];
  struct pmd_card* card;
  snprintf(name, sizeof name, "vfio:%s", pci->name);
  int result = pmd_card_open(pci->name, name, &card);
  if (result == 0) {
    result = create_ports(pci, arguments, card);
    pmd_card_close(card);
  }
  return result;
}

static int probe(struct rte_pci_driver* driver, struct rte_pci_device* pci) {
  (void)driver;
  int result = pmd_check_process(pci->name);
  if (result != 0) {
    return result;
  }
  if (pci->kdrv != RTE_PCI_KDRV_VFIO) {
    PMD_LOG(ERR, pci->name, "not bound to vfio-pci; bind it: dpdk-devbind.py -b vfio-pci %s",
            pci->name);
    return -ENODEV;
  }
  struct pmd_arguments arguments;
  const struct rte_devargs* given = pci->device.devargs;
  result = pmd_arguments_parse(pci->name, given != NULL ? given->args : NULL, false, &arguments);
  if (result != 0) {
    return result;
  }
  result = open_and_create(pci, &arguments);
  pmd_arguments_free(&arguments);
  if (result == -ENXIO) {
    return 1;  // another card with the same DMA: another driver may support it
  }
  if (result != 0) {
    (void)pmd_remove(&pci->device);
  }
  return result;
}

static int remove_pci(struct rte_pci_device* pci) { return pmd_remove(&pci->device); }

static const struct rte_pci_id ids[] = {{RTE_PCI_DEVICE(VENDOR, DEVICE)}, {.vendor_id = 0}};
static struct rte_pci_driver driver = {.id_table = ids, .probe = probe, .remove = remove_pci};

RTE_PMD_REGISTER_PCI(net_ullnic_pci, driver);
RTE_PMD_REGISTER_PCI_TABLE(net_ullnic_pci, ids);
RTE_PMD_REGISTER_KMOD_DEP(net_ullnic_pci, "* vfio-pci");
RTE_PMD_REGISTER_PARAM_STRING(net_ullnic_pci, "port=<number> mac=<address>");
