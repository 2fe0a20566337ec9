/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * getsockname(), getpeername().
 */
#include "preload/names.h"

#include <errno.h>
#include <netinet/in.h>
#include <string.h>

#include "preload/daemon.h"
#include "preload/real.h"
#include "preload/table.h"

void give_address(struct sockaddr* address, socklen_t* length, uint32_t ip, uint16_t port) {
  struct sockaddr_in in = {.sin_family = AF_INET, .sin_port = port, .sin_addr.s_addr = ip};
  memcpy(address, &in, *length < sizeof(in) ? *length : sizeof(in));
  *length = sizeof(in);
}

EXPORTED int getsockname(int fd, __SOCKADDR_ARG address, socklen_t* __restrict length) {
  const struct entry* entry = table_ours(fd);
  if (entry == NULL) return REAL(getsockname)(fd, address, length);
  struct control_reply reply;
  int error = daemon_query(entry->id, &reply);
  if (error == 0) {
    give_address(address.__sockaddr__, length, reply.local_ip, reply.local_port);
    return 0;
  }
  errno = ENOBUFS;
  return -1;
}

EXPORTED int getpeername(int fd, __SOCKADDR_ARG address, socklen_t* __restrict length) {
  const struct entry* entry = table_ours(fd);
  if (entry == NULL) return REAL(getpeername)(fd, address, length);
  struct control_reply reply;
  if (daemon_query(entry->id, &reply) == 0 && reply.state == CONTROL_CONNECTED &&
      reply.peer_port != 0) { /* datagrams can have a peer without one */
    give_address(address.__sockaddr__, length, reply.peer_ip, reply.peer_port);
    return 0;
  }
  errno = ENOTCONN;
  return -1;
}
