/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * lwIP's options for ullnicd. Single-threaded, without an operating system layer: the daemon's loop
 * calls it.
 */
#ifndef ULLNIC_LWIPOPTS_H
#define ULLNIC_LWIPOPTS_H

#define NO_SYS 1
#define SYS_LIGHTWEIGHT_PROT 0
#define LWIP_NETCONN 0
#define LWIP_SOCKET 0
#define LWIP_STATS 0

#define MEM_LIBC_MALLOC 1
#define MEMP_MEM_MALLOC 1
#define MEM_ALIGNMENT 8

#define LWIP_IPV4 1
#define IP_DEFAULT_TTL 64 /* as Linux; lwIP's own is 255 */
#define LWIP_IPV6 0
#define LWIP_ARP 1
#define LWIP_ETHERNET 1
#define LWIP_ICMP 1
#define LWIP_IGMP 1
#define LWIP_UDP 1
#define LWIP_TCP 1
#define LWIP_RAW 1 /* for ICMP errors */
#define LWIP_DHCP 0
#define LWIP_DNS 0
#define ARP_QUEUEING 1
#define ARP_QUEUE_LEN 64
#define ETHARP_SUPPORT_STATIC_ENTRIES 1
#define ETHARP_TABLE_MATCH_NETIF 1
#define ETHARP_SUPPORT_VLAN 1
/* Neighbours of a card; lwIP's default of 10 would evict the oldest. */
#define ARP_TABLE_SIZE 127
#define IP_REASSEMBLY 1
/* All fragments awaiting reassembly. The longest datagram has 45; with lwIP's default of 10 it
 * would never be complete. */
#define IP_REASS_MAX_PBUFS 1024
#define IP_FRAG 1
#define LWIP_NETIF_HOSTNAME 0
#define LWIP_NETIF_LOOPBACK 0
#define LWIP_MULTICAST_TX_OPTIONS 1

#define TCP_MSS 1460
#define LWIP_WND_SCALE 1
#define TCP_RCV_SCALE 3
#define TCP_WND (256 * 1024)
#define TCP_SND_BUF (512 * 1024)
/* An order of hardware is a segment, however short, so many segments are in flight. Debian's
 * library allows only 180 of them, so lwIP is built from source. */
#define TCP_SND_QUEUELEN 60000
#define TCP_SNDLOWAT 32768
#define TCP_SNDQUEUELOWAT 1000
#define TCP_QUEUE_OOSEQ 1
/* Out-of-order segments. lwIP searches them for each segment that arrives, and a peer can send one
 * for each byte of the window. */
#define TCP_OOSEQ_MAX_PBUFS 4096
/* The engine's header has no room for options: no timestamps, no SACK. */
#define LWIP_TCP_TIMESTAMPS 0
#define LWIP_TCP_SACK_OUT 0
#define LWIP_TCP_KEEPALIVE 1
#define TCP_LISTEN_BACKLOG 1
#define SO_REUSE 1
/* Of a listener: for options that its connections inherit before their SYN-ACK is sent. */
#define LWIP_TCP_PCB_NUM_EXT_ARGS 1
/* Retransmission after 120 ms at the earliest instead of 1.5 s; ACKs are delayed by at most 20
 * ms. */
#define TCP_TMR_INTERVAL 20
#define TCP_MAXRTX 12
#define TCP_SYNMAXRTX 6
#define TCP_MSL 5000

#define LWIP_CHECKSUM_ON_COPY 1
#define LWIP_RANDOMIZE_INITIAL_LOCAL_PORTS 1
#define LWIP_HOOK_FILENAME "lwip_hooks.h"
#define LWIP_HOOK_TCP_ISN(local_ip, local_port, remote_ip, remote_port) \
  ullnic_initial_sequence(local_ip, local_port, remote_ip, remote_port)
#define LWIP_HOOK_VLAN_SET(netif, p, source, destination, type) ullnic_vlan_tag(netif)
#define LWIP_HOOK_VLAN_CHECK(netif, header, tag) ullnic_vlan_is_ours(netif, tag)
#define LWIP_HOOK_IP4_INPUT(p, netif) ullnic_check_packet(p)
#define LWIP_HOOK_TCP_INPACKET_PCB(pcb, header, option_length, option_1_length, option_2, p)  \
  (ullnic_time_wait_input(pcb, header) != ERR_OK ||                                           \
           ullnic_check_segment(pcb, header, option_length, option_1_length, option_2, p) !=  \
               ERR_OK ||                                                                      \
           ullnic_tcp_input(pcb, header) != ERR_OK || ullnic_check_ack(pcb, header) != ERR_OK \
       ? ERR_CLSD                                                                             \
       : ERR_OK)

#endif /* ULLNIC_LWIPOPTS_H */
