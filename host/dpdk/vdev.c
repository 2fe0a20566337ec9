/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * A port as a DPDK virtual device: --vdev net_ullnic0,card=vfio-user:/path/to/socket,port=0
 */
#include <bus_vdev_driver.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "pmd.h"

#define DAEMON "ullnicd:"

/** The name of the card; NULL, with a line in the log, if none is given. */
static const char* card_of(const char* device, const struct pmd_arguments* arguments) {
  const char* name = arguments->card != NULL ? arguments->card : getenv("ULLNIC_CARD");
  if (name == NULL || name[0] == '\0') {
    PMD_LOG(ERR, device,
            "no card is named; give one, as in card=vfio-user:/path/to/socket, or set ULLNIC_CARD");
    return NULL;
  }
  if (strncmp(name, DAEMON, strlen(DAEMON)) == 0) {
    PMD_LOG(ERR, device,
            "%s: what the ports of a card receive is its daemon's; end ullnicd and name the card "
            "itself",
            name);
    return NULL;
  }
  return name;
}

static int create(struct rte_vdev_device* vdev, const struct pmd_arguments* arguments) {
  const char* device = rte_vdev_device_name(vdev);
  const unsigned ports = arguments->ports != 0 ? arguments->ports : 1;  // default: port 0
  if (!rte_is_power_of_2(ports)) {
    PMD_LOG(ERR, device, "port= is given twice; give one, and a --vdev for each other port");
    return -EINVAL;
  }
  const char* name = card_of(device, arguments);
  if (name == NULL) {
    return -EINVAL;
  }
  struct pmd_card* card;
  int result = pmd_card_open(device, name, &card);
  if (result == 0) {
    result = pmd_create(&vdev->device, device, arguments, card, rte_bsf32(ports));
    pmd_card_close(card);
  }
  return result;
}

static int probe(struct rte_vdev_device* vdev) {
  const char* device = rte_vdev_device_name(vdev);
  struct pmd_arguments arguments;
  int result = pmd_check_process(device);
  if (result == 0) {
    result = pmd_arguments_parse(device, rte_vdev_device_args(vdev), true, &arguments);
  }
  if (result == 0) {
    result = create(vdev, &arguments);
    pmd_arguments_free(&arguments);
  }
  return result;
}

static int remove_vdev(struct rte_vdev_device* vdev) { return pmd_remove(&vdev->device); }

static struct rte_vdev_driver driver = {.probe = probe, .remove = remove_vdev};

RTE_PMD_REGISTER_VDEV(net_ullnic, driver);
RTE_PMD_REGISTER_PARAM_STRING(net_ullnic, "card=<name> port=<number> mac=<address>");
