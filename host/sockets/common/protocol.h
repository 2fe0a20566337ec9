/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Protocol between programs and ullnicd, over a SOCK_SEQPACKET unix socket.
 *
 * A connection carries one request and one reply, so that threads and forked children never share
 * one. It may carry more, one after the other: the next request is read once the reply has been
 * read. A reply can carry a descriptor: the program's end of a socket pair, which replaces the
 * program's own socket. The pair is invisible from outside: it has no name.
 *
 * Only requests of the user that created a socket may name it. To another user its id is unknown
 * until a request carries the descriptor: CONTROL_QUERY with id 0 and the program's end returns the
 * id, and from then on that user may name the socket, too. So a program finds sockets inherited
 * through exec(), and one that has changed its user since fork() can continue.
 *
 * The pair of a TCP socket is a stream. The daemon reads the bytes that it has processed from the
 * stream except for the last one: as long as a byte is unread, closing the daemon's end is an
 * ECONNRESET to the program, by the kernel's own rules. Until the connection is established, the
 * stream is full of dummy bytes, so the program's end is not writable.
 */
#ifndef ULLNIC_SOCKETS_PROTOCOL_H
#define ULLNIC_SOCKETS_PROTOCOL_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>

#define CONTROL_MAGIC 0x554c4e31u
#define CONTROL_TEXT 256
/* Most events of the watchdog in a reply. */
#define CONTROL_EVENTS 32
#define CONTROL_PATH "/run/ullnicd.sock"
#define CONTROL_PATH_VARIABLE "ULLNICD_SOCKET"
/* Name of the daemon's card in libexanic. */
#define CONTROL_DEVICE "ullnic0"
#define CONTROL_ATE_NONE (-1)

enum control_op {
  CONTROL_PROBE = 1, /* is ullnicd running, and which ports have an engine? */
  CONTROL_BIND, /* to local address and port: returns id and descriptor; id: an existing socket */
  CONTROL_CONNECT,       /* to the peer; id of a bound socket, or 0: returns id and descriptor */
  CONTROL_LISTEN,        /* id */
  CONTROL_QUERY,         /* id: its state; or 0 and the program's end of the pair */
  CONTROL_OPTIONS,       /* id: new options */
  CONTROL_GROUP,         /* id of a datagram socket, group_action: on the multicast group peer_ip */
  CONTROL_READ_REGISTER, /* address: returns value */
  CONTROL_WRITE_REGISTER, /* address, value; not of the engine's connections */
  CONTROL_RAW,            /* value, a port of the card: returns a descriptor that accepts frames */
  CONTROL_DELEGATE,       /* id, delegated_bytes: returns headers for the program's own sends */
  CONTROL_DELEGATED,      /* id, and after the request the bytes that the program has sent */
  CONTROL_UNDELEGATE,     /* id: the program sends nothing more with those headers */
  CONTROL_ROUTE,          /* local_ip, or (if 0) peer_ip: is it the card's? No side effects */
  CONTROL_MORE,           /* id, value: bytes that follow, written with MSG_MORE */
  CONTROL_LINGER,    /* id of a closed socket: value 1 until the peer has acknowledged everything */
  CONTROL_DMA_QUEUE, /* value, a queue of the DMA: returns words, struct ullnic_dma_queue */
  CONTROL_DMA_ERRORS, /* returns words, struct ullnic_dma_errors */
  CONTROL_DISCONNECT, /* id of a datagram socket: removes its peer */
  CONTROL_SHUTDOWN,   /* id, value: shutdown(SHUT_WR or SHUT_RDWR) of the pair's end follows */
  CONTROL_DMA_EVENTS, /* value, of the watchdog's events, from address on: returns words */
  CONTROL_DMA_WATCH,  /* value, ticks of the watchdog's limit, 0: off; address: a queue, or all */
};

/* Most bytes after a request (CONTROL_DELEGATED). */
#define CONTROL_DATA 32768
/* Most bytes of a UDP datagram: the limit of an IP packet. */
#define CONTROL_LONGEST_DATAGRAM 65507
/* Ethernet with a VLAN tag, IPv4 and TCP without options. */
#define CONTROL_HEADERS 58

enum control_state {
  CONTROL_BOUND,
  CONTROL_CONNECTING,
  CONTROL_CONNECTED,
  CONTROL_LISTENING,
  CONTROL_CLOSED,
};

/* How the program's end of a pair is to be used. */
enum control_kind {
  KIND_NONE,     /* not accelerated */
  KIND_STREAM,   /* bytes */
  KIND_ATE,      /* bytes; each write carries a descriptor as a mark: it is one payload */
  KIND_LISTENER, /* struct accepted with a descriptor */
  KIND_DATAGRAM, /* datagrams, each after a struct datagram_address */
  KIND_RAW,      /* frames that are sent unmodified; no socket of a program */
};

/* Action of CONTROL_GROUP, on the interface local_ip (0: any). */
enum group_action {
  GROUP_JOIN,
  GROUP_LEAVE,
  GROUP_JOIN_SOURCE, /* source_ip: receive from this source */
  GROUP_LEAVE_SOURCE,
  GROUP_BLOCK, /* receive from all except this source */
  GROUP_UNBLOCK,
};

/* Ancillary data that a program requests of each datagram (IP_PKTINFO ...), bits of `receive`. */
enum {
  RECEIVE_PKTINFO = 1,
  RECEIVE_TTL = 2,
  RECEIVE_TOS = 4,
  RECEIVE_ORIGINAL = 8, /* IP_RECVORIGDSTADDR */
};

/* Result of CONTROL_DELEGATE. */
enum delegated_state {
  DELEGATED_OK,
  DELEGATED_NO_SOCKET,  /* not TCP, not connected, or of the transmit engine */
  DELEGATED_CONNECTING, /* not yet connected */
  DELEGATED_SHUT,       /* the program writes no more, or the connection has ended */
  DELEGATED_BUSY,       /* data that the program wrote earlier has not all been sent */
  DELEGATED_NO_WINDOW,
  DELEGATED_NO_NEIGHBOUR,
};

/* For delegated_bytes: one segment, whatever its size; no headers while the window has no room for
 * it. */
#define DELEGATED_SEGMENT UINT32_MAX

struct delegated {
  uint8_t state;          /* enum delegated_state */
  uint8_t headers_length; /* 54, or 58 with a VLAN tag */
  uint16_t reserved;
  uint32_t window;    /* bytes: the peer's window and room for retransmission */
  int32_t congestion; /* bytes of the congestion window; not enforced here */
  uint8_t headers[CONTROL_HEADERS];
};

struct control_options {
  uint8_t no_delay;
  uint8_t keep_alive;
  uint8_t linger; /* close waits for linger_s; 0 s: it is a reset */
  uint8_t reuse_address;
  uint8_t broadcast;
  uint8_t cork;                               /* less than a segment waits */
  uint8_t quick_ack, bind_no_port, free_bind; /* hints, without effect */
  uint8_t reserved[2];
  uint32_t linger_s;
  uint32_t keep_idle_s, keep_interval_s, keep_count;
  uint32_t user_timeout_ms; /* 0: lwIP's own timeout */
  uint32_t stamping;        /* received datagrams' times, see preload/stamps.h; 0: none */
  uint8_t reuse_port;
  uint8_t ttl, tos;
  uint8_t mcast_ttl, mcast_loop, mcast_all;
  uint8_t receive;         /* RECEIVE_PKTINFO ... */
  uint32_t mcast_if;       /* address of the port that multicast is sent through; 0: any */
  uint32_t receive_buffer; /* as SO_RCVBUF reads back; 0: the usual one */
};

struct control_request {
  uint32_t magic;
  uint32_t op;
  uint64_t id;
  uint32_t local_ip, peer_ip; /* network order, as all addresses and ports here */
  uint32_t via_ip;    /* CONTROL_BIND: address of a port of the card; 0: by local_ip or peer_ip */
  uint32_t source_ip; /* CONTROL_GROUP */
  uint16_t local_port, peer_port;
  int32_t ate_id; /* or CONTROL_ATE_NONE */
  int32_t backlog;
  uint8_t datagram;
  uint8_t unbound;       /* CONTROL_BIND of a datagram socket: only to the card, not to local_ip */
  uint8_t group_action;  /* enum group_action */
  uint8_t silent_join;   /* without IGMP reports */
  uint8_t any_neighbour; /* CONTROL_DELEGATE: even without the destination MAC address */
  uint32_t address, value;  /* of a register of the card (BAR2) */
  uint32_t delegated_bytes; /* most bytes that the program may send itself */
  struct control_options options;
};

/* A user's resources, for CONTROL_PROBE. */
struct control_usage {
  uint32_t connections, sockets, memberships; /* see ullnicd --limit */
  uint32_t reserved;
  uint64_t refused; /* requests and connections, because of the limits */
};

struct control_reply {
  uint32_t magic;
  int32_t error;       /* errno, 0 if it worked */
  uint8_t accelerated; /* 0: the address is not reachable through the card */
  uint8_t port;        /* of the card */
  uint8_t kind;
  uint8_t state;
  uint32_t tcp_enables; /* ports with an engine */
  uint64_t id;
  uint32_t local_ip, peer_ip;
  uint16_t local_port, peer_port;
  int32_t ate_id;
  int32_t verdict;    /* CONTROL_CLOSED: errno of the end, 0 if orderly */
  uint32_t tcp_state; /* of a connection, as TCP_INFO numbers them; 0: there is none */
  uint32_t mss, rtt_us, cwnd, unacked;
  uint32_t value; /* of a register; bytes that CONTROL_DELEGATED accepted; of CONTROL_LINGER */
  uint32_t unacked_all;  /* bytes that the program wrote and the peer has not acknowledged */
  uint32_t broadcast_ip; /* of the port's network */
  uint32_t turned_away;  /* 1: the connection, not the request, is refused and closed */
  struct control_usage usage;
  struct delegated delegated;
  struct control_options options;
  union {
    char text[CONTROL_TEXT];                         /* cause and remedy, or empty */
    uint32_t words[CONTROL_TEXT / sizeof(uint32_t)]; /* of CONTROL_DMA_*, without an error */
  };
};

/* Message on a listener's stream for each connection, with its descriptor. */
struct accepted {
  uint64_t id;
  uint32_t peer_ip;
  uint16_t peer_port;
  uint16_t linger_s; /* inherited from its listener; 0: none */
};

/* Precedes each datagram in both directions. From the program, all zero means the connected
 * peer. */
struct datagram_address {
  uint32_t ip;
  uint16_t port;
  uint16_t local_port; /* destination port; from here on of received datagrams only */
  uint32_t local_ip, interface_ip;
  uint8_t receive, ttl, tos; /* what the program requested then; of the IP header */
  uint8_t error;      /* errno: no datagram, but why earlier ones did not reach the peer; else 0 */
  uint32_t stamping;  /* the timestamps requested then */
  uint64_t card_ns;   /* time of its first bit (of its last fragment), since the card's reset */
  uint64_t system_ns; /* when the daemon received it, CLOCK_REALTIME */
};

static inline const char* control_path(void) {
  const char* path = getenv(CONTROL_PATH_VARIABLE);
  return path != NULL && path[0] != '\0' ? path : CONTROL_PATH;
}

/* Returns the length of the address, 0 if the path is too long. */
static inline socklen_t control_address(struct sockaddr_un* address, const char* path) {
  memset(address, 0, sizeof(*address));
  address->sun_family = AF_UNIX;
  if (strlen(path) >= sizeof(address->sun_path)) return 0;
  strcpy(address->sun_path, path);
  return sizeof(*address);
}

#endif /* ULLNIC_SOCKETS_PROTOCOL_H */
