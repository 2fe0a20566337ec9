/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * listen(), accept(), accept4().
 */
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>

#include "preload/connecting.h"
#include "preload/daemon.h"
#include "preload/names.h"
#include "preload/notes.h"
#include "preload/real.h"
#include "preload/table.h"

static bool on_loopback(int fd) {
  struct sockaddr_in local = {0};
  socklen_t length = sizeof(local);
  REAL(getsockname)(fd, (struct sockaddr*)&local, &length);
  return (ntohl(local.sin_addr.s_addr) >> 24) == IN_LOOPBACKNET;
}

EXPORTED int listen(int fd, int backlog) {
  struct entry* entry = table_candidate(fd);
  if (entry != NULL && entry->has_ate && entry->ate_id >= 0) {
    note("listen: the transmit engine is for connections that connect() makes");
    errno = EOPNOTSUPP;
    return -1;
  }
  struct sockaddr_in6 local = {0};
  socklen_t length = sizeof(local);
  if (entry == NULL && REAL(getsockname)(fd, (struct sockaddr*)&local, &length) == 0 &&
      other_socket(fd, (struct sockaddr*)&local, length) != 0) {
    errno = EADDRNOTAVAIL;
    return -1;
  }
  if (entry == NULL || entry->kind == KIND_NONE) {
    if (entry != NULL && !entry->plain && !disabled_by_default() && !on_loopback(fd)) {
      note("a listening socket is not accelerated: it is not bound to an address of the card");
      if (acceleration_required()) {
        errno = EADDRNOTAVAIL;
        return -1;
      }
    }
    return REAL(listen)(fd, backlog);
  }
  if (entry->datagram) {
    errno = EOPNOTSUPP;
    return -1;
  }
  struct control_request request = new_request(CONTROL_LISTEN);
  struct control_reply reply;
  request.id = entry->id;
  request.backlog = backlog;
  int error = daemon_ask(&request, &reply, NULL) != 0 ? ENETDOWN : reply.error;
  if (error == 0) entry->kind = KIND_LISTENER;
  errno = error;
  return error == 0 ? 0 : -1;
}

/* End of stream while ullnicd is running: shutdown() was called, here or by another holder. */
static bool was_shut(int fd) {
  const struct entry* entry = table_ours(fd);
  struct control_reply reply;
  return entry != NULL && daemon_query(entry->id, &reply) == 0;
}

/* Also without a peer: a waiting receiver is woken. To ullnicd, an end that is shut in both
 * directions would look closed. */
static void shut_datagrams(int fd, uint64_t id, int how) {
  if (how != SHUT_WR) REAL(shutdown)(fd, SHUT_RD);
  if (how != SHUT_RD) table_shut(id);
}

/* To ullnicd, an end that is shut in both directions looks closed, which can cause a reset. */
static void announce_shutdown(uint64_t id, int how) {
  struct control_request request = new_request(CONTROL_SHUTDOWN);
  struct control_reply reply;
  request.id = id;
  request.value = (uint32_t)how;
  daemon_ask(&request, &reply, NULL); /* if ullnicd is gone, the connection is reset anyway */
}

/* As on Linux: a listening socket stops listening, and one that is not connected is unaffected. */
EXPORTED int shutdown(int fd, int how) {
  struct entry* entry = table_ours(fd);
  struct control_reply reply;
  bool known = how == SHUT_RD || how == SHUT_WR || how == SHUT_RDWR;
  if (entry == NULL || !known || daemon_query(entry->id, &reply) != 0) {
    return REAL(shutdown)(fd, how);
  }
  if (is_listener(entry)) return how == SHUT_WR ? 0 : REAL(shutdown)(fd, SHUT_RDWR);
  bool connected = reply.state != CONTROL_BOUND && reply.state != CONTROL_CLOSED;
  if (entry->datagram) {
    shut_datagrams(fd, entry->id, how);
  } else if (connected) {
    entry->pending = false; /* connect() reports nothing more */
    if (how != SHUT_RD) announce_shutdown(entry->id, how);
    return REAL(shutdown)(fd, how);
  }
  if (connected) return 0;
  errno = ENOTCONN;
  return -1;
}

static int accept_from_card(int fd, struct sockaddr* address, socklen_t* length, int flags) {
  struct accepted accepted;
  int fresh;
  ssize_t got = receive_with_descriptor(REAL(recvmsg), fd, &accepted, sizeof(accepted),
                                        flags & SOCK_CLOEXEC ? MSG_CMSG_CLOEXEC : 0, &fresh);
  if (got < 0 && errno != ECONNRESET) return -1;
  if (got <= 0 && was_shut(fd)) {
    errno = EINVAL;
    return -1;
  }
  if (fresh < 0) {
    if (got <= 0) note("ullnicd is gone: this program's accelerated sockets are lost with it");
    errno = got <= 0 ? ENETDOWN : EMFILE; /* the kernel drops a descriptor beyond the limit */
    return -1;
  }
  REAL(fcntl)(fresh, F_SETFL, flags & SOCK_NONBLOCK ? O_NONBLOCK : 0);
  table_clear(fresh);
  table_set(fresh, KIND_STREAM, accepted.id, false, accepted.linger_s);
  table_connected(fresh);
  if (address != NULL && length != NULL) {
    give_address(address, length, accepted.peer_ip, accepted.peer_port);
  }
  return fresh;
}

EXPORTED int accept4(int fd, __SOCKADDR_ARG address, socklen_t* __restrict length, int flags) {
  const struct entry* entry = table_ours(fd);
  if (entry == NULL) return REAL(accept4)(fd, address, length, flags);
  if ((flags & ~(SOCK_CLOEXEC | SOCK_NONBLOCK)) == 0 && is_listener(entry)) {
    return accept_from_card(fd, address.__sockaddr__, length, flags);
  }
  errno = entry->datagram ? EOPNOTSUPP : EINVAL;
  return -1;
}

EXPORTED int accept(int fd, __SOCKADDR_ARG address, socklen_t* __restrict length) {
  if (table_ours(fd) == NULL) return REAL(accept)(fd, address, length);
  return accept4(fd, address, length, 0);
}
