/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Which buffer a frame goes to.
 *
 * IPv4 is recognised by the ethertype alone, and a header length below 20 bytes is taken as 20: the
 * frames of public example programs have invalid versions and lengths.
 */
#include "steer.h"

#include <netinet/in.h>
#include <string.h>

enum {
  MAC_BYTES = 6,
  TYPE_AT = 12,
  TAG_BYTES = 4,
  TYPE_IPV4 = 0x0800,
  TYPE_VLAN = 0x8100,
  TYPE_VLAN_OUTER = 0x88a8,
  VLAN_MASK = 0xfff,
  IPV4_BYTES = 20,
  PORTS_BYTES = 4,
  FRAGMENT_MASK = 0x1fff,
};

/** Fields of a frame that filters match; addresses, ports (0: none) and type in network order. */
struct facts {
  const uint8_t* mac;
  uint16_t type;
  bool has_tag;
  uint16_t vlan;
  bool is_ipv4;
  uint8_t protocol;
  uint32_t src_addr, dst_addr;
  bool has_ports;
  uint16_t src_port, dst_port;
};

static unsigned at16(const uint8_t* bytes) { return (unsigned)bytes[0] << 8 | bytes[1]; }

static void look_at_ipv4(struct facts* facts, const uint8_t* packet, size_t bytes) {
  if (bytes < IPV4_BYTES) {
    return;
  }
  facts->is_ipv4 = true;
  facts->protocol = packet[9];
  memcpy(&facts->src_addr, packet + 12, sizeof facts->src_addr);
  memcpy(&facts->dst_addr, packet + 16, sizeof facts->dst_addr);
  size_t header = (size_t)(packet[0] & 0xf) * 4;
  header = header < IPV4_BYTES ? IPV4_BYTES : header;
  facts->has_ports = (facts->protocol == IPPROTO_TCP || facts->protocol == IPPROTO_UDP) &&
                     (at16(packet + 6) & FRAGMENT_MASK) == 0 && bytes >= header + PORTS_BYTES;
  if (facts->has_ports) {
    memcpy(&facts->src_port, packet + header, sizeof facts->src_port);
    memcpy(&facts->dst_port, packet + header + 2, sizeof facts->dst_port);
  }
}

static struct facts look_at(const struct ullnic_frame* frame) {
  struct facts facts = {.mac = frame->data};
  size_t at = TYPE_AT;
  unsigned type = at16(frame->data + at);
  while ((type == TYPE_VLAN || type == TYPE_VLAN_OUTER) && at + TAG_BYTES + 2 <= frame->len) {
    if (!facts.has_tag) {
      facts.has_tag = true;
      facts.vlan = at16(frame->data + at + 2) & VLAN_MASK;
    }
    at += TAG_BYTES;
    type = at16(frame->data + at);
  }
  facts.type = htons((uint16_t)type);
  if (type == TYPE_IPV4) {
    look_at_ipv4(&facts, frame->data + at + 2, frame->len - at - 2);
  }
  return facts;
}

static bool matches_ip(const exanic_ip_filter_t* filter, const struct facts* facts) {
  return facts->is_ipv4 && (filter->protocol == 0 || filter->protocol == facts->protocol) &&
         (filter->src_addr == 0 || filter->src_addr == facts->src_addr) &&
         (filter->dst_addr == 0 || filter->dst_addr == facts->dst_addr) &&
         (filter->src_port == 0 || filter->src_port == facts->src_port) &&
         (filter->dst_port == 0 || filter->dst_port == facts->dst_port);
}

static bool matches_vlan(const exanic_mac_filter_t* filter, const struct facts* facts) {
  switch (filter->vlan_match_method) {
    case EXANIC_VLAN_MATCH_METHOD_SPECIFIC:
      return facts->has_tag && facts->vlan == filter->vlan;
    case EXANIC_VLAN_MATCH_METHOD_NOT_VLAN:
      return !facts->has_tag;
    case EXANIC_VLAN_MATCH_METHOD_ALL_VLAN:
      return facts->has_tag;
    default:
      return true;
  }
}

static bool matches_mac(const exanic_mac_filter_t* filter, const struct facts* facts) {
  static const uint8_t any[MAC_BYTES];
  return (memcmp(filter->dst_mac, any, MAC_BYTES) == 0 ||
          memcmp(filter->dst_mac, facts->mac, MAC_BYTES) == 0) &&
         (filter->ethertype == 0 || filter->ethertype == facts->type) &&
         matches_vlan(filter, facts);
}

/** Buffer of a flow; the same for both of its directions. */
static int hash_buffer(const struct ex_steering* steering, const struct facts* facts) {
  uint32_t key = 0;
  if (!facts->is_ipv4 ||
      (!facts->has_ports && steering->hash_function != EXANIC_RX_HASH_FUNCTION_IP)) {
    return 0;
  }
  if (steering->hash_function != EXANIC_RX_HASH_FUNCTION_PORT) {
    key ^= facts->src_addr ^ facts->dst_addr;
  }
  if (steering->hash_function != EXANIC_RX_HASH_FUNCTION_IP) {
    key ^= (uint32_t)(facts->src_port ^ facts->dst_port) << 8;
  }
  // Finalizer of MurmurHash3: each bit of the key changes about half of the bits.
  key = (key ^ key >> 16) * UINT32_C(0x85ebca6b);
  key = (key ^ key >> 13) * UINT32_C(0xc2b2ae35);
  return 1 + (int)((key ^ key >> 16) % (uint32_t)steering->hash_buffers);
}

struct ex_match ex_steer(const struct ex_steering* steering, const struct ullnic_frame* frame) {
  struct ex_match match = {0};
  if (steering->ip_filters == 0 && steering->mac_filters == 0 && steering->hash_buffers == 0) {
    return match;
  }
  const struct facts facts = look_at(frame);
  for (int i = 0; i < steering->ip_filters; ++i) {
    if (steering->ip[i].buffer != 0 && matches_ip(&steering->ip[i].what, &facts)) {
      return (struct ex_match){steering->ip[i].buffer, EXANIC_FILTER_REGION_IP, (uint8_t)i};
    }
  }
  for (int i = 0; i < steering->mac_filters; ++i) {
    if (steering->mac[i].buffer != 0 && matches_mac(&steering->mac[i].what, &facts)) {
      return (struct ex_match){steering->mac[i].buffer, EXANIC_FILTER_REGION_MAC, (uint8_t)i};
    }
  }
  match.buffer = steering->hash_buffers == 0 ? 0 : hash_buffer(steering, &facts);
  return match;
}

void ex_steer_forget(struct ex_steering* steering, int buffer) {
  for (int i = 0; i < EX_FILTERS; ++i) {
    if (steering->ip[i].buffer == buffer) {
      steering->ip[i].buffer = 0;
    }
    if (steering->mac[i].buffer == buffer) {
      steering->mac[i].buffer = 0;
    }
  }
}
