/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 */
#include "preload/daemon.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <sys/uio.h>
#include <unistd.h>

#include "preload/real.h"

enum { PATIENCE_MS = 10000 };

struct control_request new_request(enum control_op op) {
  return (struct control_request){.magic = CONTROL_MAGIC, .op = op, .ate_id = CONTROL_ATE_NONE};
}

static int receive_reply(int link, struct control_reply* reply, int* fd) {
  struct iovec piece = {.iov_base = reply, .iov_len = sizeof(*reply)};
  union {
    struct cmsghdr header;
    char space[CMSG_SPACE(sizeof(int))];
  } control;
  struct msghdr message = {.msg_iov = &piece,
                           .msg_iovlen = 1,
                           .msg_control = &control,
                           .msg_controllen = sizeof(control)};
  struct pollfd wait = {.fd = link, .events = POLLIN};
  if (REAL(poll)(&wait, 1, PATIENCE_MS) == 0) return ETIMEDOUT;
  ssize_t got = REAL(recvmsg)(link, &message, MSG_CMSG_CLOEXEC);
  if (got < 0) return errno;
  const struct cmsghdr* rights = CMSG_FIRSTHDR(&message);
  int received = -1;
  if (rights != NULL && rights->cmsg_type == SCM_RIGHTS) {
    memcpy(&received, CMSG_DATA(rights), sizeof(received));
  }
  if (got != (ssize_t)sizeof(*reply) || reply->magic != CONTROL_MAGIC) {
    if (received >= 0) REAL(close)(received);
    return EPROTO;
  }
  if (fd != NULL) {
    *fd = received;
  } else if (received >= 0) {
    REAL(close)(received);
  }
  return 0;
}

int daemon_ask(const struct control_request* request, struct control_reply* reply, int* fd) {
  struct sockaddr_un address;
  socklen_t length = control_address(&address, control_path());
  if (fd != NULL) *fd = -1;
  if (length == 0) return ENAMETOOLONG;
  int link = REAL(socket)(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
  if (link < 0) return errno;
  /* A signal's handler may not cut an answer that brings a descriptor. */
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, &before);
  int error = 0;
  if (REAL(connect)(link, (struct sockaddr*)&address, length) < 0 ||
      REAL(send)(link, request, sizeof(*request), MSG_NOSIGNAL) != (ssize_t)sizeof(*request)) {
    error = errno;
  } else {
    error = receive_reply(link, reply, fd);
  }
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  REAL(close)(link);
  return error;
}

int daemon_query(uint64_t id, struct control_reply* reply) {
  struct control_request request = new_request(CONTROL_QUERY);
  request.id = id;
  int error = daemon_ask(&request, reply, NULL);
  return error != 0 ? error : reply->error;
}
