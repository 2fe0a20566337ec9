/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Connection to a virtual card's socket: requests and replies, one at a time.
 */
#ifndef ULLNIC_LIB_VFIO_USER_LINK_H
#define ULLNIC_LIB_VFIO_USER_LINK_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "vfio_user_protocol.h"

enum { VFIO_USER_MAX_FDS = 16 };

struct vfio_user_link {
  const char* name;  // as the user gave it
  int socket;
  uint16_t next_id;
  atomic_bool gone;
  bool busy;             // a request is in progress
  pthread_mutex_t lock;  // of `busy`
  pthread_cond_t free;
};

struct vfio_user_request {
  uint16_t command;
  bool posted;  // no reply is expected
  const void* body;
  size_t bytes;
  const int* fds;  // at most VFIO_USER_MAX_FDS
  unsigned fd_count;
  void* reply;  // exactly `room` bytes are expected; more are discarded
  size_t room;
};

/** Connects and agrees on a version. To be closed whatever the result. */
int ul_link_open(struct vfio_user_link* link, const char* name, const char* path);
void ul_link_close(struct vfio_user_link* link);
/** Sends a request and, unless it is posted, waits for its reply. 0 or -errno with a sentence. */
int ul_link_request(struct vfio_user_link* link, const struct vfio_user_request* request);
/** Whether the device is still connected. Never waits. */
bool ul_link_alive(struct vfio_user_link* link);
/** Returns -ENODEV and makes every later request do so. */
int ul_link_fail_gone(struct vfio_user_link* link);

#endif /* ULLNIC_LIB_VFIO_USER_LINK_H */
