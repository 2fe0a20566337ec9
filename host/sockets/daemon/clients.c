/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 */
#include "daemon/clients.h"

#include <errno.h>
#include <linux/sockios.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/uio.h>
#include <unistd.h>

#include "common/descriptor.h"
#include "common/protocol.h"
#include "daemon/access.h"
#include "daemon/control.h"
#include "daemon/log.h"
#include "daemon/loop.h"
#include "daemon/users.h"

struct client {
  struct watch watch;
  struct user* user;
  struct client_list* list;    /* the user's list: idle or busy */
  struct client *next, **link; /* in the list, oldest entry first */
  uint64_t since_ms;           /* since when it is in the list */
  struct client* next_ready;
  bool may_reach_card;
  bool is_ready;
};

static void take_out(struct client* client) {
  *client->link = client->next;
  if (client->next != NULL) {
    client->next->link = client->link;
  } else {
    client->list->end = client->link;
  }
}

static void put(struct client* client, struct client_list* list) {
  client->list = list;
  client->next = NULL;
  client->link = list->end;
  *client->link = client;
  list->end = &client->next;
  client->since_ms = now_ms();
}

static void move(struct client* client, struct client_list* list) {
  take_out(client);
  put(client, list);
}

static void unready(struct client* client) {
  struct user* user = client->user;
  if (!client->is_ready) return;
  struct client** link = &user->ready;
  while (*link != client) link = &(*link)->next_ready;
  *link = client->next_ready;
  if (*link == NULL) user->ready_end = link;
  client->is_ready = false;
}

static void make_ready(struct client* client) {
  struct user* user = client->user;
  if (client->is_ready) return;
  if (client->list == &user->idle) move(client, &user->busy);
  client->is_ready = true;
  client->next_ready = NULL;
  *user->ready_end = client;
  user->ready_end = &client->next_ready;
}

static void drop(struct client* client) {
  unready(client);
  take_out(client);
  client->user->connections--;
  user_put(client->user);
  loop_remove(&client->watch);
  close(client->watch.fd);
  free(client);
}

/* 0 or errno. */
static int send_reply(int fd, const struct control_reply* reply, int program_end) {
  struct iovec piece = {.iov_base = (void*)reply, .iov_len = sizeof(*reply)};
  union descriptor_room room;
  struct msghdr message = {.msg_iov = &piece, .msg_iovlen = 1};
  if (program_end >= 0) attach_descriptor(&message, &room, program_end);
  return sendmsg(fd, &message, MSG_DONTWAIT | MSG_NOSIGNAL) < 0 ? errno : 0;
}

/* The kernel counts a user's descriptors in flight against the sender's limit. */
static void send_refusal(int fd, int error) {
  struct control_reply reply = {.magic = CONTROL_MAGIC, .ate_id = CONTROL_ATE_NONE};
  char text[CONTROL_TEXT];
  snprintf(text, sizeof(text), "ullnicd cannot hand over a descriptor (%s): raise its ulimit -n",
           strerror(error));
  control_refuse(&reply, error, text);
  send_reply(fd, &reply, -1); /* if it fails, the program is gone */
}

void client_turn_away(int fd, int error, const char* text) {
  struct control_reply reply = {
      .magic = CONTROL_MAGIC, .ate_id = CONTROL_ATE_NONE, .turned_away = 1};
  control_refuse(&reply, error, text);
  send_reply(fd, &reply, -1);
  close(fd);
}

/* The kernel's number of the socket whose descriptor came with the message; 0 if none. Closes
 * it. */
static uint64_t shown_socket(struct msghdr* message) {
  const struct cmsghdr* rights = CMSG_FIRSTHDR(message);
  uint64_t cookie = 0;
  int fd;
  if (rights == NULL || rights->cmsg_level != SOL_SOCKET || rights->cmsg_type != SCM_RIGHTS ||
      rights->cmsg_len < CMSG_LEN(sizeof(fd))) {
    return 0;
  }
  memcpy(&fd, CMSG_DATA(rights), sizeof(fd));
  socklen_t length = sizeof(cookie);
  if (getsockopt(fd, SOL_SOCKET, SO_COOKIE, &cookie, &length) != 0) cookie = 0;
  close(fd);
  return cookie;
}

/* The program has not read its reply yet. Linux reports that it has (sock_wfree()) before it takes
 * the last byte off the count: one byte is a reply that has been read, of which no other event
 * comes. */
static bool has_unread_reply(const struct client* client) {
  int bytes = 0;
  return ioctl(client->watch.fd, SIOCOUTQ, &bytes) == 0 && bytes > 1;
}

static void answer(struct client* client, const struct control_request* request,
                   const struct asker* asker) {
  struct control_reply reply = {.magic = CONTROL_MAGIC, .ate_id = CONTROL_ATE_NONE};
  int program_end = -1;
  control_answer(request, asker, &reply, &program_end);
  int error = send_reply(client->watch.fd, &reply, program_end);
  if (error != 0 && program_end >= 0) send_refusal(client->watch.fd, error);
  if (program_end >= 0) close(program_end); /* if it is the last descriptor, the socket is closed */
}

static void serve(struct client* client) {
  static uint8_t data[CONTROL_DATA];
  struct control_request request;
  struct iovec pieces[] = {{.iov_base = &request, .iov_len = sizeof(request)},
                           {.iov_base = data, .iov_len = sizeof(data)}};
  union {
    struct cmsghdr header;
    char space[CMSG_SPACE(sizeof(int))]; /* the kernel closes any excess descriptors */
  } control;
  struct msghdr message = {.msg_iov = pieces,
                           .msg_iovlen = 2,
                           .msg_control = &control,
                           .msg_controllen = sizeof(control)};
  if (has_unread_reply(client)) return; /* the loop reports when it has been read */
  ssize_t got = recvmsg(client->watch.fd, &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
  if (got < 0 && errno == EINTR) make_ready(client);
  if (got < 0 && errno == EAGAIN) move(client, &client->user->idle);
  if (got < 0 && (errno == EAGAIN || errno == EINTR)) return;
  struct asker asker = {.user = client->user,
                        .may_reach_card = client->may_reach_card,
                        .cookie = got > 0 ? shown_socket(&message) : 0,
                        .data = data};
  if (got > (ssize_t)sizeof(request)) asker.length = (size_t)got - sizeof(request);
  bool whole = got >= (ssize_t)sizeof(request) && (message.msg_flags & MSG_TRUNC) == 0;
  if (whole && request.magic == CONTROL_MAGIC &&
      (asker.length == 0 || request.op == CONTROL_DELEGATED)) {
    answer(client, &request, &asker);
    move(client, &client->user->busy);
    make_ready(client); /* there may be another request */
    return;
  }
  if (got > 0) {
    static struct log_limit limit;
    log_limited(&limit,
                "a program of another version (or no program of ours) is turned away, of user %u",
                client->user->id);
  }
  drop(client);
}

bool control_serve(void) {
  bool more = false;
  struct user* next;
  for (struct user* user = user_next(NULL); user != NULL; user = next) {
    struct client* client = user->ready;
    next = user_next(user); /* this user may be freed */
    if (client == NULL) continue;
    more |= client->next_ready != NULL;
    unready(client);
    serve(client);
  }
  for (struct user* user = user_next(NULL); user != NULL && !more; user = user_next(user)) {
    more = user->ready != NULL;
  }
  return more;
}

/* Requests of a client that is gone need no reply. */
static void on_event(struct watch* watch, uint32_t events) {
  struct client* client = (struct client*)watch;
  if ((events & (EPOLLHUP | EPOLLERR)) != 0) {
    drop(client);
  } else {
    make_ready(client);
  }
}

/* Drops the client that has been idle longest, to make room for another of the same user. A client
 * with an unread reply is not dropped: its user could have unlimited descriptors in flight. */
static bool drop_idle(struct user* user) {
  if (user->idle.first == NULL) return false;
  drop(user->idle.first);
  return true;
}

bool client_new(int fd, const struct rights* rights) {
  struct user* user = user_get(rights->user);
  struct client* client = calloc(1, sizeof(*client));
  bool room = user != NULL && client != NULL;
  if (room && !user_has_room(user)) room = drop_idle(user) || user_may_connect(user);
  if (!room) {
    client_turn_away(fd, user != NULL && client != NULL ? ENOBUFS : ENOMEM,
                     user != NULL && client != NULL ? users_why() : "ullnicd has no memory");
  } else {
    *client = (struct client){.watch = {.fd = fd, .ready = on_event},
                              .user = user,
                              .may_reach_card = rights->may_reach_card};
    if (loop_add(&client->watch, EPOLLIN | EPOLLOUT | EPOLLET) == 0) {
      user->connections++;
      put(client, &user->idle);
      make_ready(client); /* it may have sent a request already */
      return true;
    }
    close(fd);
  }
  free(client);
  if (user != NULL) user_put(user);
  return false;
}

static void drop_since(struct client_list* list, uint64_t before_ms) {
  while (list->first != NULL && list->first->since_ms < before_ms) drop(list->first);
}

static void drop_all_since(uint64_t before_ms) {
  struct user* next;
  for (struct user* user = user_next(NULL); user != NULL; user = next) {
    user->references++; /* dropping its last client must not free the user here */
    drop_since(&user->idle, before_ms);
    drop_since(&user->busy, before_ms);
    next = user_next(user);
    user_put(user);
  }
}

void clients_tick(void) {
  uint64_t now = now_ms(), idle_ms = users_idle_ms();
  if (now > idle_ms) drop_all_since(now - idle_ms);
}

void clients_drop_all(void) { drop_all_since(UINT64_MAX); }
