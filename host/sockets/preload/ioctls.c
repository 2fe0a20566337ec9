/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * ioctl(). The kernel would answer for the program's end of a pair, which is not a TCP or UDP
 * socket.
 */
#include <errno.h>
#include <linux/sockios.h>
#include <netinet/in.h>
#include <stdarg.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include "preload/connecting.h"
#include "preload/daemon.h"
#include "preload/memory.h"
#include "preload/real.h"
#include "preload/table.h"

/* Bytes of the next datagram. */
static int next_datagram(int fd) {
  struct datagram_address address;
  int error = errno;
  ssize_t length = REAL(recv)(fd, &address, sizeof(address), MSG_PEEK | MSG_TRUNC | MSG_DONTWAIT);
  errno = error;
  if (length > 0 && address.error != 0) return 0;
  length -= (ssize_t)sizeof(address);
  return length > 0 ? (int)length : 0;
}

/* Bytes that the peer has not acknowledged. */
static int unacknowledged(const struct entry* entry) {
  struct control_reply reply;
  return daemon_query(entry->id, &reply) == 0 ? (int)reply.unacked_all : 0;
}

static int answer(void* argument, int number) {
  int error = memory_write(argument, &number, sizeof(number));
  if (error == 0) return 0;
  errno = error;
  return -1;
}

EXPORTED int ioctl(int fd, unsigned long request, ...) {
  va_list arguments;
  va_start(arguments, request);
  void* argument = va_arg(arguments, void*);
  va_end(arguments);
  const struct entry* entry = table_ours(fd);
  if (entry != NULL && request == FIONREAD && entry->datagram) {
    return answer(argument, next_datagram(fd));
  }
  if (entry != NULL && request == SIOCOUTQ && !entry->datagram) {
    return answer(argument, unacknowledged(entry));
  }
  if (entry != NULL && request == FIONREAD && is_listener(entry)) {
    errno = EINVAL;
    return -1;
  }
  /* Urgent data is not marked. Unsent data is not counted separately. The last one is for unix
   * sockets. */
  if (entry != NULL &&
      (request == SIOCATMARK || request == SIOCOUTQNSD || request == SIOCPROTOPRIVATE)) {
    errno = ENOTTY;
    return -1;
  }
  return REAL(ioctl)(fd, request, argument);
}
