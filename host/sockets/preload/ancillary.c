/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 */
#include "preload/ancillary.h"

#include <netinet/in.h>
#include <string.h>

#include "common/clock.h"
#include "preload/daemon.h"

/* How long options set by another process may go unnoticed: a query to ullnicd costs more than
 * reading a datagram. */
#define FRESH_NS UINT64_C(1000000)

void ancillary_changed(uint64_t id, const struct control_options* options) {
  table_wants(id, options, clock_now_ns());
}

void ancillary_refresh(const struct entry* entry, struct datagram_address* address) {
  uint64_t now = clock_now_ns();
  if (address->system_ns > entry->known_ns && now - address->system_ns < FRESH_NS) return;
  struct control_reply reply;
  if (now - entry->known_ns >= FRESH_NS) {
    if (daemon_query(entry->id, &reply) != 0) return;
    table_wants(entry->id, &reply.options, now);
  }
  address->receive = entry->receive;
  address->stamping = entry->stamping;
}

void ancillary_put(struct msghdr* message, size_t* used, int level, int type, const void* data,
                   size_t length) {
  if (*used + CMSG_SPACE(length) > message->msg_controllen) {
    message->msg_flags |= MSG_CTRUNC;
    return;
  }
  struct cmsghdr* header = (struct cmsghdr*)((char*)message->msg_control + *used);
  memset(header, 0, CMSG_SPACE(length));
  header->cmsg_level = level;
  header->cmsg_type = type;
  header->cmsg_len = CMSG_LEN(length);
  memcpy(CMSG_DATA(header), data, length);
  *used += CMSG_SPACE(length);
}

void ancillary_give(const struct datagram_address* address, struct msghdr* message, size_t used) {
  if (message->msg_control == NULL) message->msg_controllen = 0;
  if (address->receive & RECEIVE_PKTINFO) { /* a port of the card has no interface index */
    const struct in_pktinfo info = {.ipi_spec_dst.s_addr = address->interface_ip,
                                    .ipi_addr.s_addr = address->local_ip};
    ancillary_put(message, &used, IPPROTO_IP, IP_PKTINFO, &info, sizeof(info));
  }
  if (address->receive & RECEIVE_TTL) {
    int ttl = address->ttl;
    ancillary_put(message, &used, IPPROTO_IP, IP_TTL, &ttl, sizeof(ttl));
  }
  if (address->receive & RECEIVE_TOS) {
    ancillary_put(message, &used, IPPROTO_IP, IP_TOS, &address->tos, sizeof(address->tos));
  }
  if (address->receive & RECEIVE_ORIGINAL) {
    const struct sockaddr_in to = {.sin_family = AF_INET,
                                   .sin_port = address->local_port,
                                   .sin_addr.s_addr = address->local_ip};
    ancillary_put(message, &used, IPPROTO_IP, IP_ORIGDSTADDR, &to, sizeof(to));
  }
  message->msg_controllen = used;
}
