/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Linked in place of calls of the system: each fails, or answers as said below, while the folder
 * named by the card's option fails=FOLDER has a file of its name.
 */
#include <errno.h>
#include <linux/sockios.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>

static bool fails(const char* call, int error) {
  char name[4096];
  struct stat there;
  const char* folder = getenv("ULLNIC_FAKE_FAILS");
  if (folder == NULL) return false;
  snprintf(name, sizeof(name), "%s/%s", folder, call);
  if (stat(name, &there) != 0) return false;
  errno = error;
  return true;
}

int __real_socketpair(int domain, int type, int protocol, int ends[2]);
int __wrap_socketpair(int domain, int type, int protocol, int ends[2]);
int __wrap_socketpair(int domain, int type, int protocol, int ends[2]) {
  return fails("socketpair", EMFILE) ? -1 : __real_socketpair(domain, type, protocol, ends);
}

int __real_epoll_ctl(int epoll, int operation, int fd, struct epoll_event* event);
int __wrap_epoll_ctl(int epoll, int operation, int fd, struct epoll_event* event);
int __wrap_epoll_ctl(int epoll, int operation, int fd, struct epoll_event* event) {
  bool bad = operation == EPOLL_CTL_ADD && fails("epoll_ctl", ENOSPC);
  return bad ? -1 : __real_epoll_ctl(epoll, operation, fd, event);
}

int __real_getsockopt(int fd, int level, int name, void* value, socklen_t* length);
int __wrap_getsockopt(int fd, int level, int name, void* value, socklen_t* length);
int __wrap_getsockopt(int fd, int level, int name, void* value, socklen_t* length) {
  bool bad = name == SO_COOKIE && fails("getsockopt", ENOPROTOOPT);
  return bad ? -1 : __real_getsockopt(fd, level, name, value, length);
}

/* The count of unread bytes is what it is while Linux reports that all have been read. */
int __real_ioctl(int fd, unsigned long request, void* value);
int __wrap_ioctl(int fd, unsigned long request, void* value);
int __wrap_ioctl(int fd, unsigned long request, void* value) {
  int result = __real_ioctl(fd, request, value);
  if (request == SIOCOUTQ && *(int*)value == 0 && fails("ioctl", 0)) *(int*)value = 1;
  return result;
}

/* Only of messages that carry a descriptor. */
ssize_t __real_sendmsg(int fd, const struct msghdr* message, int flags);
ssize_t __wrap_sendmsg(int fd, const struct msghdr* message, int flags);
ssize_t __wrap_sendmsg(int fd, const struct msghdr* message, int flags) {
  bool bad = message->msg_control != NULL && fails("sendmsg", ETOOMANYREFS);
  return bad ? -1 : __real_sendmsg(fd, message, flags);
}
