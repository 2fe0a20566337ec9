/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * A program's socket, as the daemon has it: what all kinds have in common.
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
  uint16_t offset; /* bytes of it that are gone */
};

struct socket {
  struct watch watch; /* our end of the pair; fd -1: closed */
  uint64_t id;
  uint64_t cookie;   /* the kernel's number (SO_COOKIE) of the program's end */
  struct user* user; /* who made it: it counts for this one */
  uint32_t holder;   /* the user that has shown the program's end last */
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
  struct udp_port* udp;       /* its number among the UDP ports; NULL: not bound */
  struct socket* next_on_udp; /* the one that was bound before it */
  bool shares_port;           /* SO_REUSEPORT was set when it was bound */
  bool chose_ip, chose_port;  /* the program has bound it to these */
  struct ate* ate;
  int ate_id;

  size_t stale;        /* bytes at the head of the program's stream that are dealt with */
  size_t message_left; /* of the message that the last chunk was cut from */
  bool program_done;   /* it will send nothing more */
  bool program_gone;   /* nobody holds its end any more */
  bool program_deaf;   /* it receives nothing more */
  uint8_t shut;        /* its shutdown(): SHUT_WR, SHUT_RDWR, or 0 */
  bool drained;        /* nothing new is in its stream */
  bool peer_done;      /* the peer sent FIN */
  bool fin_told, fin_sent, closing;
  bool in_time_wait; /* lwIP has the connection, without us */
  struct received *received, **received_end;
  uint64_t taken;                 /* bytes of the program's stream */
  uint64_t hardware;              /* bytes of the engine's user logic, as far as the mirror shows */
  uint64_t held;                  /* of `taken`: the engine was stopped before it sent them */
  uint64_t acked;                 /* bytes, whoever sent them */
  struct socket* next_sharer;     /* listeners of one address (SO_REUSEPORT), in a ring */
  struct membership* memberships; /* in multicast groups */
  unsigned membership_count;
  uint64_t lost_datagrams;
  uint64_t progress_ms; /* when there was an ACK, or nothing was in flight */
  struct {
    bool open;         /* headers are with the program */
    uint32_t next;     /* sequence number of the first byte that it has not reported */
    uint32_t bytes;    /* from there on that it may send */
    uint64_t asked_ms; /* when there was room, or the peer was asked for its window */
  } delegated;
  struct {
    uint64_t more_until; /* of `taken`: up to there the program said that more comes */
    uint64_t since_ms;   /* less than a segment waits; 0: nothing does */
    bool over;           /* it has waited for long */
  } cork;

  bool awake; /* in the list of those to be served */
  struct socket *next_awake, *next_of_hash, *next_of_cookie, *next_retired;
};

/* A new socket of this kind in CONTROL_BOUND, with a pair; the program's end is the caller's to
 * hand over and close. NULL with errno; ENOBUFS: the user has too many, see users_why(). */
struct socket* socket_new(struct port* port, unsigned kind, struct user* user, int* program_end);
struct socket* socket_find(uint64_t id);
/* The one whose program's end has this SO_COOKIE. */
struct socket* socket_of_cookie(uint64_t cookie);
bool socket_serves(const struct socket* socket, uint32_t user);
/* It does not count for its user any more if nothing of it is left but what became of it. */
void socket_count(struct socket* socket);
bool socket_is_datagram(const struct socket* socket);
/* Makes the program's buffer of received data as large as SO_RCVBUF has it, if the kernel lets us.
 */
void socket_limit_received(struct socket* socket);
/* Closes our end, once, and keeps what became of it for those who ask. */
void socket_retire(struct socket* socket);
/* Fills the program's stream so that it is not writable. */
void socket_fill(struct socket* socket, int program_end);
/* "10.9.1.2:40000 to 10.9.1.3:5000" */
const char* socket_text(const struct socket* socket);

/* Serves it in this round of the loop. */
void socket_wake(struct socket* socket);
/* Whether one waits to be served. */
bool sockets_awake(void);
/* Serves the woken ones. */
void sockets_serve(void);
/* About every 100 ms: time limits, what lingers. */
void sockets_tick(void);
/* Wakes all: there is room in the rings again. */
void sockets_wake_all(void);
/* Ends all TCP sockets with this errno. True: there was one. */
bool sockets_abort_all(int error);

#endif /* ULLNICD_SOCKET_H */
