/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 */
#include "preload/receive_all.h"

#include <fcntl.h>
#include <poll.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <time.h>

#include "preload/real.h"

enum { PEEK_INTERVAL_MS = 1, DISCARDED_AT_ONCE = 16384 };

/* How long a call may wait once it has bytes: SO_RCVTIMEO is for the whole call. */
struct patience {
  bool none;
  bool unlimited;
  int64_t end_ms;
};

static int64_t now_ms(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static struct patience patience_of(int fd, int flags) {
  struct timeval limit = {0};
  socklen_t length = sizeof(limit);
  REAL(getsockopt)(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, &length);
  int64_t limit_ms = (int64_t)limit.tv_sec * 1000 + limit.tv_usec / 1000;
  return (struct patience){
      .none = (flags & MSG_DONTWAIT) || (REAL(fcntl)(fd, F_GETFL) & O_NONBLOCK),
      .unlimited = limit.tv_sec == 0 && limit.tv_usec == 0,
      .end_ms = now_ms() + limit_ms,
  };
}

static size_t bytes_waiting(int fd) {
  int bytes = 0;
  return REAL(ioctl)(fd, FIONREAD, &bytes) == 0 && bytes > 0 ? (size_t)bytes : 0;
}

/* False at the end of the patience, or by a signal. */
static bool wait_for(int fd, short events, const struct patience* patience, int most_ms) {
  int64_t left = patience->unlimited ? most_ms : patience->end_ms - now_ms();
  if (!patience->unlimited && left <= 0) return false;
  if (most_ms >= 0 && left > most_ms) left = most_ms;
  struct pollfd watched = {.fd = fd, .events = events};
  return REAL(poll)(&watched, 1, left > INT32_MAX ? INT32_MAX : (int)left) >= 0;
}

/* Whether more bytes can be received. Neither an error nor the end of the stream is consumed. */
static bool more_bytes(int fd, const struct patience* patience) {
  if (bytes_waiting(fd) > 0) return true;
  return !patience->none && wait_for(fd, POLLIN, patience, -1) && bytes_waiting(fd) > 0;
}

/* While bytes are there, poll() does not wait for more of them, so this looks from time to time. */
static void await_bytes(int fd, size_t size, const struct patience* patience) {
  struct pollfd watched = {.fd = fd, .events = POLLRDHUP};
  while (!patience->none && bytes_waiting(fd) < size && REAL(poll)(&watched, 1, 0) == 0 &&
         wait_for(fd, POLLRDHUP, patience, PEEK_INTERVAL_MS)) {
  }
}

static ssize_t peek_all(int fd, struct msghdr* message, size_t size, int flags) {
  char byte;
  if (!(flags & MSG_TRUNC)) return REAL(recvmsg)(fd, message, flags & ~MSG_WAITALL);
  ssize_t got = REAL(recv)(fd, &byte, size > 0, flags & ~(MSG_WAITALL | MSG_TRUNC));
  size_t waiting = bytes_waiting(fd);
  return got <= 0 ? got : waiting < size ? (ssize_t)waiting : (ssize_t)size;
}

static ssize_t receive_some(int fd, void* data, size_t size, int flags) {
  char waste[DISCARDED_AT_ONCE];
  if (!(flags & MSG_TRUNC)) return REAL(recv)(fd, data, size, flags);
  return REAL(recv)(fd, waste, size < sizeof(waste) ? size : sizeof(waste), flags & ~MSG_TRUNC);
}

ssize_t receive_all(int fd, struct msghdr* message, int flags) {
  size_t size = 0;
  for (size_t i = 0; i < message->msg_iovlen; i++) size += message->msg_iov[i].iov_len;
  struct patience patience = patience_of(fd, flags);
  if (!(flags & MSG_WAITALL)) patience.none = true;
  message->msg_flags = 0;
  message->msg_controllen = 0;
  if ((flags & MSG_PEEK) || size == 0) {
    await_bytes(fd, size, &patience);
    return peek_all(fd, message, size, flags);
  }
  flags &= ~MSG_WAITALL;
  ssize_t total = 0;
  for (size_t i = 0; i < message->msg_iovlen; i++) {
    uint8_t* data = message->msg_iov[i].iov_base;
    size_t left = message->msg_iov[i].iov_len;
    while (left > 0) {
      if (total > 0 && !more_bytes(fd, &patience)) return total;
      ssize_t got = receive_some(fd, data, left, total > 0 ? flags | MSG_DONTWAIT : flags);
      if (got <= 0) return total > 0 ? total : got;
      data += got;
      left -= (size_t)got;
      total += got;
    }
  }
  return total;
}

bool only_error_is_left(int fd, int flags) {
  struct patience patience = patience_of(fd, flags);
  if (more_bytes(fd, &patience)) return false;
  struct pollfd watched = {.fd = fd, .events = POLLIN};
  return REAL(poll)(&watched, 1, 0) > 0 && (watched.revents & POLLERR) && bytes_waiting(fd) == 0;
}
