/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * setsockopt(), getsockopt().
 */
#include <errno.h>
#include <limits.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include "exasock/socket.h"
#include "preload/connecting.h"
#include "preload/daemon.h"
#include "preload/ip_options.h"
#include "preload/memory.h"
#include "preload/multicast.h"
#include "preload/notes.h"
#include "preload/option_table.h"
#include "preload/real.h"
#include "preload/stamps.h"
#include "preload/table.h"

enum { LEAST_BUFFER = 212992, VALUE_ROOM = 512 };

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
  if (entry_now->kind != KIND_NONE && is_listener(entry_now)) return fail(EOPNOTSUPP);
  if (entry_now->kind != KIND_NONE) {
    if (daemon_query(entry->id, &reply) != 0 || reply.state != CONTROL_BOUND) return fail(EPERM);
  }
  if (id < CONTROL_ATE_NONE) return fail(EINVAL);
  int error = daemon_ask(&request, &reply, NULL);
  if (error != 0 || reply.tcp_enables == 0) {
    if (error != 0) {
      note("SO_EXA_ATE: ullnicd does not answer at %s (%s): start it", daemon_path(),
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

static int set_linger(const void* value, socklen_t length, struct control_options* options) {
  struct linger linger;
  if (length < sizeof(linger)) return EINVAL;
  memcpy(&linger, value, sizeof(linger));
  options->linger = linger.l_onoff != 0;
  options->linger_s = linger.l_onoff != 0 ? (uint32_t)linger.l_linger : 0;
  return 0;
}

static int refuse(int fd, int level, int name, const struct option_row* row, int error) {
  if (row != NULL) {
    trace("setsockopt(%d, %s): refused: %s", fd, row->text, strerror(error));
  } else {
    trace("setsockopt(%d, %d, %d): refused: the card does not know it", fd, level, name);
  }
  return fail(error);
}

/* By the table. SO_LINGER, whose value is a struct, is handled separately. */
static int set_by_table(int fd, struct entry* entry, int level, int name, const void* value,
                        socklen_t length) {
  const struct option_row* row = option_find(level, name, entry->datagram);
  bool linger = level == SOL_SOCKET && name == SO_LINGER;
  struct control_request request = new_request(CONTROL_OPTIONS);
  struct control_reply reply;
  if (row == NULL && !linger) return refuse(fd, level, name, row, ENOPROTOOPT);
  if (!linger && row->way == OPTION_PAIR) return REAL(setsockopt)(fd, level, name, value, length);
  bool held = linger || row->way == OPTION_KEPT || row->way == OPTION_HINT;
  if (held && daemon_query(entry->id, &reply) != 0) return fail(ENETDOWN);
  request.id = entry->id;
  if (held) request.options = reply.options;
  int error = linger ? set_linger(value, length, &request.options)
                     : option_change(row, value, length, &request.options);
  if (error == 0 && request.options.cork && entry->kind == KIND_ATE) error = ENOPROTOOPT;
  if (error != 0) return refuse(fd, level, name, row, error);
  if (held && daemon_ask(&request, &reply, NULL) != 0) return fail(ENETDOWN);
  if (linger) table_linger(entry->id, request.options.linger_s);
  return 0;
}

static int set_ours(int fd, struct entry* entry, int level, int name, const void* value,
                    socklen_t length) {
  if (ip_options_has(level, name)) return ip_options_set(entry, level, name, value, length);
  if (stamps_is_option(level, name)) return stamps_set(entry, name, value, length);
  if (level == SOL_SOCKET && name == SO_SNDBUF) {
    /* With a smaller buffer, the byte that stays unread would keep the socket from being
     * writable. */
    int size = 0;
    if (length < sizeof(size)) return fail(EINVAL);
    memcpy(&size, value, sizeof(size));
    if (size < LEAST_BUFFER) return 0;
    return REAL(setsockopt)(fd, level, name, value, length);
  }
  return set_by_table(fd, entry, level, name, value, length);
}

static bool is_level(const struct entry* entry, int level) {
  return level == SOL_SOCKET || level == IPPROTO_IP || level == SOL_EXASOCK ||
         level == (entry->datagram ? IPPROTO_UDP : IPPROTO_TCP);
}

/* Copies the program's value, whose address may be invalid. 0 or errno, as on Linux. */
static int take_value(const struct entry* entry, int level, const void* value, socklen_t length,
                      void* copy) {
  bool plain = level == SOL_SOCKET || (level == IPPROTO_TCP && !entry->datagram);
  if (length > INT_MAX) return EINVAL;
  if (!is_level(entry, level)) return ENOPROTOOPT;
  if (memory_read(copy, value, length < VALUE_ROOM ? length : VALUE_ROOM) == 0) return 0;
  return plain && length < sizeof(int) ? EINVAL : EFAULT;
}

/* The kernel has accepted it; card support is checked when the socket becomes the card's. */
static void note_hidden(int fd, int level, int name, const void* value, socklen_t length) {
  int type = SOCK_STREAM;
  socklen_t size = sizeof(type);
  char copy[VALUE_ROOM];
  const struct option_row* row = option_find(level, name, false);
  if (row == NULL) row = option_find(level, name, true);
  if (row == NULL || !row->is_hidden) return;
  if (REAL(getsockopt)(fd, SOL_SOCKET, SO_TYPE, &type, &size) != 0) return;
  struct entry* entry = table_candidate(fd);
  length = length < sizeof(copy) ? length : sizeof(copy);
  if (entry != NULL && memory_read(copy, value, length) == 0) {
    option_mark(row, copy, length, &entry->hidden_options);
  }
}

EXPORTED int setsockopt(int fd, int level, int name, const void* value, socklen_t length) {
  bool group = multicast_is_option(level, name);
  struct entry* entry = level == SOL_EXASOCK || group ? table_candidate(fd) : table_ours(fd);
  char copy[VALUE_ROOM] = {0};
  if (level == SOL_EXASOCK && entry == NULL) { /* not AF_INET, or no socket */
    int type;
    socklen_t size = sizeof(type);
    return fail(REAL(getsockopt)(fd, SOL_SOCKET, SO_TYPE, &type, &size) == 0 ? EPERM : errno);
  }
  if (entry == NULL) {
    int result = REAL(setsockopt)(fd, level, name, value, length);
    if (result == 0) note_hidden(fd, level, name, value, length);
    return result;
  }
  int error = take_value(entry, level, value, length, copy);
  if (error != 0) return fail(error);
  socklen_t size = length < VALUE_ROOM ? length : VALUE_ROOM;
  if (level == SOL_EXASOCK) return set_exasock(fd, entry, name, copy, size);
  if (group) {
    int result = multicast_set(fd, entry, name, copy, size);
    if (result != MULTICAST_OF_KERNEL) return result;
    result = REAL(setsockopt)(fd, level, name, value, length);
    entry->groups_of_kernel |= result == 0;
    return result;
  }
  return set_ours(fd, entry, level, name, copy, size);
}

static int tcp_info(const struct control_reply* reply, void* value, socklen_t* length) {
  struct tcp_info info = {.tcpi_snd_mss = reply->mss,
                          .tcpi_rcv_mss = reply->mss,
                          .tcpi_rtt = reply->rtt_us,
                          .tcpi_snd_cwnd = reply->mss > 0 ? reply->cwnd / reply->mss : 0,
                          .tcpi_unacked = reply->mss > 0 ? reply->unacked / reply->mss : 0};
  info.tcpi_state = reply->tcp_state != 0                ? (uint8_t)reply->tcp_state
                    : reply->state == CONTROL_CONNECTING ? TCP_SYN_SENT
                    : reply->state == CONTROL_LISTENING  ? TCP_LISTEN
                                                         : TCP_CLOSE;
  return give(value, length, &info, sizeof(info));
}

static int get_error(int fd, const struct entry* entry, void* value, socklen_t* length) {
  int error;
  if (take_error(fd, entry, &error) != 0) return -1;
  return give_int(value, length, error);
}

/* Read-only and non-numeric options. False: the table has it. */
static bool get_special(int fd, const struct entry* entry, int level, int name, void* value,
                        socklen_t* length, int* result) {
  struct control_reply reply;
  if (ip_options_has(level, name)) {
    *result = ip_options_get(entry, level, name, value, length);
  } else if (multicast_is_option(level, name)) {
    *result = multicast_get(entry, name, value, length);
  } else if (stamps_is_option(level, name)) {
    if (daemon_query(entry->id, &reply) != 0) return *result = fail(ENETDOWN), true;
    /* The flags of SO_TIMESTAMPING are followed by the index of a clock (BIND_PHC). */
    const int flags_and_clock[2] = {stamps_value(name, reply.options.stamping)};
    const socklen_t count = name == SO_TIMESTAMPING ? 2 : 1;
    *result = give(value, length, flags_and_clock, count * (socklen_t)sizeof(int));
  } else if (level == SOL_SOCKET && name == SO_ERROR) {
    *result = get_error(fd, entry, value, length);
  } else if (level == SOL_SOCKET && name == SO_DOMAIN) {
    *result = give_int(value, length, AF_INET);
  } else if (level == SOL_SOCKET && name == SO_TYPE) {
    *result = give_int(value, length, entry->datagram ? SOCK_DGRAM : SOCK_STREAM);
  } else if (level == SOL_SOCKET && name == SO_PROTOCOL) {
    *result = give_int(value, length, entry->datagram ? IPPROTO_UDP : IPPROTO_TCP);
  } else if (level == SOL_SOCKET && name == SO_ACCEPTCONN) {
    *result = give_int(value, length, is_listener(entry));
  } else if (level == SOL_SOCKET && name == SO_PEERCRED) { /* not ullnicd's credentials */
    const struct ucred nobody = {.uid = (uid_t)-1, .gid = (gid_t)-1};
    *result = give(value, length, &nobody, sizeof(nobody));
  } else if (level == SOL_SOCKET && name == SO_SNDBUF) {
    *result = REAL(getsockopt)(fd, level, name, value, length);
  } else if (level == SOL_SOCKET && name == SO_LINGER) {
    if (daemon_query(entry->id, &reply) != 0) return *result = fail(ENETDOWN), true;
    const struct linger linger = {.l_onoff = reply.options.linger,
                                  .l_linger = (int)reply.options.linger_s};
    *result = give(value, length, &linger, sizeof(linger));
  } else if (level == IPPROTO_TCP && !entry->datagram && (name == TCP_INFO || name == TCP_MAXSEG)) {
    if (daemon_query(entry->id, &reply) != 0) return *result = fail(ENETDOWN), true;
    *result = name == TCP_INFO ? tcp_info(&reply, value, length)
                               : give_int(value, length, reply.mss > 0 ? (int)reply.mss : 536);
  } else {
    return false;
  }
  return true;
}

static int get_ours(int fd, const struct entry* entry, int level, int name, void* value,
                    socklen_t* length) {
  const struct option_row* row = option_find(level, name, entry->datagram);
  struct control_reply reply = {0};
  char text[OPTION_NAME_ROOM] = {0};
  int result;
  if (get_special(fd, entry, level, name, value, length, &result)) return result;
  if (row == NULL) return fail(ENOPROTOOPT);
  switch (row->way) {
    case OPTION_PAIR:
      return REAL(getsockopt)(fd, level, name, value, length);
    case OPTION_KEPT:
    case OPTION_HINT:
      if (daemon_query(entry->id, &reply) != 0) return fail(ENETDOWN);
      return give_int(value, length, option_value(row, &reply.options));
    case OPTION_FIXED:
    case OPTION_READ:
      return give_int(value, length, option_value(row, &reply.options));
    case OPTION_EMPTY:
      *length = 0;
      return 0;
    case OPTION_NAME:
      if (row->only == NULL) return *length = 0;
      strncpy(text, row->only, sizeof(text) - 1);
      return give(value, length, text, sizeof(text));
    default:
      return fail(ENOPROTOOPT);
  }
}

static int get_exasock(const struct entry* entry, int name, void* value, socklen_t* length) {
  if (name == SO_EXA_NO_ACCEL) return give_int(value, length, entry->plain);
  if (name != SO_EXA_ATE) return fail(ENOPROTOOPT);
  return give_int(value, length, entry->has_ate ? entry->ate_id : CONTROL_ATE_NONE);
}

EXPORTED int getsockopt(int fd, int level, int name, void* __restrict value,
                        socklen_t* __restrict length) {
  const struct entry* entry = level == SOL_EXASOCK ? table_candidate(fd) : table_ours(fd);
  char copy[VALUE_ROOM];
  socklen_t room;
  if (entry == NULL && level == SOL_EXASOCK) return fail(EPERM);
  if (entry == NULL) return REAL(getsockopt)(fd, level, name, value, length);
  if (!is_level(entry, level)) return fail(EOPNOTSUPP);
  if (memory_read(&room, length, sizeof(room)) != 0) return fail(EFAULT);
  if (room > INT_MAX) return fail(EINVAL);
  socklen_t size = room < VALUE_ROOM ? room : VALUE_ROOM;
  int result = level == SOL_EXASOCK ? get_exasock(entry, name, copy, &size)
                                    : get_ours(fd, entry, level, name, copy, &size);
  if (result != 0) return result;
  if (memory_write(value, copy, size) != 0 || memory_write(length, &size, sizeof(size)) != 0) {
    return fail(EFAULT);
  }
  return 0;
}
