/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 */
#include "vfio_user_link.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "call.h"
#include "error.h"

#define HOW_TO_START "start it (./ullnic run --keep) or give the path that it printed"

enum { MAX_REPLY = 1 << 20, PATIENCE_MS = 20000, FIRST_PATIENCE_MS = 5000 };

int ul_link_fail_gone(struct vfio_user_link* link) {
  atomic_store(&link->gone, true);
  return ul_fail(ENODEV, "%s: the virtual card has ended; start it again and open it anew",
                 link->name);
}

static int fail_late(const struct vfio_user_link* link) {
  return ul_fail(
      ETIMEDOUT,
      "%s: the virtual card does not answer; if it is stopped or in a debugger let it go "
      "on, then open it anew",
      link->name);
}

/** Reports a failed send or receive. The stream may be cut in mid-message, so the link is
 * unusable. */
static int fail_io(struct vfio_user_link* link, int error) {
  if (error != ETIMEDOUT) {
    return ul_link_fail_gone(link);
  }
  atomic_store(&link->gone, true);
  return fail_late(link);
}

static int fail_format(struct vfio_user_link* link, const char* what) {
  atomic_store(&link->gone, true);
  return ul_fail(EPROTO, "%s: %s; is it the socket of a virtual card?", link->name, what);
}

/** After a send or receive that failed: 0 to try again, once the socket is ready for `events`. */
static int await(struct vfio_user_link* link, short events, deadline_t deadline) {
  int error = errno;
  if (error == EINTR) {
    return 0;
  }
  if (error == EAGAIN || error == EWOULDBLOCK) {
    error = deadline_poll(poll, link->socket, events, deadline);
  }
  return error == 0 ? 0 : fail_io(link, error);
}

/** Sends everything; descriptors go with the first byte. */
static int send_message(struct vfio_user_link* link, struct iovec* parts, unsigned count,
                        const int* fds, unsigned fd_count, deadline_t deadline) {
  union {
    char bytes[CMSG_SPACE(VFIO_USER_MAX_FDS * sizeof(int))];
    struct cmsghdr aligned;
  } control;
  struct msghdr message = {.msg_iov = parts, .msg_iovlen = count};
  if (fd_count != 0) {
    message.msg_control = control.bytes;
    message.msg_controllen = CMSG_SPACE(fd_count * sizeof(int));
    memset(control.bytes, 0, message.msg_controllen);
    struct cmsghdr* header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(fd_count * sizeof(int));
    memcpy(CMSG_DATA(header), fds, fd_count * sizeof(int));
  }
  while (message.msg_iovlen != 0) {
    ssize_t sent = sendmsg(link->socket, &message, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent < 0) {
      const int result = await(link, POLLOUT, deadline);
      if (result != 0) {
        return result;
      }
      continue;
    }
    message.msg_control = NULL;
    message.msg_controllen = 0;
    while (message.msg_iovlen != 0 && (size_t)sent >= message.msg_iov->iov_len) {
      sent -= (ssize_t)message.msg_iov->iov_len;
      message.msg_iov++;
      message.msg_iovlen--;
    }
    if (message.msg_iovlen != 0) {
      message.msg_iov->iov_base = (char*)message.msg_iov->iov_base + sent;
      message.msg_iov->iov_len -= (size_t)sent;
    }
  }
  return 0;
}

static int receive_bytes(struct vfio_user_link* link, void* to, size_t bytes, deadline_t deadline) {
  char* at = to;
  while (bytes != 0) {
    const ssize_t got = recv(link->socket, at, bytes, MSG_DONTWAIT);
    if (got == 0) {
      return ul_link_fail_gone(link);
    }
    if (got < 0) {
      const int result = await(link, POLLIN, deadline);
      if (result != 0) {
        return result;
      }
      continue;
    }
    at += got;
    bytes -= (size_t)got;
  }
  return 0;
}

/** Receives a message's body into `to`; discards what exceeds `room`. */
static int receive_body(struct vfio_user_link* link, size_t bytes, void* to, size_t room,
                        deadline_t deadline) {
  const size_t kept = bytes < room ? bytes : room;
  int result = receive_bytes(link, to, kept, deadline);
  for (bytes -= kept; result == 0 && bytes != 0;) {
    char away[256];
    const size_t piece = bytes < sizeof away ? bytes : sizeof away;
    result = receive_bytes(link, away, piece, deadline);
    bytes -= piece;
  }
  return result;
}

/** The device may request memory access by message. All memory is shared, so the reply is an
 * error. */
static int refuse_command(struct vfio_user_link* link, const struct vfio_user_header* asked,
                          deadline_t deadline) {
  struct vfio_user_header answer = {.id = asked->id,
                                    .command = asked->command,
                                    .size = sizeof answer,
                                    .flags = VFIO_USER_REPLY | VFIO_USER_ERROR,
                                    .error = ENOTSUP};
  struct iovec part = {&answer, sizeof answer};
  return asked->flags & VFIO_USER_NO_REPLY ? 0 : send_message(link, &part, 1, NULL, 0, deadline);
}

static int receive_reply(struct vfio_user_link* link, uint16_t id, void* body, size_t room,
                         deadline_t deadline) {
  for (;;) {
    struct vfio_user_header header;
    int result = receive_bytes(link, &header, sizeof header, deadline);
    if (result != 0) {
      return result;
    }
    if (header.size < sizeof header || header.size > MAX_REPLY) {
      return fail_format(link, "it sent a message of an impossible size");
    }
    const bool reply = (header.flags & VFIO_USER_TYPE_MASK) == VFIO_USER_REPLY;
    const bool ours = reply && header.id == id;
    const size_t bytes = header.size - sizeof header;
    result = receive_body(link, bytes, body, ours ? room : 0, deadline);
    if (result == 0 && !reply) {
      result = refuse_command(link, &header, deadline);
    }
    if (result != 0) {
      return result;
    }
    if (!ours) {
      // If messages arrive faster than they are read, no wait checks the deadline.
      if (deadline_left_ns(deadline) == 0) {
        return fail_io(link, ETIMEDOUT);
      }
      continue;
    }
    if (header.flags & VFIO_USER_ERROR) {
      const int error = header.error != 0 && header.error < 4096 ? (int)header.error : EIO;
      return ul_fail(error, "%s: the virtual card refused command %u: %s", link->name,
                     header.command, strerror(error));
    }
    if (bytes < room) {
      return fail_format(link, "its answer is too short");
    }
    return 0;
  }
}

/** The caller has exclusive use of the socket. */
static int exchange(struct vfio_user_link* link, const struct vfio_user_request* request,
                    deadline_t deadline) {
  // Threads that waited for the socket, except the first, fail here at once.
  if (atomic_load_explicit(&link->gone, memory_order_relaxed)) {
    return ul_link_fail_gone(link);
  }
  const uint16_t id = link->next_id++;
  struct vfio_user_header header = {.id = id,
                                    .command = request->command,
                                    .size = (uint32_t)(sizeof header + request->bytes),
                                    .flags = request->posted ? VFIO_USER_NO_REPLY : 0};
  struct iovec parts[2] = {{&header, sizeof header}, {(void*)request->body, request->bytes}};
  int result = send_message(link, parts, 2, request->fds, request->fd_count, deadline);
  if (result == 0 && !request->posted) {
    result = receive_reply(link, id, request->reply, request->room, deadline);
  }
  return result;
}

/** Acquires the socket; false if not before the deadline. (ThreadSanitizer does not know a lock
 * with a monotonic deadline.) */
static bool acquire(struct vfio_user_link* link, deadline_t deadline) {
  const struct timespec limit = deadline_time(deadline);
  int error = 0;
  pthread_mutex_lock(&link->lock);
  while (link->busy && error == 0) {
    error = pthread_cond_timedwait(&link->free, &link->lock, &limit);
  }
  const bool acquired = !link->busy;
  link->busy = true;
  pthread_mutex_unlock(&link->lock);
  return acquired;
}

static void release(struct vfio_user_link* link) {
  pthread_mutex_lock(&link->lock);
  link->busy = false;
  pthread_cond_signal(&link->free);
  pthread_mutex_unlock(&link->lock);
}

int ul_link_request(struct vfio_user_link* link, const struct vfio_user_request* request) {
  const deadline_t deadline = ul_call_deadline(PATIENCE_MS);
  if (!acquire(link, deadline)) {
    return fail_late(link);
  }
  const int result = exchange(link, request, deadline);
  release(link);
  return result;
}

bool ul_link_alive(struct vfio_user_link* link) {
  struct pollfd socket = {.fd = link->socket, .events = POLLRDHUP};
  return !atomic_load_explicit(&link->gone, memory_order_relaxed) &&
         (poll(&socket, 1, 0) <= 0 || (socket.revents & (POLLRDHUP | POLLHUP | POLLERR)) == 0);
}

static int connect_to(struct vfio_user_link* link, const char* path, deadline_t deadline) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  if (path[0] == '\0' || strlen(path) >= sizeof address.sun_path) {
    return ul_fail(EINVAL, "%s: a socket's path has 1 to %zu characters", link->name,
                   sizeof address.sun_path - 1);
  }
  memcpy(address.sun_path, path, strlen(path));
  // connect() blocks while the listener's backlog is full.
  int result = 0;
  do {
    const struct timeval left = deadline_left(deadline);
    setsockopt(link->socket, SOL_SOCKET, SO_SNDTIMEO, &left, sizeof left);
    result = connect(link->socket, (const struct sockaddr*)&address, sizeof address);
  } while (result != 0 && errno == EINTR && deadline_left_ns(deadline) > 0);
  if (result == 0) {
    return 0;
  }
  switch (errno) {
    case ENOENT:
    case ENOTDIR:
      return ul_fail(ENOENT,
                     "%s: there is no such socket; is the virtual card running? " HOW_TO_START,
                     link->name);
    case ECONNREFUSED:
      return ul_fail(
          ECONNREFUSED,
          "%s: nobody listens there: the virtual card has ended, or it is no socket; " HOW_TO_START,
          link->name);
    case EACCES:
    case EPERM:
      return ul_fail(EACCES, "%s: permission denied; run as the user who started the virtual card",
                     link->name);
    case EAGAIN:
    case EINTR:
      return ul_fail(EBUSY, "%s: others wait for the card already; end them first", link->name);
    default:
      return ul_fail(errno, "%s: cannot connect: %s", link->name, strerror(errno));
  }
}

/** A card that another program holds refuses. */
static int exchange_versions(struct vfio_user_link* link, deadline_t deadline) {
  struct vfio_user_version body = {
      0, 1, "{\"capabilities\":{\"max_msg_fds\":16,\"max_data_xfer_size\":1048576}}"};
  struct {
    uint16_t major, minor;
  } answer;
  const struct vfio_user_request request = {
      .command = VFIO_USER_VERSION,
      .body = &body,
      .bytes = offsetof(struct vfio_user_version, capabilities) + strlen(body.capabilities) + 1,
      .reply = &answer,
      .room = sizeof answer};
  const int result = exchange(link, &request, deadline);
  if (result == -EBUSY) {
    return ul_fail(EBUSY, "%s: another program holds the card; end it first", link->name);
  }
  if (result == -ENODEV) {
    return ul_fail(ENODEV, "%s: it hung up at once; is it the socket of a virtual card?",
                   link->name);
  }
  if (result == -ETIMEDOUT) {
    return ul_fail(ETIMEDOUT,
                   "%s: no answer; the virtual card is stopped, or another program holds it",
                   link->name);
  }
  if (result == 0 && (answer.major != 0 || answer.minor > 1)) {
    return ul_fail(EPROTO, "%s: it speaks vfio-user %u.%u, this library 0.1; use one that fits",
                   link->name, answer.major, answer.minor);
  }
  return result;
}

int ul_link_open(struct vfio_user_link* link, const char* name, const char* path) {
  *link = (struct vfio_user_link){.name = name};
  pthread_condattr_t monotonic;
  pthread_condattr_init(&monotonic);
  pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
  pthread_cond_init(&link->free, &monotonic);
  pthread_condattr_destroy(&monotonic);
  pthread_mutex_init(&link->lock, NULL);
  link->socket = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (link->socket < 0) {
    return ul_fail(errno, "%s: no socket: %s; are too many files open?", name, strerror(errno));
  }
  const deadline_t deadline = deadline_in(FIRST_PATIENCE_MS);
  const int result = connect_to(link, path, deadline);
  return result != 0 ? result : exchange_versions(link, deadline);
}

void ul_link_close(struct vfio_user_link* link) {
  if (link->socket >= 0) {
    close(link->socket);
  }
  pthread_cond_destroy(&link->free);
  pthread_mutex_destroy(&link->lock);
}
