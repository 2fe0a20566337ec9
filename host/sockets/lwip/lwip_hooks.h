/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * What lwIP asks the daemon for.
 */
#ifndef ULLNIC_LWIP_HOOKS_H
#define ULLNIC_LWIP_HOOKS_H

#include "lwip/err.h"
#include "lwip/ip_addr.h"

/* Sequence numbers that nobody can guess (lwIP's own are a counter). */
u32_t ullnic_initial_sequence(const ip_addr_t* local_ip, u16_t local_port,
                              const ip_addr_t* remote_ip, u16_t remote_port);

struct netif;
struct eth_vlan_hdr;
/* Tag of what a port sends, or -1. */
s32_t ullnic_vlan_tag(struct netif* netif);
/* Whether a tagged frame is for a port. */
int ullnic_vlan_is_ours(struct netif* netif, const struct eth_vlan_hdr* tag);

struct igmp_group;
/* What lwIP's igmp_lookfor_group() finds, without looking through all groups: for each received
 * multicast packet. */
struct igmp_group* ullnic_look_for_group(struct netif* netif, const ip4_addr_t* ip);

/* In retransmission timeouts of our own. lwIP's 6 are 0.7 s here: after that it drops what came out
 * of order, and a peer whose timeout has grown beyond sends all of it again, and again. This is two
 * hours at least, longer than Linux repeats; the window bounds what is kept. */
#ifdef TCP_OOSEQ_TIMEOUT
#undef TCP_OOSEQ_TIMEOUT
#define TCP_OOSEQ_TIMEOUT 0x10000U
#endif

struct tcp_hdr;
struct tcp_pcb;
/* Each segment for a connection, before lwIP looks at it (its header is in host order). */
err_t ullnic_tcp_input(struct tcp_pcb* pcb, const struct tcp_hdr* header);

/* The same, before that one: not ERR_OK if the connection was in TIME-WAIT and is gone now. */
err_t ullnic_time_wait_input(struct tcp_pcb* pcb, const struct tcp_hdr* header);

/* Each segment for a connection or a listener, before lwIP and the two above look at it: not ERR_OK
 * if it is to be dropped. May change its options, which are in one or two pieces. */
struct pbuf;
err_t ullnic_check_segment(struct tcp_pcb* pcb, struct tcp_hdr* header, u16_t option_length,
                           u16_t option_1_length, u8_t* option_2, const struct pbuf* data);
/* The same for its ACK, when ullnic_tcp_input() has seen it. */
err_t ullnic_check_ack(struct tcp_pcb* pcb, const struct tcp_hdr* header);
/* Each IPv4 packet, before lwIP looks at it. Not 0: it is freed. */
int ullnic_check_packet(struct pbuf* packet);

#endif /* ULLNIC_LWIP_HOOKS_H */
