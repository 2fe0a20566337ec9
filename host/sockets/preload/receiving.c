/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * read(), readv(), recv(), recvfrom(), recvmsg() and their fortified variants.
 *
 * The kernel returns the bytes; this file sets the right errno at the end of a connection and
 * strips the address from datagrams.
 */
#include "preload/receiving.h"

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include "preload/ancillary.h"
#include "preload/connecting.h"
#include "preload/daemon.h"
#include "preload/names.h"
#include "preload/real.h"
#include "preload/receive_all.h"
#include "preload/stamps.h"
#include "preload/table.h"

enum { PIECES = 64 };

_Noreturn void __chk_fail(void);

enum {
  HONOURED = MSG_DONTWAIT | MSG_PEEK | MSG_WAITALL | MSG_TRUNC | MSG_CMSG_CLOEXEC,
  /* Linux ignores these flags on receive. */
  NO_EFFECT = MSG_NOSIGNAL | MSG_WAITFORONE | MSG_DONTROUTE | MSG_CONFIRM | MSG_MORE | MSG_EOR |
      MSG_ZEROCOPY | MSG_CTRUNC,
};

/* 0 or errno. Clears flags without effect: to the kernel this is a unix socket. */
static int check_receive(const struct entry* entry, int* flags) {
  if (*flags & MSG_ERRQUEUE) return EAGAIN; /* the queue is empty */
  if (*flags & MSG_OOB) return entry->datagram ? EOPNOTSUPP : EINVAL;
  if ((*flags & ~(HONOURED | NO_EFFECT)) != 0) return EOPNOTSUPP;
  *flags &= HONOURED;
  return 0;
}

/* If the peer or the program has already ended this direction, a reset is not reported. */
static ssize_t refine(const struct entry* entry, ssize_t got) {
  if (got >= 0 || errno != ECONNRESET) return got;
  int verdict = verdict_of(entry);
  if (verdict == 0 || verdict == EPIPE) return 0;
  errno = verdict;
  return -1;
}

/* End of stream on a datagram socket: shutdown(), or ullnicd is gone. */
static ssize_t ended(int fd, const struct entry* entry, int flags) {
  struct control_reply reply;
  int error = 0;
  if (daemon_query(entry->id, &reply) != 0) {
    error = ENETDOWN;
  } else if ((flags & MSG_DONTWAIT) || (REAL(fcntl)(fd, F_GETFL) & O_NONBLOCK)) {
    error = EAGAIN;
  }
  if (error == 0) return 0;
  errno = error;
  return -1;
}

static ssize_t receive_addressed(int fd, const struct entry* entry, struct msghdr* message,
                                 int flags, struct sockaddr* from, socklen_t* length) {
  struct datagram_address address = {0};
  struct iovec whole[PIECES + 1];
  if (message->msg_iovlen > PIECES) {
    errno = EMSGSIZE;
    return -1;
  }
  whole[0] = (struct iovec){.iov_base = &address, .iov_len = sizeof(address)};
  for (size_t i = 0; i < message->msg_iovlen; i++) whole[i + 1] = message->msg_iov[i];
  struct msghdr inner = {.msg_iov = whole, .msg_iovlen = message->msg_iovlen + 1};
  pthread_rwlock_t* lock = receiving_lock(entry);
  bool locked = pthread_rwlock_rdlock(lock) == 0;
  ssize_t got = REAL(recvmsg)(fd, &inner, flags);
  if (locked) pthread_rwlock_unlock(lock);
  message->msg_flags = inner.msg_flags & ~MSG_EOR;
  if (got < (ssize_t)sizeof(address)) {
    return got < 0 ? -1 : ended(fd, entry, flags);
  }
  if (address.error != 0) {
    take_datagram_error(fd, entry); /* the pending error: all of it, or further ones */
    errno = address.error;
    return -1;
  }
  if (message->msg_control != NULL) ancillary_refresh(entry, &address);
  ancillary_give(&address, message, stamps_give(&address, message));
  if (from != NULL && length != NULL) give_address(from, length, address.ip, address.port);
  return got - (ssize_t)sizeof(address);
}

static ssize_t receive_ours(int fd, const struct entry* entry, struct msghdr* message, int flags,
                            struct sockaddr* from, socklen_t* length) {
  int error = was_never_connected(entry) ? ENOTCONN : check_receive(entry, &flags);
  if (error != 0) {
    errno = error;
    return -1;
  }
  if (entry->datagram) return receive_addressed(fd, entry, message, flags, from, length);
  message->msg_name = NULL;
  message->msg_namelen = 0;
  ssize_t got = (flags & (MSG_WAITALL | MSG_TRUNC)) ? receive_all(fd, message, flags)
                                                    : REAL(recvmsg)(fd, message, flags);
  if (got < 0 && (got = refine(entry, got)) == 0) {
    message->msg_flags = 0;
    message->msg_controllen = 0;
  }
  message->msg_flags &= ~MSG_EOR;
  if (length != NULL) *length = 0; /* as the kernel's TCP: no address */
  return got;
}

bool next_is_error(int fd, const struct entry* entry, int flags) {
  if (!entry->datagram) return only_error_is_left(fd, flags);
  struct datagram_address address = {0};
  ssize_t got = REAL(recv)(fd, &address, sizeof(address), (flags & MSG_DONTWAIT) | MSG_PEEK);
  return got == (ssize_t)sizeof(address) && address.error != 0;
}

static ssize_t receive_piece(int fd, const struct entry* entry, void* data, size_t size,
                             int flags) {
  if (!entry->datagram && (flags & ~MSG_DONTWAIT) == 0 &&
      !was_never_connected(entry)) { /* the fast path */
    return refine(entry, REAL(recv)(fd, data, size, flags));
  }
  struct iovec piece = {.iov_base = data, .iov_len = size};
  struct msghdr message = {.msg_iov = &piece, .msg_iovlen = 1};
  return receive_ours(fd, entry, &message, flags, NULL, NULL);
}

EXPORTED ssize_t read(int fd, void* data, size_t size) {
  const struct entry* entry = table_ours(fd);
  return entry == NULL ? REAL(read)(fd, data, size) : receive_piece(fd, entry, data, size, 0);
}

EXPORTED ssize_t recv(int fd, void* data, size_t size, int flags) {
  const struct entry* entry = table_ours(fd);
  return entry == NULL ? REAL(recv)(fd, data, size, flags)
                       : receive_piece(fd, entry, data, size, flags);
}

EXPORTED ssize_t readv(int fd, const struct iovec* pieces, int count) {
  const struct entry* entry = count >= 0 ? table_ours(fd) : NULL;
  if (entry == NULL) return REAL(readv)(fd, pieces, count);
  struct msghdr message = {.msg_iov = (struct iovec*)pieces, .msg_iovlen = (size_t)count};
  return receive_ours(fd, entry, &message, 0, NULL, NULL);
}

EXPORTED ssize_t recvfrom(int fd, void* __restrict data, size_t size, int flags,
                          __SOCKADDR_ARG address, socklen_t* __restrict length) {
  const struct entry* entry = table_ours(fd);
  if (entry == NULL) return REAL(recvfrom)(fd, data, size, flags, address, length);
  struct iovec piece = {.iov_base = data, .iov_len = size};
  struct msghdr message = {.msg_iov = &piece, .msg_iovlen = 1};
  return receive_ours(fd, entry, &message, flags, address.__sockaddr__, length);
}

EXPORTED ssize_t recvmsg(int fd, struct msghdr* message, int flags) {
  const struct entry* entry = table_ours(fd);
  if (entry == NULL) {
    ssize_t got = REAL(recvmsg)(fd, message, flags);
    if (got >= 0 && message->msg_controllen > 0) table_adopt_passed(message);
    return got;
  }
  struct sockaddr* from = message->msg_name;
  socklen_t length = message->msg_namelen;
  ssize_t got = receive_ours(fd, entry, message, flags, from, &length);
  message->msg_name = from;
  message->msg_namelen = length;
  return got;
}

EXPORTED ssize_t __read_chk(int fd, void* data, size_t size, size_t room) {
  if (size > room) __chk_fail();
  return read(fd, data, size);
}

EXPORTED ssize_t __recv_chk(int fd, void* data, size_t size, size_t room, int flags) {
  if (size > room) __chk_fail();
  return recv(fd, data, size, flags);
}

EXPORTED ssize_t __recvfrom_chk(int fd, void* __restrict data, size_t size, size_t room, int flags,
                                __SOCKADDR_ARG address, socklen_t* __restrict length) {
  if (size > room) __chk_fail();
  return recvfrom(fd, data, size, flags, address, length);
}
