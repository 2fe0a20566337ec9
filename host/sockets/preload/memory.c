/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 */
#include "preload/memory.h"

#include <errno.h>
#include <string.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

/* `process_vm_readv()` or `process_vm_writev()`, on the process itself. */
typedef ssize_t copy_function(pid_t pid, const struct iovec* local, unsigned long local_count,
                              const struct iovec* remote, unsigned long remote_count,
                              unsigned long flags);

static int copy(copy_function* how, void* here, void* there, size_t length) {
  if (length == 0) return 0;
  if (there == NULL) return EFAULT;
  int error = errno, result = 0;
  const struct iovec local = {.iov_base = here, .iov_len = length};
  const struct iovec remote = {.iov_base = there, .iov_len = length};
  if (how(getpid(), &local, 1, &remote, 1, 0) != (ssize_t)length) {
    result = errno == ENOSYS || errno == EPERM ? -1 : EFAULT; /* -1: a sandbox forbids it */
  }
  errno = error;
  return result;
}

int memory_read(void* to, const void* from, size_t length) {
  int result = copy(process_vm_readv, to, (void*)from, length);
  if (result < 0) memcpy(to, from, length);
  return result > 0 ? result : 0;
}

int memory_write(void* to, const void* from, size_t length) {
  int result = copy(process_vm_writev, (void*)from, to, length);
  if (result < 0) memcpy(to, from, length);
  return result > 0 ? result : 0;
}
