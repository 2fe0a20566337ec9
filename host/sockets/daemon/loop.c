/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 */
#include "daemon/loop.h"

#include <errno.h>
#include <stddef.h>
#include <sys/epoll.h>

/* Few: closing the resources that a program left takes time, and the card waits meanwhile. */
enum { BATCH = 16 };

static int poller = -1;
static struct epoll_event events[BATCH];
static int event_count;

int loop_open(void) {
  poller = epoll_create1(EPOLL_CLOEXEC);
  return poller < 0 ? -errno : 0;
}

int loop_add(struct watch* watch, uint32_t wanted) {
  struct epoll_event event = {.events = wanted, .data.ptr = watch};
  return epoll_ctl(poller, EPOLL_CTL_ADD, watch->fd, &event) < 0 ? -errno : 0;
}

void loop_remove(struct watch* watch) {
  epoll_ctl(poller, EPOLL_CTL_DEL, watch->fd, NULL);
  for (int i = 0; i < event_count; i++) {
    if (events[i].data.ptr == watch) events[i].data.ptr = NULL;
  }
}

int loop_wait(int timeout_ms) {
  event_count = epoll_wait(poller, events, BATCH, timeout_ms);
  /* A signal came first; events of programs are processed before the card's next frames. */
  if (event_count < 0 && errno == EINTR) event_count = epoll_wait(poller, events, BATCH, 0);
  if (event_count < 0) {
    int error = errno;
    event_count = 0;
    return error == EINTR ? 0 : -error;
  }
  for (int i = 0; i < event_count; i++) {
    struct watch* watch = events[i].data.ptr;
    if (watch != NULL) watch->ready(watch, events[i].events);
  }
  event_count = 0;
  return 0;
}
