/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 */
#include "preload/table.h"

#include <dirent.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include "preload/daemon.h"
#include "preload/notes.h"
#include "preload/real.h"

enum { ENTRIES = 65536 };

static struct entry entries[ENTRIES];
static int used; /* entries from here on have never been used */

static ino_t inode_of(int fd) {
  struct stat status;
  return fstat(fd, &status) == 0 && S_ISSOCK(status.st_mode) ? status.st_ino : 0;
}

struct entry* table_ours(int fd) {
  if (fd < 0 || fd >= ENTRIES || entries[fd].kind == KIND_NONE) return NULL;
  int error = errno;
  /* The descriptor may have been closed unnoticed, and be something else now. */
  if (inode_of(fd) != entries[fd].inode) entries[fd] = (struct entry){0};
  errno = error;
  return entries[fd].kind != KIND_NONE ? &entries[fd] : NULL;
}

static void take(int fd, struct entry entry) {
  entries[fd] = entry;
  if (fd >= used) used = fd + 1;
}

/* The next descriptor of a socket; NULL: the first, or no more. */
static struct entry* next_of(uint64_t id, struct entry* entry) {
  entry = entry == NULL ? entries : entry + 1;
  while (entry < entries + used && entry->id != id) entry++;
  return entry < entries + used ? entry : NULL;
}

int table_descriptor(uint64_t id) {
  for (struct entry* entry = NULL; (entry = next_of(id, entry)) != NULL;) {
    int fd = (int)(entry - entries);
    if (table_ours(fd) != NULL) return fd;
  }
  return -1;
}

struct entry* table_candidate(int fd) {
  struct entry* entry = table_ours(fd);
  if (entry != NULL) return entry;
  if (fd < 0 || fd >= ENTRIES) return NULL;
  int error = errno, domain = 0, type = 0, protocol = 0;
  socklen_t length = sizeof(int);
  bool candidate = REAL(getsockopt)(fd, SOL_SOCKET, SO_DOMAIN, &domain, &length) == 0 &&
                   REAL(getsockopt)(fd, SOL_SOCKET, SO_TYPE, &type, &length) == 0 &&
                   REAL(getsockopt)(fd, SOL_SOCKET, SO_PROTOCOL, &protocol, &length) == 0 &&
                   domain == AF_INET &&
                   ((type == SOCK_STREAM && protocol == IPPROTO_TCP) ||
                    (type == SOCK_DGRAM && protocol == IPPROTO_UDP));
  errno = error;
  if (!candidate) return NULL;
  ino_t inode = inode_of(fd);
  if (entries[fd].inode != inode) entries[fd] = (struct entry){.inode = inode};
  entries[fd].datagram = type == SOCK_DGRAM;
  return &entries[fd];
}

void table_set(int fd, uint8_t kind, uint64_t id, bool datagram, uint32_t linger_s) {
  if (fd < 0 || fd >= ENTRIES) return;
  const struct entry* entry = &entries[fd];
  take(fd, (struct entry){.kind = kind,
                          .wanted = entry->wanted,
                          .has_ate = entry->has_ate,
                          .ate_id = entry->ate_id,
                          .datagram = datagram,
                          .linger_s = linger_s,
                          .id = id,
                          .inode = inode_of(fd)});
}

void table_refresh(const struct control_reply* reply) {
  for (struct entry* entry = NULL; (entry = next_of(reply->id, entry)) != NULL;) {
    entry->kind = reply->kind;
    entry->connected |= reply->state == CONTROL_CONNECTED;
  }
}

void table_linger(uint64_t id, uint32_t seconds) {
  for (struct entry* entry = NULL; (entry = next_of(id, entry)) != NULL;) entry->linger_s = seconds;
}

void table_connected(int fd) {
  if (fd >= 0 && fd < ENTRIES) entries[fd].connected = true;
}

void table_shut(uint64_t id) {
  for (struct entry* entry = NULL; (entry = next_of(id, entry)) != NULL;) entry->shut = true;
}

void table_wants(uint64_t id, const struct control_options* options, uint64_t now_ns) {
  for (struct entry* entry = NULL; (entry = next_of(id, entry)) != NULL;) {
    entry->receive = options->receive;
    entry->stamping = options->stamping;
    entry->known_ns = now_ns;
  }
}

void table_disconnected(uint64_t id) {
  for (struct entry* entry = NULL; (entry = next_of(id, entry)) != NULL;) entry->connected = false;
}

void table_take(int fd, const struct control_reply* reply, bool datagram) {
  uint32_t linger_s = reply->options.linger ? reply->options.linger_s : 0;
  table_set(fd, reply->kind, reply->id, datagram, linger_s);
  if (reply->peer_ip != 0) table_connected(fd);
  if (fd >= 0 && fd < ENTRIES) entries[fd].broadcast_ip = reply->broadcast_ip;
}

void table_copy(int from, int to) {
  if (from == to || from < 0 || from >= ENTRIES || to < 0 || to >= ENTRIES) return;
  take(to, entries[from]);
}

void table_clear(int fd) {
  if (fd >= 0 && fd < ENTRIES) entries[fd] = (struct entry){0};
}

/* A pair's end has no name, and neither has the other one. */
static bool may_be_ours(int fd) {
  struct sockaddr_un name;
  socklen_t length = sizeof(name), size = sizeof(int);
  int type = 0;
  return inode_of(fd) != 0 && REAL(getpeername)(fd, (struct sockaddr*)&name, &length) == 0 &&
         name.sun_family == AF_UNIX && length == sizeof(name.sun_family) &&
         REAL(getsockopt)(fd, SOL_SOCKET, SO_TYPE, &type, &size) == 0 && type != SOCK_DGRAM;
}

/* 0, or why ullnicd does not identify it: EBADF, it is not one of its sockets. */
static int adopt(int fd) {
  struct control_reply reply;
  if (!may_be_ours(fd)) return EBADF;
  int error = daemon_show(fd, &reply);
  if (error != 0) return error;
  table_take(fd, &reply, reply.kind == KIND_DATAGRAM);
  trace("descriptor %d was handed over to this program: it is accelerated", fd);
  return 0;
}

void table_adopt_passed(struct msghdr* message) {
  int error = errno;
  for (struct cmsghdr* item = CMSG_FIRSTHDR(message); item != NULL;
       item = CMSG_NXTHDR(message, item)) {
    if (item->cmsg_level != SOL_SOCKET || item->cmsg_type != SCM_RIGHTS) continue;
    size_t bytes = item->cmsg_len - CMSG_LEN(0);
    for (size_t at = 0; at + sizeof(int) <= bytes; at += sizeof(int)) {
      int fd;
      memcpy(&fd, CMSG_DATA(item) + at, sizeof(fd));
      adopt(fd);
    }
  }
  errno = error;
}

/* Accelerated sockets that came through exec(). */
__attribute__((constructor)) static void adopt_inherited(void) {
  DIR* folder = opendir("/proc/self/fd");
  if (folder == NULL) return;
  for (struct dirent* file; (file = readdir(folder)) != NULL;) {
    if (file->d_name[0] == '.') continue;
    int error = adopt(atoi(file->d_name));
    if (error != 0 && error != EBADF) break; /* no ullnicd to query */
  }
  closedir(folder);
}
