/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 */
#include "daemon/groups.h"

#include <errno.h>
#include <stdlib.h>

#include "lwip/igmp.h"
#include "lwip/prot/ip.h"

/* A group of a port, and how many sockets are in it. */
struct group {
  struct group* next;
  struct port* port;
  uint32_t ip;
  unsigned loud, silent;
};

/* A socket's part in one. */
struct membership {
  struct membership* next;
  struct group* group;
  bool silent;
};

static struct group* groups;

static struct group* find(const struct port* port, uint32_t ip) {
  struct group* group = groups;
  while (group != NULL && (group->port != port || group->ip != ip)) group = group->next;
  return group;
}

/* Joins and leaves as the network shall see it: what lwIP says is held back while nobody is loud.
 */
static int set_users(struct group* group, unsigned loud, unsigned silent) {
  bool was = group->loud + group->silent > 0, is = loud + silent > 0;
  bool changes = was != is || (group->loud > 0) != (loud > 0);
  ip4_addr_t ip = {group->ip};
  err_t error = ERR_OK;
  if (was && changes) igmp_leavegroup_netif(&group->port->netif, &ip);
  group->loud = loud;
  group->silent = silent;
  if (is && changes) error = igmp_joingroup_netif(&group->port->netif, &ip);
  return error == ERR_OK ? 0 : ENOMEM;
}

static void forget_unused(struct group* group) {
  if (group->loud + group->silent > 0) return;
  struct group** link = &groups;
  while (*link != group) link = &(*link)->next;
  *link = group->next;
  free(group);
}

static struct group* find_or_make(struct port* port, uint32_t ip) {
  struct group* group = find(port, ip);
  if (group != NULL) return group;
  group = calloc(1, sizeof(*group));
  if (group == NULL) return NULL;
  *group = (struct group){.next = groups, .port = port, .ip = ip};
  return groups = group;
}

int groups_join(struct socket* s, uint32_t ip, bool silent) {
  ip4_addr_t address = {ip};
  if (!ip4_addr_ismulticast(&address)) return EINVAL;
  for (const struct membership* m = s->memberships; m != NULL; m = m->next) {
    if (m->group->ip == ip) return EADDRINUSE;
  }
  struct membership* m = calloc(1, sizeof(*m));
  struct group* group = m != NULL ? find_or_make(s->port, ip) : NULL;
  int error = ENOMEM;
  if (group != NULL) error = set_users(group, group->loud + !silent, group->silent + silent);
  if (error != 0) {
    if (group != NULL) {
      set_users(group, group->loud - !silent, group->silent - silent);
      forget_unused(group);
    }
    free(m);
    return error;
  }
  *m = (struct membership){.next = s->memberships, .group = group, .silent = silent};
  s->memberships = m;
  return 0;
}

static void leave(struct membership** link) {
  struct membership* m = *link;
  struct group* group = m->group;
  *link = m->next;
  set_users(group, group->loud - !m->silent, group->silent - m->silent);
  forget_unused(group);
  free(m);
}

int groups_leave(struct socket* s, uint32_t ip) {
  struct membership** link = &s->memberships;
  while (*link != NULL && (*link)->group->ip != ip) link = &(*link)->next;
  if (*link == NULL) return EADDRNOTAVAIL;
  leave(link);
  return 0;
}

void groups_leave_all(struct socket* s) {
  while (s->memberships != NULL) leave(&s->memberships);
}

bool groups_hold_back(const struct port* port, const struct pbuf* packet) {
  const uint8_t* ip = packet->payload;
  size_t header = packet->len > 0 ? (size_t)(ip[0] & 15) * 4 : 0;
  uint32_t address;
  if (packet->len < header + 8 || header < 20 || ip[9] != IP_PROTO_IGMP) return false;
  memcpy(&address, ip + header + 4, sizeof(address));
  const struct group* group = find(port, address);
  return group != NULL && group->loud == 0;
}
