/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * sendmmsg(), recvmmsg(): on an accelerated socket, one message after the other.
 */
#include <errno.h>
#include <sys/socket.h>
#include <time.h>

#include "preload/connecting.h"
#include "preload/real.h"
#include "preload/receiving.h"
#include "preload/table.h"

EXPORTED int sendmmsg(int fd, struct mmsghdr* messages, unsigned count, int flags) {
  if (table_ours(fd) == NULL) {
    /* The first message decides whether the socket becomes the card's. */
    if (count == 0 || messages[0].msg_hdr.msg_name == NULL) {
      return REAL(sendmmsg)(fd, messages, count, flags);
    }
  }
  for (unsigned i = 0; i < count; i++) {
    ssize_t sent = sendmsg(fd, &messages[i].msg_hdr, flags);
    if (sent < 0) return i > 0 ? (int)i : -1;
    messages[i].msg_len = (unsigned)sent;
  }
  return (int)count;
}

static bool is_over(const struct timespec* end) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec > end->tv_sec || (now.tv_sec == end->tv_sec && now.tv_nsec >= end->tv_nsec);
}

EXPORTED int recvmmsg(int fd, struct mmsghdr* messages, unsigned count, int flags,
                      struct timespec* timeout) {
  const struct entry* entry = table_ours(fd);
  if (entry == NULL) {
    int got = REAL(recvmmsg)(fd, messages, count, flags, timeout);
    for (int i = 0; i < got; i++) table_adopt_passed(&messages[i].msg_hdr);
    return got;
  }
  int error = 0;
  if (!entry->datagram && take_error(fd, entry, &error) == 0 && error != 0) {
    errno = error; /* before the data that precedes it, as the kernel's */
    return -1;
  }
  struct timespec end = {0};
  if (timeout != NULL) { /* checked after each message, as the kernel does */
    clock_gettime(CLOCK_MONOTONIC, &end);
    end.tv_sec += timeout->tv_sec;
    end.tv_nsec += timeout->tv_nsec;
    if (end.tv_nsec >= 1000000000) {
      end.tv_sec++;
      end.tv_nsec -= 1000000000;
    }
  }
  for (unsigned i = 0; i < count; i++) {
    int one = flags & ~MSG_WAITFORONE;
    if (i > 0 && (flags & MSG_WAITFORONE)) one |= MSG_DONTWAIT;
    if (i > 0 && next_is_error(fd, entry, one)) return (int)i; /* for the next call */
    ssize_t got = recvmsg(fd, &messages[i].msg_hdr, one);
    if (got < 0) return i > 0 ? (int)i : -1;
    messages[i].msg_len = (unsigned)got;
    if (timeout != NULL && is_over(&end)) return (int)i + 1;
  }
  return (int)count;
}
