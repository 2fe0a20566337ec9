/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Drops fragments that lwIP would reassemble to a datagram of more than the maximum length.
 */
#include <stdbool.h>

#include "checks.h"
#include "lwip/ip4_frag.h"
#include "lwip/netif.h"
#include "lwip/prot/ip4.h"
#include "lwip_hooks.h"

enum { UNIT = 8, LONGEST_PAYLOAD = 0xffff - IP_HLEN };

int ullnic_check_packet(struct pbuf* packet) {
  const struct ip_hdr* header = packet->payload;
  unsigned field = lwip_ntohs(IPH_OFFSET(header));
  bool more = (field & IP_MF) != 0;
  unsigned offset = (field & IP_OFFMASK) * UNIT;
  if (!more && offset == 0) return 0;
  unsigned total = lwip_ntohs(IPH_LEN(header)), length = IPH_HL_BYTES(header);
  unsigned bytes = total > length ? total - length : 0;
  bool whole_units = !more || bytes % UNIT == 0;
  if (bytes > 0 && whole_units && offset + bytes <= LONGEST_PAYLOAD) return 0;
  ullnic_refused(REFUSED_FRAGMENT, header->src.addr);
  pbuf_free(packet);
  return 1;
}

void ullnic_lwip_end(void) {
  struct netif* netif;
  NETIF_FOREACH(netif) { netif_set_down(netif); } /* no ICMP time exceeded is sent */
  for (unsigned age = 0; age <= IP_REASS_MAXAGE; age++) ip_reass_tmr();
}
