/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 */
#include "preload/connecting.h"

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <pthread.h>
#include <sys/time.h>

#include "preload/accelerating.h"
#include "preload/daemon.h"
#include "preload/ip_options.h"
#include "preload/memory.h"
#include "preload/notes.h"
#include "preload/real.h"

enum { LOCKS = 64 };

bool was_never_connected(const struct entry* entry) {
  struct control_reply reply;
  if (entry->failed) return true;
  if (entry->datagram || entry->connected) return false;
  if (daemon_query(entry->id, &reply) != 0) return false;
  table_refresh(&reply);
  return reply.state == CONTROL_BOUND || reply.state == CONTROL_LISTENING;
}

bool is_listener(const struct entry* entry) {
  if (entry->kind != KIND_LISTENER) was_never_connected(entry);
  return entry->kind == KIND_LISTENER;
}

int verdict_of(const struct entry* entry) {
  struct control_reply reply;
  int error = daemon_query(entry->id, &reply);
  if (error != 0) {
    note("ullnicd is gone (%s): this program's accelerated connections are lost with it",
         strerror(error));
    return ECONNRESET;
  }
  if (reply.verdict != 0 && reply.text[0] != '\0') note("%s", reply.text);
  return reply.verdict;
}

/* Binds a datagram socket of the card that has no address yet; else EINVAL. */
static int bind_later(const struct entry* entry, const struct sockaddr_in* in) {
  struct control_request request = new_request(CONTROL_BIND);
  struct control_reply reply;
  if (!entry->datagram) return EINVAL;
  request.id = entry->id;
  request.local_ip = in->sin_addr.s_addr;
  request.local_port = in->sin_port;
  return daemon_ask(&request, &reply, NULL) != 0 ? ENETDOWN : reply.error;
}

/* Whether a socket of the card uses the port number that a kernel socket is to bind, on all
 * addresses or for a group. */
static bool is_taken_on_card(int fd, const struct entry* entry, const struct sockaddr_in* in) {
  struct control_request request = new_request(CONTROL_BIND);
  struct control_reply reply;
  if (!entry->datagram || in->sin_port == 0 || entry->plain || disabled_by_default()) return false;
  request.local_ip = in->sin_addr.s_addr;
  request.local_port = in->sin_port;
  request.datagram = true;
  read_options(fd, &request.options);
  ip_options_read(fd, true, &request.options);
  return daemon_ask(&request, &reply, NULL) == 0 && reply.error == EADDRINUSE;
}

/* Whether the kernel's socket is bound, explicitly or by a send. */
static bool is_bound(int fd) {
  struct sockaddr_in local = {0};
  socklen_t length = sizeof(local);
  return REAL(getsockname)(fd, (struct sockaddr*)&local, &length) == 0 && local.sin_port != 0;
}

EXPORTED int bind(int fd, __CONST_SOCKADDR_ARG address, socklen_t length) {
  const struct sockaddr_in* in = address.__sockaddr_in__;
  struct entry* entry = NULL;
  if (in != NULL && length >= sizeof(*in) && in->sin_family == AF_INET) {
    entry = table_candidate(fd);
  }
  if (entry == NULL) return REAL(bind)(fd, address, length);
  int error = -1;
  uint32_t ip = ntohl(in->sin_addr.s_addr);
  if (entry->kind != KIND_NONE) {
    error = bind_later(entry, in);
  } else if (ip == INADDR_ANY || IN_MULTICAST(ip)) {
    if (is_taken_on_card(fd, entry, in)) error = EADDRINUSE;
  } else if (ip >> 24 != IN_LOOPBACKNET) {
    struct control_request request = new_request(CONTROL_BIND);
    request.local_ip = in->sin_addr.s_addr;
    request.local_port = in->sin_port;
    error = is_bound(fd) && is_cards(&request) ? EINVAL : bind_to_card(fd, entry, &request);
  }
  if (error < 0) return REAL(bind)(fd, address, length);
  if (error == 0) entry->bound_port = in->sin_port;
  errno = error;
  return error == 0 ? 0 : -1;
}

pthread_rwlock_t* receiving_lock(const struct entry* entry) {
  static pthread_rwlock_t locks[LOCKS] = {[0 ... LOCKS - 1] = PTHREAD_RWLOCK_INITIALIZER};
  return &locks[entry->id % LOCKS];
}

int take_datagram_error(int fd, const struct entry* entry) {
  pthread_rwlock_t* lock = receiving_lock(entry);
  const int flags = MSG_PEEK | MSG_DONTWAIT;
  struct datagram_address address;
  int error = 0, before = errno;
  if (pthread_rwlock_trywrlock(lock) != 0) return 0;
  while (REAL(recv)(fd, &address, sizeof(address), flags) == sizeof(address) &&
         address.error != 0) {
    error = address.error;
    REAL(recv)(fd, &address, sizeof(address), MSG_DONTWAIT);
  }
  pthread_rwlock_unlock(lock);
  errno = before;
  return error;
}

int take_error(int fd, const struct entry* entry, int* error) {
  socklen_t length = sizeof(*error);
  if (entry->datagram) return *error = take_datagram_error(fd, entry), 0;
  *error = 0;
  if (REAL(getsockopt)(fd, SOL_SOCKET, SO_ERROR, error, &length) != 0) return -1;
  int verdict = *error != 0 ? verdict_of(entry) : 0;
  if (verdict != 0) *error = verdict;
  return 0;
}

/* Waits until it is connected or has failed. */
static int wait_connected(int fd, struct entry* entry) {
  struct timeval limit = {0};
  socklen_t length = sizeof(limit);
  REAL(getsockopt)(fd, SOL_SOCKET, SO_SNDTIMEO, &limit, &length);
  int timeout_ms = (int)(limit.tv_sec * 1000 + limit.tv_usec / 1000);
  struct pollfd wait = {.fd = fd, .events = POLLOUT};
  int ready = REAL(poll)(&wait, 1, timeout_ms > 0 ? timeout_ms : -1);
  if (ready == 0) return EINPROGRESS;
  if (ready < 0) return errno;
  entry->pending = false;
  if ((wait.revents & (POLLERR | POLLHUP)) == 0) return 0;
  entry->failed = true;
  int error;
  take_error(fd, entry, &error);
  return error != 0 ? error : ECONNRESET;
}

/* The next call after one that did not wait, or not long enough: reports the result, once. */
static int connect_again(int fd, struct entry* entry) {
  struct control_reply reply;
  if (daemon_query(entry->id, &reply) != 0) return ENETDOWN;
  if (reply.state == CONTROL_CONNECTING) {
    return REAL(fcntl)(fd, F_GETFL) & O_NONBLOCK ? EALREADY : wait_connected(fd, entry);
  }
  entry->pending = false;
  if (reply.state == CONTROL_CONNECTED) return 0;
  entry->failed = true;
  int error;
  take_error(fd, entry, &error);
  return error != 0 ? error : ECONNABORTED;
}

/* 0 or errno. */
static int request_of(int fd, const struct entry* entry, const struct sockaddr_in* peer,
                      struct control_request* request) {
  *request = new_request(CONTROL_CONNECT);
  request->peer_ip = peer->sin_addr.s_addr;
  request->peer_port = peer->sin_port;
  request->datagram = entry->datagram;
  if (entry->has_ate && entry->ate_id >= 0) request->ate_id = entry->ate_id;
  if (entry->kind != KIND_NONE) {
    struct control_reply reply;
    /* A failed socket may connect again, as a new one from the same port. */
    int error = daemon_query(entry->id, &reply);
    if (error != 0) return 0; /* ullnicd is gone: the request will report it */
    request->options = reply.options;
    if (entry->failed) {
      request->local_port = entry->bound_port;
    } else {
      request->id = entry->id;
    }
    return reply.state == CONTROL_CLOSED && !entry->failed ? EISCONN : 0;
  }
  struct sockaddr_in local;
  socklen_t length = sizeof(local);
  if (REAL(getsockname)(fd, (struct sockaddr*)&local, &length) == 0) {
    request->local_port = local.sin_port;
    if (IN_MULTICAST(ntohl(local.sin_addr.s_addr))) request->local_ip = local.sin_addr.s_addr;
  }
  read_options(fd, &request->options);
  ip_options_read(fd, entry->datagram, &request->options);
  return 0;
}

/* The kernel's socket is listening or connected: EISCONN, or another error of the kernel. */
static bool is_busy(int fd, const struct entry* entry) {
  struct tcp_info info = {0};
  socklen_t length = sizeof(info);
  return !entry->datagram && REAL(getsockopt)(fd, IPPROTO_TCP, TCP_INFO, &info, &length) == 0 &&
         info.tcpi_state != TCP_CLOSE;
}

/* 0, errno, or -1: left to the kernel. */
static int connect_through_card(int fd, struct entry* entry, const struct sockaddr_in* peer) {
  char text[ENDPOINT_TEXT];
  struct control_request request;
  struct control_reply reply;
  int fresh;
  if (entry->pending) return connect_again(fd, entry);
  if (entry->kind == KIND_NONE && is_busy(fd, entry)) return -1;
  endpoint_text(text, peer->sin_addr.s_addr, peer->sin_port);
  if (entry->kind == KIND_NONE && unwanted(entry, text)) return -1;
  int error = request_of(fd, entry, peer, &request);
  bool ate = request.ate_id != CONTROL_ATE_NONE;
  if (error == 0 && entry->kind == KIND_NONE) error = check_options(fd, entry, &request, text);
  if (error != 0) return error;
  error = daemon_ask(&request, &reply, &fresh);
  if (error != 0) {
    note_absent(text, error);
    return entry->kind != KIND_NONE || ate ? ENETUNREACH
                                           : kernels_or(error == EACCES ? EACCES : ENETDOWN);
  }
  if (reply.error != 0) {
    if (reply.text[0] != '\0') note("%s: %s", text, reply.text);
    return reply.error;
  }
  if (!reply.accelerated) {
    note("%s: not accelerated: no port of the card reaches it (see ullnicd --address, --gateway)",
         text);
    return entry->kind != KIND_NONE || ate ? ENETUNREACH : kernels_or(ENETUNREACH);
  }
  if (fresh >= 0) {
    error = take_place(fd, fresh);
    if (error != 0) return error;
    table_take(fd, &reply, entry->datagram);
    entry->bound_port = request.local_port;
  } else if (ate) {
    entry->kind = KIND_ATE;
  }
  trace("descriptor %d: %s through port %u of the card%s", fd, text, reply.port,
        ate ? ", with the transmit engine" : "");
  table_connected(fd);
  if (entry->datagram) return 0;
  entry->failed = false;
  entry->pending = true;
  if (REAL(fcntl)(fd, F_GETFL) & O_NONBLOCK) return EINPROGRESS;
  return wait_connected(fd, entry);
}

/* 0 or errno. */
static int disconnect(const struct entry* entry) {
  struct control_request request = new_request(CONTROL_DISCONNECT);
  struct control_reply reply;
  request.id = entry->id;
  if (daemon_ask(&request, &reply, NULL) != 0) return ENETDOWN;
  if (reply.error == 0) table_disconnected(entry->id);
  return reply.error;
}

static bool is_loopback(const struct sockaddr* address, socklen_t length) {
  const struct sockaddr_in* in = (const struct sockaddr_in*)address;
  const struct sockaddr_in6* in6 = (const struct sockaddr_in6*)address;
  if (address->sa_family == AF_INET && length >= sizeof(*in)) {
    return (ntohl(in->sin_addr.s_addr) >> 24) == IN_LOOPBACKNET;
  }
  if (address->sa_family != AF_INET6 || length < sizeof(*in6)) return true; /* cannot connect */
  bool mapped = IN6_IS_ADDR_V4MAPPED(&in6->sin6_addr);
  return mapped ? in6->sin6_addr.s6_addr[12] == IN_LOOPBACKNET
                : IN6_IS_ADDR_LOOPBACK(&in6->sin6_addr);
}

int other_socket(int fd, const struct sockaddr* address, socklen_t length) {
  int domain = 0, type = 0, protocol = 0;
  socklen_t size = sizeof(int);
  if (address == NULL || length < sizeof(address->sa_family) || is_loopback(address, length) ||
      table_ours(fd) != NULL || REAL(getsockopt)(fd, SOL_SOCKET, SO_DOMAIN, &domain, &size) != 0 ||
      REAL(getsockopt)(fd, SOL_SOCKET, SO_TYPE, &type, &size) != 0 ||
      REAL(getsockopt)(fd, SOL_SOCKET, SO_PROTOCOL, &protocol, &size) != 0) {
    return 0;
  }
  bool is_usual = protocol == IPPROTO_TCP || protocol == IPPROTO_UDP;
  if (domain == AF_INET6 && acceleration_required()) {
    note("not accelerated: IPv6, which ullnicd does not do: use IPv4, or leave out --require");
    return ENETUNREACH;
  }
  if (domain == AF_INET && !is_usual && protocol != IPPROTO_ICMP && type != SOCK_RAW) {
    note("not accelerated: protocol %d of a socket, ullnicd does TCP (%d) and UDP (%d)", protocol,
         IPPROTO_TCP, IPPROTO_UDP);
    return acceleration_required() ? EPROTONOSUPPORT : 0;
  }
  return 0;
}

/* Connects a socket of the card to a non-IPv4 address. 0 or errno. */
static int connect_elsewhere(const struct entry* entry, const struct sockaddr* address,
                             socklen_t length) {
  sa_family_t family;
  if (length < sizeof(family)) return EINVAL;
  if (memory_read(&family, address, sizeof(family)) != 0) return EFAULT;
  if (family == AF_UNSPEC && entry->datagram) return disconnect(entry);
  return family == AF_UNSPEC || length < sizeof(struct sockaddr_in) ? EINVAL : EAFNOSUPPORT;
}

EXPORTED int connect(int fd, __CONST_SOCKADDR_ARG address, socklen_t length) {
  const struct sockaddr_in* peer = address.__sockaddr_in__;
  struct entry* entry = NULL;
  int error;
  if (peer != NULL && length >= sizeof(*peer) && peer->sin_family == AF_INET) {
    entry = table_candidate(fd);
  }
  if (entry != NULL) {
    bool own = (ntohl(peer->sin_addr.s_addr) >> 24) == IN_LOOPBACKNET;
    error = own && entry->kind == KIND_NONE && !entry->has_ate
                ? -1
                : connect_through_card(fd, entry, peer);
  } else if ((entry = table_ours(fd)) != NULL) {
    error = connect_elsewhere(entry, address.__sockaddr__, length);
  } else {
    error = other_socket(fd, address.__sockaddr__, length);
    if (error == 0) error = -1;
  }
  if (error < 0) return REAL(connect)(fd, address, length);
  errno = error;
  return error == 0 ? 0 : -1;
}
