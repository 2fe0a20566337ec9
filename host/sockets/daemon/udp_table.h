/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The UDP port numbers in use, and the sockets of each. Which sockets may bind, and which receive a
 * datagram, is decided as on Linux; lwIP has each port number once, not bound to an address.
 */
#ifndef ULLNICD_UDP_TABLE_H
#define ULLNICD_UDP_TABLE_H

#include "daemon/socket.h"

struct pbuf;

/* A datagram for sockets of this machine. */
struct arrival {
  struct port* port; /* of the card */
  uint32_t source_ip, destination_ip;
  uint16_t source_port, destination_port; /* network order */
  uint8_t ttl, tos;
  bool to_many; /* to a group or a broadcast address */
  const struct pbuf* data;
};

/* Whether Linux would refuse to bind a socket with these options to this address. */
bool udp_table_in_use(uint32_t ip, uint16_t number, const struct control_options* options,
                      const struct user* user);
/* Number 0: any free one. 0 or errno. */
int udp_table_bind(struct socket* socket, uint32_t ip, uint16_t number);
/* Moves it to another address: it takes precedence over those that were bound earlier. */
void udp_table_move(struct socket* socket, uint32_t ip);
void udp_table_remove(struct socket* socket);
/* Delivers a datagram to every socket that Linux would deliver it to. False: to none. */
bool udp_table_deliver(const struct arrival* arrival);
/* Reports an ICMP error about the peer to the socket that is connected to it. */
void udp_table_fail(uint32_t ip, uint16_t number, uint32_t peer_ip, uint16_t peer_port, int error);
/* lwIP's side of a bound socket. */
struct udp_pcb* udp_table_pcb(const struct socket* socket);

#endif /* ULLNICD_UDP_TABLE_H */
