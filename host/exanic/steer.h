/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Which buffer a frame goes to: filters, and the hash of a flow.
 */
#ifndef EXANIC_STEER_H
#define EXANIC_STEER_H

#include <stdbool.h>
#include <stdint.h>

#include "exanic/filter.h"
#include "ullnic/ullnic.h"

enum { EX_FILTER_BUFFERS = 32, EX_FILTERS = EXANIC_NUM_FILTERS_PER_REGION };

struct ex_ip_filter {
  int buffer; /**< 0: not in use */
  exanic_ip_filter_t what;
};

struct ex_mac_filter {
  int buffer; /**< 0: not in use */
  exanic_mac_filter_t what;
};

struct ex_steering {
  /** Number of array entries that may be in use. */
  int ip_filters, mac_filters;
  struct ex_ip_filter ip[EX_FILTERS];
  struct ex_mac_filter mac[EX_FILTERS];
  int hash_buffers; /**< 0: no hashing */
  enum rx_hash_function hash_function;
};

/** Destination of a frame, and the filter that matched. */
struct ex_match {
  int buffer;
  uint8_t region; /**< EXANIC_FILTER_REGION_MAC or _IP */
  uint8_t filter;
};

struct ex_match ex_steer(const struct ex_steering* steering, const struct ullnic_frame* frame);
/** Removes the filters of a buffer. */
void ex_steer_forget(struct ex_steering* steering, int buffer);

#endif /* EXANIC_STEER_H */
