/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The daemon's side of a program's socket: what all kinds have in common.
 */
#ifndef ULLNICD_SOCKET_H
#define ULLNICD_SOCKET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/protocol.h"
#include "daemon/loop.h"
#include "daemon/port.h"

struct ate;
struct membership;
struct tcp_pcb;
struct udp_port;
struct pbuf;
struct user;

/* Received data that the program's end has no room for. */
struct received {
  struct received* next;
  struct pbuf* data;
  uint16_t offset; /* bytes of it already delivered */
};

struct socket {
  struct watch watch; /* our end of the pair; fd -1: closed */
  uint64_t id;
  uint64_t cookie;   /* the kernel's number (SO_COOKIE) of the program's end */
  struct user* user; /* creator: the socket counts for this user */
  uint32_t holder;   /* the user that last presented the program's end */
  bool counted;      /* among the user's sockets */
  unsigned kind;     /* enum control_kind */
  unsigned state;    /* enum control_state */
  int verdict;       /* errno of its end */
  char text[CONTROL_TEXT];
  struct port* port;
  uint32_t local_ip, peer_ip;
  uint16_t local_port, peer_port;
  struct control_options options;
  uint64_t started_ms;

  struct tcp_pcb* pcb;
  struct udp_port* udp;       /* its entry among the UDP ports; NULL: not bound */
  struct socket* next_on_udp; /* the socket that was bound before it */
  bool shares_port;           /* SO_REUSEPORT was set when it was bound */
  bool chose_ip, chose_port;  /* the program has bound it to these */
  struct ate* ate;
  int ate_id;

  size_t stale;        /* bytes at the head of the program's stream that are already processed */
  size_t message_left; /* rest of the message that the last chunk was taken from */
  bool program_done;   /* it sends nothing more */
  bool program_gone;   /* no process holds its end any more */
  bool program_deaf;   /* it receives nothing more */
  uint8_t shut;        /* its shutdown(): SHUT_WR, SHUT_RDWR, or 0 */
  bool drained;        /* its stream has no new bytes */
  bool peer_done;      /* the peer sent FIN */
  bool fin_reported, fin_sent, closing;
  bool in_time_wait; /* only lwIP has the connection */
  struct received *received, **received_end;
  uint64_t taken;                 /* bytes consumed from the program's stream */
  uint64_t hardware;              /* bytes of the engine's user logic, as far as the mirror shows */
  uint64_t held;                  /* part of `taken`: the engine was stopped before it sent them */
  uint64_t acked;                 /* bytes, whoever sent them */
  struct socket* next_sharer;     /* listeners of one address (SO_REUSEPORT), in a ring */
  struct membership* memberships; /* in multicast groups */
  unsigned membership_count;
  uint64_t lost_datagrams;
  uint64_t progress_ms; /* last time of an ACK or with nothing in flight */
  struct {
    bool open;         /* the program has headers */
    uint32_t next;     /* sequence number of the first byte that it has not reported */
    uint32_t bytes;    /* that it may send from there on */
    uint64_t asked_ms; /* last time with room or of a window probe */
  } delegated;
  struct {
    uint64_t more_until; /* position in `taken` up to which the program used MSG_MORE */
    uint64_t since_ms;   /* since when less than a segment waits; 0: nothing does */
    bool over;           /* it has waited for long */
  } cork;

  bool awake; /* in the list of sockets to serve */
  struct socket *next_awake, *next_of_hash, *next_of_cookie, *next_retired;
};

/* Creates a socket of this kind in CONTROL_BOUND, with a pair; the caller hands over and closes the
 * program's end. NULL with errno; ENOBUFS: the user has too many, see users_why(). */
struct socket* socket_new(struct port* port, unsigned kind, struct user* user, int* program_end);
struct socket* socket_find(uint64_t id);
/* The socket whose program's end has this SO_COOKIE. */
struct socket* socket_of_cookie(uint64_t cookie);
bool socket_serves(const struct socket* socket, uint32_t user);
/* Stops counting it for its user if only its result is left. */
void socket_count(struct socket* socket);
bool socket_is_datagram(const struct socket* socket);
/* Sets the size of the program's receive buffer to SO_RCVBUF, if the kernel allows it. */
void socket_limit_received(struct socket* socket);
/* Closes our end, once, and retains the result for queries. */
void socket_retire(struct socket* socket);
/* Fills the program's stream so that it is not writable. */
void socket_fill(struct socket* socket, int program_end);
/* "10.9.1.2:40000 to 10.9.1.3:5000" */
const char* socket_text(const struct socket* socket);

/* Marks it to be served in this round of the loop. */
void socket_wake(struct socket* socket);
/* Whether one waits to be served. */
bool sockets_awake(void);
/* Serves the woken ones. */
void sockets_serve(void);
/* Called about every 100 ms: timeouts and lingering sockets. */
void sockets_tick(void);
/* Wakes all: there is room in the rings again. */
void sockets_wake_all(void);
/* Ends all TCP sockets with this errno. True: there was one. */
bool sockets_abort_all(int error);

#endif /* ULLNICD_SOCKET_H */
