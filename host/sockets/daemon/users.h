/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The users whose programs use the card, and the share of ullnicd's resources that each may use, so
 * that none starves the others.
 */
#ifndef ULLNICD_USERS_H
#define ULLNICD_USERS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "daemon/log.h"

struct client;
struct control_usage;
struct socket;

struct user {
  struct user* next;
  uint32_t id;
  unsigned references; /* of clients and sockets */
  unsigned connections, sockets, memberships;
  uint64_t refused;
  struct log_limit refusals;
  /* Idle clients: those whose reply has been read. Busy ones: the others. */
  struct client_list {
    struct client *first, **end;
  } idle, busy;
  struct client *ready, **ready_end; /* busy ones that may have sent a request */
  struct socket *retired, **retired_end;
  unsigned retired_count;
};

/* Raises the limit of open descriptors to its maximum. Call once, before privileges are dropped. */
void users_open(void);

/* The user with this number; adds a reference. NULL: no memory. */
struct user* user_get(uint32_t id);
/* Drops a reference; frees the user with the last one. */
void user_put(struct user* user);
/* The user after another one; NULL: the first one. */
struct user* user_next(const struct user* user);

/* Parses --limit NAME=NUMBER. False: not of that form. */
bool users_set_limit(const char* text);
/* Prints name, meaning and current value of each limit, for --help; one line each. */
void users_print_limits(FILE* to);
uint64_t users_idle_ms(void);

/* Whether the user may have one more; if not, logs and counts it. */
bool user_has_room(const struct user* user); /* without logging */
bool user_may_connect(struct user* user);
bool user_may_open(struct user* user);
bool user_may_join(struct user* user);
/* Cause and remedy of the latest refusal. */
const char* users_why(void);
void user_describe(const struct user* user, struct control_usage* usage);

#endif /* ULLNICD_USERS_H */
