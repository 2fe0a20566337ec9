/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The calls of onload/extensions.h without acceleration. libullnic-sockets.so replaces them in a
 * program that is started with it.
 */
#include <errno.h>

#include "onload/extensions.h"

enum onload_delegated_send_rc onload_delegated_send_prepare(int fd, int size, unsigned flags,
                                                            struct onload_delegated_send* out) {
  (void)fd;
  (void)size;
  (void)flags;
  (void)out;
  return ONLOAD_DELEGATED_SEND_RC_BAD_SOCKET;
}

int onload_delegated_send_complete(int fd, const struct iovec* iov, int iovlen, int flags) {
  (void)fd;
  (void)iov;
  (void)iovlen;
  (void)flags;
  errno = ENOSYS;
  return -1;
}

int onload_delegated_send_cancel(int fd) {
  (void)fd;
  errno = ENOSYS;
  return -1;
}
