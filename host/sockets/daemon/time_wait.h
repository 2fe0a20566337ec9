/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * A peer that reconnects from the same port while the old connection is in TIME-WAIT gets a new
 * one, as RFC 9293, 3.10.7.4 allows: if its SYN is beyond RCV.NXT of the old one. lwIP would make
 * it wait for 2 MSL.
 */
#ifndef ULLNICD_TIME_WAIT_H
#define ULLNICD_TIME_WAIT_H

#include <stdbool.h>
#include <stdint.h>

#include "lwip/ip_addr.h"

/* Whether the frame that lwIP has just processed ended a TIME-WAIT: lwIP must process it again. */
bool time_wait_look_again(void);
/* The initial sequence number of a connection that follows one in TIME-WAIT: beyond everything the
 * old one sent. False: it follows none. */
bool time_wait_sequence(const ip_addr_t* local_ip, uint16_t local_port, const ip_addr_t* remote_ip,
                        uint16_t remote_port, uint32_t* sequence);

struct user;
/* Drops the user's connections in TIME-WAIT, as Linux drops those beyond tcp_max_tw_buckets. */
void time_wait_end_all(const struct user* user);

#endif /* ULLNICD_TIME_WAIT_H */
