/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Multicast groups of the ports. A port is a member as long as a socket is; the network hears of it
 * (IGMP) as long as a socket is that did not ask for silence (SO_EXA_MCAST_LISTEN).
 */
#ifndef ULLNICD_GROUPS_H
#define ULLNICD_GROUPS_H

#include "daemon/socket.h"

struct pbuf;

/* 0, EINVAL no group, EADDRINUSE this socket is in it already, ENOMEM. */
int groups_join(struct socket* socket, uint32_t group, bool silent);
/* 0, or EADDRNOTAVAIL: it is not in it. */
int groups_leave(struct socket* socket, uint32_t group);
void groups_leave_all(struct socket* socket);
/* lwIP's IP output: true if it would tell the network of a group that is listened to in silence. */
bool groups_hold_back(const struct port* port, const struct pbuf* packet);

#endif /* ULLNICD_GROUPS_H */
