/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 */
#include "common/client.h"

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/uio.h>

#include "common/descriptor.h"

struct control_request new_request(enum control_op op) {
  return (struct control_request){.magic = CONTROL_MAGIC, .op = op, .ate_id = CONTROL_ATE_NONE};
}

static int send_request(const struct client_calls* calls, int link,
                        const struct control_request* request, const void* data, size_t length,
                        int shown) {
  struct iovec pieces[] = {{.iov_base = (void*)request, .iov_len = sizeof(*request)},
                           {.iov_base = (void*)data, .iov_len = length}};
  union descriptor_room room;
  struct msghdr message = {.msg_iov = pieces, .msg_iovlen = length > 0 ? 2 : 1};
  if (shown >= 0) attach_descriptor(&message, &room, shown);
  ssize_t sent = calls->sendmsg(link, &message, MSG_NOSIGNAL | MSG_DONTWAIT);
  if (sent < 0) return errno;
  return sent == (ssize_t)(sizeof(*request) + length) ? 0 : EPROTO;
}

ssize_t receive_with_descriptor(receive_message receive, int link, void* data, size_t size,
                                int flags, int* fd) {
  struct iovec piece = {.iov_base = data, .iov_len = size};
  union descriptor_room room;
  struct msghdr message = {.msg_iov = &piece,
                           .msg_iovlen = 1,
                           .msg_control = &room,
                           .msg_controllen = CMSG_LEN(sizeof(int))}; /* no room for a second one */
  ssize_t got = receive(link, &message, flags);
  const struct cmsghdr* rights = got > 0 ? CMSG_FIRSTHDR(&message) : NULL;
  *fd = -1;
  if (rights != NULL && rights->cmsg_level == SOL_SOCKET && rights->cmsg_type == SCM_RIGHTS) {
    memcpy(fd, CMSG_DATA(rights), sizeof(*fd));
  }
  return got;
}

static int receive_reply(const struct client_calls* calls, int link, struct control_reply* reply,
                         int* fd, deadline_t deadline) {
  int error = deadline_poll(calls->poll, link, POLLIN, deadline);
  if (error != 0) return error;
  int received;
  ssize_t got = receive_with_descriptor(calls->recvmsg, link, reply, sizeof(*reply),
                                        MSG_CMSG_CLOEXEC | MSG_DONTWAIT, &received);
  if (got < 0 && errno == ECONNRESET) { /* reported once, before ullnicd's last data */
    got = receive_with_descriptor(calls->recvmsg, link, reply, sizeof(*reply),
                                  MSG_CMSG_CLOEXEC | MSG_DONTWAIT, &received);
  }
  if (got < 0) return errno;
  bool right = got == (ssize_t)sizeof(*reply) && reply->magic == CONTROL_MAGIC;
  if (right && reply->turned_away != 0 && reply->error == EACCES) return EACCES;
  if (right && fd != NULL) {
    *fd = received;
  } else if (received >= 0) {
    calls->close(received);
  }
  return right ? 0 : EPROTO;
}

static int ask(const struct client_calls* calls, const char* path,
               const struct control_request* request, const void* data, size_t length, int shown,
               deadline_t deadline, struct control_reply* reply, int* fd) {
  struct sockaddr_un address;
  socklen_t address_length = control_address(&address, path);
  if (fd != NULL) *fd = -1;
  if (address_length == 0) return ENAMETOOLONG;
  int link = calls->socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
  if (link < 0) return errno;
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, &before);
  const struct timeval limit = deadline_left(deadline); /* if the backlog is full */
  calls->setsockopt(link, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof(limit));
  int error = 0;
  if (calls->connect(link, (const struct sockaddr*)&address, address_length) < 0) {
    error = errno == EAGAIN ? ETIMEDOUT : errno;
  }
  if (error == 0) error = send_request(calls, link, request, data, length, shown);
  if (error == EPIPE) error = 0; /* rejected: the reply has already arrived */
  if (error == 0) error = receive_reply(calls, link, reply, fd, deadline);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  calls->close(link);
  return error;
}

int client_ask(const struct client_calls* calls, const char* path,
               const struct control_request* request, const void* data, size_t length,
               deadline_t deadline, struct control_reply* reply, int* fd) {
  return ask(calls, path, request, data, length, -1, deadline, reply, fd);
}

int client_show(const struct client_calls* calls, const char* path, int shown, deadline_t deadline,
                struct control_reply* reply) {
  struct control_request request = new_request(CONTROL_QUERY);
  return ask(calls, path, &request, NULL, 0, shown, deadline, reply, NULL);
}
