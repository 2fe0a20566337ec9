/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * sendmmsg(), recvmmsg(): on an accelerated socket, one message after the other.
 */
#include <errno.h>
#include <sys/socket.h>
#include <time.h>

#include "common/deadline.h"
#include "preload/connecting.h"
#include "preload/real.h"
#include "preload/receiving.h"
#include "preload/table.h"

enum { LONGEST_S = 1000000000 }; /* a limit beyond it counts as this one */

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

/* When a wait that begins now is over. False if there is no such limit. */
static bool end_of(const struct timespec* timeout, deadline_t* end) {
  if (timeout->tv_sec < 0 || timeout->tv_nsec < 0 || timeout->tv_nsec >= DEADLINE_NS_PER_S) {
    return false;
  }
  int64_t seconds = timeout->tv_sec < LONGEST_S ? timeout->tv_sec : LONGEST_S;
  *end = deadline_in(INT64_C(1000) * seconds) + timeout->tv_nsec;
  return true;
}

EXPORTED int recvmmsg(int fd, struct mmsghdr* messages, unsigned count, int flags,
                      struct timespec* timeout) {
  const struct entry* entry = table_ours(fd);
  if (entry == NULL) {
    int got = REAL(recvmmsg)(fd, messages, count, flags, timeout);
    for (int i = 0; i < got; i++) table_adopt_passed(&messages[i].msg_hdr);
    return got;
  }
  deadline_t end = 0;
  if (timeout != NULL && !end_of(timeout, &end)) {
    errno = EINVAL;
    return -1;
  }
  int error = 0;
  if (!entry->datagram && take_error(fd, entry, &error) == 0 && error != 0) {
    errno = error; /* before the data that precedes it, as the kernel's */
    return -1;
  }
  for (unsigned i = 0; i < count; i++) {
    int one = flags & ~MSG_WAITFORONE;
    if (i > 0 && (flags & MSG_WAITFORONE)) one |= MSG_DONTWAIT;
    if (i > 0 && next_is_error(fd, entry, one)) return (int)i; /* for the next call */
    ssize_t got = recvmsg(fd, &messages[i].msg_hdr, one);
    if (got < 0) return i > 0 ? (int)i : -1;
    messages[i].msg_len = (unsigned)got;
    if (timeout == NULL) continue; /* it is looked at after each message, as in the kernel */
    int64_t left = deadline_left_ns(end);
    *timeout = deadline_time(left);
    if (left == 0) return (int)i + 1;
  }
  return (int)count;
}
