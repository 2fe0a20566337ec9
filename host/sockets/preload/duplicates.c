/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * close(), dup(), dup2(), dup3(), fcntl(): the kernel executes them; the table is updated.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdarg.h>
#include <unistd.h>

#include "preload/daemon.h"
#include "preload/epolls.h"
#include "preload/real.h"
#include "preload/table.h"

enum { LINGER_STEP_MS = 5 };

/* SO_LINGER: waits until the peer has acknowledged everything, if no other process holds the
 * socket. */
static void linger(uint64_t id, uint32_t seconds) {
  struct control_request request = new_request(CONTROL_LINGER);
  struct control_reply reply;
  int error = errno;
  const deadline_t deadline = deadline_in(INT64_C(1000) * seconds);
  request.id = id;
  while (deadline_left_ns(deadline) > 0) {
    deadline_t reply_by = deadline_in(CLIENT_PATIENCE_MS);
    if (reply_by > deadline) reply_by = deadline;
    if (daemon_ask_until(&request, reply_by, &reply, NULL) != 0 || reply.value == 0) break;
    REAL(poll)(NULL, 0, LINGER_STEP_MS);
  }
  errno = error;
}

EXPORTED int close(int fd) {
  const struct entry* entry = table_ours(fd);
  uint32_t seconds = entry != NULL ? entry->linger_s : 0;
  uint64_t id = entry != NULL ? entry->id : 0;
  epolls_forget(fd);
  table_clear(fd);
  int result = REAL(close)(fd);
  if (seconds > 0 && result == 0) linger(id, seconds);
  return result;
}

EXPORTED int dup(int fd) {
  int copy = REAL(dup)(fd);
  table_copy(fd, copy);
  return copy;
}

EXPORTED int dup2(int fd, int target) {
  int copy = REAL(dup2)(fd, target);
  if (copy >= 0 && fd != target) epolls_forget(target);
  table_copy(fd, copy);
  return copy;
}

EXPORTED int dup3(int fd, int target, int flags) {
  int copy = REAL(dup3)(fd, target, flags);
  if (copy >= 0) epolls_forget(target);
  table_copy(fd, copy);
  return copy;
}

static int copying(int fd, int command, int result) {
  if (command == F_DUPFD || command == F_DUPFD_CLOEXEC) table_copy(fd, result);
  return result;
}

EXPORTED int fcntl(int fd, int command, ...) {
  va_list arguments;
  va_start(arguments, command);
  void* argument = va_arg(arguments, void*);
  va_end(arguments);
  return copying(fd, command, REAL(fcntl)(fd, command, argument));
}

EXPORTED int fcntl64(int fd, int command, ...) {
  va_list arguments;
  va_start(arguments, command);
  void* argument = va_arg(arguments, void*);
  va_end(arguments);
  return copying(fd, command, REAL(fcntl64)(fd, command, argument));
}
