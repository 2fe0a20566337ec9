/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 */
#include "daemon/control.h"

#include <arpa/inet.h>
#include <errno.h>
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
#include "daemon/udp_table.h"
#include "lwip/priv/tcp_priv.h"
#include "ullnic/card.h"

static bool ending;
static uint32_t asking_user; /* whose request it is */

static uint32_t broadcast_of(const struct port* port) {
  return port_ip(port) | ~netif_ip4_netmask(&port->netif)->addr;
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

void control_refuse(struct control_reply* reply, int error, const char* text) {
  reply->error = error;
  snprintf(reply->text, sizeof(reply->text), "%s", text);
}

/* A socket at an address of the card. */
static struct socket* make_bound(struct port* port, const struct control_request* request,
                                 unsigned kind, struct control_reply* reply, int* program_end) {
  struct socket* s = socket_new(port, kind, program_end);
  if (s == NULL) {
    control_refuse(reply, errno, "ullnicd has no descriptors or memory for another socket");
    return NULL;
  }
  s->options = request->options;
  s->user = asking_user;
  int error = 0;
  if (!request->datagram) {
    error = stream_bind(s, port_ip(port), request->local_port);
  } else if (!request->unbound) {
    error = udp_table_bind(s, request->local_ip, request->local_port);
  }
  if (error == 0) {
    if (!request->datagram) socket_fill(s, *program_end);
    socket_limit_received(s);
    return s;
  }
  control_refuse(reply, error, "the local port is in use on the card");
  socket_retire(s);
  close(*program_end);
  *program_end = -1;
  return NULL;
}

/* Closed ones are kept for those who ask what became of them. */
static bool is_open_datagram(const struct socket* s) {
  return socket_is_datagram(s) && s->state != CONTROL_CLOSED;
}

static bool is_group(uint32_t ip) { return (ntohl(ip) >> 28) == 0xe; }

/* Of a datagram socket that is the card's already, but had no address yet. */
static void bind_later(const struct control_request* request, struct control_reply* reply) {
  struct socket* s = socket_find(request->id);
  uint32_t ip = request->local_ip;
  int error = 0;
  if (s == NULL || !is_open_datagram(s) || s->udp != NULL) {
    error = EINVAL;
  } else if (ip != 0 && !is_group(ip) && port_with_address(ip) == NULL) {
    error = EADDRNOTAVAIL;
  } else {
    s->user = asking_user;
    error = udp_table_bind(s, ip, request->local_port);
  }
  if (error == 0) describe(s, reply);
  reply->error = error;
}

/* The port of a new socket: of an address, or the one that reaches the peer. */
static struct port* find_port(const struct control_request* request) {
  uint32_t via = request->via_ip != 0 ? request->via_ip : request->local_ip;
  if (via != 0) return port_with_address(via);
  if (!is_group(request->peer_ip)) return port_for_peer(request->peer_ip);
  uint32_t interface = request->options.mcast_if;
  return interface != 0 ? port_with_address(interface) : port_only();
}

/* Whose address it is, changing nothing. */
static void route(const struct control_request* request, struct control_reply* reply) {
  const struct port* port = find_port(request);
  if (port == NULL) return;
  reply->accelerated = 1;
  reply->port = (uint8_t)port->number;
}

static void bind_socket(const struct control_request* request, struct control_reply* reply,
                        int* program_end) {
  if (request->id != 0) {
    bind_later(request, reply);
    return;
  }
  bool no_port = request->via_ip == 0 && request->peer_ip == 0 &&
                 (request->local_ip == 0 || is_group(request->local_ip));
  if (no_port) { /* the kernel's, but for those of the card that have the number */
    bool in_use =
        udp_table_in_use(request->local_ip, request->local_port, &request->options, asking_user);
    if (in_use) reply->error = EADDRINUSE;
    return;
  }
  struct port* port = find_port(request);
  if (port == NULL && is_group(request->peer_ip) && request->options.mcast_if == 0) {
    control_refuse(
        reply, EOPNOTSUPP,
        "a socket listens on one port of the card: give the address of one, there are more");
  }
  if (port == NULL) return; /* the kernel's */
  struct socket* s = make_bound(port, request, request->datagram ? KIND_ADDRESSED : KIND_STREAM,
                                reply, program_end);
  if (s != NULL) describe(s, reply);
}

static const char engine_header[] = "IP_TTL 64 and IP_TOS 0 only";

static int start_connect(struct socket* s, const struct control_request* request) {
  if (request->datagram) return datagram_connect(s, request->peer_ip, request->peer_port);
  if (request->ate_id != CONTROL_ATE_NONE) {
    if (s->options.ttl != IP_DEFAULT_TTL || s->options.tos != 0) return ENOPROTOOPT;
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

/* More than the bytes of each datagram. */
static bool wants_addresses(const struct control_options* options) {
  return options->stamping != 0 || options->receive != 0;
}

static void connect_socket(const struct control_request* request, struct control_reply* reply,
                           int* program_end) {
  struct port* port = is_group(request->peer_ip) && request->options.mcast_if != 0
                          ? find_port(request)
                          : port_for_peer(request->peer_ip);
  struct socket* s = NULL;
  if (request->id != 0) {
    s = socket_find(request->id);
    if (s != NULL && is_open_datagram(s)) port = datagram_port(s, request->peer_ip);
    if (s == NULL || (s->state != CONTROL_BOUND && !is_open_datagram(s))) {
      control_refuse(reply,
                     s == NULL                        ? EBADF
                     : s->state == CONTROL_CONNECTING ? EALREADY
                                                      : EISCONN,
                     "");
      return;
    }
    if (port != s->port && !socket_is_datagram(s)) {
      control_refuse(reply, ENETUNREACH,
                     "the peer is not reached through the port that it is bound to");
      return;
    }
  }
  if (port == NULL) return; /* the kernel's */
  if (request->peer_ip == port_ip(port) && !request->datagram) {
    control_refuse(reply, EADDRNOTAVAIL,
                   "this is the card's own address: a port does not hear itself");
    return;
  }
  if (request->peer_ip == broadcast_of(port)) {
    bool allowed = s != NULL ? s->options.broadcast : request->options.broadcast;
    int error = !request->datagram ? ENETUNREACH : allowed ? 0 : EACCES;
    if (error != 0) {
      control_refuse(reply, error,
                     "a broadcast address is for datagrams, of sockets with SO_BROADCAST");
      return;
    }
  }
  reply->accelerated = 1;
  if (s == NULL) {
    unsigned kind = request->datagram && wants_addresses(&request->options) ? KIND_ADDRESSED
                    : request->datagram                                     ? KIND_DATAGRAM
                    : request->ate_id != CONTROL_ATE_NONE                   ? KIND_ATE
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
  } else if (error == ENOPROTOOPT) {
    snprintf(text, sizeof(text), "the transmit engine sends with %s", engine_header);
  } else if (error == EINVAL) {
    snprintf(text, sizeof(text), "port %u has the connections 0 to %u, not %d", port->number,
             port->connections - 1, request->ate_id);
  } else if (error == EBUSY) {
    snprintf(text, sizeof(text), "connection %d of port %u is in use by another socket",
             request->ate_id, port->number);
  }
  control_refuse(reply, error, text);
  if (request->id == 0) give_up(s, program_end);
}

/* Tools set up user logic while the card is the daemon's. */
static void access_register(const struct control_request* request, struct control_reply* reply) {
  ullnic_t* card = port_at(0)->card;
  int error;
  if (request->op == CONTROL_READ_REGISTER) {
    error = ullnic_read32(card, request->address, &reply->value);
  } else if (request->address >= ULLNIC_CONNECTIONS_BASE(0) && request->address < ULLNIC_BAR_SIZE) {
    control_refuse(reply, EPERM,
                   "the connections of the transmit engine are ullnicd's: use SO_EXA_ATE");
    return;
  } else {
    error = ullnic_write32(card, request->address, request->value);
  }
  if (error != 0) control_refuse(reply, -error, ullnic_last_error());
}

/* A way for frames that a program sends as they are. */
static void open_raw(const struct control_request* request, struct control_reply* reply,
                     int* program_end) {
  struct port* port = port_numbered(request->value);
  if (port == NULL) {
    char text[CONTROL_TEXT];
    snprintf(text, sizeof(text), "port %u is not in use: give ullnicd --address %u=ADDRESS/BITS",
             request->value, request->value);
    control_refuse(reply, ENODEV, text);
  } else if (socket_new(port, KIND_RAW, program_end) == NULL) {
    control_refuse(reply, errno, "ullnicd has no descriptors or memory for another socket");
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
  control_refuse(reply, error, text);
}

static void set_options(struct socket* s, const struct control_options* options,
                        struct control_reply* reply) {
  if (options->mcast_if != 0 && port_with_address(options->mcast_if) == NULL) {
    reply->error = EADDRNOTAVAIL;
    return;
  }
  if (s->ate_id != CONTROL_ATE_NONE && (options->ttl != IP_DEFAULT_TTL || options->tos != 0)) {
    char text[CONTROL_TEXT];
    snprintf(text, sizeof(text), "%s: the transmit engine sends with %s", socket_text(s),
             engine_header);
    control_refuse(reply, ENOPROTOOPT, text);
    return;
  }
  s->options = *options;
  stream_apply_options(s);
  socket_limit_received(s);
}

void control_answer(const struct control_request* request, uint32_t user, const uint8_t* data,
                    size_t length, struct control_reply* reply, int* program_end) {
  asking_user = user;
  reply->tcp_enables = ports_tcp_enables();
  struct socket* s = request->id != 0 ? socket_find(request->id) : NULL;
  if (ending && (request->op == CONTROL_BIND || request->op == CONTROL_CONNECT)) {
    control_refuse(reply, ENETDOWN, "ullnicd is being ended, or its card is gone");
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
    control_refuse(reply, EBADF, "ullnicd does not know this socket (any more)");
    return;
  }
  switch (request->op) {
    case CONTROL_LISTEN:
      reply->error = socket_is_datagram(s) ? EOPNOTSUPP
                     : s->state == CONTROL_BOUND || s->state == CONTROL_LISTENING
                         ? listener_start(s, request->backlog)
                         : EINVAL;
      break;
    case CONTROL_QUERY:
      break;
    case CONTROL_OPTIONS:
      set_options(s, &request->options, reply);
      break;
    case CONTROL_MORE:
      cork_more(s, request->value);
      break;
    case CONTROL_LINGER:
      reply->value = stream_lingers(s);
      break;
    case CONTROL_GROUP:
      reply->error = is_open_datagram(s) ? groups_change(s, request) : EINVAL;
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
      control_refuse(reply, EINVAL, "ullnicd does not know this request: it is of another version");
      return;
  }
  describe(s, reply);
}

void control_end(void) { ending = true; }
