/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 */
/** @file port.h State of a card's ports. A call for a nonexistent port returns 0 or -1. */
#ifndef EXANIC_PORT_H
#define EXANIC_PORT_H

#include "exanic/exanic.h"

#ifdef __cplusplus
extern "C" {
#endif

int exanic_get_num_ports(exanic_t* exanic);
/* Return 1 or 0. */
int exanic_port_rx_usable(exanic_t* exanic, int port_number);
int exanic_port_tx_usable(exanic_t* exanic, int port_number);
int exanic_port_configurable(exanic_t* exanic, int port_number);
int exanic_port_enabled(exanic_t* exanic, int port_number);
/** Bits of exanic_port_status_t. A tester's port without a far end has no link. */
int exanic_get_port_status(exanic_t* exanic, int port_number);
/** In Mbit/s. */
unsigned exanic_get_port_speed(exanic_t* exanic, int port_number);
/** 0: 10GBASE-R has none. */
int exanic_port_autoneg_enabled(exanic_t* exanic, int port_number);
/** 1: every frame is received, whatever its destination address. */
int exanic_get_promiscuous_mode(exanic_t* exanic, int port_number);
/** Bits of exanic_tx_type_id_t; -1 with the reason in exanic_get_last_error(). */
int exanic_get_supported_tx_types(exanic_t* exanic, int port_number);

/** Frames since the card's reset, modulo 2^32. */
typedef struct exanic_port_stats {
  uint32_t tx_count;         /**< on a port without an engine: software's, not user logic's */
  uint32_t rx_count;         /**< for software */
  uint32_t rx_ignored_count; /**< 0: no frame is ignored */
  uint32_t rx_error_count;   /**< bad FCS and other errors; not counted by a tester: 0 */
  uint32_t rx_dropped_count; /**< software did not read them in time */
} exanic_port_stats_t;

/** Returns 0; -1 with the reason in exanic_get_last_error(). */
int exanic_get_port_stats(exanic_t* exanic, int port_number, exanic_port_stats_t* port_stats);

int exanic_get_mac_addr(exanic_t* exanic, int port_number, uint8_t* mac_addr) EXANIC_ABSENT(
    "ullnic: a port has no MAC address of its own and receives every frame; give the program the "
    "source address that its frames are to carry");
int exanic_set_port_speed(exanic_t* exanic, int port_number, unsigned speed)
    EXANIC_ABSENT("ullnic: a port has one speed, 10 Gbit/s; leave the call out");
int exanic_remove_filter(exanic_t* exanic, int port_number, int filter_slot)
    EXANIC_ABSENT("ullnic: use exanic_filter_remove_ip() or exanic_filter_remove_mac()");

#ifdef __cplusplus
}
#endif

#endif /* EXANIC_PORT_H */
