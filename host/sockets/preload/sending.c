/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * write(), writev(), send(), sendto(), sendmsg().
 *
 * The kernel transfers the bytes. This file adds: a reset connection returns ECONNRESET before
 * EPIPE; each write on a connection of the transmit engine is marked, so that hardware's orders
 * fall between writes, not inside one (up to the peer's segment size); datagrams are prefixed with
 * their address.
 */
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/uio.h>
#include <unistd.h>

#include "common/descriptor.h"
#include "exasock/socket.h"
#include "preload/accelerating.h"
#include "preload/connecting.h"
#include "preload/daemon.h"
#include "preload/notes.h"
#include "preload/real.h"
#include "preload/table.h"

enum {
  HONOURED = MSG_DONTWAIT | MSG_NOSIGNAL | MSG_MORE | MSG_EXA_WARM,
  /* Linux ignores these flags on send: MSG_ZEROCOPY needs SO_ZEROCOPY. */
  NO_EFFECT = MSG_PEEK | MSG_WAITALL | MSG_TRUNC | MSG_CTRUNC | MSG_CONFIRM | MSG_ERRQUEUE |
      MSG_CMSG_CLOEXEC | MSG_WAITFORONE | MSG_ZEROCOPY,
};

enum { PIECE = 11 * 1460, PIECES = 64, CROWDED_MS = 1, HIGH_DESCRIPTOR = 700 };

/* A descriptor that marks messages: the kernel never merges a message that carries one with the
 * next. */
static int mark_descriptor(bool renew) {
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  static int mark = -1;
  pthread_mutex_lock(&lock);
  if (mark < 0 || renew) {
    int low = open("/dev/null", O_RDONLY | O_CLOEXEC);
    mark = REAL(fcntl)(low, F_DUPFD_CLOEXEC, HIGH_DESCRIPTOR);
    if (mark < 0) {
      mark = low;
    } else {
      REAL(close)(low);
    }
  }
  int result = mark;
  pthread_mutex_unlock(&lock);
  return result;
}

static ssize_t send_marked(int fd, const struct iovec* pieces, size_t count, int flags) {
  union descriptor_room room;
  struct msghdr message = {.msg_iov = (struct iovec*)pieces, .msg_iovlen = count};
  bool renewed = false;
  for (;;) {
    attach_descriptor(&message, &room, mark_descriptor(renewed));
    ssize_t sent = REAL(sendmsg)(fd, &message, flags | MSG_NOSIGNAL);
    if (sent >= 0) return sent;
    if (errno == EBADF && !renewed && REAL(fcntl)(fd, F_GETFD) >= 0) {
      renewed = true; /* the program closed a descriptor that it did not open */
    } else if (errno == ETOOMANYREFS) {
      /* Too many marks of this user are in flight: treated as a full socket. */
      if ((flags & MSG_DONTWAIT) || (REAL(fcntl)(fd, F_GETFL) & O_NONBLOCK)) {
        errno = EAGAIN;
        return -1;
      }
      REAL(poll)(NULL, 0, CROWDED_MS);
    } else {
      return -1;
    }
  }
}

/* Splits a gathered write into messages that the kernel keeps whole. */
static ssize_t send_ate(int fd, const struct iovec* pieces, size_t count, int flags) {
  size_t total = 0, index = 0, offset = 0;
  do {
    struct iovec part[PIECES];
    size_t parts = 0, length = 0;
    while (index < count && parts < PIECES && length < PIECE) {
      size_t left = pieces[index].iov_len - offset;
      size_t take = left < PIECE - length ? left : PIECE - length;
      part[parts].iov_base = (uint8_t*)pieces[index].iov_base + offset;
      part[parts++].iov_len = take;
      length += take;
      offset += take;
      if (offset == pieces[index].iov_len) {
        index++;
        offset = 0;
      }
    }
    if (length == 0) break;
    ssize_t sent = send_marked(fd, part, parts, flags);
    if (sent < 0) return total > 0 ? (ssize_t)total : -1;
    total += (size_t)sent;
    if ((size_t)sent < length) break;
  } while (index < count);
  return (ssize_t)total;
}

/* A connection that ended: the reason, once; then EPIPE and its signal, as with the kernel's
 * TCP. */
static ssize_t broken(int fd, const struct entry* entry, int flags) {
  int reason = errno == ECONNRESET ? ECONNRESET : 0; /* a blocked send has already consumed it */
  socklen_t length = sizeof(reason);
  if (reason == 0) REAL(getsockopt)(fd, SOL_SOCKET, SO_ERROR, &reason, &length);
  if (reason != 0) {
    int verdict = verdict_of(entry);
    if (verdict != 0) reason = verdict;
  }
  if (reason != 0 && reason != EPIPE) {
    errno = reason;
    return -1;
  }
  if (!(flags & MSG_NOSIGNAL)) raise(SIGPIPE);
  errno = EPIPE;
  return -1;
}

static size_t length_of(const struct iovec* pieces, size_t count) {
  size_t total = 0;
  for (size_t i = 0; i < count; i++) total += pieces[i].iov_len;
  return total;
}

/* Another process that holds it may also have connected it. */
static bool is_connected(int fd, const struct entry* entry) {
  struct control_reply reply;
  if (entry->connected) return true;
  if (daemon_query(entry->id, &reply) == 0 && reply.state != CONTROL_CONNECTED) return false;
  table_connected(fd);
  return true;
}

/* 0 or errno, in Linux's order. */
static int check_datagram(int fd, const struct entry* entry, size_t length,
                          const struct sockaddr_in* to) {
  if (length > UINT16_MAX) return EMSGSIZE;
  if (to == NULL && !is_connected(fd, entry)) return EDESTADDRREQ;
  if (length > CONTROL_LONGEST_DATAGRAM) return EMSGSIZE;
  if (entry->shut) return EPIPE;
  return entry->connected ? take_datagram_error(fd, entry) : 0;
}

static ssize_t send_addressed(int fd, const struct entry* entry, const struct iovec* pieces,
                              size_t count, int flags, const struct sockaddr_in* to) {
  struct datagram_address address = {0};
  struct iovec whole[PIECES + 1];
  int error = count > PIECES ? EMSGSIZE : check_datagram(fd, entry, length_of(pieces, count), to);
  if (error != 0) {
    errno = error;
    return -1;
  }
  if (to != NULL) {
    address.ip = to->sin_addr.s_addr;
    address.port = to->sin_port;
  }
  whole[0] = (struct iovec){.iov_base = &address, .iov_len = sizeof(address)};
  for (size_t i = 0; i < count; i++) whole[i + 1] = pieces[i];
  struct msghdr message = {.msg_iov = whole, .msg_iovlen = count + 1};
  ssize_t sent = REAL(sendmsg)(fd, &message, flags);
  return sent < 0 ? sent : sent - (ssize_t)sizeof(address);
}

/* SO_BROADCAST may have been set on another descriptor of this socket. */
static bool may_broadcast(const struct entry* entry) {
  struct control_reply reply;
  return daemon_query(entry->id, &reply) != 0 || reply.options.broadcast;
}

/* 0, or errno for a send that ullnicd does not support. */
static int check_send(const struct entry* entry, const struct msghdr* message, int flags,
                      const struct sockaddr_in* to, socklen_t length) {
  int known = HONOURED | NO_EFFECT | (entry->datagram ? MSG_EOR : MSG_DONTROUTE);
  bool no_more = entry->datagram || entry->kind == KIND_ATE;
  if ((flags & ~known) != 0 || (no_more && (flags & MSG_MORE) != 0)) {
    trace("a send with flags %#x is refused: %#x is not there", (unsigned)flags,
          (unsigned)(flags & ~(known & ~(no_more ? MSG_MORE : 0))));
    return EOPNOTSUPP;
  }
  if (message != NULL && message->msg_controllen > 0) {
    trace("a send with control messages is refused");
    return EINVAL;
  }
  if (entry->datagram && to != NULL) {
    if (length < sizeof(*to)) return EINVAL;
    if (to->sin_family != AF_INET && to->sin_family != AF_UNSPEC) return EAFNOSUPPORT;
    if (to->sin_port == 0) return EINVAL;
  }
  bool to_all = entry->datagram && to != NULL && to->sin_addr.s_addr == entry->broadcast_ip;
  return to_all && !may_broadcast(entry) ? EACCES : 0;
}

/* MSG_MORE: tells ullnicd to hold back less than a segment. */
static void tell_more(const struct entry* entry, size_t length) {
  struct control_request request = new_request(CONTROL_MORE);
  struct control_reply reply;
  request.id = entry->id;
  request.value = length < UINT32_MAX ? (uint32_t)length : UINT32_MAX;
  daemon_ask(&request, &reply, NULL);
}

static ssize_t send_ours(int fd, const struct entry* entry, const struct iovec* pieces,
                         size_t count, int flags, const struct sockaddr_in* to) {
  ssize_t sent;
  struct msghdr message = {.msg_iov = (struct iovec*)pieces, .msg_iovlen = count};
  if (flags & MSG_EXA_WARM) { /* the same path, without data */
    message.msg_iovlen = 0;
    if (!entry->datagram) {
      REAL(sendmsg)(fd, &message, (flags & ~MSG_EXA_WARM) | MSG_DONTWAIT | MSG_NOSIGNAL);
    }
    return (ssize_t)length_of(pieces, count);
  }
  if (flags & MSG_MORE) tell_more(entry, length_of(pieces, count));
  flags &= MSG_DONTWAIT | MSG_NOSIGNAL;
  if (entry->datagram) return send_addressed(fd, entry, pieces, count, flags, to);
  if (was_never_connected(entry)) {
    if (!(flags & MSG_NOSIGNAL)) raise(SIGPIPE);
    errno = EPIPE;
    return -1;
  }
  if (entry->kind == KIND_ATE) {
    sent = send_ate(fd, pieces, count, flags);
  } else {
    sent = REAL(sendmsg)(fd, &message, flags | MSG_NOSIGNAL);
  }
  if (sent < 0 && (errno == EPIPE || errno == ECONNRESET)) return broken(fd, entry, flags);
  return sent;
}

/* MSG_FASTOPEN connects through the kernel, where connect() would have used the card. */
static int check_fast_open(const struct sockaddr_in* to) {
  char text[ENDPOINT_TEXT];
  struct control_request request = new_request(CONTROL_CONNECT);
  request.peer_ip = to->sin_addr.s_addr;
  bool own = (ntohl(to->sin_addr.s_addr) >> 24) == IN_LOOPBACKNET;
  if (own || (!acceleration_required() && !is_cards(&request))) return 0;
  note("%s: MSG_FASTOPEN is refused, which ullnicd does not do: use connect()",
       endpoint_text(text, to->sin_addr.s_addr, to->sin_port));
  return EOPNOTSUPP;
}

/* The entry if this is to go through the card: a datagram to a peer reached through the card turns
 * its socket into one of the card. NULL and no error: left to the kernel. */
static struct entry* for_card(int fd, const struct sockaddr_in* to, socklen_t length, int flags,
                              int* failure) {
  struct entry* entry = table_ours(fd);
  *failure = 0;
  if (entry != NULL || to == NULL || length < sizeof(to->sin_family)) return entry;
  if (to->sin_family != AF_INET && !acceleration_required()) return NULL;
  entry = table_candidate(fd);
  if (entry == NULL) {
    *failure = other_socket(fd, (const struct sockaddr*)to, length);
    return NULL;
  }
  if (length < sizeof(*to) || to->sin_family != AF_INET) return NULL;
  uint32_t ip = to->sin_addr.s_addr;
  if (!entry->datagram && !entry->plain && (flags & MSG_FASTOPEN) != 0) {
    *failure = check_fast_open(to);
  }
  if (!entry->datagram || entry->plain || ip == entry->not_ours ||
      (ntohl(ip) >> 24) == IN_LOOPBACKNET) {
    return NULL;
  }
  struct sockaddr_in local = {0};
  socklen_t local_length = sizeof(local);
  int error = errno;
  REAL(getsockname)(fd, (struct sockaddr*)&local, &local_length);
  struct control_request request = new_request(CONTROL_BIND);
  request.local_port = local.sin_port;
  request.peer_ip = ip;
  bool elsewhere = IN_MULTICAST(ntohl(ip)) && entry->sends_by_index;
  int result = kernels_or(ENETUNREACH);
  if (local.sin_addr.s_addr == INADDR_ANY && !elsewhere) {
    result = bind_to_card(fd, entry, &request);
  }
  errno = error;
  if (result == 0) return entry;
  if (result > 0 && acceleration_required()) {
    *failure = result;
  } else {
    entry->not_ours = ip;
  }
  return NULL;
}

EXPORTED ssize_t write(int fd, const void* data, size_t size) {
  const struct entry* entry = table_ours(fd);
  if (entry == NULL) return REAL(write)(fd, data, size);
  struct iovec piece = {.iov_base = (void*)data, .iov_len = size};
  return send_ours(fd, entry, &piece, 1, 0, NULL);
}

EXPORTED ssize_t writev(int fd, const struct iovec* pieces, int count) {
  const struct entry* entry = count >= 0 ? table_ours(fd) : NULL;
  if (entry == NULL) return REAL(writev)(fd, pieces, count);
  return send_ours(fd, entry, pieces, (size_t)count, 0, NULL);
}

static int fail(int error) {
  errno = error;
  return -1;
}

static void note_cold(void) {
  note("MSG_EXA_WARM has no effect on a socket that is not accelerated: nothing is sent");
}

EXPORTED ssize_t sendto(int fd, const void* data, size_t size, int flags,
                        __CONST_SOCKADDR_ARG address, socklen_t length) {
  const struct sockaddr_in* to = address.__sockaddr_in__;
  int error;
  const struct entry* entry = for_card(fd, to, length, flags, &error);
  if (error == 0 && entry != NULL) error = check_send(entry, NULL, flags, to, length);
  if (error != 0) return fail(error);
  if (entry == NULL) {
    if (!(flags & MSG_EXA_WARM)) return REAL(sendto)(fd, data, size, flags, address, length);
    note_cold();
    return (ssize_t)size;
  }
  struct iovec piece = {.iov_base = (void*)data, .iov_len = size};
  return send_ours(fd, entry, &piece, 1, flags, to);
}

EXPORTED ssize_t send(int fd, const void* data, size_t size, int flags) {
  const struct entry* entry = table_ours(fd);
  if (entry == NULL && !(flags & MSG_EXA_WARM)) return REAL(send)(fd, data, size, flags);
  if (entry == NULL) {
    note_cold();
    return (ssize_t)size;
  }
  int error = check_send(entry, NULL, flags, NULL, 0);
  if (error != 0) return fail(error);
  struct iovec piece = {.iov_base = (void*)data, .iov_len = size};
  return send_ours(fd, entry, &piece, 1, flags, NULL);
}

EXPORTED ssize_t sendmsg(int fd, const struct msghdr* message, int flags) {
  if (message == NULL) return REAL(sendmsg)(fd, message, flags); /* EFAULT */
  int error;
  const struct entry* entry = for_card(fd, message->msg_name, message->msg_namelen, flags, &error);
  if (error == 0 && entry != NULL) {
    error = check_send(entry, message, flags, message->msg_name, message->msg_namelen);
  }
  if (error != 0) return fail(error);
  if (entry == NULL && !(flags & MSG_EXA_WARM)) return REAL(sendmsg)(fd, message, flags);
  if (entry == NULL) {
    note_cold();
    return (ssize_t)length_of(message->msg_iov, message->msg_iovlen);
  }
  return send_ours(fd, entry, message->msg_iov, message->msg_iovlen, flags, message->msg_name);
}
