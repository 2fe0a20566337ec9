/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * State that a program reads from the card's registers: link, time, presence.
 */
#include <errno.h>
#include <rte_cycles.h>

#include "pmd.h"
#include "ullnic/card.h"

enum { WAIT_TRIES = 100, WAIT_US = 10000 };

static int read_register(struct rte_eth_dev* dev, uint32_t address, uint32_t* value) {
  const int result = ullnic_read32(pmd_of(dev)->card->card, address, value);
  if (result != 0) {
    PMD_LOG(ERR, dev->data->name, "%s", ullnic_last_error());
  }
  return result;
}

int pmd_link_update(struct rte_eth_dev* dev, int wait_to_complete) {
  const unsigned bit = CARD_REGS__PORT_STATUS__LINK_UP_bp + pmd_of(dev)->number;
  struct rte_eth_link link = {.link_speed = RTE_ETH_SPEED_NUM_10G,
                              .link_duplex = RTE_ETH_LINK_FULL_DUPLEX,
                              .link_autoneg = RTE_ETH_LINK_FIXED,
                              .link_status = RTE_ETH_LINK_DOWN};
  uint32_t status = 0;
  int result = read_register(dev, ULLNIC_CARD_REGISTER(PORT_STATUS), &status);
  for (int tries = 0; wait_to_complete && result == 0 && !(status >> bit & 1) && tries < WAIT_TRIES;
       ++tries) {
    rte_delay_us_sleep(WAIT_US);
    result = read_register(dev, ULLNIC_CARD_REGISTER(PORT_STATUS), &status);
  }
  if (result == 0 && (status >> bit & 1)) {
    link.link_status = RTE_ETH_LINK_UP;
  }
  (void)rte_eth_linkstatus_set(dev, &link);
  return result;
}

int pmd_read_clock(struct rte_eth_dev* dev, uint64_t* clock) {
  uint32_t low = 0;
  uint32_t high = 0;
  int result = read_register(dev, ULLNIC_CARD_REGISTER(TIME_LO), &low);
  if (result == 0) {
    result = read_register(dev, ULLNIC_CARD_REGISTER(TIME_HI), &high);
  }
  *clock = pmd_ns((uint64_t)high << 32 | low, ullnic_tick_ps(pmd_of(dev)->card->card));
  return result;
}

int pmd_is_removed(struct rte_eth_dev* dev) {
  uint32_t id;
  return ullnic_read32(pmd_of(dev)->card->card, ULLNIC_CARD_REGISTER(ID), &id) == -ENODEV;
}
