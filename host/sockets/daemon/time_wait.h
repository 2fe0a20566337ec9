/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * A peer that connects again from the same port while the old connection is in TIME-WAIT gets a new
 * one, as RFC 9293, 3.10.7.4 allows: if its SYN lies beyond what the old one received. lwIP would
 * let it wait for 2 MSL.
 */
#ifndef ULLNICD_TIME_WAIT_H
#define ULLNICD_TIME_WAIT_H

#include <stdbool.h>
#include <stdint.h>

#include "lwip/ip_addr.h"

/* Whether the frame that lwIP has just seen ended a TIME-WAIT: it is to look at it again. */
bool time_wait_look_again(void);
/* The initial sequence number of a connection that follows one in TIME-WAIT: beyond all that the
 * old one sent. False: it follows none. */
bool time_wait_sequence(const ip_addr_t* local_ip, uint16_t local_port, const ip_addr_t* remote_ip,
                        uint16_t remote_port, uint32_t* sequence);

struct user;
/* Forgets the user's connections in TIME-WAIT, as Linux does those beyond tcp_max_tw_buckets. */
void time_wait_end_all(const struct user* user);

#endif /* ULLNICD_TIME_WAIT_H */
