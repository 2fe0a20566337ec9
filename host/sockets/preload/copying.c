/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * sendfile(), splice(): on an accelerated socket, a read and a send.
 *
 * The kernel's calls would put whole pages into the pair. The byte that ullnicd leaves unread there
 * (see common/protocol.h) keeps the memory of its whole buffer, and a buffer of many pages is more
 * than a quarter of the limit: the program's end would never be writable again. They also lack the
 * marks and addresses that accompany the data.
 */
#include <errno.h>
#include <fcntl.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <unistd.h>

#include "preload/real.h"
#include "preload/table.h"

enum { PIECE = 32768 };

static size_t at_most(size_t count) { return count < PIECE ? count : PIECE; }

/* Sends from `place` in the file on. */
static ssize_t send_file(int out, int in, off64_t place, size_t count) {
  char data[PIECE];
  size_t total = 0;
  while (total < count) {
    ssize_t got = pread64(in, data, at_most(count - total), place + (off64_t)total);
    if (got == 0) break;
    ssize_t sent = got < 0 ? -1 : send(out, data, (size_t)got, 0);
    if (sent < 0) return total > 0 ? (ssize_t)total : -1;
    total += (size_t)sent;
    if (sent < got) break;
  }
  return (ssize_t)total;
}

EXPORTED ssize_t sendfile64(int out, int in, off64_t* offset, size_t count) {
  off64_t place = offset != NULL ? *offset : lseek64(in, 0, SEEK_CUR);
  if (table_ours(out) == NULL || (offset == NULL && place < 0)) {
    return REAL(sendfile64)(out, in, offset, count);
  }
  ssize_t sent = send_file(out, in, place, count);
  if (sent > 0 && offset != NULL) *offset += sent;
  if (sent > 0 && offset == NULL) lseek64(in, place + sent, SEEK_SET);
  return sent;
}

EXPORTED ssize_t sendfile(int out, int in, off_t* offset, size_t count) {
  return sendfile64(out, in, offset, count);
}

/* Sends from a pipe, which keeps data that the socket has no room for. */
static ssize_t splice_out(int in, int out, size_t count, unsigned flags) {
  char data[PIECE];
  int copy[2];
  if (pipe2(copy, O_CLOEXEC) != 0) return -1;
  ssize_t got = tee(in, copy[1], at_most(count), flags & SPLICE_F_NONBLOCK);
  int error = errno;
  if (got > 0) got = REAL(read)(copy[0], data, (size_t)got);
  REAL(close)(copy[0]);
  REAL(close)(copy[1]);
  errno = error;
  if (got <= 0) return got;
  ssize_t sent = send(out, data, (size_t)got, flags & SPLICE_F_NONBLOCK ? MSG_DONTWAIT : 0);
  for (ssize_t left = sent; left > 0;) {
    ssize_t taken = REAL(read)(in, data, (size_t)left);
    if (taken <= 0) break; /* another reader was faster */
    left -= taken;
  }
  return sent;
}

EXPORTED ssize_t splice(int in, off64_t* in_offset, int out, off64_t* out_offset, size_t count,
                        unsigned flags) {
  const struct entry* from = table_ours(in);
  bool to_ours = table_ours(out) != NULL && in_offset == NULL && out_offset == NULL && count > 0;
  int size = to_ours ? REAL(fcntl)(in, F_GETPIPE_SZ) : 0;
  if (from != NULL && from->datagram) { /* the kernel would return their addresses as data */
    errno = EINVAL;
    return -1;
  }
  return to_ours && size > 0 ? splice_out(in, out, count, flags)
                             : REAL(splice)(in, in_offset, out, out_offset, count, flags);
}
