/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * lwIP with ullnicd's options and checks, without card and clock: reads frames and elapsed time
 * from stdin, and reports what it holds. Each message is a length (16 bits, host order) and that
 * many bytes of a frame, or one of `enum order` with its argument. UDP port 7 echoes; TCP port 7
 * echoes, 9 receives and never opens the window, 13 sends 3,000 bytes and closes.
 * malloc() and free() are counted (-Wl,--wrap).
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "checks.h"
#include "lwip/etharp.h"
#include "lwip/igmp.h"
#include "lwip/init.h"
#include "lwip/priv/tcp_priv.h"
#include "lwip/timeouts.h"
#include "lwip/udp.h"
#include "lwip_hooks.h"
#include "netif/ethernet.h"

enum order {
  PASS = 0xffff, /* 32 bits follow: milliseconds */
  HELD = 0xfffe, /* prints the number of blocks that lwIP holds, and of refusals */
  END = 0xfffd,  /* resets all connections and takes the interface down permanently */
};
enum { LONGEST = 2000, STEP_MS = 10, MTU = 1500, BYTES = 3000 };
enum { ECHO_PORT = 7, DISCARD_PORT = 9, DAYTIME_PORT = 13 };

static long blocks;
static uint32_t clock_ms = 1;
static uint64_t sent, refusals;

void* __real_malloc(size_t size);
void __real_free(void* block);
void* __wrap_malloc(size_t size);
void __wrap_free(void* block);

void* __wrap_malloc(size_t size) {
  blocks++;
  return __real_malloc(size);
}

void __wrap_free(void* block) {
  if (block != NULL) blocks--;
  __real_free(block);
}

uint32_t sys_now(void) { return clock_ms; }
uint32_t ullnic_random(void) { return (uint32_t)rand(); }
void ullnic_refused(enum refusal reason, uint32_t source) {
  (void)reason;
  (void)source;
  refusals++;
}
u32_t ullnic_initial_sequence(const ip_addr_t* local_ip, u16_t local_port,
                              const ip_addr_t* remote_ip, u16_t remote_port) {
  (void)local_ip;
  (void)local_port;
  (void)remote_ip;
  (void)remote_port;
  return UINT32_C(0x7ffff800); /* box.py expects it; close to the middle of the sequence space */
}
s32_t ullnic_vlan_tag(struct netif* netif) {
  (void)netif;
  return -1;
}
int ullnic_vlan_is_ours(struct netif* netif, const struct eth_vlan_hdr* tag) {
  (void)netif;
  (void)tag;
  return 0;
}
struct igmp_group* ullnic_look_for_group(struct netif* netif, const ip4_addr_t* ip) {
  return igmp_lookfor_group(netif, ip);
}

err_t ullnic_tcp_input(struct tcp_pcb* pcb, const struct tcp_hdr* header) {
  (void)pcb;
  (void)header;
  return ERR_OK;
}
err_t ullnic_time_wait_input(struct tcp_pcb* pcb, const struct tcp_hdr* header) {
  (void)pcb;
  (void)header;
  return ERR_OK;
}

static err_t link_output(struct netif* netif, struct pbuf* frame) {
  (void)netif;
  static uint8_t data[LONGEST];
  sent += pbuf_copy_partial(frame, data, sizeof(data), 0) > 0;
  return ERR_OK;
}

static err_t set_up(struct netif* netif) {
  netif->output = etharp_output;
  netif->linkoutput = link_output;
  netif->mtu = MTU;
  netif->hwaddr_len = ETH_HWADDR_LEN;
  memcpy(netif->hwaddr, "\x02UUU\x02", ETH_HWADDR_LEN);
  netif->flags =
      NETIF_FLAG_BROADCAST | NETIF_FLAG_ETHARP | NETIF_FLAG_ETHERNET | NETIF_FLAG_LINK_UP;
  return ERR_OK;
}

static void echo_datagram(void* argument, struct udp_pcb* pcb, struct pbuf* data,
                          const ip_addr_t* ip, u16_t port) {
  (void)argument;
  udp_sendto(pcb, data, ip, port);
  pbuf_free(data);
}

static err_t echo_bytes(void* argument, struct tcp_pcb* pcb, struct pbuf* data, err_t error) {
  (void)argument;
  (void)error;
  if (data == NULL) return tcp_close(pcb);
  for (struct pbuf* p = data; p != NULL; p = p->next) {
    if (p->len > 0) tcp_write(pcb, p->payload, p->len, TCP_WRITE_FLAG_COPY);
  }
  tcp_recved(pcb, data->tot_len);
  pbuf_free(data);
  return ERR_OK;
}

static err_t keep_bytes(void* argument, struct tcp_pcb* pcb, struct pbuf* data, err_t error) {
  (void)argument;
  (void)error;
  if (data == NULL) return tcp_close(pcb);
  pbuf_free(data);
  return ERR_OK;
}

static err_t accepted(void* argument, struct tcp_pcb* pcb, err_t error) {
  static const uint8_t bytes[BYTES];
  (void)argument;
  if (error != ERR_OK || pcb == NULL) return ERR_VAL;
  ullnic_check_send_window(pcb);
  tcp_recv(pcb, pcb->local_port == ECHO_PORT ? echo_bytes : keep_bytes);
  if (pcb->local_port == DAYTIME_PORT) {
    tcp_write(pcb, bytes, sizeof(bytes), TCP_WRITE_FLAG_COPY);
    tcp_shutdown(pcb, 0, 1);
  }
  return ERR_OK;
}

static void listen_at(u16_t port) {
  struct tcp_pcb* pcb = tcp_new();
  tcp_bind(pcb, IP4_ADDR_ANY, port);
  tcp_accept(tcp_listen(pcb), accepted);
}

static void pass(uint32_t ms) {
  for (uint32_t end = clock_ms + ms; clock_ms < end; clock_ms += STEP_MS) {
    ullnic_check_before_timers();
    sys_check_timeouts();
  }
}

static void input(struct netif* netif, const uint8_t* frame, uint16_t length) {
  struct pbuf* p = pbuf_alloc(PBUF_RAW, length, PBUF_RAM);
  memcpy(p->payload, frame, length);
  if (netif->input(p, netif) != ERR_OK) pbuf_free(p);
  ullnic_check_after_input();
}

int main(void) {
  static struct netif netif;
  static uint8_t frame[LONGEST];
  ip4_addr_t address, mask, none = {0};
  IP4_ADDR(&address, 10, 9, 1, 2);
  IP4_ADDR(&mask, 255, 255, 255, 0);
  lwip_init();
  netif_add(&netif, &address, &mask, &none, NULL, set_up, ethernet_input);
  netif_set_up(&netif);
  struct udp_pcb* udp = udp_new();
  udp_bind(udp, IP4_ADDR_ANY, ECHO_PORT);
  udp_recv(udp, echo_datagram, NULL);
  listen_at(ECHO_PORT);
  listen_at(DISCARD_PORT);
  listen_at(DAYTIME_PORT);
  uint16_t length;
  uint32_t ms;
  while (fread(&length, sizeof(length), 1, stdin) == 1) {
    if (length == PASS && fread(&ms, sizeof(ms), 1, stdin) == 1) {
      pass(ms);
    } else if (length == END) {
      while (tcp_active_pcbs != NULL) tcp_abort(tcp_active_pcbs);
      ullnic_lwip_end();
    } else if (length == HELD) {
      printf("%ld %llu %llu\n", blocks, (unsigned long long)sent, (unsigned long long)refusals);
      fflush(stdout);
    } else if (length <= LONGEST && fread(frame, length, 1, stdin) == 1) {
      input(&netif, frame, length);
    } else {
      return 2;
    }
  }
  return 0;
}
