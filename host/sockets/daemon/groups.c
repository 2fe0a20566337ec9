/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 */
#include "daemon/groups.h"

#include <errno.h>
#include <stdlib.h>

#include "daemon/kernel_limits.h"
#include "daemon/udp_table.h"
#include "daemon/users.h"
#include "lwip/igmp.h"
#include "lwip/prot/ip.h"
#include "lwip_hooks.h"

enum { BUCKET_BITS = 12 };

#define ALL_SYSTEMS 0xe0000001u

/* A group of a port, and how many sockets are in it. */
struct group {
  struct group* next;
  struct port* port;
  uint32_t ip;
  unsigned loud, silent;
  struct igmp_group* lwip; /* lwIP's entry */
  struct membership* members;
};

/* A socket's membership in a group. */
struct membership {
  struct membership *next, **link;               /* of the socket; the pointer to this one */
  struct membership *next_member, **member_link; /* of the group */
  struct membership* next_of_bucket;
  const struct socket* socket;
  struct group* group;
  uint32_t address; /* of the interface, as given by the program; 0: none */
  bool silent;
  bool includes; /* include mode: receives from the sources only; else from all others */
  unsigned source_count;
  uint32_t* sources;
};

static struct group* groups[1 << BUCKET_BITS];
static struct membership* memberships[1 << BUCKET_BITS];

/* Programs choose the addresses, but cannot predict the bucket. */
static uint32_t bucket_of(uint32_t key) {
  static uint32_t secret;
  while (secret == 0) secret = ullnic_random();
  return ((key ^ secret) * 2654435761u) >> (32 - BUCKET_BITS);
}

static struct membership** memberships_of(const struct socket* s, uint32_t ip) {
  return &memberships[bucket_of(ip ^ (uint32_t)s->id)];
}

static struct group* find(const struct port* port, uint32_t ip) {
  struct group* group = groups[bucket_of(ip)];
  while (group != NULL && (group->port != port || group->ip != ip)) group = group->next;
  return group;
}

/* Joins and leaves as the network sees it: lwIP's IGMP reports are suppressed while all members are
 * silent. */
static int set_users(struct group* group, unsigned loud, unsigned silent) {
  bool was = group->loud + group->silent > 0, is = loud + silent > 0;
  bool changes = was != is || (group->loud > 0) != (loud > 0);
  ip4_addr_t ip = {group->ip};
  err_t error = ERR_OK;
  if (was && changes) {
    group->lwip = NULL;
    igmp_leavegroup_netif(&group->port->netif, &ip);
  }
  group->loud = loud;
  group->silent = silent;
  if (is && changes) {
    error = igmp_joingroup_netif(&group->port->netif, &ip);
    if (error == ERR_OK) group->lwip = igmp_lookfor_group(&group->port->netif, &ip);
  }
  return error == ERR_OK ? 0 : ENOMEM;
}

struct igmp_group* ullnic_look_for_group(struct netif* netif, const ip4_addr_t* ip) {
  const struct group* group = find(netif->state, ip->addr);
  if (group != NULL) return group->lwip;
  return ip->addr == PP_HTONL(ALL_SYSTEMS) ? igmp_lookfor_group(netif, ip) : NULL;
}

static void forget_unused(struct group* group) {
  if (group->loud + group->silent > 0) return;
  struct group** link = &groups[bucket_of(group->ip)];
  while (*link != group) link = &(*link)->next;
  *link = group->next;
  free(group);
}

static struct group* find_or_make(struct port* port, uint32_t ip) {
  struct group* group = find(port, ip);
  if (group != NULL) return group;
  group = calloc(1, sizeof(*group));
  if (group == NULL) return NULL;
  struct group** bucket = &groups[bucket_of(ip)];
  *group = (struct group){.next = *bucket, .port = port, .ip = ip};
  return *bucket = group;
}

static struct membership* find_membership(const struct socket* s, const struct port* port,
                                          uint32_t ip) {
  struct membership* m = *memberships_of(s, ip);
  while (m != NULL && (m->socket != s || m->group->ip != ip || m->group->port != port)) {
    m = m->next_of_bucket;
  }
  return m;
}

static int join(struct socket* s, struct port* port, const struct control_request* request,
                const char** why) {
  uint32_t ip = request->peer_ip;
  bool silent = request->silent_join != 0;
  if (find_membership(s, port, ip) != NULL) return EADDRINUSE;
  if (s->membership_count >= kernel_limit(MOST_MEMBERSHIPS)) {
    *why = "a socket has no more memberships than net.ipv4.igmp_max_memberships: raise that";
    return ENOBUFS;
  }
  if (!user_may_join(s->user)) {
    *why = users_why();
    return ENOBUFS;
  }
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
  struct membership** bucket = memberships_of(s, ip);
  *m = (struct membership){.next = s->memberships,
                           .link = &s->memberships,
                           .next_of_bucket = *bucket,
                           .socket = s,
                           .next_member = group->members,
                           .member_link = &group->members,
                           .group = group,
                           .address = request->local_ip,
                           .silent = silent};
  if (m->next_member != NULL) m->next_member->member_link = &m->next_member;
  if (m->next != NULL) m->next->link = &m->next;
  *bucket = group->members = s->memberships = m;
  s->membership_count++;
  s->user->memberships++;
  return 0;
}

static void leave(struct socket* s, struct membership* m) {
  struct group* group = m->group;
  struct membership** place = memberships_of(s, group->ip);
  while (*place != m) place = &(*place)->next_of_bucket;
  *place = m->next_of_bucket;
  *m->link = m->next;
  if (m->next != NULL) m->next->link = m->link;
  *m->member_link = m->next_member;
  if (m->next_member != NULL) m->next_member->member_link = m->member_link;
  s->membership_count--;
  s->user->memberships--;
  set_users(group, group->loud - !m->silent, group->silent - m->silent);
  forget_unused(group);
  free(m->sources);
  free(m);
}

/* Without an address, leaves the first membership of the group; else the one joined with that
 * address. */
static int leave_by_address(struct socket* s, const struct control_request* request) {
  struct membership* m = s->memberships;
  while (m != NULL && (m->group->ip != request->peer_ip ||
                       (request->local_ip != 0 && m->address != request->local_ip))) {
    m = m->next;
  }
  if (m == NULL) return EADDRNOTAVAIL;
  leave(s, m);
  return 0;
}

static unsigned place_of(const struct membership* m, uint32_t source) {
  unsigned i = 0;
  while (i < m->source_count && m->sources[i] != source) i++;
  return i;
}

static int add_source(struct membership* m, uint32_t source) {
  if (m->source_count >= kernel_limit(MOST_SOURCES)) return ENOBUFS;
  if (place_of(m, source) < m->source_count) return EADDRNOTAVAIL;
  uint32_t* larger = realloc(m->sources, (m->source_count + 1) * sizeof(*larger));
  if (larger == NULL) return ENOMEM;
  m->sources = larger;
  m->sources[m->source_count++] = source;
  return 0;
}

/* Adds or removes a source in a membership's filter. The mode is fixed once it has had a source. */
static int filter(struct socket* s, const struct port* port,
                  const struct control_request* request) {
  bool includes =
      request->group_action == GROUP_JOIN_SOURCE || request->group_action == GROUP_LEAVE_SOURCE;
  bool adds = request->group_action == GROUP_JOIN_SOURCE || request->group_action == GROUP_BLOCK;
  struct membership* m = find_membership(s, port, request->peer_ip);
  if (m == NULL || (m->sources != NULL && m->includes != includes)) return EINVAL;
  m->includes = includes;
  if (adds) return add_source(m, request->source_ip);
  unsigned place = place_of(m, request->source_ip);
  if (place == m->source_count) return EADDRNOTAVAIL;
  if (m->source_count == 1 && includes) { /* an include filter without sources leaves the group */
    leave(s, m);
    return 0;
  }
  m->sources[place] = m->sources[--m->source_count];
  return 0;
}

int groups_change(struct socket* s, const struct control_request* request, const char** why) {
  *why = "";
  ip4_addr_t group = {request->peer_ip};
  if (request->group_action > GROUP_UNBLOCK) return EINVAL;
  if (request->group_action == GROUP_LEAVE) return leave_by_address(s, request);
  if (!ip4_addr_ismulticast(&group)) return EINVAL;
  struct port* port = request->local_ip != 0 ? port_with_address(request->local_ip) : s->port;
  if (port == NULL) return ENODEV;
  if (request->group_action == GROUP_JOIN) return join(s, port, request, why);
  bool fresh = false;
  if (request->group_action == GROUP_JOIN_SOURCE) {
    int error = join(s, port, request, why);
    if (error != 0 && error != EADDRINUSE) return error;
    fresh = error == 0;
  }
  int error = filter(s, port, request);
  if (error != 0 && fresh) leave(s, find_membership(s, port, request->peer_ip));
  return error;
}

void groups_leave_all(struct socket* s) {
  while (s->memberships != NULL) leave(s, s->memberships);
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
  const struct membership* m = find_membership(s, a->port, a->destination_ip);
  if (m != NULL) return takes(m, a->source_ip);
  return s->options.mcast_all != 0;
}

bool groups_admit(const struct arrival* a) {
  if (!is_group(a->destination_ip) || a->destination_ip == PP_HTONL(ALL_SYSTEMS)) return true;
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
