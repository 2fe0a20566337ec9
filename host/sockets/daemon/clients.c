/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Programs that ask: a connection each, on ullnicd's socket.
 */
#include <errno.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/uio.h>
#include <unistd.h>

#include "common/protocol.h"
#include "daemon/control.h"
#include "daemon/log.h"
#include "daemon/loop.h"

static struct watch listener = {.fd = -1};
static bool paused; /* it is not watched */
static char bound_path[sizeof(((struct sockaddr_un*)0)->sun_path)];

struct client {
  struct watch watch;
  struct client *next, **link;
};

static struct client* clients;

static void drop_client(struct client* client) {
  *client->link = client->next;
  if (client->next != NULL) client->next->link = client->link;
  loop_remove(&client->watch);
  close(client->watch.fd);
  free(client);
}

/* 0 or errno. */
static int send_reply(int fd, const struct control_reply* reply, int program_end) {
  struct iovec piece = {.iov_base = (void*)reply, .iov_len = sizeof(*reply)};
  union {
    struct cmsghdr header;
    char space[CMSG_SPACE(sizeof(int))];
  } control = {0};
  struct msghdr message = {.msg_iov = &piece, .msg_iovlen = 1};
  if (program_end >= 0) {
    message.msg_control = &control;
    message.msg_controllen = sizeof(control);
    struct cmsghdr* rights = CMSG_FIRSTHDR(&message);
    rights->cmsg_level = SOL_SOCKET;
    rights->cmsg_type = SCM_RIGHTS;
    rights->cmsg_len = CMSG_LEN(sizeof(int));
    memcpy(CMSG_DATA(rights), &program_end, sizeof(int));
  }
  return sendmsg(fd, &message, MSG_DONTWAIT | MSG_NOSIGNAL) < 0 ? errno : 0;
}

/* The kernel counts the descriptors that a user has under way against the sender's limit. */
static void send_refusal(int fd, int error) {
  struct control_reply reply = {.magic = CONTROL_MAGIC, .ate_id = CONTROL_ATE_NONE};
  char text[CONTROL_TEXT];
  snprintf(text, sizeof(text), "ullnicd cannot hand over a descriptor (%s): raise its ulimit -n",
           strerror(error));
  control_refuse(&reply, error, text);
  send_reply(fd, &reply, -1); /* if it fails, the program is gone */
}

static uint32_t user_of(int fd) {
  struct ucred user = {0};
  socklen_t length = sizeof(user);
  getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &user, &length);
  return user.uid;
}

static void serve_client(struct watch* watch, uint32_t events) {
  static uint8_t data[CONTROL_DATA];
  struct control_request request;
  struct iovec pieces[] = {{.iov_base = &request, .iov_len = sizeof(request)},
                           {.iov_base = data, .iov_len = sizeof(data)}};
  struct msghdr message = {.msg_iov = pieces, .msg_iovlen = 2};
  ssize_t got = recvmsg(watch->fd, &message, MSG_DONTWAIT);
  (void)events;
  if (got < 0 && (errno == EAGAIN || errno == EINTR)) return;
  size_t more = got > (ssize_t)sizeof(request) ? (size_t)got - sizeof(request) : 0;
  bool whole = got >= (ssize_t)sizeof(request) && (message.msg_flags & MSG_TRUNC) == 0;
  if (whole && request.magic == CONTROL_MAGIC && (more == 0 || request.op == CONTROL_DELEGATED)) {
    struct control_reply reply = {.magic = CONTROL_MAGIC, .ate_id = CONTROL_ATE_NONE};
    int program_end = -1;
    control_answer(&request, user_of(watch->fd), data, more, &reply, &program_end);
    int error = send_reply(watch->fd, &reply, program_end);
    if (error != 0 && program_end >= 0) send_refusal(watch->fd, error);
    if (program_end >= 0) close(program_end); /* if it is the last one, the socket ends */
    return;
  }
  if (got > 0) log_message("a program of another version (or no program of ours) is turned away");
  drop_client((struct client*)watch);
}

/* Without descriptors or memory those who wait would wake the daemon again and again. */
static void pause_accepting(int error) {
  static bool said;
  if (!said) log_message("programs have to wait: %s; raise ulimit -n", strerror(error));
  said = true;
  loop_remove(&listener);
  paused = true;
}

void control_tick(void) {
  if (paused && loop_add(&listener, EPOLLIN) == 0) paused = false;
}

static void accept_client(struct watch* watch, uint32_t events) {
  (void)events;
  int fd = accept4(watch->fd, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
  if (fd < 0) {
    if (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM) {
      pause_accepting(errno);
    }
    return;
  }
  struct client* client = calloc(1, sizeof(*client));
  if (client != NULL) {
    *client = (struct client){.watch = {.fd = fd, .ready = serve_client}, .next = clients};
    if (loop_add(&client->watch, EPOLLIN) == 0) {
      client->link = &clients;
      if (clients != NULL) clients->link = &client->next;
      clients = client;
      return;
    }
    free(client);
  }
  close(fd);
}

int control_open(const char* path) {
  struct sockaddr_un address;
  socklen_t length = control_address(&address, path);
  if (length == 0) {
    log_message("%s: longer than %zu bytes, too long for a socket", path, sizeof(bound_path) - 1);
    return -ENAMETOOLONG;
  }
  listener.fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (listener.fd < 0) return -errno;
  listener.ready = accept_client;
  if (connect(listener.fd, (struct sockaddr*)&address, length) == 0) {
    log_message("%s: another ullnicd is running there; give this one --socket PATH", path);
    return -EADDRINUSE;
  }
  unlink(path);
  if (bind(listener.fd, (struct sockaddr*)&address, length) < 0 || listen(listener.fd, 128) < 0 ||
      loop_add(&listener, EPOLLIN) != 0) {
    int error = errno;
    log_message("%s: %s; give --socket PATH (and " CONTROL_PATH_VARIABLE " to the programs)", path,
                strerror(error));
    return -error;
  }
  strcpy(bound_path, path);
  return 0;
}

void control_close(void) {
  while (clients != NULL) drop_client(clients);
  if (bound_path[0] != '\0') unlink(bound_path);
}
