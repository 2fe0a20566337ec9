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
#include "preload/memory.h"
#include "preload/real.h"
#include "preload/table.h"

static struct sockaddr_in name_of(uint32_t ip, uint16_t port) {
  return (struct sockaddr_in){.sin_family = AF_INET, .sin_port = port, .sin_addr.s_addr = ip};
}

static size_t at_most(size_t room) {
  return room < sizeof(struct sockaddr_in) ? room : sizeof(struct sockaddr_in);
}

void give_address(struct sockaddr* address, socklen_t* length, uint32_t ip, uint16_t port) {
  const struct sockaddr_in in = name_of(ip, port);
  memcpy(address, &in, at_most(*length));
  *length = sizeof(in);
}

/* The same for a call that does nothing else: 0, or -1 for a bad pointer or length. */
static int give_name(struct sockaddr* address, socklen_t* length, uint32_t ip, uint16_t port) {
  const struct sockaddr_in in = name_of(ip, port);
  const socklen_t size = sizeof(in);
  int room, error = memory_read(&room, length, sizeof(room));
  if (error == 0 && room < 0) error = EINVAL;
  if (error == 0) error = memory_write(address, &in, at_most((size_t)room));
  if (error == 0) error = memory_write(length, &size, sizeof(size));
  if (error == 0) return 0;
  errno = error;
  return -1;
}

EXPORTED int getsockname(int fd, __SOCKADDR_ARG address, socklen_t* __restrict length) {
  const struct entry* entry = table_ours(fd);
  if (entry == NULL) return REAL(getsockname)(fd, address, length);
  struct control_reply reply;
  int error = daemon_query(entry->id, &reply);
  if (error == 0) {
    return give_name(address.__sockaddr__, length, reply.local_ip, reply.local_port);
  }
  errno = ENOBUFS;
  return -1;
}

EXPORTED int getpeername(int fd, __SOCKADDR_ARG address, socklen_t* __restrict length) {
  const struct entry* entry = table_ours(fd);
  if (entry == NULL) return REAL(getpeername)(fd, address, length);
  struct control_reply reply;
  int error = daemon_query(entry->id, &reply);
  if (error == 0 && reply.state == CONTROL_CONNECTED &&
      reply.peer_port != 0) { /* datagrams can have a peer without one */
    return give_name(address.__sockaddr__, length, reply.peer_ip, reply.peer_port);
  }
  errno = error == EMFILE || error == ENFILE ? ENOBUFS : ENOTCONN;
  return -1;
}
