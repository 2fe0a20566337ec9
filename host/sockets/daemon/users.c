/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 */
#include "daemon/users.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "common/protocol.h"
#include "daemon/time_wait.h"

enum limit { CONNECTIONS, SOCKETS, MEMBERSHIPS, IDLE_S, LIMITS };

enum {
  OWN_DESCRIPTORS = 32, /* the daemon's: card, log, epoll ... */
  HIGHEST_LIMIT = 1000000,
};

static struct {
  const char *name, *what;
  unsigned value;
} limits[LIMITS] = {
    [CONNECTIONS] = {"connections", "connections of a user to ullnicd's socket", 256},
    [SOCKETS] = {"sockets", "sockets of a user on the card", 4096},
    [MEMBERSHIPS] = {"memberships", "memberships of a user in multicast groups", 4096},
    [IDLE_S] = {"idle", "seconds that a connection to ullnicd's socket may ask nothing", 30},
};

static struct user* users;
static char why[CONTROL_TEXT];

struct user* user_next(const struct user* user) { return user != NULL ? user->next : users; }

struct user* user_get(uint32_t id) {
  struct user* user = users;
  while (user != NULL && user->id != id) user = user->next;
  if (user == NULL) {
    user = calloc(1, sizeof(*user));
    if (user == NULL) return NULL;
    user->id = id;
    user->idle.end = &user->idle.first;
    user->busy.end = &user->busy.first;
    user->ready_end = &user->ready;
    user->retired_end = &user->retired;
    user->next = users;
    users = user;
  }
  user->references++;
  return user;
}

void user_put(struct user* user) {
  if (--user->references > 0) return;
  struct user** link = &users;
  while (*link != user) link = &(*link)->next;
  *link = user->next;
  free(user);
}

bool users_set_limit(const char* text) {
  for (unsigned i = 0; i < LIMITS; i++) {
    size_t length = strlen(limits[i].name);
    if (strncmp(text, limits[i].name, length) != 0 || text[length] != '=') continue;
    const char* digits = text + length + 1;
    char* end;
    unsigned long value = strtoul(digits, &end, 10);
    bool right = *digits >= '0' && *digits <= '9' && *end == '\0' && value > 0;
    if (!right || value > HIGHEST_LIMIT) return false;
    limits[i].value = (unsigned)value;
    return true;
  }
  return false;
}

void users_print_limits(FILE* to) {
  for (unsigned i = 0; i < LIMITS; i++) {
    fprintf(to, "    %-12s %s (default: %u)\n", limits[i].name, limits[i].what, limits[i].value);
  }
}

uint64_t users_idle_ms(void) { return (uint64_t)limits[IDLE_S].value * 1000; }

static bool refuse(struct user* user, unsigned count, enum limit limit) {
  user->refused++;
  snprintf(why, sizeof(why),
           "user %u has %u %s, the limit: close some, or start ullnicd with --limit %s=NUMBER",
           user->id, count, limits[limit].name, limits[limit].name);
  log_limited(&user->refusals, "refused: %s", why);
  return false;
}

static bool within(struct user* user, unsigned count, enum limit limit) {
  return count < limits[limit].value || refuse(user, count, limit);
}

bool user_has_room(const struct user* user) {
  return user->connections < limits[CONNECTIONS].value;
}

bool user_may_connect(struct user* user) { return within(user, user->connections, CONNECTIONS); }

bool user_may_join(struct user* user) { return within(user, user->memberships, MEMBERSHIPS); }

static rlim_t most_descriptors = RLIM_INFINITY;

void users_open(void) {
  struct rlimit files;
  if (getrlimit(RLIMIT_NOFILE, &files) != 0) return;
  files.rlim_cur = files.rlim_max;
  if (setrlimit(RLIMIT_NOFILE, &files) == 0) most_descriptors = files.rlim_cur;
}

/* A user may take at most as many descriptors as it leaves free, so every user gets some. */
static bool leaves_descriptors(const struct user* user) {
  rlim_t taken = OWN_DESCRIPTORS;
  for (const struct user* u = users; u != NULL; u = u->next) taken += u->connections + u->sockets;
  return most_descriptors == RLIM_INFINITY || most_descriptors > taken + user->sockets;
}

bool user_may_open(struct user* user) {
  if (user->sockets < limits[SOCKETS].value && leaves_descriptors(user)) return true;
  time_wait_end_all(user);
  if (!within(user, user->sockets, SOCKETS)) return false;
  if (leaves_descriptors(user)) return true;
  user->refused++;
  snprintf(why, sizeof(why),
           "user %u has %u sockets, and ullnicd has no more descriptors left than that: raise its "
           "ulimit -n",
           user->id, user->sockets);
  log_limited(&user->refusals, "refused: %s", why);
  return false;
}

const char* users_why(void) { return why; }

void user_describe(const struct user* user, struct control_usage* usage) {
  *usage = (struct control_usage){.connections = user->connections,
                                  .sockets = user->sockets,
                                  .memberships = user->memberships,
                                  .refused = user->refused};
}
