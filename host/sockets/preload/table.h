/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The library's state of the program's descriptors. Little is kept here: an accelerated socket is a
 * kernel descriptor, and ullnicd keeps the rest under its id.
 */
#ifndef ULLNIC_PRELOAD_TABLE_H
#define ULLNIC_PRELOAD_TABLE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/socket.h>
#include <sys/types.h>

#include "common/protocol.h"

struct entry {
  uint8_t kind; /* enum control_kind; KIND_NONE: the kernel's */
  bool plain;   /* acceleration was disabled on it */
  bool wanted;  /* ... enabled on it, against EXASOCK_DEFAULT_DISABLE */
  bool has_ate; /* SO_EXA_ATE was set: ate_id */
  bool datagram;
  bool groups_of_kernel; /* it joined groups in the kernel */
  bool sends_by_index;   /* IP_MULTICAST_IF with a kernel interface index */
  int32_t ate_id;
  uint32_t hidden_options; /* the kernel's socket has them, see preload/option_table.h */
  uint32_t linger_s;       /* how long close() waits; 0: it does not */
  uint32_t broadcast_ip;   /* of the port's network */
  bool connected;          /* false: not as far as this process knows */
  bool pending;            /* connect() has not reported the result */
  bool failed;             /* connect() reported a failure: as if it had not been called */
  uint16_t bound_port;     /* that the program has chosen for a connection; 0: none */
  bool shut;               /* datagram socket: shut for sending */
  uint32_t not_ours;       /* a peer that is not reachable through the card (UDP) */
  uint32_t stamping;       /* with `receive`, ancillary data requested, as of known_ns */
  uint8_t receive;
  uint64_t known_ns; /* CLOCK_REALTIME; 0: not queried */
  uint64_t id;       /* ullnicd's id */
  ino_t inode;       /* of the descriptor that this entry describes */
};

/* The entry of an accelerated socket, NULL if it is none. Costs a comparison. */
struct entry* table_ours(int fd);
/* A descriptor of the socket with this id in ullnicd; -1: none. Slow. */
int table_descriptor(uint64_t id);
/* The entry of an accelerated socket or of one that might become one (TCP or UDP over IPv4),
 * as it is now; NULL for all else. */
struct entry* table_candidate(int fd);
/* The descriptor has become this one. */
void table_set(int fd, uint8_t kind, uint64_t id, bool datagram, uint32_t linger_s);
void table_connected(int fd);
/* Updates a stream's entries from ullnicd's reply: listen() or connect() may have been called on
 * another descriptor of it, here or in another process. Slow, once. */
void table_refresh(const struct control_reply* reply);
/* For all descriptors of this socket: close() waits; a datagram socket has no peer; nothing is to
 * be sent. Slow. */
void table_linger(uint64_t id, uint32_t seconds);
void table_disconnected(uint64_t id);
void table_shut(uint64_t id);
/* Records the ancillary data that it requests, as of `now_ns`, CLOCK_REALTIME. */
void table_wants(uint64_t id, const struct control_options* options, uint64_t now_ns);
/* Fills a new entry from ullnicd's reply. */
void table_take(int fd, const struct control_reply* reply, bool datagram);
/* Adopts descriptors received with a message (SCM_RIGHTS): some may be accelerated sockets of its
 * sender. */
void table_adopt_passed(struct msghdr* message);
void table_copy(int from, int to);
void table_clear(int fd);

#endif /* ULLNIC_PRELOAD_TABLE_H */
