/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * setsockopt(), getsockopt().
 */
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include "exasock/socket.h"
#include "preload/connecting.h"
#include "preload/daemon.h"
#include "preload/ip_options.h"
#include "preload/multicast.h"
#include "preload/notes.h"
#include "preload/real.h"
#include "preload/stamps.h"
#include "preload/table.h"

enum { LEAST_BUFFER = 212992 };

static int fail(int error) {
  errno = error;
  return -1;
}

static bool read_value(const void* value, socklen_t length, int* result) {
  if (length >= sizeof(int)) {
    memcpy(result, value, sizeof(int));
  } else if (length >= 1) {
    *result = *(const unsigned char*)value;
  } else {
    return false;
  }
  return true;
}

static int give(void* value, socklen_t* length, const void* result, socklen_t size) {
  if (size > *length) size = *length;
  memcpy(value, result, size);
  *length = size;
  return 0;
}

static int give_int(void* value, socklen_t* length, int result) {
  return give(value, length, &result, sizeof(result));
}

static int set_ate(const struct entry* entry_now, struct entry* entry, int id) {
  struct control_request request = new_request(CONTROL_PROBE);
  struct control_reply reply;
  bool disabled = entry->plain || (disabled_by_default() && !entry->wanted);
  if (entry->datagram || disabled) return fail(EPERM);
  if (entry_now->kind == KIND_LISTENER) return fail(EOPNOTSUPP);
  if (entry_now->kind != KIND_NONE) {
    if (daemon_query(entry->id, &reply) != 0 || reply.state != CONTROL_BOUND) return fail(EPERM);
  }
  if (id < CONTROL_ATE_NONE) return fail(EINVAL);
  int error = daemon_ask(&request, &reply, NULL);
  if (error != 0 || reply.tcp_enables == 0) {
    if (error != 0) {
      note("SO_EXA_ATE: ullnicd does not answer at %s (%s): start it", control_path(),
           strerror(error));
    } else {
      note("SO_EXA_ATE: no port that ullnicd uses has a TCP transmit engine");
    }
    return fail(ENOPROTOOPT);
  }
  entry->has_ate = id != CONTROL_ATE_NONE;
  entry->ate_id = id;
  return 0;
}

static bool kernel_connected(int fd) {
  struct sockaddr_in peer;
  socklen_t length = sizeof(peer);
  return REAL(getpeername)(fd, (struct sockaddr*)&peer, &length) == 0;
}

static bool kernel_listens(int fd) {
  int listens = 0;
  socklen_t length = sizeof(listens);
  return REAL(getsockopt)(fd, SOL_SOCKET, SO_ACCEPTCONN, &listens, &length) == 0 && listens != 0;
}

/* Times of what is received, on an accelerated socket. */
static int stamp(int fd, const struct entry* entry, int name, const void* value, socklen_t length) {
  struct control_reply reply;
  struct control_request request = new_request(CONTROL_OPTIONS);
  int number = 0;
  if (!read_value(value, length, &number)) return fail(EINVAL);
  if (!entry->datagram) {
    if (number == 0) return 0;
    note("there are no times of received bytes on TCP sockets (SO_TIMESTAMP...)");
    return fail(EOPNOTSUPP);
  }
  if (entry->kind == KIND_DATAGRAM) {
    if (number == 0) return 0;
    note("times of received datagrams (SO_TIMESTAMP...): ask for them before connect()");
    return fail(EISCONN);
  }
  if (daemon_query(entry->id, &reply) != 0) return fail(ENETDOWN);
  request.id = entry->id;
  request.options = reply.options;
  int error = stamps_change(name, number, &request.options.stamping);
  if (error != 0) return fail(error);
  if (daemon_ask(&request, &reply, NULL) != 0) return fail(ENETDOWN);
  table_stamp(fd, request.options.stamping);
  return 0;
}

static int set_exasock(int fd, struct entry* entry, int name, const void* value, socklen_t length) {
  int number = 0;
  if (name == SO_EXA_MCAST_LISTEN) {
    if (!entry->datagram || entry->plain) return fail(EPERM);
    return multicast_listen(fd, entry, value, length);
  }
  if (name != SO_EXA_NO_ACCEL && name != SO_EXA_ATE) return fail(ENOPROTOOPT);
  if (!read_value(value, length, &number)) return fail(EINVAL);
  if (name == SO_EXA_NO_ACCEL) {
    if (number != 0 ? entry->kind != KIND_NONE : entry->plain) return fail(EPERM);
    entry->plain = number != 0;
    entry->wanted = number == 0;
    return 0;
  }
  if (entry->kind == KIND_NONE && kernel_connected(fd)) return fail(EPERM);
  if (entry->kind == KIND_NONE && kernel_listens(fd)) return fail(EOPNOTSUPP);
  return set_ate(entry, entry, number);
}

/* The option's place among those that ullnicd knows; false: another one. */
static bool change(struct control_options* o, int level, int name, const void* value,
                   socklen_t length) {
  int number = 0;
  if (!read_value(value, length, &number)) return false;
  if (level == SOL_SOCKET && name == SO_KEEPALIVE) {
    o->keep_alive = number != 0;
  } else if (level == SOL_SOCKET && name == SO_LINGER && length >= sizeof(struct linger)) {
    const struct linger* linger = value;
    o->linger_zero = linger->l_onoff != 0 && linger->l_linger == 0;
  } else if (level == IPPROTO_TCP && name == TCP_NODELAY) {
    o->no_delay = number != 0;
  } else if (level == IPPROTO_TCP && name == TCP_KEEPIDLE) {
    o->keep_idle_s = (uint32_t)number;
  } else if (level == IPPROTO_TCP && name == TCP_KEEPINTVL) {
    o->keep_interval_s = (uint32_t)number;
  } else if (level == IPPROTO_TCP && name == TCP_KEEPCNT) {
    o->keep_count = (uint32_t)number;
  } else if (level == IPPROTO_TCP && name == TCP_USER_TIMEOUT) {
    o->user_timeout_ms = (uint32_t)number;
  } else {
    return false;
  }
  return true;
}

static int set_ours(int fd, struct entry* entry, int level, int name, const void* value,
                    socklen_t length) {
  struct control_reply reply;
  struct control_request request = new_request(CONTROL_OPTIONS);
  if (ip_options_has(level, name)) return ip_options_set(entry, level, name, value, length);
  if (stamps_is_option(level, name)) return stamp(fd, entry, name, value, length);
  int error = daemon_query(entry->id, &reply);
  if (error != 0) return fail(ENETDOWN);
  request.id = entry->id;
  request.options = reply.options;
  if (change(&request.options, level, name, value, length)) {
    error = daemon_ask(&request, &reply, NULL);
    return error == 0 ? 0 : fail(ENETDOWN);
  }
  if (level == SOL_SOCKET && name == SO_SNDBUF) {
    /* With less, the byte that stays unread would keep the socket from being writable. */
    int size = 0;
    if (!read_value(value, length, &size)) return fail(EINVAL);
    if (size < LEAST_BUFFER) return 0;
  }
  if (level == SOL_SOCKET && name != SO_REUSEADDR && name != SO_REUSEPORT) {
    return REAL(setsockopt)(fd, level, name, value, length);
  }
  trace("setsockopt(%d, %d, %d) has no effect on an accelerated socket", fd, level, name);
  return 0;
}

EXPORTED int setsockopt(int fd, int level, int name, const void* value, socklen_t length) {
  bool group = multicast_is_option(level, name);
  struct entry* entry = level == SOL_EXASOCK || group ? table_candidate(fd) : table_ours(fd);
  if (level == SOL_EXASOCK) {
    if (entry == NULL) { /* not AF_INET, or no socket */
      int type;
      socklen_t size = sizeof(type);
      return fail(REAL(getsockopt)(fd, SOL_SOCKET, SO_TYPE, &type, &size) == 0 ? EPERM : errno);
    }
    return set_exasock(fd, entry, name, value, length);
  }
  if (entry != NULL && group) {
    int result = multicast_set(fd, entry, name, value, length);
    if (result != MULTICAST_OF_KERNEL) return result;
    result = REAL(setsockopt)(fd, level, name, value, length);
    entry->groups_of_kernel |= result == 0;
    return result;
  }
  if (entry != NULL && entry->kind != KIND_NONE) {
    return set_ours(fd, entry, level, name, value, length);
  }
  return REAL(setsockopt)(fd, level, name, value, length);
}

static int tcp_info(const struct control_reply* reply, void* value, socklen_t* length) {
  struct tcp_info info = {.tcpi_snd_mss = reply->mss,
                          .tcpi_rcv_mss = reply->mss,
                          .tcpi_rtt = reply->rtt_us,
                          .tcpi_snd_cwnd = reply->mss > 0 ? reply->cwnd / reply->mss : 0,
                          .tcpi_unacked = reply->mss > 0 ? reply->unacked / reply->mss : 0};
  info.tcpi_state = reply->state == CONTROL_CONNECTED    ? TCP_ESTABLISHED
                    : reply->state == CONTROL_CONNECTING ? TCP_SYN_SENT
                    : reply->state == CONTROL_LISTENING  ? TCP_LISTEN
                                                         : TCP_CLOSE;
  return give(value, length, &info, sizeof(info));
}

static int get_tcp(const struct control_reply* reply, int name, void* value, socklen_t* length) {
  const struct control_options* o = &reply->options;
  switch (name) {
    case TCP_NODELAY:
      return give_int(value, length, o->no_delay);
    case TCP_MAXSEG:
      return give_int(value, length, reply->mss > 0 ? (int)reply->mss : 536);
    case TCP_KEEPIDLE:
      return give_int(value, length, (int)o->keep_idle_s);
    case TCP_KEEPINTVL:
      return give_int(value, length, (int)o->keep_interval_s);
    case TCP_KEEPCNT:
      return give_int(value, length, (int)o->keep_count);
    case TCP_USER_TIMEOUT:
      return give_int(value, length, (int)o->user_timeout_ms);
    case TCP_INFO:
      return tcp_info(reply, value, length);
    case TCP_CORK:
    case TCP_QUICKACK:
      return give_int(value, length, 0);
    default:
      return fail(ENOPROTOOPT);
  }
}

static int get_error(int fd, const struct entry* entry, void* value, socklen_t* length) {
  int error = 0;
  socklen_t size = sizeof(error);
  if (REAL(getsockopt)(fd, SOL_SOCKET, SO_ERROR, &error, &size) != 0) return -1;
  if (error != 0) {
    int verdict = verdict_of(entry);
    if (verdict != 0) error = verdict;
  }
  return give_int(value, length, error);
}

static int get_ours(int fd, const struct entry* entry, int level, int name, void* value,
                    socklen_t* length) {
  if (level == SOL_SOCKET && name == SO_ERROR) return get_error(fd, entry, value, length);
  if (level == SOL_SOCKET && name == SO_DOMAIN) return give_int(value, length, AF_INET);
  if (level == SOL_SOCKET && name == SO_TYPE) {
    return give_int(value, length, entry->datagram ? SOCK_DGRAM : SOCK_STREAM);
  }
  if (level == SOL_SOCKET && name == SO_PROTOCOL) {
    return give_int(value, length, entry->datagram ? IPPROTO_UDP : IPPROTO_TCP);
  }
  if (level == SOL_SOCKET && name == SO_ACCEPTCONN) {
    return give_int(value, length, entry->kind == KIND_LISTENER);
  }
  if (stamps_is_option(level, name)) {
    return give_int(value, length, stamps_value(name, entry->stamping));
  }
  if (ip_options_has(level, name)) return ip_options_get(entry, level, name, value, length);
  if (multicast_is_option(level, name)) return multicast_get(entry, name, value, length);
  struct control_reply reply;
  if (level == IPPROTO_TCP || name == SO_KEEPALIVE || name == SO_REUSEADDR || name == SO_LINGER) {
    if (daemon_query(entry->id, &reply) != 0) return fail(ENETDOWN);
  }
  if (level == IPPROTO_TCP) {
    return entry->datagram ? fail(ENOPROTOOPT) : get_tcp(&reply, name, value, length);
  }
  if (level != SOL_SOCKET) return fail(ENOPROTOOPT);
  if (name == SO_KEEPALIVE) return give_int(value, length, reply.options.keep_alive);
  if (name == SO_REUSEADDR) return give_int(value, length, reply.options.reuse_address);
  if (name == SO_LINGER) {
    struct linger linger = {.l_onoff = reply.options.linger_zero};
    return give(value, length, &linger, sizeof(linger));
  }
  return REAL(getsockopt)(fd, level, name, value, length);
}

EXPORTED int getsockopt(int fd, int level, int name, void* __restrict value,
                        socklen_t* __restrict length) {
  const struct entry* entry = level == SOL_EXASOCK ? table_candidate(fd) : table_ours(fd);
  if (level != SOL_EXASOCK) {
    return entry == NULL ? REAL(getsockopt)(fd, level, name, value, length)
                         : get_ours(fd, entry, level, name, value, length);
  }
  if (entry == NULL) return fail(EPERM);
  if (name == SO_EXA_NO_ACCEL) return give_int(value, length, entry->plain);
  if (name == SO_EXA_ATE) {
    return give_int(value, length, entry->has_ate ? entry->ate_id : CONTROL_ATE_NONE);
  }
  return fail(ENOPROTOOPT);
}
