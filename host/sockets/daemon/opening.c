/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 */
#include "daemon/opening.h"

#include <arpa/inet.h>
#include <errno.h>
#include <unistd.h>

#include "daemon/ate.h"
#include "daemon/control.h"
#include "daemon/datagram.h"
#include "daemon/listener.h"
#include "daemon/socket.h"
#include "daemon/stream.h"
#include "daemon/udp_table.h"
#include "daemon/users.h"

void opening_refuse(struct control_reply* reply, int error) {
  control_refuse(
      reply, error,
      error == ENOBUFS ? users_why() : "ullnicd has no descriptors or memory for another socket");
}

/* Creates a socket bound to an address of the card. */
static struct socket* make_bound(struct port* port, const struct control_request* request,
                                 unsigned kind, struct user* user, struct control_reply* reply,
                                 int* program_end) {
  struct socket* s = socket_new(port, kind, user, program_end);
  if (s == NULL) {
    opening_refuse(reply, errno);
    return NULL;
  }
  s->options = request->options;
  int error = 0;
  if (!request->datagram &&
      listener_in_the_way(port_ip(port), request->local_port, &request->options, user)) {
    error = EADDRINUSE;
  } else if (!request->datagram) {
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

static bool is_group(uint32_t ip) { return (ntohl(ip) >> 28) == 0xe; }

/* Binds a datagram socket that already is the card's, but had no address yet. */
static void bind_later(struct socket* s, const struct control_request* request,
                       struct control_reply* reply) {
  uint32_t ip = request->local_ip;
  int error = EINVAL;
  if (s->udp != NULL) {
    /* has an address */
  } else if (ip != 0 && !is_group(ip) && port_with_address(ip) == NULL) {
    error = EADDRNOTAVAIL;
  } else {
    error = udp_table_bind(s, ip, request->local_port);
  }
  if (error == 0) control_describe(s, reply);
  reply->error = error;
}

/* The port for a new socket: the one with the address, or the one that reaches the peer. */
static struct port* find_port(const struct control_request* request) {
  uint32_t via = request->via_ip != 0 ? request->via_ip : request->local_ip;
  if (via != 0) return port_with_address(via);
  if (!is_group(request->peer_ip)) return port_for_peer(request->peer_ip);
  uint32_t interface = request->options.mcast_if;
  return interface != 0 ? port_with_address(interface) : port_only();
}

void opening_route(const struct control_request* request, struct control_reply* reply) {
  const struct port* port = find_port(request);
  if (port == NULL) return;
  reply->accelerated = 1;
  reply->port = (uint8_t)port->number;
}

void opening_bind(struct socket* s, const struct control_request* request, struct user* user,
                  struct control_reply* reply, int* program_end) {
  if (s != NULL) {
    bind_later(s, request, reply);
    return;
  }
  bool no_port = request->via_ip == 0 && request->peer_ip == 0 &&
                 (request->local_ip == 0 || is_group(request->local_ip));
  if (no_port) { /* the kernel's, unless sockets of the card have the port number */
    bool in_use = udp_table_in_use(request->local_ip, request->local_port, &request->options, user);
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
  s = make_bound(port, request, request->datagram ? KIND_DATAGRAM : KIND_STREAM, user, reply,
                 program_end);
  if (s != NULL) control_describe(s, reply);
}

static int start_connect(struct socket* s, const struct control_request* request) {
  if (request->datagram) return datagram_connect(s, request->peer_ip, request->peer_port);
  if (request->ate_id != CONTROL_ATE_NONE) {
    if (s->options.ttl != IP_DEFAULT_TTL || s->options.tos != 0) return ENOPROTOOPT;
    int error = ate_reserve(s, request->ate_id);
    if (error != 0) return error;
  }
  int error = stream_connect(s, request->peer_ip, request->peer_port);
  if (error != 0) { /* it remains bound */
    if (s->ate != NULL) ate_peer_gone(s->ate);
    s->ate_id = CONTROL_ATE_NONE;
    s->state = CONTROL_BOUND;
    s->peer_ip = s->peer_port = 0;
  }
  return error;
}

/* Discards the socket completely. */
static void give_up(struct socket* s, int* program_end) {
  s->program_done = s->program_gone = true;
  socket_wake(s);
  if (*program_end >= 0) close(*program_end);
  *program_end = -1;
}

/* Whether an existing socket can connect. 0 or errno. */
static int check_socket(const struct socket* s, const struct control_request* request,
                        const struct port* port, const char** why) {
  bool datagram = socket_is_datagram(s);
  *why = "";
  if (datagram != (request->datagram != 0)) {
    *why = "the socket is of another kind than the request: TCP or UDP";
    return EINVAL;
  }
  if (datagram) return 0;
  if (s->state != CONTROL_BOUND) return s->state == CONTROL_CONNECTING ? EALREADY : EISCONN;
  *why = "the peer is not reached through the port that it is bound to";
  return port == s->port ? 0 : ENETUNREACH;
}

void opening_connect(struct socket* s, const struct control_request* request, struct user* user,
                     struct control_reply* reply, int* program_end) {
  bool fresh = s == NULL;
  struct port* port = is_group(request->peer_ip) && request->options.mcast_if != 0
                          ? find_port(request)
                          : port_for_peer(request->peer_ip);
  if (request->datagram && request->ate_id != CONTROL_ATE_NONE) {
    control_refuse(reply, EINVAL, "the transmit engine sends TCP, not datagrams");
    return;
  }
  if (!fresh) {
    const char* why;
    if (socket_is_datagram(s)) port = datagram_port(s, request->peer_ip);
    int error = check_socket(s, request, port, &why);
    if (error != 0) {
      control_refuse(reply, error, why);
      return;
    }
  }
  if (port == NULL) return; /* the kernel's */
  if (request->peer_ip == port_ip(port) && !request->datagram) {
    control_refuse(reply, EADDRNOTAVAIL,
                   "this is the card's own address: a port does not hear itself");
    return;
  }
  if (request->peer_ip == port_broadcast(port)) {
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
    unsigned kind = request->datagram                     ? KIND_DATAGRAM
                    : request->ate_id != CONTROL_ATE_NONE ? KIND_ATE
                                                          : KIND_STREAM;
    s = make_bound(port, request, kind, user, reply, program_end);
    if (s == NULL) return;
  }
  int error = start_connect(s, request);
  if (error == 0) {
    control_describe(s, reply);
    return;
  }
  char text[CONTROL_TEXT] = "";
  if (error == EOPNOTSUPP) {
    snprintf(text, sizeof(text), "port %u has no TCP transmit engine", port->number);
  } else if (error == ENOPROTOOPT) {
    snprintf(text, sizeof(text), "the transmit engine sends with %s", CONTROL_ENGINE_HEADER);
  } else if (error == EINVAL) {
    snprintf(text, sizeof(text), "port %u has the connections 0 to %u, not %d", port->number,
             port->connections - 1, request->ate_id);
  } else if (error == EBUSY) {
    snprintf(text, sizeof(text), "connection %d of port %u is in use by another socket",
             request->ate_id, port->number);
  }
  control_refuse(reply, error, text);
  if (fresh) give_up(s, program_end);
}
