/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 */
#include "preload/ancillary.h"

#include <netinet/in.h>
#include <string.h>

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
