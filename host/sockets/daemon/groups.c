/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 */
#include "daemon/groups.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "daemon/udp_table.h"
#include "lwip/igmp.h"
#include "lwip/prot/ip.h"

enum { USUAL_MEMBERSHIPS = 20, USUAL_SOURCES = 10 };

/* A group of a port, and how many sockets are in it. */
struct group {
  struct group* next;
  struct port* port;
  uint32_t ip;
  unsigned loud, silent;
  struct membership* members;
};

/* A socket's part in one. */
struct membership {
  struct membership *next, *next_member;
  struct group* group;
  uint32_t address; /* of the interface, as the program gave it; 0: none */
  bool silent;
  bool includes; /* receives from the sources only; else from all but those */
  unsigned source_count;
  uint32_t* sources;
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

/* What the administrator allows a socket. Read each time, from a file that is open: no other can
 * be opened any more (privileges.h). */
struct limit {
  const char* path;
  unsigned usual;
  int fd;
};

static struct limit most_memberships = {"/proc/sys/net/ipv4/igmp_max_memberships",
                                        USUAL_MEMBERSHIPS, -1};
static struct limit most_sources = {"/proc/sys/net/ipv4/igmp_max_msf", USUAL_SOURCES, -1};

void groups_start(void) {
  most_memberships.fd = open(most_memberships.path, O_RDONLY | O_CLOEXEC);
  most_sources.fd = open(most_sources.path, O_RDONLY | O_CLOEXEC);
}

static unsigned value_of(const struct limit* limit) {
  char text[16];
  unsigned value;
  ssize_t got = limit->fd >= 0 ? pread(limit->fd, text, sizeof(text) - 1, 0) : -1;
  if (got <= 0) return limit->usual;
  text[got] = '\0';
  return sscanf(text, "%u", &value) == 1 ? value : limit->usual;
}

static struct membership** find_membership(struct socket* s, const struct port* port, uint32_t ip) {
  struct membership** link = &s->memberships;
  while (*link != NULL && ((*link)->group->ip != ip || (*link)->group->port != port)) {
    link = &(*link)->next;
  }
  return link;
}

static int join(struct socket* s, struct port* port, const struct control_request* request) {
  unsigned count = 0;
  uint32_t ip = request->peer_ip;
  bool silent = request->silent_join != 0;
  if (*find_membership(s, port, ip) != NULL) return EADDRINUSE;
  for (const struct membership* m = s->memberships; m != NULL; m = m->next) count++;
  if (count >= value_of(&most_memberships)) return ENOBUFS;
  struct membership* m = calloc(1, sizeof(*m));
  struct group* group = m != NULL ? find_or_make(port, ip) : NULL;
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
  *m = (struct membership){.next = s->memberships,
                           .next_member = group->members,
                           .group = group,
                           .address = request->local_ip,
                           .silent = silent};
  group->members = m;
  s->memberships = m;
  return 0;
}

static void leave(struct membership** link) {
  struct membership *m = *link, **member = &m->group->members;
  struct group* group = m->group;
  *link = m->next;
  while (*member != m) member = &(*member)->next_member;
  *member = m->next_member;
  set_users(group, group->loud - !m->silent, group->silent - m->silent);
  forget_unused(group);
  free(m->sources);
  free(m);
}

/* Without an address the first one of the group; else the one that was joined with the same. */
static int leave_by_address(struct socket* s, const struct control_request* request) {
  struct membership** link = &s->memberships;
  while (*link != NULL && ((*link)->group->ip != request->peer_ip ||
                           (request->local_ip != 0 && (*link)->address != request->local_ip))) {
    link = &(*link)->next;
  }
  if (*link == NULL) return EADDRNOTAVAIL;
  leave(link);
  return 0;
}

static unsigned place_of(const struct membership* m, uint32_t source) {
  unsigned i = 0;
  while (i < m->source_count && m->sources[i] != source) i++;
  return i;
}

static int add_source(struct membership* m, uint32_t source) {
  if (m->source_count >= value_of(&most_sources)) return ENOBUFS;
  if (place_of(m, source) < m->source_count) return EADDRNOTAVAIL;
  uint32_t* larger = realloc(m->sources, (m->source_count + 1) * sizeof(*larger));
  if (larger == NULL) return ENOMEM;
  m->sources = larger;
  m->sources[m->source_count++] = source;
  return 0;
}

/* One source more or less in the filter of a membership, which keeps its kind once it has had a
 * source. */
static int filter(struct socket* s, const struct port* port,
                  const struct control_request* request) {
  bool includes =
      request->group_action == GROUP_JOIN_SOURCE || request->group_action == GROUP_LEAVE_SOURCE;
  bool adds = request->group_action == GROUP_JOIN_SOURCE || request->group_action == GROUP_BLOCK;
  struct membership** link = find_membership(s, port, request->peer_ip);
  struct membership* m = *link;
  if (m == NULL || (m->sources != NULL && m->includes != includes)) return EINVAL;
  m->includes = includes;
  if (adds) return add_source(m, request->source_ip);
  unsigned place = place_of(m, request->source_ip);
  if (place == m->source_count) return EADDRNOTAVAIL;
  if (m->source_count == 1 && includes) { /* a group without sources is left */
    leave(link);
    return 0;
  }
  m->sources[place] = m->sources[--m->source_count];
  return 0;
}

int groups_change(struct socket* s, const struct control_request* request) {
  ip4_addr_t group = {request->peer_ip};
  if (request->group_action == GROUP_LEAVE) return leave_by_address(s, request);
  if (!ip4_addr_ismulticast(&group)) return EINVAL;
  struct port* port = request->local_ip != 0 ? port_with_address(request->local_ip) : s->port;
  if (port == NULL) return ENODEV;
  if (request->group_action == GROUP_JOIN) return join(s, port, request);
  bool fresh = false;
  if (request->group_action == GROUP_JOIN_SOURCE) {
    int error = join(s, port, request);
    if (error != 0 && error != EADDRINUSE) return error;
    fresh = error == 0;
  }
  int error = filter(s, port, request);
  if (error != 0 && fresh) leave(find_membership(s, port, request->peer_ip));
  return error;
}

void groups_leave_all(struct socket* s) {
  while (s->memberships != NULL) leave(&s->memberships);
}

static bool takes(const struct membership* m, uint32_t source) {
  return (place_of(m, source) < m->source_count) == m->includes;
}

static bool is_group(uint32_t ip) {
  ip4_addr_t address = {ip};
  return ip4_addr_ismulticast(&address);
}

bool groups_allow(const struct socket* s, const struct arrival* a) {
  if (!is_group(a->destination_ip)) return true;
  for (const struct membership* m = s->memberships; m != NULL; m = m->next) {
    if (m->group->ip == a->destination_ip && m->group->port == a->port) {
      return takes(m, a->source_ip);
    }
  }
  return s->options.mcast_all != 0;
}

bool groups_admit(const struct arrival* a) {
  ip4_addr_t all_systems = {PP_HTONL(0xe0000001u)};
  if (!is_group(a->destination_ip) || a->destination_ip == all_systems.addr) return true;
  const struct group* group = find(a->port, a->destination_ip);
  const struct membership* m = group != NULL ? group->members : NULL;
  while (m != NULL && !takes(m, a->source_ip)) m = m->next_member;
  return m != NULL;
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
