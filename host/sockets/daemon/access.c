/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 */
#include "daemon/access.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <limits.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "daemon/log.h"

enum { MOST_NAMES = 64 };

struct ids {
  uint32_t list[MOST_NAMES];
  unsigned count;
};

static struct ids users, groups, card_groups; /* users with card access may connect, too */
static char why[160];

const char* access_why(void) { return why; }

static bool contains(const struct ids* ids, uint32_t id) {
  for (unsigned i = 0; i < ids->count; i++) {
    if (ids->list[i] == id) return true;
  }
  return false;
}

static bool add(struct ids* ids, uint32_t id) {
  if (contains(ids, id)) return true;
  if (ids->count == MOST_NAMES) {
    snprintf(why, sizeof(why), "at most %d: put the users into a group", MOST_NAMES);
    return false;
  }
  ids->list[ids->count++] = id;
  return true;
}

/* The system uses the largest number for "none". */
static bool parse_number(const char* text, uint32_t* number) {
  char* end;
  errno = 0;
  unsigned long value = strtoul(text, &end, 10);
  if (*text < '0' || *text > '9' || *end != '\0' || errno != 0 || value >= UINT32_MAX) return false;
  *number = (uint32_t)value;
  return true;
}

static bool unknown(const char* kind, const char* database, const char* name) {
  snprintf(why, sizeof(why), "there is no %s %.40s: give a name of `getent %s`, or a number", kind,
           name, database);
  return false;
}

bool access_allow_user(const char* name) {
  const struct passwd* user = getpwnam(name);
  uint32_t number;
  if (user != NULL) return add(&users, user->pw_uid);
  return parse_number(name, &number) ? add(&users, number) : unknown("user", "passwd", name);
}

static bool add_group(struct ids* ids, const char* name) {
  const struct group* group = getgrnam(name);
  uint32_t number;
  if (group != NULL) return add(ids, group->gr_gid);
  return parse_number(name, &number) ? add(ids, number) : unknown("group", "group", name);
}

bool access_allow_group(const char* name) { return add_group(&groups, name); }

bool access_allow_card(const char* name) {
  return add_group(&card_groups, name) && add_group(&groups, name);
}

/* A file mode covers one group. With several groups or single users, everybody may connect, and
 * only access_of() decides. */
int access_set_mode(const char* path) {
  bool one_group = groups.count == 1 && users.count == 0;
  mode_t mode = one_group ? 0660 : groups.count + users.count > 0 ? 0666 : 0600;
  if (one_group && fchownat(AT_FDCWD, path, (uid_t)-1, groups.list[0], AT_SYMLINK_NOFOLLOW) != 0) {
    int error = errno;
    log_message("%s: cannot be given to group %u (%s): run ullnicd as root or as a member of it",
                path, groups.list[0], strerror(error));
    return -error;
  }
  if (chmod(path, mode) == 0) return 0;
  int error = errno;
  log_message("%s: mode %o: %s", path, mode, strerror(error));
  return -error;
}

static bool is_in_one(const struct ids* allowed, uint32_t group, int fd) {
  static gid_t others[NGROUPS_MAX];
  socklen_t length = sizeof(others);
  if (allowed->count == 0) return false;
  if (contains(allowed, group)) return true;
  if (getsockopt(fd, SOL_SOCKET, SO_PEERGROUPS, others, &length) != 0) return false;
  for (size_t i = 0; i < length / sizeof(others[0]); i++) {
    if (contains(allowed, others[i])) return true;
  }
  return false;
}

struct rights access_of(int fd) {
  static bool known;
  static uid_t own;
  struct ucred peer;
  socklen_t length = sizeof(peer);
  if (!known) own = geteuid();
  known = true;
  if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &length) != 0) {
    return (struct rights){.user = UINT32_MAX};
  }
  bool all = peer.uid == 0 || peer.uid == own;
  return (struct rights){
      .user = peer.uid,
      .may_connect = all || contains(&users, peer.uid) || is_in_one(&groups, peer.gid, fd),
      .may_reach_card = all || is_in_one(&card_groups, peer.gid, fd),
  };
}
