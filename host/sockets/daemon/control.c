/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 */
#include "daemon/control.h"

#include <arpa/inet.h>
#include <errno.h>
#include <sys/epoll.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include "common/protocol.h"
#include "daemon/ate.h"
#include "daemon/cork.h"
#include "daemon/datagram.h"
#include "daemon/delegated.h"
#include "daemon/groups.h"
#include "daemon/listener.h"
#include "daemon/log.h"
#include "daemon/loss.h"
#include "daemon/program_stream.h"
#include "daemon/socket.h"
#include "daemon/stream.h"
#include "lwip/priv/tcp_priv.h"
#include "ullnic/card.h"

static struct watch listener = {.fd = -1};
static bool paused; /* it is not watched */
static char bound_path[sizeof(((struct sockaddr_un*)0)->sun_path)];

struct client {
  struct watch watch;
  struct client *next, **link;
};

static struct client* clients;
static bool ending;

static void drop_client(struct client* client) {
  *client->link = client->next;
  if (client->next != NULL) client->next->link = client->link;
  loop_remove(&client->watch);
  close(client->watch.fd);
  free(client);
}

static uint32_t address_of(const struct port* port) { return netif_ip4_addr(&port->netif)->addr; }

static uint32_t broadcast_of(const struct port* port) {
  return address_of(port) | ~netif_ip4_netmask(&port->netif)->addr;
}

static void describe(const struct socket* s, struct control_reply* reply) {
  reply->id = s->id;
  reply->accelerated = 1;
  reply->port = (uint8_t)s->port->number;
  reply->kind = (uint8_t)s->kind;
  reply->state = (uint8_t)s->state;
  reply->local_ip = s->local_ip;
  reply->local_port = s->local_port;
  reply->peer_ip = s->peer_ip;
  reply->peer_port = s->peer_port;
  reply->ate_id = s->ate_id;
  reply->verdict = s->verdict;
  reply->options = s->options;
  reply->broadcast_ip = broadcast_of(s->port);
  memcpy(reply->text, s->text, sizeof(reply->text));
  const struct tcp_pcb* pcb = s->pcb;
  if (pcb == NULL || s->state != CONTROL_CONNECTED) return;
  reply->mss = pcb->mss;
  reply->rtt_us = (uint32_t)(pcb->sa >> 3) * TCP_SLOW_INTERVAL * 1000;
  reply->cwnd = pcb->cwnd;
  reply->unacked = pcb->snd_nxt - pcb->lastack;
  uint64_t unacked = loss_sent(s) + s->held + stream_unread(s);
  reply->unacked_all = unacked > s->acked ? (uint32_t)(unacked - s->acked) : 0;
}

static void refuse(struct control_reply* reply, int error, const char* text) {
  reply->error = error;
  snprintf(reply->text, sizeof(reply->text), "%s", text);
}

/* A socket at an address of the card. */
static struct socket* make_bound(struct port* port, const struct control_request* request,
                                 unsigned kind, struct control_reply* reply, int* program_end) {
  struct socket* s = socket_new(port, kind, program_end);
  if (s == NULL) {
    refuse(reply, errno, "ullnicd has no descriptors or memory for another socket");
    return NULL;
  }
  s->options = request->options;
  int error = request->datagram ? datagram_bind(s, address_of(port), request->local_port)
                                : stream_bind(s, address_of(port), request->local_port);
  if (error == 0) {
    if (!request->datagram) socket_fill(s, *program_end);
    return s;
  }
  refuse(reply, error, "the local port is in use on the card");
  socket_retire(s);
  close(*program_end);
  *program_end = -1;
  return NULL;
}

/* Whose address it is, changing nothing. */
static void route(const struct control_request* request, struct control_reply* reply) {
  const struct port* port = request->local_ip != 0 ? port_with_address(request->local_ip)
                                                   : port_for_peer(request->peer_ip);
  if (port == NULL) return;
  reply->accelerated = 1;
  reply->port = (uint8_t)port->number;
}

static void bind_socket(const struct control_request* request, struct control_reply* reply,
                        int* program_end) {
  bool for_group = (ntohl(request->peer_ip) >> 28) == 0xe;
  struct port* port = request->local_ip != 0 ? port_with_address(request->local_ip)
                      : for_group            ? port_only()
                                             : port_for_peer(request->peer_ip);
  if (port == NULL && for_group) {
    refuse(reply, EOPNOTSUPP,
           "a socket listens on one port of the card: give the address of one, there are more");
  }
  if (port == NULL) return; /* the kernel's */
  struct socket* s = make_bound(port, request, request->datagram ? KIND_ADDRESSED : KIND_STREAM,
                                reply, program_end);
  if (s != NULL) describe(s, reply);
}

static int start_connect(struct socket* s, const struct control_request* request) {
  if (request->datagram) return datagram_connect(s, request->peer_ip, request->peer_port);
  if (request->ate_id != CONTROL_ATE_NONE) {
    int error = ate_reserve(s, request->ate_id);
    if (error != 0) return error;
  }
  return stream_connect(s, request->peer_ip, request->peer_port);
}

/* Nothing of it shall stay. */
static void give_up(struct socket* s, int* program_end) {
  s->program_done = s->program_gone = true;
  socket_wake(s);
  if (*program_end >= 0) close(*program_end);
  *program_end = -1;
}

static void connect_socket(const struct control_request* request, struct control_reply* reply,
                           int* program_end) {
  struct port* port = port_for_peer(request->peer_ip);
  struct socket* s = NULL;
  if (request->id != 0) {
    s = socket_find(request->id);
    if (s == NULL || (s->state != CONTROL_BOUND && s->udp == NULL)) {
      refuse(reply, s == NULL ? EBADF : s->state == CONTROL_CONNECTING ? EALREADY : EISCONN, "");
      return;
    }
    if (port != s->port) {
      refuse(reply, ENETUNREACH, "the peer is not reached through the port that it is bound to");
      return;
    }
  }
  if (port == NULL) return; /* the kernel's */
  if (request->peer_ip == address_of(port)) {
    refuse(reply, EADDRNOTAVAIL, "this is the card's own address: a port does not hear itself");
    return;
  }
  if (request->peer_ip == broadcast_of(port)) {
    bool allowed = s != NULL ? s->options.broadcast : request->options.broadcast;
    int error = !request->datagram ? ENETUNREACH : allowed ? 0 : EACCES;
    if (error != 0) {
      refuse(reply, error,
             "a broadcast address is for datagrams, of sockets with SO_BROADCAST");
      return;
    }
  }
  reply->accelerated = 1;
  if (s == NULL) {
    unsigned kind = request->datagram && request->options.stamping != 0 ? KIND_ADDRESSED
                    : request->datagram                                 ? KIND_DATAGRAM
                    : request->ate_id != CONTROL_ATE_NONE               ? KIND_ATE
                                                                        : KIND_STREAM;
    s = make_bound(port, request, kind, reply, program_end);
    if (s == NULL) return;
  }
  int error = start_connect(s, request);
  if (error == 0) {
    describe(s, reply);
    return;
  }
  char text[CONTROL_TEXT] = "";
  if (error == EOPNOTSUPP) {
    snprintf(text, sizeof(text), "port %u has no TCP transmit engine", port->number);
  } else if (error == EINVAL) {
    snprintf(text, sizeof(text), "port %u has the connections 0 to %u, not %d", port->number,
             port->connections - 1, request->ate_id);
  } else if (error == EBUSY) {
    snprintf(text, sizeof(text), "connection %d of port %u is in use by another socket",
             request->ate_id, port->number);
  }
  refuse(reply, error, text);
  if (request->id == 0) give_up(s, program_end);
}

/* Tools set up user logic while the card is the daemon's. */
static void access_register(const struct control_request* request, struct control_reply* reply) {
  ullnic_t* card = port_at(0)->card;
  int error;
  if (request->op == CONTROL_READ_REGISTER) {
    error = ullnic_read32(card, request->address, &reply->value);
  } else if (request->address >= ULLNIC_CONNECTIONS_BASE(0) && request->address < ULLNIC_BAR_SIZE) {
    refuse(reply, EPERM, "the connections of the transmit engine are ullnicd's: use SO_EXA_ATE");
    return;
  } else {
    error = ullnic_write32(card, request->address, request->value);
  }
  if (error != 0) refuse(reply, -error, ullnic_last_error());
}

/* A way for frames that a program sends as they are. */
static void open_raw(const struct control_request* request, struct control_reply* reply,
                     int* program_end) {
  struct port* port = port_numbered(request->value);
  if (port == NULL) {
    char text[CONTROL_TEXT];
    snprintf(text, sizeof(text), "port %u is not in use: give ullnicd --address %u=ADDRESS/BITS",
             request->value, request->value);
    refuse(reply, ENODEV, text);
  } else if (socket_new(port, KIND_RAW, program_end) == NULL) {
    refuse(reply, errno, "ullnicd has no descriptors or memory for another socket");
  }
}

static void take_report(struct socket* s, const uint8_t* data, size_t length,
                        struct control_reply* reply) {
  int error = delegated_report(s, data, length);
  if (error == 0) {
    reply->value = (uint32_t)length;
    return;
  }
  char text[CONTROL_TEXT];
  const char* why = error == EINVAL ? "no headers are out: prepare first, and write nothing else"
                    : error == EMSGSIZE ? "more than was prepared and the window has room for"
                                        : strerror(error);
  snprintf(text, sizeof(text), "%s: %zu bytes that the program sent itself: %s", socket_text(s),
           length, why);
  refuse(reply, error, text);
}

static void answer(const struct control_request* request, const uint8_t* data, size_t length,
                   struct control_reply* reply, int* program_end) {
  reply->tcp_enables = ports_tcp_enables();
  struct socket* s = request->id != 0 ? socket_find(request->id) : NULL;
  if (ending && (request->op == CONTROL_BIND || request->op == CONTROL_CONNECT)) {
    refuse(reply, ENETDOWN, "ullnicd is being ended, or its card is gone");
    return;
  }
  switch (request->op) {
    case CONTROL_PROBE:
      return;
    case CONTROL_ROUTE:
      route(request, reply);
      return;
    case CONTROL_READ_REGISTER:
    case CONTROL_WRITE_REGISTER:
      access_register(request, reply);
      return;
    case CONTROL_BIND:
      bind_socket(request, reply, program_end);
      return;
    case CONTROL_CONNECT:
      connect_socket(request, reply, program_end);
      return;
    case CONTROL_RAW:
      open_raw(request, reply, program_end);
      return;
    default:
      break;
  }
  if (s == NULL) {
    refuse(reply, EBADF, "ullnicd does not know this socket (any more)");
    return;
  }
  switch (request->op) {
    case CONTROL_LISTEN:
      reply->error = s->state == CONTROL_BOUND || s->state == CONTROL_LISTENING
                         ? listener_start(s, request->backlog)
                         : EINVAL;
      break;
    case CONTROL_QUERY:
      break;
    case CONTROL_OPTIONS:
      s->options = request->options;
      stream_apply_options(s);
      break;
    case CONTROL_MORE:
      cork_more(s, request->value);
      break;
    case CONTROL_LINGER:
      reply->value = stream_lingers(s);
      break;
    case CONTROL_JOIN:
      reply->error =
          s->udp == NULL ? EINVAL : datagram_join(s, request->peer_ip, request->silent_join != 0);
      break;
    case CONTROL_LEAVE:
      reply->error = s->udp == NULL ? EINVAL : groups_leave(s, request->peer_ip);
      break;
    case CONTROL_DELEGATE:
      delegated_prepare(s, request->delegated_bytes, request->any_neighbour != 0,
                        &reply->delegated);
      break;
    case CONTROL_DELEGATED:
      take_report(s, data, length, reply);
      return;
    case CONTROL_UNDELEGATE:
      reply->error = delegated_end(s) ? 0 : EBADMSG;
      break;
    default:
      refuse(reply, EINVAL, "ullnicd does not know this request: it is of another version");
      return;
  }
  describe(s, reply);
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
  refuse(&reply, error, text);
  send_reply(fd, &reply, -1); /* if it fails, the program is gone */
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
    answer(&request, data, more, &reply, &program_end);
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

void control_end(void) { ending = true; }

void control_close(void) {
  while (clients != NULL) drop_client(clients);
  if (bound_path[0] != '\0') unlink(bound_path);
}
