/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Multicast groups of the ports. A port is a member as long as a socket is; the network hears of it
 * (IGMP) as long as a socket is that did not ask for silence (SO_EXA_MCAST_LISTEN). Source filters
 * are applied here, not by the network: lwIP speaks version 2 of IGMP, which has none.
 */
#ifndef ULLNICD_GROUPS_H
#define ULLNICD_GROUPS_H

#include "daemon/socket.h"

struct arrival;
struct pbuf;

/* Once, before privileges are dropped. */
void groups_start(void);

/* Carries out a CONTROL_GROUP. 0 or Linux's errno: EINVAL no group, or no membership to filter;
 * ENODEV the interface is none of the card's; EADDRINUSE this socket is in it already;
 * EADDRNOTAVAIL it is not in it, or no such source; ENOBUFS too many; ENOMEM. */
int groups_change(struct socket* socket, const struct control_request* request);
void groups_leave_all(struct socket* socket);
/* Whether a socket wants a datagram to a group, by its memberships and IP_MULTICAST_ALL. True for
 * other datagrams. */
bool groups_allow(const struct socket* socket, const struct arrival* arrival);
/* Whether the port takes it at all: some socket is a member and excludes the source not. */
bool groups_admit(const struct arrival* arrival);
/* lwIP's IP output: true if it would tell the network of a group that is listened to in silence. */
bool groups_hold_back(const struct port* port, const struct pbuf* packet);

#endif /* ULLNICD_GROUPS_H */
