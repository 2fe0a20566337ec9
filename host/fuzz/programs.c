/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 */
#include "programs.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/uio.h>
#include <unistd.h>

#include "common/client.h"
#include "common/descriptor.h"
#include "daemon.h"
#include "sandbox.h"

enum { FIRST_USER = 1000, ANSWER_ROUNDS = 2 };

struct program_socket program_sockets[PROGRAM_SOCKETS];

static struct sockaddr_un address;
static int links[PROGRAM_LINKS];

void programs_start(const char* path) {
  control_address(&address, path);
  for (unsigned i = 0; i < PROGRAM_LINKS; i++) links[i] = -1;
  for (unsigned i = 0; i < PROGRAM_SOCKETS; i++)
    program_sockets[i] = (struct program_socket){.fd = -1};
}

struct control_request program_request(enum control_op op) {
  return (struct control_request){
      .magic = CONTROL_MAGIC,
      .op = op,
      .ate_id = CONTROL_ATE_NONE,
      .options = {.ttl = 64, .mcast_ttl = 1, .mcast_loop = 1, .mcast_all = 1}};
}

static void be(unsigned link) { sandbox_set_user(link == 0 ? 0 : FIRST_USER + link); }

void program_hang_up(unsigned link) {
  if (links[link] >= 0) close(links[link]);
  links[link] = -1;
}

void program_send(unsigned link, const void* data, size_t length, int descriptor) {
  be(link);
  if (links[link] < 0) {
    links[link] = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (links[link] < 0 ||
        connect(links[link], (const struct sockaddr*)&address, sizeof(address)) < 0) {
      program_hang_up(link);
      return;
    }
    daemon_rounds(1); /* it checks who that is */
  }
  struct iovec piece = {.iov_base = (void*)data, .iov_len = length};
  union descriptor_room room;
  struct msghdr message = {.msg_iov = &piece, .msg_iovlen = 1};
  if (descriptor >= 0) attach_descriptor(&message, &room, descriptor);
  if (sendmsg(links[link], &message, MSG_DONTWAIT | MSG_NOSIGNAL) < 0 && errno != EAGAIN) {
    program_hang_up(link); /* it was rejected */
  }
}

static void keep(uint64_t id, int fd, unsigned kind, uint32_t ip, uint16_t port) {
  for (unsigned i = 0; i < PROGRAM_SOCKETS; i++) {
    struct program_socket* s = &program_sockets[i];
    if (s->id != 0) continue;
    *s = (struct program_socket){
        .id = id, .fd = fd, .kind = kind, .local_ip = ip, .local_port = port};
    return;
  }
  close(fd);
}

/* Properties of a reply that the library relies on. */
static void check_reply(const struct control_reply* reply, ssize_t got, int fd) {
  bool right = got == (ssize_t)sizeof(*reply) && reply->magic == CONTROL_MAGIC &&
               memchr(reply->text, '\0', sizeof(reply->text)) != NULL &&
               (reply->error == 0 || fd < 0) && reply->error >= 0;
  if (!right) abort();
}

void programs_look(void) {
  for (unsigned link = 0; link < PROGRAM_LINKS; link++) {
    struct control_reply reply;
    int fd;
    ssize_t got = 0;
    while (links[link] >= 0 &&
           (got = receive_with_descriptor(recvmsg, links[link], &reply, sizeof(reply),
                                          MSG_DONTWAIT | MSG_CMSG_CLOEXEC, &fd)) > 0) {
      check_reply(&reply, got, fd);
      if (fd >= 0) keep(reply.id, fd, reply.kind, reply.local_ip, reply.local_port);
    }
    if (links[link] >= 0 && got == 0) program_hang_up(link);
  }
}

void program_ask(unsigned link, const struct control_request* request) {
  program_send(link, request, sizeof(*request), -1);
  daemon_rounds(ANSWER_ROUNDS);
  programs_look();
}

void program_accept(struct program_socket* listener) {
  struct accepted accepted;
  int fd;
  while (listener->fd >= 0 &&
         receive_with_descriptor(recvmsg, listener->fd, &accepted, sizeof(accepted),
                                 MSG_DONTWAIT | MSG_CMSG_CLOEXEC,
                                 &fd) == (ssize_t)sizeof(accepted)) {
    if (fd >= 0) keep(accepted.id, fd, KIND_STREAM, listener->local_ip, listener->local_port);
  }
}

void programs_close(void) {
  for (unsigned i = 0; i < PROGRAM_SOCKETS; i++) {
    if (program_sockets[i].fd >= 0) close(program_sockets[i].fd);
    program_sockets[i].fd = -1;
  }
  for (unsigned i = 0; i < PROGRAM_LINKS; i++) program_hang_up(i);
}
