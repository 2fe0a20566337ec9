/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Access control: --allow-user, --allow-group, --card-group. Root and the user that ullnicd runs as
 * may do everything. Uses the kernel's peer credentials, whatever the mode of the socket's file
 * is.
 */
#ifndef ULLNICD_ACCESS_H
#define ULLNICD_ACCESS_H

#include <stdbool.h>
#include <stdint.h>

/* By name or number. False if there is none, see access_why(). */
bool access_allow_user(const char* name);
bool access_allow_group(const char* name);
bool access_allow_card(const char* group);
const char* access_why(void);

/* Sets group and mode of the socket's file, which nobody can open yet. Returns 0 or -errno, with
 * the reason on stderr. */
int access_set_mode(const char* path);

struct rights {
  uint32_t user;
  bool may_connect;
  bool may_reach_card; /* registers, raw frames */
};

/* Rights of the process at the other end, as of its connect(). */
struct rights access_of(int fd);

#endif /* ULLNICD_ACCESS_H */
