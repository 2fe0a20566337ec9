/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * One deadline for a request and its reply, however many waits that takes. A limit per wait would
 * restart with each byte that arrives.
 */
#ifndef ULLNIC_SOCKETS_DEADLINE_H
#define ULLNIC_SOCKETS_DEADLINE_H

#include <errno.h>
#include <poll.h>
#include <stdint.h>
#include <sys/time.h>
#include <time.h>

/* CLOCK_MONOTONIC, in ns. */
typedef int64_t deadline_t;

enum { DEADLINE_NS_PER_MS = 1000000, DEADLINE_NS_PER_S = 1000000000, DEADLINE_POLL_MS = 60000 };

static inline deadline_t deadline_in(int64_t ms) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (now.tv_sec * INT64_C(1000) + ms) * DEADLINE_NS_PER_MS + now.tv_nsec;
}

/* 0 when it has passed. */
static inline int64_t deadline_left_ns(deadline_t deadline) {
  const int64_t left = deadline - deadline_in(0);
  return left > 0 ? left : 0;
}

static inline struct timespec deadline_time(deadline_t deadline) {
  return (struct timespec){.tv_sec = deadline / DEADLINE_NS_PER_S,
                           .tv_nsec = deadline % DEADLINE_NS_PER_S};
}

/* What is left, for SO_SNDTIMEO: never zero, which would be no limit. */
static inline struct timeval deadline_left(deadline_t deadline) {
  const int64_t us = deadline_left_ns(deadline) / 1000 + 1;
  return (struct timeval){.tv_sec = us / 1000000, .tv_usec = us % 1000000};
}

/* Waits until `fd` is ready for `events` or has failed, which the next call on it reports. Returns
 * 0, ETIMEDOUT, or errno of poll(). Signals do not extend the wait. */
static inline int deadline_poll(int (*poll_)(struct pollfd*, nfds_t, int), int fd, short events,
                                deadline_t deadline) {
  struct pollfd wait = {.fd = fd, .events = events};
  for (;;) {
    const int64_t left = deadline_left_ns(deadline);
    if (left == 0) return ETIMEDOUT;
    const int64_t ms = left / DEADLINE_NS_PER_MS + 1;
    const int ready = poll_(&wait, 1, ms < DEADLINE_POLL_MS ? (int)ms : DEADLINE_POLL_MS);
    if (ready > 0) return 0;
    if (ready < 0 && errno != EINTR) return errno;
  }
}

#endif /* ULLNIC_SOCKETS_DEADLINE_H */
