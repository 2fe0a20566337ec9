/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 */
#include "daemon/control.h"

#include <errno.h>

#include "common/protocol.h"
#include "daemon/card_requests.h"
#include "daemon/cork.h"
#include "daemon/datagram.h"
#include "daemon/delegated.h"
#include "daemon/ending.h"
#include "daemon/groups.h"
#include "daemon/listener.h"
#include "daemon/loss.h"
#include "daemon/opening.h"
#include "daemon/program_stream.h"
#include "daemon/socket.h"
#include "daemon/stream.h"
#include "daemon/users.h"
#include "lwip/priv/tcp_priv.h"

static bool ending;

void control_describe(const struct socket* s, struct control_reply* reply) {
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
  reply->broadcast_ip = port_broadcast(s->port);
  memcpy(reply->text, s->text, sizeof(reply->text));
  const struct tcp_pcb* pcb = s->pcb;
  if (pcb == NULL || s->state != CONTROL_CONNECTED) return;
  /* Numbers of <netinet/tcp.h>, which cannot be included together with lwIP's headers. */
  static const uint8_t states[] = {[ESTABLISHED] = 1, [SYN_RCVD] = 3,  [FIN_WAIT_1] = 4,
                                   [FIN_WAIT_2] = 5,  [TIME_WAIT] = 6, [CLOSE_WAIT] = 8,
                                   [LAST_ACK] = 9,    [CLOSING] = 11};
  reply->tcp_state = states[pcb->state];
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

static void take_report(struct socket* s, const struct asker* asker, struct control_reply* reply) {
  size_t length = asker->length;
  int error = delegated_report(s, asker->data, length);
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
             CONTROL_ENGINE_HEADER);
    control_refuse(reply, ENOPROTOOPT, text);
    return;
  }
  s->options = *options;
  if (s->state == CONTROL_CLOSED) return; /* a program reads back what it sets */
  stream_apply_options(s);
  socket_limit_received(s);
}

/* Properties of a socket that matter for requests. */
enum {
  BOUND = 1,
  CONNECTING = 2,
  CONNECTED = 4,
  LISTENING = 8,
  ENDED = 16, /* a connection; the program may still have its end */
  STREAM = BOUND | CONNECTING | CONNECTED | LISTENING | ENDED,
  DATAGRAM = 32,
  RAW = 64,
  GONE = 128, /* retired, and no program has it: only its result is known */
};

static unsigned nature_of(const struct socket* s) {
  static const unsigned streams[] = {[CONTROL_BOUND] = BOUND,
                                     [CONTROL_CONNECTING] = CONNECTING,
                                     [CONTROL_CONNECTED] = CONNECTED,
                                     [CONTROL_LISTENING] = LISTENING,
                                     [CONTROL_CLOSED] = ENDED};
  bool is_stream = !socket_is_datagram(s) && s->kind != KIND_RAW;
  /* When both directions are shut down, nothing shows whether the program still has its end. */
  bool gone = !is_stream || (s->program_gone && !s->fin_reported);
  if (s->state == CONTROL_CLOSED && gone) return GONE;
  if (is_stream) return streams[s->state];
  return s->kind == KIND_RAW ? RAW : DATAGRAM;
}

/* Sockets that each request may name. */
static const unsigned may_name[] = {
    [CONTROL_BIND] = DATAGRAM,
    [CONTROL_CONNECT] = BOUND | CONNECTING | CONNECTED | LISTENING | DATAGRAM,
    [CONTROL_LISTEN] = BOUND | LISTENING,
    [CONTROL_QUERY] = STREAM | DATAGRAM | GONE,
    [CONTROL_OPTIONS] = STREAM | DATAGRAM,
    [CONTROL_GROUP] = DATAGRAM,
    [CONTROL_DELEGATE] = STREAM | DATAGRAM,
    [CONTROL_DELEGATED] = STREAM,
    [CONTROL_UNDELEGATE] = STREAM,
    [CONTROL_MORE] = STREAM,
    [CONTROL_LINGER] = STREAM | DATAGRAM | GONE,
    [CONTROL_DISCONNECT] = DATAGRAM,
    [CONTROL_SHUTDOWN] = CONNECTING | CONNECTED | ENDED,
};

/* 0 or errno. */
static int check_nature(const struct socket* s, unsigned op) {
  unsigned nature = nature_of(s), wanted = may_name[op];
  if ((nature & wanted) != 0) return 0;
  if ((nature & (GONE | RAW)) != 0 || (nature == ENDED && op == CONTROL_CONNECT)) return EBADF;
  bool other_kind = (nature & STREAM) != 0 ? (wanted & STREAM) == 0 : (wanted & DATAGRAM) == 0;
  return other_kind ? EOPNOTSUPP : EINVAL;
}

/* The socket that a request names; NULL if there is none, or none of this user. */
static struct socket* find_named(const struct control_request* request, const struct asker* asker) {
  if (request->op == CONTROL_QUERY && request->id == 0 && asker->cookie != 0) {
    struct socket* s = socket_of_cookie(asker->cookie);
    if (s != NULL) s->holder = asker->user->id;
    return s;
  }
  struct socket* s = request->id != 0 ? socket_find(request->id) : NULL;
  return s != NULL && socket_serves(s, asker->user->id) ? s : NULL;
}

/* Requests for an existing socket. */
static void ask_socket(struct socket* s, const struct control_request* request,
                       const struct asker* asker, struct control_reply* reply) {
  const char* why = "";
  switch (request->op) {
    case CONTROL_LISTEN:
      reply->error = listener_start(s, request->backlog);
      break;
    case CONTROL_OPTIONS:
      set_options(s, &request->options, reply);
      break;
    case CONTROL_MORE:
      cork_more(s, request->value);
      break;
    case CONTROL_LINGER:
      reply->value = ending_lingers(s);
      break;
    case CONTROL_SHUTDOWN:
      reply->error = ending_shutdown(s, request->value);
      break;
    case CONTROL_DISCONNECT:
      datagram_disconnect(s);
      break;
    case CONTROL_GROUP:
      reply->error = groups_change(s, request, &why);
      break;
    case CONTROL_DELEGATE:
      delegated_prepare(s, request->delegated_bytes, request->any_neighbour != 0,
                        &reply->delegated);
      break;
    case CONTROL_DELEGATED:
      take_report(s, asker, reply);
      return;
    case CONTROL_UNDELEGATE:
      reply->error = delegated_end(s) ? 0 : EBADMSG;
      break;
    default: /* CONTROL_QUERY */
      break;
  }
  control_describe(s, reply);
  if (why[0] != '\0') control_refuse(reply, reply->error, why);
}

static void ask_card(const struct control_request* request, const struct asker* asker,
                     struct control_reply* reply, int* program_end) {
  if (!asker->may_reach_card) {
    char text[CONTROL_TEXT];
    snprintf(
        text, sizeof(text),
        "user %u may not use the card's registers, see its DMA, nor send frames of its own: be "
        "root, or start ullnicd with --card-group GROUP and be in it",
        asker->user->id);
    control_refuse(reply, EPERM, text);
  } else if (request->op == CONTROL_RAW) {
    card_raw(request, asker->user, reply, program_end);
  } else if (request->op == CONTROL_READ_REGISTER || request->op == CONTROL_WRITE_REGISTER) {
    card_register(request, reply);
  } else {
    card_dma(request, reply);
  }
}

void control_answer(const struct control_request* request, const struct asker* asker,
                    struct control_reply* reply, int* program_end) {
  reply->tcp_enables = ports_tcp_enables();
  bool opens = request->op == CONTROL_BIND || request->op == CONTROL_CONNECT;
  if (ending && opens) {
    control_refuse(reply, ENETDOWN, "ullnicd is being ended, or its card is gone");
    return;
  }
  switch (request->op) {
    case CONTROL_PROBE:
      user_describe(asker->user, &reply->usage);
      return;
    case CONTROL_ROUTE:
      opening_route(request, reply);
      return;
    case CONTROL_READ_REGISTER:
    case CONTROL_WRITE_REGISTER:
    case CONTROL_RAW:
    case CONTROL_DMA_QUEUE:
    case CONTROL_DMA_ERRORS:
    case CONTROL_DMA_EVENTS:
    case CONTROL_DMA_WATCH:
      ask_card(request, asker, reply, program_end);
      return;
    default:
      break;
  }
  if (request->op >= sizeof(may_name) / sizeof(may_name[0]) || may_name[request->op] == 0) {
    control_refuse(reply, EINVAL, "ullnicd does not know this request: it is of another version");
    return;
  }
  struct socket* s = NULL;
  if (!opens || request->id != 0) {
    s = find_named(request, asker);
    int error = s != NULL ? check_nature(s, request->op) : EBADF;
    if (error != 0) {
      control_refuse(reply, error,
                     error == EBADF ? "ullnicd does not know this socket (any more)" : "");
      return;
    }
  }
  if (request->op == CONTROL_BIND) {
    opening_bind(s, request, asker->user, reply, program_end);
  } else if (request->op == CONTROL_CONNECT) {
    opening_connect(s, request, asker->user, reply, program_end);
  } else {
    ask_socket(s, request, asker, reply);
  }
}

void control_end(void) { ending = true; }
