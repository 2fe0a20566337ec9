/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * close(), dup(), dup2(), dup3(), fcntl(): the kernel does them; the table follows.
 */
#include <fcntl.h>
#include <stdarg.h>
#include <unistd.h>

#include "preload/epolls.h"
#include "preload/real.h"
#include "preload/table.h"

EXPORTED int close(int fd) {
  epolls_forget(fd);
  table_clear(fd);
  return REAL(close)(fd);
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
