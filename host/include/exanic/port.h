/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 */
/** @file port.h State of a card's ports. */
#ifndef EXANIC_PORT_H
#define EXANIC_PORT_H

#include "exanic/exanic.h"

#ifdef __cplusplus
extern "C" {
#endif

int exanic_get_num_ports(exanic_t* exanic);
/* 1 or 0; -1 with the reason in exanic_get_last_error(). */
int exanic_port_rx_usable(exanic_t* exanic, int port_number);
int exanic_port_tx_usable(exanic_t* exanic, int port_number);
int exanic_port_enabled(exanic_t* exanic, int port_number);
/** 1: the link is up. A tester's port without a far end is down. */
int exanic_get_port_status(exanic_t* exanic, int port_number);
/** In Mbit/s. */
unsigned exanic_get_port_speed(exanic_t* exanic, int port_number);

#ifdef __cplusplus
}
#endif

#endif /* EXANIC_PORT_H */
