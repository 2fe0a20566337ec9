/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 */
#include "preload/multicast.h"

#include <errno.h>
#include <netinet/in.h>
#include <string.h>

#include "preload/accelerating.h"
#include "preload/daemon.h"
#include "preload/notes.h"
#include "preload/real.h"

/* A request of any of the options, in a common form. */
struct wish {
  enum group_action action;
  uint32_t group, source;
  uint32_t interface; /* its address, 0: any */
  uint32_t index;     /* its index, which takes precedence over the address; 0: none */
  bool silent;
};

static int fail(int error) {
  errno = error;
  return -1;
}

bool multicast_is_option(int level, int name) {
  return level == IPPROTO_IP &&
         (name == IP_MULTICAST_IF || (name >= IP_ADD_MEMBERSHIP && name <= IP_MSFILTER) ||
          (name >= MCAST_JOIN_GROUP && name <= MCAST_MSFILTER));
}

static int read_interface(const void* value, socklen_t length, struct wish* wish) {
  struct ip_mreqn group = {0};
  if (length < sizeof(struct ip_mreq)) return EINVAL;
  memcpy(&group, value, length < sizeof(group) ? sizeof(struct ip_mreq) : sizeof(group));
  wish->group = group.imr_multiaddr.s_addr;
  wish->interface = group.imr_address.s_addr;
  wish->index = (uint32_t)group.imr_ifindex;
  return 0;
}

static int read_source(const void* value, socklen_t length, struct wish* wish) {
  struct ip_mreq_source source;
  if (length != sizeof(source)) return EINVAL;
  memcpy(&source, value, sizeof(source));
  wish->group = source.imr_multiaddr.s_addr;
  wish->interface = source.imr_interface.s_addr;
  wish->source = source.imr_sourceaddr.s_addr;
  return 0;
}

static int read_address(const struct sockaddr_storage* storage, uint32_t* ip, int error) {
  struct sockaddr_in address;
  if (storage->ss_family != AF_INET) return error;
  memcpy(&address, storage, sizeof(address));
  *ip = address.sin_addr.s_addr;
  return 0;
}

static int read_any_group(const void* value, socklen_t length, struct wish* wish) {
  struct group_req group;
  if (length < sizeof(group)) return EINVAL;
  memcpy(&group, value, sizeof(group));
  wish->index = group.gr_interface;
  return read_address(&group.gr_group, &wish->group, EINVAL);
}

static int read_any_source(const void* value, socklen_t length, struct wish* wish) {
  struct group_source_req source;
  if (length != sizeof(source)) return EINVAL;
  memcpy(&source, value, sizeof(source));
  wish->index = source.gsr_interface;
  int error = read_address(&source.gsr_group, &wish->group, EADDRNOTAVAIL);
  return error != 0 ? error : read_address(&source.gsr_source, &wish->source, EADDRNOTAVAIL);
}

/* 0 or errno. */
static int read_wish(int name, const void* value, socklen_t length, struct wish* wish) {
  static const struct {
    int name;
    enum group_action action;
    int (*read)(const void* value, socklen_t length, struct wish* wish);
  } forms[] = {
      {IP_ADD_MEMBERSHIP, GROUP_JOIN, read_interface},
      {IP_DROP_MEMBERSHIP, GROUP_LEAVE, read_interface},
      {IP_ADD_SOURCE_MEMBERSHIP, GROUP_JOIN_SOURCE, read_source},
      {IP_DROP_SOURCE_MEMBERSHIP, GROUP_LEAVE_SOURCE, read_source},
      {IP_BLOCK_SOURCE, GROUP_BLOCK, read_source},
      {IP_UNBLOCK_SOURCE, GROUP_UNBLOCK, read_source},
      {MCAST_JOIN_GROUP, GROUP_JOIN, read_any_group},
      {MCAST_LEAVE_GROUP, GROUP_LEAVE, read_any_group},
      {MCAST_JOIN_SOURCE_GROUP, GROUP_JOIN_SOURCE, read_any_source},
      {MCAST_LEAVE_SOURCE_GROUP, GROUP_LEAVE_SOURCE, read_any_source},
      {MCAST_BLOCK_SOURCE, GROUP_BLOCK, read_any_source},
      {MCAST_UNBLOCK_SOURCE, GROUP_UNBLOCK, read_any_source},
  };
  for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
    if (forms[i].name != name) continue;
    wish->action = forms[i].action;
    return forms[i].read(value, length, wish);
  }
  return ENOPROTOOPT; /* options that set whole filters */
}

/* Turns the socket into the card's, with the address that it was bound to. 0, errno, or -1: it
 * stays the kernel's. */
static int bring_to_card(int fd, struct entry* entry, uint32_t interface, uint32_t group) {
  struct control_request request = new_request(CONTROL_BIND);
  struct sockaddr_in local = {0};
  socklen_t length = sizeof(local);
  REAL(getsockname)(fd, (struct sockaddr*)&local, &length);
  uint32_t ip = local.sin_addr.s_addr;
  if (ip != INADDR_ANY && !IN_MULTICAST(ntohl(ip))) return -1;
  request.local_ip = ip;
  request.local_port = local.sin_port;
  request.via_ip = interface;
  request.peer_ip = group;
  request.unbound = local.sin_port == 0;
  bool was_in_groups = entry->groups_of_kernel;
  int error = bind_to_card(fd, entry, &request);
  if (error == 0 && was_in_groups) {
    note("a socket is the card's or the kernel's: it does not hear the kernel's groups any more");
  }
  return error;
}

static int change(const struct entry* entry, const struct wish* wish) {
  struct control_request request = new_request(CONTROL_GROUP);
  struct control_reply reply = {0};
  if (wish->index != 0) {
    note("a port of the card has no interface index: give its address");
    return fail(ENODEV);
  }
  request.id = entry->id;
  request.group_action = (uint8_t)wish->action;
  request.peer_ip = wish->group;
  request.source_ip = wish->source;
  request.local_ip = wish->interface;
  request.silent_join = wish->silent;
  if (daemon_ask(&request, &reply, NULL) != 0) return fail(ENETDOWN);
  if (reply.error == 0) return 0;
  if (reply.text[0] != '\0') note("%s", reply.text);
  return fail(reply.error);
}

static int set_interface(int fd, struct entry* entry, const void* value, socklen_t length) {
  struct control_request request = new_request(CONTROL_OPTIONS);
  struct control_reply reply;
  struct wish wish = {0};
  if (length < sizeof(struct in_addr)) return fail(EINVAL);
  if (length < sizeof(struct ip_mreq)) {
    memcpy(&wish.interface, value, sizeof(struct in_addr));
  } else {
    read_interface(value, length, &wish);
  }
  if (entry->kind == KIND_NONE) {
    if (REAL(setsockopt)(fd, IPPROTO_IP, IP_MULTICAST_IF, value, length) == 0) {
      entry->sends_by_index = wish.index != 0;
      return 0;
    }
    if (errno != EADDRNOTAVAIL || wish.index != 0 || entry->plain) return -1;
    int error = bring_to_card(fd, entry, wish.interface, 0);
    if (error != 0) return fail(error < 0 ? EADDRNOTAVAIL : error);
  }
  if (wish.index != 0) {
    note("a port of the card has no interface index: give its address");
    return fail(EADDRNOTAVAIL);
  }
  if (daemon_query(entry->id, &reply) != 0) return fail(ENETDOWN);
  request.id = entry->id;
  request.options = reply.options;
  request.options.mcast_if = wish.interface;
  if (daemon_ask(&request, &reply, NULL) != 0) return fail(ENETDOWN);
  return reply.error == 0 ? 0 : fail(reply.error);
}

int multicast_set(int fd, struct entry* entry, int name, const void* value, socklen_t length) {
  struct wish wish = {0};
  bool ours = entry->kind != KIND_NONE;
  if (!entry->datagram)
    return ours ? fail(name == IP_MULTICAST_IF ? EINVAL : EPROTO) : MULTICAST_OF_KERNEL;
  if (name == IP_MULTICAST_IF) return set_interface(fd, entry, value, length);
  int error = read_wish(name, value, length, &wish);
  if (!ours) {
    bool joins = wish.action == GROUP_JOIN || wish.action == GROUP_JOIN_SOURCE;
    bool of_card = error == 0 && joins && wish.interface != INADDR_ANY && wish.index == 0;
    if (!of_card || entry->plain || !IN_MULTICAST(ntohl(wish.group))) return MULTICAST_OF_KERNEL;
    error = bring_to_card(fd, entry, wish.interface, 0);
    if (error < 0) return MULTICAST_OF_KERNEL;
  }
  return error != 0 ? fail(error) : change(entry, &wish);
}

int multicast_get(const struct entry* entry, int name, void* value, socklen_t* length) {
  struct control_reply reply;
  if (name != IP_MULTICAST_IF) return fail(ENOPROTOOPT);
  if (daemon_query(entry->id, &reply) != 0) return fail(ENETDOWN);
  if (*length > sizeof(struct in_addr)) *length = sizeof(struct in_addr);
  memcpy(value, &reply.options.mcast_if, *length);
  return 0;
}

int multicast_listen(int fd, struct entry* entry, const void* value, socklen_t length) {
  struct wish wish = {.action = GROUP_JOIN, .silent = true};
  int error = read_interface(value, length, &wish);
  if (error != 0) return fail(error);
  if (!IN_MULTICAST(ntohl(wish.group))) return fail(EINVAL);
  if (wish.index != 0) {
    note("SO_EXA_MCAST_LISTEN: a port of the card has no interface index: give imr_address");
    return fail(EINVAL);
  }
  if (entry->kind == KIND_NONE) {
    error = bring_to_card(fd, entry, wish.interface, wish.interface == 0 ? wish.group : 0);
    if (error != 0) return fail(error < 0 ? EINVAL : error);
  }
  return change(entry, &wish);
}
