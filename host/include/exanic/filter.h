/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * @file filter.h
 * Which frames go to which receive buffer. The library classifies each frame of a port on arrival;
 * a frame is in one buffer. IP filters take precedence over MAC filters, lower numbers over higher
 * ones.
 */
#ifndef EXANIC_FILTER_H
#define EXANIC_FILTER_H

#include "exanic/exanic.h"
#include "exanic/fifo_rx.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Filter for IPv4 packets, with or without a VLAN tag. Network order; 0 matches anything. */
typedef struct exanic_ip_filter {
  uint32_t src_addr;
  uint32_t dst_addr;
  uint16_t src_port; /**< of TCP or UDP, in the first fragment of a packet only */
  uint16_t dst_port;
  uint8_t protocol;
} exanic_ip_filter_t;

/** Filter for any frame. 0 matches anything. */
typedef struct exanic_mac_filter {
  uint8_t dst_mac[6];
  uint16_t ethertype;    /**< network order; of a tagged frame, the one after the tag */
  uint16_t vlan;         /**< VLAN ID, host order */
  int vlan_match_method; /**< enum vlan_match_method */
} exanic_mac_filter_t;

/* Return the filter's number; -1 with the reason in exanic_get_last_error(). Not for buffer 0. */
int exanic_filter_add_ip(exanic_t* exanic, const exanic_rx_t* buffer,
                         const exanic_ip_filter_t* filter);
int exanic_filter_add_mac(exanic_t* exanic, const exanic_rx_t* buffer,
                          const exanic_mac_filter_t* filter);
/* Return 0; -1 with the reason in exanic_get_last_error(). */
int exanic_filter_remove_ip(exanic_t* exanic, int port_number, int filter_id);
int exanic_filter_remove_mac(exanic_t* exanic, int port_number, int filter_id);

#ifdef __cplusplus
}
#endif

#endif /* EXANIC_FILTER_H */
