/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Hooks that lwIP calls in the daemon.
 */
#ifndef ULLNIC_LWIP_HOOKS_H
#define ULLNIC_LWIP_HOOKS_H

#include "lwip/err.h"
#include "lwip/ip_addr.h"

/* Unpredictable initial sequence numbers (lwIP's own are a counter). */
u32_t ullnic_initial_sequence(const ip_addr_t* local_ip, u16_t local_port,
                              const ip_addr_t* remote_ip, u16_t remote_port);

struct netif;
struct eth_vlan_hdr;
/* VLAN tag of frames that a port sends, or -1. */
s32_t ullnic_vlan_tag(struct netif* netif);
/* Whether a port accepts a tagged frame. */
int ullnic_vlan_is_ours(struct netif* netif, const struct eth_vlan_hdr* tag);

struct igmp_group;
/* Replaces lwIP's igmp_lookfor_group(), which searches all groups for each received multicast
 * packet. */
struct igmp_group* ullnic_look_for_group(struct netif* netif, const ip4_addr_t* ip);

/* In retransmission timeouts of ours. lwIP's 6 are 0.7 s here; after that it drops out-of-order
 * segments, and a peer with a longer RTO would retransmit all of them again and again. This value
 * is at least two hours, longer than Linux retransmits; the window bounds the memory. */
#ifdef TCP_OOSEQ_TIMEOUT
#undef TCP_OOSEQ_TIMEOUT
#define TCP_OOSEQ_TIMEOUT 0x10000U
#endif

struct tcp_hdr;
struct tcp_pcb;
/* Called for each segment of a connection before lwIP processes it (its header is in host
 * order). */
err_t ullnic_tcp_input(struct tcp_pcb* pcb, const struct tcp_hdr* header);

/* Called before that one: not ERR_OK if the connection was in TIME-WAIT and has been freed. */
err_t ullnic_time_wait_input(struct tcp_pcb* pcb, const struct tcp_hdr* header);

/* Called for each segment of a connection or a listener before lwIP and the two above: not ERR_OK
 * if it is to be dropped. May change its options, which are in one or two parts. */
struct pbuf;
err_t ullnic_check_segment(struct tcp_pcb* pcb, struct tcp_hdr* header, u16_t option_length,
                           u16_t option_1_length, u8_t* option_2, const struct pbuf* data);
/* The same for its ACK, after ullnic_tcp_input(). */
err_t ullnic_check_ack(struct tcp_pcb* pcb, const struct tcp_hdr* header);
/* Called for each IPv4 packet before lwIP processes it. Not 0: it has been freed. */
int ullnic_check_packet(struct pbuf* packet);

#endif /* ULLNIC_LWIP_HOOKS_H */
