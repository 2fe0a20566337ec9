/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * What programs and ullnicd say to each other, over a SOCK_SEQPACKET unix socket.
 *
 * A connection carries one request and one reply, so that threads and forked children never share
 * one. It may carry more, one after the other: the next request is read when the reply has been.
 * A reply can bring a descriptor: the program's end of a socket pair, which takes the place of the
 * program's own socket. Nothing about the pair can be seen from outside: it has no name.
 *
 * A socket answers to the user who made it. Another one's requests name a socket that is not known,
 * until they bring the descriptor: CONTROL_QUERY with id 0 and the program's end gives the id, and
 * from then on the socket answers to that user, too. So a program finds what it has inherited
 * through exec(), and one that has changed its user since fork() goes on.
 *
 * The pair of a TCP socket is a stream. Bytes from the program that the daemon has dealt with are
 * taken out of the stream except for the last one: as long as a byte is unread, closing the
 * daemon's end is an ECONNRESET to the program, by the kernel's own rules. Before the connection is
 * there, the stream is full of bytes that mean nothing, so the program's end is not writable.
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
#define CONTROL_PATH "/run/ullnicd.sock"
#define CONTROL_PATH_VARIABLE "ULLNICD_SOCKET"
/* The daemon's card, as libexanic names it. */
#define CONTROL_DEVICE "ullnic0"
#define CONTROL_ATE_NONE (-1)

enum control_op {
  CONTROL_PROBE = 1, /* are you there, and which ports have an engine? */
  CONTROL_BIND,      /* a socket at local address and port: gives id and descriptor; id: that one */
  CONTROL_CONNECT,   /* to the peer; id of a bound socket, or 0: gives id and descriptor */
  CONTROL_LISTEN,    /* id */
  CONTROL_QUERY,     /* id: what has become of it; or 0 and the program's end of the pair */
  CONTROL_OPTIONS,   /* id: new options */
  CONTROL_GROUP,     /* id of a datagram socket, group_action: on the multicast group peer_ip */
  CONTROL_READ_REGISTER,  /* address: gives value */
  CONTROL_WRITE_REGISTER, /* address, value; not the engine's connections, which are the daemon's */
  CONTROL_RAW,            /* value, a port of the card: gives a descriptor that takes frames */
  CONTROL_DELEGATE,       /* id, delegated_bytes: gives headers, so that the program sends */
  CONTROL_DELEGATED,      /* id, and behind the request the bytes that it has sent */
  CONTROL_UNDELEGATE,     /* id: it will send nothing more on those headers */
  CONTROL_ROUTE,          /* local_ip, or (0) peer_ip: is it the card's? Changes nothing */
  CONTROL_MORE,           /* id, value: so many bytes come that MSG_MORE holds back */
  CONTROL_LINGER,         /* id of a closed socket: value 1 until the peer has all of it */
  CONTROL_DMA_QUEUE,      /* value, a queue of the DMA: gives words, struct ullnic_dma_queue */
  CONTROL_DMA_ERRORS,     /* gives words, struct ullnic_dma_errors */
  CONTROL_DISCONNECT,     /* id of a datagram socket: it has no peer any more */
  CONTROL_SHUTDOWN,       /* id, value: shutdown(SHUT_WR or SHUT_RDWR) of the pair's end follows */
};

/* Most bytes behind a request (of CONTROL_DELEGATED). */
#define CONTROL_DATA 32768
/* Most bytes of a UDP datagram: what an IP packet has room for. */
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
  KIND_NONE,     /* no socket of ours */
  KIND_STREAM,   /* bytes */
  KIND_ATE,      /* bytes, and each write with a descriptor as a mark: it is one payload */
  KIND_LISTENER, /* struct accepted with a descriptor */
  KIND_DATAGRAM, /* datagrams, each after a struct datagram_address */
  KIND_RAW,      /* frames that go out as they are; no socket of a program */
};

/* What CONTROL_GROUP does, on the interface local_ip (0: any). */
enum group_action {
  GROUP_JOIN,
  GROUP_LEAVE,
  GROUP_JOIN_SOURCE, /* source_ip: receive from this one */
  GROUP_LEAVE_SOURCE,
  GROUP_BLOCK, /* receive from all but this one */
  GROUP_UNBLOCK,
};

/* What a program wants to know of each datagram (IP_PKTINFO ...), bits of `receive`. */
enum {
  RECEIVE_PKTINFO = 1,
  RECEIVE_TTL = 2,
  RECEIVE_TOS = 4,
  RECEIVE_ORIGINAL = 8, /* IP_RECVORIGDSTADDR */
};

/* What CONTROL_DELEGATE has found. */
enum delegated_state {
  DELEGATED_OK,
  DELEGATED_NO_SOCKET,  /* not TCP, not connected, or of the transmit engine */
  DELEGATED_CONNECTING, /* not yet connected */
  DELEGATED_SHUT,       /* the program writes no more, or the connection has ended */
  DELEGATED_BUSY,       /* what the program wrote before has not all been sent */
  DELEGATED_NO_WINDOW,
  DELEGATED_NO_NEIGHBOUR,
};

/* For delegated_bytes: a segment, whatever its size, and no headers while it has no room. */
#define DELEGATED_SEGMENT UINT32_MAX

struct delegated {
  uint8_t state;          /* enum delegated_state */
  uint8_t headers_length; /* 54, or 58 with a VLAN tag */
  uint16_t reserved;
  uint32_t window;    /* bytes: the peer's window, and room to keep them */
  int32_t congestion; /* bytes of the congestion window; not obeyed here */
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
  uint32_t user_timeout_ms; /* 0: lwIP's own patience */
  uint32_t stamping;        /* received datagrams' times, see preload/stamps.h; 0: none */
  uint8_t reuse_port;
  uint8_t ttl, tos;
  uint8_t mcast_ttl, mcast_loop, mcast_all;
  uint8_t receive;         /* RECEIVE_PKTINFO ... */
  uint32_t mcast_if;       /* address of the port that groups are sent through; 0: any */
  uint32_t receive_buffer; /* as SO_RCVBUF reads back; 0: the usual one */
};

struct control_request {
  uint32_t magic;
  uint32_t op;
  uint64_t id;
  uint32_t local_ip, peer_ip; /* network order, as all addresses and ports here */
  uint32_t via_ip;    /* CONTROL_BIND: of a port of the card; 0: as local_ip or peer_ip has it */
  uint32_t source_ip; /* CONTROL_GROUP */
  uint16_t local_port, peer_port;
  int32_t ate_id; /* or CONTROL_ATE_NONE */
  int32_t backlog;
  uint8_t datagram;
  uint8_t unbound;       /* CONTROL_BIND of a datagram socket: only to the card, not to local_ip */
  uint8_t group_action;  /* enum group_action */
  uint8_t silent_join;   /* without telling the network */
  uint8_t any_neighbour; /* CONTROL_DELEGATE: also with no destination, if ARP has not found it */
  uint32_t address, value;  /* of a register of the card (BAR2) */
  uint32_t delegated_bytes; /* that may be sent elsewhere, at most */
  struct control_options options;
};

/* What a user has, for CONTROL_PROBE. */
struct control_usage {
  uint32_t connections, sockets, memberships; /* see ullnicd --limit */
  uint32_t reserved;
  uint64_t refused; /* requests and connections, because of the limits */
};

struct control_reply {
  uint32_t magic;
  int32_t error;       /* errno, 0 if it worked */
  uint8_t accelerated; /* 0: the address is not reached through the card */
  uint8_t port;        /* of the card */
  uint8_t kind;
  uint8_t state;
  uint32_t tcp_enables; /* ports with an engine */
  uint64_t id;
  uint32_t local_ip, peer_ip;
  uint16_t local_port, peer_port;
  int32_t ate_id;
  int32_t verdict;    /* CONTROL_CLOSED: errno of the end, 0 if it was in order */
  uint32_t tcp_state; /* of a connection, as TCP_INFO numbers them; 0: there is none */
  uint32_t mss, rtt_us, cwnd, unacked;
  uint32_t value;        /* of a register; bytes that CONTROL_DELEGATED took; of CONTROL_LINGER */
  uint32_t unacked_all;  /* bytes that the program wrote and the peer has not acknowledged */
  uint32_t broadcast_ip; /* of the port's network */
  uint32_t turned_away;  /* 1: the connection, not the request, is refused; it ends */
  struct control_usage usage;
  struct delegated delegated;
  struct control_options options;
  union {
    char text[CONTROL_TEXT]; /* cause and remedy, empty if there is nothing to say */
    uint32_t words[CONTROL_TEXT / sizeof(uint32_t)]; /* of CONTROL_DMA_*, without an error */
  };
};

/* What a listener's stream carries for each connection, with its descriptor. */
struct accepted {
  uint64_t id;
  uint32_t peer_ip;
  uint16_t peer_port;
  uint16_t linger_s; /* what it has of its listener; 0: none */
};

/* Before each datagram, both ways; from the program all zero: to the peer
 * that it is connected to. */
struct datagram_address {
  uint32_t ip;
  uint16_t port;
  uint16_t local_port; /* what it was sent to, from here on of received ones only */
  uint32_t local_ip, interface_ip;
  uint8_t receive, ttl, tos; /* what the program wanted to know then; of the IP header */
  uint8_t error;      /* errno: no datagram, but why the last ones did not reach the peer; else 0 */
  uint32_t stamping;  /* which times it wanted then */
  uint64_t card_ns;   /* when its first bit came (of its last fragment), since the card's reset */
  uint64_t system_ns; /* when the daemon took it, CLOCK_REALTIME */
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
