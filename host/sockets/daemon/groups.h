/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Multicast groups of the ports. A port is a member as long as a socket is. It is reported by IGMP
 * as long as a member joined without SO_EXA_MCAST_LISTEN. Source filters are applied here, not by
 * the network: lwIP implements IGMPv2, which has none.
 */
#ifndef ULLNICD_GROUPS_H
#define ULLNICD_GROUPS_H

#include "daemon/socket.h"

struct arrival;
struct pbuf;

/* Executes a CONTROL_GROUP. Returns 0 or Linux's errno: EINVAL no group, or no membership to
 * filter; ENODEV the interface is not the card's; EADDRINUSE already a member; EADDRNOTAVAIL not a
 * member, or no such source; ENOBUFS too many; ENOMEM. `why`: cause and remedy, or empty. */
int groups_change(struct socket* socket, const struct control_request* request, const char** why);
void groups_leave_all(struct socket* socket);
/* Whether a socket receives a datagram to a group, by its memberships and IP_MULTICAST_ALL. True
 * for other datagrams. */
bool groups_allow(const struct socket* socket, const struct arrival* arrival);
/* Whether the port accepts it at all: some socket is a member and does not exclude the source. */
bool groups_admit(const struct arrival* arrival);
/* Checks lwIP's IP output: true if it is an IGMP report for a group whose members are all
 * silent. */
bool groups_hold_back(const struct port* port, const struct pbuf* packet);

#endif /* ULLNICD_GROUPS_H */
