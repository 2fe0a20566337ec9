/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * ullnicd's socket, to which programs connect.
 */
#include <errno.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/protocol.h"
#include "daemon/access.h"
#include "daemon/clients.h"
#include "daemon/control.h"
#include "daemon/log.h"
#include "daemon/loop.h"

/* Limits per round of the loop: programs accepted; fewer if rejected, as discarding what they have
 * sent takes time. */
enum { WAITING = 128, AT_ONCE = 16, TURNED_AWAY_COSTS = 8 };

static struct watch listener = {.fd = -1};
static bool paused; /* the socket is not watched */
static char bound_path[sizeof(((struct sockaddr_un*)0)->sun_path)];

/* Without descriptors or memory, waiting connections would wake the daemon continuously. */
static void pause_accepting(int error) {
  static bool said;
  if (!said) log_message("programs have to wait: %s; raise ulimit -n", strerror(error));
  said = true;
  loop_remove(&listener);
  paused = true;
}

void control_tick(void) {
  if (paused && loop_add(&listener, EPOLLIN) == 0) paused = false;
  clients_tick();
}

/* False: it is rejected. */
static bool admit(int fd) {
  struct rights rights = access_of(fd);
  if (rights.may_connect) {
    return client_new(fd, &rights);
  }
  static struct log_limit limit;
  char text[CONTROL_TEXT];
  snprintf(text, sizeof(text),
           "user %u may not use this ullnicd: start it with --allow-user or --allow-group",
           rights.user);
  log_limited(&limit, "%s", text);
  client_turn_away(fd, EACCES, text);
  return false;
}

static void accept_clients(struct watch* watch, uint32_t events) {
  (void)events;
  for (int left = AT_ONCE; left > 0;) {
    int fd = accept4(watch->fd, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (fd >= 0) {
      left -= admit(fd) ? 1 : TURNED_AWAY_COSTS;
      continue;
    }
    if (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM) {
      pause_accepting(errno);
    }
    return;
  }
}

static int give_up(const char* path, int error, const char* why) {
  log_message("%s: %s; give --socket PATH (and " CONTROL_PATH_VARIABLE " to the programs)", path,
              why);
  if (listener.fd >= 0) close(listener.fd);
  listener.fd = -1;
  return -error;
}

/* Removes the socket of a ullnicd that was killed. 0 or -errno. */
static int clear_path(const struct sockaddr_un* address, socklen_t length) {
  const char* path = address->sun_path;
  struct stat status;
  if (lstat(path, &status) != 0) return 0; /* if it is not just absent, bind() reports why */
  if (!S_ISSOCK(status.st_mode)) {
    return give_up(path, EEXIST, "a file that is no socket is there, which is left as it is");
  }
  if (connect(listener.fd, (const struct sockaddr*)address, length) == 0 || errno == EAGAIN) {
    log_message("%s: another ullnicd is running there; give this one --socket PATH", path);
    return -EADDRINUSE;
  }
  if (errno != ECONNREFUSED) return give_up(path, errno, strerror(errno)); /* it may be in use */
  unlink(path);
  return 0;
}

int control_open(const char* path) {
  struct sockaddr_un address;
  socklen_t length = control_address(&address, path);
  if (length == 0) {
    log_message("%s: longer than %zu bytes, too long for a socket", path, sizeof(bound_path) - 1);
    return -ENAMETOOLONG;
  }
  listener.fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (listener.fd < 0) return -errno;
  listener.ready = accept_clients;
  int error = clear_path(&address, length);
  if (error != 0) return error;
  mode_t before = umask(0777); /* no access until the mode is set */
  int bound = bind(listener.fd, (struct sockaddr*)&address, length);
  error = errno;
  umask(before);
  if (bound != 0) return give_up(path, error, strerror(error));
  strcpy(bound_path, path);
  error = access_set_mode(path);
  if (error != 0) {
    unlink(path);
    return error;
  }
  if (listen(listener.fd, WAITING) < 0 || loop_add(&listener, EPOLLIN) != 0) {
    return give_up(path, errno, strerror(errno));
  }
  return 0;
}

void control_close(void) {
  clients_drop_all();
  if (bound_path[0] != '\0') unlink(bound_path);
}
